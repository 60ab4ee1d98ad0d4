// A row action that turns a value of its row on or off, shown as that value's own box.

import { useState } from "preact/hooks";
import type { Scope } from "../../draw/context";
import { useActionControl } from "../../draw/hooks";
import { own } from "../../draw/pointer";
import type { Json } from "../../wire/json";
import type { RowAction as Spec } from "../../wire/view";
import { ActionStatus } from "../kit/action";
import { pick } from "../kit/row-action";

interface ToggleProps {
  readonly tableId: string;
  readonly spec: Spec;
  /** The name of the column it stands in. */
  readonly label: string;
  readonly row: Json;
  readonly rowName: string;
  readonly rowKey: string;
  readonly scope: Scope;
}

/**
 * The box shows what was asked for until the agent has answered with data, or the action failed.
 */
export function ToggleAction({ tableId, spec, label, row, rowName, rowKey, scope }: ToggleProps) {
  const control = useActionControl(tableId, scope, `${spec.action}:${rowKey}`);
  const on = own(row, spec.toggles!) === true;
  const [asked, setAsked] = useState<boolean>();
  const { phase } = control.state;
  const waits = phase === "pending" || phase === "sent" || phase === "received";
  return (
    <span class="g-row-action">
      <input
        type="checkbox"
        class="g-toggle"
        data-action={spec.action}
        aria-label={`${label}: ${rowName}`}
        aria-busy={phase === "pending"}
        checked={waits && asked !== undefined ? asked : on}
        onClick={(event) => phase === "pending" && event.preventDefault()}
        onChange={(event) => {
          const { checked } = event.currentTarget;
          setAsked(checked);
          // What takes the value itself is given the one that the box shows now.
          const given = Object.entries(spec.initial ?? {})
            .filter(([, field]) => field === spec.toggles)
            .map(([name]) => [name, checked] as const);
          control.fire(
            spec.action,
            Object.assign(pick(spec.fixed, row), Object.fromEntries(given)),
            {
              confirm: spec.confirm,
              subject: rowName,
            },
          );
        }}
      />
      <ActionStatus state={control.state} />
    </span>
  );
}
