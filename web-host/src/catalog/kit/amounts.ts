// Amounts in the smallest unit of their currency, typed as people write them: `2450` is 24.50 in
// euros.

import { useMemo } from "preact/hooks";
import { useDraw } from "../../draw/context";
import { exponentOf } from "../../draw/format";
import { isObject, parsePointer } from "../../draw/pointer";
import { hintIn } from "../../form/field";
import { propertiesOf } from "../../form/schema";
import type { Json, Schema } from "../../wire/json";

/** The schema of a form with its amounts in whole units, as far as the page says their currency. */
export function useAmounts(schema: Schema): Schema {
  const { model } = useDraw();
  const paths = useMemo(() => currenciesIn(schema), [schema]);
  // A currency that stands nowhere is given by its code.
  const codes = paths.map((path) => (path.startsWith("/") ? model.read(parsePointer(path)) : path));
  return useMemo(
    () =>
      paths.length === 0
        ? schema
        : inUnits(schema, new Map(paths.map((path, at) => [path, codes[at]]))),
    [schema, ...codes],
  );
}

function currenciesIn(schema: Json | undefined): string[] {
  if (!isObject(schema)) return [];
  const own = hintIn(schema, "currency");
  const inner = Object.values(propertiesOf(schema)).flatMap(currenciesIn);
  return [...new Set(own ? [own, ...inner] : inner)];
}

function inUnits(schema: Schema, codes: ReadonlyMap<string, unknown>): Schema {
  const members = Object.entries(propertiesOf(schema));
  if (members.length > 0) {
    const properties = members.map(([name, member]) => [
      name,
      isObject(member) ? inUnits(member, codes) : member,
    ]);
    return { ...schema, properties: Object.fromEntries(properties) };
  }
  const code = codes.get(hintIn(schema, "currency") ?? "");
  const places = exponentOf(code);
  if (places === undefined || schema.enum || schema.const !== undefined) return schema;
  const scaled = (bound: unknown) => (typeof bound === "number" ? bound / 10 ** places : undefined);
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, ...other } = schema;
  const { example: _, examples: __, ...rest } = other;
  const whole = schema.type === "integer" || multipleOf !== undefined;
  const bounds = Object.entries({
    minimum: scaled(minimum),
    maximum: scaled(maximum),
    exclusiveMinimum: scaled(exclusiveMinimum),
    exclusiveMaximum: scaled(exclusiveMaximum),
    multipleOf: whole ? scaled(multipleOf ?? 1) : undefined,
  }).filter(([, bound]) => bound !== undefined);
  return {
    ...rest,
    ...Object.fromEntries(bounds),
    title: schema.title ?? hintIn(schema, "title"),
    type: "number",
    places,
    $comment: `ui: unit=${String(code).toUpperCase()}`,
  };
}
