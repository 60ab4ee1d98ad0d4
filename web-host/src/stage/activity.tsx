// The activity panel: what people and agents did, in words; codes stay in the details.

import { stageStrings as say } from "../strings";
import { timeOf, type LoggedRow } from "./activity-log";
import { titleOf } from "./frame";
import { activity, activityOf, newestFirst } from "./state";

const clock = new Intl.DateTimeFormat(navigator.language, { timeStyle: "medium" });
const tones: { readonly [kind: string]: string } = { violation: "bad", "contract-violation": "bad", "frame-failed": "bad", "component-failed": "bad", "subscribe-failed": "warn", "schema-version-mismatch": "warn", "auth-required": "info", clicked: "info", rings: "info", consumed: "good" };

export function Activity() {
  const rows = activity.value.filter((row) => !activityOf.value || row.sessionId === activityOf.value);
  return (
    <section class="s-activity" aria-label={say.activity}>
      <header>
        <h2>{say.activity}</h2>
        <select class="g-input" aria-label={say.filterBySession} value={activityOf.value} onChange={(event) => (activityOf.value = event.currentTarget.value)}>
          <option value="">{say.allSessions}</option>
          {newestFirst.value.map((row) => <option key={row.sessionId} value={row.sessionId}>{titleOf(row)}</option>)}
        </select>
      </header>
      {rows.length === 0 && <p class="g-muted s-activity-empty">{say.noActivity}</p>}
      <ol>{rows.map((row) => <Row key={row.key} row={row} />)}</ol>
    </section>
  );
}

function Row({ row }: { row: LoggedRow }) {
  const session = newestFirst.value.find((other) => other.sessionId === row.sessionId);
  const at = timeOf(row.at);
  const detail = JSON.stringify({ kind: row.kind, seq: row.seq, sessionId: row.sessionId, detail: row.detail }, null, 2);
  return (
    <li data-kind={row.kind} data-tone={tones[row.kind]}>
      <div class="s-row-head"><strong>{say.kinds[row.kind] ?? words(row.kind)}</strong><time>{Number.isFinite(at) ? clock.format(at) : ""}</time></div>
      {session && <div class="s-row-session">{titleOf(session)}</div>}
      {row.text && row.text !== titleOf(session) && <div class="s-row-text">{row.text}</div>}
      <details class="g-details"><summary>{say.details}</summary><pre>{detail}</pre></details>
    </li>
  );
}

/** A kind nobody named yet, readable all the same. */
function words(kind: string): string {
  const plain = kind.replace(/^_?ggui:/, "").replace(/[-_]+/g, " ").trim();
  return plain ? plain[0]!.toUpperCase() + plain.slice(1) : kind;
}
