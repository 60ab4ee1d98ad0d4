// @vitest-environment node
// Views and data that mean harm: nothing hangs, nothing becomes HTML, every picture stays calm and small.

import { describe, expect, it } from "vitest";
import { stories } from "../../stories/stage";
import { browserFor, isThere } from "./chromium";
import {
  ACK,
  countOf,
  type Given,
  guestCode,
  HANGS,
  responds,
  type Shown,
  show,
  textOf,
  within,
} from "./guest";

/** Some ten for each of the components that may be drawn. */
const ELEMENTS_MAX = 60_000;
/** Long enough for the largest picture on a machine with much else to do, in milliseconds. */
const DRAWN_WITHIN = HANGS;
const REFUSED = "This could not be shown.";

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const nested = (depth: number, open: string, close: string, inner = "") =>
  open.repeat(depth) + inner + close.repeat(depth);
const text = { id: "t", component: "Text", text: "inside" };

/** Views that are refused as a whole. */
const refused: { readonly [name: string]: Given } = {
  "a component that contains itself": {
    components: [
      { id: "root", component: "Column", children: ["a"] },
      { id: "a", component: "Card", child: "root" },
    ],
  },
  "a template that contains itself": {
    components: [
      { id: "root", component: "List", children: { componentId: "root", path: "/props/rows" } },
    ],
    props: { rows: [1, 2] },
  },
  "ten thousand cards in each other": {
    components: many(10_000, (index) => ({
      id: index ? `c${index}` : "root",
      component: "Card",
      child: `c${index + 1}`,
    })),
  },
  "a hundred thousand components": {
    components: [
      { id: "root", component: "Column", children: many(100_000, (index) => `c${index}`) },
      ...many(100_000, (index) => ({ id: `c${index}`, component: "Text", text: "x" })),
    ],
  },
  "one component drawn a hundred thousand times": {
    components: [{ id: "root", component: "Column", children: many(100_000, () => "t") }, text],
  },
  "components that double forty times": {
    components: [
      ...many(40, (index) => ({
        id: index ? `c${index}` : "root",
        component: "Column",
        children: [`c${index + 1}`, `c${index + 1}`],
      })),
      { id: "c40", component: "Text", text: "x" },
    ],
  },
  "a hundred thousand facts": {
    components: [
      { id: "root", component: "KeyValue", items: many(100_000, () => ({ label: "l", value: 1 })) },
    ],
  },
  "a hundred thousand tabs": {
    components: [
      { id: "root", component: "Tabs", tabs: many(100_000, () => ({ title: "t", child: "t" })) },
      text,
    ],
  },
  "a view that is a number": { viewJson: "7" },
  "a view without components": { viewJson: '{"view":{}}' },
  "brackets a hundred thousand deep": {
    viewJson: `{"view":{"components":${nested(100_000, "[", "]")}}}`,
  },
};

const rows = many(100_000, (index) => ({
  id: `${index}`,
  title: `Row ${index}`,
  state: index % 2 ? "new" : `s${index}`,
  at: "2026-11-21T10:00:00Z",
  n: index,
}));
const records = {
  rows: { path: "/props/rows" },
  key: "id",
  titleField: "title",
  columns: [
    { field: "title", label: "Title" },
    { field: "n", label: "N" },
  ],
  rowActions: [{ action: "go", label: "Go", fixed: { id: "id" } }],
};
const deep = `{"rows":[${nested(20_000, '{"title":"x","inner":[', "]}")}]}`;
const long = "word ".repeat(1_000_000);
const unbroken = "x".repeat(5_000_000);

/** Views that are drawn, as far as it goes. */
const bounded: { readonly [name: string]: Given } = {
  ...Object.fromEntries(
    Object.entries({
      Table: {},
      Cards: {},
      Tree: { childrenField: "inner" },
      Timeline: { timeField: "at" },
      Calendar: { startField: "at" },
      Board: {
        groupField: "state",
        groups: [{ value: "new", label: "New" }],
        move: { action: "move", label: "Move", fixed: { id: "id" }, to: "state" },
      },
      Stepper: { labelField: "title", statusField: "state" },
    }).map(([component, more]) => [
      `a ${component} of a hundred thousand records`,
      { components: [{ id: "root", component, ...records, ...more }], props: { rows } },
    ]),
  ),
  "a list of a hundred thousand items": {
    components: [
      { id: "root", component: "List", children: { componentId: "t", path: "/props/rows" } },
      { ...text, text: { path: "title" } },
    ],
    props: { rows },
  },
  "templates inside templates": {
    components: [
      { id: "root", component: "List", children: { componentId: "c0", path: "/props/rows" } },
      ...many(20, (index) => ({
        id: `c${index}`,
        component: "List",
        children: { componentId: `c${index + 1}`, path: "/props/rows" },
      })),
      { ...text, id: "c20" },
    ],
    props: { rows: rows.slice(0, 1000) },
  },
  "texts, a hundred thousand of them": {
    components: [
      {
        id: "root",
        component: "Items",
        items: { path: "/props/items" },
        pick: { action: "go", label: "Go", to: "item" },
      },
    ],
    props: { items: many(100_000, String) },
  },
  "a log of a hundred thousand lines": {
    components: [
      { id: "root", component: "Log", lines: { path: "/props/rows" }, textField: "title" },
    ],
    props: { rows },
  },
  "a checklist of a hundred thousand options": {
    components: [
      {
        id: "root",
        component: "Checklist",
        options: { path: "/props/items" },
        value: { path: "/context/x" },
      },
    ],
    props: { items: many(100_000, String) },
  },
  ...Object.fromEntries(
    ["line", "bar", "area", "pie", "sparkline"].map((kind) => [
      `a ${kind} of a hundred thousand points`,
      {
        components: [
          {
            id: "root",
            component: "Chart",
            kind,
            data: { path: "/props/rows" },
            x: "title",
            series: [{ field: "n", label: "N" }],
          },
        ],
        props: { rows },
      },
    ]),
  ),
  "a metric with a past of a hundred thousand": {
    components: [
      {
        id: "root",
        component: "Metric",
        label: "N",
        value: 1,
        history: { path: "/props/rows" },
        historyField: "n",
      },
    ],
    props: { rows },
  },
  "a record with a hundred thousand members": {
    components: [{ id: "root", component: "Code", value: { path: "/props/all" } }],
    props: { all: Object.fromEntries(many(100_000, (index) => [`k${index}`, index])) },
  },
  "data twenty thousand deep": {
    components: [
      { id: "root", component: "Column", children: ["tree", "code", "value"] },
      { id: "tree", component: "Tree", ...records, childrenField: "inner" },
      { id: "code", component: "Code", value: { path: "/props/rows" } },
      {
        id: "value",
        component: "KeyValue",
        items: [{ label: "All", value: { path: "/props/rows" }, format: "json" }],
      },
    ],
    propsJson: deep,
  },
  "data forty deep": {
    components: [{ id: "root", component: "Code", value: { path: "/props/rows" } }],
    propsJson: `{"rows":${nested(40, `["${"y".repeat(60)}",`, "]", "1")}}`,
  },
  "a form with ten thousand fields": {
    components: [
      {
        id: "root",
        component: "Form",
        action: "go",
        submitLabel: "Go",
        schema: {
          type: "object",
          properties: Object.fromEntries(
            many(10_000, (index) => [`f${index}`, { type: "string" }]),
          ),
        },
      },
    ],
  },
  "a form that refers to itself ten times": {
    components: [
      {
        id: "root",
        component: "Form",
        action: "go",
        submitLabel: "Go",
        schema: {
          type: "object",
          properties: Object.fromEntries(many(10, (index) => [`f${index}`, { $ref: "#" }])),
        },
      },
    ],
  },
  "a form whose references go round": {
    components: [
      {
        id: "root",
        component: "Form",
        action: "go",
        submitLabel: "Go",
        schema: {
          type: "object",
          definitions: { a: { $ref: "#/definitions/b" }, b: { $ref: "#/definitions/a" } },
          properties: { f: { $ref: "#/definitions/a" } },
        },
      },
    ],
  },
  "a choice among a hundred thousand": {
    components: [
      {
        id: "root",
        component: "Form",
        action: "go",
        submitLabel: "Go",
        schema: { type: "object", properties: { f: { enum: many(100_000, String) } } },
      },
    ],
  },
  "two texts of thousands of lines to compare": {
    components: [
      { id: "root", component: "Diff", before: { path: "/props/a" }, after: { path: "/props/b" } },
    ],
    props: {
      a: many(50_000, String).join("\n"),
      b: many(50_000, (index) => `${index * 2}`).join("\n"),
    },
  },
  ...Object.fromEntries(
    ["Text", "Heading", "Badge", "Notice", "Toast", "Code", "Diff", "Metric"].flatMap((component) =>
      Object.entries({ words: long, letters: unbroken }).map(([name, value]) => [
        `a ${component} of five million ${name}`,
        {
          components: [
            {
              id: "root",
              component,
              label: "l",
              [component === "Code" || component === "Metric"
                ? "value"
                : component === "Diff"
                  ? "after"
                  : "text"]: { path: "/props/text" },
            },
          ],
          props: { text: value },
        },
      ]),
    ),
  ),
  "a cell, a fact and a line of five million letters": {
    components: [
      { id: "root", component: "Column", children: ["table", "facts", "log", "cards", "form"] },
      { id: "table", component: "Table", ...records },
      {
        id: "facts",
        component: "KeyValue",
        items: [{ label: { path: "/props/text" }, value: { path: "/props/text" } }],
      },
      { id: "log", component: "Log", lines: { path: "/props/rows" }, textField: "title" },
      { id: "cards", component: "Cards", ...records },
      {
        id: "form",
        component: "Form",
        title: { path: "/props/text" },
        action: "go",
        submitLabel: { path: "/props/text" },
        schema: { type: "object", properties: { f: { type: "string" } } },
        initial: { path: "/props/initial" },
      },
    ],
    props: { text: unbroken, rows: [{ id: "1", title: unbroken, n: 1 }], initial: { f: unbroken } },
  },
  "marks of emphasis without an end": {
    components: [{ id: "root", component: "Text", text: { path: "/props/text" } }],
    props: {
      text: `${"**a ".repeat(20_000)}\n\n${"[x](https://".repeat(20_000)}\n\n${"`".repeat(50_000)}\n\n${"_a".repeat(50_000)}`,
    },
  },
  "a text that fills itself in ten thousand times": {
    components: [
      {
        id: "root",
        component: "Text",
        text: { call: "formatString", args: { value: "${/props/text}".repeat(10_000) } },
      },
    ],
    props: { text: "y".repeat(1_000_000) },
  },
  "calls inside calls": {
    components: [
      {
        id: "root",
        component: "Text",
        text: many(200, () => 0).reduce(
          (inner: unknown) => ({ call: "formatString", args: { value: inner } }),
          "x",
        ),
      },
    ],
  },
  "braces inside braces": {
    components: [
      {
        id: "root",
        component: "Text",
        text: { call: "formatString", args: { value: nested(50_000, "${", "}") } },
      },
    ],
  },
  "a text field with patterns that never end": {
    components: [
      { id: "root", component: "Column", children: many(6, (index) => `f${index}`) },
      ...[
        "^(a+)+$",
        "^(a|aa)+$",
        "(.*)*x",
        "^(\\w+\\s?)*$",
        "(x+x+)+y",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
      ].map((pattern, index) => ({
        id: `f${index}`,
        component: "TextField",
        label: "f",
        value: { path: "/props/text" },
        checks: [
          {
            condition: { call: "regex", args: { value: { path: "/props/text" }, pattern } },
            message: "no",
          },
        ],
      })),
    ],
    props: { text: `${"a".repeat(5000)}!` },
  },
  "forms whose patterns never end": {
    components: [
      { id: "root", component: "Column", children: many(4, (index) => `f${index}`) },
      ...["^(a?){60}b$", "^(a{0,3}){40}b$", "^(a|a?)+$", "(.*){30}x"].map((pattern, index) => ({
        id: `f${index}`,
        component: "Form",
        action: "go",
        submitLabel: "Go",
        schema: {
          type: "object",
          properties: Object.fromEntries(
            many(100, (field) => [
              `f${field}`,
              { type: "string", pattern: `${pattern}|${field}`, default: "a".repeat(2000) },
            ]),
          ),
        },
      })),
    ],
  },
  "a form that begins with lists of a hundred thousand": {
    components: [
      {
        id: "root",
        component: "Form",
        action: "go",
        submitLabel: "Go",
        initial: { path: "/props" },
        schema: {
          type: "object",
          properties: {
            rows: {
              type: "array",
              uniqueItems: true,
              items: { type: "object", properties: { title: { type: "string" } } },
            },
            map: { type: "object", additionalProperties: { type: "string" } },
          },
        },
      },
    ],
    props: { rows, map: Object.fromEntries(many(100_000, (index) => [`k${index}`, "v"])) },
  },
  "four hundred times the same long choice": {
    components: [
      {
        id: "root",
        component: "Form",
        action: "go",
        submitLabel: "Go",
        schema: {
          type: "object",
          definitions: { one: { enum: many(1000, (index) => `choice_number_${index}`) } },
          properties: Object.fromEntries(
            many(400, (index) => [`f${index}`, { $ref: "#/definitions/one" }]),
          ),
        },
      },
    ],
  },
  "fifty large forms": {
    components: [
      { id: "root", component: "Column", children: many(50, (index) => `f${index}`) },
      ...many(50, (index) => ({
        id: `f${index}`,
        component: "Form",
        action: "go",
        submitLabel: "Go",
        schema: {
          type: "object",
          properties: Object.fromEntries(many(500, (field) => [`f${field}`, { type: "string" }])),
        },
      })),
    ],
  },
  "bounds without a measure": {
    components: [
      { id: "root", component: "Column", children: ["form", "rating", "slider"] },
      {
        id: "form",
        component: "Form",
        action: "go",
        submitLabel: "Go",
        schema: {
          type: "object",
          properties: {
            list: { type: "array", minItems: 1e9, maxItems: 1e300, items: { type: "string" } },
            text: { type: "string", minLength: 1e9, maxLength: 1e300, default: "a" },
            step: { type: "number", multipleOf: 5e-324, default: 1.7e308 },
            scale: { type: "integer", minimum: -9e15, maximum: 9e15 },
          },
        },
      },
      { id: "rating", component: "Rating", label: "R", max: 1e9, value: { path: "/ui/rating" } },
      {
        id: "slider",
        component: "Slider",
        label: "S",
        min: 0,
        max: 1e300,
        value: { path: "/ui/slider" },
      },
    ],
  },
  "texts that are templates of other texts": {
    components: [
      {
        id: "root",
        component: "Text",
        text: { call: "formatString", args: { value: { path: "/props/t0" } } },
      },
    ],
    props: {
      ...Object.fromEntries(
        many(9, (index) => [
          `t${index}`,
          `\${formatString(value: /props/t${index + 1})}`.repeat(20),
        ]),
      ),
      t9: "",
    },
  },
  "a template that asks ten thousand times for the length of a large record": {
    components: [
      {
        id: "root",
        component: "Text",
        text: {
          call: "formatString",
          args: { value: "${length(value: /props/all)}".repeat(10_000) },
        },
      },
    ],
    props: { all: Object.fromEntries(many(50_000, (index) => [`k${index}`, index])) },
  },
};

/** What must only ever be read. */
const HARMFUL = [
  `<img src=x onerror="globalThis.__harmed=1"><script>globalThis.__harmed=1</script>`,
  `"><svg onload=globalThis.__harmed=1><style>*{display:none}</style>`,
  "javascript:globalThis.__harmed=1",
  "[read](javascript:globalThis.__harmed=1) <a href='javascript:globalThis.__harmed=1'>x</a>",
  "data:text/html,<script>globalThis.__harmed=1</script>",
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='globalThis.__harmed=1'/>",
];

/** Every story on one page, with one text in the place of every text, and of every address. */
function everything(words: string): Given {
  const parts = [...stories].map(([name, { root, props, inside }]) => {
    const own = (id: string) => `${name}-${id}`;
    const place = (value: unknown, key = ""): unknown => {
      if (Array.isArray(value))
        return value.map((item) => (key === "children" ? own(item) : place(item, key)));
      if (typeof value === "object" && value !== null)
        return Object.fromEntries(
          Object.entries(value).map(([inner, item]) => [inner, place(item, inner)]),
        );
      if (typeof value !== "string") return value;
      if (["id", "child", "trigger", "content", "componentId"].includes(key)) return own(value);
      if (key === "path") return value.replace(/^\/props\//, `/props/${name}/`);
      return [
        "title",
        "label",
        "text",
        "caption",
        "description",
        "submitLabel",
        "emptyText",
        "unit",
        "url",
      ].includes(key)
        ? words
        : value;
    };
    const filled = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(filled)
        : typeof value === "object" && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item)]))
          : typeof value === "string"
            ? words
            : value;
    return {
      name,
      props: filled(props),
      components: [...inside, { ...root, id: "root" }].map((part) => place(part) as object),
    };
  });
  return {
    components: [
      { id: "root", component: "Column", children: parts.map(({ name }) => `${name}-root`) },
      ...parts.flatMap(({ components }) => components),
    ],
    props: Object.fromEntries(parts.map(({ name, props }) => [name, props])),
  };
}

describe.skipIf(!isThere)("a view that means harm", () => {
  const browser = browserFor(guestCode);
  let shown: Shown | undefined;
  const look = async (given: Given) => (shown = await show(browser(), given));

  /** What one page broke stays its own. */
  async function leave() {
    const page = shown?.page;
    shown = undefined;
    await Promise.race([page?.close(), new Promise((done) => setTimeout(done, 1000))]);
  }

  it.each(Object.entries(refused))(
    "%s is not drawn, and says so in a sentence",
    async (_, given) => {
      const { page, errors, took } = await look(given);
      expect(await textOf(page)).toContain(REFUSED);
      expect(await countOf(page)).toBeLessThan(100);
      expect(errors).toEqual([]);
      expect(took).toBeLessThan(DRAWN_WITHIN);
      await leave();
    },
    2 * HANGS,
  );

  it.each(Object.entries(bounded))(
    "%s is drawn in bounds, and the page goes on",
    async (_, given) => {
      const { page, errors, took } = await look(given);
      expect(await countOf(page)).toBeLessThan(ELEMENTS_MAX);
      expect((await textOf(page)).length).toBeLessThan(1_500_000);
      expect(
        await within(page.locator("[data-component]").count(), "to be found"),
        await textOf(page),
      ).toBeGreaterThan(0);
      await responds(page);
      expect(errors).toEqual([]);
      expect(took).toBeLessThan(DRAWN_WITHIN);
      await leave();
    },
    4 * HANGS,
  );

  it.each(HARMFUL)(
    "every text of every component being %s, it is read and never run",
    async (harm) => {
      const { page, errors } = await look({ ...everything(harm), context: { done: [harm] } });
      expect(await textOf(page)).toContain(harm.replace(/\s+/g, " ").trim().slice(0, 12));
      const made = await within(
        page.evaluate(() => {
          for (const control of document.querySelectorAll<HTMLElement>(
            "main button, main a, main [role=tab]",
          ))
            control.click();
          const elements = [...document.querySelectorAll("main *")];
          const has = (element: Element, test: (name: string, value: string) => boolean) =>
            [...element.attributes].some(({ name, value }) => test(name, value));
          return elements
            .filter(
              (element) =>
                /^(script|iframe|object|embed|link|meta|base|style)$/i.test(element.tagName) ||
                has(
                  element,
                  (name, value) =>
                    /^on|^srcdoc$|^formaction$/.test(name) ||
                    (/^(href|src|xlink:href|action)$/.test(name) &&
                      !/^(https?:|mailto:|data:image\/)/.test(value)),
                ),
            )
            .map((element) => element.outerHTML.slice(0, 200));
        }),
        "to be searched",
      );
      expect(made).toEqual([]);
      await responds(page);
      expect(await page.evaluate(() => (globalThis as any).__harmed)).toBeUndefined();
      expect(page.url()).toBe("about:blank");
      expect(errors).toEqual([]);
      await leave();
    },
    4 * HANGS,
  );

  it(
    "names of the language are ordinary names, in data, in paths and in what is typed",
    async () => {
      const schema =
        '{"type":"object","properties":{"__proto__":{"type":"string","title":"Own"},"constructor":{"type":"string","title":"Built"}}}';
      const { page, errors } = await look({
        viewJson: `{"version":"v0.9","view":{"components":[
        {"id":"root","component":"Column","children":["__proto__","constructor","typed","form","none"]},
        {"id":"__proto__","component":"Text","text":{"path":"/props/__proto__/polluted"}},
        {"id":"constructor","component":"Text","text":{"call":"formatString","args":{"value":"\${/props/constructor/prototype/polluted}","__proto__":{"path":"/props/__proto__"}}}},
        {"id":"typed","component":"TextField","label":"Typed","value":{"path":"/context/__proto__/polluted"}},
        {"id":"form","component":"FieldSet","schema":${schema},"value":{"path":"/ui/__proto__"}},
        {"id":"none","component":"toString"}]}}`,
        propsJson:
          '{"__proto__":{"polluted":"first"},"constructor":{"prototype":{"polluted":"second"}}}',
      });
      expect(await textOf(page)).toMatch(/first\s+second/);
      for (const label of ["Typed", "Own", "Built"]) await page.getByLabel(label).fill("third");
      await responds(page);
      expect(
        await page.evaluate(() => [
          ({} as any).polluted,
          (Object as any).polluted,
          Object.keys(Object.prototype),
        ]),
      ).toEqual([undefined, undefined, []]);
      expect(errors).toEqual([]);
      await leave();
    },
    2 * HANGS,
  );

  it(
    "a button opens addresses of the web, and nothing else",
    async () => {
      const addresses = [
        "javascript:globalThis.__harmed=1",
        " javascript:globalThis.__harmed=1",
        "java\nscript:globalThis.__harmed=1",
        "data:text/html,<script>top.__harmed=1</script>",
        "file:///etc/passwd",
        "blob:null/1",
        "https://example.org/ok",
      ];
      const { page } = await look({
        components: [
          { id: "root", component: "Column", children: addresses.map((_, index) => `b${index}`) },
          ...addresses.map((url, index) => ({
            id: `b${index}`,
            component: "Button",
            child: "t",
            action: { functionCall: { call: "openUrl", args: { url } } },
          })),
          text,
        ],
      });
      const opened = await page.evaluate(() => {
        const seen: unknown[] = [];
        window.open = (url) => {
          seen.push(url);
          return null;
        };
        for (const button of document.querySelectorAll("button")) button.click();
        return seen;
      });
      expect(opened).toEqual(["https://example.org/ok"]);
      expect(await page.evaluate(() => (globalThis as any).__harmed)).toBeUndefined();
      await leave();
    },
    2 * HANGS,
  );

  const live: Given = {
    components: [
      { id: "root", component: "Column", children: ["log", "chart", "t"] },
      { id: "log", component: "Log", lines: { path: "/streams/log" } },
      {
        id: "chart",
        component: "Chart",
        kind: "line",
        data: { path: "/streams/points" },
        x: "t",
        series: [{ field: "v", label: "V" }],
      },
      { ...text, text: { path: "/props/text" } },
    ],
    props: { text: "before" },
  };

  it(
    "a hundred thousand frames within seconds are applied once a picture, and leave it as small as it was",
    async () => {
      const frame = (index: number) =>
        JSON.stringify({
          type: "data",
          payload: {
            sessionId: "s",
            channel: index % 2 ? "log" : "points",
            mode: "append",
            payload: index % 2 ? `line ${index} ${"z".repeat(200)}` : { t: index, v: index % 97 },
            seq: index + 1,
          },
        });
      const update = (index: number) =>
        JSON.stringify({
          type: "props_update",
          payload: { sessionId: "s", epoch: 0, props: { text: `${index} ${"w".repeat(10_000)}` } },
        });
      const { page, errors } = await look({
        ...live,
        bursts: [
          [ACK],
          ...many(100, (burst) =>
            many(1000, (index) => frame(burst * 1000 + index)).concat(update(burst)),
          ),
        ],
      });
      await page.waitForFunction(() => (globalThis as any).__brought, undefined, {
        timeout: 3 * HANGS,
      });
      await page.getByText("line 99999").waitFor();
      await responds(page);
      expect(await countOf(page)).toBeLessThan(2000);
      expect(await textOf(page)).toContain("99 wwww");
      expect(errors).toEqual([]);
      await leave();
    },
    4 * HANGS,
  );

  it(
    "frames that are none are passed over, and the picture stays",
    async () => {
      const nonsense = [
        "",
        "null",
        "[]",
        "{",
        '{"type":7}',
        '{"type":"data"}',
        '{"type":"data","payload":{}}',
        '{"type":"data","payload":{"channel":"__proto__","mode":"append","payload":1,"seq":1}}',
        '{"type":"__proto__","payload":{}}',
        `{"type":"data","payload":${nested(50_000, "[", "]")}}`,
        `{"type":"props_update","payload":{"epoch":0,"props":{"text":${nested(50_000, "[", "]")}}}}`,
        '{"type":"props_update","payload":{"props":7}}',
        '{"type":"props_update","payload":{"epoch":"<b>","props":{}}}',
        '{"type":"render","payload":{}}',
        '{"type":"error","payload":{"code":"<b>"}}',
        '{"type":"drain_ack","payload":{}}',
        '{"type":"observe","payload":{"event":{"kind":"auth-required","authUrl":"javascript:globalThis.__harmed=1"}}}',
      ];
      const { page, errors } = await look({
        ...live,
        bursts: [
          [ACK],
          nonsense,
          [
            '{"type":"data","payload":{"sessionId":"s","channel":"log","mode":"append","payload":"still here","seq":9}}',
          ],
        ],
      });
      await page.getByText("still here").waitFor();
      expect(await page.locator("[data-sign-in]").count()).toBe(0);
      expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
      expect(errors).toEqual([]);
      await leave();
    },
    2 * HANGS,
  );

  it(
    "a view that replaces another and is none leaves it where it is and says so, and the next one is drawn",
    async () => {
      const render = (view: object) =>
        JSON.stringify({
          type: "render",
          payload: { session: { id: "s", appId: "a", epoch: 0, view } },
        });
      const { page, errors } = await look({
        ...live,
        bursts: [
          [ACK],
          [render({ view: { components: [{ id: "root", component: "Card", child: "root" }] } })],
        ],
      });
      await page.getByText("A newer version could not be shown.").waitFor();
      expect(await page.locator(".g-view").count()).toBe(1);
      expect(errors).toEqual([]);
      await leave();
      const next = await look({
        ...live,
        bursts: [
          [ACK],
          [render({ view: 7 })],
          [
            render({
              version: "v0.9",
              view: { components: [{ id: "root", component: "Text", text: "the next one" }] },
            }),
          ],
        ],
      });
      await next.page.getByText("the next one").waitFor();
      await leave();
    },
    2 * HANGS,
  );
});
