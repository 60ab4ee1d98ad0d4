// Table: records with sorting, a filter, actions per row, and cards where the screen is narrow.

import { useMemo, useState } from "preact/hooks";
import { resolve } from "../../draw/bind";
import { useDraw, type ComponentProps } from "../../draw/context";
import { useBindingScope, useText, useValue } from "../../draw/hooks";
import { useRoot } from "../../draw/node";
import { guestStrings as say } from "../../strings";
import type { Json } from "../../wire/json";
import type { RowAction } from "../../wire/view";
import { Icon } from "../kit/icons";
import { keyOf, TableRow, useWindow } from "./body";
import { arrange, type Column, type Sort } from "./rows";

const FILTER_FROM = 10;
const WINDOW_FROM = 200;
const numeric = /^(integer|number|percent|bytes|currency|duration)$/;
const noActions: readonly RowAction[] = [];

export function Table({ def, scope }: ComponentProps) {
  const { locale } = useDraw();
  const binding = useBindingScope(scope);
  const title = useText(def.title, scope);
  const value = useValue(def.rows, scope);
  const emptyText = useText(def.emptyText, scope) || say.noRows;
  const [sort, setSort] = useState<Sort | null>(null);
  const [filter, setFilter] = useState("");
  const [page, setPage] = useState(0);

  const rows = Array.isArray(value) ? (value as readonly Json[]) : [];
  const columns = useMemo(() => readColumns(def.columns), [def.columns]);
  const actions = (Array.isArray(def.rowActions) ? def.rowActions : noActions) as readonly RowAction[];
  const currencies = useStable(columns.map((column) => resolve(column.currency, binding)));
  const placed = useMemo(() => arrange(rows, columns, sort, filter, locale), [value, columns, sort, filter, locale]);

  const pageSize = typeof def.pageSize === "number" && def.pageSize > 0 ? def.pageSize : 0;
  const pages = pageSize ? Math.max(1, Math.ceil(placed.length / pageSize)) : 1;
  const current = Math.min(page, pages - 1);
  const visible = pageSize ? placed.slice(current * pageSize, (current + 1) * pageSize) : placed;
  const windowed = visible.length > WINDOW_FROM;
  const { box, shown, rowHeight } = useWindow(windowed, visible.length);
  const searchable = def.searchable === true || rows.length > FILTER_FROM;
  const sortable = rows.length > 1;
  const width = columns.length + (actions.length > 0 ? 1 : 0);

  const order = (field: string) => setSort(sort?.field !== field ? { field, descending: false } : sort.descending ? null : { field, descending: true });
  return (
    <section {...useRoot(def, scope, "table")} data-windowed={windowed}>
      {(title || searchable || sortable) && (
        <div class="g-head">
          {title && <h2 class="g-title">{title}</h2>}
          {searchable && <input type="search" class="g-input g-filter" placeholder={say.search} aria-label={say.searchRows} value={filter} onInput={(event) => {
            setFilter(event.currentTarget.value);
            setPage(0);
          }} />}
          {sortable && (
            <select class="g-input g-table-sort" aria-label={say.sortBy} value={sort?.field ?? ""} onChange={(event) => setSort(event.currentTarget.value ? { field: event.currentTarget.value, descending: false } : null)}>
              <option value="">{say.sortBy}…</option>
              {columns.map((column) => <option key={column.field} value={column.field}>{column.label}</option>)}
            </select>
          )}
        </div>
      )}
      <div class="g-table-box" ref={box} tabIndex={windowed ? 0 : undefined} role={windowed ? "region" : undefined} aria-label={windowed ? title || say.actions : undefined}>
        <table aria-label={title || undefined} aria-rowcount={windowed ? visible.length + 1 : undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.field} scope="col" data-align={column.align} aria-sort={sort?.field !== column.field ? "none" : sort.descending ? "descending" : "ascending"}>
                  <button type="button" onClick={() => order(column.field)}>{column.label}{sort?.field === column.field && <Icon name={sort.descending ? "down" : "up"} />}</button>
                </th>
              ))}
              {actions.length > 0 && <th scope="col"><span class="g-hidden">{say.actions}</span></th>}
            </tr>
          </thead>
          <tbody>
            {shown.first > 0 && <tr class="g-gap" aria-hidden="true"><td colSpan={width} style={{ height: `${shown.first * rowHeight}px` }} /></tr>}
            {visible.slice(shown.first, shown.last).map((item, index) => (
              <TableRow key={keyOf(item, def.key)} tableId={def.id} row={item.row} rowKey={keyOf(item, def.key)} columns={columns} currencies={currencies} actions={actions} scope={scope} locale={locale}
                position={windowed ? shown.first + index + 2 : undefined} />
            ))}
            {shown.last < visible.length && <tr class="g-gap" aria-hidden="true"><td colSpan={width} style={{ height: `${(visible.length - shown.last) * rowHeight}px` }} /></tr>}
            {visible.length === 0 && <tr class="g-none"><td colSpan={width}>{rows.length === 0 ? emptyText : say.noMatches}</td></tr>}
          </tbody>
        </table>
      </div>
      {(searchable || pages > 1) && (
        <div class="g-table-foot">
          <span class="g-muted" role="status">{say.rowCount(placed.length, rows.length)}</span>
          {pages > 1 && (
            <span class="g-pager">
              <button type="button" class="g-button" data-variant="quiet" disabled={current === 0} onClick={() => setPage(current - 1)}>{say.previous}</button>
              <span>{say.page(current + 1, pages)}</span>
              <button type="button" class="g-button" data-variant="quiet" disabled={current === pages - 1} onClick={() => setPage(current + 1)}>{say.next}</button>
            </span>
          )}
        </div>
      )}
    </section>
  );
}

function readColumns(columns: unknown): Column[] {
  return (Array.isArray(columns) ? (columns as Column[]) : []).map((column) => ({ ...column, align: column.align ?? (numeric.test(column.format ?? "") ? "end" : undefined) }));
}

/** The same array while its items are the same, so unchanged rows are not drawn again. */
function useStable<T>(items: readonly T[]): readonly T[] {
  return useMemo(() => items, items as T[]);
}
