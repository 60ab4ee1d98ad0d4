// Values as texts.

import type { Json } from "../wire/json";

/** Objects as texts: every part of a view may show the same large one. */
const written = new WeakMap<object, string>();

export function text(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "object") return String(value);
  let json = written.get(value);
  if (json === undefined) written.set(value, (json = JSON.stringify(value)));
  return json;
}
