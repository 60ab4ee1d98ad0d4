// The names behind ids: what a person reads where a record holds nothing but the id of another one.

import { formatValue } from "../../draw/format";
import { shortName } from "../../draw/limits";
import type { DataModel } from "../../draw/model";
import { isArray, isObject, own } from "../../draw/pointer";
import { text } from "../../draw/text";
import { humanise } from "../../form/field";
import type { Json } from "../../wire/json";

/** Records that are looked at for their names: what a page shows of is far less. */
const MAX_RECORDS = 5000;
/** Lists inside records inside lists: deeper ones are seldom spoken of elsewhere. */
const MAX_DEPTH = 5;

const NAME = /(name|title|label|heading|headline|subject)$/i;
/** What is known by its words: a task, a question. */
const WORDS = /^(question|task|text|what)$/;
/** A text that people wrote: it has a space, or begins with a capital letter. */
const SAID = /^\p{Lu}|\s/u;
/** Words that programs join, which is no id. */
const JOINED = /^[a-z]{2,}(_[a-z]{2,})+$/;

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

/** A member that is the key of its record, even if that is a word. */
const KEYED = /(id|key|code|slug|ref)$/i;

/** Whether a text may be the key of a record that has a name, too: a technical one, or a word. */
export function isSlug(value: unknown): boolean {
  return isTechnical(value) || (typeof value === "string" && /^[a-z]+$/.test(value));
}

/** A code that is made of the words of a name: `gelMani`, `INS_VLC`. */
const CODED = /^[a-z]+([A-Z]\w*)+$|^[A-Z]+_\w+$/;

/** Whether a text may be the key of a record that has a name, too. */
export function isKey(value: unknown): value is string {
  return typeof value === "string" && (isSlug(value) || CODED.test(value));
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
  const found = isKey(value) && nameById(value, model);
  return shortName(found || (isText(value) ? written(value, locale) : text(value)));
}

/** A step by its name, in words that people use. */
export function spelled(value: string, locale: string): string {
  return JOINED.test(value) ? humanise(value) : written(value, locale);
}

/** A text as it was written, a moment or a day as a person reads it. */
function written(value: string, locale: string): string {
  return formatValue(value, DAY.test(value) ? "date" : undefined, locale);
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

/** A hash, by which people know a version. */
const HASH = /^[0-9a-f]{7,40}$/;

/** Whether a member refers to a record elsewhere, in words that nobody reads. */
export function isUnread(
  field: string,
  value: Json | undefined,
  model: Pick<DataModel, "read">,
): boolean {
  const is = /ref$/i.test(field) && isTechnical(value) && !HASH.test(value);
  return is && nameById(value, model) === undefined;
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
  const take = (id: unknown, record: Json, within = "") => {
    const isId = KEYED.test(within) ? isKey : isTechnical;
    if (!isId(id) || !isObject(record)) return;
    const named = (pattern: RegExp) =>
      Object.keys(record).find(
        (key) => pattern.test(key) && typeof record[key] === "string" && record[key] !== id,
      );
    // The kind of a record is no id, whatever is said beside it.
    const said = () =>
      JOINED.test(id)
        ? undefined
        : Object.keys(record).find((key) => SAID.test(text(record[key])) && isText(record[key]));
    const member = named(NAME) ?? named(WORDS) ?? said();
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
        const [first = ""] = Object.keys(item);
        take(own(item, first), item, first);
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
