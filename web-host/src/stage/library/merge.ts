// Puts two changes of one text together, line by line.

import { compare } from "../../catalog/kit/compare";

/** Lines that are settled, or two ways in which they may go on. */
export type Part =
  | { readonly lines: readonly string[] }
  | { readonly mine: readonly string[]; readonly theirs: readonly string[] };

/** For each line of the first that stayed, its place in the second. */
function kept(before: readonly string[], after: readonly string[]): Map<number, number> {
  const places = new Map<number, number>();
  let [from, to] = [0, 0];
  const compared = compare(before, after);
  if (compared.length === 0) return new Map(before.map((_, index) => [index, index]));
  for (const { mark } of compared) {
    if (mark === "same") places.set(from++, to++);
    else if (mark === "removed") from++;
    else to++;
  }
  return places;
}

const same = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((line, index) => line === right[index]);

/** Where only one side changed something, that is taken; where both did the same, too. */
export function merge(base: string, mine: string, theirs: string): Part[] {
  const [before, own, other] = [base, mine, theirs].map((text) => text.split("\n")) as [
    string[],
    string[],
    string[],
  ];
  const [inOwn, inOther] = [kept(before, own), kept(before, other)];
  const parts: Part[] = [];
  let [at, ownAt, otherAt] = [0, 0, 0];
  for (;;) {
    let next = at;
    while (next < before.length && !(inOwn.has(next) && inOther.has(next))) next++;
    const ownEnd = inOwn.get(next) ?? own.length;
    const otherEnd = inOther.get(next) ?? other.length;
    const [old, left, right] = [
      before.slice(at, next),
      own.slice(ownAt, ownEnd),
      other.slice(otherAt, otherEnd),
    ];
    if (same(left, old) || same(left, right)) parts.push({ lines: right });
    else if (same(right, old)) parts.push({ lines: left });
    else parts.push({ mine: left, theirs: right });
    if (next >= before.length)
      return parts.filter((part) => !("lines" in part) || part.lines.length);
    parts.push({ lines: [before[next]!] });
    [at, ownAt, otherAt] = [next + 1, ownEnd + 1, otherEnd + 1];
  }
}

export type Choice = "mine" | "theirs" | "both";

/** The text, with one choice for each place where both sides changed something. */
export function joined(parts: readonly Part[], choices: readonly Choice[]): string {
  let place = 0;
  const lines = parts.flatMap((part) => {
    if ("lines" in part) return part.lines;
    const choice = choices[place++];
    if (choice === "mine") return part.mine;
    return choice === "theirs" ? part.theirs : [...part.mine, ...part.theirs];
  });
  return lines.join("\n");
}
