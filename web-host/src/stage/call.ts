// Calls a person who looks elsewhere: what came meanwhile, and which agents began to wait, is
// counted in the title and marked on the icon, and told aloud only where the person allowed it.

import { effect, signal } from "@preact/signals";
import { stageStrings as say } from "../strings";
import type { LoggedRow } from "./activity-log";
import { activity, choose, type KnownSession, sessions } from "./state";

const canCall = "Notification" in globalThis;

/** Whether a person may still be asked whether to be called. */
export const mayAsk = signal(canCall && Notification.permission === "default");

/** Only ever from a press of the person's own. */
export async function askToCall(): Promise<void> {
  await Notification.requestPermission();
  mayAsk.value = Notification.permission === "default";
}

/** Sessions that came, or whose agent began to wait, while nobody looked. */
const unseen = signal<ReadonlySet<string>>(new Set());

function call(row: KnownSession, words: (title: string) => string): void {
  if (!canCall || Notification.permission !== "granted") return;
  const title = row.title || row.intent || say.untitled;
  const called = new Notification(words(title), { tag: row.sessionId });
  called.onclick = () => {
    window.focus();
    choose(row.sessionId);
    called.close();
  };
}

/** The sessions whose agents wait for a person now, with when they began to. */
function waiting(): ReadonlyMap<string, number> {
  const newest = new Map<string, LoggedRow>();
  for (const row of activity.value) {
    const { sessionId, kind, at } = row;
    if (sessionId === undefined || !/^consumer-(absent|present)$/.test(kind)) continue;
    // The newest rows come first.
    if (at > (newest.get(sessionId)?.at ?? -1)) newest.set(sessionId, row);
  }
  const present = [...newest].filter(([, { kind }]) => kind === "consumer-present");
  return new Map(present.map(([sessionId, { at }]) => [sessionId, at]));
}

/** The icon of the page, with a mark where something is new. */
function marked(icon: string): string {
  const mark = "%3Ccircle cx='19' cy='5' r='5' fill='%23e03131'/%3E%3C/svg%3E";
  return icon.replace(/%3C\/svg%3E$/, mark);
}

export function callPeople(): void {
  const opened = Date.now();
  const known = new Set<string>();
  const title = document.title;
  const link = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const icon = link?.href ?? "";
  effect(() => {
    const fresh = sessions.value.filter(
      ({ sessionId, status }) => status === "active" && !known.has(sessionId),
    );
    for (const { sessionId } of fresh) known.add(sessionId);
    if (!document.hidden || fresh.length === 0) return;
    unseen.value = new Set([...unseen.peek(), ...fresh.map(({ sessionId }) => sessionId)]);
    // What was there before the page is counted, and not announced.
    for (const row of fresh) if (row.createdAt >= opened) call(row, say.called);
  });
  let waited: ReadonlyMap<string, number> = new Map();
  effect(() => {
    const before = waited;
    waited = waiting();
    const begun = sessions.value.filter(
      ({ sessionId, status }) =>
        status === "active" && waited.has(sessionId) && !before.has(sessionId),
    );
    // Whoever was called for what came need not be called again for it.
    const news = begun.filter(({ sessionId }) => !unseen.peek().has(sessionId));
    if (!document.hidden || news.length === 0) return;
    unseen.value = new Set([...unseen.peek(), ...news.map(({ sessionId }) => sessionId)]);
    for (const row of news) if (waited.get(row.sessionId)! >= opened) call(row, say.waitsFor);
  });
  effect(() => {
    const count = unseen.value.size;
    document.title = count > 0 ? `(${count}) ${title}` : title;
    if (link) link.href = count > 0 ? marked(icon) : icon;
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) unseen.value = new Set();
  });
}
