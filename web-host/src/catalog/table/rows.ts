// Which rows a table shows, in which order.

import type { Json } from "../../wire/json";
import type { Column } from "../kit/records";
import { own } from "../../draw/pointer";
import { text } from "../../draw/functions";

export interface Sort {
  readonly field: string;
  readonly descending: boolean;
}

export interface PlacedRow {
  readonly row: Json;
  /** Where the row stands in the bound list, whatever the order on the screen. */
  readonly index: number;
}

export function arrange(rows: readonly Json[], columns: readonly Column[], sort: Sort | null, filter: string, locale: string): PlacedRow[] {
  const wanted = filter.trim().toLocaleLowerCase(locale);
  let placed = rows.map((row, index) => ({ row, index }));
  if (wanted) placed = placed.filter(({ row }) => columns.some(({ field }) => cellText(row, field).toLocaleLowerCase(locale).includes(wanted)));
  if (sort) {
    const collator = new Intl.Collator(locale, { numeric: true });
    const way = sort.descending ? -1 : 1;
    placed.sort((left, right) => compare(cellOf(left.row, sort.field), cellOf(right.row, sort.field), collator, way) || left.index - right.index);
  }
  return placed;
}

/** Absent values stand last in either direction. */
function compare(left: Json | undefined, right: Json | undefined, collator: Intl.Collator, way: number): number {
  const missing = Number(left === undefined || left === null) - Number(right === undefined || right === null);
  if (missing !== 0 || left === undefined || left === null) return missing;
  if (typeof left === "number" && typeof right === "number") return (left - right) * way;
  return collator.compare(text(left), text(right)) * way;
}

/** Field "" is the item itself, for lists of plain values. */
export function cellOf(row: Json, field: string): Json | undefined {
  return field === "" ? row : own(row, field);
}

function cellText(row: Json, field: string): string {
  return text(cellOf(row, field));
}
