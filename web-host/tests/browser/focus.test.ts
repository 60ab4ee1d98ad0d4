// @vitest-environment node
// Where a person is: what goes away, moves or is scrolled out of sight leaves the focus where they were, or beside it.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { press } from "../e2e/press.mjs";
import { browserFor, isThere } from "./chromium";
import { ACK, type Given, guestCode, HANGS, say, sentBy, show } from "./guest";
import { showInChat } from "./hosts";

const tasks = (...titles: string[]) =>
  titles.map((title) => ({ id: title.toLowerCase(), title, state: "open" }));
const inputs = {
  type: "object",
  required: ["to"],
  properties: { to: { type: "integer", title: "Hours" } },
};
const table = {
  id: "root",
  component: "Table",
  title: "Tasks",
  key: "id",
  titleField: "title",
  rows: { path: "/props/tasks" },
  columns: [{ field: "title", label: "Title" }],
  rowActions: [
    { action: "plan", label: "Plan", fixed: { id: "id" }, initial: { to: "to" }, inputs },
    { action: "drop", label: "Remove", fixed: { id: "id" } },
  ],
};

describe.skipIf(!isThere)("the place a person is at", () => {
  const browser = browserFor(guestCode);
  let page: Page;
  const open = async (components: object[], props: object = {}, given: Given = {}) => {
    ({ page } = await show(browser(), { components, props, bursts: [[ACK]], ...given }));
    await page.waitForFunction(
      () => document.querySelector("main")?.getAttribute("data-live") === "open",
    );
  };
  const update = (props: object) =>
    say(page, { type: "props_update", payload: { sessionId: "s", epoch: 0, props } });
  /** Where the focus is once the page has nothing more to do. */
  const focused = () =>
    page.evaluate(
      () =>
        new Promise<string>((done) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => {
              const { activeElement: at } = document;
              const row = at?.closest<HTMLElement>("[data-row]")?.dataset.row;
              done(
                [
                  at?.getAttribute("aria-label") ??
                    (at as HTMLInputElement).labels?.[0]?.textContent ??
                    (at?.matches("button") ? at.textContent : at?.tagName),
                  ...(row === undefined ? [] : [row]),
                ].join(" of "),
              );
            }),
          ),
        ),
    );
  const typedIn = () =>
    page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll<HTMLInputElement>("[data-row] input")]
          .filter(({ value }) => value)
          .map((input) => [input.closest<HTMLElement>("[data-row]")!.dataset.row, input.value]),
      ),
    );
  const row = (key: string) => page.locator(`[data-row="${key}"] input`);

  afterEach(() => page?.close());

  it(
    "is the button that turns the pages, also at the last one",
    async () => {
      await open([{ ...table, pageSize: 2 }], { tasks: tasks("A", "B", "C") });
      await page.getByRole("button", { name: "Next" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("Page 2 of 2").waitFor();
      await page.keyboard.press("Enter");
      expect(await focused()).toBe("Next");
    },
    2 * HANGS,
  );

  it(
    "is the button of what was done with all selected rows, though none is selected any more",
    async () => {
      await open(
        [
          {
            ...table,
            bulkActions: [{ action: "drop", label: "Drop all", list: "ids", field: "id" }],
          },
        ],
        { tasks: tasks("A", "B") },
      );
      await page.getByRole("checkbox", { name: "Select all rows" }).check();
      await page.getByRole("button", { name: "Drop all" }).focus();
      await page.keyboard.press("Enter");
      await page.getByText("0 selected").waitFor();
      await page.keyboard.press("Enter");
      expect([await focused(), (await sentBy(page)).length]).toEqual(["Drop all", 1]);
    },
    2 * HANGS,
  );

  it(
    "is no other record for what is typed when its own is taken away",
    async () => {
      await open([table], { tasks: tasks("A", "B", "C") });
      await row("b").focus();
      await page.keyboard.type("12");
      await update({ tasks: tasks("A", "C") });
      await row("b").waitFor({ state: "detached" });
      await page.keyboard.type("34");
      await page.keyboard.press("Enter");
      expect([await focused(), await typedIn(), await sentBy(page)]).toEqual(["Tasks", {}, []]);
    },
    2 * HANGS,
  );

  it(
    "is the record it is typed in, though others push that off the page",
    async () => {
      await open([{ ...table, pageSize: 2 }], { tasks: tasks("A", "B", "C", "D") });
      await row("b").focus();
      await page.keyboard.type("12");
      await update({ tasks: tasks("N", "A", "B", "C", "D") });
      await row("n").waitFor();
      await page.keyboard.type("34");
      expect([await focused(), await typedIn()]).toEqual(["Hours of b", { b: "1234" }]);
    },
    2 * HANGS,
  );

  it(
    "is the row it was, however far it is scrolled away, and what is typed in others is there on the way back",
    async () => {
      await open([table], {
        tasks: Array.from({ length: 10_000 }, (_, index) => ({
          id: `${index}`,
          title: `Task ${index}`,
        })),
      });
      const last = page.locator("[data-row]").last();
      const scroll = async (top: number, sees: string) => {
        await page.locator(".g-table-box").evaluate((box, top) => (box.scrollTop = top), top);
        await page.waitForFunction(
          (sees) =>
            new RegExp(sees).test(
              [...document.querySelectorAll<HTMLElement>("[data-row]")].at(-1)!.dataset.row!,
            ),
          sees,
        );
      };
      await row("1").fill("11");
      await row("2").fill("22");
      await scroll(200_000, "^[0-9]{4}$");
      expect([await focused(), await typedIn()]).toEqual(["Hours of 2", { 1: "11", 2: "22" }]);
      expect(await page.locator("tbody tr").count()).toBeLessThan(60);
      const far = (await last.getAttribute("data-row"))!;
      await last
        .getByRole("button", { name: "Remove" })
        .evaluate((button: HTMLElement) => button.focus({ preventScroll: true }));
      await scroll(0, `^${far}$`);
      await update({
        tasks: [
          { id: far, title: "Only this" },
          { id: "2", title: "And this" },
        ],
      });
      await page.getByText("Only this").waitFor();
      expect([await focused(), await typedIn()]).toEqual([
        `Remove: Only this of ${far}`,
        { 2: "22" },
      ]);
    },
    2 * HANGS,
  );

  it.each([
    ["B", "C", "A"],
    ["C", "B", "A"],
    ["X", "C", "Y", "A"],
  ])(
    "goes along with its row into the order %s %s %s, also where a browser cannot move what has the focus",
    async (...order) => {
      await open([table], { tasks: tasks("A", "B", "C") });
      await page.evaluate(() => delete (Element.prototype as any).moveBefore);
      await row("a").focus();
      await page.keyboard.type("12");
      await update({ tasks: tasks(...order.filter(Boolean)) });
      await page.locator(`[data-row]:last-child[data-row="a"]`).waitFor();
      expect(await focused()).toBe("Hours of a");
    },
    2 * HANGS,
  );

  it(
    "is what opened a dialog, after a question in that dialog was answered",
    async () => {
      const edit = {
        action: "edit",
        label: "Edit",
        confirm: true,
        fixed: { id: "id" },
        inputs: { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } },
      };
      await open([{ ...table, rowActions: [edit] }], { tasks: tasks("A", "B") });
      await page.getByRole("button", { name: "Edit: B" }).focus();
      await page.keyboard.press("Enter");
      await page.locator("dialog input").first().fill("x");
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: "Yes, continue" }).focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(
        () => (globalThis as any).__sent.length === 1 && !document.querySelector("dialog"),
      );
      expect(await focused()).toBe("Edit: B of b");
    },
    2 * HANGS,
  );

  it.each<[string, object, object, string, string]>([
    ["a message that is put away", { component: "Toast", text: "Hello" }, {}, "Close", "DIV"],
    [
      "a last page of cards",
      {
        component: "Cards",
        title: "All",
        key: "id",
        titleField: "title",
        rows: { path: "/props/tasks" },
        columns: [],
        rowActions: [{ action: "drop", label: "Remove", fixed: { id: "id" } }],
      },
      { tasks: tasks(..."ABCDEFGHIJKLMNOPQRSTUVWXYZ") },
      "Show more",
      "Remove: Z",
    ],
    [
      "lines that were left out",
      { component: "Log", title: "Log", lines: { path: "/props/lines" } },
      { lines: Array.from({ length: 400 }, (_, index) => `line ${index}`) },
      "Show more",
      "Log",
    ],
  ])(
    "is beside %s",
    async (_, component, props, press, place) => {
      await open([{ ...component, id: "root" }], props);
      await page.getByRole("button", { name: press }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: press }).waitFor({ state: "detached" });
      expect(await focused()).toBe(place);
    },
    2 * HANGS,
  );

  it(
    "is the picture as a whole, where another view takes the place of the one it was in",
    async () => {
      await open([{ ...table, id: "root" }], { tasks: tasks("A") });
      await row("a").focus();
      await say(page, {
        type: "render",
        payload: {
          session: {
            id: "s",
            appId: "a",
            epoch: 1,
            view: {
              version: "v0.9",
              view: { components: [{ id: "root", component: "Text", text: "Done" }] },
            },
            props: {},
          },
        },
      });
      await page.getByText("Done").waitFor();
      expect(await focused()).toBe("MAIN");
    },
    2 * HANGS,
  );

  it(
    "is the button that copies, also where a frame may not use the clipboard",
    async () => {
      await open([{ id: "root", component: "Code", value: "x" }]);
      await page.evaluate(() =>
        Object.defineProperty(navigator, "clipboard", {
          value: { writeText: () => Promise.reject(new Error("withheld")) },
        }),
      );
      await page.getByRole("button", { name: "Copy" }).focus();
      await page.keyboard.press("Enter");
      expect(
        await page.waitForFunction(
          () => !document.querySelector("textarea") && document.activeElement?.matches("button"),
        ),
      ).toBeTruthy();
    },
    2 * HANGS,
  );

  it(
    "is nowhere in the frame once they went to the chat around it: nothing that happens there takes them back",
    async () => {
      const form = {
        id: "form",
        component: "Form",
        display: "dialog",
        action: "book",
        submitLabel: "Book",
        schema: {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string", title: "Your name" } },
        },
      };
      const view = {
        version: "v0.9",
        view: {
          components: [
            { id: "root", component: "Column", children: ["table", "form"] },
            { ...table, id: "table" },
            form,
          ],
        },
      };
      const chat = await showInChat(browser(), {
        sessionId: "s",
        appId: "a",
        epoch: 0,
        viewJson: JSON.stringify(view),
        propsJson: JSON.stringify({ tasks: tasks("A", "B") }),
        wsUrl: "ws://127.0.0.1:9/ws",
        wsToken: "t",
      });
      ({ page } = chat);
      await chat.frame.waitForFunction(
        () => document.querySelector("main")?.getAttribute("data-live") === "open",
      );
      await page.evaluate(() => document.body.prepend(document.createElement("input")));
      await chat.frame.getByRole("button", { name: "Remove: A" }).focus();
      await page.locator("input").focus();
      await say(chat.frame, {
        type: "props_update",
        payload: { sessionId: "s", epoch: 0, props: { tasks: tasks("B") } },
      });
      await chat.frame.locator('[data-row="a"]').waitFor({ state: "detached" });
      await page.keyboard.type("hello");
      await press(chat.frame.getByRole("button", { name: "Book…" }));
      await chat.frame.getByLabel("Your name").fill("Ada");
      await page.keyboard.press("Enter");
      await chat.frame.waitForFunction(() => (globalThis as any).__sent.length > 0);
      await page.locator("input").focus();
      const requestId = await chat.frame.evaluate(() => (globalThis as any).__sent[0].requestId);
      await say(chat.frame, {
        type: "ack",
        requestId,
        payload: { sequence: 2, consumerPresent: true },
      });
      await chat.frame.getByRole("dialog").waitFor({ state: "detached" });
      await page.keyboard.type(" there");
      expect(await page.locator("input").inputValue()).toBe("hello there");
    },
    2 * HANGS,
  );

  it(
    "is left, where a person leaves it, whatever changes at that moment",
    async () => {
      await open([{ ...table, pageSize: 2 }], { tasks: tasks("A", "B", "C") });
      await page.getByRole("button", { name: "Next" }).focus();
      await page.evaluate(() => {
        (document.activeElement as HTMLElement).blur();
        document.querySelector("main")!.append(document.createElement("p"));
      });
      expect(await focused()).toBe("BODY");
    },
    2 * HANGS,
  );

  it(
    "is a box that scrolls only where there is something to scroll",
    async () => {
      await open([table], { tasks: tasks("A") });
      const box = page.getByRole("region", { name: "Tasks" });
      expect(await box.getAttribute("tabindex")).toBe("-1");
    },
    2 * HANGS,
  );
});
