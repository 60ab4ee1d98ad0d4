// Builds the guest in pieces: the core, one for every component, one for what several of them share, and
// the painter of charts with very many points.
//
// A shell contains the pieces its view needs, concatenated in one module script. So each piece is a
// constant that holds its exports, and takes its imports from earlier pieces.

import { readFile } from "node:fs/promises";
import { build, parseAst } from "vite";
import { oxc } from "./jsx.mjs";
import { PAINTED_ABOVE, painterOf } from "./painter.mjs";

const CATALOG = "src/catalog/index.ts";
const ENTRY = "guest-entry:";

/** The components the catalog registers, each with the file it comes from. */
async function registered(root) {
  const { body } = parseAst(await readFile(`${root}${CATALOG}`, "utf8"), { lang: "ts" });
  const imports = body.filter(
    ({ type, importKind }) => type === "ImportDeclaration" && importKind !== "type",
  );
  const components = imports.flatMap(({ source, specifiers }) =>
    specifiers.map(({ local }) => [local.name, `${root}src/catalog/${source.value.slice(2)}`]),
  );
  const { components: declared } = JSON.parse(
    await readFile(`${root}../schemas/catalog.json`, "utf8"),
  );
  const missing = Object.keys(declared).filter(
    (name) => !components.some(([other]) => other === name),
  );
  const unknown = components.filter(([name]) => !Object.hasOwn(declared, name));
  if (missing.length + unknown.length > 0)
    throw new Error(
      `${CATALOG} and schemas/catalog.json differ: ${[...missing, ...unknown.map(([name]) => name)]}`,
    );
  return components.sort(([left], [right]) => (left < right ? -1 : 1));
}

async function chunksOf(root, define, entries, groups) {
  const result = await build({
    root,
    configFile: false,
    logLevel: "warn",
    oxc,
    define,
    plugins: [
      {
        name: "guest-entries",
        resolveId: (id) => (id.startsWith(ENTRY) ? id : null),
        load: (id) => (id.startsWith(ENTRY) ? entries[id.slice(ENTRY.length)] : null),
      },
    ],
    build: {
      write: false,
      target: "es2022",
      cssTarget: ["chrome123", "firefox128", "safari18"],
      minify: true,
      modulePreload: false,
      rolldownOptions: {
        input: Object.fromEntries(Object.keys(entries).map((name) => [name, ENTRY + name])),
        preserveEntrySignatures: false,
        output: {
          format: "es",
          entryFileNames: "[name].js",
          chunkFileNames: "shared-[name].js",
          ...(groups ? { codeSplitting: { groups } } : {}),
        },
      },
    },
  });
  const outputs = [result].flat().flatMap(({ output }) => output);
  const others = outputs.filter(({ type }) => type !== "chunk");
  if (others.length > 0)
    throw new Error(`the guest must be code alone, got ${others.map(({ fileName }) => fileName)}`);
  return outputs;
}

/** The chunks with every import before its importer, and those nobody imports in the order of the entries. */
function ordered(chunks, order) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const done = new Set();
  const visit = (chunk) => {
    if (done.has(chunk)) return;
    done.add(chunk);
    for (const name of chunk.imports) visit(byName.get(name));
    sorted.push(chunk);
  };
  const sorted = [];
  for (const name of order) visit(byName.get(`${name}.js`));
  if (sorted.length !== chunks.length || sorted.at(-1).fileName !== "boot.js")
    throw new Error("a piece of the guest belongs to nothing, or the last one does not boot it");
  return sorted;
}

/** The chunk as one constant; `nameOf` gives the constants of others. */
function asConstant(chunk, nameOf) {
  const imports = [];
  const exported = [];
  let code = chunk.code;
  const statements = parseAst(code)
    .body.filter(({ type }) => /^(Import|Export)/.test(type))
    .reverse();
  for (const { type, start, end, source, declaration, specifiers = [] } of statements) {
    if (type === "ImportDeclaration") {
      const names = specifiers.map(({ imported, local }) =>
        imported.name === local.name ? local.name : `${imported.name}:${local.name}`,
      );
      if (names.length > 0)
        imports.push(`const{${names}}=${nameOf(source.value.replace("./", ""))};`);
    } else if (type === "ExportNamedDeclaration" && !source && !declaration) {
      exported.push(
        ...specifiers.map(({ exported, local }) =>
          exported.name === local.name ? local.name : `${exported.name}:${local.name}`,
        ),
      );
    } else throw new Error(`${chunk.fileName}: ${type} cannot be put into a piece`);
    code = code.slice(0, start) + code.slice(end);
  }
  return `const ${nameOf(chunk.fileName)}=(()=>{${imports.join("")}${code.trim()}\nreturn{${exported}}})();`;
}

/** The whole guest, and which bytes of it each component needs. */
export async function guestInPieces(root, inlined) {
  const components = await registered(root);
  const boot = `import { boot } from "${root}src/runtime/main.tsx"; boot();`;
  const painter = await painterOf(root, inlined);
  const [core] = await chunksOf(root, painter.define, { boot });
  // The entry point stays separate and comes last, when every component of the shell has registered itself.
  const inCore = new Set(Object.keys(core.modules).filter((id) => !id.startsWith(ENTRY)));
  const entries = Object.fromEntries([
    ...components.map(([name, file]) => [
      name,
      `import { ${name} } from "${file}"; import { register } from "${root}src/draw/registry.ts"; register({ ${name} });`,
    ]),
    ["boot", boot],
  ]);
  const chunks = ordered(
    await chunksOf(root, painter.define, entries, [{ name: "core", test: (id) => inCore.has(id) }]),
    Object.keys(entries),
  );
  const nameOf = (fileName) => `$${chunks.findIndex((chunk) => chunk.fileName === fileName)}`;
  // The painter comes before all of them: it imports from no piece, and any piece may use it.
  const indexOf = new Map(chunks.map((chunk, index) => [chunk.fileName, index + 1]));
  const needed = (fileName) =>
    new Set([
      indexOf.get(fileName),
      ...chunks[indexOf.get(fileName) - 1].imports.flatMap((name) => [...needed(name)]),
    ]);
  const sorted = (set) => [...set].sort((left, right) => left - right);

  let code = "";
  const pieces = [];
  for (const piece of [
    painter.code,
    ...chunks.map((chunk) => inlined(asConstant(chunk, nameOf))),
  ]) {
    const start = Buffer.byteLength(code);
    code += piece;
    pieces.push([start, Buffer.byteLength(code)]);
  }
  const always = needed("boot.js");
  return {
    code,
    manifest: {
      pieces,
      always: sorted(always),
      painter: { piece: 0, above: PAINTED_ABOVE },
      components: Object.fromEntries(
        components.map(([name]) => [
          name,
          sorted(needed(`${name}.js`)).filter((piece) => !always.has(piece)),
        ]),
      ),
    },
  };
}
