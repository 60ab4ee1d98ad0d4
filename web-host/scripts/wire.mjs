// Generates the types of everything on the wire from the server's schemas: `node scripts/wire.mjs`.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../");

/** The files of `src/wire` that are written: their schemas, and the types; later ones import from earlier ones. */
const FILES = {
  observe: [["observe"]],
  channel: [["frames/client", "frames/server"]],
  runtime: [
    ["tools/ggui_runtime_submit_action.output", "tools/ggui_runtime_pull.output"],
    answerTypes,
  ],
  slice: [["slice"]],
  stage: [["stage"]],
  view: [["catalog"], viewTypes],
  records: [["catalog"], recordTypes],
  picks: [["catalog"], pickTypes],
  catalog: [["catalog"], catalogTypes],
};

const read = (file) => JSON.parse(readFileSync(`${root}schemas/${file}.json`, "utf8"));

const union = (types) => [...new Set(types)].join(" | ");
const named = (ref) => ref.split("/").at(-1);

function typeOf(schema) {
  if (schema.$ref) return named(schema.$ref);
  if (schema.title) return schema.title;
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
      // What may have further members is read as any JSON.
      if (schema.properties && schema.additionalProperties !== true) return membersOf(schema);
      return typeof schema.additionalProperties === "object"
        ? `{ readonly [name: string]: ${typeOf(schema.additionalProperties)} }`
        : "JsonObject";
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

/** Every type of some schemas: their definitions, themselves, and the branches of a choice that have a title. */
function typesOf(...schemas) {
  return schemas.flatMap(typesOfOne);
}

function typesOfOne(schema) {
  const types = [];
  for (const [name, definition] of [
    ...Object.entries(schema.$defs ?? {}),
    [schema.title, schema],
  ]) {
    const titled = (definition.oneOf ?? []).filter(({ title }) => title);
    for (const [title, { title: _, ...type }] of [
      ...titled.map((branch) => [branch.title, branch]),
      [name, definition],
    ])
      types.push([title, `${comment(type)}export type ${title} = ${typeOf(type)};\n`]);
  }
  return types;
}

/** What the tools answer that a shown UI calls: one type, because a host relays any of them. */
function answerTypes(...schemas) {
  const properties = Object.assign({}, ...schemas.map(({ properties }) => properties));
  // The rows of a page are those of the channel.
  properties.events = { type: "array", items: { $ref: "#/$defs/LedgerRow" } };
  const description = "What a runtime tool answers, and a page of `GET …/events`.";
  return [declared("RuntimeAnswer", { description, type: "object", properties })];
}

/** The types that the components of the catalog are made of, and what every component has. */
function viewTypes({ $defs, components }) {
  return [
    ...Object.entries($defs).map(([name, schema]) => declared(name, schema)),
    declared("CommonProperties", {
      description: "What every component has besides its name.",
      ...onlyProperties(Object.values(components)[0], (name) => isCommon(name, components)),
    }),
  ];
}

/** The components that show the records of an array, and let nobody choose from or answer them. */
function recordTypes({ components }) {
  return [group("RecordComponents", components, isShown, "The components that show records.")];
}

/** The components whose records are chosen from, answered, or said something to. */
function pickTypes({ components }) {
  const description = "The components that take what is chosen, answered or said.";
  return [group("PickComponents", components, isPicked, description)];
}

const group = (name, components, belongs, description) =>
  declared(name, ownProperties(components, belongs, description));

/** The other components, and a component of a view. */
function catalogTypes({ components }) {
  const [, others] = declared(
    "",
    ownProperties(components, (component) => !isShown(component) && !isPicked(component)),
  );
  return [
    [
      "Catalog",
      `/** Every component, with its own properties. */\n${others.replace("type  =", "type Catalog = RecordComponents & PickComponents &")}`,
    ],
    ["ComponentName", "export type ComponentName = keyof Catalog;\n"],
    [
      "ComponentDef",
      `/** A component as a view defines it; without a name, any of the catalog. It is drawn with what it has. */
export type ComponentDef<Name extends ComponentName = ComponentName> = {
  [Each in Name]: CommonProperties & { readonly component: Each } & Partial<Catalog[Each]>;
}[Name];\n`,
    ],
  ];
}

const declared = (name, schema) => [
  name,
  `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`,
];
const isPicked = ({ properties }) => "rows" in properties && "pick" in properties;
const isShown = ({ properties }) => "rows" in properties && !("pick" in properties);

/** Whether all components have a property, of one type. */
function isCommon(property, components) {
  const types = Object.values(components).map(({ properties }) =>
    typeOf(properties[property] ?? {}),
  );
  return new Set(types).size === 1;
}

function onlyProperties({ type, properties, required }, isKept) {
  const kept = Object.entries(properties).filter(([name]) => isKept(name));
  return { type, properties: Object.fromEntries(kept), required };
}

/** A schema without descriptions: those of all components would fill a thousand lines. */
function undescribed(schema) {
  return JSON.parse(
    JSON.stringify(schema, (key, value) =>
      key === "description" && typeof value === "string" ? undefined : value,
    ),
  );
}

/** An object with the own properties of some components, by the components' names. */
function ownProperties(components, isAmong, description) {
  const chosen = Object.entries(components).filter(([, component]) => isAmong(component));
  const properties = chosen.map(([name, component]) => [
    name,
    {
      description: component.description,
      ...undescribed(
        onlyProperties(
          component,
          (property) => property !== "component" && !isCommon(property, components),
        ),
      ),
    },
  ]);
  return {
    description,
    type: "object",
    properties: Object.fromEntries(properties),
    required: chosen.map(([name]) => name),
  };
}

/** The source of each written file of `src/wire`, by its name. */
export function wireTypes() {
  /** Every type so far, and the file it is in. */
  const known = new Map([
    ["Json", { home: "json" }],
    ["JsonObject", { home: "json" }],
  ]);
  const sources = Object.entries(FILES).map(([file, [schemas, types = typesOf]]) => {
    const own = [];
    for (const [name, text] of types(...schemas.map(read))) {
      const same = known.get(name);
      if (same && same.text !== text) throw new Error(`${name} is two things`);
      if (!same) {
        known.set(name, { home: file, text });
        own.push(text);
      }
    }
    const speaksOf = own.join("\n").replaceAll(/\/\*\*.*?\*\/|readonly \w+\??:/gs, "");
    const imports = {};
    for (const [name, { home }] of known)
      if (home !== file && new RegExp(`\\b${name}\\b`).test(speaksOf))
        (imports[home] ??= []).push(name);
    const lines = Object.keys(imports)
      .sort()
      .map((home) => `import type { ${imports[home].sort().join(", ")} } from "./${home}";\n`);
    const from = schemas.map((name) => `schemas/${name}.json`).join(" and ");
    const note = `// Written by scripts/wire.mjs from ${from}.\n`;
    return [file, formatted(file, [note, lines.join(""), ...own].join("\n"))];
  });
  return Object.fromEntries(sources);
}

const pathOf = (file) => `${root}web-host/src/wire/${file}.ts`;

function formatted(file, input) {
  const biome = `${root}web-host/node_modules/.bin/biome`;
  const options = { cwd: `${root}web-host`, input, encoding: "utf8" };
  return execFileSync(biome, ["format", "--stdin-file-path", pathOf(file)], options);
}

if (process.argv[1] === import.meta.filename)
  for (const [file, source] of Object.entries(wireTypes())) writeFileSync(pathOf(file), source);
