// Builds dist/: the guest as one module, the stage as one page, and the notices of what they contain.

import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { oxc } from "./jsx.mjs";

const GUEST_LIMIT_KB = 48;
const root = new URL("..", import.meta.url).pathname;
const dist = `${root}dist/`;

/** One self-contained script; nothing in it may end or comment out the element it is inlined into. */
async function bundle(entry) {
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
      lib: { entry: `${root}${entry}`, formats: ["iife"], name: "proscenium", fileName: "bundle" },
    },
  });
  const outputs = [result].flat().flatMap(({ output }) => output);
  const chunks = outputs.filter((output) => output.type === "chunk");
  if (outputs.length !== 1 || chunks.length !== 1) throw new Error(`${entry} must build to one file, got ${outputs.map((output) => output.fileName)}`);
  const code = chunks[0].code.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--").trimEnd() + "\n";
  if (/^\s*(import|export)\b/m.test(code)) throw new Error(`${entry} must not import or export anything`);
  return code;
}

function measured(name, text) {
  const bytes = Buffer.byteLength(text);
  const gzipped = gzipSync(text, { level: 9 }).length;
  console.log(`${name.padEnd(12)} ${(bytes / 1000).toFixed(1).padStart(7)} kB  ${(gzipped / 1000).toFixed(1).padStart(6)} kB gzip`);
  return gzipped / 1000;
}

async function notices() {
  const { dependencies } = JSON.parse(await readFile(`${root}package.json`, "utf8"));
  const names = new Set(Object.keys(dependencies));
  for (const name of names) {
    const { dependencies: own = {} } = JSON.parse(await readFile(`${root}node_modules/${name}/package.json`, "utf8"));
    for (const inner of Object.keys(own)) names.add(inner);
  }
  const parts = await Promise.all([...names].sort().map(async (name) => {
    const { version, license } = JSON.parse(await readFile(`${root}node_modules/${name}/package.json`, "utf8"));
    const text = await readFile(`${root}node_modules/${name}/LICENSE`, "utf8");
    return `${name} ${version} (${license})\n\n${text.trim()}\n`;
  }));
  return `The files in this folder contain the following third-party software.\n\n${parts.join("\n----\n\n")}`;
}

const guest = await bundle("src/runtime/main.tsx");
const stageCode = await bundle("src/stage/main.tsx");
const page = await readFile(`${root}src/stage/page.html`, "utf8");
const stage = page.replace("/*__STAGE_CODE__*/", () => stageCode);

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await writeFile(`${dist}guest.js`, guest);
await writeFile(`${dist}stage.html`, stage);
await writeFile(`${dist}THIRD_PARTY_NOTICES.txt`, await notices());

const guestSize = measured("guest.js", guest);
measured("stage.html", stage);
if (guestSize > GUEST_LIMIT_KB) {
  console.error(`guest.js is larger than ${GUEST_LIMIT_KB} kB gzip`);
  process.exit(1);
}
