// Everything the stage shows, as signals, and the few ways it changes.

import { computed, signal } from "@preact/signals";
import { keeperOf } from "../host/keeper";
import type { SessionRow, Snapshot } from "../wire/stage";
import { addRow, type Happening, type LoggedRow } from "./activity-log";

export interface KnownSession extends SessionRow {
  /** When the frame address was issued: the token in it expires soon. */
  readonly knownAt: number;
}

export const FRAME_URL_LIFE = 150_000;

export type FeedState = "connecting" | "open" | "lost";

export const feedState = signal<FeedState>("connecting");
export const sessions = signal<readonly KnownSession[]>([]);
export const activity = signal<readonly LoggedRow[]>([]);
export const failedFrames = signal<ReadonlyMap<string, { reason: string; message: string }>>(
  new Map(),
);
export const query = signal("");
export const layout = signal<"one" | "grid">("one");
export const panel = signal<"stage" | "activity">("stage");
export const activityOf = signal("");
/** The session whose frame has the whole window. */
export const filling = signal("");
/** The session whose drawing a person says something of. */
export const remarked = signal<string | null>(null);
/** The link a person wants to share. */
export const shared = signal<{ readonly title: string; readonly url: URL } | null>(null);
export const linkToOpen = signal<{ url: string; answer: (open: boolean) => void } | null>(null);
/** The session a person chose; empty while the stage follows the newest one. */
export const chosen = signal(readHash());

export const newestFirst = computed(() =>
  [...sessions.value].sort((left, right) => right.createdAt - left.createdAt),
);

export const found = computed(() => {
  const wanted = query.value.trim().toLowerCase();
  return wanted
    ? newestFirst.value.filter((row) => `${row.title} ${row.intent}`.toLowerCase().includes(wanted))
    : newestFirst.value;
});

export const current = computed(
  () =>
    sessions.value.find((row) => row.sessionId === chosen.value) ??
    newestFirst.value.find((row) => row.status === "active") ??
    newestFirst.value[0],
);

export function choose(sessionId: string): void {
  chosen.value = sessionId;
  panel.value = "stage";
  // On a phone what was found covers the stage.
  if (matchMedia("(max-width: 759px)").matches) query.value = "";
  if (layout.peek() === "grid")
    document
      .querySelector(`[data-session="${CSS.escape(sessionId)}"]`)
      ?.scrollIntoView({ block: "start" });
  // Back leads to what was on stage before.
  const address = `#s=${encodeURIComponent(sessionId)}`;
  if (address !== location.hash) history.pushState(null, "", address);
}

export function readHash(): string {
  try {
    return decodeURIComponent(/^#s=(.+)$/.exec(location.hash)?.[1] ?? "");
  } catch {
    return "";
  }
}

/**
 * Who does something in a frame at this moment stays there: what comes meanwhile is in the list.
 */
function stay(): void {
  const frame = document.activeElement?.closest<HTMLElement>("[data-session]");
  if (frame && !chosen.peek() && navigator.userActivation?.isActive)
    chosen.value = frame.dataset.session!;
}

export function resetTo(snapshot: Snapshot): void {
  if (
    snapshot.sessions.some(
      (row) => !sessions.peek().some((other) => other.sessionId === row.sessionId),
    )
  )
    stay();
  const rows = snapshot.sessions.map((row) => ({ ...row, knownAt: Date.now() }));
  // What somebody typed is theirs to copy, also where the server knows nothing of the session any
  // more.
  const orphans = sessions
    .peek()
    .filter(({ sessionId }) => !rows.some((row) => row.sessionId === sessionId))
    .filter(({ sessionId }) => keeperOf(sessionId).read())
    .map((row) => ({ ...row, status: "expired" as const }));
  sessions.value = [...rows, ...orphans];
}

export function putSession(row: SessionRow): void {
  const known = { ...row, knownAt: Date.now() };
  const others = sessions.value.filter((other) => other.sessionId !== row.sessionId);
  if (others.length === sessions.value.length) stay();
  sessions.value = [...others, known];
}

export function logActivity(row: Happening, from: LoggedRow["from"]): void {
  activity.value = addRow(activity.value, row, from);
}

export function setFailed(
  sessionId: string,
  failure: { reason: string; message: string } | null,
): void {
  const next = new Map(failedFrames.value);
  if (failure) next.set(sessionId, failure);
  else next.delete(sessionId);
  failedFrames.value = next;
}

/**
 * A frame gets the whole window only from a person who just did something, and gives it back at any
 * time.
 */
export function fill(sessionId: string, mode: "inline" | "fullscreen"): "inline" | "fullscreen" {
  if (mode === "inline" && filling.peek() === sessionId) filling.value = "";
  else if (mode === "fullscreen" && navigator.userActivation?.isActive !== false)
    filling.value = sessionId;
  return filling.peek() === sessionId ? "fullscreen" : "inline";
}

/**
 * Asks the person whether to open an address; only right after user input, and one question at a
 * time.
 */
export function askToOpen(url: URL): Promise<boolean> {
  if (linkToOpen.peek() || navigator.userActivation?.isActive === false)
    return Promise.resolve(false);
  return new Promise((resolve) => {
    linkToOpen.value = {
      url: url.href,
      answer(open) {
        linkToOpen.value = null;
        if (open) window.open(url, "_blank", "noopener,noreferrer");
        resolve(open);
      },
    };
  });
}
