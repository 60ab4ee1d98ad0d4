// The rows of a table; of a long one only those in sight.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { text } from "../../draw/functions";
import type { Scope } from "../../draw/context";
import { own } from "../../draw/pointer";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import type { RowAction as ActionSpec } from "../../wire/view";
import { memo } from "../kit/memo";
import { valueNode } from "../kit/value";
import { RowAction } from "./row-action";
import { cellOf, type Column, type PlacedRow } from "./rows";

export const ROW_HEIGHT = 44;
const OVERSCAN = 8;

export interface Window {
  readonly first: number;
  readonly last: number;
}

/** The rows to draw for a scroll position; the rest is left as empty height. */
export function windowOf(scrollTop: number, height: number, count: number, rowHeight = ROW_HEIGHT): Window {
  const first = Math.max(0, Math.min(Math.floor(scrollTop / rowHeight) - OVERSCAN, count - 1));
  return { first, last: Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + OVERSCAN) };
}

export function useWindow(active: boolean, count: number) {
  const box = useRef<HTMLDivElement>(null);
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
  return { box, rowHeight: scroll.row, shown: active ? windowOf(scroll.top, scroll.height, count, scroll.row) : { first: 0, last: count } };
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
  readonly position: number | undefined;
}

export const TableRow = memo(function TableRow({ tableId, row, rowKey, columns, currencies, actions, scope, locale, position }: RowProps) {
  const name = columns[0] ? text(cellOf(row, columns[0].field)) : rowKey;
  return (
    <tr data-row={rowKey} aria-rowindex={position}>
      {columns.map((column, index) => (
        <td key={column.field} data-label={column.label} data-align={column.align}>
          <span>{valueNode(cellOf(row, column.field), column.format, locale, currencies[index])}</span>
        </td>
      ))}
      {actions.length > 0 && (
        <td class="g-row-actions" data-label={say.actions}>
          <div>{actions.map((spec) => <RowAction key={spec.action} tableId={tableId} spec={spec} row={row} rowName={name} rowKey={rowKey} scope={scope} />)}</div>
        </td>
      )}
    </tr>
  );
});

export function keyOf({ row, index }: PlacedRow, key: string | undefined): string {
  return (key ? text(own(row, key)) : "") || String(index);
}
