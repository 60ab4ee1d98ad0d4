// Reads JSON Schema nodes: nothing in them is trusted to have the right type.

import { arrayOf, isArray, isObject, own, parsePointer } from "../draw/pointer";
import type { Json, Schema } from "../wire/json";

/** How many references are followed from one node. */
const MAX_HOPS = 8;

/** The schema of an object that has no fields. */
export const NO_FIELDS: Schema = { type: "object", properties: {} };

const UNIONS = ["oneOf", "anyOf"] as const;

export function textAt(schema: Schema, keyword: string): string | undefined {
  const value = schema[keyword];
  return typeof value === "string" ? value : undefined;
}

export function numberAt(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}

export function propertiesOf(schema: Schema): Schema {
  return isObject(schema.properties) ? schema.properties : {};
}

export function requiredOf(schema: Schema): string[] {
  return arrayOf(schema.required).filter((name) => typeof name === "string");
}

export function optionsOf(schema: Schema): readonly Json[] {
  return arrayOf(schema.enum);
}

/** The branches of a union; undefined if the schema is none. */
export function unionOf(schema: Schema): readonly Json[] | undefined {
  const branches = schema.oneOf ?? schema.anyOf;
  return isArray(branches) ? branches : undefined;
}

/** The one value that a schema accepts: its constant, or its only option. */
export function onlyValueOf(schema: Json | undefined): Json | undefined {
  if (!isObject(schema)) return undefined;
  const options = optionsOf(schema);
  return schema.const ?? (options.length === 1 ? options[0] : undefined);
}

/** The schema without references and without null, and whether it accepts null. */
export function normalise(
  schema: Json | undefined,
  root: Schema,
): { readonly node: Schema; readonly nullable: boolean } {
  let node = isObject(schema) ? schema : {};
  for (let hops = 0; typeof node.$ref === "string" && hops < MAX_HOPS; hops++)
    node = dereference(node, node.$ref, root);
  let nullable = node.nullable === true;
  if (isArray(node.type)) {
    const types = node.type.filter((type) => type !== "null");
    nullable ||= types.length < node.type.length;
    node = { ...node, type: types.length === 1 ? types[0] : undefined };
  }
  for (const union of UNIONS) {
    const branches = node[union];
    if (!isArray(branches)) continue;
    const kept = branches.filter((branch) => own(branch, "type") !== "null");
    nullable ||= kept.length < branches.length;
    const { [union]: _, ...rest } = node;
    if (kept.length !== 1) node = { ...rest, [union]: kept };
    else {
      const only = normalise(kept[0], root);
      node = { ...only.node, ...rest };
      nullable ||= only.nullable;
    }
  }
  const options = optionsOf(node);
  if (options.includes(null)) {
    nullable = true;
    node = { ...node, enum: options.filter((option) => option !== null) };
  }
  return { node, nullable };
}

function dereference(node: Schema, reference: string, root: Schema): Schema {
  const { $ref: _, ...beside } = node;
  let target: Json | undefined = reference.startsWith("#") ? root : undefined;
  for (const key of parsePointer(reference.slice(1))) target = own(target, key);
  return isObject(target) ? { ...target, ...beside } : beside;
}
