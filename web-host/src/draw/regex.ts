// Patterns written by an agent, run only when they cannot take unreasonable time.

const MAX_PATTERN = 512;
const MAX_VALUE = 10_000;
const MAX_STEPS = 5_000_000;
/** An exact or a small number of repeats leaves nothing to backtrack into. */
const FEW = /^\{(\d+|\d*,[0-4])\}/;

/** True when the value matches, or when the pattern is too costly to judge here (the server judges it). */
export function matchesPattern(pattern: string, value: string): boolean {
  if (!isAffordable(pattern, value.length)) return true;
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return matchesLegacy(pattern, value);
  }
}

function matchesLegacy(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern).test(value);
  } catch {
    return true;
  }
}

export function isAffordable(pattern: string, length: number): boolean {
  if (pattern.length > MAX_PATTERN || length > MAX_VALUE) return false;
  const plain = pattern.replace(/\\[^1-9k]/g, "x").replace(/\[[^\]]*\]/g, "x");
  if (/\\[1-9k]/.test(plain)) return false;
  if (hasNestedRepetition(plain)) return false;
  const unbounded =
    (plain.match(/[*+]|\{\d+,\}/g) ?? []).length + (pattern.startsWith("^") ? 0 : 1);
  return Math.max(length, 2) ** unbounded <= MAX_STEPS;
}

/** A repeated group that itself repeats or chooses can backtrack exponentially. */
function hasNestedRepetition(plain: string): boolean {
  const risky: boolean[] = [];
  for (let i = 0; i < plain.length; i++) {
    const char = plain[i];
    if (char === "(") risky.push(false);
    else if (char === ")") {
      const inner = risky.pop() ?? false;
      const repeated = /^([*+]|\{\d+,?\d*\})/.test(plain.slice(i + 1));
      if (inner && repeated) return true;
      if ((inner || repeated) && risky.length) risky[risky.length - 1] = true;
    } else if (
      risky.length &&
      (char === "*" || char === "+" || char === "|" || (char === "{" && !FEW.test(plain.slice(i))))
    )
      risky[risky.length - 1] = true;
  }
  return false;
}
