// The rows of a table; of a long one only those in sight.

import { useLayoutEffect, useState } from "preact/hooks";
import { type Scope, useDraw } from "../../draw/context";
import { text } from "../../draw/text";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import type { RowAction as ActionSpec, Column } from "../../wire/view";
import { memo } from "../kit/memo";
import { currencyOf, wordsOf } from "../kit/records";
import { RowAction } from "../kit/row-action";
import { faceOf } from "../kit/structure";
import { Tick } from "../kit/tick";
import { valueNode } from "../kit/value";
import { cellOf } from "./rows";

const ROW_HEIGHT = 44;
const OVERSCAN = 8;
/** Longer texts wrap and may break; shorter ones are words that stay whole. */
const WORDS = 24;
/** A name of so few letters stays in one line, and is not broken at its hyphens. */
const SHORT_NAME = 14;

export interface Window {
  readonly first: number;
  readonly last: number;
}

/** The rows to draw for a scroll position; the rest is left as empty height. */
export function windowOf(
  scrollTop: number,
  height: number,
  count: number,
  rowHeight = ROW_HEIGHT,
): Window {
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - OVERSCAN, count - 1));
  return { first, last: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN) };
}

/** The places of the rows to draw: those in sight, and others that are held. */
export function drawnOf({ first, last }: Window, held: readonly number[]): readonly number[] {
  const inSight = Array.from({ length: last - first }, (_, index) => first + index);
  return held.length === 0
    ? inSight
    : [...new Set([...inSight, ...held])].sort((left, right) => left - right);
}

export function useWindow(
  box: { readonly current: HTMLElement | null },
  active: boolean,
  count: number,
) {
  const [scroll, setScroll] = useState({ top: 0, height: 480, row: ROW_HEIGHT });
  useLayoutEffect(() => {
    if (!active || !box.current) return;
    const element = box.current;
    const measure = () => {
      const row = element.querySelector<HTMLElement>("tbody tr[data-row]")?.offsetHeight;
      setScroll({ top: element.scrollTop, height: element.clientHeight, row: row || ROW_HEIGHT });
    };
    measure();
    element.addEventListener("scroll", measure, { passive: true });
    return () => element.removeEventListener("scroll", measure);
  }, [active]);
  return {
    rowHeight: scroll.row,
    shown: active
      ? windowOf(scroll.top, scroll.height, count, scroll.row)
      : { first: 0, last: count },
  };
}

interface RowProps {
  readonly tableId: string;
  readonly row: Json;
  readonly rowKey: string;
  readonly columns: readonly Column[];
  readonly currencies: readonly (Json | undefined)[];
  readonly actions: readonly ActionSpec[];
  readonly scope: Scope;
  readonly locale: string;
  readonly titleField: string | undefined;
  readonly letters: number;
  readonly position: number | undefined;
  readonly selected: boolean | undefined;
  /** The name that the circles share of which one is chosen. */
  readonly group: string | undefined;
  readonly onSelect: (rowKey: string) => void;
}

export const TableRow = memo(function TableRow({
  tableId,
  row,
  rowKey,
  columns,
  currencies,
  actions,
  scope,
  locale,
  titleField,
  letters,
  position,
  selected,
  group,
  onSelect,
}: RowProps) {
  const lead = Math.max(
    0,
    columns.findIndex(({ field }) => field === titleField),
  );
  const { model } = useDraw();
  const words = (column: Column) => wordsOf(cellOf(row, column.field), column, model, locale);
  // Where its lead is empty, a row is called by the first that is said of it.
  const named = [...columns.slice(lead, lead + 1), ...columns].find(words);
  const name = named ? words(named) : rowKey;
  const buttons = actions.filter(({ toggles }) => !toggles);
  return (
    <tr data-row={rowKey} aria-rowindex={position} aria-selected={selected}>
      {selected !== undefined && (
        <td class="g-select">
          <input
            type={group === undefined ? "checkbox" : "radio"}
            name={group}
            aria-label={say.selectRow(name)}
            checked={selected}
            onChange={() => onSelect(rowKey)}
          />
        </td>
      )}
      {columns.map((column, index) => {
        const toggle = actions.find(({ toggles }) => toggles === column.field);
        const value = cellOf(row, column.field);
        // The lead is the name of its row, for those who hear it too.
        const Cell = index === lead ? "th" : "td";
        return (
          <Cell
            key={column.field}
            scope={index === lead ? "row" : undefined}
            data-label={column.label}
            data-align={column.align}
            data-lead={index !== lead ? undefined : name.length > SHORT_NAME || "short"}
            data-format={column.format}
            data-long={text(value).length > WORDS || undefined}
          >
            {toggle ? (
              <Tick
                tableId={tableId}
                tick={toggle}
                untick={toggle}
                field={column.field}
                label={`${column.label}: ${name}`}
                row={row}
                rowName={name}
                rowKey={rowKey}
                scope={scope}
              />
            ) : (
              <span>
                {valueNode(
                  value,
                  column.format,
                  locale,
                  currencyOf(column, currencies[index], row),
                  letters,
                  faceOf(column, row),
                )}
              </span>
            )}
          </Cell>
        );
      })}
      {buttons.length > 0 && (
        <td class="g-row-actions" data-label={say.actions}>
          <div>
            {buttons.map((spec) => (
              <RowAction
                key={spec.action}
                tableId={tableId}
                spec={spec}
                row={row}
                rowName={name}
                rowKey={rowKey}
                scope={scope}
              />
            ))}
          </div>
        </td>
      )}
    </tr>
  );
});
