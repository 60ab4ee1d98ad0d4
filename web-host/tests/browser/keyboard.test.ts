// @vitest-environment node
// Without a pointer, and without a screen: what the keyboard reaches, what is read aloud, and where the focus is after something changed.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, type Given, guestCode, HANGS, hear, say, sentBy, show } from "./guest";

const tasks = (...titles: string[]) =>
  titles.map((title) => ({ id: title.toLowerCase(), title, state: "open" }));
const columns = [
  { field: "title", label: "Title" },
  { field: "state", label: "State" },
];
const form = {
  id: "root",
  component: "Form",
  title: "Book a table",
  action: "book",
  submitLabel: "Book",
  schema: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", title: "Your name" },
      seats: { type: "integer", title: "Seats", minimum: 1, maximum: 4 },
      quiet: { type: "boolean", title: "A quiet place" },
    },
  },
};
const table = {
  id: "root",
  component: "Table",
  title: "Tasks",
  key: "id",
  titleField: "title",
  rows: { path: "/props/tasks" },
  columns,
  rowActions: [
    {
      action: "plan",
      label: "Plan",
      initial: { to: "to" },
      fixed: { id: "id" },
      inputs: {
        type: "object",
        required: ["to"],
        properties: { to: { type: "integer", title: "Hours" } },
      },
    },
    { action: "drop", label: "Remove", fixed: { id: "id" }, confirm: true },
  ],
};
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

describe.skipIf(!isThere)("by keyboard and by ear", () => {
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
    "a form is filled and sent, its problems are heard at their fields, and what became of it is said",
    async () => {
      await open([form]);
      expect(await heard()).toContain('textbox "Your name"');
      await press("Tab", "Enter");
      await page.getByText("Please fill this in.").waitFor();
      expect(await focused()).toBe("Your name");
      expect(
        await page
          .getByLabel("Your name")
          .evaluate((field) => [
            field.getAttribute("aria-invalid"),
            document.getElementById(field.getAttribute("aria-describedby")!)?.textContent,
          ]),
      ).toEqual(["true", "Please fill this in."]);
      await page.keyboard.type("Ada");
      await press("Tab", "Space", "ArrowRight", "Tab", "Space", "Enter");
      await page.waitForFunction(() => (globalThis as any).__sent.length === 1);
      const [{ requestId, payload }] = await sentBy(page);
      expect(payload.payload.data).toEqual({ name: "Ada", seats: 2, quiet: true });
      await say(page, { type: "ack", requestId, payload: { sequence: 2, consumerPresent: true } });
      await page.getByRole("status").getByText("Sent").waitFor();
      await say(page, { type: "drain_ack", payload: { sessionId: "s", eventId: requestId } });
      await page.getByRole("status").getByText("Received. The agent is working…").waitFor();
      await hear(
        page,
        { type: "props_update", payload: { sessionId: "s", epoch: 0, props: {} } },
        "Answered by the agent",
      );
    },
    2 * HANGS,
  );

  it(
    "what is typed, where the focus is and what is marked outlive what the agent changes around them",
    async () => {
      await open(
        [
          { id: "root", component: "Column", children: ["form", "table"] },
          { ...form, id: "form" },
          { ...table, id: "table" },
        ],
        { props: { tasks: tasks("Write", "Read") } },
      );
      const name = page.getByLabel("Your name");
      await name.fill("Ada Lovelace");
      await name.evaluate((field: HTMLInputElement) => field.setSelectionRange(0, 3));
      await update({ tasks: tasks("Read", "Sleep", "Write") });
      await page.getByText("Sleep").waitFor();
      expect(
        await name.evaluate((field: HTMLInputElement) => [
          field.value,
          field.selectionStart,
          field.selectionEnd,
          field === document.activeElement,
        ]),
      ).toEqual(["Ada Lovelace", 0, 3, true]);
      const inline = page.locator('[data-row="write"] input');
      await inline.focus();
      await page.keyboard.type("12");
      await update({
        tasks: [...tasks("Sleep"), { id: "write", title: "Write it", state: "late" }],
      });
      await page.getByText("Write it").first().waitFor();
      await page.keyboard.type("34");
      expect(await inline.inputValue()).toBe("1234");
      expect(await name.inputValue()).toBe("Ada Lovelace");
    },
    2 * HANGS,
  );

  it(
    "what is typed after sending is the next answer, and is not taken away when the first one was taken",
    async () => {
      await open([form]);
      await page.getByLabel("Your name").fill("Ada");
      await press("Enter");
      await page.waitForFunction(() => (globalThis as any).__sent.length === 1);
      await page.getByLabel("Your name").fill("Grace");
      await say(page, {
        type: "ack",
        requestId: (await sentBy(page))[0].requestId,
        payload: { sequence: 2, consumerPresent: true },
      });
      await page.getByRole("status").getByText("Sent").waitFor();
      expect(await page.getByLabel("Your name").inputValue()).toBe("Grace");
    },
    2 * HANGS,
  );

  it(
    "a table says which row a control is for, and the focus goes to the neighbour of a row that is gone",
    async () => {
      await open([table], { props: { tasks: tasks("Write", "Read", "Sleep") } });
      const snapshot = await heard();
      for (const part of [
        'region "Tasks"',
        'table "Tasks"',
        'columnheader "State"',
        'rowheader "Write"',
        'group "Plan: Write"',
        'spinbutton "Hours"',
        'button "Remove: Write"',
      ])
        expect(snapshot).toContain(part);
      const remove = page.getByRole("button", { name: "Remove: Read" });
      await remove.focus();
      await press("Enter");
      await page.getByRole("dialog", { name: "Remove: Read" }).waitFor();
      expect(await focused()).toBe("Go back");
      await press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await focused()).toBe("Remove: Read");
      await press("Enter");
      await page.getByRole("dialog").waitFor();
      await press("Tab", "Enter");
      await page.waitForFunction(() => (globalThis as any).__sent.length === 1);
      await update({ tasks: tasks("Write", "Sleep") });
      await page.waitForFunction(
        () => document.activeElement?.getAttribute("aria-label") === "Remove: Sleep",
      );
      await update({ tasks: [] });
      await page.waitForFunction(
        () => document.activeElement?.getAttribute("aria-label") === "Tasks",
      );
    },
    2 * HANGS,
  );

  it.each(["before the question is gone", "the moment the question is gone"])(
    "the focus goes to the neighbour of a row that is taken away %s",
    async (when) => {
      await open([table], { props: { tasks: tasks("Write", "Read", "Sleep") } });
      await page.getByRole("button", { name: "Remove: Read" }).focus();
      await press("Enter");
      await page.getByRole("dialog", { name: "Remove: Read" }).waitFor();
      await press("Tab");
      expect(await focused()).toBe("Yes, continue");
      await page.evaluate(
        ([data, atOnce]) => {
          const answer = () => (globalThis as any).__socket.onmessage({ data });
          const question = document.querySelector("dialog")!;
          new MutationObserver(() => !question.isConnected && !atOnce && answer()).observe(
            document.body,
            { childList: true, subtree: true },
          );
          (document.activeElement as HTMLElement).click();
          if (atOnce) answer();
        },
        [
          JSON.stringify({
            type: "props_update",
            payload: { sessionId: "s", epoch: 0, props: { tasks: tasks("Write", "Sleep") } },
          }),
          when.startsWith("before"),
        ] as const,
      );
      await page.locator('[data-row="read"]').waitFor({ state: "detached" });
      await page.waitForFunction(
        () => document.activeElement?.getAttribute("aria-label") === "Remove: Sleep",
      );
    },
    2 * HANGS,
  );

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
