// Modal: content in a dialog, opened by its trigger.

import type { ComponentProps } from "../draw/context";
import { useKept } from "../draw/hooks";
import { Node, useRoot } from "../draw/node";
import { formatPointer } from "../draw/pointer";
import { guestStrings as say } from "../strings";
import { Dialog } from "./kit/dialog";

export function Modal({ def, scope }: ComponentProps<"Modal">) {
  const [open, setOpen] = useKept<boolean>(`open:${def.id}${formatPointer(scope.path)}`, false);
  const { "aria-label": label, ...root } = useRoot(def, scope, "modal");
  return (
    <div {...root}>
      <div onClick={() => setOpen(true)}>
        {typeof def.trigger === "string" && <Node id={def.trigger} scope={scope} />}
      </div>
      {open && (
        <Dialog title={label ?? say.details} onClose={() => setOpen(false)}>
          {typeof def.content === "string" && <Node id={def.content} scope={scope} />}
          <div class="g-dialog-buttons">
            <button type="button" class="g-button" onClick={() => setOpen(false)}>
              {say.close}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}
