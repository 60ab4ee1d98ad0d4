// Tasks: records that are ticked off, by their boxes or in other words.

import { describe, expect, it } from "vitest";
import { act, draw, press, type } from "./mount";

const rows = [
  { id: "1", title: "Tent", done: true, needed: true, phase: "before_it", who: "Ada" },
  { id: "2", title: "Stove", done: false, phase: "after_it" },
  { id: "3", title: "Map", phase: "before_it", who: "" },
];
const tick = { action: "pack", label: "Pack", fixed: { id: "id" } };
const untick = { action: "unpack", label: "Unpack", fixed: { id: "id" } };
const drop = { action: "drop", label: "Drop", fixed: { id: "id" } };
const tasks = {
  id: "root",
  component: "Tasks",
  title: "Bags",
  rows: { path: "/props/rows" },
  key: "id",
  titleField: "title",
  doneField: "done",
};
const boxes = (root: Element) => [...root.querySelectorAll<HTMLInputElement>("[type=checkbox]")];
const texts = (root: Element, selector: string) =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);

describe("tasks", () => {
  it("have boxes under their names, which send what ticks them and what takes it back", async () => {
    const { root, fired } = await draw(
      [{ ...tasks, tick: "pack", untick: "unpack", rowActions: [tick, untick, drop] }],
      { rows },
    );
    expect(boxes(root).map((box) => [box.checked, box.closest("label")!.textContent])).toEqual([
      [true, "Tent"],
      [false, "Stove"],
      [false, "Map"],
    ]);
    for (const box of boxes(root).slice(0, 2)) await press(box);
    expect(fired.map(({ name, data }) => [name, data])).toEqual([
      ["unpack", { id: "1" }],
      ["pack", { id: "2" }],
    ]);
    expect(texts(root, ".g-record-actions")).toEqual(["Drop", "Drop", "Drop"]);
  });

  it("are counted as they are done, of all that there are", async () => {
    const { root, model, text } = await draw([tasks], { rows });
    expect(text()).toContain("1 of 3 done");
    expect(root.querySelector<HTMLElement>(".g-bar div")!.style.transform).toBe(`scaleX(${1 / 3})`);
    await act(() => model.setProps({ rows: rows.map((row) => ({ ...row, done: true })) }));
    expect(text()).toContain("3 of 3 done");
    expect((await draw([tasks], { rows: [] })).text()).not.toContain("done");
  });

  it("send the value itself where one action sets it", async () => {
    const set = {
      action: "set",
      label: "Set",
      fixed: { id: "id" },
      initial: { packed: "done" },
      inputs: {
        type: "object",
        properties: { packed: { type: "boolean" } },
        required: ["packed"],
      },
      toggles: "done",
    };
    const { root, fired } = await draw([{ ...tasks, rowActions: [set] }], { rows });
    for (const box of boxes(root)) await press(box);
    expect(fired.map(({ data }) => data)).toEqual([
      { id: "1", packed: false },
      { id: "2", packed: true },
      { id: "3", packed: true },
    ]);
    expect(root.querySelector(".g-record-actions")).toBeNull();
  });

  it("show what was asked for until the agent answers, and what the data say from then on", async () => {
    const { root, model, state } = await draw([{ ...tasks, tick: "pack", rowActions: [tick] }], {
      rows,
    });
    const control = state("root#pack:2");
    const box = boxes(root)[1]!;
    await press(box);
    await act(() => void (control.value = { phase: "pending" }));
    expect([box.checked, box.getAttribute("aria-busy")]).toEqual([true, "true"]);
    await act(() => void (control.value = { phase: "failed", message: "Too heavy." }));
    expect(box.checked).toBe(false);
    expect(root.textContent).toContain("Too heavy.");
    await press(box);
    await act(() => void (control.value = { phase: "received" }));
    expect(box.checked).toBe(true);
    await act(() => {
      model.setProps({ rows: rows.map((row) => ({ ...row, done: true })) });
      control.value = { phase: "answered" };
    });
    // It is the same box, so that whoever turned it with the keyboard is still there.
    expect(boxes(root)[1]).toBe(box);
    expect(box.checked).toBe(true);
    expect(texts(root, "[role=status]")[1]).toBe("Answered by the agent");
  });

  it("stay done where nothing takes it back", async () => {
    const { root, fired } = await draw([{ ...tasks, tick: "pack", rowActions: [tick] }], { rows });
    const [tent, stove] = boxes(root);
    expect([tent!.checked, tent!.getAttribute("aria-disabled")]).toEqual([true, "true"]);
    expect(stove!.getAttribute("aria-disabled")).toBeNull();
    await press(tent!);
    expect(fired).toEqual([]);
    expect(tent!.checked).toBe(true);
  });

  it("have a mark with words where they cannot be ticked", async () => {
    const barred = { ...tick, unless: { field: "phase", values: ["after_it"] } };
    const marked = await draw([tasks], { rows });
    expect(boxes(marked.root)).toEqual([]);
    expect(texts(marked.root, ".g-task")).toEqual(["DoneTent", "Not doneStove", "Not doneMap"]);
    const some = await draw([{ ...tasks, tick: "pack", rowActions: [barred] }], { rows });
    expect(texts(some.root, ".g-task")).toEqual(["Tent", "Not doneStove", "Map"]);
  });

  it("ask for what is needed to tick them, and send nothing before", async () => {
    const asking = {
      ...tick,
      inputs: {
        type: "object",
        properties: { weight: { type: "string" }, note: { type: "string" } },
        required: ["weight"],
      },
    };
    const { root, fired } = await draw([{ ...tasks, tick: "pack", rowActions: [asking] }], {
      rows,
    });
    await press(boxes(root)[1]!);
    const dialog = root.querySelector("dialog")!;
    expect(dialog.textContent).toContain("Pack: Stove");
    expect([fired.length, boxes(root)[1]!.checked]).toEqual([0, false]);
    await type(dialog.querySelector("input"), "2 kg");
    await press(dialog.querySelector("[type=submit]"));
    expect(fired).toEqual([
      { control: "root#pack:2", name: "pack", data: { id: "2", weight: "2 kg" } },
    ]);
    expect(root.querySelector("dialog")).toBeNull();
  });

  it("are sent at once where no more than a remark may be given", async () => {
    const asking = {
      ...tick,
      inputs: { type: "object", properties: { note: { type: "string" } } },
    };
    const { root, fired } = await draw([{ ...tasks, tick: "pack", rowActions: [asking] }], {
      rows,
    });
    await press(boxes(root)[1]!);
    expect(fired.map(({ data }) => data)).toEqual([{ id: "2" }]);
  });

  it("stand under the values of a member as a table shows them, with their other facts", async () => {
    const columns = [
      { field: "title", label: "Title" },
      { field: "done", label: "Done", format: "boolean" },
      { field: "phase", label: "Phase", format: "choice" },
      { field: "needed", label: "Needed", format: "boolean" },
      { field: "who", label: "With" },
    ];
    const grouped = { ...tasks, groupField: "phase", requiredField: "needed", columns };
    const { root } = await draw([grouped], { rows });
    expect(texts(root, "h3")).toEqual(["Before it", "After it"]);
    expect(texts(root, "li")).toEqual(["DoneTentrequiredWithAda", "Not doneMap", "Not doneStove"]);
    const lists = [...root.querySelectorAll("ul")];
    expect(
      lists.map((list) => document.getElementById(list.getAttribute("aria-labelledby")!)),
    ).toEqual([...root.querySelectorAll("h3")]);
    const alone = await draw([{ ...grouped, columns: [] }], { rows: rows.slice(0, 1) });
    expect(texts(alone.root, "h3")).toEqual(["before_it"]);
  });

  it("without a value to stand under have a heading of their own only beside others", async () => {
    const grouped = { ...tasks, groupField: "phase" };
    const [tent, stove] = rows;
    const mixed = await draw([grouped], { rows: [{ ...tent!, phase: "" }, stove!] });
    expect(texts(mixed.root, "h3")).toEqual(["None", "after_it"]);
    const none = await draw([grouped], { rows: [{ ...tent!, phase: "" }] });
    expect(texts(none.root, "h3")).toEqual([]);
  });

  it("that end in a choice say which, and have no box", async () => {
    const result = (title: string, done: string | null) => ({ id: title, title, done });
    const columns = [{ field: "done", label: "Result", format: "badge" }];
    const { root, text } = await draw(
      [
        {
          ...tasks,
          columns,
          tick: "pack",
          openValues: ["not_checked"],
          rowActions: [{ ...tick, toggles: "done" }],
        },
      ],
      { rows: [result("A", "passed"), result("B", "not_checked"), result("C", null)] },
    );
    expect(boxes(root)).toEqual([]);
    expect(texts(root, "li")).toEqual(["APassedPack", "BNot checkedPack", "CPack"]);
    expect(root.querySelector(".g-badge")!.getAttribute("data-tone")).toBe("good");
    expect(text()).toContain("1 of 3 done");
    const unlisted = await draw([tasks], { rows: [result("A", "passed")] });
    expect(texts(unlisted.root, ".g-badge")).toEqual(["Passed"]);
  });

  it("are chosen beside their boxes, where a slot holds which one is", async () => {
    const { root, model, fired } = await draw(
      [{ ...tasks, tick: "pack", rowActions: [tick], value: { path: "/context/at" } }],
      { rows },
      { at: "1" },
    );
    const circles = [...root.querySelectorAll<HTMLInputElement>("[type=radio]")];
    expect(circles.map((circle) => [circle.checked, circle.closest("label")!.textContent])).toEqual(
      [
        [true, "Tent"],
        [false, "Stove"],
        [false, "Map"],
      ],
    );
    await press(circles[1]!);
    expect(model.context().at).toBe("2");
    expect(boxes(root).map((box) => box.getAttribute("aria-label"))).toEqual([
      "Done: Tent",
      "Done: Stove",
      "Done: Map",
    ]);
    await press(boxes(root)[2]!);
    expect(fired.map(({ data }) => data)).toEqual([{ id: "3" }]);
  });

  it("change with what a channel brings", async () => {
    const { model, text } = await draw([{ ...tasks, changes: { path: "/streams/packed" } }], {
      rows,
    });
    await act(() => model.appendStream("packed", [{ id: "3", done: true }]));
    expect(text()).toContain("2 of 3 done");
  });
});
