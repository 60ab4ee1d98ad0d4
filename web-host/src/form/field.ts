// Reads a JSON Schema node into the one field a person fills in for it.

import { MAX_FIELDS, MAX_OPTIONS } from "../draw/limits";
import { arrayOf, bare, isArray, isObject, own } from "../draw/pointer";
import { text } from "../draw/text";
import { guestStrings as say } from "../strings";
import type { Json, Schema } from "../wire/json";
import {
  normalise,
  numberAt,
  onlyValueOf,
  optionsOf,
  propertiesOf,
  requiredOf,
  textAt,
  unionOf,
} from "./schema";

type FieldKind =
  | "line"
  | "text"
  | "email"
  | "uri"
  | "file"
  | "date"
  | "date-time"
  | "time"
  | "number"
  | "boolean"
  | "consent"
  | "choice"
  | "choices"
  | "fixed"
  | "group"
  | "list"
  | "map"
  | "union"
  | "json";

export interface Field {
  readonly kind: FieldKind;
  readonly schema: Schema;
  readonly root: Schema;
  readonly label: string;
  /** What is said below the label. */
  readonly hint: string | undefined;
  readonly nullable: boolean;
  readonly depth: number;
}

const LONG_TEXT = /^(.*_)?(description|message|summary|notes?|body|comments?|text|details)$/i;
const MAX_DEPTH = 8;

export function fieldOf(schema: Json | undefined, name: string, root: Schema, depth = 0): Field {
  const { node, nullable } = normalise(schema, root);
  const kind = depth > MAX_DEPTH ? "json" : kindOf(node, name, root);
  const label =
    textAt(node, "title") ??
    (hintIn(node, "unit") && hintIn(node, "title")) ??
    humanise(kind === "file" ? name.replace(/_?data_?url$/i, "") || name : name);
  return { kind, schema: node, root, label, hint: textAt(node, "description"), nullable, depth };
}

/** What the `$comment` of a schema says behind a word: `ui: unit=kg`. */
export function hintIn(schema: Schema, word: "currency" | "title" | "unit"): string | undefined {
  const [, hints] = textAt(schema, "$comment")?.split(/^\s*ui:/) ?? [];
  const found = hints?.split(/[,;]/).find((hint) => hint.trim().startsWith(`${word}=`));
  return found?.slice(found.indexOf("=") + 1).trim();
}

/**
 * How many digits of an amount stand behind its point, if it is sent in the smallest unit of its
 * currency.
 */
export function placesOf({ schema }: Field): number {
  return numberAt(schema, "places") ?? 0;
}

export interface Member {
  readonly name: string;
  readonly field: Field;
  readonly required: boolean;
}

/**
 * The parsed fields of a group, cached because its drafts, problems and controls need them for
 * every character typed.
 */
const members = new WeakMap<Field, readonly Member[]>();

/** The fields of a group, in the order the schema declares them. */
export function membersOf(field: Field): readonly Member[] {
  let found = members.get(field);
  if (!found) members.set(field, (found = readMembers(field)));
  return found;
}

function readMembers(field: Field): readonly Member[] {
  const required = requiredOf(field.schema);
  const properties = propertiesOf(field.schema);
  return Object.keys(properties)
    .slice(0, MAX_FIELDS)
    .map((name) => ({
      name,
      field: fieldOf(own(properties, name), name, field.root, field.depth + 1),
      required: required.includes(name),
    }));
}

/** The field of a whole form, within the limits; deeper parts are entered as JSON. */
export function formFieldOf(schema: Schema, room = MAX_FIELDS): Field {
  const most = Math.min(room, MAX_FIELDS);
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const field = fieldOf(schema, "", schema, depth);
    if (roomAfter(field, most) >= 0) return field;
  }
  return fieldOf(schema, "", schema, MAX_DEPTH + 1);
}

/** Options of a choice that need as much room as one field. */
const OPTIONS_PER_FIELD = 40;

/** How many more fields there may be after this one and all within it. */
export function roomAfter(field: Field, room: number): number {
  const within =
    field.kind === "group"
      ? membersOf(field).map((member) => member.field)
      : field.kind === "union"
        ? branchesOf(field)
        : field.kind === "list"
          ? [itemOf(field)]
          : field.kind === "map"
            ? [mapValueOf(field)]
            : [];
  let left = room - 1;
  if (field.kind === "choice")
    left -= Math.floor(Math.min(optionsOf(field.schema).length, MAX_OPTIONS) / OPTIONS_PER_FIELD);
  for (const inner of within) if (left >= 0) left = roomAfter(inner, left);
  return left;
}

export function itemOf(field: Field): Field {
  const { items } = field.schema;
  const title = isObject(items) ? textAt(items, "title") : undefined;
  return fieldOf(items, title ?? singular(field.label), field.root, field.depth + 1);
}

export function mapValueOf(field: Field): Field {
  return fieldOf(field.schema.additionalProperties, "value", field.root, field.depth + 1);
}

/**
 * What was decided by the choice of a union's branch: by nothing else is it told from the others.
 */
const decided = new WeakSet<object>();

/** Whether a value is the person's already, as they chose the branch it stands for. */
export function isDecided(field: Field): boolean {
  return decided.has(field.schema);
}

/** A confirmation that only the person can give. */
function isTrueOnly(node: Schema): boolean {
  return onlyValueOf(node) === true;
}

/** The branches of a union; what stands beside the union belongs to every branch. */
export function branchesOf(field: Field): Field[] {
  const { oneOf: _, anyOf: __, ...beside } = field.schema;
  const nodes = (unionOf(field.schema) ?? []).map((branch) => normalise(branch, field.root).node);
  const constant = (node: Schema, name: string) => own(own(propertiesOf(node), name), "const");
  return nodes.map((node, index) => {
    const properties = Object.assign(bare<Json>(), propertiesOf(beside), propertiesOf(node));
    for (const name of Object.keys(properties)) {
      const value = constant(node, name);
      const others = nodes.filter((other) => other !== node).map((other) => constant(other, name));
      if (value === undefined || others.some((other) => other === undefined || other === value))
        continue;
      const fixed = { const: value };
      properties[name] = fixed;
      decided.add(fixed);
    }
    const merged = {
      ...beside,
      ...node,
      ...(beside.properties || node.properties ? { properties } : {}),
      required: [...requiredOf(beside), ...requiredOf(node)],
      title: node.title ?? branchName(node, index),
    };
    return fieldOf(merged, field.label, field.root, field.depth + 1);
  });
}

function branchName(node: Schema, index: number): string {
  const fixed = Object.values(propertiesOf(node)).map(onlyValueOf);
  const name =
    fixed.find((value) => value !== undefined) ?? node.const ?? node.description ?? node.type;
  return typeof name === "string" ? humanise(name) : `${index + 1}`;
}

function kindOf(node: Schema, name: string, root: Schema): FieldKind {
  if (isTrueOnly(node) && !decided.has(node)) return "consent";
  if (node.const !== undefined) return "fixed";
  if (isArray(node.enum)) return "choice";
  const branches = unionOf(node);
  if (branches) return areConstants(branches) ? "choice" : "union";
  switch (node.type ?? impliedType(node)) {
    case "string":
      return stringKind(node, name);
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array": {
      const items = normalise(node.items, root).node;
      return isArray(items.enum) && (items.names || items.enum.length <= 12) ? "choices" : "list";
    }
    case "object":
      if (Object.keys(propertiesOf(node)).length > 0) return "group";
      if (isObject(node.additionalProperties)) return "map";
      // An object that says nothing takes nothing (contract.md §6.1), and nothing is asked.
      return node.additionalProperties === true ? "json" : "group";
    default:
      return "json";
  }
}

function areConstants(branches: readonly Json[]): boolean {
  return branches.length > 0 && branches.every((branch) => own(branch, "const") !== undefined);
}

/** The options of a field with their labels, from an enum or from a union of constants. */
export function choicesOf(schema: Schema): { readonly value: Json; readonly label: string }[] {
  const named = schema.enum ? undefined : unionOf(schema);
  if (named)
    return named.slice(0, MAX_OPTIONS).map((branch) => {
      const value = own(branch, "const") ?? null;
      return { value, label: String(own(branch, "title") ?? value) };
    });
  const names = arrayOf(schema.names);
  return optionsOf(schema)
    .slice(0, MAX_OPTIONS)
    .map((value, index) => ({
      value,
      label:
        // Ids of the page's records come with the names of the records.
        text(names[index]) ||
        (typeof value === "object"
          ? JSON.stringify(value)
          : typeof value === "string"
            ? // A tab between columns has no letter to show.
              humanise(value).trim() || JSON.stringify(value)
            : typeof value === "boolean"
              ? say[value ? "yes" : "no"]
              : String(value)),
    }));
}

function impliedType(node: Schema): string | undefined {
  return node.properties ? "object" : node.items ? "array" : undefined;
}

function stringKind(node: Schema, name: string): FieldKind {
  if (/data_?url$/i.test(name)) return "file";
  switch (node.format) {
    case "email":
    case "date":
    case "date-time":
    case "time":
      return node.format;
    case "uri":
    case "url":
      return "uri";
    default:
      return (numberAt(node, "maxLength") ?? 0) > 120 ||
        LONG_TEXT.test(name) ||
        /[a-z](Description|Message|Summary|Notes?|Body|Comments?)$/.test(name)
        ? "text"
        : "line";
  }
}

/**
 * Turns an identifier into words; texts with spaces or non-ASCII characters are already written for
 * people.
 */
export function humanise(name: string): string {
  if (/\s/.test(name) || (!/^[a-z]/.test(name) && !/_/.test(name)))
    return name && name[0]!.toUpperCase() + name.slice(1);
  const words = name
    .replace(/(\d)_(?=\d)/g, "$1–")
    .replace(/(?<!aes|base|crc|iso|sha|usb|utf)(?<=[a-z]{3})(?=\d+[A-Z])/g, " ")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/\b([A-Z])([A-Z][a-z]{2})/g, "$1 $2")
    .replace(/[_\-.]+/g, " ")
    .trim();
  const lower = words.replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
  const cased = lower.replace(ACRONYM, (word) => word.toUpperCase());
  return cased ? cased[0]!.toUpperCase() + cased.slice(1) : name;
}

/** A word of a list as it was written; one that programs use becomes words. */
export function worded(item: string): string {
  return /^[a-z\d]+(_[a-z\d]+)+$|^[a-z]{2,}([A-Z][a-z\d]*)*[A-Z][a-z\d]+$/.test(item)
    ? humanise(item)
    : item;
}

/** Words the composer writes in capitals, too. */
const ACRONYM =
  /\b(ai|api|bic|cpu|css|csv|db|eta|gpu|html|http|iban|id|ip|iso|json|pdf|pin|ram|sku|sms|sql|ssd|ui|uri|url|utc|uuid|vat|vip)\b/g;

/** The whole numbers of a short scale; undefined for any other field. */
export function scaleOf({ kind, schema }: Field): readonly number[] | undefined {
  const low = numberAt(schema, "minimum");
  const high = numberAt(schema, "maximum");
  if (
    kind !== "number" ||
    schema.type !== "integer" ||
    low === undefined ||
    high === undefined ||
    !Number.isInteger(low) ||
    !Number.isInteger(high)
  )
    return undefined;
  const count = high - low + 1;
  return count > 1 && count <= MAX_SCALE
    ? Array.from({ length: count }, (_, index) => low + index)
    : undefined;
}

const MAX_SCALE = 11;
const STARS = /rating|stars/i;

/** How many stars a field has; undefined if it is not a rating. */
export function starsOf(field: Field, name: string): number | undefined {
  const scale = scaleOf(field);
  return scale?.[0] === 1 && scale.length <= 5 && STARS.test(name) ? scale.length : undefined;
}

export function singular(label: string): string {
  return /[^s]s$/i.test(label) ? label.slice(0, -1) : label;
}
