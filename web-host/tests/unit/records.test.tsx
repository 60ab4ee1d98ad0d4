// The components that show records: boards, trees, calendars, differences, steps and selections.

import { describe, expect, it } from "vitest";
import { dayOf, spanOf, weeksAlone, weeksOf } from "../../src/catalog/calendar";
import { jsonText } from "../../src/catalog/code";
import { readPatch } from "../../src/catalog/diff";
import { compare } from "../../src/catalog/kit/compare";
import { fieldOf, humanise, scaleOf, starsOf } from "../../src/form/field";
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
const key = (element: Element | null, name: string) =>
  act(
    () =>
      void element!.dispatchEvent(
        new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }),
      ),
  );

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

describe("Calendar", () => {
  it("knows the days of a month in whole weeks, whatever the first weekday is", () => {
    expect(weeksOf(2026, 10, 1).length).toBe(6);
    expect(weeksOf(2026, 1, 0).length).toBe(4);
    expect(weeksOf(2026, 1, 1).flat().length % 7).toBe(0);
  });
  it("shows events of a week or two with those weeks alone, and others with their month", async () => {
    const weeks = (...days: string[]) =>
      weeksAlone(
        days.map((day) => ({ from: dayOf(day)!, to: dayOf(day)! })),
        1,
      )?.length;
    expect(weeks("2026-07-06", "2026-07-12")).toBe(1);
    expect(weeks("2026-07-05", "2026-07-06")).toBe(2);
    expect(weeks("2026-07-05", "2026-07-20")).toBeUndefined();
    expect(weeks()).toBeUndefined();
    const calendar = {
      id: "root",
      component: "Calendar",
      rows: { path: "/props/events" },
      titleField: "name",
      startField: "on",
      columns: [],
    };
    const events = (...days: string[]) => ({ events: days.map((on) => ({ name: "Fair", on })) });
    const brief = await draw([calendar], events("2030-06-28", "2030-07-01"));
    expect(brief.root.querySelectorAll("tbody tr")).toHaveLength(2);
    expect(brief.root.querySelector("h2")!.textContent).toMatch(/^June\s–\sJuly 2030$/);
    expect(brief.root.querySelectorAll(".g-pager, [data-outside]")).toHaveLength(0);
    const long = await draw([calendar], events("2030-06-03", "2030-08-01"));
    expect(long.root.querySelectorAll(".g-pager button")).toHaveLength(2);
  });
  it("never moves a date without a time by a zone", () => {
    expect(dayOf("2026-11-22")).toBe(Date.UTC(2026, 10, 22) / 86_400_000);
    expect(dayOf("soon")).toBeUndefined();
  });
  it("says the day of an event once, and a moment once", () => {
    const zoned = (at: string) => `2026-11-${at}`;
    expect(spanOf(zoned("18T08:00:00"), zoned("18T10:30:00"), "de")).toBe(
      "18.11.2026, 08:00 – 10:30",
    );
    expect(spanOf(zoned("18T08:00:00"), zoned("19T10:30:00"), "de")).toBe(
      "18.11.2026, 08:00 – 19.11.2026, 10:30",
    );
    expect(spanOf(zoned("18T08:00:00"), zoned("18T08:00:00"), "de")).toBe("18.11.2026, 08:00");
    expect(spanOf("2026-11-18", undefined, "de")).toBe("18.11.2026");
  });
  it("shows an event on every day it lasts and opens its facts", async () => {
    const { root, text } = await draw(
      [
        {
          id: "root",
          component: "Calendar",
          rows: { path: "/props/events" },
          titleField: "name",
          startField: "from",
          endField: "to",
          columns: [{ field: "who", label: "Who" }],
        },
      ],
      { events: [{ name: "Fair", from: "2030-05-06", to: "2030-05-08", who: "Ada" }] },
    );
    expect(root.querySelectorAll(".g-event").length).toBe(3);
    expect(text()).toContain("May 2030");
  });
});

describe("Diff", () => {
  const marks = (lines: { mark: string; text: string }[]) =>
    lines.map(({ mark, text }) => `${mark[0]} ${text}`);
  it("keeps what both texts have", () => {
    expect(marks(compare(["a", "b", "c"], ["a", "x", "c", "d"]))).toEqual([
      "s a",
      "r b",
      "a x",
      "s c",
      "a d",
    ]);
    expect(compare(["a"], ["a"])).toEqual([]);
  });
  it("reads a unified patch", () => {
    expect(marks(readPatch("--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n same"))).toEqual([
      "p --- a",
      "p +++ b",
      "p @@ -1 +1 @@",
      "r old",
      "a new",
      "s same",
    ]);
  });
  it("does not compare texts line by line that are too long for it", () => {
    const many = (name: string) => Array.from({ length: 3000 }, (_, index) => `${name}${index}`);
    expect(compare(many("a"), many("b")).length).toBe(6000);
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
