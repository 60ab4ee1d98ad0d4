// The problems a single typed value can have, as sentences.

import { matchesPattern } from "../draw/regex";
import { guestStrings as say } from "../strings";
import type { Schema } from "../wire/json";
import { isMultipleOf } from "./decimal";
import { numberAt, textAt } from "./schema";

export function numberProblem(value: number, schema: Schema): string | undefined {
  if (!Number.isFinite(value)) return say.notNumber;
  if (schema.type === "integer" && !Number.isInteger(value)) return say.notInteger;
  const least = numberAt(schema, "minimum");
  if (least !== undefined && value < least) return say.atLeast(String(least));
  const most = numberAt(schema, "maximum");
  if (most !== undefined && value > most) return say.atMost(String(most));
  const above = numberAt(schema, "exclusiveMinimum");
  if (above !== undefined && value <= above) return say.moreThan(String(above));
  const below = numberAt(schema, "exclusiveMaximum");
  if (below !== undefined && value >= below) return say.lessThan(String(below));
  const step = numberAt(schema, "multipleOf");
  return step !== undefined && !isMultipleOf(value, step)
    ? say.multipleOf(String(step))
    : undefined;
}

const formats: ReadonlyMap<unknown, readonly [RegExp, string]> = new Map<
  unknown,
  readonly [RegExp, string]
>([
  ["email", [/^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/, say.email]],
  ["uri", [/^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i, say.uri]],
  ["url", [/^https?:\/\/[^\s<>"{}|\\^`]+$/i, say.uri]],
  ["uuid", [/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i, say.uuid]],
  ["date", [/^\d{4}-\d{2}-\d{2}$/, say.date]],
]);

export function textProblem(value: string, schema: Schema): string | undefined {
  const length = [...value].length;
  const least = numberAt(schema, "minLength");
  if (least !== undefined && length < least) return say.minLength(least);
  const most = numberAt(schema, "maxLength");
  if (most !== undefined && length > most) return say.maxLength(most);
  const pattern = textAt(schema, "pattern");
  if (pattern !== undefined && !matchesPattern(pattern, value)) return say.pattern;
  const format = formats.get(schema.format);
  return format && !format[0].test(value) ? format[1] : undefined;
}
