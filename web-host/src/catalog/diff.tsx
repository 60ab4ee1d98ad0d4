// Diff: what changed between two texts, line by line.

import { useMemo } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useText, useValue } from "../draw/hooks";
import { lettersEach, shorten } from "../draw/limits";
import { useRoot } from "../draw/node";
import { text } from "../draw/text";
import { guestStrings as say } from "../strings";
import { compare, type DiffLine, type Mark } from "./kit/compare";
import { CopyButton } from "./kit/copy";
import { useEmptyText } from "./kit/empty";
import { addStyles } from "./styles";
import css from "./styles/diff.css?inline";

addStyles(css);

const MAX_LINES = 2000;
const LETTERS = lettersEach(MAX_LINES);

export function Diff({ def, scope }: ComponentProps<"Diff">) {
  const title = useText(def.title, scope);
  const patch = text(useValue(def.patch, scope));
  const before = text(useValue(def.before, scope));
  const after = text(useValue(def.after, scope));
  const emptyText = useEmptyText([def.patch, def.before, def.after], scope, say.noChange);
  const lines = useMemo(
    () => (def.patch === undefined ? compare(split(before), split(after)) : readPatch(patch)),
    [patch, before, after],
  );
  const count = (mark: Mark) => lines.filter((line) => line.mark === mark).length;
  return (
    <section {...useRoot(def, scope, "diff")}>
      <div class="g-head">
        {title && <h2 class="g-title">{title}</h2>}
        <span class="g-diff-count">
          <ins>+{count("added")}</ins> <del>−{count("removed")}</del>
          <span class="g-hidden"> {say.diffCount(count("added"), count("removed"))}</span>
        </span>
        {lines.length > 0 && <CopyButton value={() => (def.patch === undefined ? after : patch)} />}
      </div>
      {lines.length === 0 ? (
        <p class="g-nodata">{emptyText}</p>
      ) : (
        <pre tabIndex={0} role="region" aria-label={title || say.changes}>
          <code>
            {lines.slice(0, MAX_LINES).map((line, index) => (
              <Line key={index} line={line} />
            ))}
          </code>
        </pre>
      )}
      {lines.length > MAX_LINES && <p class="g-muted">{say.andMore(lines.length - MAX_LINES)}</p>}
    </section>
  );
}

function Line({ line: { mark, text } }: { line: DiffLine }) {
  const body = `${shorten(text, LETTERS)}\n`;
  if (mark === "added") return <ins>{body}</ins>;
  if (mark === "removed") return <del>{body}</del>;
  return <span data-mark={mark}>{body}</span>;
}

function split(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

/** A unified patch as marked lines; the headers of files and places stand out. */
export function readPatch(patch: string): DiffLine[] {
  return split(patch).map((line) => {
    if (/^(@@|diff |index |--- |\+\+\+ )/.test(line)) return { mark: "place", text: line };
    const mark = line[0] === "+" ? "added" : line[0] === "-" ? "removed" : "same";
    return { mark, text: /^[+\- ]/.test(line) ? line.slice(1) : line };
  });
}
