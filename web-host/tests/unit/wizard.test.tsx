// A form in steps: which fields stand in which, when one may go on, and what is sent.

import { describe, expect, it } from "vitest";
import { fieldOf, membersOf } from "../../src/form/field";
import { formsOf, listedStepsOf, stepsOf } from "../../src/form/steps";
import type { JsonObject } from "../../src/wire/json";
import { act, draw, press, type } from "./mount";

const text = { type: "string", minLength: 1 };
const parts = (properties: JsonObject, steps: readonly string[]) => {
  const schema = { type: "object", properties };
  const members = membersOf(fieldOf(schema, "", schema));
  return stepsOf(members, steps).map((step) => step.map(({ name }) => name));
};

describe("the fields of a wizard", () => {
  it("stand in the step they are named after, and between two such steps in those between", () => {
    const consent = { type: "boolean", const: true };
    expect(
      parts(
        {
          monthlyIncome: text,
          household: text,
          amount: text,
          months: text,
          signature: text,
          agree: consent,
        },
        ["Income", "Household", "Loan", "Check and sign"],
      ),
    ).toEqual([["monthlyIncome"], ["household"], ["amount", "months"], ["signature", "agree"]]);
  });

  it("are shared out in their order where nothing is named after a step, and none is lost", () => {
    expect(parts({ a: text, b: text, c: text, d: text }, ["One", "Two", "Review"])).toEqual([
      ["a", "b"],
      ["c", "d"],
      [],
    ]);
    expect(parts({ a: text, b: text }, ["Only"])).toEqual([["a", "b"]]);
  });
});

describe("the fields of steps that list them", () => {
  it("stand where they are listed, and what no step lists stands in the last", () => {
    const schema = { type: "object", properties: { a: text, b: text, c: text, d: text } };
    const members = membersOf(fieldOf(schema, "", schema));
    const steps = listedStepsOf(members, [["c", "elsewhere"], ["a"], []]);
    expect(steps.map((step) => step.map(({ name }) => name))).toEqual([["c"], ["a"], ["b", "d"]]);
  });
});

const wizard = {
  id: "root",
  component: "Wizard",
  rows: { path: "/props/steps" },
  labelField: "title",
  key: "id",
  current: { path: "/context/step" },
  action: "finish",
  submitLabel: "Finish",
  schema: {
    type: "object",
    properties: { company: text, plan: text, terms: { type: "boolean", const: true } },
    required: ["company", "plan", "terms"],
  },
};
const steps = [
  { id: "company", title: "Who" },
  { id: "plan", title: "What" },
  { id: "review", title: "Check" },
];

describe("a wizard", () => {
  it("goes on once a step is right, shows what was given, and sends it at its end", async () => {
    const drawn = await draw([wizard], { steps }, { step: "company" });
    const next = () => drawn.root.querySelector("[type=submit]");
    const here = () => drawn.root.querySelector("[aria-current=step]")!.textContent;
    const input = () => drawn.root.querySelector<HTMLInputElement>("input")!;
    await press(next());
    expect(here()).toContain("Who");
    expect(input().getAttribute("aria-invalid")).toBe("true");
    await type(input(), "Quay Books");
    await press(next());
    expect(here()).toContain("What");
    expect(input().getAttribute("aria-invalid")).not.toBe("true");
    await type(input(), "storm");
    await press(next());
    expect(here()).toContain("Check");
    expect(drawn.text()).toContain("Quay Books");
    expect(drawn.text()).toContain("storm");
    await press(input());
    await press(drawn.root.querySelector("[data-action=finish]"));
    expect(drawn.fired.map(({ data }) => data)).toEqual([
      { company: "Quay Books", plan: "storm", terms: true },
    ]);
  });

  it("keeps what was given when one goes back", async () => {
    const drawn = await draw([wizard], { steps }, { step: "company" });
    await type(drawn.root.querySelector<HTMLInputElement>("input")!, "Quay Books");
    await press(drawn.root.querySelector("[type=submit]"));
    await press(drawn.root.querySelector(".g-form-end button[type=button]"));
    expect(drawn.root.querySelector<HTMLInputElement>("input")!.value).toBe("Quay Books");
  });

  it("sends the contract's own actions of going back and on, and none where it stays", async () => {
    const own = { ...wizard, back: { action: "previousStep" }, next: { action: "nextStep" } };
    const { root, fired, model } = await draw([own], { steps }, { step: "company" });
    const button = (label: string) =>
      [...root.querySelectorAll("button")].find(({ textContent }) => textContent === label)!;
    await press(button("Next"));
    expect(fired).toEqual([]);
    await type(root.querySelector("input"), "Kelp & Co");
    await press(button("Next"));
    await press(button("Previous"));
    expect(fired.map(({ name, data }) => [name, data])).toEqual([
      ["nextStep", null],
      ["previousStep", null],
    ]);
    expect(model.context().step).toBe("company");
  });
});

describe("a wizard that no list leads through", () => {
  const part = (properties: JsonObject) => ({
    type: "object",
    properties,
    required: Object.keys(properties),
  });
  const { rows: _, labelField: __, key: ___, ...form } = wizard;
  const own = {
    ...form,
    options: [
      { label: "The day", value: "the_day" },
      { label: "The party", value: "the_party" },
    ],
    schema: part({ the_day: part({ place: text }), the_party: part({ guests: text }) }),
    keep: { action: "saveDraft", label: "Save draft", to: "draft", given: { shop: 7 } },
  };

  it("has its own steps, each with the record of its name, and no second title for it", async () => {
    const { root, model } = await draw([own], {}, { step: "the_day" });
    const here = () => root.querySelector("[aria-current=step]")!.textContent;
    expect(here()).toContain("The day");
    expect(root.querySelectorAll("input")).toHaveLength(1);
    expect(root.querySelector("legend")).toBeNull();
    await type(root.querySelector("input"), "Quay hall");
    await press(root.querySelector("[type=submit]"));
    expect(here()).toContain("The party");
    expect(model.context().step).toBe("the_party");
  });

  it("saves what is filled in so far, with what the page gives, and stays where it is", async () => {
    const { root, fired } = await draw([own], {}, { step: "the_day" });
    await type(root.querySelector("input"), "Quay hall");
    await press(root.querySelector("[data-action=saveDraft]"));
    expect(fired.map(({ name, data }) => [name, data])).toEqual([
      ["saveDraft", { shop: 7, draft: { the_day: { place: "Quay hall" }, the_party: {} } }],
    ]);
    expect(root.querySelector("input")!.value).toBe("Quay hall");
  });
});

describe("a wizard whose steps are saved one by one", () => {
  const form = (action: string, submitLabel: string, name: string) => ({
    action,
    submitLabel,
    schema: { type: "object", properties: { [name]: text }, required: [name] },
  });
  const { schema: _, ...ended } = wizard;
  const saved = {
    ...ended,
    steps: [form("savePlan", "Save plan", "plan"), form("saveCompany", "Save company", "company")],
  };

  it("finds the step of each form by its name, and gives the others those that are left", () => {
    expect(formsOf(["savePlan", "saveCompany"], ["company Who", "plan What"])).toEqual([1, 0]);
    expect(formsOf(["saveOne", "saveTwo", "saveThree"], ["a", "b"])).toEqual([0, 1, 1]);
  });

  it("sends each step by its own action, goes on, and ends with nothing but the action", async () => {
    const drawn = await draw([saved], { steps }, { step: "company" });
    const here = () => drawn.root.querySelector("[aria-current=step]")!.textContent;
    await press(drawn.root.querySelector("[data-action=saveCompany]"));
    expect(drawn.fired).toEqual([]);
    await type(drawn.root.querySelector("input"), "Quay Books");
    await press(drawn.root.querySelector("[data-action=saveCompany]"));
    const { control } = drawn.fired[0]!;
    await act(() => {
      drawn.state(control).value = { phase: "received" };
    });
    expect(here()).toContain("What");
    await press(drawn.root.querySelector(".g-form-end button[type=button]"));
    expect(drawn.root.querySelector("input")!.value).toBe("Quay Books");
    const next = () =>
      [...drawn.root.querySelectorAll("button")].find(({ textContent }) => textContent === "Next")!;
    await press(next());
    await press(next());
    await press(drawn.root.querySelector("[data-action=finish]"));
    expect(drawn.fired.map(({ name, data }) => [name, data])).toEqual([
      ["saveCompany", { company: "Quay Books" }],
      ["finish", null],
    ]);
  });
});
