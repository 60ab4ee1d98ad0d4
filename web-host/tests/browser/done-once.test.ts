// @vitest-environment node
// What a person did is done once, and to what they meant: no second press does it to what came to stand there.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, type Given, guestCode, HANGS, say, sentBy, show } from "./guest";
import { column, form, remove, table, tasks } from "./kept-parts";

describe.skipIf(!isThere)("what a person does", () => {
  const browser = browserFor(guestCode);
  let page: Page;
  const open = async (components: object[], given: Given = {}) => {
    ({ page } = await show(browser(), { components, bursts: [[ACK]], ...given }));
    await page.waitForFunction(
      () => document.querySelector("main")?.getAttribute("data-live") === "open",
    );
  };
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const ack = (requestId: string) => ({
    type: "ack",
    requestId,
    payload: { sequence: 2, consumerPresent: true },
  });
  const sent = async (which = 0) => {
    await page.waitForFunction((which) => (globalThis as any).__sent.length > which, which);
    return (await sentBy(page))[which].requestId as string;
  };
  const data = async () => (await sentBy(page)).map(({ payload }) => payload.payload.data);
  afterEach(() => page?.close());

  it(
    "twice while the first is on its way goes out in its order, and what is shown is what was asked for last",
    async () => {
      const board = {
        id: "root",
        component: "Board",
        title: "Work",
        key: "id",
        titleField: "title",
        groupField: "state",
        rows: { path: "/props/tasks" },
        columns: [],
        groups: ["open", "doing", "done"].map((value) => ({ value, label: value })),
        move: { action: "move", label: "Move", fixed: { id: "id" }, to: "state" },
      };
      await open([board], { props: { tasks: tasks("Write") } });
      await field("Move: Write").focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await say(page, ack(await sent()));
      await sent(1);
      expect(await data()).toEqual([
        { id: "write", state: "doing" },
        { id: "write", state: "done" },
      ]);
      expect(await field("Move: Write").inputValue()).toBe("done");
    },
    2 * HANGS,
  );

  it(
    "with a key that is held down is done once",
    async () => {
      await open(
        column(
          { component: "ActionButton", label: "Deploy", action: "deploy" },
          { ...form, display: "line" },
        ),
      );
      // An answer that comes between two repeats of the key.
      await page.evaluate(() => {
        const socket = (globalThis as any).__socket;
        const send = socket.send.bind(socket);
        socket.send = (text: string) => {
          send(text);
          const { type, requestId } = JSON.parse(text);
          if (type === "action")
            socket.onmessage({
              data: JSON.stringify({
                type: "ack",
                requestId,
                payload: { sequence: 2, consumerPresent: true },
              }),
            });
        };
      });
      const hold = async () => {
        for (let times = 0; times < 4; times++) await page.keyboard.down("Enter");
        await page.keyboard.up("Enter");
      };
      await page.getByRole("button", { name: "Deploy" }).focus();
      await hold();
      await field("Your name").fill("Ada");
      await hold();
      expect(await data()).toEqual([null, { name: "Ada" }]);
    },
    2 * HANGS,
  );

  it(
    "with the second half of a double click is never done to what came to stand there",
    async () => {
      const actions = [
        { ...remove, confirm: true },
        { action: "go", label: "g".repeat(60), fixed: { id: "id" } },
      ];
      await open([{ ...table, rowActions: actions }], {
        props: { tasks: tasks("A", "B", "C", "D", "E", "F", "G", "H") },
      });
      await page.getByRole("button", { name: "Remove: D" }).click();
      const { x, y, width, height } = (await page
        .getByRole("button", { name: "Yes, continue" })
        .boundingBox())!;
      await page.mouse.dblclick(x + width / 2, y + height / 2);
      await sent();
      expect(await data()).toEqual([{ id: "d" }]);
    },
    2 * HANGS,
  );

  it(
    "with the second half of the double click that asked a question is no answer to it",
    async () => {
      await open([
        {
          id: "root",
          component: "ActionButton",
          label: "Delete all",
          action: "deleteAll",
          confirm: true,
        },
      ]);
      await page.getByRole("button", { name: "Delete all" }).click();
      const yes = page.getByRole("button", { name: "Yes, continue" });
      await yes.evaluate((button) =>
        button.dispatchEvent(
          new MouseEvent("click", { detail: 2, bubbles: true, cancelable: true }),
        ),
      );
      await page.getByRole("dialog").waitFor();
      expect(await sentBy(page)).toEqual([]);
      await yes.click();
      await sent();
    },
    2 * HANGS,
  );

  it(
    "behind a tab is there on the way back",
    async () => {
      await open([
        {
          id: "root",
          component: "Tabs",
          tabs: [
            { title: "Table", child: "form" },
            { title: "Prices", child: "text" },
          ],
        },
        { ...form, id: "form" },
        { id: "text", component: "Text", text: "Ten each" },
      ]);
      await field("Your name").fill("Ada");
      await page.getByRole("tab", { name: "Prices" }).click();
      await page.getByText("Ten each").waitFor();
      expect(await page.getByRole("tabpanel").count()).toBe(1);
      await page.getByRole("tab", { name: "Table" }).click();
      expect(await field("Your name").inputValue()).toBe("Ada");
    },
    2 * HANGS,
  );

  it(
    "is about one item of a tree, and about no other that is chosen after it or comes before it",
    async () => {
      const inputs = {
        type: "object",
        required: ["to"],
        properties: { to: { type: "string", title: "To" } },
      };
      const tree = {
        id: "root",
        component: "Tree",
        root: { path: "/props/files" },
        childrenField: "inside",
        titleField: "name",
        columns: [],
        rowActions: [{ action: "rename", label: "Rename", fixed: { name: "name" }, inputs }],
      };
      const files = (...names: string[]) => ({
        files: { name: "site", inside: names.map((name) => ({ name })) },
      });
      const chosen = () => page.locator("[aria-selected=true]").textContent();
      await open([tree], { props: files("a", "b", "c") });
      await page.getByRole("treeitem", { name: "a" }).click();
      await field("To").fill("typed for a");
      await page.getByRole("treeitem", { name: "b" }).click();
      expect(await field("To").inputValue()).toBe("");
      await field("To").fill("typed for b");
      await say(page, {
        type: "props_update",
        payload: { sessionId: "s", epoch: 0, props: files("0", "a", "b", "c") },
      });
      await page.getByRole("treeitem", { name: "0" }).waitFor();
      expect([await chosen(), await field("To").inputValue()]).toEqual(["b", "typed for b"]);
      await page.getByRole("treeitem", { name: "b" }).focus();
      await say(page, {
        type: "props_update",
        payload: { sessionId: "s", epoch: 0, props: files("0", "a", "c") },
      });
      await page.getByRole("treeitem", { name: "b" }).waitFor({ state: "detached" });
      expect([
        await chosen(),
        await page.evaluate(() => document.activeElement?.textContent),
      ]).toEqual(["c", "c"]);
    },
    2 * HANGS,
  );

  it(
    "in a calendar turns its pages, and nothing else does; what was closed by its end stays closed",
    async () => {
      const calendar = {
        id: "root",
        component: "Calendar",
        title: "Shifts",
        key: "id",
        rows: { path: "/props/shifts" },
        startField: "on",
        titleField: "name",
        columns: [],
      };
      const update = (shifts: object[]) =>
        say(page, {
          type: "props_update",
          payload: { sessionId: "s", epoch: 0, props: { shifts } },
        });
      const month = () => page.locator("table").getAttribute("aria-label");
      const night = { id: "1", name: "Night", on: "2097-12-10" };
      const late = { id: "3", name: "Late", on: "2097-12-30" };
      await open([calendar], { props: { shifts: [night, late] } });
      expect(await month()).toBe("Shifts, December 2097");
      await page.getByRole("button", { name: "Night" }).click();
      await page.getByRole("dialog", { name: "Night" }).waitFor();
      await update([]);
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await update([night, late]);
      await page.getByRole("button", { name: "Night" }).waitFor();
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.getByRole("button", { name: "Next month" }).click();
      await update([night, late, { id: "2", name: "Day", on: "2097-05-01" }]);
      await page.getByRole("button", { name: "Previous month" }).click();
      await page.getByRole("button", { name: "Night" }).waitFor();
      expect(await month()).toBe("Shifts, December 2097");
    },
    2 * HANGS,
  );
});
