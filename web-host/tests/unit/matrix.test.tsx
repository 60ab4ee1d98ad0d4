// A value for each pair: out of a map of maps, or out of a list with one record for each pair.

import { describe, expect, it } from "vitest";
import { act, draw, press } from "./mount";

const words = (root: Element, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
const change = (element: Element | null, value: string) =>
  act(() => {
    const control = element as HTMLInputElement;
    control.value = value;
    control.dispatchEvent(new Event("change", { bubbles: true }));
  });

const pairs = {
  id: "root",
  component: "Matrix",
  rows: { path: "/props/levels" },
  rowField: "personId",
  columnField: "skillId",
  valueField: "level",
  rowNames: { rows: { path: "/props/people" }, key: "personId", titleField: "name" },
  columnNames: { rows: { path: "/props/skills" }, key: "skillId", titleField: "name" },
  pick: {
    action: "setLevel",
    label: "Set level",
    row: "personId",
    column: "skillId",
    to: "level",
    minimum: 0,
    maximum: 5,
  },
};
const props = {
  people: [
    { personId: 7, name: "Vigdis" },
    { personId: 8, name: "Amadou" },
  ],
  skills: [{ skillId: "s1", name: "Rigging" }],
  levels: [{ personId: 7, skillId: "s1", level: 3 }],
};

describe("a matrix", () => {
  it("of pairs names its rows and columns, those without a value, too", async () => {
    const { root } = await draw([pairs], props);
    expect(words(root, "tbody th")).toEqual(["Vigdis", "Amadou"]);
    expect(words(root, "thead th")).toEqual(["Rigging"]);
    expect(root.querySelectorAll("input")).toHaveLength(2);
  });

  it("of rows of values may be named by plain texts and numbers", async () => {
    const { root } = await draw(
      [
        {
          id: "root",
          component: "Matrix",
          value: { path: "/props/kept" },
          rowNames: { rows: { path: "/props/sources" }, key: "", titleField: "" },
          columnNames: { rows: { path: "/props/weeks" }, key: "", titleField: "" },
          format: "ratio",
        },
      ],
      { sources: ["organic", "spring_campaign"], weeks: [0, 4], kept: [[1, 0.5], [1]] },
    );
    expect(words(root, "tbody th")).toEqual(["organic", "Spring campaign"]);
    expect(words(root, "thead th")).toEqual(["0", "4"]);
    expect(words(root, "tbody td").map((cell) => cell?.replace(/\s/g, ""))).toEqual([
      "100%",
      "50%",
      "100%",
      "–",
    ]);
  });

  it("has in each cell what else is said of the pair", async () => {
    const { root } = await draw(
      [{ ...pairs, columns: [{ field: "since", label: "Since", format: "text" }] }],
      { ...props, levels: [{ personId: 7, skillId: "s1", level: 3, since: "May" }] },
    );
    expect(words(root, "tbody dd")).toEqual(["May"]);
  });

  it("shows money with its currency, in whole units", async () => {
    const { root } = await draw(
      [{ ...pairs, pick: undefined, format: "money", currency: { path: "/props/currency" } }],
      { ...props, currency: "EUR", levels: [{ personId: 7, skillId: "s1", level: 1250 }] },
    );
    expect(words(root, "tbody td")).toEqual(["€12.50", "–"]);
  });

  it("sends the ids of a pair with the number that was typed", async () => {
    const { root, fired } = await draw([pairs], props);
    await change(root.querySelectorAll("input")[1]!, "4");
    expect(fired.map(({ name, data }) => [name, data])).toEqual([
      ["setLevel", { personId: 8, skillId: "s1", level: 4 }],
    ]);
  });

  it("lets money be typed in whole units, and sends the smallest", async () => {
    const pick = { ...pairs.pick, maximum: 5000 };
    const money = { ...pairs, pick, format: "money", currency: { path: "/props/currency" } };
    const { root, fired } = await draw([money], {
      ...props,
      currency: "EUR",
      levels: [{ personId: 7, skillId: "s1", level: 1255 }],
    });
    expect(words(root, "thead td")).toEqual(["EUR"]);
    const [first, other] = root.querySelectorAll("input");
    expect([first!.value, first!.max, first!.step]).toEqual(["12.55", "50", "0.01"]);
    // This DOM takes no decimal fraction for a multiple of another.
    first!.step = other!.step = "any";
    await change(first!, "19.99");
    await change(other!, "8");
    expect(fired.map(({ data }) => data)).toEqual([
      { personId: 7, skillId: "s1", level: 1999 },
      { personId: 8, skillId: "s1", level: 800 },
    ]);
  });

  it("offers below what can be done with the pair that is chosen, also one without a value", async () => {
    const fixed = { personId: "personId", skillId: "skillId" };
    const rowActions = [{ action: "clear", label: "Clear", fixed }];
    const { root, fired } = await draw([{ ...pairs, pick: undefined, rowActions }], props);
    const cells = [...root.querySelectorAll("tbody button")];
    expect(cells.map(({ textContent }) => textContent)).toEqual(["3", "–"]);
    await press(cells[1]!);
    expect(cells[1]!.getAttribute("aria-pressed")).toBe("true");
    expect(words(root, ".g-matrix-chosen strong")).toEqual(["Amadou, Rigging"]);
    await press(root.querySelector(".g-matrix-chosen button")!);
    expect(fired.map(({ name, data }) => [name, data])).toEqual([
      ["clear", { personId: 8, skillId: "s1" }],
    ]);
  });

  it("names its options by their bindings, and sends only the members its action names", async () => {
    const bound = {
      ...pairs,
      options: [{ value: 4, label: { path: "/props/expert" } }],
      pick: { action: "setLevel", label: "Set level", row: "personId", to: "level" },
    };
    const { root, fired } = await draw([bound], { ...props, expert: "Expert" });
    expect(words(root, "option")).toContain("Expert");
    await change(root.querySelector("select"), "4");
    expect(fired.map(({ data }) => data)).toEqual([{ personId: 7, level: 4 }]);
  });

  it("of maps says the names of programs in words and leaves those of people", async () => {
    const stock = { id: "root", component: "Matrix", value: { path: "/props/stock" } };
    const { root } = await draw([stock], { stock: { "AB-": { red_cells: 4 } } });
    expect(words(root, "thead th")).toEqual(["Red cells"]);
    expect(words(root, "tbody th")).toEqual(["AB-"]);
    expect(words(root, "tbody td")).toEqual(["4"]);
  });

  it("shows no value as none where one is chosen from a list", async () => {
    const { rowNames: _, columnNames: __, ...own } = pairs;
    const options = [{ value: "a", label: "A" }];
    const { root, fired } = await draw([{ ...own, options }], {
      levels: [{ personId: "p", skillId: "s", level: null }],
    });
    expect(root.querySelector("select")!.value).toBe("");
    await change(root.querySelector("select"), "a");
    expect(fired[0]!.data).toEqual({ personId: "p", skillId: "s", level: "a" });
  });
});

describe("an amount", () => {
  const currencyOf = (path: string) => ({
    id: { path },
    refers: { rows: { path: "/props/carriers" }, key: "id", titleField: "currency" },
  });
  const carriers = [
    { id: "c1", currency: "PLN" },
    { id: "c2", currency: "EUR" },
  ];
  const price = { field: "price", label: "Price", format: "money" };

  it("of a record has the currency of the record that its id names", async () => {
    const table = {
      id: "root",
      component: "Table",
      rows: { path: "/props/quotes" },
      columns: [{ ...price, currencyOf: currencyOf("carrierId") }],
    };
    const quotes = [
      { carrierId: "c1", price: 1245000 },
      { carrierId: "c2", price: 298000 },
    ];
    const { text } = await draw([table], { carriers, quotes });
    expect(text()).toMatch(/PLN\s12,450\.00/);
    expect(text()).toContain("€2,980.00");
  });

  it("of the page has it, too", async () => {
    const facts = {
      id: "root",
      component: "KeyValue",
      items: [
        {
          label: "Best",
          format: "money",
          value: { path: "/props/best/price" },
          currencyOf: currencyOf("/props/best/carrierId"),
        },
      ],
    };
    const { text } = await draw([facts], { carriers, best: { carrierId: "c2", price: 150 } });
    expect(text()).toContain("€1.50");
  });
});
