// The components that show records: boards, trees, calendars, differences, steps and selections.

import { describe, expect, it } from "vitest";
import { key } from "./key";
import { act, draw, press } from "./mount";

const tickets = [
  { id: "1", title: "Login fails", state: "new" },
  { id: "2", title: "Slow export", state: "done" },
];

const board = {
  id: "root",
  component: "Board",
  rows: { path: "/props/tickets" },
  key: "id",
  titleField: "title",
  groupField: "state",
  columns: [],
  groups: [
    { value: "new", label: "New" },
    { value: "done", label: "Done" },
  ],
  move: { action: "move", label: "Move", fixed: { id: "id" }, to: "state" },
};

it("a message is from somebody by name, whatever else is known of them", async () => {
  const chat = {
    id: "root",
    component: "Chat",
    rows: { path: "/props/messages" },
    key: "id",
    authorField: "sender",
    textField: "text",
    columns: [],
  };
  const { root, text } = await draw([chat], {
    messages: [
      { id: "1", sender: { role: "crew", callSign: "Wels 2" }, text: "On scene" },
      { id: "2", sender: { role: "desk", name: "Ida" }, text: "Heard" },
    ],
  });
  expect([...root.querySelectorAll("strong")].map(({ textContent }) => textContent)).toEqual([
    "Wels 2",
    "Ida",
  ]);
  expect(text()).not.toContain("{");
});

it("a column of a board that is called by its key is called in words", async () => {
  const { groups: _, ...named } = board;
  const { root } = await draw(
    [{ ...named, groupNames: { rows: { path: "/props/states" }, key: "key", titleField: "key" } }],
    { tickets, states: [{ key: "new" }, { key: "inReview" }, { key: "done" }] },
  );
  const heads = [...root.querySelectorAll("section > h2, section > h3")];
  expect(heads.map(({ textContent }) => textContent?.replace(/ \d+$/, ""))).toEqual([
    "New",
    "In review",
    "Done",
  ]);
});

describe("what is done with a record beside what it says", () => {
  const cards = (initial?: object) => ({
    id: "root",
    component: "Cards",
    rows: { path: "/props/tickets" },
    key: "id",
    titleField: "title",
    columns: [],
    rowActions: [
      {
        action: "close",
        label: "Close",
        fixed: { id: "id" },
        inputs: {
          type: "object",
          properties: { state: { enum: ["new", "done"] } },
          required: ["state"],
        },
        ...(initial ? { initial } : {}),
      },
    ],
  });

  it("is chosen from a list where it changes what stands there", async () => {
    const { root } = await draw([cards({ state: "state" })], { tickets });
    expect(root.querySelectorAll("select")).toHaveLength(tickets.length);
    expect(root.querySelectorAll("[role=radio], [type=radio]")).toHaveLength(0);
  });

  it("is asked for in a dialog otherwise, which is one button for each", async () => {
    const { root } = await draw([cards()], { tickets });
    expect(root.querySelectorAll("select, input")).toHaveLength(0);
    expect(root.querySelectorAll("[data-action=close]")).toHaveLength(tickets.length);
  });
});

describe("changes that a channel brings", () => {
  const live = { ...board, changes: { path: "/streams/moved" }, changesKey: "ticketId" };
  const labels = (root: Element) =>
    [...root.querySelectorAll(".g-board-column")].map((column) =>
      column.getAttribute("aria-label"),
    );

  it("change a record in place, the newest last", async () => {
    const { root, model } = await draw([live], { tickets });
    await act(() =>
      model.appendStream("moved", [
        { ticketId: "1", state: "done" },
        { ticketId: "2", state: "new", title: "Slow" },
        { ticketId: "2", state: "done" },
        { ticketId: "9", state: "new" },
      ]),
    );
    expect(labels(root)).toEqual(["New, 0", "Done, 2"]);
    expect(root.textContent).toContain("Slow");
    expect(root.textContent).not.toContain("Slow export");
  });
  it("are part of the records that come after them", async () => {
    const { root, model } = await draw([live], { tickets });
    await act(() => model.appendStream("moved", [{ ticketId: "1", state: "done" }]));
    await act(() => model.setProps({ tickets: [{ ...tickets[0]!, title: "Login" }] }));
    expect(labels(root)).toEqual(["New, 1", "Done, 0"]);
    await act(() => model.appendStream("moved", [{ ticketId: "1", state: "done" }]));
    expect(labels(root)).toEqual(["New, 0", "Done, 1"]);
  });
  it("stand beside the id or in a member, and bring new records only where they may", async () => {
    const nested = { ...board, changes: { path: "/streams/changed" }, changesIn: "patch" };
    const item = { id: "3", patch: { id: "3", title: "Dark mode", state: "new" } };
    const { root, model } = await draw([nested], { tickets });
    await act(() => model.appendStream("changed", [item]));
    expect(labels(root)).toEqual(["New, 1", "Done, 1"]);
    const open = await draw([{ ...nested, changesAdd: true }], { tickets });
    await act(() => open.model.appendStream("changed", [item]));
    expect(labels(open.root)).toEqual(["New, 2", "Done, 1"]);
  });
  it("reach the cards in the columns that hold them", async () => {
    const lanes = {
      ...live,
      rows: { path: "/props/lanes" },
      groupField: "name",
      cardsField: "cards",
      groups: undefined,
      move: undefined,
    };
    const { root, model } = await draw([lanes], { lanes: [{ name: "Now", cards: tickets }] });
    await act(() => model.appendStream("moved", [{ ticketId: "1", title: "Login works" }]));
    expect(root.textContent).toContain("Login works");
    expect(root.textContent).not.toContain("Login fails");
    expect(root.textContent).toContain("Slow export");
  });
});

describe("Board", () => {
  it("puts each record into the column of its state and counts them", async () => {
    const { root } = await draw([board], { tickets });
    expect(
      [...root.querySelectorAll(".g-board-column")].map((column) =>
        column.getAttribute("aria-label"),
      ),
    ).toEqual(["New, 1", "Done, 1"]);
  });
  it("moves a record with the menu on its card", async () => {
    const { root, fired } = await draw([board], { tickets });
    const menu = root.querySelector<HTMLSelectElement>('[data-move="1"]')!;
    await act(() => {
      menu.value = "done";
      menu.dispatchEvent(new Event("change", { bubbles: true }));
    });
    expect(fired).toEqual([
      { control: "root#move:1", name: "move", data: { id: "1", state: "done" } },
    ]);
  });
  it("goes from card to card with the arrow keys", async () => {
    const { root } = await draw([board], { tickets });
    const first = root.querySelector<HTMLElement>('[data-card="1"]')!;
    first.focus();
    await key(first, "ArrowRight");
    expect(document.activeElement?.getAttribute("data-card")).toBe("2");
  });
  it("gives a state nobody declared a column of its own", async () => {
    const { text } = await draw([board], { tickets: [{ id: "3", title: "Odd", state: "parked" }] });
    expect(text()).toContain("parked 1");
  });
  it("says so where a column is empty", async () => {
    expect((await draw([board], { tickets: [] })).text()).toContain("Nothing here.");
  });
});

describe("Tree", () => {
  const tree = {
    id: "root",
    component: "Tree",
    rows: { path: "/props/files" },
    titleField: "name",
    childrenField: "inner",
    columns: [{ field: "size", label: "Size" }],
  };
  const files = [
    { name: "src", inner: [{ name: "main.ts", size: 3 }] },
    { name: "README", size: 7 },
  ];
  const at = (root: Element) => root.querySelector('[tabindex="0"][role="treeitem"]');
  it("tells level, position and whether an item is open", async () => {
    const { root } = await draw([tree], { files });
    const item = root.querySelectorAll('[role="treeitem"]')[1]!;
    expect([
      item.getAttribute("aria-level"),
      item.getAttribute("aria-posinset"),
      item.getAttribute("aria-setsize"),
    ]).toEqual(["2", "1", "1"]);
    expect(root.querySelector('[role="treeitem"]')!.getAttribute("aria-expanded")).toBe("true");
  });
  it("closes and opens with the arrow keys and shows the facts of the chosen item", async () => {
    const { root, text } = await draw([tree], { files });
    await key(at(root), "ArrowLeft");
    expect(root.querySelectorAll('[role="treeitem"]').length).toBe(2);
    await key(at(root), "ArrowRight");
    await key(at(root), "End");
    expect(at(root)?.textContent).toBe("README");
    expect(text()).toContain("Size7");
  });
  it("draws a tree as deep as it likes without end", async () => {
    let deep: any = { name: "leaf" };
    for (let level = 0; level < 200; level++) deep = { name: `n${level}`, inner: [deep] };
    const { failures } = await draw([tree], { files: [deep] });
    expect(failures).toEqual([]);
  });
});

describe("what is chosen among records inside records", () => {
  it("is the id of an option that has a name and an id", async () => {
    const { root, fired } = await draw(
      [
        {
          id: "root",
          component: "Quiz",
          rows: { path: "/props/questions" },
          key: "id",
          textField: "text",
          optionsField: "options",
          optionField: "label",
          optionKey: "optionId",
          columns: [],
          pick: { action: "answer", label: "Answer", to: "optionId", fixed: { id: "id" } },
        },
      ],
      {
        questions: [
          {
            id: "q1",
            text: "A red triangle says?",
            options: [
              { optionId: "o1", label: "Game crossing" },
              { optionId: "o2", label: "Petting zoo" },
            ],
          },
        ],
      },
    );
    const buttons = [...root.querySelectorAll("button")];
    expect(buttons.map(({ textContent }) => textContent)).toEqual(["Game crossing", "Petting zoo"]);
    await press(buttons[1]!);
    expect(fired[0]).toMatchObject({ name: "answer", data: { id: "q1", optionId: "o2" } });
  });
  it("is the id of a seat that stands in its row", async () => {
    const seat = (seatId: string, number: number, state: string) => ({ seatId, number, state });
    const { root, fired } = await draw(
      [
        {
          id: "root",
          component: "Seats",
          rows: { path: "/props/rows" },
          key: "seatId",
          seatsField: "seats",
          rowField: "row",
          numberField: "number",
          statusField: "state",
          columns: [],
          pick: {
            action: "book",
            label: "Book",
            to: "seatIds",
            field: "seatId",
            several: true,
          },
          value: { path: "/context/chosen" },
        },
      ],
      {
        rows: [
          { row: "A", seats: [seat("a1", 1, "free"), seat("a2", 2, "taken")] },
          { row: "B", seats: [seat("b1", 1, "free")] },
        ],
      },
    );
    const seats = [...root.querySelectorAll(".g-seat-row button")];
    expect(seats.map((one) => one.getAttribute("aria-label"))).toEqual([
      "A 1, Free",
      "A 2, Taken",
      "B 1, Free",
    ]);
    await press(seats[2]!);
    await press([...root.querySelectorAll("button")].at(-1)!);
    expect(fired[0]).toMatchObject({ name: "book", data: { seatIds: ["b1"] } });
  });
});
