// Copies messages from a frame before anything reads them: plain, small, and without references
// back.

import { isFields } from "../wire/json";

const MAX_DEPTH = 6;
const MAX_ENTRIES = 50;
const MAX_TEXT = 1000;

/**
 * A plain copy: cycles are broken, long texts are cut, non-data is left out, and no name is
 * special.
 */
export function plainCopy(value: unknown, depth = 0): unknown {
  if (typeof value === "string")
    return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (!isFields(value) || depth >= MAX_DEPTH) return undefined;
  if (Array.isArray(value))
    return value.slice(0, MAX_ENTRIES).map((entry) => plainCopy(entry, depth + 1) ?? null);
  const copy: { [name: string]: unknown } = Object.create(null);
  for (const name of Object.keys(value).slice(0, MAX_ENTRIES)) {
    const kept = plainCopy(value[name], depth + 1);
    if (kept !== undefined) copy[name.slice(0, MAX_TEXT)] = kept;
  }
  return copy;
}

/** An address that may be opened in a new tab, or nothing. */
export function openable(
  url: unknown,
  schemes: readonly string[] = ["https:", "http:"],
): URL | undefined {
  if (typeof url !== "string" || url.length > 4096) return undefined;
  try {
    const address = new URL(url);
    return schemes.includes(address.protocol) && !address.username && !address.password
      ? address
      : undefined;
  } catch {
    return undefined;
  }
}

/** Lets `burst` through at once and `perSecond` in the long run. */
export class Allowance {
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #now: () => number;
  #left: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#burst = this.#left = burst;
    this.#now = now;
    this.#at = now();
  }

  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(this.#burst, this.#left + ((now - this.#at) / 1000) * this.#perSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
