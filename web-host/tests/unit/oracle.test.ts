// Bindings, functions and templates agree with the official core, on the example documents it is
// packaged with. What differs on purpose stands in one list, each with its reason.

import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { BASIC_FUNCTIONS, Catalog, DataContext, SurfaceModel } from "@a2ui/web_core/v0_9";
import { describe, expect, it } from "vitest";
import { catalog } from "../../src/catalog/index";
import { resolve } from "../../src/draw/bind";
import { DataModel } from "../../src/draw/model";
import {
  formatPointer,
  getAt,
  isObject,
  type Path,
  parsePointer,
  setAt,
} from "../../src/draw/pointer";
import { readView } from "../../src/draw/view";
import type { Json } from "../../src/wire/json";

const core = dirname(createRequire(import.meta.url).resolve("@a2ui/web_core/v0_9"));
const folder = join(core, "schemas/catalogs/basic/examples");

interface Message {
  readonly updateComponents?: { readonly components: readonly any[] };
  readonly updateDataModel?: { readonly path?: string; readonly value?: Json };
}
interface Example {
  readonly name: string;
  /** The document after each of its messages; the last one is whole. */
  readonly steps: readonly Step[];
}
interface Step {
  readonly components: ReadonlyMap<string, any>;
  readonly data: Json;
}

const examples: Example[] = readdirSync(folder)
  .sort()
  .map((file) => {
    const document = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const messages: Message[] = Array.isArray(document) ? document : document.messages;
    let components = new Map<string, any>();
    let data: Json = {};
    const steps = messages.map(({ updateComponents, updateDataModel }) => {
      components = new Map([
        ...components,
        ...(updateComponents?.components ?? []).map(
          (component) => [component.id, component] as const,
        ),
      ]);
      if (updateDataModel)
        data = (setAt(data, parsePointer(updateDataModel.path ?? "/"), updateDataModel.value) ??
          {}) as Json;
      return { components, data };
    });
    return { name: file, steps };
  });

/** Both sides on the same data, at the same place. */
function sides(data: Json, path: Path) {
  const surface = new SurfaceModel("s", new Catalog("c", [], BASIC_FUNCTIONS as any));
  surface.dataModel.set("/", structuredClone(data));
  const context = new DataContext(surface, path.length ? `/${path.join("/")}` : "/");
  const model = { read: (at: Path) => getAt(data, at) } as unknown as DataModel;
  return {
    official: (value: any) => context.resolveDynamicValue<any>(value),
    ours: (value: any) => resolve(value, { model, path, locale: "en-US" }),
  };
}

/** What a component binds: pointers and calls, wherever they stand in it. */
function dynamics(value: unknown, found: any[] = []): any[] {
  if (Array.isArray(value)) for (const item of value) dynamics(item, found);
  else if (isObject(value)) {
    if (
      typeof value.call === "string" ||
      (typeof value.path === "string" && !("componentId" in value))
    )
      found.push(value);
    else for (const inner of Object.values(value)) dynamics(inner, found);
  }
  return found;
}

/** Every component with the places it is drawn at: once, or once for each item of its template. */
function placed({ components, data }: Step): { component: any; path: Path }[] {
  const all: { component: any; path: Path }[] = [];
  const visit = (id: string, path: Path, depth: number) => {
    const component = components.get(id);
    if (!component || depth > 32) return;
    all.push({ component, path });
    const { children, child, trigger, content, tabs } = component;
    const inner = [
      child,
      trigger,
      content,
      ...(Array.isArray(children) ? children : []),
      ...(Array.isArray(tabs) ? tabs.map((tab: any) => tab.child) : []),
    ];
    for (const next of inner) if (typeof next === "string") visit(next, path, depth + 1);
    if (isObject(children) && typeof children.path === "string") {
      const list = children.path.startsWith("/")
        ? parsePointer(children.path)
        : [...path, ...parsePointer(children.path)];
      const items = getAt(data, list);
      if (Array.isArray(items))
        for (const index of items.keys())
          visit(String(children.componentId), [...list, String(index)], depth + 1);
    }
  };
  visit("root", [], 0);
  return all;
}

/** Where we differ, on which arguments, and why. */
const differences: readonly {
  readonly when: (call: string, args: any) => boolean;
  readonly why: string;
}[] = [
  {
    when: (call) => call === "openUrl",
    why: "the official function opens a window; ours gives the address to the host, which asks first",
  },
  {
    when: (call, { value }) => (call === "required" || call === "length") && value === undefined,
    why: "what has not come yet is empty; the official core gives no answer then",
  },
  {
    when: (call, { value }) => (call === "email" || call === "regex") && (value ?? "") === "",
    why: "an empty field is no wrong value: whether it may be empty is what `required` says",
  },
  {
    when: (call, { value, zero }) => call === "pluralize" && value === 0 && zero !== undefined,
    why: "`zero` is said of 0 in every language, not only in those that have a form for it",
  },
];

function differs(value: any, ours: (value: any) => unknown): boolean {
  if (typeof value.call !== "string") return false;
  const args = Object.fromEntries(
    Object.entries(value.args ?? {}).map(([name, argument]) => [name, ours(argument)]),
  );
  return (
    differences.some(({ when }) => when(value.call, args)) ||
    Object.values(value.args ?? {}).some(
      (argument: any) => isObject(argument) && differs(argument, ours),
    )
  );
}

/** An absent value is nothing on both sides, and so is an empty text; other texts may differ in the kind of space a locale uses. */
function plain(value: unknown): unknown {
  if (value === undefined || value === null || value === "") return null;
  return typeof value === "string" ? value.replace(/[\u00a0\u202f]/g, " ") : value;
}

describe("the official core as oracle", () => {
  it("has documents to compare", () => expect(examples.length).toBeGreaterThan(40));
  for (const example of examples) {
    it(`resolves every binding of ${example.name} alike, after each of its messages`, () => {
      for (const step of example.steps) {
        for (const { component, path } of placed(step)) {
          const { official, ours } = sides(step.data, path);
          for (const value of dynamics(component)) {
            if (
              dynamics(value.args ?? {})
                .concat(value)
                .some((part) => differs(part, ours))
            )
              continue;
            expect(plain(ours(value)), `${component.id} ${JSON.stringify(value)}`).toEqual(
              plain(official(value)),
            );
          }
        }
      }
    });
  }
  it("draws every component of the examples but sound and film, which a sandbox cannot load", () => {
    const names = new Set(
      examples.flatMap(({ steps }) =>
        [...steps.at(-1)!.components.values()].map(({ component }) => component),
      ),
    );
    expect([...names].filter((name) => !Object.hasOwn(catalog, name)).sort()).toEqual([
      "AudioPlayer",
      "Video",
    ]);
  });
  it("takes every example as a view", () => {
    for (const { name, steps } of examples) {
      const { components } = steps.at(-1)!;
      const result = readView({
        version: "v0.9",
        catalogId: "x",
        view: { components: [...components.values()] },
      });
      expect(result.ok ? "" : result.problem, name).toBe("");
    }
  });
});

describe("functions on the same arguments", () => {
  const { official, ours } = sides(
    { a: { b: 3, text: "x/y" }, list: ["p", "q"], "we/ird": { "~": 1 } },
    [],
  );
  const call = (name: string, args: object) => ({ call: name, args, returnType: "any" });
  const cases = [
    ...[null, "", "x", [], ["x"], 0, false].map((value) => call("required", { value })),
    ...["a@b.example", "a@b", "", "no"].map((value) => call("email", { value })),
    ...[
      ["abc", 1, 3],
      ["", 1, 3],
      ["abcd", 1, 3],
      ["abcd", 5, undefined],
    ].map(([value, min, max]) => call("length", { value, min, max })),
    ...[
      [3, 1, 5],
      [0, 1, 5],
      ["3", 1, 5],
    ].map(([value, min, max]) => call("numeric", { value, min, max })),
    ...[
      ["ab12", "^[a-z]+\\d+$"],
      ["12ab", "^[a-z]+\\d+$"],
    ].map(([value, pattern]) => call("regex", { value, pattern })),
    call("and", { values: [true, true] }),
    call("and", { values: [true, false] }),
    call("or", { values: [false, true] }),
    call("or", { values: [false, false] }),
    call("not", { value: true }),
    call("formatNumber", { value: 1234567.891 }),
    call("formatNumber", { value: 1234.5, decimals: 2 }),
    call("formatNumber", { value: 1234.5, grouping: false }),
    call("formatCurrency", { value: 1234.5, currency: "EUR" }),
    call("formatCurrency", { value: 0.5, currency: "USD", decimals: 0 }),
    call("formatDate", { value: "2026-11-22T13:05:09", format: "yyyy-MM-dd HH:mm" }),
    call("formatDate", { value: "2026-11-22T13:05:09", format: "EEEE, MMMM d" }),
    call("formatDate", { value: "2026-11-22T03:05:09", format: "h:mm a" }),
    call("pluralize", { value: 1, one: "one thing", other: "things" }),
    call("pluralize", { value: 2, one: "one thing", other: "things" }),
    call("pluralize", { value: 0, zero: "none", one: "one", other: "many" }),
    call("formatString", { value: "b is ${/a/b}, text ${/a/text}, none ${/a/none}." }),
    call("formatString", { value: "\\${kept} ${'quoted'}" }),
    call("formatString", { value: "${formatNumber(value: ${/a/b}, decimals: 1)}" }),
    { path: "/a/b" },
    { path: "/list/1" },
    { path: "/none/at/all" },
    { path: "/list/9" },
  ];
  for (const value of cases) {
    if (differs(value, ours))
      it(`differs on purpose: ${JSON.stringify(value)}`, () =>
        expect(plain(ours(value))).not.toEqual(plain(official(value))));
    else
      it(JSON.stringify(value), () => expect(plain(ours(value))).toEqual(plain(official(value))));
  }
});

describe("the data model on the same messages", () => {
  /** Numbers that look random and are the same in every run. */
  function* dice(seed: number): Generator<number, never> {
    let state = seed;
    for (;;) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      yield state / 2 ** 32;
    }
  }
  const KEYS = ["a", "b", "c", "0", "x/y", "~t"];

  for (let seed = 1; seed <= 20; seed++) {
    it(`holds what the official one holds after each of them (${seed})`, () => {
      const roll = dice(seed);
      const pick = (count: number) => Math.floor(roll.next().value * count);
      const value = (depth: number): Json => {
        const kind = pick(depth > 2 ? 3 : 5);
        if (kind < 3) return [pick(100), `text ${pick(9)}`, pick(2) === 0][kind]!;
        return kind === 3
          ? Array.from({ length: pick(4) }, () => value(depth + 1))
          : Object.fromEntries(
              KEYS.slice(0, pick(KEYS.length)).map((key) => [key, value(depth + 1)]),
            );
      };
      const object = () =>
        Object.fromEntries(KEYS.slice(0, 1 + pick(5)).map((key) => [key, value(1)]));
      const ours = new DataModel();
      const official = new SurfaceModel("s", new Catalog("c", [], BASIC_FUNCTIONS as any))
        .dataModel;
      official.set("/", { props: {}, streams: {}, context: {} });
      for (let message = 0; message < 60; message++) {
        const key = KEYS[pick(3)]!;
        const next = value(0);
        const turn = pick(4);
        if (turn === 0) {
          const props = object();
          ours.setProps(props);
          official.set("/props", structuredClone(props));
        } else if (turn === 1) {
          ours.replaceStream(key, next);
          official.set(`/streams/${key}`, structuredClone(next));
        } else if (turn === 2) {
          ours.write(["context", key], next);
          official.set(`/context/${key}`, structuredClone(next));
        } else {
          // Into what is there already: a member of an object, or an item of a list.
          const held = ours.read(["context", key]);
          const inner = Array.isArray(held)
            ? String(pick(held.length + 1))
            : isObject(held)
              ? KEYS[pick(KEYS.length)]!
              : undefined;
          if (inner === undefined) continue;
          ours.write(["context", key, inner], next);
          official.set(formatPointer(["context", key, inner]), structuredClone(next));
        }
        for (const root of ["props", "streams", "context"]) {
          for (const name of KEYS) {
            for (const rest of [[], [KEYS[pick(KEYS.length)]!], ["0", "a"]]) {
              const path = [root, name, ...rest];
              expect(plain(ours.read(path)), `message ${message}: ${formatPointer(path)}`).toEqual(
                plain(official.get(formatPointer(path))),
              );
            }
          }
        }
      }
    });
  }
});
