// @vitest-environment node
// Dialogs in a frame as tall as its content, within a page that scrolls: seen whole, where the person is, and never lost by a key.

import type { Frame, Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { guestCode, showOnPage } from "./guest";

const lines = Array.from({ length: 40 }, (_, index) => ({
  id: `line${index}`,
  component: "Text",
  text: `Line ${index} of a long page.\n\nIt has two paragraphs.`,
}));
const schema = {
  type: "object",
  required: ["name", "guests"],
  properties: {
    name: { type: "string", title: "Name" },
    guests: {
      type: "array",
      title: "Guests",
      minItems: 1,
      items: {
        type: "object",
        title: "Guest",
        required: ["first", "last", "note"],
        properties: {
          first: { type: "string" },
          last: { type: "string" },
          note: { type: "string", maxLength: 500 },
        },
      },
    },
  },
};
const form = (id: string, action: string) => ({
  id,
  component: "Form",
  action,
  schema,
  display: "dialog",
  submitLabel: action,
});
const long = [
  {
    id: "root",
    component: "Column",
    children: ["first", ...lines.map(({ id }) => id), "second", "end"],
  },
  form("first", "Book"),
  ...lines,
  form("second", "Reserve"),
  { id: "end", component: "Text", text: "The end." },
];

describe.skipIf(!isThere)("a dialog in a frame within a page that scrolls", () => {
  const browser = browserFor(guestCode);
  let page: Page;
  let frame: Frame;
  const open = async (components: object[], height = 700, width = 900) => {
    ({ page, frame } = await showOnPage(browser(), components, { width, height }));
  };
  /** Once nothing has moved for as long as it takes to be looked at twice. */
  const settled = (of: Page | Frame) =>
    of.evaluate(() => new Promise<void>((done) => setTimeout(done, 700)));
  const scrolled = () => page.evaluate(() => scrollY);
  /** How much of an element lies outside of the window a person sees, and its height. */
  const outside = async (selector: string) => {
    const box = (await frame.locator(selector).last().boundingBox())!;
    const { height } = page.viewportSize()!;
    // Half pixels are rounded.
    return Math.max(0, Math.floor(Math.max(-box.y, box.y + box.height - height)));
  };
  const at = (name: string) => frame.getByRole("button", { name });
  afterEach(() => page?.close());

  it("opens where the person is, and neither opening nor Escape scrolls the page", async () => {
    await open(long);
    await at("Reserve…").scrollIntoViewIfNeeded();
    await settled(page);
    const before = await scrolled();
    expect(before).toBeGreaterThan(1000);
    await at("Reserve…").click();
    await frame.getByRole("dialog").waitFor();
    await settled(page);
    expect(await scrolled()).toBe(before);
    expect(await outside("dialog")).toBe(0);
    await page.keyboard.press("Escape");
    await frame.getByRole("dialog").waitFor({ state: "detached" });
    await settled(page);
    expect(await scrolled()).toBe(before);
  });

  it.each([
    [700, 900],
    [500, 320],
  ])("keeps its buttons in sight while it grows, in a window %i high", async (height, width) => {
    await open(long, height, width);
    await at("Reserve…").click();
    await frame.getByRole("dialog").waitFor();
    for (let row = 0; row < 5; row++) {
      await frame.getByRole("button", { name: "Add guest" }).click();
      await settled(page);
      expect(await outside("dialog .g-form-end")).toBe(0);
      expect(await outside("dialog")).toBe(0);
    }
    // All of it is missing: each field says so.
    await frame.getByRole("dialog").getByRole("button", { name: "Reserve" }).click();
    await settled(page);
    expect(await outside("dialog .g-form-end")).toBe(0);
    expect(await outside(":focus")).toBe(0);
  });

  it("makes a low frame grow, and is seen there", async () => {
    await open([form("root", "Book")]);
    await at("Book…").click();
    await frame.getByRole("dialog").waitFor();
    await settled(page);
    expect(await outside("dialog")).toBe(0);
    expect(await outside("dialog .g-form-end")).toBe(0);
    const seen = await frame.evaluate(() => {
      const { top, bottom } = document.querySelector("dialog")!.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    expect(seen).toBe(true);
  });

  it("is brought into sight where its low frame stands at the lower edge of the window", async () => {
    await open([form("root", "Book")]);
    await page.evaluate(() => scrollTo(0, 0));
    await page.evaluate(() => {
      document.querySelector<HTMLElement>("#before")!.style.height = `${innerHeight - 100}px`;
    });
    await settled(page);
    await frame.evaluate(() => document.querySelector<HTMLElement>("[data-action]")!.click());
    await frame.getByRole("dialog").waitFor();
    await settled(page);
    expect(await outside("dialog .g-form-end")).toBe(0);
  });

  it("stays in sight when the person scrolls the page around it", async () => {
    await open(long);
    await at("Book…").click();
    await frame.getByRole("dialog").waitFor();
    await page.mouse.move(20, 20);
    await page.mouse.wheel(0, 900);
    await settled(page);
    expect(await scrolled()).toBeGreaterThan(500);
    expect(await outside("dialog")).toBe(0);
  });
});
