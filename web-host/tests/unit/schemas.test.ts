// The schemas of contract, catalog, frames and tools judge their samples here as they do on the server.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020";
import { describe, expect, it } from "vitest";
import { wireTypes } from "../../scripts/wire.mjs";

const root = join(import.meta.dirname, "../../../schemas");
const read = (file: string) => JSON.parse(readFileSync(join(root, file), "utf8"));
const files = [
  ...["contract.json", "observe.json", "slice.json", "stage.json"],
  ...["frames", "tools"].flatMap((folder) =>
    readdirSync(join(root, folder)).map((file) => `${folder}/${file}`),
  ),
];
// Strict about keywords and formats nobody knows; a schema may leave types open.
const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });

interface Samples<T> {
  readonly valid: readonly T[];
  readonly invalid: readonly T[];
}

describe("a published schema", () => {
  it.each(files)("%s takes its valid samples and no others", (file) => {
    const validate = ajv.compile(read(file));
    const samples: Samples<unknown> = read(`samples/${file}`);
    expect(samples.valid.length * samples.invalid.length).toBeGreaterThan(0);
    expect(samples.valid.filter((sample) => !validate(sample))).toEqual([]);
    expect(samples.invalid.filter((sample) => validate(sample))).toEqual([]);
  });
});

it("what travels is typed as its schemas say", () => {
  for (const [file, types] of Object.entries(wireTypes()))
    expect(readFileSync(join(root, `../web-host/src/wire/${file}.ts`), "utf8")).toBe(types);
});

/** A component as a view names it, or the call of a function. */
interface Part {
  readonly component?: string;
  readonly call?: string;
  readonly args?: unknown;
}

describe("the catalog", () => {
  const { $defs, components, functions } = read("catalog.json");
  const samples: Samples<Part> = read("samples/catalog.json");
  const compiled = (schemas: object) =>
    Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, ajv.compile({ $defs, ...schema })]),
    );
  const drawn = compiled(components);
  const called = compiled(
    Object.fromEntries(
      Object.entries<{ args: object }>(functions).map(([name, { args }]) => [name, args]),
    ),
  );
  const fits = (sample: Part) =>
    Boolean(
      sample.component
        ? drawn[sample.component]?.(sample)
        : called[sample.call ?? ""]?.(sample.args),
    );

  it("takes its valid samples and no others", () => {
    expect(samples.valid.filter((sample) => !fits(sample))).toEqual([]);
    expect(samples.invalid.filter(fits)).toEqual([]);
  });

  it("has samples of both kinds for every component and every function", () => {
    const names = [...Object.keys(components), ...Object.keys(functions)];
    for (const parts of [samples.valid, samples.invalid]) {
      const shown = new Set(parts.map(({ component, call }) => component ?? call));
      expect(names.filter((name) => !shown.has(name))).toEqual([]);
    }
  });
});
