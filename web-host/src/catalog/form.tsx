// Form: everything an action's schema asks for, sent as one object.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useActionControl, useText, useValue } from "../draw/hooks";
import { useRoot } from "../draw/node";
import { isObject } from "../draw/pointer";
import { violationsByPointer } from "../form/violations";
import { guestStrings as say } from "../strings";
import type { Schema } from "../wire/json";
import { Editors } from "./fields/editor";
import { ActionStatus, FireButton } from "./kit/action";
import { ConfirmDialog } from "./kit/dialog";
import { useFormState } from "./kit/form-state";

export function Form({ def, scope }: ComponentProps) {
  const control = useActionControl(def.id, scope);
  const title = useText(def.title, scope);
  const description = useText(def.description, scope);
  const submitLabel = useText(def.submitLabel, scope) || say.submit;
  const initial = useValue(def.initial, scope);
  const schema = (isObject(def.schema) ? def.schema : { type: "object" }) as Schema;
  const action = String(def.action);
  const refused = useMemo(() => violationsByPointer(control.state.violations, action), [control.state.violations, action]);
  const form = useFormState(schema, initial, refused);
  const [asking, setAsking] = useState(false);
  const element = useRef<HTMLFormElement>(null);
  const phase = control.state.phase;

  useEffect(() => {
    if (phase === "sent" && initial === undefined) form.reset();
  }, [phase]);

  const send = () => {
    const value = form.submit();
    if (value !== undefined) control.fire(action, value);
  };
  const submit = () => {
    if (phase === "pending") return;
    if (form.submit() === undefined) requestAnimationFrame(() => element.current?.querySelector<HTMLElement>("[aria-invalid] input, [aria-invalid]")?.focus());
    else if (def.confirm === true) setAsking(true);
    else send();
  };
  return (
    <form {...useRoot(def, scope, "form")} ref={element} noValidate onSubmit={(event) => {
      event.preventDefault();
      submit();
    }} data-form={action}>
      {title && <h2 class="g-title">{title}</h2>}
      {description && <p class="g-muted">{description}</p>}
      <Editors form={form} />
      <div class="g-form-end">
        <FireButton action={action} label={submitLabel} state={control.state} variant="primary" onFire={submit} submit />
        <ActionStatus state={control.state} />
      </div>
      {asking && <ConfirmDialog label={submitLabel} action={action} onAnswer={(yes) => {
        setAsking(false);
        if (yes) send();
      }} />}
    </form>
  );
}

