// What is typed with its unit: weights, and amounts that are sent in the smallest unit of their currency.
import { expect, it } from "vitest";
import { draw, press, type } from "./mount";

const form = (comment: string, more: object = {}) => ({
  id: "root",
  component: "Form",
  action: "pay",
  submitLabel: "Pay",
  schema: {
    type: "object",
    required: ["feeMinor"],
    properties: { feeMinor: { type: "integer", minimum: 100, $comment: comment } },
  },
  ...more,
});
const fee = form("ui: currency=/props/currency, title=Fee");

it.each([
  ["EUR", "24.5", 2450],
  ["JPY", "2450", 2450],
  ["KWD", "1.234", 1234],
  ["eur", "1.10", 110],
])("sends an amount in %s that was typed as %s as %s", async (currency, typed, sent) => {
  const drawn = await draw([fee], { currency });
  expect(drawn.text()).toContain(currency.toUpperCase());
  expect(drawn.text()).not.toContain("minor");
  await type(drawn.root.querySelector("input"), typed);
  await press(drawn.root.querySelector("[data-action=pay]"));
  expect(drawn.fired[0]!.data).toEqual({ feeMinor: sent });
});

it("refuses parts of the smallest unit, and less than the least amount, in the units that are typed", async () => {
  const drawn = await draw([fee], { currency: "EUR" });
  for (const [typed, limit] of [
    ["2.345", "0.01"],
    ["0.99", "1"],
  ]) {
    await type(drawn.root.querySelector("input"), typed!);
    await press(drawn.root.querySelector("[data-action=pay]"));
    expect(drawn.root.querySelector(".g-problem")!.textContent).toContain(limit!);
  }
  expect(drawn.fired).toEqual([]);
});

it("starts an amount from what it is, in whole units", async () => {
  const drawn = await draw(
    [form("ui: currency=/props/currency, title=Fee", { initial: { path: "/props/now" } })],
    {
      currency: "EUR",
      now: { feeMinor: 1999 },
    },
  );
  expect(drawn.root.querySelector("input")!.value).toBe("19.99");
});

it("leaves an amount as it is where the page does not say its currency", async () => {
  const drawn = await draw([fee], {});
  expect(drawn.text()).toContain("Fee minor");
  await type(drawn.root.querySelector("input"), "2450");
  await press(drawn.root.querySelector("[data-action=pay]"));
  expect(drawn.fired[0]!.data).toEqual({ feeMinor: 2450 });
});

it("says a unit beside the field, where it is heard with it, and not in its label", async () => {
  const drawn = await draw([form("ui: unit=kg, title=Weight")]);
  expect(drawn.root.querySelector("label")!.textContent).toBe("Weight");
  const field = drawn.root.querySelector("input")!;
  const unit = drawn.root.querySelector(`#${field.getAttribute("aria-describedby")}`)!;
  expect(unit.textContent).toBe("kg");
});
