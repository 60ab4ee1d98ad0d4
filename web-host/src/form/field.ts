// Reads a JSON Schema node into the one field a person fills in for it.

import { MAX_FIELDS, MAX_OPTIONS } from "../draw/limits";
import { bare, isObject, own, parsePointer } from "../draw/pointer";
import { guestStrings as say } from "../strings";
import type { Json, Schema } from "../wire/json";

export type FieldKind =
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
  readonly nullable: boolean;
  readonly depth: number;
}

const LONG_TEXT = /^(.*_)?(description|message|summary|notes?|body|comments?|text|details)$/i;
const MAX_DEPTH = 8;

export function fieldOf(schema: unknown, name: string, root: Schema, depth = 0): Field {
  const { node, nullable } = normalise(schema, root);
  const kind = depth > MAX_DEPTH ? "json" : kindOf(node, name, root);
  const title = node.title ?? (hintIn(node, "unit") && hintIn(node, "title"));
  const label =
    typeof title === "string"
      ? title
      : humanise(kind === "file" ? name.replace(/_?data_?url$/i, "") || name : name);
  return { kind, schema: node, root, label, nullable, depth };
}

/** What the `$comment` of a schema says behind a word: `ui: unit=kg`. */
export function hintIn(schema: Schema, word: "currency" | "title" | "unit"): string | undefined {
  const [, hints] = typeof schema.$comment === "string" ? schema.$comment.split(/^\s*ui:/) : [];
  const found = hints?.split(/[,;]/).find((hint) => hint.trim().startsWith(`${word}=`));
  return found?.slice(found.indexOf("=") + 1).trim();
}

/** How many digits of an amount stand behind its point, if it is sent in the smallest unit of its currency. */
export function placesOf({ schema }: Field): number {
  return typeof schema.places === "number" ? schema.places : 0;
}

export interface Member {
  readonly name: string;
  readonly field: Field;
  readonly required: boolean;
}

/** The parsed fields of a group, cached because its drafts, problems and controls need them for every character typed. */
const members = new WeakMap<Field, readonly Member[]>();

/** The fields of a group, in the order the schema declares them. */
export function membersOf(field: Field): readonly Member[] {
  let found = members.get(field);
  if (!found) members.set(field, (found = readMembers(field)));
  return found;
}

function readMembers(field: Field): readonly Member[] {
  const required = requiredOf(field.schema);
  const properties = isObject(field.schema.properties) ? field.schema.properties : {};
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
  const name =
    typeof field.schema.items?.title === "string"
      ? field.schema.items.title
      : singular(field.label);
  return fieldOf(field.schema.items ?? {}, name, field.root, field.depth + 1);
}

export function mapValueOf(field: Field): Field {
  return fieldOf(field.schema.additionalProperties, "value", field.root, field.depth + 1);
}

/** What was decided by the choice of a union's branch: by nothing else is it told from the others. */
const decided = new WeakSet<object>();

/** Whether a value is the person's already, as they chose the branch it stands for. */
export function isDecided(field: Field): boolean {
  return decided.has(field.schema);
}

/** A confirmation that only the person can give. */
function isTrueOnly(node: Schema): boolean {
  return node.const === true || (node.enum?.length === 1 && node.enum[0] === true);
}

/** The branches of a union; what stands beside the union belongs to every branch. */
export function branchesOf(field: Field): Field[] {
  const { oneOf, anyOf, ...beside } = field.schema;
  const nodes = ((oneOf ?? anyOf) as unknown[]).map((branch) =>
    isObject(branch) ? (normalise(branch, field.root).node as Schema) : {},
  );
  const constant = (node: Schema, name: string): Json | undefined =>
    isObject(node.properties) ? own(own(node.properties, name), "const") : undefined;
  return nodes.map((node, index) => {
    const properties = Object.assign(bare<Json>(), beside.properties, node.properties);
    for (const name of Object.keys(properties)) {
      const value = constant(node, name);
      const others = nodes.filter((other) => other !== node).map((other) => constant(other, name));
      if (value === undefined || others.some((other) => other === undefined || other === value))
        continue;
      properties[name] = { const: value };
      decided.add(properties[name] as object);
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

export function optionsOf(schema: Schema): readonly Json[] {
  return Array.isArray(schema.enum) ? schema.enum : [];
}

function branchName(node: Schema, index: number): string {
  const properties = Object.values(isObject(node.properties) ? node.properties : {}) as Schema[];
  const fixed = properties.find(
    (property) => property?.const !== undefined || property?.enum?.length === 1,
  );
  const name = fixed?.const ?? fixed?.enum?.[0] ?? node.const ?? node.description ?? node.type;
  return typeof name === "string" ? humanise(name) : `${index + 1}`;
}

function requiredOf(schema: Schema): string[] {
  return Array.isArray(schema.required)
    ? schema.required.filter((name: unknown): name is string => typeof name === "string")
    : [];
}

function normalise(schema: unknown, root: Schema): { node: Schema; nullable: boolean } {
  let node = isObject(schema) ? (schema as Schema) : {};
  for (let hops = 0; typeof node.$ref === "string" && hops < MAX_DEPTH; hops++)
    node = dereference(node, root);
  let nullable = node.nullable === true;
  if (Array.isArray(node.type)) {
    const types = node.type.filter((type: unknown) => type !== "null");
    nullable ||= types.length < node.type.length;
    node = { ...node, type: types.length === 1 ? types[0] : undefined };
  }
  for (const union of ["oneOf", "anyOf"]) {
    const branches = node[union];
    if (!Array.isArray(branches)) continue;
    const kept = branches.filter((branch: Schema) => branch?.type !== "null");
    nullable ||= kept.length < branches.length;
    const { [union]: _, ...rest } = node;
    if (kept.length !== 1) node = { ...rest, [union]: kept };
    else {
      const only = normalise(kept[0], root);
      node = { ...only.node, ...rest };
      nullable ||= only.nullable;
    }
  }
  if (Array.isArray(node.enum) && node.enum.includes(null)) {
    nullable = true;
    node = { ...node, enum: node.enum.filter((option: Json) => option !== null) };
  }
  return { node, nullable };
}

function dereference(node: Schema, root: Schema): Schema {
  const { $ref, ...beside } = node;
  let target: unknown = $ref.startsWith("#") ? root : undefined;
  for (const key of parsePointer($ref.slice(1))) target = own(target, key);
  return isObject(target) ? { ...(target as Schema), ...beside } : beside;
}

function kindOf(node: Schema, name: string, root: Schema): FieldKind {
  if (isTrueOnly(node) && !decided.has(node)) return "consent";
  if (node.const !== undefined) return "fixed";
  if (Array.isArray(node.enum)) return "choice";
  if (Array.isArray(node.oneOf ?? node.anyOf)) return constants(node) ? "choice" : "union";
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
      return Array.isArray(items.enum) && (items.names || items.enum.length <= 12)
        ? "choices"
        : "list";
    }
    case "object":
      if (isObject(node.properties) && Object.keys(node.properties).length > 0) return "group";
      return isObject(node.additionalProperties)
        ? "map"
        : node.properties && node.additionalProperties !== true
          ? "group"
          : "json";
    default:
      return "json";
  }
}

function constants(node: Schema): boolean {
  const branches = (node.oneOf ?? node.anyOf) as Schema[];
  return branches.length > 0 && branches.every((branch) => branch?.const !== undefined);
}

/** The options of a field with their labels, from an enum or from a union of constants. */
export function choicesOf(schema: Schema): { readonly value: Json; readonly label: string }[] {
  const named = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  if (!schema.enum && named)
    return named
      .slice(0, MAX_OPTIONS)
      .map((branch) => ({ value: branch.const, label: String(branch.title ?? branch.const) }));
  return optionsOf(schema)
    .slice(0, MAX_OPTIONS)
    .map((value, index) => ({
      value,
      label:
        // Ids of the page's records come with the names of the records.
        schema.names?.[index] ??
        (typeof value === "object"
          ? JSON.stringify(value)
          : typeof value === "string"
            ? humanise(value)
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
      return node.maxLength > 120 ||
        LONG_TEXT.test(name) ||
        /[a-z](Description|Message|Summary|Notes?|Body|Comments?)$/.test(name)
        ? "text"
        : "line";
  }
}

/** Turns an identifier into words; texts with spaces or non-ASCII characters are already written for people. */
export function humanise(name: string): string {
  if (/\s/.test(name) || (!/^[a-z]/.test(name) && !/_/.test(name)))
    return name && name[0]!.toUpperCase() + name.slice(1);
  const words = name
    .replace(/(\d)_(?=\d)/g, "$1–")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/[_\-.]+/g, " ")
    .trim();
  const lower = words.replace(/\b[A-Z][a-z]+/g, (word) => word.toLowerCase());
  const cased = lower.replace(ACRONYM, (word) => word.toUpperCase());
  return cased ? cased[0]!.toUpperCase() + cased.slice(1) : name;
}

/** Words the composer writes in capitals, too. */
const ACRONYM =
  /\b(ai|api|cpu|css|csv|db|eta|gpu|html|http|id|ip|iso|json|pdf|pin|ram|sku|sms|sql|ssd|ui|uri|url|utc|uuid|vat|vip)\b/g;

/** The whole numbers of a short scale; undefined for any other field. */
export function scaleOf({ kind, schema }: Field): readonly number[] | undefined {
  const { minimum: low, maximum: high } = schema;
  if (
    kind !== "number" ||
    schema.type !== "integer" ||
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
