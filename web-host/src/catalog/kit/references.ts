// Inputs whose values are ids of the page's records, which are chosen by their names.

import { useMemo } from "preact/hooks";
import { resolve } from "../../draw/bind";
import { useDraw } from "../../draw/context";
import { isArray, isObject, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import { humanise, worded } from "../../form/field";
import { propertiesOf } from "../../form/schema";
import type { Json, Schema } from "../../wire/json";
import type { Reference } from "../../wire/view";
import { calledBy, isTechnical } from "./names";
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

/** A record as an option: by its name, and by more where that is not its own. */
interface Option {
  readonly row: Json;
  readonly value: string | number;
  readonly label: string;
}

type Called = (value: Json | undefined) => string;

function optionsOf(value: Json | undefined, refers: Reference, called: Called): Option[] {
  const rows = recordsIn(value, refers).slice(0, MAX_OPTIONS);
  const known = new Set<Json>();
  const options = rows.flatMap((row): Option[] => {
    const id = own(row, refers.key);
    // What several records hold is one option.
    if ((typeof id !== "string" && typeof id !== "number") || known.has(id)) return [];
    known.add(id);
    const name = called(own(row, refers.titleField));
    return [{ row, value: id, label: isTechnical(name) ? "" : name }];
  });
  return toldApart(options, refers, called);
}

/**
 * Options with the same name, or without one, by what else is said of them: seats of one row by
 * their number, appointments by when they are.
 */
function toldApart(options: readonly Option[], refers: Reference, called: Called): Option[] {
  const labels = options.map(({ label }) => label);
  const byLabel = new Map<string, number[]>();
  for (const [at, label] of labels.entries())
    byLabel.set(label, [...(byLabel.get(label) ?? []), at]);
  for (const [label, group] of byLabel) {
    if (label !== "" && group.length === 1) continue;
    const first = options[group[0]!]!.row;
    for (const member of isObject(first) ? Object.keys(first) : []) {
      if (member === refers.key || (member === refers.titleField && label !== "")) continue;
      const said = group.map((at) => own(options[at]!.row, member)).map(scalar);
      const words = said.map((one) => worded(called(one)));
      // An id tells nobody anything, and what all of them have in common tells none apart.
      if (words.some(isTechnical) || words.every((one) => one === words[0])) continue;
      for (const [nth, at] of group.entries()) labels[at] = `${labels[at]} ${words[nth]}`.trim();
      if (new Set(group.map((at) => labels[at])).size === group.length) break;
    }
  }
  return options.map((option, at) => ({ ...option, label: labels[at] || text(option.value) }));
}

function scalar(value: Json | undefined): Json | undefined {
  return typeof value === "number" || typeof value === "string" ? value : undefined;
}
