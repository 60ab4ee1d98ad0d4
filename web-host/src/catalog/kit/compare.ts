// Compares two texts line by line: what stayed, what was added, and what was removed.

export type Mark = "added" | "removed" | "same" | "place";
export interface DiffLine {
  readonly mark: Mark;
  readonly text: string;
}

/** Cells of the comparison; what is larger is shown as one block replaced by another. */
const MAX_CELLS = 250_000;

/** The longest common lines stay; the rest was removed or added. */
export function compare(
  before: readonly string[],
  after: readonly string[],
  cells = MAX_CELLS,
): DiffLine[] {
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
    old.length * fresh.length > cells
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
