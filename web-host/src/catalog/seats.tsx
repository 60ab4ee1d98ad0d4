// Seats: seats in their rows; the free ones are chosen and taken together, and where more can be
// done with one, any is chosen.

import { useRef } from "preact/hooks";
import { type ComponentProps, useDraw } from "../draw/context";
import { useActionControl, useField } from "../draw/hooks";
import { shortName } from "../draw/limits";
import type { BindingScope } from "../draw/model";
import { useRoot } from "../draw/node";
import { arrayOf, isArray, own } from "../draw/pointer";
import { text } from "../draw/text";
import { humanise } from "../form/field";
import type { ComponentDef } from "../wire/catalog";
import type { Json } from "../wire/json";
import { FireButton } from "./kit/action";
import { listOf } from "./kit/choices";
import { PickEnd } from "./kit/pick";
import { Actions, Facts, type Records, useRecords, wordsOf } from "./kit/records";
import { lookedUp, useReferred } from "./kit/structure";
import { seatStrings as say } from "./strings";
import { addStyles } from "./styles";
import css from "./styles/poll.css?inline";

addStyles(css);

/** A hall has about as many. */
const MAX_SEATS = 2000;
/** Seats that have room for the name of who has each. */
const MAX_NAMED = 200;
/** Letters of a number that all seats make room for. */
const MAX_LETTERS = 8;
/** What tells the states of taken seats apart beside their words; the first needs nothing. */
const MARKS = ["", ..."◆●▲+□○×"];
/** A legend of more is no longer read. */
const MAX_STATES = MARKS.length;
/** How a state begins where a seat is free, and the name of a member that says so with a yes. */
const FREE = /^(is )?(free|available|empty|open|vacant)\b/i;

type Def = ComponentDef<"Seats">;

/**
 * Whether nobody has a seat: by the name of its state, or by the yes to one called so; where it has
 * none, nobody is named.
 */
function isFree({ statusField: field, holderField }: Def, seat: Json): boolean {
  const state = own(seat, field);
  if (field === undefined || state === undefined) return text(own(seat, holderField)) === "";
  const says = (name: string) => FREE.test(humanise(name));
  return typeof state === "boolean" ? state === says(field) : says(text(state));
}

/** The words for the state of a seat. */
function statusOf(def: Def, seat: Json): string {
  const named = own(seat, def.statusField);
  return (
    (typeof named === "string" && humanise(shortName(named))) ||
    (isFree(def, seat) ? say.free : say.taken)
  );
}

/** How many seats are in each state, the free ones first, and what marks those that are taken. */
function useStates(def: Def, seats: readonly Json[]) {
  const known = useRef<readonly string[]>([]);
  const counts = new Map<string, number>();
  const taken = new Set<string>();
  for (const seat of seats) {
    const words = statusOf(def, seat);
    if (!counts.has(words) && !isFree(def, seat)) taken.add(words);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  // A state keeps its mark and its place while others come and go.
  const ever = [...new Set([...known.current, ...taken])];
  const order = ever.length > MAX_STATES ? [...taken] : ever;
  known.current = order;
  const isTold = counts.size > 1 && counts.size <= MAX_STATES;
  const markOf = (words: string) =>
    taken.has(words) && !isTold ? "" : MARKS[order.indexOf(words)];
  const free = [...counts.keys()].filter((words) => !taken.has(words));
  const listed = [...free, ...order].filter((words) => isTold && counts.has(words));
  const states = listed.map((words) => ({ words, mark: markOf(words), count: counts.get(words) }));
  return { markOf, states };
}

/**
 * Who is named as having a seat, or the first text of it beside its place and its state; the column
 * it is in is its place.
 */
function holderOf(
  { columns, locale }: Records,
  { holderField }: Def,
  seat: Json,
  number: string,
  model: BindingScope["model"],
): string {
  const named = columns.find(({ field }) => field === holderField);
  const holder = named && own(seat, named.field);
  if (named && text(holder)) return wordsOf(holder, named, model, locale);
  const found = columns.find(({ field, format = "text" }) => {
    const said = format === "text" ? text(own(seat, field) ?? "") : "";
    return said && !number.includes(said);
  });
  return found ? shortName(text(own(seat, found.field))) : "";
}

interface SeatRow {
  /** Empty where the row is no more than its seats. */
  readonly name: string;
  /** In the order in which they stand; nothing is a gap, such as an aisle. */
  readonly seats: readonly Json[];
}

/** The rows of seats: as the records hold them, or of those that name the same one. */
function rowsOf({ seatsField }: Def, records: Records, nameOf: (row: Json) => string) {
  const rows = new Map<string | number, SeatRow & { readonly seats: Json[] }>();
  for (const [index, record] of records.rows.entries()) {
    const name = isArray(record) ? "" : nameOf(record);
    const held = isArray(record) ? record : seatsField && arrayOf(own(record, seatsField));
    const row = rows.get(name);
    if (held) rows.set(index, { name, seats: [...held] });
    else if (row) row.seats.push(record);
    else rows.set(name, { name, seats: [record] });
  }
  return [...rows.values()];
}

/** As many of them as are drawn. */
function drawnOf(rows: readonly SeatRow[]): SeatRow[] {
  let room = MAX_SEATS;
  return rows
    .map(({ name, seats }) => {
      const drawn = seats.slice(0, room);
      room -= drawn.length;
      return { name, seats: drawn };
    })
    .filter(({ seats }) => seats.length > 0);
}

export function Seats({ def, scope }: ComponentProps<"Seats">) {
  const { model } = useDraw();
  const records = useRecords(def, scope);
  const { pick } = def;
  const control = useActionControl(def.id, scope, pick?.action);
  const [value, set] = useField(def.value, scope);
  const chosen = listOf(value);
  const idOf = (row: Json) => own(row, pick?.field ?? def.key) ?? null;
  const free = (seat: Json) => isFree(def, seat);
  const canChoose = (seat: Json) => free(seat) || records.actions.length > 0;
  const { rowField, rowNames } = def;
  const named = useReferred(rowNames);
  const rowOf = (seat: Json) =>
    shortName(text(rowNames && lookedUp(own(seat, rowField), named, rowNames))) ||
    records.nameOf(seat, rowField);
  const inRows = rowsOf(def, records, rowOf);
  const all = inRows.flatMap(({ seats }) => seats.filter((seat) => seat !== null));
  const { markOf, states } = useStates(def, all);
  const drawn = drawnOf(inRows);
  const isNamed = drawn.some(({ name }) => name !== "");
  const numberOf = (seat: Json) => shortName(text(own(seat, def.numberField)));
  // Rows may have no names.
  const placeOf = (row: string, seat: Json) => `${row} ${numberOf(seat)}`.trim();
  // Seats and gaps are as wide as the longest number, so that they stand one behind the other.
  const numbers = drawn.flatMap(({ seats }) => seats.map(numberOf));
  const letters = Math.min(MAX_LETTERS, Math.max(0, ...numbers.map(({ length }) => length)));
  const toggle = (id: Json) =>
    set(
      chosen.includes(id)
        ? chosen.filter((other) => other !== id)
        : pick?.several
          ? [...chosen, id]
          : [id],
    );
  const taken = inRows.flatMap(({ name, seats }) =>
    seats
      .filter((seat) => seat !== null && chosen.includes(idOf(seat)))
      .map((seat) => ({ seat, name: placeOf(name, seat) })),
  );
  return (
    <section {...useRoot(def, scope, "seats")}>
      {records.title && <h2 class="g-title">{records.title}</h2>}
      {records.rows.length === 0 && <p class="g-nodata">{records.emptyText}</p>}
      <div
        class="g-seats"
        data-named={(def.holderField !== undefined && all.length <= MAX_NAMED) || undefined}
        role="group"
        aria-label={records.title || undefined}
        style={{ "--letters": letters }}
      >
        {drawn.map(({ name, seats }, nth) => (
          <div class="g-seat-row" key={nth}>
            {isNamed && <strong>{name}</strong>}
            {seats.map((seat, index) => {
              if (seat === null) return <span key={index} class="g-seat-gap" />;
              const number = numberOf(seat);
              const open = free(seat);
              // Who sits there, or what stands there.
              const holder = open ? "" : holderOf(records, def, seat, number, model);
              const status = statusOf(def, seat);
              return (
                <button
                  key={index}
                  type="button"
                  class="g-button g-seat"
                  data-mark={markOf(status)}
                  aria-pressed={chosen.includes(idOf(seat))}
                  aria-disabled={!canChoose(seat)}
                  // What stands in a seat is said as it is read there, before its state.
                  aria-label={`${placeOf(name, seat)}${holder && ` ${holder}`}, ${status}`}
                  onClick={() => canChoose(seat) && toggle(idOf(seat))}
                >
                  {open ? number : <s>{number}</s>}{" "}
                  {holder && <small title={holder}>{holder}</small>}
                </button>
              );
            })}
          </div>
        ))}
      </div>
      {states.length > 0 && (
        <ul class="g-seat-legend" role="list" aria-label={say.legend}>
          {states.map(({ words, mark, count }) => (
            <li key={words}>
              <i class="g-seat" data-mark={mark} aria-hidden="true">
                {mark !== undefined && <s>{"\u00a0\u00a0"}</s>}
              </i>
              <span>
                {words}
                <span class="g-hidden">:</span> <strong>{count}</strong>
              </span>
            </li>
          ))}
        </ul>
      )}
      {taken.map(({ seat, name }, index) => {
        const rowKey = text(idOf(seat)) || String(index);
        return (
          <div key={rowKey}>
            <strong>{name}</strong>
            <Facts records={records} row={seat} />
            <Actions {...{ def, scope, records, rowKey, name }} row={seat} alone />
          </div>
        );
      })}
      {pick && (
        <PickEnd
          id={def.id}
          scope={scope}
          pick={pick}
          chosen={taken.filter(({ seat }) => free(seat)).map(({ seat }) => idOf(seat))}
          control={control}
        />
      )}
      {taken.length === 0 && records.actions.length > 0 && (
        <div class="g-record-actions">
          {records.actions.map(({ action, label, variant }) => (
            <FireButton
              key={action}
              {...{ action, label, variant }}
              state={{ phase: "idle" }}
              onFire={() => undefined}
              disabled
            />
          ))}
        </div>
      )}
    </section>
  );
}
