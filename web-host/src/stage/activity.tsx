// The activity panel: what people and agents did, in words; codes stay in the details.

import { stageStrings as say } from "../strings";
import { detailsOf, grouped, isShortened, type RowGroup, signInOf } from "./activity-log";
import { titleOf } from "./frame";
import { activity, activityOf, newestFirst } from "./state";

const clock = new Intl.DateTimeFormat(navigator.language, { timeStyle: "short" });
const moment = new Intl.DateTimeFormat(navigator.language, {
  dateStyle: "medium",
  timeStyle: "medium",
});
const tones: { readonly [kind: string]: string } = {
  violation: "bad",
  "contract-violation": "bad",
  "frame-failed": "bad",
  "component-failed": "bad",
  "view-refused": "bad",
  "frame-flooding": "bad",
  "subscribe-failed": "warn",
  "schema-version-mismatch": "warn",
  "slow-consumer": "warn",
  "session-expiring": "warn",
  "transport-fallback": "warn",
  "replay-truncated": "warn",
  "relay-incapability": "warn",
  "auth-required": "info",
  clicked: "info",
  rings: "info",
  consumed: "good",
  "subscribe-recovered": "good",
  "consumer-present": "good",
};

export function Activity() {
  const groups = grouped(
    activity.value.filter((row) => !activityOf.value || row.sessionId === activityOf.value),
  );
  return (
    <section class="s-activity" aria-label={say.activity}>
      <header>
        <h2>{say.activity}</h2>
        <select
          class="g-input"
          aria-label={say.filterBySession}
          value={activityOf.value}
          onChange={(event) => (activityOf.value = event.currentTarget.value)}
        >
          <option value="">{say.allSessions}</option>
          {newestFirst.value.map((row) => (
            <option key={row.sessionId} value={row.sessionId}>
              {titleOf(row)}
            </option>
          ))}
        </select>
      </header>
      {groups.length === 0 && <p class="g-muted s-activity-empty">{say.noActivity}</p>}
      <ol>
        {groups.map((group) => (
          <Row key={group.key} row={group.row} count={group.count} />
        ))}
      </ol>
    </section>
  );
}

function Row({ row, count }: Omit<RowGroup, "key">) {
  const session = newestFirst.value.find((other) => other.sessionId === row.sessionId);
  const title = session && titleOf(session);
  const { at } = row;
  const details = detailsOf(row);
  const signIn = signInOf(row);
  return (
    <li data-kind={row.kind} data-tone={tones[row.kind]} title={say.place(row.seq, row.sessionId)}>
      <div class="s-row-head">
        <span>
          <strong>{say.kinds[row.kind] ?? words(row.kind)}</strong>
          {row.text && !(title && isShortened(title, row.text)) && ` ${row.text}`}
          {count > 1 && <span class="s-count"> {say.times(count)}</span>}
        </span>
        {Number.isFinite(at) && <time title={moment.format(at)}>{clock.format(at)}</time>}
      </div>
      {title && !activityOf.value && <div class="s-row-session">{title}</div>}
      {signIn && (
        <a
          class="g-button s-sign-in"
          data-variant="primary"
          href={signIn.url.href}
          target="_blank"
          rel="noopener noreferrer"
        >
          {say.signInAt(signIn.provider, signIn.url.host)}
        </a>
      )}
      {details && (
        <details class="g-details">
          <summary>{say.details}</summary>
          <pre>{JSON.stringify(details, null, 2)}</pre>
        </details>
      )}
    </li>
  );
}

/** An unknown kind, formatted to be readable all the same. */
function words(kind: string): string {
  const plain = kind
    .replace(/^_?ggui:/, "")
    .replace(/[-_]+/g, " ")
    .trim();
  return plain ? plain[0]!.toUpperCase() + plain.slice(1) : kind;
}
