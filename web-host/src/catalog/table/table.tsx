// Table: records with sorting, a filter, actions per row, and cards where the screen is narrow.

import { useRef } from "preact/hooks";
import type { ComponentProps } from "../../draw/context";
import { useKept } from "../../draw/hooks";
import { lettersEach } from "../../draw/limits";
import { useRoot } from "../../draw/node";
import { formatPointer } from "../../draw/pointer";
import { guestStrings as say } from "../../strings";
import { Icon } from "../kit/icons";
import { useRecords } from "../kit/records";
import { addStyles } from "../styles";
import css from "../styles/table.css?inline";
import cards from "../styles/table-cards.css?inline";
import { useArranged } from "./arranged";
import { drawnOf, TableRow, useWindow } from "./body";
import { useCards, useScrollStop } from "./cards";
import { useHeld } from "./held";
import type { PlacedRow, Sort } from "./rows";
import { allBox, BulkBar, useSelection } from "./selection";
import "../kit/field-styles";

addStyles(css + cards);

const FILTER_FROM = 10;
const SORT_FROM = 5;
const WINDOW_FROM = 200;
const noActions: readonly never[] = [];

export function Table({ def, scope }: ComponentProps<"Table">) {
  const records = useRecords(def, scope);
  const { title, rows, columns, currencies, actions, emptyText, locale } = records;
  const place = `${def.id}${formatPointer(scope.path)}`;
  const [sort, setSort] = useKept<Sort | null>(`sort:${place}`, null);
  const [filter, setFilter] = useKept(`filter:${place}`, "");
  const [page, setPage] = useKept(`page:${place}`, 0);
  const selection = useSelection(`selection:${place}`);
  const placed = useArranged({ rows, columns, sort, filter, locale });

  const pageSize = typeof def.pageSize === "number" && def.pageSize > 0 ? def.pageSize : 0;
  const pages = pageSize ? Math.max(1, Math.ceil(placed.length / pageSize)) : 1;
  const current = Math.min(page, pages - 1);
  const keyOf = ({ row, index }: PlacedRow) => records.keyOf(row, index);
  const box = useRef<HTMLDivElement>(null);
  const held = useHeld(box);
  // Called for every row at each scroll; usually none is held.
  const isHeld = (item: PlacedRow) => held.keys.length > 0 && held.keys.includes(keyOf(item));
  const [from, to] = pageSize ? [current * pageSize, (current + 1) * pageSize] : [0, placed.length];
  // A row that is pushed off the page while it is being used stays drawn.
  const visible = pageSize
    ? placed.filter((item, at) => (at >= from && at < to) || isHeld(item))
    : placed;
  const windowed = visible.length > WINDOW_FROM;
  const { shown, rowHeight } = useWindow(box, windowed, visible.length);
  const drawn = drawnOf(
    shown,
    windowed ? visible.flatMap((item, at) => (isHeld(item) ? at : [])) : [],
  );
  const table = useRef<HTMLElement>(null);
  const letters = lettersEach((shown.last - shown.first) * columns.length);
  const searchable = def.searchable === true || rows.length > FILTER_FROM;
  const sortable = rows.length > SORT_FROM;
  const bulk = def.bulkActions ?? noActions;
  const hasButtons = actions.some(({ toggles }) => !toggles);
  useCards(table, box, hasButtons);
  useScrollStop(box);
  const width = columns.length + Number(hasButtons) + Number(bulk.length > 0);
  const matching = bulk.length > 0 ? placed.map(keyOf) : [];
  const chosen =
    bulk.length > 0
      ? placed.filter((item) => selection.keys.has(keyOf(item))).map(({ row }) => row)
      : [];

  const all = allBox(selection, matching, chosen.length);

  const gap = (key: string, count: number) => (
    <tr key={key} class="g-gap" aria-hidden="true">
      <td colSpan={width} style={{ height: `${count * rowHeight}px` }} />
    </tr>
  );
  const turn = (to: number) => {
    held.release();
    setPage(Math.min(Math.max(to, 0), pages - 1));
  };
  const order = (field: string) =>
    setSort(
      sort?.field !== field
        ? { field, descending: false }
        : sort.descending
          ? null
          : { field, descending: true },
    );
  const { "aria-label": described, ...root } = useRoot(def, scope, "table");
  const label = title || described || say.table;
  return (
    <section {...root} ref={table} data-windowed={windowed}>
      {(title || searchable || sortable) && (
        <div class="g-head" data-narrow={(!title && !searchable) || undefined}>
          {title && <h2 class="g-title">{title}</h2>}
          {searchable && (
            <input
              type="search"
              class="g-input g-filter"
              placeholder={say.search}
              aria-label={say.searchRows}
              value={filter}
              onInput={(event) => {
                held.release();
                setFilter(event.currentTarget.value);
                setPage(0);
              }}
            />
          )}
          {sortable && (
            <select
              class="g-input g-table-sort"
              aria-label={say.sortBy}
              value={sort?.field ?? ""}
              onChange={(event) =>
                setSort(
                  event.currentTarget.value
                    ? { field: event.currentTarget.value, descending: false }
                    : null,
                )
              }
            >
              <option value="">{say.sortBy}…</option>
              {columns.map((column) => (
                <option key={column.field} value={column.field}>
                  {column.label}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
      {bulk.length > 0 && (
        <BulkBar
          tableId={def.id}
          scope={scope}
          actions={bulk}
          chosen={chosen}
          all={all}
          onDone={selection.clear}
        />
      )}
      <div class="g-table-box" ref={box} tabIndex={-1} role="region" aria-label={label}>
        <table aria-label={label} aria-rowcount={windowed ? visible.length + 1 : undefined}>
          <thead>
            <tr>
              {bulk.length > 0 && (
                <th scope="col" class="g-select">
                  <input {...all} aria-label={say.selectAll} />
                </th>
              )}
              {columns.map((column) => (
                <th
                  key={column.field}
                  scope="col"
                  data-align={column.align}
                  aria-sort={
                    sort?.field !== column.field
                      ? "none"
                      : sort.descending
                        ? "descending"
                        : "ascending"
                  }
                >
                  <button type="button" onClick={() => order(column.field)}>
                    {column.label}
                    {sort?.field === column.field && (
                      <Icon name={sort.descending ? "down" : "up"} />
                    )}
                  </button>
                </th>
              ))}
              {hasButtons && (
                <th scope="col">
                  <span class="g-hidden">{say.actions}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody onInput={held.onInput}>
            {drawn.flatMap((at, place) => {
              const left = at - (drawn[place - 1] ?? -1) - 1;
              const item = visible[at]!;
              const row = (
                <TableRow
                  key={keyOf(item)}
                  tableId={def.id}
                  row={item.row}
                  rowKey={keyOf(item)}
                  columns={columns}
                  currencies={currencies}
                  actions={actions}
                  scope={scope}
                  locale={locale}
                  titleField={def.titleField}
                  letters={letters}
                  position={windowed ? at + 2 : undefined}
                  selected={bulk.length > 0 ? selection.keys.has(keyOf(item)) : undefined}
                  onSelect={selection.toggle}
                />
              );
              return left > 0 ? [gap(`\n${place}`, left), row] : [row];
            })}
            {drawn.length > 0 &&
              drawn.at(-1)! < visible.length - 1 &&
              gap("\n", visible.length - 1 - drawn.at(-1)!)}
            {visible.length === 0 && (
              <tr class="g-none">
                <td colSpan={width}>{rows.length === 0 ? emptyText : say.noMatches}</td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {(searchable || pages > 1) && (
        <div class="g-table-foot">
          <span class="g-muted" role="status">
            {say.rowCount(placed.length, rows.length)}
          </span>
          {pages > 1 && (
            <span class="g-pager">
              <button
                type="button"
                class="g-button"
                data-variant="quiet"
                aria-disabled={current === 0}
                onClick={() => turn(current - 1)}
              >
                {say.previous}
              </button>
              <span>{say.page(current + 1, pages)}</span>
              <button
                type="button"
                class="g-button"
                data-variant="quiet"
                aria-disabled={current === pages - 1}
                onClick={() => turn(current + 1)}
              >
                {say.next}
              </button>
            </span>
          )}
        </div>
      )}
    </section>
  );
}
