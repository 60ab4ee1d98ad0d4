// Selected rows, and what can be done with all of them at once.

import { useMemo } from "preact/hooks";
import type { Scope } from "../../draw/context";
import { useActionControl, useKept } from "../../draw/hooks";
import { own } from "../../draw/pointer";
import { guestStrings as say } from "../../strings";
import type { Catalog } from "../../wire/catalog";
import type { Json } from "../../wire/json";
import { ActionStatus, FireButton } from "../kit/action";
import type { Chosen } from "../kit/chosen";
import type { Records } from "../kit/records";
import "../kit/field-styles";

type BulkAction = NonNullable<Catalog["Table"]["bulkActions"]>[number];

interface Selection {
  readonly keys: ReadonlySet<string>;
  toggle(rowKey: string): void;
  /** Selects all of these, or none if all of them are selected. */
  toggleAll(rowKeys: readonly string[]): void;
  clear(): void;
}

export function useSelection(place: string): Selection {
  const [chosen, choose] = useKept<readonly string[]>(place, []);
  const keys = useMemo(() => new Set(chosen), [chosen]);
  return {
    keys,
    toggle: (rowKey) =>
      choose(keys.has(rowKey) ? chosen.filter((other) => other !== rowKey) : [...chosen, rowKey]),
    toggleAll: (rowKeys) => choose(rowKeys.every((rowKey) => keys.has(rowKey)) ? [] : [...rowKeys]),
    clear: () => choose([]),
  };
}

/** The selection that a slot holds. */
export function boundSelection(
  chosen: Chosen,
  { rows, keyOf }: Pick<Records, "rows" | "keyOf">,
): Selection {
  const keyed = rows.map((row, index) => [keyOf(row, index), row] as const);
  const held = keyed.filter(([, row]) => chosen.has(row));
  const keys = new Set(held.map(([rowKey]) => rowKey));
  const rowsOf = (rowKeys: ReadonlySet<string>) =>
    keyed.filter(([rowKey]) => rowKeys.has(rowKey)).map(([, row]) => row);
  return {
    keys,
    toggle: (rowKey) => rowsOf(new Set([rowKey])).forEach(chosen.choose),
    toggleAll: (rowKeys) =>
      chosen.set(rowKeys.every((rowKey) => keys.has(rowKey)) ? [] : rowsOf(new Set(rowKeys))),
    clear: () => chosen.set([]),
  };
}

/** The box of all rows: all, none, or some of them are chosen. */
interface AllBox {
  readonly type: "checkbox";
  readonly checked: boolean;
  readonly indeterminate: boolean;
  onChange(): void;
}

export function allBox(selection: Selection, rowKeys: readonly string[], chosen: number): AllBox {
  const checked = chosen > 0 && chosen === rowKeys.length;
  return {
    type: "checkbox",
    checked,
    indeterminate: chosen > 0 && !checked,
    onChange: () => selection.toggleAll(rowKeys),
  };
}

interface BulkBarProps {
  readonly tableId: string;
  readonly scope: Scope;
  readonly actions: readonly BulkAction[];
  readonly chosen: readonly Json[];
  readonly all: AllBox;
  readonly onDone: () => void;
}

export function BulkBar({ tableId, scope, actions, chosen, all, onDone }: BulkBarProps) {
  return (
    <div class="g-bulk" role="group" aria-label={say.selected(chosen.length)}>
      <label class="g-check g-select-all">
        <input {...all} />
        {say.selectAll}
      </label>
      <span class="g-muted" role="status">
        {say.selected(chosen.length)}
      </span>
      {actions.map((spec) => (
        <Bulk
          key={spec.action}
          tableId={tableId}
          scope={scope}
          spec={spec}
          chosen={chosen}
          onDone={onDone}
        />
      ))}
    </div>
  );
}

function Bulk({
  tableId,
  scope,
  spec,
  chosen,
  onDone,
}: Omit<BulkBarProps, "actions" | "all"> & { spec: BulkAction }) {
  const control = useActionControl(tableId, scope, spec.action);
  const fire = () => {
    control.fire(
      spec.action,
      {
        [spec.list]: chosen.map((row) => own(row, spec.field)).filter((id) => id !== undefined),
      },
      {
        confirm: spec.confirm,
        subject: say.selected(chosen.length),
        tone: spec.tone,
        sent: onDone,
      },
    );
  };
  return (
    <>
      <FireButton
        action={spec.action}
        label={spec.label}
        state={control.state}
        icon={spec.icon}
        variant={spec.variant ?? "default"}
        tone={spec.tone}
        disabled={chosen.length === 0}
        onFire={fire}
      />
      <ActionStatus state={control.state} />
    </>
  );
}
