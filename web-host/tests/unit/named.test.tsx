// Records that refer to others by their ids: columns of a board, lines of a chart, who says what,
// and what is offered where it makes sense.

import { describe, expect, it } from "vitest";
import { act, draw } from "./mount";

const words = (root: Element, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());
const named = (element: Element | undefined) =>
  element?.getAttribute("aria-label") ?? element?.textContent?.trim();
const buttons = (root: Element) => [...root.querySelectorAll("button")];

describe("records with ids of others", () => {
  it("stand in the columns those records name, in their order, with what is known of each", async () => {
    const { root } = await draw(
      [
        {
          id: "root",
          component: "Board",
          rows: { path: "/props/crates" },
          titleField: "label",
          groupField: "bayId",
          groupNames: { rows: { path: "/props/bays" }, key: "bayId", titleField: "title" },
          groupColumns: [{ field: "limit", label: "Limit", format: "integer" }],
        },
      ],
      {
        bays: [
          { bayId: "b2", title: "Loading", limit: 4 },
          { bayId: "b1", title: "Waiting", limit: 9 },
        ],
        crates: [{ label: "Lamps", bayId: "b1" }],
      },
    );
    expect(words(root, ".g-board-column h2")).toEqual(["Loading 0", "Waiting 1"]);
    expect(words(root, ".g-board-column dd")).toEqual(["4", "9"]);
  });

  it("are lines of a chart, each with the name of the record its numbers belong to", async () => {
    const { root } = await draw(
      [
        {
          id: "root",
          component: "Chart",
          kind: "line",
          data: { path: "/props/readings" },
          more: { path: "/streams/reading" },
          x: "day",
          series: [{ field: "litres", label: "Litres" }],
          seriesField: "tankId",
          seriesNames: { rows: { path: "/props/tanks" }, key: "tankId", titleField: "name" },
        },
      ],
      {
        tanks: [
          { tankId: "t1", name: "North" },
          { tankId: "t2", name: "South" },
        ],
        readings: [
          { day: 1, tankId: "t1", litres: 5 },
          { day: 1, tankId: "t2", litres: 7 },
          { day: 2, tankId: "t1", litres: 6 },
        ],
      },
    );
    expect(words(root, "thead th").slice(1)).toEqual(["North", "South"]);
    expect(words(root, "tbody tr:last-child td")).toEqual(["6", "–"]);
  });

  it("are said by whom their id names", async () => {
    const { text } = await draw(
      [
        {
          id: "root",
          component: "Chat",
          rows: { path: "/props/messages" },
          authorField: "fromId",
          authorNames: { rows: { path: "/props/people" }, key: "id", titleField: "name" },
          textField: "text",
        },
      ],
      {
        people: [{ id: "p1", name: "Rosa" }],
        messages: [{ fromId: "p1", text: "It holds." }],
      },
    );
    expect(text()).toContain("Rosa");
    expect(text()).not.toContain("p1");
  });
});

describe("what is done with a record", () => {
  it("is offered only by those it makes sense for", async () => {
    const { root } = await draw(
      [
        {
          id: "root",
          component: "Cards",
          rows: { path: "/props/loans" },
          titleField: "title",
          key: "id",
          columns: [],
          rowActions: [
            {
              action: "approve",
              label: "Approve",
              fixed: { id: "id" },
              unless: { field: "state", values: ["approved"] },
            },
          ],
        },
      ],
      {
        loans: [
          { id: "l1", title: "Kiln", state: "approved" },
          { id: "l2", title: "Lathe", state: "asked" },
          { id: "l3", title: "Loom", state: null },
        ],
      },
    );
    expect(buttons(root).map(named)).toEqual(["Approve: Lathe", "Approve: Loom"]);
  });

  it("is called after the record that the first value of its own is the id of", async () => {
    const { root } = await draw(
      [
        {
          id: "root",
          component: "Table",
          rows: { path: "/props/pairs" },
          columns: [
            {
              field: "cloneId",
              label: "Clone",
              format: "reference",
              refers: { rows: { path: "/props/clones" }, key: "cloneId", titleField: "clone" },
            },
          ],
          rowActions: [{ action: "repeat", label: "Repeat", fixed: { cloneId: "cloneId" } }],
        },
      ],
      { pairs: [{ cloneId: "abc1" }], clones: [{ cloneId: "abc1", clone: "F-12A" }] },
    );
    expect(buttons(root).map(named)).toContain("Repeat: F-12A");
  });

  it("stands with the seat that is chosen, free or not", async () => {
    const at = (action: string, label: string, values: string[]) => ({
      action,
      label,
      fixed: { bayId: "bayId" },
      unless: { field: "state", values },
    });
    const { root, fired } = await draw(
      [
        {
          id: "root",
          component: "Seats",
          rows: { path: "/props/bays" },
          key: "bayId",
          rowField: "row",
          numberField: "number",
          statusField: "state",
          columns: [],
          value: { path: "/context/bay" },
          rowActions: [at("assign", "Assign", ["taken"]), at("release", "Release", ["free"])],
        },
      ],
      {
        bays: [
          { bayId: "b1", row: "A", number: 1, state: "free" },
          { bayId: "b2", row: "A", number: 2, state: "taken" },
        ],
      },
    );
    const last = () => buttons(root).slice(2);
    expect(last().map((one) => one.getAttribute("aria-disabled"))).toEqual(["true", "true"]);
    await act(() => buttons(root)[1]!.click());
    expect(last().map(named)).toEqual(["Release: A 2"]);
    await act(() => last()[0]!.click());
    expect(fired.map(({ name, data }) => [name, data])).toEqual([["release", { bayId: "b2" }]]);
  });

  it("takes the seats that are chosen with what else is asked for", async () => {
    const { root, fired } = await draw(
      [
        {
          id: "root",
          component: "Seats",
          rows: { path: "/props/seats" },
          key: "id",
          rowField: "row",
          numberField: "number",
          statusField: "taken",
          columns: [],
          pick: {
            action: "book",
            label: "Book",
            to: "seatIds",
            field: "id",
            several: true,
            given: { showId: { path: "/props/showId" } },
            inputs: {
              type: "object",
              properties: { email: { type: "string" } },
            },
          },
          value: { path: "/context/chosen" },
        },
      ],
      {
        showId: "sh-7",
        seats: [
          { id: "a1", row: "A", number: 1, taken: false },
          { id: "a2", row: "A", number: 2, taken: true },
        ],
      },
    );
    expect(buttons(root).map(named)).toEqual(["A 1, Free", "A 2, Taken", "Book"]);
    await act(() => buttons(root)[0]!.click());
    await act(() => buttons(root).at(-1)!.click());
    expect(root.ownerDocument.querySelector("[role=dialog] label, dialog label")).not.toBeNull();
    await act(() => root.querySelector<HTMLElement>("dialog [type=submit]")!.click());
    expect(fired.map(({ data }) => data)).toEqual([{ seatIds: ["a1"], showId: "sh-7" }]);
  });
});
