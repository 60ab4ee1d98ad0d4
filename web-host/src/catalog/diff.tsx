// Diff: what changed between two texts, line by line.

import { useMemo } from "preact/hooks";
import type { ComponentProps } from "../draw/context";
import { useText, useValue } from "../draw/hooks";
import { lettersEach, shorten } from "../draw/limits";
import { useRoot } from "../draw/node";
import { text } from "../draw/text";
import { guestStrings as say } from "../strings";
import { CopyButton } from "./kit/copy";
import { useEmptyText } from "./kit/records";
import { addStyles } from "./styles";
import css from "./styles/diff.css?inline";

addStyles(css);

export type Mark = "added" | "removed" | "same" | "place";
interface DiffLine {
  readonly mark: Mark;
  readonly text: string;
}

const MAX_LINES = 2000;
const LETTERS = lettersEach(MAX_LINES);
/** Cells of the comparison; what is larger is shown as one block replaced by another. */
const MAX_CELLS = 250_000;

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

/** The longest common lines stay; the rest was removed or added. */
export function compare(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  const marked =
    (mark: Mark) =>
    (text: string): DiffLine => ({ mark, text });
  const middle =
    old.length * fresh.length > MAX_CELLS
      ? [...old.map(marked("removed")), ...fresh.map(marked("added"))]
      : align(old, fresh);
  if (middle.length === 0) return [];
  return [
    ...before.slice(0, start).map(marked("same")),
    ...middle,
    ...before.slice(before.length - end).map(marked("same")),
  ];
}

function align(old: readonly string[], fresh: readonly string[]): DiffLine[] {
  const width = fresh.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === fresh[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j])
      lines.push({ mark: "same", text: old[i++]! }) && j++;
    else if (
      i < old.length &&
      (j === fresh.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    )
      lines.push({ mark: "removed", text: old[i++]! });
    else lines.push({ mark: "added", text: fresh[j++]! });
  }
  return lines;
}
