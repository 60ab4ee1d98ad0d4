// Builds dist/: the guest in pieces, the stage as one page, and the notices of what they contain.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { declarationsOf } from "./declarations.mjs";
import { guestInPieces } from "./guest.mjs";
import { oxc } from "./jsx.mjs";

/** Kilobytes, gzipped: what every shell carries, and the most that a shell of one component carries. */
const CORE_LIMIT_KB = 40;
const SHELL_LIMIT_KB = 90;
const root = new URL("..", import.meta.url).pathname;
const dist = `${root}dist/`;

const escaped = (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;

/**
 * A script as it may stand inside an element of a page, in ASCII alone: with one letter beyond it a browser
 * keeps, hashes and compiles the whole text at two bytes a letter.
 */
const inlined = (code) =>
  `${code
    .replace(/<\/script/gi, "<\\/script")
    .replace(/<!--/g, "<\\!--")
    .replace(/[^\0-\x7f]/g, escaped)
    .trimEnd()}\n`;

/** One self-contained script, or a module that only exports. */
async function bundle(entry, format = "iife") {
  const result = await build({
    root,
    configFile: false,
    logLevel: "warn",
    oxc,
    define: { "process.env.NODE_ENV": '"production"' },
    build: {
      write: false,
      target: "es2022",
      cssTarget: ["chrome123", "firefox128", "safari18"],
      minify: true,
      modulePreload: false,
      lib: { entry: `${root}${entry}`, formats: [format], name: "proscenium", fileName: "bundle" },
    },
  });
  const outputs = [result].flat().flatMap(({ output }) => output);
  const chunks = outputs.filter((output) => output.type === "chunk");
  if (outputs.length !== 1 || chunks.length !== 1)
    throw new Error(
      `${entry} must build to one file, got ${outputs.map((output) => output.fileName)}`,
    );
  const code = inlined(chunks[0].code);
  if (/^\s*import\b/m.test(code) || (format === "iife" && /^\s*export\b/m.test(code)))
    throw new Error(`${entry} must be self-contained`);
  return code;
}

function measured(name, text) {
  const bytes = Buffer.byteLength(text);
  const gzipped = gzipSync(text, { level: 9 }).length;
  console.log(
    `${name.padEnd(20)} ${(bytes / 1000).toFixed(1).padStart(7)} kB  ${(gzipped / 1000).toFixed(1).padStart(6)} kB gzip`,
  );
  return gzipped / 1000;
}

async function notices() {
  const { dependencies } = JSON.parse(await readFile(`${root}package.json`, "utf8"));
  const names = new Set(Object.keys(dependencies));
  for (const name of names) {
    const { dependencies: own = {} } = JSON.parse(
      await readFile(`${root}node_modules/${name}/package.json`, "utf8"),
    );
    for (const inner of Object.keys(own)) names.add(inner);
  }
  const parts = await Promise.all(
    [...names].sort().map(async (name) => {
      const { version, license } = JSON.parse(
        await readFile(`${root}node_modules/${name}/package.json`, "utf8"),
      );
      const text = await readFile(`${root}node_modules/${name}/LICENSE`, "utf8");
      return `${name} ${version} (${license})\n\n${text.trim()}\n`;
    }),
  );
  return `The files in this folder contain the following third-party software.\n\n${parts.join("\n----\n\n")}`;
}

const { code: guest, manifest } = await guestInPieces(root, inlined);
const stageCode = await bundle("src/stage/main.tsx");
const element = await bundle("src/element/proscenium-stage.ts", "es");
const page = await readFile(`${root}src/stage/page.html`, "utf8");
const stage = page.replace("/*__STAGE_CODE__*/", () => stageCode);

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await writeFile(`${dist}guest.js`, guest);
await writeFile(`${dist}guest.json`, `${JSON.stringify(manifest)}\n`);
await writeFile(`${dist}stage.html`, stage);
await writeFile(`${dist}proscenium-stage.js`, element);
await writeFile(
  `${dist}proscenium-stage.d.ts`,
  declarationsOf(root, [
    "src/wire/json.ts:Json",
    "src/wire/json.ts:JsonObject",
    "src/wire/observe.ts",
    "src/host/observability.ts",
    "src/element/proscenium-stage.ts",
  ]),
);
await writeFile(`${dist}THIRD_PARTY_NOTICES.txt`, await notices());

const bytes = Buffer.from(guest);
/** The guest code of a shell with these components and extra pieces. */
function shellOf(components, besides = []) {
  const pieces = new Set([
    ...manifest.always,
    ...components.flatMap((name) => manifest.components[name]),
    ...besides,
  ]);
  return [...pieces]
    .sort((left, right) => left - right)
    .map((piece) => bytes.subarray(...manifest.pieces[piece]))
    .join("");
}

measured("guest.js", guest);
const core = measured("core", shellOf([]));
const shells = [
  ["Chart, painted", shellOf(["Chart"], [manifest.painter.piece])],
  ...Object.keys(manifest.components).map((name) => [name, shellOf([name])]),
];
const single = shells
  .map(([name, code]) => [name, gzipSync(code, { level: 9 }).length / 1000])
  .sort(([, left], [, right]) => right - left);
for (const [name, size] of single.slice(0, 4))
  console.log(`${`+ ${name}`.padEnd(32)} ${size.toFixed(1).padStart(6)} kB gzip`);
measured("stage.html", stage);
measured("proscenium-stage.js", element);
if (core > CORE_LIMIT_KB || single[0][1] > SHELL_LIMIT_KB) {
  console.error(
    `the core may have ${CORE_LIMIT_KB} kB and the shell of one component ${SHELL_LIMIT_KB} kB`,
  );
  process.exit(1);
}
