// The problems a single typed value can have, as sentences.

import { matchesPattern } from "../draw/regex";
import type { Schema } from "../wire/json";
import { isMultipleOf } from "./decimal";
import { numberAt, textAt } from "./schema";
import { formStrings } from "./strings";

export function numberProblem(value: number, schema: Schema): string | undefined {
  if (!Number.isFinite(value)) return formStrings.notNumber;
  if (schema.type === "integer" && !Number.isInteger(value)) return formStrings.notInteger;
  const least = numberAt(schema, "minimum");
  if (least !== undefined && value < least) return formStrings.atLeast(String(least));
  const most = numberAt(schema, "maximum");
  if (most !== undefined && value > most) return formStrings.atMost(String(most));
  const above = numberAt(schema, "exclusiveMinimum");
  if (above !== undefined && value <= above) return formStrings.moreThan(String(above));
  const below = numberAt(schema, "exclusiveMaximum");
  if (below !== undefined && value >= below) return formStrings.lessThan(String(below));
  const step = numberAt(schema, "multipleOf");
  return step !== undefined && !isMultipleOf(value, step)
    ? formStrings.multipleOf(String(step))
    : undefined;
}

const formats: ReadonlyMap<unknown, readonly [RegExp, string]> = new Map<
  unknown,
  readonly [RegExp, string]
>([
  ["email", [/^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/, formStrings.email]],
  ["uri", [/^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i, formStrings.uri]],
  ["url", [/^https?:\/\/[^\s<>"{}|\\^`]+$/i, formStrings.uri]],
  ["uuid", [/^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$/i, formStrings.uuid]],
  ["date", [/^\d{4}-\d{2}-\d{2}$/, formStrings.date]],
]);

export function textProblem(value: string, schema: Schema): string | undefined {
  const length = [...value].length;
  const least = numberAt(schema, "minLength");
  if (least !== undefined && length < least) return formStrings.minLength(least);
  const most = numberAt(schema, "maxLength");
  if (most !== undefined && length > most) return formStrings.maxLength(most);
  const pattern = textAt(schema, "pattern");
  if (pattern !== undefined && !matchesPattern(pattern, value)) return formStrings.pattern;
  const format = formats.get(schema.format);
  return format && !format[0].test(value) ? format[1] : undefined;
}
