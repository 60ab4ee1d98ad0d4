// Form: everything an action's schema asks for, sent as one object.

import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { resolveContext } from "../draw/bind";
import { type ComponentProps, isTaken, useDraw } from "../draw/context";
import {
  useActionControl,
  useBindingScope,
  useKept,
  useRoom,
  useText,
  useValue,
} from "../draw/hooks";
import { useRoot } from "../draw/node";
import { bare, isObject } from "../draw/pointer";
import { violationsByPointer } from "../form/violations";
import { guestStrings as say } from "../strings";
import type { Json, Schema } from "../wire/json";
import { Editors } from "./fields/editor";
import { ActionStatus, FireButton } from "./kit/action";
import { useChoices } from "./kit/choices-of";
import { Dialog } from "./kit/dialog";
import { useFormState } from "./kit/form-state";
import { onceHeld } from "./kit/held";
import "./kit/field-styles";

const EMPTY = { type: "object" };

/** On the page; as one line, where there is little to fill in; or behind a button that opens it. */
export function Form(props: ComponentProps) {
  return props.def.display === "dialog" ? <Opened {...props} /> : <Fields {...props} />;
}

function Opened({ def, scope }: ComponentProps) {
  const control = useActionControl(def.id, scope);
  const { kept } = useDraw();
  const label = useText(def.submitLabel, scope) || say.submit;
  const [open, setOpen] = useKept(`open:${control.name}`, false);
  const holds = useRef(false);
  const close = () => {
    kept.set(`form:${control.name}`, undefined);
    setOpen(false);
  };
  const { "aria-label": accessibleLabel, ...root } = useRoot(def, scope, "action");
  return (
    <div {...root}>
      <FireButton
        action={def.action}
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

interface FieldsProps extends ComponentProps {
  readonly onClose?: () => void;
  /** Called when it changes whether unsent input would be lost. */
  readonly holds?: { current: boolean };
}

function Fields({ def, scope, onClose, holds }: FieldsProps) {
  const control = useActionControl(def.id, scope);
  const title = useText(def.title, scope);
  const description = useText(def.description, scope);
  const submitLabel = useText(def.submitLabel, scope) || say.submit;
  const initial = useValue(def.initial, scope);
  const schema = useChoices((isObject(def.schema) ? def.schema : EMPTY) as Schema, def.choices);
  const binding = useBindingScope(scope);
  const action = String(def.action);
  const refused = useMemo(
    () => violationsByPointer(control.state.violations, action),
    [control.state.violations, action],
  );
  const form = useFormState(schema, initial, refused, useRoom(scope), {
    place: `form:${control.name}`,
  });
  if (holds) holds.current = form.edited;
  const element = useRef<HTMLFormElement>(null);
  const sent = useRef<{ readonly draft: unknown } | undefined>(undefined);
  const missing = useRef(false);
  const phase = control.state.phase;
  const taken = isTaken(phase);
  const root = useRoot(def, scope, "form");
  // In a dialog its button is the thing to do; on the page what ends something never looks like it.
  const variant =
    def.display === "dialog"
      ? "primary"
      : (def.variant ?? (def.display === "line" ? "default" : "primary"));

  // Both before the next paint, so before anything else can be typed.
  useLayoutEffect(() => {
    // What was typed meanwhile already belongs to the next submission.
    if (!taken || sent.current?.draft !== form.draft || !sent.current) return;
    sent.current = undefined;
    if (initial === undefined) form.reset();
    onClose?.();
  }, [taken]);
  useLayoutEffect(() => {
    if (missing.current)
      element.current!.querySelector<HTMLElement>("[aria-invalid] input, [aria-invalid]")?.focus();
    missing.current = false;
  });

  const send = () => {
    const value = form.submit();
    sent.current = { draft: form.draft };
    if (value === undefined) return;
    const given = resolveContext(def.given, binding);
    const data = isObject(given) ? Object.assign(bare<Json>(), given, value) : value;
    control.fire(action, data, { confirm: def.confirm === true, tone: root["data-tone"] });
  };
  const submit = () => {
    if (phase === "pending") return;
    if (form.submit() === undefined) missing.current = true;
    else send();
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
