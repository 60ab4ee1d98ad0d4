// Seats in rows that are arrays, or records with a name, and the gaps between them.

import { describe, expect, it } from "vitest";
import type { Json } from "../../src/wire/json";
import { act, draw, press } from "./mount";

const seats = {
  id: "root",
  component: "Seats",
  rows: { path: "/props/rows" },
  key: "seat",
  numberField: "seat",
  statusField: "state",
  pick: { action: "sit", label: "Sit", to: "seat", field: "seat" },
  value: { path: "/context/seat" },
};
const seat = (name: string, state = "free") => ({ seat: name, state });
const cabin = [
  [seat("1A"), null, seat("1B", "taken")],
  [seat("2A"), null, seat("2B")],
];

/** What stands in each row, in its order. */
const placed = (root: Element) =>
  [...root.querySelectorAll(".g-seat-row")].map((row) =>
    [...row.children].map(
      (part) => part.getAttribute("aria-label") ?? (part.textContent || part.className),
    ),
  );

describe("seats in rows that are arrays", () => {
  it("stand as they are listed, and a gap keeps its place", async () => {
    const { root } = await draw([seats], { rows: cabin });
    expect(placed(root)).toEqual([
      ["1A, Free", "g-seat-gap", "1B, Taken"],
      ["2A, Free", "g-seat-gap", "2B, Free"],
    ]);
  });

  it("are free by the first word of their state, as it is written", async () => {
    const board = (seat: string, state: string) => ({ seat, state });
    const rows = [[board("1", "freeBoard"), board("2", "takenBoard"), board("3", "notFree")]];
    const { root } = await draw([seats], { rows });
    const boards = [...root.querySelectorAll(".g-seat-row button")];
    const taken = boards.map((button) => button.getAttribute("aria-disabled"));
    expect(taken).toEqual(["false", "true", "true"]);
  });

  it("are taken by their ids, and a gap never is", async () => {
    const { root, model, fired } = await draw([seats], { rows: cabin }, { seat: [null] });
    expect(root.querySelectorAll(".g-seat-row button")).toHaveLength(4);
    expect([...root.querySelectorAll("section > div > strong")]).toEqual([]);
    await press(root.querySelectorAll(".g-seat-row button")[2]!);
    expect(model.context().seat).toEqual(["2A"]);
    await press([...root.querySelectorAll("button")].at(-1)!);
    expect(fired[0]!.data).toEqual({ seat: "2A" });
  });

  it("say who sits there after their number, and not the column again", async () => {
    const columns = [
      { field: "column", label: "Column", format: "text" },
      { field: "guest", label: "Guest", format: "text" },
    ];
    const held = (column: string, guest: string) => ({
      ...seat(`1${column}`, "taken"),
      column,
      guest,
    });
    const rows = [[held("A", "Amara"), held("B", "")]];
    const { root } = await draw([{ ...seats, columns }], { rows });
    expect(placed(root)).toEqual([["1A Amara, Taken", "1B, Taken"]]);
    expect(root.querySelector(".g-seat-row button")!.textContent).toBe("1A Amara");
  });

  it("are told apart by what they are chosen for", async () => {
    const { root } = await draw([{ ...seats, value: undefined }], { rows: cabin });
    await press(root.querySelectorAll(".g-seat-row button")[0]!);
    expect(root.querySelector("section > div > strong")!.textContent).toBe("1A");
  });
});

describe("seats in rows that have a name", () => {
  const pew = (name: Json, ...held: readonly (Json | null)[]) => ({ pew: name, places: held });
  const pews = { ...seats, rowField: "pew", seatsField: "places" };

  it("are called by it and their number", async () => {
    const { root } = await draw([pews], {
      rows: [pew("A", seat("1"), null, seat("2", "taken")), pew("B", seat("3"))],
    });
    expect(placed(root)).toEqual([
      ["A", "A 1, Free", "g-seat-gap", "A 2, Taken"],
      ["B", "B 3, Free"],
    ]);
  });

  it("stay in their own row where two have the same name", async () => {
    const { root } = await draw([pews], { rows: [pew("A", seat("1")), pew("A", seat("2"))] });
    expect(placed(root)).toEqual([
      ["A", "A 1, Free"],
      ["A", "A 2, Free"],
    ]);
  });

  it("come together where each of them names its row", async () => {
    const { root } = await draw([{ ...seats, rowField: "pew" }], {
      rows: [
        { ...seat("1"), pew: "A" },
        { ...seat("3"), pew: "B" },
        { ...seat("2"), pew: "A" },
      ],
    });
    expect(placed(root)).toEqual([
      ["A", "A 1, Free", "A 2, Free"],
      ["B", "B 3, Free"],
    ]);
  });
});

it("seats of a whole stadium are drawn in part, and sent as they were chosen", async () => {
  const row = Array.from({ length: 3000 }, (_, at) => seat(`${at}`));
  const { root, fired } = await draw([seats], { rows: [row] }, { seat: "2999" });
  expect(root.querySelectorAll(".g-seat-row button")).toHaveLength(2000);
  await press([...root.querySelectorAll("button")].at(-1)!);
  expect(fired[0]!.data).toEqual({ seat: "2999" });
});

describe("the states of seats", () => {
  const marks = (root: Element, within: string) =>
    [...root.querySelectorAll(`${within} .g-seat`)].map((part) => part.getAttribute("data-mark"));
  const legend = (root: Element) =>
    [...root.querySelectorAll(".g-seat-legend li")].map((entry) => entry.textContent?.trim());
  const inStates = (...states: string[]) => [states.map((state, at) => seat(`${at + 1}`, state))];
  const hall = inStates("sold", "free", "heldForChoir", "sold", "free", "free");

  it("are listed below them with how many have each, the free ones first", async () => {
    const { root } = await draw([seats], { rows: [[null, ...hall[0]!]] });
    expect(legend(root)).toEqual(["Free: 3", "Sold: 2", "Held for choir: 1"]);
    const list = root.querySelector(".g-seats + ul")!;
    expect([list.getAttribute("role"), list.getAttribute("aria-label")]).toEqual([
      "list",
      "Legend",
    ]);
  });

  it("look the same in the list as in the rows, and each as no other does", async () => {
    const { root } = await draw([seats], { rows: hall });
    const [free, sold, held] = marks(root, ".g-seat-legend");
    expect(free).toBeNull();
    expect(new Set([free, sold, held]).size).toBe(3);
    expect(marks(root, ".g-seat-row")).toEqual([sold, free, held, sold, free, free]);
    const struck = [...root.querySelectorAll(".g-seat-legend .g-seat")];
    expect(struck.map((mark) => mark.querySelector("s") !== null)).toEqual([false, true, true]);
  });

  it("keep their looks and their order as seats are sold", async () => {
    const { root, model } = await draw([seats], { rows: hall });
    const before = marks(root, ".g-seat-legend");
    const later = inStates("heldForChoir", "heldForChoir", "sold", "free", "free", "wheelchair");
    await act(() => model.setProps({ rows: later }));
    expect(legend(root)).toEqual(["Free: 2", "Sold: 1", "Held for choir: 2", "Wheelchair: 1"]);
    expect(marks(root, ".g-seat-legend").slice(0, 3)).toEqual(before);
  });

  it("never look alike, however many there have been", async () => {
    const { root, model } = await draw([seats], { rows: inStates("free", "a", "b", "c", "d") });
    for (const more of ["efg", "hij", "klm"])
      await act(() => model.setProps({ rows: inStates("free", ...more) }));
    expect(legend(root)).toEqual(["Free: 1", "K: 1", "L: 1", "M: 1"]);
    expect(new Set(marks(root, ".g-seat-legend")).size).toBe(4);
  });

  it("are free and taken where a yes or a no says so", async () => {
    const rows = [[true, false, true].map((taken, at) => ({ seat: `${at}`, taken }))];
    const { root } = await draw([{ ...seats, statusField: "taken" }], { rows });
    expect(legend(root)).toEqual(["Free: 1", "Taken: 2"]);
    expect(placed(root)).toEqual([["0, Taken", "1, Free", "2, Taken"]]);
  });

  it("are not listed where there is one, none, or more than can be told apart", async () => {
    const many = inStates("free", ..."abcdefgh");
    const drawn = [
      await draw([seats], { rows: inStates("sold", "sold") }),
      await draw([{ ...seats, statusField: undefined }], { rows: hall }),
      await draw([seats], { rows: many }),
    ];
    for (const { root } of drawn) expect(root.querySelector("ul")).toBeNull();
    expect(marks(drawn[2]!.root, ".g-seat-row")).toEqual([null, ...Array(8).fill("")]);
    const { root } = await draw([seats], { rows: [many[0]!.slice(0, 8)] });
    expect(new Set(marks(root, ".g-seat-legend")).size).toBe(8);
  });
});
