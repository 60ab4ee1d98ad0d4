// Form: everything an action's schema asks for, sent as one object.

import { useRef } from "preact/hooks";
import { type ComponentProps, useDraw } from "../draw/context";
import { useActionControl, useKept, useText } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { guestStrings as say } from "../strings";
import { Editors } from "./fields/editor";
import { ActionStatus, FireButton } from "./kit/action";
import { Dialog } from "./kit/dialog";
import { onceHeld } from "./kit/held";
import { useSubmission } from "./kit/submission";
import "./kit/field-styles";

/** On the page; as one line, where there is little to fill in; or behind a button that opens it. */
export function Form(props: ComponentProps<"Form">) {
  return props.def.display === "dialog" ? <Opened {...props} /> : <Fields {...props} />;
}

function Opened({ def, scope }: ComponentProps<"Form">) {
  const control = useActionControl(def.id, scope);
  const { kept } = useDraw();
  const label = useText(def.submitLabel, scope) || say.submit;
  const [open, setOpen] = useKept<boolean>(`open:${control.name}`, false);
  const holds = useRef(false);
  const close = () => {
    kept.set(`form:${control.name}`, undefined);
    setOpen(false);
  };
  const { "aria-label": accessibleLabel, ...root } = useRoot(def, scope, "action");
  return (
    <div {...root}>
      <FireButton
        action={String(def.action)}
        label={`${label}…`}
        accessibleLabel={accessibleLabel}
        state={control.state}
        variant={def.variant ?? "default"}
        tone={root["data-tone"]}
        icon={def.icon}
        dialog
        onFire={() => setOpen(true)}
      />
      {!open && <ActionStatus state={control.state} />}
      {open && (
        <Dialog title={label} holds={holds} onClose={close}>
          <Fields
            def={{ ...def, title: undefined, display: "dialog" }}
            scope={scope}
            holds={holds}
            onClose={close}
          />
        </Dialog>
      )}
    </div>
  );
}

interface FieldsProps extends ComponentProps<"Form"> {
  readonly onClose?: () => void;
  /** Called when it changes whether unsent input would be lost. */
  readonly holds?: { current: boolean };
  /** What is typed stays when it has been taken. */
  readonly keeps?: boolean;
  readonly onTaken?: () => void;
}

/** What a form asks for, with its button. */
export function Fields({ def, scope, onClose, holds, keeps, onTaken }: FieldsProps) {
  const { action, control, description, element, form, send, submitLabel, title } = useSubmission(
    { def, scope },
    () => (onTaken ?? onClose)?.(),
    keeps,
  );
  if (holds) holds.current = form.edited;
  const root = useRoot(def, scope, "form");
  // In a dialog its button is the thing to do; on the page what ends something never looks like it.
  const variant =
    def.display === "dialog"
      ? "primary"
      : (def.variant ?? (def.display === "line" ? "default" : "primary"));
  const submit = () => {
    if (control.state.phase !== "pending") send(root["data-tone"]);
  };
  return (
    <form
      {...root}
      ref={element}
      noValidate
      onKeyDown={onceHeld}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      data-form={action}
      data-display={def.display}
    >
      {title && <h2 class="g-title">{title}</h2>}
      {description && <p class="g-muted">{description}</p>}
      <Editors form={form} />
      <div class="g-form-end">
        {onClose && (
          <button type="button" class="g-button" onClick={onClose}>
            {say.cancel}
          </button>
        )}
        <FireButton
          action={action}
          label={submitLabel}
          state={control.state}
          variant={variant}
          tone={root["data-tone"]}
          icon={def.display === "line" ? def.icon : undefined}
          onFire={submit}
          submit
        />
        <ActionStatus state={control.state} />
      </div>
    </form>
  );
}
