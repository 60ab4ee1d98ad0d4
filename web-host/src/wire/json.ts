// JSON as it travels: the value types every other module speaks.

export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Named values of which nothing is known: what another window says. */
export interface Fields {
  readonly [field: string]: unknown;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

/** A JSON Schema node as it comes; what reads a keyword checks its type. */
export type Schema = JsonObject;

type Raw = (digits: string) => unknown;

/** A whole number of more digits than a number of this language holds, in a browser that tells how it was written. */
const LONG = /\d{16}/;
const exact = (_: string, value: unknown, written?: { readonly source?: string }) =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(written?.source ?? "")
    ? BigInt(written!.source!)
    : value;

/** JSON as it was written, to the last digit. */
export function readJson(text: string): unknown {
  return LONG.test(text) ? JSON.parse(text, exact) : JSON.parse(text);
}

// It goes back as it came.
Object.defineProperty(BigInt.prototype, "toJSON", {
  configurable: true,
  value(this: bigint) {
    const raw = (JSON as { rawJSON?: Raw }).rawJSON;
    return raw ? raw(String(this)) : Number(this);
  },
});
