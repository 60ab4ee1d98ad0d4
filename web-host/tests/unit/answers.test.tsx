// Answers count once the page has been in sight for a moment, however they are given.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { act, draw, press, type } from "./mount";

const components = [
  { id: "root", component: "Answers", children: ["yes", "no"] },
  { id: "yes", component: "ActionButton", label: "Approve", action: "yes" },
  {
    id: "no",
    component: "Form",
    action: "no",
    submitLabel: "Reject",
    schema: { type: "object", properties: { reason: { type: "string" } } },
  },
];

let see: (isIntersecting: boolean) => Promise<void>;
let visibility = "visible";

class Observed {
  constructor(callback: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
    see = (isIntersecting) => act(() => callback([{ isIntersecting }]));
  }
  observe() {}
  disconnect() {}
}

const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds));

async function turn(state: "visible" | "hidden") {
  visibility = state;
  await act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

async function drawn() {
  const { fired, root } = await draw(components);
  const [yes, no] = ["yes", "no"].map(
    (action) => root.querySelector<HTMLElement>(`[data-action="${action}"]`)!,
  );
  return {
    root,
    yes: yes!,
    no: no!,
    waits: () => root.querySelector("[role=group]")!.getAttribute("aria-disabled") === "true",
    fired: () => fired.map(({ name }) => name),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IntersectionObserver", Observed);
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(
    () => visibility as DocumentVisibilityState,
  );
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("no answer counts before the page has been in sight for 700 milliseconds", async () => {
  const { yes, no, root, waits, fired } = await drawn();
  yes.focus();
  await see(true);
  await pass(699);
  expect(waits()).toBe(true);
  await press(yes);
  await press(no);
  await act(() => root.querySelector("form")!.requestSubmit());
  expect(fired()).toEqual([]);
  await pass(1);
  expect(waits()).toBe(false);
  // Whoever was on a button still is, and was never moved there by it.
  expect(document.activeElement).toBe(yes);
  await press(yes);
  await press(no);
  expect(fired()).toEqual(["yes", "no"]);
});

it("what is typed meanwhile stays, because only answers wait", async () => {
  const { root, no, fired } = await drawn();
  const field = root.querySelector("input");
  await type(field, "not now");
  await see(true);
  await pass(700);
  await press(no);
  expect(fired()).toEqual(["no"]);
  expect(field!.value).toBe("not now");
});

it("a page that is out of sight, or behind another one, waits anew", async () => {
  const { yes, waits, fired } = await drawn();
  for (const [leave, comeBack] of [
    [() => see(false), () => see(true)],
    [() => turn("hidden"), () => turn("visible")],
  ] as const) {
    await see(true);
    await pass(700);
    expect(waits()).toBe(false);
    await leave();
    await press(yes);
    await pass(5_000);
    expect(waits()).toBe(true);
    await comeBack();
    await press(yes);
    await pass(699);
    expect(waits()).toBe(true);
    await pass(1);
    expect(waits()).toBe(false);
  }
  expect(fired()).toEqual([]);
});

it("a page that nobody has seen waits", async () => {
  const { yes, waits, fired } = await drawn();
  await pass(5_000);
  await press(yes);
  expect(waits()).toBe(true);
  expect(fired()).toEqual([]);
});
