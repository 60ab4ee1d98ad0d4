// The words and scales that records are read by, and the tables and lists they stand in.

import { describe, expect, it } from "vitest";
import { jsonText } from "../../src/catalog/code";
import { fieldOf, humanise, scaleOf, starsOf } from "../../src/form/field";
import type { Json } from "../../src/wire/json";
import { act, draw, press } from "./mount";

it("words of a list stay as they were written, and names of programs become words", async () => {
  const { text } = await draw(
    [
      {
        id: "root",
        component: "Table",
        rows: { path: "/props/rows" },
        columns: [{ field: "tags", label: "Tags", format: "tags" }],
      },
    ],
    { rows: [{ tags: ["procurement", "e-mail", "tree_nuts"] }] },
  );
  for (const word of ["procurement", "e-mail", "Tree nuts"]) expect(text()).toContain(word);
});

it("the label of a fact that names itself is left to those who cannot see", async () => {
  const columns = ["parcel", "lane"].map((field) => ({ field, label: humanise(field) }));
  const { root } = await draw(
    [{ id: "root", component: "Cards", rows: { path: "/props/plots" }, titleField: "id", columns }],
    { plots: [{ id: "East", parcel: "Parcel 46", lane: "Laneway" }] },
  );
  const labels = [...root.querySelectorAll("dt")].map((label) => [
    label.textContent,
    label.className,
  ]);
  expect(labels).toEqual([
    ["Parcel", "g-hidden"],
    ["Lane", ""],
  ]);
});

describe("Stepper", () => {
  const drawn = async (steps: object, props: { [name: string]: Json }) => {
    const { root } = await draw([{ id: "root", component: "Stepper", ...steps }], props);
    return [...root.querySelectorAll("li")].map((step) => [
      step.getAttribute("data-state"),
      step.querySelector(".g-step-mark + span")!.firstChild!.textContent,
    ]);
  };

  it("leaves steps that are texts as they were written", async () => {
    const steps = { rows: { path: "/props/steps" }, current: 2 };
    expect(await drawn(steps, { steps: ["pre-check", "iPad"] })).toEqual([
      ["done", "pre-check"],
      ["current", "iPad"],
    ]);
  });

  it("finds its step by the id, and says in words what has no other name", async () => {
    const rows = { path: "/props/stages" };
    const current = { path: "/props/order/stage" };
    const steps = { rows, current, key: "key", labelField: "key" };
    const stages = [{ key: "received" }, { key: "in_the_oven" }];
    expect(await drawn(steps, { stages, order: { stage: "in_the_oven" } })).toEqual([
      ["done", "Received"],
      ["current", "In the oven"],
    ]);
  });
});

describe("Items", () => {
  it("fires the picked text", async () => {
    const { root, fired } = await draw(
      [
        {
          id: "root",
          component: "Items",
          items: { path: "/props/names" },
          pick: { action: "answer", label: "Answer", to: "choice" },
        },
      ],
      { names: ["Saturn", "Uranus"] },
    );
    await press(root.querySelectorAll("button")[1]!);
    expect(fired[0]).toMatchObject({ name: "answer", data: { choice: "Uranus" } });
  });
});

describe("Table", () => {
  const table = {
    id: "root",
    component: "Table",
    rows: { path: "/props/todos" },
    key: "id",
    columns: [
      { field: "title", label: "Title" },
      { field: "done", label: "Done", format: "boolean" },
    ],
  };
  const todos = [
    { id: "a", title: "Milk", done: true },
    { id: "b", title: "Bread", done: false },
  ];
  it("shows an action that toggles a value as that value's box", async () => {
    const { root, fired } = await draw(
      [
        {
          ...table,
          rowActions: [{ action: "toggle", label: "Done", fixed: { id: "id" }, toggles: "done" }],
        },
      ],
      { todos },
    );
    const boxes = [...root.querySelectorAll<HTMLInputElement>(".g-toggle")];
    expect(boxes.map((box) => [box.checked, box.getAttribute("aria-label")])).toEqual([
      [true, "Done: Milk"],
      [false, "Done: Bread"],
    ]);
    await press(boxes[1]!);
    expect(fired[0]).toMatchObject({ name: "toggle", data: { id: "b" } });
    expect(root.querySelector(".g-row-actions")).toBeNull();
  });
  it("gives an action that takes the value the one that its box shows now", async () => {
    const action = {
      action: "tick",
      label: "Tick",
      fixed: { id: "id" },
      initial: { done: "done" },
      inputs: { type: "object", properties: { done: { type: "boolean" } } },
      toggles: "done",
    };
    const { root, fired } = await draw([{ ...table, rowActions: [action] }], { todos });
    for (const box of root.querySelectorAll(".g-toggle")) await press(box);
    expect(fired.map(({ data }) => data)).toEqual([
      { id: "a", done: false },
      { id: "b", done: true },
    ]);
  });
  it("does one thing with all selected rows", async () => {
    const { root, fired } = await draw(
      [
        {
          ...table,
          bulkActions: [{ action: "archive", label: "Archive", list: "ids", field: "id" }],
        },
      ],
      { todos },
    );
    expect(root.querySelector('[data-action="archive"]')!.getAttribute("aria-disabled")).toBe(
      "true",
    );
    await press(root.querySelector('[data-action="archive"]'));
    expect(fired).toEqual([]);
    await press(root.querySelector('th [type="checkbox"]'));
    await press(root.querySelector('[data-action="archive"]'));
    expect(fired[0]).toMatchObject({ name: "archive", data: { ids: ["a", "b"] } });
    expect(root.textContent).toContain("0 selected");
  });
  it("has a name for assistive technology even without a title, and no empty line for it", async () => {
    const { root } = await draw([{ ...table, accessibility: { label: "Todos" } }], { todos });
    expect(root.querySelector("table")!.getAttribute("aria-label")).toBe("Todos");
    expect(root.querySelector(".g-head")).toBeNull();
  });
});

describe("words and scales", () => {
  it("makes words of names and leaves words alone", () => {
    expect(
      ["in_progress", "unitPrice", "photoDataUrl", "db", "EUR", "Two words", "作業中"].map(
        humanise,
      ),
    ).toEqual(["In progress", "Unit price", "Photo data URL", "DB", "EUR", "Two words", "作業中"]);
  });
  it("knows a short scale and stars", () => {
    const field = (schema: any) => fieldOf(schema, "rating", schema);
    expect(scaleOf(field({ type: "integer", minimum: 0, maximum: 10 }))?.length).toBe(11);
    expect(scaleOf(field({ type: "integer", minimum: 0, maximum: 11 }))).toBeUndefined();
    expect(starsOf(field({ type: "integer", minimum: 1, maximum: 5 }), "rating")).toBe(5);
    expect(starsOf(field({ type: "integer", minimum: 1, maximum: 5 }), "mood")).toBeUndefined();
  });
  it("writes JSON in short lines", () => {
    expect(
      jsonText([
        [1, 0],
        [0, 1],
      ]),
    ).toBe("[[1, 0], [0, 1]]");
    expect(jsonText({ a: "x".repeat(80) })).toContain("\n");
  });
});

describe("a record", () => {
  it("says that a list of words is empty in a table, and leaves it out of a tile", async () => {
    const rows = { people: [{ id: "1", name: "Ada Byron", tags: [] }] };
    const of = (component: string) => ({
      id: "root",
      component,
      rows: { path: "/props/people" },
      key: "id",
      titleField: "name",
      columns: [
        { field: "name", label: "Name" },
        { field: "tags", label: "Tags", format: "tags" },
      ],
    });
    expect((await draw([of("Cards")], rows)).text()).not.toContain("Tags");
    const cell = (await draw([of("Table")], rows)).root.querySelector("td[data-label=Tags]");
    expect(cell?.textContent).not.toBe("");
  });

  it("shows the initials of a person whose picture cannot be loaded", async () => {
    const drawn = await draw(
      [
        {
          id: "root",
          component: "Table",
          rows: { path: "/props/people" },
          key: "id",
          titleField: "name",
          columns: [
            { field: "name", label: "Name" },
            { field: "avatarUrl", label: "Avatar", format: "image" },
          ],
        },
      ],
      { people: [{ id: "1", name: "Ada King Byron", avatarUrl: "https://img.example.org/a.png" }] },
    );
    await act(() => {
      drawn.root.querySelector("img")!.dispatchEvent(new Event("error"));
    });
    expect(drawn.root.querySelector(".g-initials")?.textContent).toBe("AB");
  });
});

describe("values inside values", () => {
  const shown = async (column: object, value: Json) => {
    const columns = [{ field: "value", label: "Value", ...column }];
    const table = { id: "root", component: "Table", rows: { path: "/props/rows" }, columns };
    const { root } = await draw([table], { rows: [{ value }] });
    return root.querySelector("tbody")!.textContent!.replace(/[\u2009\u202f\u00a0]/g, " ");
  };
  const part = (field: string, format: string) => ({ field, label: field, format });

  it("says a unit with each number beside it, and no word for what kind something is", async () => {
    const parts = [part("kind", "choice"), part("unit", "text"), part("venous", "number")];
    const value = { kind: "power_loss", unit: "mmHg", venous: 170 };
    expect(await shown({ format: "record", parts }, value)).toBe("Power lossvenous 170 mmHg");
  });
  it("says once what both ends of a period share", async () => {
    const days = { format: "range", parts: [part("from", "date"), part("to", "date")] };
    const period = await shown(days, { from: "2026-08-01", to: "2026-08-14" });
    expect(period).toBe("Aug 1 – 14, 2026");
    expect(await shown(days, { from: "soon", to: "2026-08-14" })).toContain("soon–Aug 14, 2026");
  });
  it("keeps signs and dashes apart, and says how much of a whole there is", async () => {
    const band = { format: "range", parts: [part("min", "number"), part("max", "number")] };
    expect(await shown(band, { min: -22, max: -18 })).toBe("-22 – -18");
    const used = { format: "range", parts: [part("used", "integer"), part("total", "integer")] };
    expect(await shown(used, { used: 11, total: 14 })).toBe("11 / 14");
  });
  it("reads a moment that nothing calls one", async () => {
    expect(await shown({}, "2026-07-14T23:12:00Z")).toContain("2026, ");
    expect(await shown({}, "2026-07-14T23:12 at the quay")).toBe("2026-07-14T23:12 at the quay");
  });
});
