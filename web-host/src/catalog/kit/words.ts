// Compares two texts word by word: what stayed, what was removed, and what was added.

import { MAX_SOURCE } from "../../draw/limits";
import { compare, type DiffLine } from "./compare";

export interface Run {
  readonly mark: "added" | "removed" | "same";
  readonly text: string;
}

/** A thousand changed words and spaces on each side; fifty such texts take less than a second. */
const MAX_CELLS = 1_000_000;
/** How much of the shorter text has to stay: below it nobody reads the words of both at once. */
const MIN_SHARED = 1 / 4;

/** The runs of one text, or the old one and the new one where too little stayed to tell. */
export function compareWords(before: string, after: string): readonly Run[] {
  if (before === after) return runsOf("", "", after);
  const whole = runsOf(before, after, "");
  const least = Math.min(before.length, after.length);
  if (least === 0 || before.length + after.length > MAX_SOURCE) return whole;
  const compared = joined(compare(wordsOf(before), wordsOf(after), MAX_CELLS));
  const shared = compared.reduce(
    (sum, run) => sum + (run.mark === "same" ? run.text.length : 0),
    0,
  );
  return shared < least * MIN_SHARED ? whole : compared;
}

/**
 * A word or a number, such as `don't`, `4.2` and `06:12`, or what stands between two; where a
 * language has no spaces, each letter.
 */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}]+(?:[.,:/'’-][\p{L}\p{M}\p{N}]+)*|\s+|./gsu;

const wordsOf = (text: string): string[] => text.match(WORD) ?? [];

function runsOf(removed: string, added: string, same: string): Run[] {
  const runs = [
    { mark: "removed", text: removed },
    { mark: "added", text: added },
    { mark: "same", text: same },
  ] as const;
  return runs.filter(({ text }) => text !== "");
}

/** Neighbours as one, and the space between two replaced words with them. */
function joined(words: readonly DiffLine[]): Run[] {
  const runs: Run[] = [];
  let [removed, added, same] = ["", "", ""];
  for (const { mark, text } of words) {
    if (mark === "same") {
      same += text;
      continue;
    }
    if (removed && added && !/[\p{L}\p{N}]/u.test(same)) {
      removed += same;
      added += same;
    } else if (same) {
      runs.push(...runsOf(removed, added, same));
      [removed, added] = ["", ""];
    }
    same = "";
    if (mark === "removed") removed += text;
    else added += text;
  }
  return [...runs, ...runsOf(removed, added, same)];
}
