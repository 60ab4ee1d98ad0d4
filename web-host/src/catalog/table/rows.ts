// Which rows a table shows, in which order.

import { own } from "../../draw/pointer";
import { text } from "../../draw/text";
import type { Json } from "../../wire/json";
import type { Column } from "../../wire/view";

export type Sort = {
  readonly field: string;
  readonly descending: boolean;
};

export interface Arrangement {
  readonly rows: readonly Json[];
  readonly columns: readonly Column[];
  readonly sort: Sort | null;
  readonly filter: string;
  readonly locale: string;
}

export interface PlacedRow {
  readonly row: Json;
  /** Where the row stands in the bound list, whatever the order on the screen. */
  readonly index: number;
}

/** A row with what it is sorted by, read once. */
interface Keyed extends PlacedRow {
  readonly value: Json | undefined;
  readonly text: string;
}

type Order = (left: Keyed, right: Keyed) => number;

/**
 * Rows that are looked at, and pairs that are compared, between two pauses: a few milliseconds of a
 * slow machine.
 */
const ROWS = 256;
const PAIRS = 1024;

export function arrange(arrangement: Arrangement): readonly PlacedRow[] {
  const work = arranging(arrangement);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The same with a pause wherever it may be interrupted. */
export function* arranging({
  rows,
  columns,
  sort,
  filter,
  locale,
}: Arrangement): Generator<undefined, readonly PlacedRow[]> {
  const lower = lowering(locale);
  const wanted = lower(filter.trim());
  const placed: PlacedRow[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS === ROWS - 1) yield;
    if (!wanted || columns.some(({ field }) => lower(text(cellOf(row, field))).includes(wanted)))
      placed.push({ row, index });
  }
  if (!sort) return placed;
  const keys = placed.map((place) => keyed(place, sort.field));
  yield;
  // The first of these is expensive, so it is only created for texts, in a task of its own.
  const texts = keys.some(({ value }) => value !== undefined && typeof value !== "number");
  const collator = texts ? new Intl.Collator(locale, { numeric: true }) : undefined;
  yield;
  const way = sort.descending ? -1 : 1;
  return yield* sorted(
    keys,
    (left, right) => compare(left, right, collator, way) || left.index - right.index,
  );
}

function keyed(place: PlacedRow, field: string): Keyed {
  const value = cellOf(place.row, field) ?? undefined;
  return { ...place, value, text: typeof value === "number" ? String(value) : text(value) };
}

/** Absent values stand last in either direction. */
function compare(
  left: Keyed,
  right: Keyed,
  collator: Intl.Collator | undefined,
  way: number,
): number {
  const missing = Number(left.value === undefined) - Number(right.value === undefined);
  if (missing !== 0 || left.value === undefined) return missing;
  if (typeof left.value === "number" && typeof right.value === "number")
    return (left.value - right.value) * way;
  return collator ? collator.compare(left.text, right.text) * way : 0;
}

/** Short runs are sorted by the browser, then merged two by two. */
function* sorted(rows: Keyed[], order: Order): Generator<undefined, readonly PlacedRow[]> {
  let runs: Keyed[][] = [];
  for (let start = 0; start < rows.length; start += ROWS) {
    runs.push(rows.slice(start, start + ROWS).sort(order));
    yield;
  }
  while (runs.length > 1) {
    const merged: Keyed[][] = [];
    for (let pair = 0; pair < runs.length; pair += 2)
      merged.push(yield* merge(runs[pair]!, runs[pair + 1] ?? [], order));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge(
  left: readonly Keyed[],
  right: readonly Keyed[],
  order: Order,
): Generator<undefined, Keyed[]> {
  const merged: Keyed[] = [];
  let [at, other] = [0, 0];
  while (at < left.length && other < right.length) {
    merged.push(order(left[at]!, right[other]!) <= 0 ? left[at++]! : right[other++]!);
    if (merged.length % PAIRS === 0) yield;
  }
  return merged.concat(left.slice(at), right.slice(other));
}

/**
 * Three languages have lower-case rules of their own; for all others the locale-independent way is
 * ten times as fast.
 */
function lowering(locale: string): (text: string) => string {
  return /^(az|lt|tr)\b/i.test(locale)
    ? (text) => text.toLocaleLowerCase(locale)
    : (text) => text.toLowerCase();
}

/** Field "" is the item itself, for lists of plain values. */
export function cellOf(row: Json, field: string): Json | undefined {
  return field === "" ? row : own(row, field);
}
