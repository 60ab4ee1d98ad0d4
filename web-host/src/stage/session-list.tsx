// The sessions to choose from: a list beside the stage, a selector above it on a phone.

import { useEffect, useState } from "preact/hooks";
import { stageStrings as say } from "../strings";
import { isShortened } from "./activity-log";
import { titleOf } from "./frame";
import { choose, current, found, layout } from "./state";

const TICK = 30_000;

export function SessionList() {
  const now = useNow();
  const rows = found.value;
  return (
    <nav class="s-list" aria-label={say.sessions}>
      <h2>{say.sessions}</h2>
      {rows.length === 0 && <p class="g-muted">{say.noMatch}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.sessionId}>
            <button
              type="button"
              data-session-choice={row.sessionId}
              aria-current={layout.value === "one" && current.value?.sessionId === row.sessionId}
              title={row.intent}
              onClick={() => choose(row.sessionId)}
            >
              <span class="s-list-title">
                <i data-status={row.status} />
                {titleOf(row)}
              </span>
              {row.intent && row.title && !isShortened(row.title, row.intent) && (
                <span class="s-list-intent">{row.intent}</span>
              )}
              <span class="s-list-time">
                {row.status === "expired" ? say.expired : ago(row.lastActivityAt, now)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function SessionSelect() {
  const shown = current.value;
  // What is on stage stays in the selector, also where the search does not find it.
  const rows = shown && !found.value.includes(shown) ? [shown, ...found.value] : found.value;
  return (
    <select
      class="g-input s-select"
      aria-label={say.sessions}
      value={current.value?.sessionId}
      onChange={(event) => choose(event.currentTarget.value)}
    >
      {rows.map((row) => (
        <option key={row.sessionId} value={row.sessionId}>
          {titleOf(row)}
          {row.status === "expired" ? ` – ${say.expired}` : ""}
        </option>
      ))}
    </select>
  );
}

function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}

const relative = new Intl.RelativeTimeFormat(navigator.language, {
  numeric: "auto",
  style: "short",
});

function ago(at: number, now: number): string {
  const seconds = Math.min(0, Math.round((at - now) / 1000));
  if (!Number.isFinite(seconds)) return "";
  if (seconds > -60) return relative.format(0, "minute");
  if (seconds > -3600) return relative.format(Math.round(seconds / 60), "minute");
  return seconds > -86400
    ? relative.format(Math.round(seconds / 3600), "hour")
    : relative.format(Math.round(seconds / 86400), "day");
}
