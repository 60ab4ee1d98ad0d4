// The rows of what happened, newest first, from the feed and from the frames, each event once.

import type { ObservabilityEvent } from "../host/observability";
import { openable } from "../host/untrusted";
import { isFields } from "../wire/json";
import type { Violation } from "../wire/observe";

export const MAX_ROWS = 500;
const SAME_WITHIN = 3000;

/** Something that happened in a session, as the feed says it or a frame. */
export interface Happening {
  /** Position in the activity; a frame gives none. */
  readonly seq?: number;
  readonly sessionId?: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: string;
  readonly text?: string;
  /** More of it, from a frame. */
  readonly detail?: unknown;
}

export interface LoggedRow extends Happening {
  readonly key: number;
  readonly from: "feed" | "frame";
}

const aliases: { readonly [kind: string]: string } = { "contract-violation": "violation" };
let nextKey = 1;

function kindOf(row: Happening): string {
  return aliases[row.kind] ?? row.kind;
}

/**
 * A frame passes on what the feed reports too: the feed's row stays, with what only the frame
 * knows.
 */
function isSame(left: LoggedRow, right: LoggedRow): boolean {
  return (
    left.from !== right.from &&
    left.sessionId === right.sessionId &&
    kindOf(left) === kindOf(right) &&
    Math.abs(left.at - right.at) < SAME_WITHIN
  );
}

export function addRow(
  rows: readonly LoggedRow[],
  row: Happening,
  from: LoggedRow["from"],
): readonly LoggedRow[] {
  if (
    from === "feed" &&
    row.seq !== undefined &&
    rows.some(
      (other) =>
        other.from === "feed" && other.seq === row.seq && other.sessionId === row.sessionId,
    )
  )
    return rows;
  const logged: LoggedRow = { ...row, key: nextKey++, from };
  // What was lost and is back again is one row, not two.
  if (row.kind === "subscribe-recovered")
    rows = rows.filter(
      (other) => other.kind !== "subscribe-failed" || other.sessionId !== row.sessionId,
    );
  const twin = rows.slice(0, 50).find((other) => isSame(other, logged));
  if (!twin) return [logged, ...rows].slice(0, MAX_ROWS);
  const [feed, frame] = from === "feed" ? [logged, twin] : [twin, logged];
  const merged = { ...feed, text: feed.text ?? frame.text, detail: feed.detail ?? frame.detail };
  return from === "frame"
    ? rows.map((other) => (other === twin ? merged : other))
    : [merged, ...rows.filter((other) => other !== twin)];
}

export interface RowGroup {
  /** The key of the oldest row, so a group stays itself while it grows. */
  readonly key: number;
  /** The newest row. */
  readonly row: LoggedRow;
  readonly count: number;
}

/** Rows that say the same right after each other, as one with their number. */
export function grouped(rows: readonly LoggedRow[]): RowGroup[] {
  const groups: RowGroup[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last && saying(last.row) === saying(row))
      groups[groups.length - 1] = { ...last, key: row.key, count: last.count + 1 };
    else groups.push({ key: row.key, row, count: 1 });
  }
  return groups;
}

function saying(row: LoggedRow): string {
  return JSON.stringify([kindOf(row), row.sessionId, row.text, row.detail]);
}

/** What a row does not say already; undefined when that is nothing. */
export function detailsOf(row: Happening): unknown {
  const { detail, text } = row;
  if (typeof detail !== "object" || detail === null)
    return detail === text || detail === "" ? undefined : (detail ?? undefined);
  const entries = Object.entries(detail).filter(
    ([, value]) => value !== undefined && value !== "" && value !== text,
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

export function rowOfEvent(
  sessionId: string,
  event: ObservabilityEvent,
  at = Date.now(),
): Happening {
  const { kind, ...detail } = event as { readonly kind: string; readonly [field: string]: unknown };
  const violations = Array.isArray(detail.violations) ? (detail.violations as Violation[]) : [];
  const text =
    violations.map((violation) => `${violation?.field}: ${violation?.message}`).join("\n") ||
    detail.message;
  return { sessionId, at, kind, text: typeof text === "string" ? text : undefined, detail };
}

/** Where a person is asked to sign in: https, and the host that is really opened. */
export function signInOf({
  kind,
  detail,
}: Happening): { readonly provider: string; readonly url: URL } | undefined {
  if (kind !== "auth-required" || !isFields(detail)) return undefined;
  const { authUrl, displayName, provider } = detail;
  const url = openable(authUrl, ["https:"]);
  return url && { provider: String(displayName ?? provider ?? ""), url };
}

/** Whether a title is all of a text, or its beginning. */
export function isShortened(title: string, text: string): boolean {
  return title === text || (title.endsWith("…") && text.startsWith(title.slice(0, -1).trimEnd()));
}
