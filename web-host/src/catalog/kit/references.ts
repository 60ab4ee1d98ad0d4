// Inputs whose values are ids of the page's records, which are chosen by their names.

import { useMemo } from "preact/hooks";
import { resolve } from "../../draw/bind";
import { useDraw } from "../../draw/context";
import { shortName } from "../../draw/limits";
import { isArray, isObject, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import { humanise } from "../../form/field";
import { propertiesOf } from "../../form/schema";
import type { Json, Schema } from "../../wire/json";
import type { Reference } from "../../wire/view";
import { calledBy } from "./names";
import { recordsIn } from "./structure";

/** With more options than this, a list is searched rather than chosen from. */
const MAX_OPTIONS = 500;

/** The schema of a form with the records of the page as the options of its ids. */
export function useReferences(
  schema: Schema,
  choices: { readonly [field: string]: Reference } | undefined,
  row?: Json,
): Schema {
  const { model, locale } = useDraw();
  const named = Object.entries(choices ?? {});
  const values = named.map(([, { rows }]) => resolve(rows, { model, path: [], locale }));
  return useMemo(() => {
    let whole = schema;
    named.forEach(([path, refers], index) => {
      // What is done to one record chooses among what that record holds.
      const held = refers.within ? own(row, refers.within) : undefined;
      const options = optionsOf(isArray(held) ? [row!] : values[index], refers, (value) =>
        calledBy(value, model, locale),
      );
      if (options.length === 0) return;
      const one = {
        enum: options.map(({ value }) => value),
        names: options.map(({ label }) => label),
      };
      whole = changedAt(whole, path.split("/"), (field, name) => {
        const { pattern: _, format: __, ...rest } = field;
        const title = rest.title ?? chosenName(name);
        return isObject(field.items)
          ? { ...rest, title, uniqueItems: true, items: { ...field.items, ...one } }
          : { ...rest, title, ...one };
      });
    });
    return whole;
  }, [schema, choices, row, ...values]);
}

/** A schema with another member: one that stands inside others, or in each of several. */
function changedAt(
  schema: Schema,
  [name, ...inner]: readonly string[],
  change: (field: Schema, name: string) => Schema,
): Schema {
  if (isObject(schema.items)) {
    return { ...schema, items: changedAt(schema.items, [name!, ...inner], change) };
  }
  const properties = propertiesOf(schema);
  const field = own(properties, name);
  if (!isObject(field)) return schema;
  const changed = inner.length === 0 ? change(field, name!) : changedAt(field, inner, change);
  return { ...schema, properties: { ...properties, [name!]: changed } };
}

/** What is chosen by name is no id: `invoiceIds` are invoices. */
function chosenName(name: string): string | undefined {
  const [, stem, many] = /^(.+?)(?:_id|(?<=[a-z0-9])I[dD])(s?)$/.exec(name) ?? [];
  if (!stem) return undefined;
  const plural = /[^aeiou]y$/.test(stem)
    ? `${stem.slice(0, -1)}ies`
    : `${stem}${/(ch|sh|s|x)$/.test(stem) ? "es" : "s"}`;
  return humanise(many ? plural : stem);
}

function optionsOf(
  value: Json | undefined,
  refers: Reference,
  called: (value: Json | undefined) => string,
) {
  const rows = recordsIn(value, refers).slice(0, MAX_OPTIONS);
  const known = new Set<Json>();
  const options = rows.flatMap((row) => {
    const id = own(row, refers.key);
    // What several records hold is one option.
    if ((typeof id !== "string" && typeof id !== "number") || known.has(id)) return [];
    known.add(id);
    return [{ row, value: id, label: called(own(row, refers.titleField)) || text(id) }];
  });
  const times = new Map<string, number>();
  for (const { label } of options) times.set(label, (times.get(label) ?? 0) + 1);
  // Seats of one row are told apart by their number.
  return options.map((option) =>
    times.get(option.label) === 1
      ? option
      : { ...option, label: `${option.label} ${besideName(option.row, refers)}`.trim() },
  );
}

/** What else a record is called: its first word or number beside its name and its id. */
function besideName(row: Json, { key, titleField }: Reference): string {
  const others = isObject(row) ? Object.keys(row) : [];
  const name = others.find(
    (member) =>
      member !== key &&
      member !== titleField &&
      (typeof own(row, member) === "number" || typeof own(row, member) === "string"),
  );
  return name ? shortName(text(own(row, name))) : "";
}
