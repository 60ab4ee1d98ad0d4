// What a form sends: types, absence, zones, decimals, names, and where violations belong.

import { describe, expect, it } from "vitest";
import { isMultipleOf } from "../../src/form/decimal";
import { draftOf } from "../../src/form/draft";
import { encode, type Problems } from "../../src/form/encode";
import { fieldOf, humanise, membersOf } from "../../src/form/field";
import { toDateTime, toTime } from "../../src/form/moment";
import { pointerOfViolation, violationsByPointer } from "../../src/form/violations";

function send(schema: any, draft: any) {
  const problems: Problems = new Map();
  const value = encode(fieldOf(schema, "", schema), draft, true, "", problems);
  return {
    value: value === undefined ? undefined : JSON.parse(JSON.stringify(value)),
    problems: Object.fromEntries(problems),
  };
}
const kinds = (properties: any) =>
  membersOf(fieldOf({ type: "object", properties }, "", {})).map((member) => member.field.kind);

describe("a form's payload", () => {
  it("leaves untouched optional fields out, never empty and never null", () => {
    const schema = {
      type: "object",
      required: ["a"],
      properties: {
        a: { type: "string" },
        b: { type: "string" },
        c: { type: "number" },
        d: { type: "boolean" },
        e: { type: "array", items: {} },
        f: { type: "string", nullable: true },
        g: { type: "object", properties: { x: { type: "string" } }, required: ["x"] },
      },
    };
    expect(send(schema, { a: "x", b: "" })).toEqual({ value: { a: "x" }, problems: {} });
  });
  it("sends numbers as numbers and refuses what is not one", () => {
    const schema = { type: "object", properties: { n: { type: "integer", minimum: 1 } } };
    expect(send(schema, { n: "3" }).value).toEqual({ n: 3 });
    expect(send(schema, { n: "3.5" }).problems).toEqual({ "/n": "Enter a whole number." });
    expect(send(schema, { n: "NaN" }).problems).toEqual({ "/n": "Enter a number." });
    expect(send(schema, { n: "0" }).problems).toEqual({ "/n": "Must be at least 1." });
  });
  it("names every missing required field by its pointer", () => {
    const schema = {
      type: "object",
      required: ["a/b", "o"],
      properties: {
        "a/b": { type: "string" },
        o: { type: "object", required: ["x"], properties: { x: { type: "string" } } },
      },
    };
    expect(send(schema, undefined).problems).toEqual({
      "/a~1b": "Please fill this in.",
      "/o/x": "Please fill this in.",
    });
  });
  it("reads a keyword whose value has the wrong type as if it were absent", () => {
    const schema = {
      type: "object",
      required: "text",
      properties: {
        text: { type: "string", minLength: "5", maxLength: ["1"], title: 3, description: {} },
        count: { type: "number", minimum: "9", oneOf: {} },
        list: { type: "array", minItems: "3", items: "string" },
        choice: { enum: "abc" },
      },
    };
    const draft = { text: "abc", count: "4", list: ["true"], choice: "1" };
    expect(send(schema, draft)).toEqual({
      value: { text: "abc", count: 4, list: [true], choice: 1 },
      problems: {},
    });
    const [text] = membersOf(fieldOf(schema, "", schema));
    expect(text!.field).toMatchObject({ label: "Text", hint: undefined });
    expect(text!.required).toBe(false);
  });
  it("sends null only for a required field that may be null", () => {
    expect(
      send(
        { type: "object", required: ["a"], properties: { a: { type: ["string", "null"] } } },
        undefined,
      ).value,
    ).toEqual({ a: null });
  });
  it("sends an untouched required boolean as false and an empty required list as empty", () => {
    expect(
      send(
        {
          type: "object",
          required: ["a", "b"],
          properties: { a: { type: "boolean" }, b: { type: "array", items: { type: "string" } } },
        },
        undefined,
      ).value,
    ).toEqual({ a: false, b: [] });
  });
  it("adds the person's zone to dates with a time and to times", () => {
    expect(toDateTime("2026-11-21T10:00")).toMatch(/^2026-11-21T10:00:00(Z|[+-]\d\d:\d\d)$/);
    expect(toTime("10:00")).toMatch(/^10:00:00(Z|[+-]\d\d:\d\d)$/);
    expect(
      send(
        { type: "object", properties: { d: { type: "string", format: "date" } } },
        { d: "2026-11-21" },
      ).value,
    ).toEqual({ d: "2026-11-21" });
  });
  it("treats names such as constructor and __proto__ as ordinary", () => {
    const properties = JSON.parse(
      '{"constructor":{"type":"string"},"__proto__":{"type":"string"},"toString":{"type":"string"}}',
    );
    const schema = { type: "object", required: ["constructor"], properties };
    const draft = JSON.parse('{"constructor":"c","__proto__":"p"}');
    const problems: Problems = new Map();
    expect(JSON.stringify(encode(fieldOf(schema, "", schema), draft, true, "", problems))).toBe(
      '{"constructor":"c","__proto__":"p"}',
    );
    expect(send(schema, undefined).problems).toEqual({ "/constructor": "Please fill this in." });
  });
  it("keeps the values of an enum in their own types", () => {
    const schema = { type: "object", properties: { n: { enum: [1, 2, null] } } };
    expect(draftOf(fieldOf(schema, "", schema), { n: 2 })).toEqual({ n: 2 });
    expect(send(schema, { n: 2 }).value).toEqual({ n: 2 });
  });
  it("follows local references and refuses too many or repeated items", () => {
    const schema = {
      type: "object",
      definitions: { tag: { type: "string", minLength: 2 } },
      properties: {
        tags: {
          type: "array",
          maxItems: 2,
          uniqueItems: true,
          items: { $ref: "#/definitions/tag" },
        },
      },
    };
    expect(send(schema, { tags: ["a"] }).problems).toEqual({
      "/tags/0": "Enter at least 2 characters.",
    });
    expect(send(schema, { tags: ["aa", "aa"] }).problems).toEqual({
      "/tags": "Each entry may appear once.",
    });
    expect(send(schema, { tags: ["aa", "bb", "cc"] }).problems).toEqual({ "/tags": "At most 2." });
  });
  it("says yes only where the person did: a yes that is the only answer is asked for, whatever is given beforehand", () => {
    for (const yes of [
      { type: "boolean", const: true, default: true, title: "I agree" },
      { enum: [true], default: true },
      { $ref: "#/$defs/yes" },
    ]) {
      const schema = {
        type: "object",
        required: ["consent"],
        properties: { consent: yes, news: { const: true } },
        $defs: { yes: { const: true } },
      };
      expect(kinds({ consent: yes.$ref ? schema.$defs.yes : yes })).toEqual(["consent"]);
      const draft = draftOf(fieldOf(schema, "", schema), { consent: true, news: true });
      expect(draft).toBeUndefined();
      expect(send(schema, draft)).toEqual({
        value: {},
        problems: { "/consent": "Please tick this to go on." },
      });
      expect(send(schema, { consent: true })).toEqual({ value: { consent: true }, problems: {} });
    }
  });
  it("takes the choice of a union's branch for the constants that tell it from the others, and for no others", () => {
    const branch = (kind: string, gift: boolean) => ({
      type: "object",
      required: ["kind", "gift", "agreed"],
      properties: { kind: { const: kind }, gift: { const: gift }, agreed: { const: true } },
    });
    const schema = { oneOf: [branch("card", true), branch("cash", false)] };
    expect(send(schema, { branch: 0, value: null })).toEqual({
      value: { kind: "card", gift: true },
      problems: { "/value/agreed": "Please tick this to go on." },
    });
    expect(send(schema, { branch: 1, value: { agreed: true } }).value).toEqual({
      kind: "cash",
      gift: false,
      agreed: true,
    });
  });
  it("sends the chosen branch of a union with what stands beside it", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string" } },
      required: ["id"],
      oneOf: [
        { properties: { kind: { const: "a" } }, required: ["kind"] },
        { properties: { kind: { const: "b" }, n: { type: "number" } }, required: ["kind"] },
      ],
    };
    expect(send(schema, { branch: 1, value: { id: "x", n: "4" } }).value).toEqual({
      id: "x",
      kind: "b",
      n: 4,
    });
  });
  it("sends an open map by its keys and refuses a key twice", () => {
    const schema = {
      type: "object",
      properties: { env: { type: "object", additionalProperties: { type: "number" } } },
    };
    expect(send(schema, { env: [{ key: "a", value: "1" }] }).value).toEqual({ env: { a: 1 } });
    expect(
      send(schema, {
        env: [
          { key: "a", value: "1" },
          { key: "a", value: "2" },
        ],
      }).problems,
    ).toEqual({ "/env/1/key": "Each entry may appear once." });
  });
});

describe("a field", () => {
  it("gets its control from the schema", () => {
    expect(
      kinds({
        a: { type: "string" },
        notes: { type: "string" },
        photoDataUrl: { type: "string" },
        e: { type: "string", format: "email" },
        n: { type: "integer" },
        b: { type: "boolean" },
        c: { enum: ["x"] },
        l: { type: "array", items: { type: "string" } },
        m: { type: "array", items: { enum: ["x", "y"] } },
        any: {},
        open: { type: "object", additionalProperties: true },
        closed: { type: "object" },
        t: { type: "string", maxLength: 500 },
      }),
    ).toEqual([
      "line",
      "text",
      "file",
      "email",
      "number",
      "boolean",
      "choice",
      "list",
      "choices",
      "json",
      "json",
      "group",
      "text",
    ]);
  });
  it("is labelled in words", () => {
    expect(humanise("unitPrice")).toBe("Unit price");
    expect(humanise("due_date")).toBe("Due date");
    expect(humanise("orderID")).toBe("Order ID");
    expect(humanise("groupBStrep")).toBe("Group B strep");
  });
});

describe("multipleOf", () => {
  it("is decided in decimal", () => {
    expect(isMultipleOf(0.3, 0.1)).toBe(true);
    expect(isMultipleOf(1.1, 0.01)).toBe(true);
    expect(isMultipleOf(0.35, 0.1)).toBe(false);
  });
});

describe("a violation", () => {
  it("finds its field by path, brackets and quoted keys included", () => {
    expect(pointerOfViolation("add.data.items[0].title", "add")).toBe("/items/0/title");
    expect(pointerOfViolation('add.data.m["2024"]', "add")).toBe("/m/2024");
    expect(pointerOfViolation("add.data", "add")).toBe("");
    expect(pointerOfViolation("other.data.x", "add")).toBeUndefined();
    expect(pointerOfViolation("add.database", "add")).toBeUndefined();
  });
  it("is kept by pointer", () => {
    expect([
      ...violationsByPointer(
        [
          { field: "a.data.x", message: "no" },
          { field: "action", message: "?" },
        ],
        "a",
      ),
    ]).toEqual([["/x", "no"]]);
  });
});
