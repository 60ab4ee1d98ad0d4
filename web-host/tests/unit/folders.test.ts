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

/** As many lines as a file of the server may have. */
const MAX_LINES = 400;

it("no file has more than 400 lines", () => {
  const long = files.filter(
    (file) => readFileSync(file, "utf8").trimEnd().split("\n").length > MAX_LINES,
  );
  expect(long).toEqual([]);
});

it("no value is cast to an unrelated type", () => {
  const cast = files.filter((file) => /\bas unknown as\b/.test(readFileSync(file, "utf8")));
  expect(cast).toEqual([]);
});
