// What holds for every file of the source: which folders it imports, how long it is, and that no cast hides a type.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";

const source = join(import.meta.dirname, "../../src");

/** What each folder stands on, from the ground up; nothing stands on what comes after it. */
const below: { readonly [folder: string]: readonly string[] } = {
  "strings.ts": [],
  wire: [],
  painter: [],
  host: ["wire"],
  draw: ["strings.ts", "wire"],
  form: ["strings.ts", "wire", "draw"],
  catalog: ["strings.ts", "wire", "draw", "form", "painter"],
  runtime: ["strings.ts", "wire", "host", "draw", "catalog"],
  stage: ["strings.ts", "wire", "host", "catalog"],
  element: ["strings.ts", "wire", "host"],
};

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => join(source, name));
const folderOf = (file: string) => relative(source, file).split("/")[0]!;

it("each folder imports only from folders below it", () => {
  const folders = Object.keys(below);
  for (const [folder, imported] of Object.entries(below))
    for (const other of imported)
      expect(folders.indexOf(other), `${folder} stands on ${other}`).toBeLessThan(
        folders.indexOf(folder),
      );
  const wrong: string[] = [];
  for (const file of files) {
    const folder = folderOf(file);
    expect(folders, file).toContain(folder);
    for (const [, path] of readFileSync(file, "utf8").matchAll(
      /\b(?:from|import)\s*\(?\s*"(\.[^"]*)"/g,
    )) {
      const other = folderOf(join(file, "..", path!)).replace(/^strings$/, "strings.ts");
      if (other !== folder && !below[folder]!.includes(other))
        wrong.push(`${relative(source, file)} imports ${path}`);
    }
  }
  expect(wrong).toEqual([]);
});

/** As wide as Biome formats code; it leaves comments as they are. */
const MAX_COLUMNS = 100;

it("no comment is wider than the code", () => {
  const comments = files
    .filter((file) => folderOf(file) !== "wire")
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .filter((line) => /^\s*(\/\/|\/?\*)/.test(line));
  expect(comments.filter((line) => [...line].length > MAX_COLUMNS)).toEqual([]);
});

/** As many lines as a file of the server may have. */
const MAX_LINES = 400;

/** Every file that is written by hand: source, styles, stories and tests. */
const written = ["src", "stories", "tests"]
  .map((folder) => join(import.meta.dirname, "../..", folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((name) => /\.(tsx?|css)$/.test(name));
const linesOf = (file: string) => readFileSync(file, "utf8").trimEnd().split("\n");

it("no file has more than 400 lines", () => {
  expect(written.filter((file) => linesOf(file).length > MAX_LINES)).toEqual([]);
});

it("no value is cast to an unrelated type", () => {
  const cast = files.filter((file) => /\bas unknown as\b/.test(readFileSync(file, "utf8")));
  expect(cast).toEqual([]);
});

it("every colour that a style of the catalog names is one of its tokens", () => {
  const styles = join(source, "catalog/styles");
  const named = (css: string, pattern: RegExp) =>
    [...css.matchAll(pattern)].map(([, name]) => name!);
  const sheets = readdirSync(styles).filter((name) => name.endsWith(".css"));
  const all = sheets.map((name) => readFileSync(join(styles, name), "utf8")).join("\n");
  const tokens = new Set(named(all, /(--ggui-color-[a-z0-9-]+)\s*:/g));
  const unknown = named(all, /var\((--ggui-color-[a-z0-9-]+)/g).filter((name) => !tokens.has(name));
  expect(unknown).toEqual([]);
});
