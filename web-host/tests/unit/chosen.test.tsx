// Which records are chosen stands in a slot, and so do the words and the order of a table's own search and sorting.

import { describe, expect, it } from "vitest";
import { Actions } from "../../src/runtime/actions";
import type { Json } from "../../src/wire/json";
import { draw, press, type } from "./mount";

const rows = [
  { id: "a", name: "Ash", from: "2026-05-04", state: "open" },
  { id: "b", name: "Birch", from: "2026-05-05", state: "done" },
];
const columns = [{ field: "name", label: "Name" }];
const list = {
  id: "root",
  rows: { path: "/props/rows" },
  key: "id",
  titleField: "name",
  columns,
  value: { path: "/context/chosen" },
};
const inputs = (root: Element) => [...root.querySelectorAll<HTMLInputElement>("input")];

describe("a list whose choice is a slot", () => {
  it.each([
    ["Table", {}],
    ["Cards", {}],
    ["Board", { groupField: "state" }],
    ["Changes", { beforeField: "from", afterField: "state" }],
    ["Tasks", { doneField: "state" }],
  ])("marks the chosen record and writes it: %s", async (component, members) => {
    const drawn = await draw([{ ...list, component, ...members }], { rows }, { chosen: "a" });
    const [first, second] = inputs(drawn.root);
    expect([first!.type, first!.checked, second!.checked]).toEqual(["radio", true, false]);
    await press(second!);
    expect(drawn.model.context().chosen).toBe("b");
    const several = await draw(
      [{ ...list, component, ...members, several: true }],
      { rows },
      { chosen: ["a"] },
    );
    await press(inputs(several.root)[1]!);
    expect(several.model.context().chosen).toEqual(["a", "b"]);
    await press(inputs(several.root)[0]!);
    expect(several.model.context().chosen).toEqual(["b"]);
  });
  it("writes what is chosen in a tree, and opened in a calendar", async () => {
    const tree = await draw(
      [{ ...list, component: "Tree", parentField: "parent" }],
      { rows },
      { chosen: "b" },
    );
    const [ash, birch] = tree.root.querySelectorAll("[role=treeitem]");
    expect(birch!.getAttribute("aria-selected")).toBe("true");
    await press(ash!);
    expect(tree.model.context().chosen).toBe("a");
    const calendar = await draw(
      [{ ...list, component: "Calendar", startField: "from" }],
      { rows },
      { chosen: "" },
    );
    await press(calendar.root.querySelectorAll(".g-event")[1]!);
    expect(calendar.model.context().chosen).toBe("b");
  });
  it("takes what is marked for several at once for what is chosen", async () => {
    const bulkActions = [{ action: "drop", label: "Drop", list: "ids", field: "id" }];
    const drawn = await draw(
      [{ ...list, component: "Table", several: true, bulkActions }],
      { rows },
      { chosen: ["b"] },
    );
    await press(drawn.root.querySelector("[data-action=drop]"));
    expect(drawn.fired[0]!.data).toEqual({ ids: ["b"] });
    expect(drawn.model.context().chosen).toEqual([]);
  });
});

describe("a table whose search and order are slots", () => {
  it("has one search box, and writes both", async () => {
    const drawn = await draw(
      [
        {
          ...list,
          component: "Table",
          value: undefined,
          search: { path: "/context/words" },
          sort: { path: "/context/by" },
        },
      ],
      { rows },
      { words: "", by: "" },
    );
    await type(drawn.root.querySelector("input[type=search]"), "bir");
    expect(drawn.model.context().words).toBe("bir");
    expect(drawn.root.querySelectorAll("tbody tr[data-row]")).toHaveLength(1);
    await press(drawn.root.querySelector("thead th button"));
    expect(drawn.model.context().by).toBe("name");
    expect(drawn.root.querySelector("thead th")!.getAttribute("aria-sort")).toBe("ascending");
    await press(drawn.root.querySelector("thead th button"));
    expect(drawn.root.querySelector("thead th")!.getAttribute("aria-sort")).toBe("descending");
  });
  it("has none where the page searches", async () => {
    const many = Array.from({ length: 20 }, (_, at) => ({ id: `${at}`, name: `Tree ${at}` }));
    const drawn = await draw(
      [{ ...list, component: "Table", value: undefined, searchable: false }],
      { rows: many },
    );
    expect(drawn.root.querySelector("input[type=search]")).toBeNull();
  });
});

describe("an action that is done once", () => {
  it("is sent once by its control, also after the page was loaded again", () => {
    const sent: string[] = [];
    let kept: Json | undefined;
    const begin = () =>
      new Actions(
        () => ({
          sessionId: "s",
          context: () => ({}),
          agreed: () => ({ label: "Pay", once: true }),
          frozen: () => false,
          live: () => true,
          mayRecover: () => true,
          away: () => false,
          send: (requestId) => void sent.push(requestId),
          accepted: () => undefined,
          ring: () => undefined,
          observe: () => undefined,
        }),
        (flights) => (kept = flights),
      );
    const first = begin();
    first.fire("pay", "pay", {});
    expect(first.state("pay").value.done).toBeUndefined();
    first.acknowledged(sent[0], { consumerPresent: true });
    expect(first.state("pay").value).toEqual({ phase: "sent", done: true });
    first.fire("pay", "pay", {});
    const later = begin();
    later.restore(kept);
    expect(later.state("pay").value.done).toBe(true);
    later.fire("pay", "pay", {});
    expect(sent).toHaveLength(1);
  });
});
