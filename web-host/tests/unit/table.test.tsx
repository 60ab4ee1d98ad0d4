// The order of a table's rows, and that of very many of them.

import { describe, expect, it, vi } from "vitest";
import { windowOf } from "../../src/catalog/table/body";
import { arrange, arranging, type Sort } from "../../src/catalog/table/rows";
import type { Json } from "../../src/wire/json";
import { act, draw, press, type } from "./mount";

const columns = [
  { field: "name", label: "Name" },
  { field: "n", label: "Number" },
];
const by = (field: string, descending = false): Sort => ({ field, descending });
const order = (rows: readonly Json[], sort: Sort | null, filter = "", locale = "en") =>
  arrange({ rows, columns, sort, filter, locale }).map(({ index }) => index);

/** Numbers that look thrown, the same in every run. */
function* thrown(): Generator<number, never> {
  for (let seed = 1; ; seed = (seed * 48_271) % 2_147_483_647) yield seed;
}

describe("the rows of a table", () => {
  it("sort numbers as numbers and keep absent values last", () => {
    const rows = [{ n: 10 }, {}, { n: 9 }];
    expect(order(rows, by("n"))).toEqual([2, 0, 1]);
    expect(order(rows, by("n", true))).toEqual([0, 2, 1]);
  });
  it("sort texts as their readers do, numbers in them as numbers, and equal ones as they came", () => {
    expect(
      order(
        [
          { name: "Part 10" },
          { name: "part 9" },
          { name: "Zebra" },
          { name: "Änderung" },
          { name: "part 9" },
        ],
        by("name"),
        "",
        "de",
      ),
    ).toEqual([3, 1, 4, 0, 2]);
    expect(order([{ name: "b" }, { name: "a" }, { name: "b" }], by("name", true))).toEqual([
      0, 2, 1,
    ]);
  });
  it("are found whatever the size of their letters, as the language has them", () => {
    expect(order([{ name: "ISTANBUL" }, { name: "Izmir" }, { name: "İzmir" }], null, "iz")).toEqual(
      [1],
    );
    expect(
      order([{ name: "ISTANBUL" }, { name: "Izmir" }, { name: "İzmir" }], null, "iz", "tr"),
    ).toEqual([2]);
    expect(
      order(
        [
          { name: "a", n: 17 },
          { name: "b", n: 8 },
        ],
        null,
        "17",
      ),
    ).toEqual([0]);
  });
  it("come out as the browser sorts them, however many there are", () => {
    const chance = thrown();
    const collator = new Intl.Collator("en", { numeric: true });
    for (const count of [0, 1, 255, 256, 257, 3000]) {
      const rows = Array.from({ length: count }, () => ({
        name: `Part ${chance.next().value % 700}`,
      }));
      const expected = rows
        .map((row, index) => ({ row, index }))
        .sort((left, right) => collator.compare(left.row.name, right.row.name))
        .map(({ index }) => index);
      expect(order(rows, by("name"))).toEqual(expected);
    }
  });
  it("are worked on in many small steps", () => {
    const chance = thrown();
    const rows = Array.from({ length: 10_000 }, () => ({ name: String(chance.next().value) }));
    let steps = 0;
    for (
      const work = arranging({ rows, columns, sort: by("name"), filter: "", locale: "en" });
      !work.next().done;
    )
      steps++;
    expect(steps).toBeGreaterThan(100);
  });
});

describe("a table of very many rows", () => {
  const table = {
    id: "root",
    component: "Table",
    rows: { path: "/props/rows" },
    key: "name",
    columns,
  };
  const rows = (last = 2999) =>
    Array.from({ length: 3000 }, (_, index) => ({
      name: `Part ${index}`,
      n: index === 1500 ? last : (index * 7919) % 2999,
    }));
  const top = (root: Element) => root.querySelector("tr[data-row]")!.getAttribute("data-row");
  const settles = (check: () => void) =>
    vi.waitFor(() => act(check), { timeout: 45_000, interval: 100 });

  it("draws only those in sight", async () => {
    expect(windowOf(4400, 440, 1000, 44)).toEqual({ first: 92, last: 118 });
    const { root } = await draw([table], { rows: rows() });
    expect(root.querySelectorAll("tr[data-row]").length).toBeLessThan(60);
    expect(root.querySelector("table")!.getAttribute("aria-rowcount")).toBe("3001");
  });
  it("is put in order, found through, and put back", async () => {
    const { root, text } = await draw([table], { rows: rows() });
    await press(root.querySelectorAll("th button")[1]!);
    await press(root.querySelectorAll("th button")[1]!);
    await settles(() => expect(top(root)).toBe("Part 1500"));
    await type(root.querySelector("input[type=search]"), "part 29");
    await settles(() => expect(text()).toContain("111 of 3000 rows"));
    await type(root.querySelector("input[type=search]"), "");
    await press(root.querySelectorAll("th button")[1]!);
    expect(top(root)).toBe("Part 0");
    expect(text()).toContain("3000 rows");
  });
  it("shows what it is told last, though its rows change while they are put in order", async () => {
    const { root, model } = await draw([table], { rows: rows() });
    await press(root.querySelectorAll("th button")[1]!);
    for (const last of [1, 2, 3, -1]) await act(() => model.setProps({ rows: rows(last) }));
    await settles(() => expect(top(root)).toBe("Part 1500"));
  });
});
