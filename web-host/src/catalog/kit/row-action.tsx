// One action of a record: a button, one input beside it, or a dialog with a form.

import { useMemo } from "preact/hooks";
import { resolveContext } from "../../draw/bind";
import type { ActionState, Scope } from "../../draw/context";
import { useActionControl, useBindingScope, useKept } from "../../draw/hooks";
import { MAX_FIELDS } from "../../draw/limits";
import { bare, isArray, own } from "../../draw/pointer";
import { type Field, fieldOf, membersOf } from "../../form/field";
import { NO_FIELDS } from "../../form/schema";
import { violationsByPointer } from "../../form/violations";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import type { RowAction as Spec } from "../../wire/view";
import { Editors } from "../fields/editor";
import { addStyles } from "../styles";
import css from "../styles/row-action.css?inline";
import { ActionStatus, FireButton } from "./action";
import { useAmounts } from "./amounts";
import { Dialog } from "./dialog";
import { useFormState } from "./form-state";
import { onceHeld } from "./held";
import { useReferences } from "./references";
import "./field-styles";

addStyles(css);

/** What is changed where it stands in each record: a number, a choice. */
const SMALL: readonly Field["kind"][] = ["number", "choice", "boolean"];

interface RowActionProps {
  readonly tableId: string;
  readonly spec: Spec;
  readonly row: Json;
  readonly rowName: string;
  readonly rowKey: string;
  readonly scope: Scope;
  /** Whether only the actions of this one record are shown. */
  readonly alone?: boolean;
}

/** Payload keys taken from the row; the reserved field "" takes the row itself. */
export function pick(
  map: { readonly [payloadKey: string]: string } | undefined,
  row: Json,
): { [key: string]: Json } {
  const picked = bare<Json>();
  for (const [key, field] of Object.entries(map ?? {})) {
    const value = field === "" ? row : own(row, field);
    if (value !== undefined) picked[key] = value;
  }
  return picked;
}

/** Whether what an action does has been done to a record. */
export function isPast({ unless }: Spec, row: Json): boolean {
  return unless?.values.includes(own(row, unless.field) ?? null) ?? false;
}

/** What an action of a record still needs, and how it is sent. */
function useRowForm({ tableId, spec, row, rowName, rowKey, scope }: RowActionProps) {
  const control = useActionControl(tableId, scope, `${spec.action}:${rowKey}`);
  const asked = useAmounts(useReferences(spec.inputs ?? NO_FIELDS, spec.choices, row));
  const schema = spec.inputs && asked;
  const binding = useBindingScope(scope);
  const members = useMemo(() => (schema ? membersOf(fieldOf(schema, "", schema)) : []), [schema]);
  const initial = useMemo(
    () => (spec.initial ? pick(spec.initial, row) : undefined),
    [spec.initial, row],
  );
  const refused = useMemo(
    () => violationsByPointer(control.state.violations, spec.action),
    [control.state.violations, spec.action],
  );
  const form = useFormState(schema ?? NO_FIELDS, initial, refused, MAX_FIELDS, {
    place: `form:${control.name}`,
  });
  const send = (sent?: () => void) => {
    const typed = schema ? form.submit() : bare<Json>();
    if (typed === undefined) return;
    const given = resolveContext(spec.given, binding);
    control.fire(spec.action, Object.assign(pick(spec.fixed, row), given, typed), {
      confirm: spec.confirm,
      subject: rowName,
      tone: spec.tone,
      sent,
    });
  };
  return { control, members, form, send };
}

interface FormDialogProps
  extends Pick<ReturnType<typeof useRowForm>, "form" | "send">,
    Pick<RowActionProps, "spec" | "rowName"> {
  readonly state: ActionState;
  readonly onClose: () => void;
}

function FormDialog({ spec, rowName, form, send, state, onClose }: FormDialogProps) {
  const { action, label, tone } = spec;
  return (
    <Dialog title={`${label}: ${rowName}`} onClose={onClose}>
      <form noValidate onSubmit={(event) => event.preventDefault()}>
        <Editors form={form} />
        <div class="g-dialog-buttons">
          <button type="button" class="g-button" onClick={onClose}>
            {say.cancel}
          </button>
          <FireButton
            {...{ action, label, tone, state }}
            variant="primary"
            onFire={() => send(onClose)}
            submit
          />
        </div>
      </form>
    </Dialog>
  );
}

/** What an action still needs, asked for where it has no button of its own. */
export function ActionDialog(props: RowActionProps & { readonly onClose: () => void }) {
  const { control, form, send } = useRowForm(props);
  return <FormDialog {...props} {...{ form, send }} state={control.state} />;
}

export function RowAction(props: RowActionProps) {
  const { spec, row, rowName, alone } = props;
  const { control, members, form, send } = useRowForm(props);
  const [open, setOpen] = useKept<boolean>(`open:${control.name}`, false);
  const close = () => setOpen(false);
  // What is changed where it stands stays in the row; anything else asked for in each would make a
  // form of it.
  const [only] = members.length === 1 ? members : [];
  const isSmall = only !== undefined && SMALL.includes(only.field.kind);
  const inline =
    (isSmall && own(spec.initial, only.name) !== undefined) ||
    (alone && (isSmall || only?.field.kind === "line"));
  const shared = {
    action: spec.action,
    label: spec.label,
    accessibleLabel: `${spec.label}: ${rowName}`,
    state: control.state,
    // What every record offers is quiet, unless it is what the page is for.
    variant: spec.variant ?? (inline ? "default" : "quiet"),
    tone: spec.tone,
    icon: spec.icon,
  };
  // Of records in several shapes only some have what is sent of them.
  const isOther = Object.values(spec.fixed ?? {}).some(
    (member) => member !== "" && own(row, member) === undefined,
  );
  // Where a record holds nothing to choose from, there is nothing to do.
  const isBarren = Object.values(spec.choices ?? {}).some(({ within }) => {
    const held = within ? own(row, within) : undefined;
    return isArray(held) && held.length === 0;
  });
  // What has just become of a record is still said where it was done.
  if (isOther || isBarren || (control.state.phase === "idle" && isPast(spec, row))) return null;
  if (members.length === 0)
    return (
      <span class="g-row-action">
        <FireButton {...shared} onFire={() => send()} />
        <ActionStatus state={control.state} />
      </span>
    );
  if (inline) {
    return (
      // The form without a name of its own is no landmark: there is one in every row.
      <span class="g-row-action" role="group" aria-label={shared.accessibleLabel}>
        <form
          class="g-inline-form"
          noValidate
          onKeyDown={onceHeld}
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <Editors form={form} inside />
          <FireButton {...shared} onFire={() => send()} submit />
        </form>
        <ActionStatus state={control.state} />
      </span>
    );
  }
  return (
    <span class="g-row-action">
      <FireButton {...shared} dialog onFire={() => setOpen(true)} />
      <ActionStatus state={control.state} />
      {open && (
        <FormDialog {...props} form={form} send={send} state={control.state} onClose={close} />
      )}
    </span>
  );
}
