// Questions whose answers are kept, and handed in together at the end.

import { describe, expect, it } from "vitest";
import type { Json } from "../../src/wire/json";
import { act, draw, press, type } from "./mount";

const questions: Json[] = [
  {
    id: "q1",
    text: "Which bird cannot fly?",
    options: [
      { key: "a", label: "Ostrich" },
      { key: "b", label: "Swift" },
    ],
  },
  {
    id: "q2",
    text: "Which of these are mammals?",
    many: 2,
    options: [
      { key: "c", label: "Bat" },
      { key: "d", label: "Whale" },
      { key: "e", label: "Wren" },
    ],
  },
  { id: "q3", text: "Name a reptile." },
];
const quiz = (handIn: object = {}) => ({
  id: "root",
  component: "Quiz",
  rows: { path: "/props/questions" },
  key: "id",
  textField: "text",
  optionsField: "options",
  optionField: "label",
  optionKey: "key",
  severalField: "many",
  handIn: { action: "submit", label: "Hand in", to: "answers", as: "map", ...handIn },
});

async function begin(handIn: object = {}, asked: Json[] = questions) {
  const drawn = await draw([quiz(handIn)], { questions: asked, attempt: { id: 7 } });
  const { root } = drawn;
  const inputs = () => [...root.querySelectorAll<HTMLInputElement>("fieldset input")];
  const [previous, next] = root.querySelectorAll(".g-form-end button");
  return {
    ...drawn,
    inputs,
    back: () => press(previous!),
    next: () => press(next!),
    button: () => root.querySelector("[data-action=submit]"),
    /** Answers all three questions, and is at the last one. */
    async answer() {
      await press(inputs()[0]!);
      await press(next!);
      await press(inputs()[0]!);
      await press(inputs()[1]!);
      await press(next!);
      await type(root.querySelector("[type=text]"), "Gecko");
    },
  };
}

describe("answers that are handed in together", () => {
  it("are asked for by radio buttons, boxes or a line, each named after its question", async () => {
    const { root, inputs, next } = await begin();
    expect(root.querySelector("legend")!.textContent).toBe("Which bird cannot fly?");
    expect(inputs().map((input) => input.type)).toEqual(["radio", "radio"]);
    const [first, second] = inputs();
    expect(first!.name).not.toBe("");
    expect(first!.name).toBe(second!.name);
    await next();
    expect(inputs().map((input) => input.type)).toEqual(["checkbox", "checkbox", "checkbox"]);
    await next();
    const line = root.querySelector("[type=text]")!;
    expect(root.querySelector(`label[for="${line.id}"]`)!.textContent).toBe("Name a reptile.");
  });
  it("are one object by the ids of the questions, or a list of what was answered", async () => {
    const map = await begin();
    await map.answer();
    expect(map.fired).toEqual([]);
    await press(map.button());
    expect(map.fired.map(({ name, data }) => [name, JSON.stringify(data)])).toEqual([
      ["submit", '{"answers":{"q1":"a","q2":["c","d"],"q3":"Gecko"}}'],
    ]);
    const list = await begin({ as: "list", id: "of", value: "choice", values: "choices" });
    await list.answer();
    await press(list.button());
    expect(list.fired[0]!.data).toEqual({
      answers: [
        { of: "q1", choice: "a" },
        { of: "q2", choices: ["c", "d"] },
        { of: "q3", choice: "Gecko" },
      ],
    });
    const arrays = await begin({ as: "list", id: "of", values: "choices" });
    await arrays.next();
    await arrays.next();
    await type(arrays.root.querySelector("[type=text]"), "Gecko");
    await press(arrays.button());
    expect(arrays.fired[0]!.data).toEqual({ answers: [{ of: "q3", choices: ["Gecko"] }] });
  });
  it("are numbers where a question has no options and the action takes one", async () => {
    const asked = [{ id: "q1", text: "How many legs has a spider?" }];
    const { button, fired, root } = await begin(
      { as: "list", id: "question", values: "keys", number: "value" },
      asked,
    );
    await type(root.querySelector("[type=text]"), "8");
    await press(button()!);
    expect(fired[0]!.data).toEqual({ answers: [{ question: "q1", value: 8 }] });
  });

  it("are numbers of options where the action takes those, beside what the page gives", async () => {
    const drawn = await begin({
      option: "index",
      confirm: true,
      given: { attemptId: { path: "/props/attempt/id" } },
    });
    await drawn.answer();
    await press(drawn.button());
    expect(drawn.fired[0]).toMatchObject({
      confirm: true,
      data: { attemptId: 7, answers: { q1: 0, q2: [0, 1], q3: "Gecko" } },
    });
  });
  it("are kept while one goes back and forth, and counted", async () => {
    const drawn = await begin();
    expect(drawn.text()).toContain("1 / 3 · 0 of 3 answered");
    await drawn.answer();
    expect(drawn.text()).toContain("3 / 3 · 3 of 3 answered");
    await drawn.back();
    expect(drawn.inputs().map(({ checked }) => checked)).toEqual([true, true, false]);
    await press(drawn.inputs()[0]!);
    await press(drawn.inputs()[1]!);
    expect(drawn.text()).toContain("2 / 3 · 2 of 3 answered");
    await drawn.back();
    expect(drawn.inputs().map(({ checked }) => checked)).toEqual([true, false]);
  });
  it("have their button at the last question, which says why it waits for an answer", async () => {
    const drawn = await begin();
    expect(drawn.button()).toBeNull();
    await drawn.next();
    await drawn.next();
    const button = drawn.button()!;
    expect(button.getAttribute("aria-disabled")).toBe("true");
    const hint = drawn.root.querySelector(`[id="${button.getAttribute("aria-describedby")}"]`);
    expect(hint!.textContent).toBe("Nothing is answered yet.");
    await type(drawn.root.querySelector("[type=text]"), "  ");
    await press(button);
    expect(drawn.fired).toEqual([]);
    await type(drawn.root.querySelector("[type=text]"), "Gecko");
    expect(button.getAttribute("aria-disabled")).toBe("false");
    expect(drawn.text()).not.toContain("Nothing is answered yet.");
  });
  it("of a single question have their button at once", async () => {
    const drawn = await draw([quiz()], { questions: questions.slice(0, 1) });
    expect([...drawn.root.querySelectorAll("button")].map((one) => one.textContent)).toEqual([
      "Hand in",
    ]);
  });
  it("begin anew once they have been taken, and stay where they were not or are changed meanwhile", async () => {
    const drawn = await begin();
    await drawn.answer();
    await press(drawn.button());
    const state = drawn.state(drawn.fired[0]!.control);
    await act(() => void (state.value = { phase: "failed", message: "Too late." }));
    expect(drawn.text()).toContain("3 / 3 · 3 of 3 answered");
    await press(drawn.button());
    await type(drawn.root.querySelector("[type=text]"), "Tortoise");
    await act(() => void (state.value = { phase: "received" }));
    expect(drawn.text()).toContain("3 / 3 · 3 of 3 answered");
    await act(() => void (state.value = { phase: "idle" }));
    await press(drawn.button());
    await act(() => void (state.value = { phase: "received" }));
    expect(drawn.text()).toContain("1 / 3 · 0 of 3 answered");
    expect(drawn.text()).toContain("Received by the agent");
    expect(drawn.inputs().some(({ checked }) => checked)).toBe(false);
  });
  it("are sent with what a dialog asks for beside them, and begin anew then", async () => {
    const team = { type: "object", properties: { team: { type: "string" } }, required: ["team"] };
    const drawn = await begin({
      inputs: team,
      given: { attemptId: { path: "/props/attempt/id" } },
    });
    await drawn.answer();
    await press(drawn.button());
    expect(drawn.fired).toEqual([]);
    const dialog = drawn.root.ownerDocument.querySelector("dialog")!;
    expect(dialog.textContent).toContain("Hand in: 3 of 3 answered");
    await type(dialog.querySelector("input"), "Moss");
    await press(dialog.querySelector("[data-action=submit]"));
    expect(drawn.fired[0]!.data).toEqual({
      attemptId: 7,
      team: "Moss",
      answers: { q1: "a", q2: ["c", "d"], q3: "Gecko" },
    });
    const state = drawn.state(drawn.fired[0]!.control);
    await act(() => void (state.value = { phase: "received" }));
    expect(drawn.text()).toContain("1 / 3 · 0 of 3 answered");
    expect(drawn.text()).toContain("Received by the agent");
  });
  it("show the picture of a question before its options", async () => {
    const columns = [{ field: "image", label: "Image", format: "image" }];
    const asked = [{ ...(questions[0] as object), image: "https://cdn.example/ostrich.jpg" }];
    const drawn = await draw([{ ...quiz(), columns }], { questions: asked });
    const order = [...drawn.root.querySelectorAll("img, input")].map((at) => at.tagName);
    expect(order).toEqual(["IMG", "INPUT", "INPUT"]);
  });
});

describe("answers that are checked one by one", () => {
  const check = {
    action: "check",
    label: "Check",
    fixed: { question: "id" },
    to: "answers",
    several: true,
  };
  const drawn = (more: object) =>
    draw([{ ...quiz(), handIn: undefined, pick: check, ...more }], { questions });
  const button = (root: Element) => root.querySelector("[data-action=check]")!;

  it("are sent as a list, and stay chosen to be handed in", async () => {
    const { root, fired } = await drawn({ handIn: quiz().handIn });
    expect(button(root).getAttribute("aria-disabled")).toBe("true");
    await press(root.querySelector("fieldset input")!);
    await press(button(root));
    expect(fired.map(({ data }) => data)).toEqual([{ question: "q1", answers: ["a"] }]);
    expect(root.querySelector<HTMLInputElement>("fieldset input")!.checked).toBe(true);
  });
  it("are several where the question takes several, and one tap where it does not", async () => {
    const { root, fired } = await drawn({});
    await press(root.querySelector("[data-action=check]")!);
    await press(root.querySelectorAll(".g-form-end button")[1]!);
    const boxes = [...root.querySelectorAll("fieldset input")];
    await press(boxes[0]!);
    await press(boxes[1]!);
    await press(button(root));
    const sent = fired.map(({ data }) => data);
    expect(sent).toEqual([
      { question: "q1", answers: ["a"] },
      { question: "q2", answers: ["c", "d"] },
    ]);
  });
  it("are several where the kind of the question says so", async () => {
    const asked = [{ ...(questions[0] as object), many: "multiple_choice" }];
    const { root } = await draw([{ ...quiz(), severalField: "many" }], { questions: asked });
    expect(root.querySelector("fieldset input")!.getAttribute("type")).toBe("checkbox");
  });
});
