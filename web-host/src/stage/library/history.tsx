// The versions of a page, and what each of them changed.

import { useState } from "preact/hooks";
import { compare } from "../../catalog/kit/compare";
import { stageStrings as say } from "../../strings";
import { useAsked, type VersionRow, version, versions } from "./ask";

/** Lines that are shown before and after what was changed. */
const AROUND = 3;

const moment = new Intl.DateTimeFormat(navigator.language, {
  dateStyle: "medium",
  timeStyle: "short",
});

export function whenOf(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : moment.format(at);
}

export function History({ slug, current }: { slug: string; current: number }) {
  const { value, refused, again } = useAsked(`${slug}@${current}`, () => versions(slug));
  if (refused)
    return (
      <p role="alert">
        {say.pageFailed}{" "}
        <button type="button" class="g-button" onClick={again}>
          {say.again}
        </button>
      </p>
    );
  if (!value) return <p class="g-muted">{say.loading}</p>;
  return (
    <ol class="s-history">
      {value.map((row, index) => (
        <li key={row.version}>
          <VersionOf slug={slug} row={row} before={value[index + 1]?.version} />
        </li>
      ))}
    </ol>
  );
}

function VersionOf({
  slug,
  row,
  before,
}: {
  slug: string;
  row: VersionRow;
  before: number | undefined;
}) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <strong>{say.version(row.version)}</strong>{" "}
        <span class="g-muted">{say.versionBy(row.written_by, whenOf(row.written_at))}</span>
      </summary>
      {open && <Changes slug={slug} number={row.version} before={before} />}
    </details>
  );
}

function Changes({
  slug,
  number,
  before,
}: {
  slug: string;
  number: number;
  before: number | undefined;
}) {
  const { value, refused } = useAsked(`${slug}@${number}`, () =>
    Promise.all([
      before === undefined ? null : version(slug, before),
      before === undefined ? null : version(slug, number),
    ]),
  );
  if (refused) return <p role="alert">{say.pageFailed}</p>;
  if (!value) return <p class="g-muted">{say.loading}</p>;
  const [old, fresh] = value;
  if (!old || !fresh) return <p class="g-muted">{say.versionFirst}</p>;
  const lines = compare(old.content.split("\n"), fresh.content.split("\n"));
  if (lines.length === 0) return <p class="g-muted">{say.versionSame}</p>;
  const isNear = (index: number) =>
    lines
      .slice(Math.max(0, index - AROUND), index + AROUND + 1)
      .some(({ mark }) => mark !== "same");
  return (
    <div class="g-diff">
      <pre tabIndex={0} role="region" aria-label={say.versionChanges(number)}>
        <code>
          {lines.map(({ mark, text }, index) => {
            const body = `${text}\n`;
            if (!isNear(index))
              return index > 0 && !isNear(index - 1) ? null : (
                <span key={index} data-mark="place">
                  {"⋯\n"}
                </span>
              );
            if (mark === "added") return <ins key={index}>{body}</ins>;
            if (mark === "removed") return <del key={index}>{body}</del>;
            return <span key={index}>{body}</span>;
          })}
        </code>
      </pre>
    </div>
  );
}
