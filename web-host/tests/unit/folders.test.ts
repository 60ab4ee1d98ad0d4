// Which folder of the source may import which: a circle between two of them is no layer.

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

const folderOf = (file: string) => relative(source, file).split("/")[0]!;

it("each folder imports only from folders below it", () => {
  const folders = Object.keys(below);
  for (const [folder, imported] of Object.entries(below))
    for (const other of imported)
      expect(folders.indexOf(other), `${folder} stands on ${other}`).toBeLessThan(
        folders.indexOf(folder),
      );
  const wrong: string[] = [];
  const files = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(source, name));
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
