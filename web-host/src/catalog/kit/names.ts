// The names behind ids: what a person reads where a record holds nothing but the id of another one.

import { formatValue } from "../../draw/format";
import { shortName } from "../../draw/limits";
import type { DataModel } from "../../draw/model";
import { isArray, isObject, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import type { Json } from "../../wire/json";

/** Records that are looked at for their names: what a page shows of is far less. */
const MAX_RECORDS = 5000;
/** Lists inside records inside lists: deeper ones are seldom spoken of elsewhere. */
const MAX_DEPTH = 5;

const NAME = /(name|title|label|heading|headline|subject)$/i;
/** What is known by its words: a task, a question. */
const WORDS = /^(question|task|text|what)$/;

/** A calendar day as programs write it. */
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Whether a text is written for programs: small letters with digits, hyphens or underscores, and no
 * space. `GS-0417` may as well be a number that people know something by.
 */
export function isTechnical(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length <= 64 &&
    /[\d_-]/.test(value) &&
    (/^[a-z][a-z0-9]*([_:-][a-z0-9]+)*$/.test(value) || /^[A-Za-z]\w*_\w+$/.test(value))
  );
}

/** Whether a text may be the key of a record that has a name, too: a technical one, or a word. */
export function isSlug(value: unknown): boolean {
  return isTechnical(value) || (typeof value === "string" && /^[a-z]+$/.test(value));
}

/**
 * What a record is called by one of its values: where that is the id of another one, what this is
 * called; a moment or a day as a person reads it.
 */
export function calledBy(
  value: Json | undefined,
  model: Pick<DataModel, "read">,
  locale: string,
): string {
  const found = isTechnical(value) && nameById(value, model);
  const format = typeof value === "string" && DAY.test(value) ? "date" : undefined;
  return shortName(
    found || (typeof value === "string" ? formatValue(value, format, locale) : text(value)),
  );
}

/** The names in props that were read before: they are new whenever something in them changes. */
const known = new WeakMap<object, ReadonlyMap<string, string>>();

/** What the record of the page with this id is called. */
export function nameById(id: string, model: Pick<DataModel, "read">): string | undefined {
  const props = model.read(["props"]);
  if (!isObject(props)) return undefined;
  let names = known.get(props);
  if (names === undefined) known.set(props, (names = namesIn(props)));
  return names.get(id);
}

/**
 * The names of all records that begin with an id, by that id; two names for one id are none. In a
 * map, the key of a record is its id.
 */
function namesIn(props: Json): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const unclear = new Set<string>();
  let left = MAX_RECORDS;
  const take = (id: unknown, record: Json) => {
    if (!isTechnical(id) || !isObject(record)) return;
    const named = (pattern: RegExp) =>
      Object.keys(record).find(
        (key) => pattern.test(key) && typeof record[key] === "string" && record[key] !== id,
      );
    const member = named(NAME) ?? named(WORDS);
    const name = member && String(record[member]);
    if (!name || isTechnical(name)) return;
    if (names.has(id) && names.get(id) !== name) unclear.add(id);
    names.set(id, name);
  };
  const walk = (value: Json | undefined, depth: number) => {
    if (depth > MAX_DEPTH || left <= 0) return;
    if (isArray(value)) {
      for (const item of value) {
        if (!isObject(item)) continue;
        left -= 1;
        take(own(item, Object.keys(item)[0]), item);
        walk(item, depth + 1);
      }
    } else if (isObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        if (isObject(inner)) take(key, inner);
        if (typeof inner === "object") walk(inner, depth + 1);
      }
    }
  };
  walk(props, 0);
  for (const id of unclear) names.delete(id);
  return names;
}
