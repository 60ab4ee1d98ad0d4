// Views that mean harm: refused as a whole, or drawn in bounds.

import type { Given } from "./guest";
import { deep, long, many, nested, rows, text } from "./hostile-parts";

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

const unbroken = "x".repeat(5_000_000);

/** Views that are refused as a whole. */
export const refused: { readonly [name: string]: Given } = {
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

/** Views that are drawn, as far as it goes. */
export const boundedViews: { readonly [name: string]: Given } = {
  ...Object.fromEntries(
    Object.entries({
      Table: {},
      Cards: {},
      Tree: { childrenField: "inner" },
      Timeline: { timeField: "at" },
      Article: { textField: "title" },
      Changes: { beforeField: "title", afterField: "state" },
      Tasks: { doneField: "state", groupField: "id" },
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
};
