// Every component of the catalog draws, and the ones with a life live it.

import { describe, expect, it } from "vitest";
import { axisNames, readPoints, scaleOf, thin } from "../../src/catalog/chart/data";
import { catalog } from "../../src/catalog/index";
import { act, draw, press, type } from "./mount";

const text = { id: "t", component: "Text", text: "inside" };
const rows = {
  rows: [
    { id: 1, name: "b", size: 2, state: "new", at: "2026-11-03" },
    { id: 2, name: "a", size: 10, state: "new", at: "2026-11-05" },
  ],
};
const schema = {
  type: "object",
  required: ["title"],
  properties: { title: { type: "string" }, count: { type: "integer" } },
};

describe("the catalog", () => {
  for (const name of catalog.keys()) {
    it(`draws ${name} with nothing but its name`, async () => {
      expect((await draw([{ id: "root", component: name }])).failures).toEqual([]);
    });
  }
  it("keeps a component that throws, and an unknown one, from taking the rest down", async () => {
    const bad = {
      get tabs() {
        throw new Error("boom");
      },
    };
    const drawn = await draw([
      { id: "root", component: "Column", children: ["x", "y", "t"] },
      { id: "x", component: "Nope" },
      {
        id: "y",
        component: "Code",
        value: { call: "formatDate", args: { value: bad as never, format: "yyyy" } },
      },
      text,
    ]);
    expect(drawn.text()).toContain("inside");
    expect(drawn.text()).toContain("newer viewer");
  });
  it("never turns text into HTML", async () => {
    const drawn = await draw([
      {
        id: "root",
        component: "Notice",
        text: "<img src=x onerror=alert(1)> [x](javascript:alert(1))",
      },
    ]);
    expect(drawn.root.querySelector("img, a")).toBeNull();
  });
});

describe("an action", () => {
  it("carries its resolved context, and null when it has none", async () => {
    const drawn = await draw(
      [
        { id: "root", component: "Column", children: ["a", "b"] },
        {
          id: "a",
          component: "ActionButton",
          label: "A",
          action: "with",
          data: { id: { path: "/props/rows/0/id" } },
        },
        { id: "b", component: "ActionButton", label: "B", action: "without" },
      ],
      rows,
    );
    await press(drawn.root.querySelector('[data-action="with"]'));
    await press(drawn.root.querySelector('[data-action="without"]'));
    expect(drawn.fired.map(({ name, data }) => [name, JSON.stringify(data)])).toEqual([
      ["with", '{"id":1}'],
      ["without", "null"],
    ]);
  });
  it("shows its life on the control that fired it, and cannot be fired twice while pending", async () => {
    const drawn = await draw([{ id: "root", component: "ActionButton", label: "A", action: "go" }]);
    const button = drawn.root.querySelector('[data-action="go"]')!;
    await press(button);
    const state = drawn.state(drawn.fired[0]!.control);
    await act(() => void (state.value = { phase: "pending" }));
    expect(button.getAttribute("aria-disabled")).toBe("true");
    await press(button);
    expect(drawn.fired).toHaveLength(1);
    await act(() => void (state.value = { phase: "received" }));
    expect(drawn.root.querySelector("[role=status]")!.textContent).toContain(
      "Received by the agent",
    );
  });
  it("goes along with its item, and is not another item's once that is gone", async () => {
    const items = (...ids: string[]) => ({ items: ids.map((id) => ({ id })) });
    const drawn = await draw(
      [
        { id: "root", component: "List", children: { componentId: "go", path: "/props/items" } },
        { id: "go", component: "ActionButton", label: { path: "id" }, action: "go" },
      ],
      items("a", "b"),
    );
    const said = () => [...drawn.root.querySelectorAll("li")].map((item) => item.textContent);
    await press(drawn.root.querySelector("button"));
    await act(
      () =>
        void (drawn.state(drawn.fired[0]!.control).value = {
          phase: "received",
          message: " is worked on",
        }),
    );
    expect(said()).toEqual(["a is worked on", "b"]);
    await act(() => drawn.model.setProps(items("c", "a", "b")));
    expect(said()).toEqual(["c", "a is worked on", "b"]);
    await act(() => drawn.model.setProps(items("c", "b")));
    expect(said()).toEqual(["c", "b"]);
  });
  it("whose checks fail says why and is not fired", async () => {
    const drawn = await draw([
      {
        id: "root",
        component: "Button",
        child: "t",
        checks: [
          {
            condition: { call: "required", args: { value: { path: "/context/x" } } },
            message: "Fill x.",
          },
        ],
        action: { event: { name: "go" } },
      },
      text,
    ]);
    await press(drawn.root.querySelector('[data-action="go"]'));
    expect(drawn.fired).toEqual([]);
    expect(drawn.text()).toContain("Fill x.");
  });
});

describe("a form", () => {
  const form = { id: "root", component: "Form", schema, submitLabel: "Add", action: "add" };
  it("shows no problem before it is submitted, then says what is missing", async () => {
    const drawn = await draw([form]);
    expect(drawn.root.querySelector(".g-problem")).toBeNull();
    await press(drawn.root.querySelector('[data-action="add"]'));
    expect(drawn.fired).toEqual([]);
    expect(drawn.text()).toContain("Please fill this in.");
  });
  it("fires what was typed, and puts a violation beside its field", async () => {
    const drawn = await draw([form]);
    await type(drawn.root.querySelector("input"), "Milk");
    await press(drawn.root.querySelector('[data-action="add"]'));
    expect(JSON.stringify(drawn.fired[0]!.data)).toBe('{"title":"Milk"}');
    await act(
      () =>
        void (drawn.state(drawn.fired[0]!.control).value = {
          phase: "failed",
          message: "no",
          violations: [{ field: "add.data.title", message: "too dull" }],
        }),
    );
    expect(drawn.root.querySelector(".g-problem")!.textContent).toBe("too dull");
  });
});

describe("a table", () => {
  const columns = [{ field: "name", label: "Name" }];
  it("sends what is fixed in the row with what was typed", async () => {
    const rowActions = [
      {
        action: "set",
        label: "Set",
        fixed: { id: "id" },
        initial: { size: "size" },
        inputs: { type: "object", required: ["size"], properties: { size: { type: "integer" } } },
      },
    ];
    const drawn = await draw(
      [
        {
          id: "root",
          component: "Table",
          rows: { path: "/props/rows" },
          key: "id",
          columns,
          rowActions,
        },
      ],
      rows,
    );
    await type(drawn.root.querySelector('tr[data-row="2"] input'), "7");
    await press(drawn.root.querySelector('tr[data-row="2"] [data-action="set"]'));
    expect(JSON.stringify(drawn.fired[0]!.data)).toBe('{"id":2,"size":7}');
  });
});

describe("an action of a record that asks for one thing", () => {
  const row = (more: object) => ({
    id: "root",
    component: "Table",
    rows: { path: "/props/rows" },
    key: "id",
    columns: [{ field: "name", label: "Name" }],
    rowActions: [
      {
        action: "set",
        label: "Set",
        fixed: { id: "id" },
        inputs: { type: "object", required: ["size"], properties: { size: { type: "integer" } } },
        ...more,
      },
    ],
  });
  it("asks in the row for what the row has, and elsewhere behind its button", async () => {
    const inRows = await draw([row({ initial: { size: "size" } })], rows);
    expect(inRows.root.querySelectorAll("tr input")).toHaveLength(rows.rows.length);
    const behind = await draw([row({})], rows);
    expect(behind.root.querySelectorAll("tr input")).toHaveLength(0);
    await press(behind.root.querySelector('tr[data-row="2"] [aria-haspopup=dialog]'));
    await type(behind.root.querySelector("dialog input"), "7");
    await press(behind.root.querySelector("dialog [type=submit]"));
    expect(behind.fired[0]!.data).toEqual({ id: 2, size: 7 });
  });
});

describe("a chart", () => {
  it("is thinned to the limit and keeps its peak", () => {
    const points = readPoints(
      Array.from({ length: 5000 }, (_, i) => (i === 2500 ? 999 : 1)),
      undefined,
      [{ field: "", label: "" }],
    );
    const kept = thin(points);
    expect(kept).toHaveLength(600);
    expect(kept.some((point) => point.values[0] === 999)).toBe(true);
  });
  it("has a scale with round steps even for flat and empty data", () => {
    expect(
      scaleOf(readPoints([5, 5], undefined, [{ field: "", label: "" }]), false).ticks.length,
    ).toBeGreaterThan(1);
    expect(scaleOf([], false)).toMatchObject({ min: 0, max: 1 });
    expect(
      scaleOf(readPoints([0, 100], undefined, [{ field: "", label: "" }]), true).ticks,
    ).toEqual([0, 25, 50, 75, 100]);
  });
  it("of shares runs from 0 to 100 unless told otherwise or exceeded", () => {
    const points = readPoints([40, 60], undefined, [{ field: "", label: "" }]);
    expect(scaleOf(points, false, undefined, undefined, true)).toMatchObject({ min: 0, max: 100 });
    expect(scaleOf(points, false, 20, 80, true)).toMatchObject({ min: 20, max: 80 });
    expect(
      scaleOf(
        readPoints([130], undefined, [{ field: "", label: "" }]),
        false,
        undefined,
        undefined,
        true,
      ).max,
    ).toBeGreaterThanOrEqual(130);
  });
  it("names its times as the locale does, and without the part of the day where room is short", () => {
    const points = readPoints(
      [0, 60_000].map((after) => ({ t: 1_795_303_042_000 + after, n: 1 })),
      "t",
      [{ field: "n", label: "" }],
    );
    const { full, shorter } = axisNames(points, "en-US");
    expect(full(points[0]!)).toMatch(/^\d+:\d\d:\d\d\s[AP]M$/);
    expect(shorter.map((name) => name(points[0]!))).toEqual([
      full(points[0]!).replace(/\s[AP]M$/, ""),
    ]);
    expect(axisNames(points, "de").full(points[0]!)).toMatch(/^\d\d:\d\d:\d\d$/);
  });
  it("shows its series in the order given, each with its last value", async () => {
    const series = ["b", "a"].map((field) => ({ field, label: field.toUpperCase() }));
    const drawn = await draw(
      [{ id: "root", component: "Chart", kind: "line", data: { path: "/props/rows" }, series }],
      { rows: [{ a: 1, b: 2 }, { a: 3 }] },
    );
    expect(
      [...drawn.root.querySelectorAll(".g-legend li")].map((entry) => entry.textContent),
    ).toEqual(["B 2", "A 3"]);
  });
});
