// Generates the types of the live channel's frames from the server's schemas: `node scripts/wire.mjs`.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../");
const target = `${root}web-host/src/wire/channel.ts`;

const union = (types) => [...new Set(types)].join(" | ");
const named = (ref) => ref.split("/").at(-1);

function typeOf(schema) {
  if (schema.$ref) return named(schema.$ref);
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) {
    const choice = union(branches.map(typeOf));
    const { oneOf, anyOf, ...beside } = schema;
    return beside.properties ? `${typeOf(beside)} & (${choice})` : choice;
  }
  switch (schema.type) {
    case "object":
      return schema.properties ? membersOf(schema) : "JsonObject";
    case "array":
      return `readonly (${typeOf(schema.items ?? {})})[]`;
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    default:
      return Array.isArray(schema.type)
        ? union(schema.type.map((type) => typeOf({ ...schema, type })))
        : "Json";
  }
}

/** An optional member is absent, never null. */
function membersOf({ properties, required = [] }) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = isRequired ? typeOf(schema) : typeOf(schema).replace(/ \| null$/, "");
    return `${comment(schema)}readonly ${name}${isRequired ? "" : "?"}: ${type};`;
  });
  return `{\n${members.join("\n")}\n}`;
}

function comment({ description }) {
  return description ? `/** ${description.replace(/ \(§[\d.]+\)/, "")} */\n` : "";
}

/** The source of `src/wire/channel.ts`. */
export function channelTypes() {
  const types = new Map();
  for (const side of ["client", "server"]) {
    const schema = JSON.parse(readFileSync(`${root}schemas/frames/${side}.json`, "utf8"));
    for (const [name, definition] of [...Object.entries(schema.$defs), [schema.title, schema]]) {
      const text = `${comment(definition)}export type ${name} = ${typeOf(definition)};\n`;
      if ((types.get(name) ?? text) !== text) throw new Error(`${name} is two things`);
      types.set(name, text);
    }
  }
  const note =
    "// The frames of the live channel. Written by scripts/wire.mjs from schemas/frames.\n";
  const source = [note, 'import type { Json, JsonObject } from "./json";\n', ...types.values()];
  const biome = `${root}web-host/node_modules/.bin/biome`;
  return execFileSync(biome, ["format", "--stdin-file-path", target], {
    cwd: `${root}web-host`,
    input: source.join("\n"),
    encoding: "utf8",
  });
}

if (process.argv[1] === import.meta.filename) writeFileSync(target, channelTypes());
