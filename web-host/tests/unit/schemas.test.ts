// The schemas of contract, frames and tools judge their samples here as they do on the server.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../../schemas");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const files = ["contract.json", ...["frames", "tools"].flatMap((folder) => readdirSync(join(root, folder)).map((file) => `${folder}/${file}`))];

describe("a published schema", () => {
  it.each(files)("%s takes its valid samples and no others", (file) => {
    // Strict about keywords and formats nobody knows; a schema may leave types open.
    const validate = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(read(file));
    const samples: { readonly valid: readonly unknown[]; readonly invalid: readonly unknown[] } = read(`samples/${file}`);
    expect(samples.valid.length * samples.invalid.length).toBeGreaterThan(0);
    expect(samples.valid.filter((sample) => !validate(sample))).toEqual([]);
    expect(samples.invalid.filter((sample) => validate(sample))).toEqual([]);
  });
});
