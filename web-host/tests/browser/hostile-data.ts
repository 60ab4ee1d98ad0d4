// Data and texts that mean harm in views that do not.

import type { Given } from "./guest";
import { many, nested, rows } from "./hostile-parts";

/** Views that are drawn, as far as it goes. */
export const boundedData: { readonly [name: string]: Given } = {
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
