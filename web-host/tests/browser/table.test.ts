// @vitest-environment node
// A table from a phone to a wide screen: its words stay whole, and what can be done with its rows stays in sight.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, guestCode, HANGS, sentBy, show } from "./guest";

const WIDTHS = [320, 480, 600, 768, 1024, 1280, 1440, 1920];
const columns = [
  { field: "name", label: "Name" },
  { field: "version", label: "Version" },
  { field: "source", label: "Source", format: "code" },
  { field: "state", label: "State", format: "badge" },
  { field: "found", label: "Finding" },
  { field: "on", label: "Found on", format: "date" },
  { field: "note", label: "Note" },
];
const rows = ["base64", "block-buffer", "unicode-normalization"].map((name, index) => ({
  id: String(index),
  name,
  version: "0.22.1",
  source: "registry",
  state: "duplicated",
  found: "2 versions",
  on: "2026-11-22",
  note: index === 1 ? "x".repeat(400) : "Only used by the tests of the build",
}));
const table = {
  id: "root",
  component: "Table",
  title: "Packages",
  key: "id",
  titleField: "name",
  rows: { path: "/props/rows" },
  columns,
};
const rowActions = [
  { action: "open", label: "Open it", fixed: { id: "id" } },
  { action: "drop", label: "Remove it", fixed: { id: "id" } },
];

describe.skipIf(!isThere)("a table", () => {
  const browser = browserFor(guestCode);
  let page: Page;
  const open = async (component: object) =>
    ({ page } = await show(browser(), {
      components: [component],
      props: { rows },
      bursts: [[ACK]],
    }));
  const wide = async (width: number) => {
    await page.setViewportSize({ width, height: 700 });
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
  };
  const standsAsCards = () =>
    page.locator(".g-table").evaluate((table) => "cards" in (table as HTMLElement).dataset);

  afterEach(() => page?.close());

  it.each([
    ["with actions", { ...table, rowActions }],
    ["without actions", table],
  ])(
    "%s breaks no word, and never makes the page wider than the screen",
    async (_, component) => {
      await open(component);
      for (const width of WIDTHS) {
        await wide(width);
        const found = await page.evaluate(() => {
          const broken = [...document.querySelectorAll("tbody :is(th, td) > span")]
            .filter((cell) => !cell.closest("[data-long]"))
            .flatMap((cell) => {
              const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
              const words: string[] = [];
              for (let node = texts.nextNode(); node; node = texts.nextNode()) {
                for (const { index, 0: word } of node.textContent!.matchAll(/[\p{L}\d.]+/gu)) {
                  const range = document.createRange();
                  range.setStart(node, index);
                  range.setEnd(node, index + word.length);
                  if (
                    new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1
                  )
                    words.push(word);
                }
              }
              return words;
            });
          return {
            broken,
            sideways: document.documentElement.scrollWidth - document.documentElement.clientWidth,
          };
        });
        expect({ width, ...found }).toEqual({ width, broken: [], sideways: 0 });
      }
    },
    2 * HANGS,
  );

  it(
    "with actions stands as cards where these would be out of sight, and as rows again where there is room",
    async () => {
      await open({ ...table, rowActions });
      for (const width of [1280, 640, 1280, 320, 1280]) {
        await wide(width);
        expect([width, await standsAsCards()]).toEqual([width, width < 1280]);
        const hidden = await page
          .locator(".g-row-actions button")
          .evaluateAll(
            (buttons) =>
              buttons.filter((button) => button.getBoundingClientRect().right > innerWidth).length,
          );
        expect([width, hidden]).toEqual([width, 0]);
      }
    },
    2 * HANGS,
  );

  it(
    "without actions keeps its rows together and scrolls in itself, reached by keyboard",
    async () => {
      await open(table);
      await wide(640);
      expect(await standsAsCards()).toBe(false);
      const box = page.getByRole("region", { name: "Packages" });
      expect(await box.evaluate((box) => box.scrollWidth > box.clientWidth)).toBe(true);
      await page.keyboard.press("Tab");
      expect(await box.evaluate((box) => box === document.activeElement)).toBe(true);
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => document.querySelector(".g-table-box")!.scrollLeft > 0);
    },
    2 * HANGS,
  );

  it.each([320, 1280])(
    "whose rows can be selected has one box for all of them at %i pixels",
    async (width) => {
      await open({
        ...table,
        bulkActions: [{ action: "drop", label: "Remove", list: "ids", field: "id" }],
      });
      await wide(width);
      const all = page.getByRole("checkbox", { name: "Select all rows" });
      const one = page.getByRole("checkbox", { name: "Select base64" });
      expect(await all.count()).toBe(1);
      await all.check();
      await page.getByRole("status").getByText("3 selected").waitFor();
      await one.uncheck();
      expect(
        await all.evaluate((box: HTMLInputElement) => [box.checked, box.indeterminate]),
      ).toEqual([false, true]);
      await all.check();
      await page.getByRole("button", { name: "Remove" }).click();
      expect((await sentBy(page)).map(({ payload }) => payload.payload.data)).toEqual([
        { ids: ["0", "1", "2"] },
      ]);
    },
    2 * HANGS,
  );
});
