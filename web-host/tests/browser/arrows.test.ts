// @vitest-environment node
// What the arrow keys walk through, and whether the focus is seen wherever it is.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, type Given, guestCode, HANGS, say, sentBy, show } from "./guest";
import { form, table, tasks } from "./keyboard-parts";

const board = {
  id: "root",
  component: "Board",
  title: "Work",
  key: "id",
  titleField: "title",
  groupField: "state",
  rows: { path: "/props/tasks" },
  columns: [],
  groups: [
    { value: "open", label: "Open" },
    { value: "done", label: "Done" },
  ],
  move: { action: "move", label: "Move", fixed: { id: "id" }, to: "state" },
};

describe.skipIf(!isThere)("by arrow keys", () => {
  const browser = browserFor(guestCode);
  let page: Page;
  const open = async (components: object[], given: Given = {}) => {
    ({ page } = await show(browser(), {
      components,
      bursts: [[ACK]],
      slice: { actions: { drop: { label: "Remove", confirm: true } } },
      ...given,
    }));
    await page.waitForFunction(
      () => document.querySelector("main")?.getAttribute("data-live") === "open",
    );
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  /** What a screen reader says of the place the focus is at. */
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: at } = document;
      const labels = (at as HTMLInputElement).labels;
      return at?.getAttribute("aria-label") ?? labels?.[0]?.textContent ?? at?.textContent ?? "";
    });
  const update = (props: object) =>
    say(page, { type: "props_update", payload: { sessionId: "s", epoch: 0, props } });
  const heard = () => page.locator("main").ariaSnapshot();
  afterEach(() => page?.close());

  it(
    "a board is walked with the arrows, and the focus goes along with a card that is moved",
    async () => {
      await open([board], { props: { tasks: tasks("Write", "Read") } });
      await press("Tab", "ArrowDown");
      expect(await focused()).toBe("Read");
      await press("Tab", "ArrowDown");
      await page.waitForFunction(() => (globalThis as any).__sent.length === 1);
      expect((await sentBy(page))[0].payload.payload.data).toEqual({ id: "read", state: "done" });
      await update({ tasks: [...tasks("Write"), { id: "read", title: "Read", state: "done" }] });
      await page.getByRole("region", { name: "Done, 1" }).waitFor();
      expect(await focused()).toBe("Move: Read");
    },
    2 * HANGS,
  );

  it(
    "tabs, a tree and a calendar are walked with the arrows and say what is open and chosen",
    async () => {
      await open(
        [
          { id: "root", component: "Column", children: ["tabs", "calendar"] },
          {
            id: "tabs",
            component: "Tabs",
            tabs: [
              { title: "Files", child: "tree" },
              { title: "Notes", child: "notes" },
            ],
          },
          {
            id: "tree",
            component: "Tree",
            title: "Files",
            root: { path: "/props/files" },
            childrenField: "inside",
            titleField: "name",
            columns: [],
          },
          { id: "notes", component: "Text", text: "No notes." },
          {
            id: "calendar",
            component: "Calendar",
            title: "Shifts",
            rows: { path: "/props/shifts" },
            startField: "on",
            titleField: "name",
            columns: [],
          },
        ],
        {
          props: {
            files: {
              name: "site",
              inside: [{ name: "src", inside: [{ name: "main.ts" }] }, { name: "README" }],
            },
            shifts: [{ name: "Night", on: "2026-11-22" }],
          },
        },
      );
      await press("Tab", "ArrowRight");
      await page.getByText("No notes.").waitFor();
      expect(await heard()).toContain('tab "Notes" [selected]');
      await press("Home", "Tab", "ArrowDown", "ArrowLeft");
      await page.waitForFunction(() => document.activeElement?.textContent === "src");
      expect(await heard()).toMatch(/treeitem "src" \[level=2\] \[selected\]/);
      expect(await heard()).not.toContain("main.ts");
      await press("ArrowRight", "ArrowRight");
      await page.waitForFunction(() => document.activeElement?.textContent === "main.ts");
      expect(await heard()).toContain('treeitem "src" [expanded] [level=2]');
      const night = page.getByRole("button", { name: "Night" });
      await night.focus();
      await press("Enter");
      await page.getByRole("dialog", { name: "Night" }).waitFor();
      await press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await focused()).toBe("Night");
    },
    2 * HANGS,
  );

  it(
    "in a person's own few colours the focus is seen wherever it is, and a switch is seen on and off",
    async () => {
      const own = {
        id: "own",
        component: "Switch",
        label: "Quiet",
        value: { path: "/context/quiet" },
      };
      const tabs = {
        id: "tabs",
        component: "Tabs",
        tabs: [
          { title: "One", child: "own" },
          { title: "Two", child: "form" },
        ],
      };
      const choice = {
        id: "choice",
        component: "ChoicePicker",
        variant: "mutuallyExclusive",
        label: "Size",
        value: { path: "/context/size" },
        options: [
          { label: "Small", value: "s" },
          { label: "Large", value: "l" },
        ],
      };
      await open(
        [
          { id: "root", component: "Column", children: ["tabs", "choice", "table"] },
          own,
          tabs,
          choice,
          { ...form, id: "form" },
          { ...table, id: "table" },
        ],
        { props: { tasks: tasks("A") }, context: { quiet: false, size: ["s"] } },
      );
      await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
      const unseen: string[] = [];
      let stops = 0;
      for (
        await press("Tab");
        await page.evaluate(() => document.activeElement !== document.body);
        await press("Tab")
      ) {
        stops++;
        const name = await focused();
        const there = await page.screenshot();
        const place = await page.evaluateHandle(() => document.activeElement as HTMLElement);
        await place.evaluate((element) => element.blur());
        if (there.equals(await page.screenshot())) unseen.push(name);
        await place.evaluate((element) => element.focus({ focusVisible: true } as FocusOptions));
      }
      expect(unseen).toEqual([]);
      expect(stops).toBeGreaterThan(5);
      const quiet = page.getByRole("switch");
      const clip = (await quiet.boundingBox())!;
      const off = await page.screenshot({ clip });
      await quiet.press("Space");
      await quiet.blur();
      const on = await page.screenshot({ clip });
      await quiet.evaluate((element) => (element.style.visibility = "hidden"));
      const none = await page.screenshot({ clip });
      expect([off.equals(on), off.equals(none), on.equals(none)]).toEqual([false, false, false]);
    },
    4 * HANGS,
  );
});
