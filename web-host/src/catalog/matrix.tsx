// Matrix: a value for each pair of a row and a column; where an action sets one, each cell is its
// control. What else can be done with a pair is offered below, once its cell is chosen.

import { useMemo, useState } from "preact/hooks";
import { type ComponentProps, type Scope, useDraw } from "../draw/context";
import { exponentOf } from "../draw/format";
import { useActionControl, useIsTyped, useValue } from "../draw/hooks";
import { shortName } from "../draw/limits";
import { useRoot } from "../draw/node";
import { arrayOf, isObject, own } from "../draw/pointer";
import { text } from "../draw/text";
import { humanise, worded } from "../form/field";
import { guestStrings as say } from "../strings";
import type { ComponentDef } from "../wire/catalog";
import type { Json } from "../wire/json";
import type { Reference } from "../wire/view";
import { ActionStatus } from "./kit/action";
import { useChoices } from "./kit/choices";
import { ConfirmDialog } from "./kit/dialog";
import { useEmptyText } from "./kit/empty";
import type { Choice } from "./kit/inputs";
import { Actions, currencyOf, Facts, useRecords } from "./kit/records";
import { useReferred } from "./kit/structure";
import { valueNode } from "./kit/value";
import { addStyles } from "./styles";
import css from "./styles/matrix.css?inline";

addStyles(css);

/** Rows and columns that are still compared by eye. */
const MAX_ROWS = 200;
const MAX_COLUMNS = 40;

/** A row or a column: what stands for it in the data, and in words. */
interface Name {
  readonly id: Json;
  readonly words: string;
}

interface Grid {
  readonly rows: readonly Name[];
  readonly columns: readonly Name[];
  /** What stands there, with its record where the values come from records. */
  at(row: Name, column: Name): { readonly value: Json; readonly record?: Json } | undefined;
}

/** Tells pairs apart. */
function pairId(row: Json, column: Json): string {
  return `${text(row)}\n${text(column)}`;
}

/** The id of a record of a list that names rows or columns; a plain text or number is its own. */
function idIn(record: Json | undefined, refers: Reference | undefined): Json | undefined {
  return refers?.key === "" ? record : own(record, refers?.key);
}

/** These ids with their names; where records name them, all of those come first, in their order. */
function namesOf(
  ids: readonly Json[],
  records: readonly Json[],
  refers: Reference | undefined,
  isWhole: boolean,
): readonly Name[] {
  const found = new Map<string, Name>();
  const known = new Map(
    refers ? records.map((record) => [text(idIn(record, refers)), record] as const) : [],
  );
  const add = (id: Json) => {
    const record = known.get(text(id));
    const title = record === undefined || !refers ? "" : text(own(record, refers.titleField));
    if (!found.has(text(id)))
      found.set(text(id), { id, words: shortName(title || worded(text(id))) });
  };
  if (isWhole && refers) for (const record of records) add(idIn(record, refers) ?? null);
  ids.forEach(add);
  return [...found.values()];
}

function useGrid(def: ComponentDef<"Matrix">, list: readonly Json[], scope: Scope): Grid {
  const map = useValue(def.value, scope);
  const rowRecords = useReferred(def.rowNames);
  const columnRecords = useReferred(def.columnNames);
  return useMemo(() => {
    const cells = new Map<string, { readonly value: Json; readonly record?: Json }>();
    const [rows, columns]: [Json[], Json[]] = [[], []];
    const put = (row: Json, column: Json, value: Json, record?: Json) => {
      rows.push(row);
      columns.push(column);
      cells.set(pairId(row, column), { value, record });
    };
    if (isObject(map))
      for (const [row, inner] of Object.entries(map))
        if (isObject(inner))
          for (const [column, value] of Object.entries(inner)) put(row, column, value ?? null);
    // Rows of values are named by lists of their own, in their order.
    for (const [row, inner] of arrayOf(map).entries())
      for (const [column, value] of arrayOf(inner).entries())
        put(
          idIn(rowRecords[row], def.rowNames) ?? row + 1,
          idIn(columnRecords[column], def.columnNames) ?? column + 1,
          value,
        );
    for (const record of list)
      put(
        own(record, def.rowField) ?? null,
        own(record, def.columnField) ?? null,
        own(record, def.valueField) ?? null,
        record,
      );
    const isWhole = def.rows !== undefined;
    return {
      rows: namesOf(rows, rowRecords, def.rowNames, isWhole).slice(0, MAX_ROWS),
      columns: namesOf(columns, columnRecords, def.columnNames, isWhole).slice(0, MAX_COLUMNS),
      at: (row, column) => cells.get(pairId(row.id, column.id)),
    };
  }, [map, list, rowRecords, columnRecords, def]);
}

export function Matrix({ def, scope }: ComponentProps<"Matrix">) {
  const records = useRecords(def, scope);
  const { title } = records;
  const { rows, columns, at } = useGrid(def, records.rows, scope);
  const emptyText = useEmptyText([def.value, def.rows], scope, say.noRows);
  const options = useChoices({ def, scope });
  const currency = useValue(def.currency, scope);
  const [chosen, setChosen] = useState<string>();
  const typed = [def.value, def.rows].map((source) => useIsTyped(source, scope)).includes(true);
  // A pair without a value is set like the others.
  const sample = rows
    .flatMap((row) => columns.map((column) => at(row, column)?.value))
    .find((value) => value !== undefined && value !== null);
  // What is typed has no unit beside it, so it stands once for all.
  const unit = def.unit ?? (def.format === "money" ? currency : undefined);
  const corner = [def.cellLabel, def.pick && typeof sample === "number" ? unit : undefined]
    .filter((words) => typeof words === "string")
    .join(", ");
  return (
    <section {...useRoot(def, scope, "matrix")}>
      {title && <h2 class="g-title">{title}</h2>}
      {rows.length === 0 ? (
        <p class="g-nodata">{emptyText}</p>
      ) : (
        <div class="g-matrix" tabIndex={0} role="region" aria-label={title || say.table}>
          <table>
            <thead>
              <tr>
                <td class="g-muted">{corner}</td>
                {columns.map((column) => (
                  <th key={text(column.id)} scope="col">
                    {column.words}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={text(row.id)}>
                  <th scope="row">{row.words}</th>
                  {columns.map((column) => {
                    const { value, record } = at(row, column) ?? {};
                    const id = pairId(row.id, column.id);
                    return (
                      <td
                        key={text(column.id)}
                        data-number={typeof value === "number" || undefined}
                      >
                        <Cell
                          def={def}
                          scope={scope}
                          options={options}
                          row={row}
                          column={column}
                          value={value ?? undefined}
                          currency={currencyOf(
                            { field: "", label: "", currency: def.currency },
                            currency,
                            record ?? null,
                          )}
                          typed={typed}
                          type={typeof sample}
                          choose={
                            records.actions.length > 0
                              ? () => setChosen(id === chosen ? undefined : id)
                              : undefined
                          }
                          isChosen={id === chosen}
                        />
                        {record !== undefined && <Facts records={records} row={record} />}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {rows.flatMap((row) =>
        columns
          .filter((column) => pairId(row.id, column.id) === chosen)
          .map((column) => {
            const name = `${row.words}, ${column.words}`;
            // A pair without a value has its ids all the same.
            const pair = { [def.rowField ?? ""]: row.id, [def.columnField ?? ""]: column.id };
            const record = at(row, column)?.record ?? pair;
            return (
              <div key={chosen} class="g-matrix-chosen">
                <strong>{name}</strong>
                <Actions {...{ def, scope, records, name }} row={record} rowKey={chosen!} alone />
              </div>
            );
          }),
      )}
    </section>
  );
}

interface CellProps extends ComponentProps<"Matrix"> {
  readonly options: readonly Choice[];
  readonly row: Name;
  readonly column: Name;
  readonly value: Json | undefined;
  readonly currency: Json | undefined;
  /** The values are user input. */
  readonly typed: boolean;
  /** What the other cells hold. */
  readonly type: string;
  /** Chooses the cell, where something can be done with it. */
  readonly choose: (() => void) | undefined;
  readonly isChosen: boolean;
}

function Cell({
  def,
  scope,
  options,
  row,
  column,
  value,
  currency,
  typed,
  type,
  choose,
  isChosen,
}: CellProps) {
  const { locale } = useDraw();
  const { pick } = def;
  const control = useActionControl(def.id, scope, pairId(row.id, column.id));
  const [asked, setAsked] = useState<Json>();
  const name = `${pick?.label}: ${row.words}, ${column.words}`;
  // Money counts the smallest unit of its currency, and is typed in whole ones.
  const scale = def.format === "money" ? 10 ** (exponentOf(currency) ?? 0) : 1;
  const scaled = (bound: number | undefined) => (bound === undefined ? undefined : bound / scale);
  const send = (next: Json) =>
    control.fire(pick!.action, {
      ...(pick?.row ? { [pick.row]: row.id } : {}),
      ...(pick?.column ? { [pick.column]: column.id } : {}),
      [pick!.to]: next,
    });
  const ask = (next: Json) => (pick?.confirm ? setAsked(next) : send(next));
  const isShown = !pick || (type !== "boolean" && type !== "number" && options.length === 0);
  const shown = isShown
    ? valueNode(
        value,
        def.format ?? (typeof value === "string" ? "badge" : undefined),
        locale,
        currency,
        undefined,
        { field: "", label: "", unit: def.unit, typed },
      )
    : undefined;
  const chooser = choose && (
    <button
      type="button"
      class="g-button"
      aria-pressed={isChosen}
      aria-label={isShown ? undefined : `${row.words}, ${column.words}`}
      onClick={choose}
    >
      {isShown ? shown : "…"}
    </button>
  );
  if (isShown) return <>{chooser ?? shown}</>;
  return (
    <>
      {options.length > 0 ? (
        <select
          class="g-input"
          aria-label={name}
          value={value === undefined ? "" : String(value)}
          onChange={(event) => {
            const next = options.find(
              (option) => String(option.value) === event.currentTarget.value,
            );
            if (next) ask(next.value);
          }}
        >
          {value === undefined && <option value="">–</option>}
          {options.map((option) => (
            <option key={String(option.value)} value={String(option.value)}>
              {humanise(option.label)}
            </option>
          ))}
        </select>
      ) : type === "number" ? (
        <input
          key={text(value)}
          class="g-input"
          type="number"
          inputMode="decimal"
          aria-label={name}
          min={scaled(pick.minimum)}
          max={scaled(pick.maximum)}
          step={scaled(pick.multipleOf ?? (scale > 1 ? 1 : undefined)) ?? "any"}
          defaultValue={typeof value === "number" ? String(value / scale) : text(value)}
          onChange={(event) => {
            const input = event.currentTarget;
            const typed = input.valueAsNumber;
            const next = scale > 1 ? Math.round(typed * scale) : typed;
            if (input.reportValidity() && Number.isFinite(next) && next !== value) ask(next);
          }}
        />
      ) : (
        <input
          type="checkbox"
          aria-label={name}
          checked={value === true}
          onChange={(event) => {
            const next = event.currentTarget.checked;
            event.currentTarget.checked = value === true;
            ask(next);
          }}
        />
      )}
      {chooser}
      <ActionStatus state={control.state} />
      {asked !== undefined && (
        <ConfirmDialog
          label={name}
          action={pick.action}
          onAnswer={(yes) => {
            setAsked(undefined);
            if (yes) send(asked);
          }}
        />
      )}
    </>
  );
}
