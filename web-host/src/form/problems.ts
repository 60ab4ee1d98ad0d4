// The problems a single typed value can have, as sentences.

import { matchesPattern } from "../draw/regex";
import { guestStrings as say } from "../strings";
import type { Schema } from "../wire/json";
import { isMultipleOf } from "./decimal";

export function numberProblem(value: number, schema: Schema): string | undefined {
  if (!Number.isFinite(value)) return say.notNumber;
  if (schema.type === "integer" && !Number.isInteger(value)) return say.notInteger;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number" && value < minimum) return say.atLeast(String(minimum));
  if (typeof maximum === "number" && value > maximum) return say.atMost(String(maximum));
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    return say.moreThan(String(exclusiveMinimum));
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    return say.lessThan(String(exclusiveMaximum));
  return typeof multipleOf === "number" && !isMultipleOf(value, multipleOf)
    ? say.multipleOf(String(multipleOf))
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
  if (length < schema.minLength) return say.minLength(schema.minLength);
  if (length > schema.maxLength) return say.maxLength(schema.maxLength);
  if (typeof schema.pattern === "string" && !matchesPattern(schema.pattern, value))
    return say.pattern;
  const format = formats.get(schema.format);
  return format && !format[0].test(value) ? format[1] : undefined;
}
