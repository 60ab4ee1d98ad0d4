// Pointers, bindings, functions and checks.

import { describe, expect, it } from "vitest";
import { resolve, resolveContext } from "../../src/draw/bind";
import { firstFailure } from "../../src/draw/hooks";
import { DataModel, RING_SIZE } from "../../src/draw/model";
import { formatPointer, getAt, parsePointer, setAt, share } from "../../src/draw/pointer";
import type { JsonObject } from "../../src/wire/json";
import type { Call } from "../../src/wire/view";

function scope(props: any = {}, path: string[] = [], context: any = {}) {
  const model = new DataModel();
  model.setProps(props);
  model.setContext(context);
  return { model, path, locale: "en-US" };
}
const call = (name: Call["call"], args: JsonObject): Call => ({
  call: name,
  args,
  returnType: "string",
});

describe("a pointer", () => {
  it("unescapes ~1 and ~0 and survives a round trip", () => {
    expect(parsePointer("/a~1b/c~0d")).toEqual(["a/b", "c~d"]);
    expect(formatPointer(["a/b", "c~d"])).toBe("/a~1b/c~0d");
  });
  it("never reads through a prototype", () => {
    expect(getAt({}, ["constructor"])).toBeUndefined();
    expect(getAt([1], ["length"])).toBeUndefined();
  });
  it("writes __proto__ as an ordinary key", () => {
    const value = setAt({}, ["__proto__", "polluted"], true) as any;
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(({} as any).polluted).toBeUndefined();
  });
  it("keeps the identity of what did not change", () => {
    const before = { rows: [{ a: 1 }, { a: 2 }] };
    const after = share(before, { rows: [{ a: 1 }, { a: 3 }] }) as any;
    expect(after.rows[0]).toBe(before.rows[0]);
    expect(after.rows[1]).not.toBe(before.rows[1]);
    expect(share(before, JSON.parse(JSON.stringify(before)))).toBe(before);
  });
});

describe("a binding", () => {
  it("reads an absolute pointer, and a relative one inside a template", () => {
    expect(resolve({ path: "/props/a" }, scope({ a: 1 }))).toBe(1);
    expect(
      resolve({ path: "title" }, scope({ items: [{ title: "x" }] }, ["props", "items", "0"])),
    ).toBe("x");
  });
  it("is undefined for a path that does not exist", () => {
    expect(resolve({ path: "/nowhere/at/all" }, scope())).toBeUndefined();
  });
  it("leaves literals with other keys beside path alone", () => {
    expect(resolve({ path: "/props/a", other: 1 } as any, scope({ a: 1 }))).toEqual({
      path: "/props/a",
      other: 1,
    });
  });
  it("makes null data of an action without a context, and leaves absent values out", () => {
    expect(resolveContext(undefined, scope())).toBeNull();
    expect({
      ...(resolveContext(
        { a: { path: "/props/a" }, b: { path: "/props/b" }, c: 3 },
        scope({ a: null }),
      ) as object),
    }).toEqual({ a: null, c: 3 });
  });
});

describe("the data model", () => {
  it("keeps the newest thousand items of an append channel", () => {
    const { model } = scope();
    model.appendStream(
      "log",
      Array.from({ length: 900 }, (_, i) => i),
    );
    model.appendStream(
      "log",
      Array.from({ length: 900 }, (_, i) => 900 + i),
    );
    const items = model.read(["streams", "log"]) as number[];
    expect(items).toHaveLength(RING_SIZE);
    expect(items.at(-1)).toBe(1799);
  });
  it("has no value for a channel before its first frame", () => {
    expect(scope().model.read(["streams", "log"])).toBeUndefined();
  });
  it("writes context and ui, and never props or streams", () => {
    const { model } = scope({ a: 1 });
    expect(model.write(["context", "slot"], "x")).toBe(true);
    expect(model.write(["props", "a"], 2)).toBe(false);
    expect(model.write(["streams", "a"], 2)).toBe(false);
    expect(model.read(["props", "a"])).toBe(1);
    expect({ ...model.context() }).toEqual({ slot: "x" });
  });
});

describe("the functions of the catalog", () => {
  const run = (name: Call["call"], args: JsonObject, props: any = {}) =>
    resolve(call(name, args), scope(props));
  it("judge required, length, numeric, email and regex", () => {
    expect(run("required", { value: "" })).toBe(false);
    expect(run("required", { value: 0 })).toBe(true);
    expect(run("length", { value: "añ", min: 2, max: 2 })).toBe(true);
    expect(run("numeric", { value: "7", min: 8 })).toBe(false);
    expect(run("email", { value: "a@b.de" })).toBe(true);
    expect(run("email", { value: "a@b" })).toBe(false);
    expect(run("regex", { value: "ABC", pattern: "^[A-Z]+$" })).toBe(true);
  });
  it("combine with and, or and not", () => {
    expect(run("and", { values: [true, call("not", { value: false })] as never })).toBe(true);
    expect(run("or", { values: [false, false] })).toBe(false);
  });
  it("fill pointers and nested calls into formatString", () => {
    expect(
      run(
        "formatString",
        { value: "${/props/n} of ${formatNumber(value: ${/props/total}, decimals: 1)} \\${x}" },
        { n: 2, total: 1234.5 },
      ),
    ).toBe("2 of 1,234.5 ${x}");
  });
  it("format numbers, money, dates and plurals in the reader's language", () => {
    expect(run("formatNumber", { value: 1234.567, decimals: 2 })).toBe("1,234.57");
    expect(run("formatNumber", { value: 1234, grouping: false })).toBe("1234");
    expect(run("formatCurrency", { value: 7.5, currency: "EUR" })).toBe("€7.50");
    expect(run("formatDate", { value: "2026-11-21", format: "yyyy-MM-dd" })).toBe("2026-11-21");
    expect(run("formatDate", { value: "2026-11-21", format: "EEEE d MMMM" })).toBe(
      "Saturday 21 November",
    );
    expect(run("pluralize", { value: 1, one: "item", other: "items" })).toBe("item");
    expect(run("pluralize", { value: 0, zero: "none", other: "items" })).toBe("none");
  });
  it("give nothing for a function nobody knows", () => {
    expect(resolve({ call: "constructor", args: {} }, scope())).toBeUndefined();
  });
});

describe("checks", () => {
  it("give the message of the first that fails, for booleans and for results with a message", () => {
    const required = {
      condition: call("required", { value: { path: "/context/draft" } }),
      message: "Type first.",
    };
    expect(firstFailure([required], scope({}, [], { draft: "" }))).toBe("Type first.");
    expect(firstFailure([required], scope({}, [], { draft: "x" }))).toBeUndefined();
    expect(
      firstFailure(
        [{ condition: { path: "/props/result" }, message: "" }],
        scope({ result: { valid: false, message: "No." } }),
      ),
    ).toBe("No.");
  });
});
