// ActionButton: a labelled action with its question and its life from pending to received.

import { resolveContext } from "../draw/bind";
import type { ComponentProps } from "../draw/context";
import { useActionControl, useBindingScope, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { ActionStatus, FireButton } from "./kit/action";

export function ActionButton({ def, scope }: ComponentProps<"ActionButton">) {
  const binding = useBindingScope(scope);
  const control = useActionControl(def.id, scope);
  const label = useText(def.label, scope);
  const description = useText(def.description, scope);
  const { "aria-label": accessibleLabel, ...root } = useRoot(def, scope, "action");
  const action = String(def.action);
  return (
    <div {...root}>
      <FireButton
        action={action}
        label={label}
        accessibleLabel={accessibleLabel}
        state={control.state}
        variant={def.variant ?? "default"}
        tone={root["data-tone"]}
        icon={def.icon}
        onFire={() =>
          control.fire(action, resolveContext(def.data, binding), {
            confirm: def.confirm === true,
            tone: root["data-tone"],
          })
        }
      />
      {description && <span class="g-hint">{description}</span>}
      <ActionStatus state={control.state} />
    </div>
  );
}
