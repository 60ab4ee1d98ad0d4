// Table: records with sorting, a filter, actions per row, and cards where the screen is narrow.

import { useRef } from "preact/hooks";
import type { ComponentProps, Scope } from "../../draw/context";
import { useField, useKept } from "../../draw/hooks";
import { lettersEach } from "../../draw/limits";
import { useRoot } from "../../draw/node";
import { formatPointer } from "../../draw/pointer";
import { text } from "../../draw/text";
import { guestStrings as say } from "../../strings";
import type { Dynamic } from "../../wire/view";
import { useChosen } from "../kit/chosen";
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
import { allBox, BulkBar, boundSelection, useSelection } from "./selection";
import "../kit/field-styles";

addStyles(css + cards);

const FILTER_FROM = 10;
const SORT_FROM = 5;
const WINDOW_FROM = 200;
const noActions: readonly never[] = [];

/** What is searched for: in a slot where the view names one, else here. */
function useFilter(slot: Dynamic | undefined, scope: Scope, place: string) {
  const kept = useKept(`filter:${place}`, "");
  const [written, write] = useField(slot, scope);
  return slot === undefined ? kept : ([text(written), write] as const);
}

/** What the rows are sorted by; a slot holds the member, and the direction stays here. */
function useSort(slot: Dynamic | undefined, scope: Scope, place: string) {
  const [kept, keep] = useKept<Sort | null>(`sort:${place}`, null);
  const [written, write] = useField(slot, scope);
  if (slot === undefined) return [kept, keep] as const;
  const field = text(written);
  const sort = field ? { field, descending: kept?.field === field && kept.descending } : null;
  const set = (next: Sort | null) => {
    keep(next);
    if (next) write(next.field);
  };
  return [sort, set] as const;
}

/** Columns beside which actions have room on one line. */
const FEW = 6;

export function Table({ def, scope }: ComponentProps<"Table">) {
  const records = useRecords(def, scope);
  const { title, rows, columns, currencies, actions, emptyText, locale } = records;
  const place = `${def.id}${formatPointer(scope.path)}`;
  const [sort, setSort] = useSort(def.sort, scope, place);
  const [filter, setFilter] = useFilter(def.search, scope, place);
  const [page, setPage] = useKept(`page:${place}`, 0);
  const ownSelection = useSelection(`selection:${place}`);
  const chosenRows = useChosen(def, scope);
  const bulk = def.bulkActions ?? noActions;
  const bound = chosenRows && (chosenRows.several || bulk.length === 0) ? chosenRows : undefined;
  const selection = bound ? boundSelection(bound, records) : ownSelection;
  const isMarked = bulk.length > 0 || bound !== undefined;
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
  const searchable = def.searchable ?? (def.search !== undefined || rows.length > FILTER_FROM);
  const sortable = def.sort !== undefined || rows.length > SORT_FROM;
  const hasButtons = actions.some(({ toggles }) => !toggles);
  useCards(table, box, hasButtons);
  useScrollStop(box);
  const width = columns.length + Number(hasButtons) + Number(isMarked);
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
      <div
        class="g-table-box"
        data-many={columns.length > FEW || undefined}
        ref={box}
        tabIndex={-1}
        role="region"
        aria-label={label}
      >
        <table aria-label={label} aria-rowcount={windowed ? visible.length + 1 : undefined}>
          <thead>
            <tr>
              {isMarked && (
                <th scope="col" class="g-select">
                  {bulk.length > 0 ? (
                    <input {...all} aria-label={say.selectAll} />
                  ) : (
                    <span class="g-hidden">{say.selected(selection.keys.size)}</span>
                  )}
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
                  group={bound && !bound.several ? bound.name : undefined}
                  selected={isMarked ? selection.keys.has(keyOf(item)) : undefined}
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
