// Changes of a text: which words are marked, where whole texts are, and what can be done with one.

import { describe, expect, it } from "vitest";
import { compareWords } from "../../src/catalog/kit/words";
import type { Json } from "../../src/wire/json";
import { draw, press } from "./mount";

const told = (before: string, after: string) =>
  compareWords(before, after).map(({ mark, text }) => [mark, text]);

describe("two texts compared word by word", () => {
  it("keep what is common, and replace what is not, with the space between two such words", () => {
    expect(told("Pay in thirty days.", "Pay in sixty days.")).toEqual([
      ["same", "Pay in "],
      ["removed", "thirty"],
      ["added", "sixty"],
      ["same", " days."],
    ]);
    expect(told("Take the red car home tonight.", "Take the blue bus home tonight.")).toEqual([
      ["same", "Take the "],
      ["removed", "red car"],
      ["added", "blue bus"],
      ["same", " home tonight."],
    ]);
    expect(told("A cat sat.", "cat sat.")).toEqual([
      ["removed", "A "],
      ["same", "cat sat."],
    ]);
  });
  it("keep what is common also where a language has no spaces", () => {
    expect(told("猫が好きです。", "犬が好きです。")).toEqual([
      ["removed", "猫"],
      ["added", "犬"],
      ["same", "が好きです。"],
    ]);
  });
  it("take a number for one word", () => {
    expect(told("It costs 4.25 euros.", "It costs 4.75 euros.")[1]).toEqual(["removed", "4.25"]);
  });
  it("are old and new as a whole where hardly a word is common, or one of them is empty", () => {
    const [cats, dogs] = ["Cats sleep on the sofa.", "Our two dogs guard every entrance, always."];
    expect(told(cats, dogs)).toEqual([
      ["removed", cats],
      ["added", dogs],
    ]);
    expect(told("", dogs)).toEqual([["added", dogs]]);
    expect(told(cats, "")).toEqual([["removed", cats]]);
  });
  it("are old and new as a whole where comparing them would take long", () => {
    const many = (count: number, word: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => word(at)).join(" ");
    const everyOther = (word: string) => many(2000, (at) => (at % 2 ? `same${at}` : word));
    const last = (word: string) => `${many(12_000, (at) => `same${at}`)} ${word}`;
    for (const of of [everyOther, last])
      expect(told(of("old"), of("new")).map(([mark]) => mark)).toEqual(["removed", "added"]);
  });
  it("are both there in full, whatever was changed", () => {
    const [one, other] = ["a, b. c d\n\ne f (g) h", "a b, c! x\ne y (f) h, i"];
    for (const [before, after] of [
      [one, other],
      [other, one],
    ] as const) {
      const without = (mark: string) =>
        compareWords(before, after)
          .filter((run) => run.mark !== mark)
          .map(({ text }) => text)
          .join("");
      expect([without("added"), without("removed")]).toEqual([before, after]);
    }
  });
});

const changes = {
  id: "root",
  component: "Changes",
  rows: { path: "/props/edits" },
  key: "id",
  numberField: "clause",
  titleField: "heading",
  beforeField: "old",
  afterField: "new",
  columns: [{ field: "reason", label: "Reason" }],
  rowActions: [{ action: "accept", label: "Accept", fixed: { editId: "id" } }],
};
const drawn = (...edits: Json[]) => draw([changes], { edits });
const words = (root: Element, of: string) =>
  [...root.querySelectorAll(of)].map(({ textContent }) => textContent);
const edit = {
  id: "e1",
  clause: "4.2",
  heading: "Payment",
  old: "Pay in thirty days.",
  new: "Pay in sixty days.",
  reason: "Asked for.",
};

describe("a change of a text", () => {
  it("stands in one text with its heading, its facts and its actions", async () => {
    const { root, fired } = await drawn(edit);
    expect(words(root, "h2")).toEqual(["4.2 Payment"]);
    expect(root.querySelectorAll("p")).toHaveLength(1);
    expect([words(root, "del"), words(root, "ins")]).toEqual([["thirty"], ["sixty"]]);
    expect(words(root, "dl")).toEqual(["ReasonAsked for."]);
    await press(root.querySelector("[data-action=accept]"));
    expect(fired[0]!.data).toEqual({ editId: "e1" });
  });
  it("says to those who listen what was removed, what was added, and what stayed", async () => {
    const { root } = await drawn(edit);
    expect(root.querySelector("p")!.textContent!.replace(/\s+/g, " ")).toBe(
      "Pay in removed: thirty added: sixty unchanged: days.",
    );
  });
  it("is all added or all removed where there was or is nothing, and has no heading without a name", async () => {
    const { root } = await drawn({ id: "a", old: null, new: "New." }, { id: "b", old: "Old." });
    expect([words(root, "ins"), words(root, "del")]).toEqual([["New."], ["Old."]]);
    expect(root.querySelector("h2, h3")).toBeNull();
  });
  it("is told once, and that nothing changed, where both texts are the same", async () => {
    const { root } = await drawn({ id: "a", old: "As it was.", new: "As it was." });
    expect(words(root, "p")).toEqual(["As it was.", "Nothing changed."]);
    expect(root.querySelector("ins, del")).toBeNull();
  });
  it("shows the whole old text above the whole new one where they have little in common", async () => {
    const { root } = await drawn({ id: "a", old: "Cats sleep here.", new: "Two dogs guard it." });
    expect(root.querySelectorAll("[data-replaced] :is(del, ins)")).toHaveLength(2);
    expect((await drawn(edit)).root.querySelector("[data-replaced]")).toBeNull();
  });
  it("is read as it was written: neither HTML nor Markdown", async () => {
    const { root } = await drawn({ id: "a", old: "<b>x</b> **y** z", new: "<b>x</b> **y** w" });
    expect(root.querySelector("b, strong")).toBeNull();
    expect(root.querySelector("p")!.textContent).toContain("<b>x</b> **y** ");
  });
  it("that is long begins with its beginning, and is whole on request", async () => {
    const old = `${"word ".repeat(3000)}end`;
    const { root } = await drawn({ id: "a", old, new: `${old} and more` });
    expect(root.querySelector("p")!.textContent!.length).toBeLessThan(9000);
    expect(words(root, "ins")).toEqual([]);
    await press(root.querySelector("p button"));
    expect(words(root, "ins")).toEqual([" and more"]);
  });
});
