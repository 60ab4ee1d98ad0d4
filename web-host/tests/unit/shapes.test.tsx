// Data in shapes that agents send: rows of values, records by their keys, records of several shapes,
// and ids inside what a form asks for.

import { expect, it } from "vitest";
import type { Json } from "../../src/wire/json";
import { draw } from "./mount";

const texts = (root: Element, selector: string) =>
  [...root.querySelectorAll(selector)].map((node) => node.textContent);

it("rows of values stand under the names of lists, in their order", async () => {
  const names = (path: string) => ({ rows: { path }, key: "id", titleField: "name" });
  const { root } = await draw(
    [
      {
        id: "root",
        component: "Matrix",
        value: { path: "/props/depths" },
        rowNames: names("/props/teeth"),
        columnNames: names("/props/sites"),
      },
    ],
    {
      teeth: [
        { id: "t16", name: "Molar" },
        { id: "t13", name: "Canine" },
      ],
      sites: [
        { id: "mb", name: "Front" },
        { id: "db", name: "Back" },
      ],
      depths: [
        [4, 7],
        [2, null],
      ],
    },
  );
  expect(texts(root, "thead th")).toEqual(["Front", "Back"]);
  expect(texts(root, "tbody th")).toEqual(["Molar", "Canine"]);
  expect(texts(root, "tbody td").slice(0, 3)).toEqual(["4", "7", "2"]);
});

it("records that a map holds under their keys are rows", async () => {
  const { root } = await draw(
    [
      {
        id: "root",
        component: "Table",
        rows: { path: "/props/bands" },
        columns: [
          { field: "name", label: "Name" },
          { field: "pricePence", label: "Price", format: "money", currency: "GBP" },
        ],
      },
    ],
    {
      bands: { b1: { name: "Stalls", pricePence: 118500 }, b2: { name: "Circle", pricePence: 0 } },
    },
  );
  expect(texts(root, "tbody tr")).toHaveLength(2);
  expect(root.textContent).toContain("£1,185.00");
});

it("a record that lacks what an action takes does not offer it", async () => {
  const messages: Json[] = [
    { id: "m1", kind: "assistant", text: "Two flights are left." },
    { id: "m2", kind: "offer", text: "Tonight", offerId: "o1" },
  ];
  const { root } = await draw(
    [
      {
        id: "root",
        component: "Chat",
        rows: { path: "/props/messages" },
        key: "id",
        authorField: "kind",
        textField: "text",
        rowActions: [{ action: "take", label: "Take it", fixed: { offerId: "offerId" } }],
      },
    ],
    { messages },
  );
  expect(texts(root, "[data-action=take]")).toHaveLength(1);
  // Who speaks is a role here, and no name.
  expect(root.textContent).toContain("Assistant");
});

it("an id inside a record of a form, or in each of several, is chosen by its name", async () => {
  const payload = {
    type: "object",
    properties: {
      hearing: { type: "object", properties: { courtId: { type: "string" } } },
      fields: {
        type: "array",
        minItems: 1,
        items: { type: "object", properties: { cropId: { type: "string" } } },
      },
    },
  };
  const refers = (list: string) => ({
    rows: { path: `/props/${list}` },
    key: "id",
    titleField: "name",
  });
  const { root } = await draw(
    [
      {
        id: "root",
        component: "Form",
        action: "send",
        submitLabel: "Send",
        schema: payload,
        choices: { "hearing/courtId": refers("courts"), "fields/cropId": refers("crops") },
      },
    ],
    {
      courts: [
        { id: "c1", name: "Salen" },
        { id: "c2", name: "Obermoor" },
      ],
      crops: [
        { id: "k1", name: "Winter wheat" },
        { id: "k2", name: "Dessert apples" },
      ],
    },
  );
  expect(root.textContent).toContain("Obermoor");
  expect(root.textContent).not.toContain("c2");
});

it("a step says in words how it stands, unless it is done", async () => {
  const { root } = await draw(
    [
      {
        id: "root",
        component: "Stepper",
        rows: { path: "/props/steps" },
        labelField: "name",
        statusField: "state",
      },
    ],
    {
      steps: [
        { name: "Roof", state: "done" },
        { name: "Windows", state: "awaitingApproval" },
      ],
    },
  );
  expect(texts(root, "li small")).toEqual(["Awaiting approval"]);
});

it("a message of one of several kinds is drawn as what it is", async () => {
  const at = "2026-06-17T17:00:00Z";
  const messages: Json[] = [
    { id: "1", by: "Malte", at, content: { kind: "text", text: "Is every hour normal?" } },
    { id: "2", by: "Lore", at, content: { kind: "visit", state: "proposed" } },
  ];
  const parts = [
    { field: "kind", label: "Kind", format: "choice" },
    { field: "text", label: "Text" },
    { field: "state", label: "State", format: "badge" },
  ];
  const chat = {
    id: "root",
    component: "Chat",
    rows: { path: "/props/messages" },
    authorField: "by",
    textField: "content",
    timeField: "at",
    columns: [{ field: "content", label: "Content", format: "record", parts }],
  };
  const { root } = await draw([chat], { messages });
  const said = [...root.querySelectorAll(".g-message")].map((message) => message.textContent);
  expect(said).toEqual(["Is every hour normal?", "VisitState Proposed"]);
  expect(root.querySelectorAll(".g-facts")).toHaveLength(0);
});

it("one's own messages stand on the other side, by who looks at them or by what they say", async () => {
  const messages = [
    { by: "u1", text: "Is it open?" },
    { by: "u2", text: "Until six." },
    { by: "u2", text: "So I am told.", mine: true },
  ];
  const chat = {
    id: "root",
    component: "Chat",
    rows: { path: "/props/messages" },
    authorField: "by",
    textField: "text",
    me: { path: "/props/me" },
  };
  const { root } = await draw([chat], { messages, me: "u1" });
  const sides = [...root.querySelectorAll(".g-messages > li")].map((message) =>
    message.hasAttribute("data-mine"),
  );
  expect(sides).toEqual([true, false, true]);
});
