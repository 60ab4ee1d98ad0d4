// The functions of the A2UI basic catalog that a binding or a check may call.

import type { Json, JsonObject } from "../wire/json";
import { formatDatePattern, formatMoney, formatNumeral } from "./format";
import { interpolate } from "./interpolate";
import { MAX_SOURCE, shorten } from "./limits";
import type { BindingScope } from "./model";
import { matchesPattern } from "./regex";
import { text } from "./text";

const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

type CatalogFunction = (args: JsonObject, scope: BindingScope) => Json | undefined;

const functions: ReadonlyMap<string, CatalogFunction> = new Map<string, CatalogFunction>([
  ["required", ({ value }) => !isBlank(value)],
  [
    "regex",
    ({ value, pattern }) => isBlank(value) || matchesPattern(String(pattern ?? ""), String(value)),
  ],
  [
    "length",
    ({ value, min, max }) => within([...shorten(text(value), MAX_SOURCE)].length, min, max),
  ],
  [
    "numeric",
    ({ value, min, max }) =>
      isBlank(value) || (isNumeral(value) && within(Number(value), min, max)),
  ],
  ["email", ({ value }) => isBlank(value) || EMAIL.test(text(value))],
  ["and", ({ values }) => list(values).every(Boolean)],
  ["or", ({ values }) => list(values).some(Boolean)],
  ["not", ({ value }) => !value],
  [
    "formatString",
    ({ value }, scope) => interpolate(text(value), scope, (name) => functions.get(name)),
  ],
  [
    "formatNumber",
    ({ value, decimals, grouping }, { locale }) => formatNumeral(value, locale, decimals, grouping),
  ],
  [
    "formatCurrency",
    ({ value, currency, decimals, grouping, minor }, { locale }) =>
      formatMoney(value, locale, currency, decimals, grouping, minor === true),
  ],
  ["formatDate", ({ value, format }, { locale }) => formatDatePattern(value, text(format), locale)],
  ["pluralize", (args, { locale }) => pluralize(args, locale)],
  ["openUrl", ({ url }) => text(url)],
]);

export function callFunction(
  name: string,
  args: JsonObject,
  scope: BindingScope,
): Json | undefined {
  return functions.get(name)?.(args, scope);
}

function isBlank(value: Json | undefined): boolean {
  return (
    value === undefined ||
    value === null ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}

function list(values: Json | undefined): readonly Json[] {
  return Array.isArray(values) ? values : [];
}

function isNumeral(value: Json | undefined): boolean {
  return (
    (typeof value === "number" || (typeof value === "string" && value.trim() !== "")) &&
    Number.isFinite(Number(value))
  );
}

function within(size: number, min: Json | undefined, max: Json | undefined): boolean {
  return (typeof min !== "number" || size >= min) && (typeof max !== "number" || size <= max);
}

function pluralize(args: JsonObject, locale: string): string {
  if (args.value === undefined || args.value === null) return "";
  const count = Number(args.value);
  const exact = count === 0 ? args.zero : undefined;
  const category = new Intl.PluralRules(locale).select(count);
  return text(exact ?? args[category] ?? args.other);
}
