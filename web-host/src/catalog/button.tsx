// Button: fires an event of the view with its resolved context, once its checks hold.

import { useState } from "preact/hooks";
import { resolveContext } from "../draw/bind";
import { type ComponentProps, useDraw } from "../draw/context";
import {
  useActionControl,
  useAddress,
  useBindingScope,
  useFailedCheck,
  useText,
} from "../draw/hooks";
import { Node, useRoot } from "../draw/node";
import type { Action } from "../wire/view";
import { ActionStatus, FireButton } from "./kit/action";

export function Button({ def, scope }: ComponentProps<"Button">) {
  const { openUrl } = useDraw();
  const binding = useBindingScope(scope);
  const control = useActionControl(def.id, scope);
  const failed = useFailedCheck(def.checks, scope);
  const label = useText(def.accessibility?.label, scope);
  const [tried, setTried] = useState(false);
  const { "aria-label": _, ...root } = useRoot(def, scope, "action");
  const action: Action = def.action ?? {};
  const opens = action.functionCall?.call === "openUrl";
  const address = useAddress(opens ? action.functionCall : undefined, scope);
  const fire = () => {
    setTried(failed !== undefined);
    if (failed !== undefined) return;
    if (action.event)
      control.fire(action.event.name, resolveContext(action.event.context, binding));
    else if (opens) openUrl(address);
  };
  return (
    <div {...root}>
      <FireButton
        action={action.event?.name ?? "openUrl"}
        label=""
        accessibleLabel={label || undefined}
        state={control.state}
        onFire={fire}
        variant={def.variant ?? "default"}
      >
        {def.child && <Node id={def.child} scope={scope} />}
      </FireButton>
      {tried && failed && (
        <span class="g-problem" role="alert">
          {failed}
        </span>
      )}
      <ActionStatus state={control.state} />
    </div>
  );
}
