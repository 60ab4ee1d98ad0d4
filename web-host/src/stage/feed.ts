// The feed: one event source, opened again by itself; every snapshot starts afresh.

import type { ActivityRow } from "../wire/stage";
import { feedState, logActivity, putSession, resetTo } from "./state";

/** Milliseconds after which what was closed is opened again. */
export const REOPEN_AFTER = 2000;
let source: EventSource | undefined;

export function openFeed(url: string): void {
  source?.close();
  source = new EventSource(url);
  const opened = source;
  opened.onopen = () => (feedState.value = "open");
  opened.onerror = () => {
    feedState.value = "lost";
    if (opened.readyState === EventSource.CLOSED && opened === source)
      setTimeout(() => opened === source && openFeed(url), REOPEN_AFTER);
  };
  on(opened, "snapshot", resetTo);
  on(opened, "session", putSession);
  on<ActivityRow>(opened, "activity", (row) => logActivity(row, "feed"));
}

function on<T>(target: EventSource, name: string, handle: (data: T) => void): void {
  target.addEventListener(name, (event) => {
    let data: T;
    try {
      data = JSON.parse((event as MessageEvent<string>).data);
    } catch {
      return;
    }
    handle(data);
  });
}
