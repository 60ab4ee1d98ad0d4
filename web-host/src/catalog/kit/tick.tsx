// The box of a record: it stands for a yes or no of it that actions turn on and off.

import type { ComponentChildren } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import { resolveContext } from "../../draw/bind";
import type { Scope } from "../../draw/context";
import { useActionControl, useBindingScope } from "../../draw/hooks";
import { isObject, own } from "../../draw/pointer";
import { NO_FIELDS, propertiesOf, requiredOf } from "../../form/schema";
import type { Json } from "../../wire/json";
import type { RowAction as Spec } from "../../wire/view";
import { ActionStatus } from "./action";
import { ActionDialog, isPast, pick } from "./row-action";

interface TickProps {
  readonly tableId: string;
  /** What turns it on, and what turns it off; one action may do both. */
  readonly tick: Spec | undefined;
  readonly untick: Spec | undefined;
  /** The boolean member of the record, or who did it and when. */
  readonly field: string;
  /** What the box is called where no words stand beside it. */
  readonly label?: string | undefined;
  readonly row: Json;
  readonly rowName: string;
  readonly rowKey: string;
  readonly scope: Scope;
  /** The words beside it. */
  readonly children?: ComponentChildren;
}

/** An action that is given the value itself, and asks for no more than it needs beside that. */
function turning(spec: Spec, field: string, to: boolean): Spec {
  const set = Object.entries(spec.initial ?? {})
    .filter(([, from]) => from === field)
    .map(([name]) => name);
  const asked = spec.inputs ?? NO_FIELDS;
  const required = requiredOf(asked).filter((name) => !set.includes(name));
  const properties = Object.entries(propertiesOf(asked)).filter(([name]) => !set.includes(name));
  return {
    ...spec,
    inputs:
      required.length > 0
        ? { ...asked, required, properties: Object.fromEntries(properties) }
        : undefined,
    given: { ...spec.given, ...Object.fromEntries(set.map((name) => [name, to])) },
  };
}

/**
 * The box shows what was asked for until the agent has answered with data, or the action failed.
 */
export function Tick({ tick, untick, field, label, children, ...at }: TickProps) {
  const { tableId, row, rowName, rowKey, scope } = at;
  const id = useId();
  const binding = useBindingScope(scope);
  const ticking = useActionControl(tableId, scope, `${tick?.action}:${rowKey}`);
  const unticking = useActionControl(tableId, scope, `${untick?.action}:${rowKey}`);
  const [asked, setAsked] = useState<boolean>();
  /** What the person is asked about in a dialog. */
  const [open, setOpen] = useState<boolean>();
  const value = own(row, field);
  const on = value === true || isObject(value);
  // What has become of the last one is still said after it has changed the record.
  const { state } = (asked ?? !on) ? ticking : unticking;
  const { phase } = state;
  const waits = phase === "pending" || phase === "sent" || phase === "received";
  const shown = waits && asked !== undefined ? asked : on;
  const to = !shown;
  const next = to ? tick : untick;
  const control = to ? ticking : unticking;
  const spec = useMemo(() => next && turning(next, field, to), [next, field, to]);
  const isOff = !spec || isPast(spec, row) || control.state.done === true;
  const turn = () => {
    if (!spec) return;
    setAsked(to);
    if (spec.inputs) return setOpen(to);
    const given = resolveContext(spec.given, binding);
    control.fire(spec.action, Object.assign(pick(spec.fixed, row), given), {
      confirm: spec.confirm,
      subject: rowName,
      tone: spec.tone,
    });
  };
  const box = (
    <input
      type="checkbox"
      class="g-toggle"
      data-action={spec?.action}
      id={id}
      aria-label={label}
      aria-busy={phase === "pending"}
      aria-disabled={isOff || undefined}
      checked={shown}
      onClick={(event) => (isOff || phase === "pending") && event.preventDefault()}
      onChange={turn}
    />
  );
  return (
    <span class="g-row-action">
      {children === undefined ? (
        box
      ) : (
        <label class="g-check" for={id}>
          {box}
          {children}
        </label>
      )}
      <ActionStatus state={state} />
      {spec?.inputs && open === to && (
        <ActionDialog {...at} spec={spec} onClose={() => setOpen(undefined)} />
      )}
    </span>
  );
}
