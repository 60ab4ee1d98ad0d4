// @vitest-environment node
// What a contract wants to be confirmed is confirmed, in the contract's words, whoever made the view.

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, guestCode, HANGS, responds, sentBy, show } from "./guest";

const rows = [
  { id: "1", title: "First", state: "new", on: false },
  { id: "2", title: "Second", state: "done", on: false },
];
const props = { rows, names: ["First", "Second"] };
const records = {
  rows: { path: "/props/rows" },
  key: "id",
  titleField: "title",
  columns: [{ field: "title", label: "Title" }],
};
const word = { id: "word", component: "Text", text: "Cancel" };
const button = { component: "ActionButton", label: "Cancel", action: "pay" };
const schema = { type: "object", properties: { ref: { type: "string" } } };

interface Way {
  readonly components: readonly object[];
  press(page: Page): Promise<unknown>;
}

const one = (root: object, press: Way["press"]): Way => ({
  components: [{ id: "root", ...root }, word],
  press,
});
const click = (selector: string) => (page: Page) => page.locator(selector).first().click();

/** Every way in which a view lets a person fire an action; none of them says that it is to be confirmed. */
const ways: { readonly [name: string]: Way } = {
  "a button": one(button, click("[data-action=pay]")),
  "a button that says there is nothing to confirm": one(
    { ...button, confirm: false },
    click("[data-action=pay]"),
  ),
  "a button around a text": one(
    { component: "Button", child: "word", action: { event: { name: "pay" } } },
    click("[data-action=pay]"),
  ),
  "the keyboard": one(button, async (page) => {
    await page.locator("[data-action=pay]").focus();
    await page.keyboard.press("Enter");
  }),
  "a form": one(
    { component: "Form", schema, submitLabel: "Cancel", action: "pay" },
    click("[data-action=pay]"),
  ),
  "Enter in a form": one(
    { component: "Form", schema, submitLabel: "Cancel", action: "pay" },
    (page) => page.locator("form input").press("Enter"),
  ),
  "a form in a dialog": one(
    { component: "Form", display: "dialog", schema, submitLabel: "Cancel", action: "pay" },
    async (page) => {
      await page.locator("[data-action=pay]").click();
      await page.locator("dialog[open] [data-action=pay]").click();
    },
  ),
  "a button in a dialog": {
    components: [
      { id: "root", component: "Modal", trigger: "open", content: "inner" },
      { id: "open", component: "Text", text: "Open" },
      { id: "inner", ...button },
    ],
    async press(page) {
      await page.getByText("Open").click();
      await page.locator("dialog[open] [data-action=pay]").click();
    },
  },
  "a text to pick": one(
    { component: "Items", items: { path: "/props/names" }, pick: { ...button, to: "name" } },
    click("[data-action=pay]"),
  ),
  "a row": one(
    { component: "Table", ...records, rowActions: [{ ...button, fixed: { id: "id" } }] },
    click("[data-action=pay]"),
  ),
  "a row with one field": one(
    {
      component: "Table",
      ...records,
      rowActions: [
        {
          ...button,
          inputs: { type: "object", properties: { times: { type: "integer" } } },
          initial: { times: "times" },
        },
      ],
    },
    click("[data-action=pay]"),
  ),
  "a row with a form": one(
    {
      component: "Cards",
      ...records,
      rowActions: [
        {
          ...button,
          inputs: {
            type: "object",
            properties: { ref: { type: "string" }, more: { type: "string" } },
          },
        },
      ],
    },
    async (page) => {
      await page.locator("[data-action=pay]").first().click();
      await page.locator("dialog[open] [data-action=pay]").click();
    },
  ),
  "a box in a row": one(
    {
      component: "Table",
      ...records,
      columns: [...records.columns, { field: "on", label: "On" }],
      rowActions: [{ ...button, toggles: "on", fixed: { id: "id" } }],
    },
    click("[data-action=pay]"),
  ),
  "selected rows": one(
    {
      component: "Table",
      ...records,
      bulkActions: [{ action: "pay", label: "Cancel", list: "ids", field: "id" }],
    },
    async (page) => {
      await page.locator("tbody input[type=checkbox]").first().check();
      await page.locator("[data-action=pay]").click();
    },
  ),
  "the menu of a card on a board": one(
    {
      component: "Board",
      ...records,
      groupField: "state",
      groups: [
        { value: "new", label: "New" },
        { value: "done", label: "Done" },
      ],
      move: { action: "pay", label: "Cancel", fixed: { id: "id" }, to: "state" },
    },
    (page) => page.locator("[data-move='1']").selectOption("done"),
  ),
};

describe.skipIf(!isThere)("an action that the contract wants confirmed", () => {
  const browser = browserFor(guestCode);
  const open = async (components: readonly object[]) => {
    const { page } = await show(browser(), {
      components,
      props,
      slice: { actions: { pay: { label: "Pay 900 €", confirm: true }, look: { label: "Look" } } },
      bursts: [[ACK]],
    });
    await page.waitForFunction(() => (globalThis as any).__brought);
    return page;
  };
  const question = "dialog[open]:has(> div > [data-confirm=pay])";

  it.each(Object.entries(ways))(
    "by %s is asked for in the contract's words, and sent once it was answered with yes",
    async (_, { components, press }) => {
      const page = await open(components);
      await press(page);
      await page.locator(question).waitFor();
      expect(await page.locator(`${question} h2`).innerText()).toMatch(/^Pay 900 €/);
      await page.locator(question).getByText("Go back").click();
      await responds(page);
      expect(await page.locator(question).count()).toBe(0);
      expect(await sentBy(page)).toEqual([]);
      // Whatever was opened before is asked from anew.
      while (await page.locator("dialog[open]").count()) {
        await page.keyboard.press("Escape");
        await responds(page);
      }
      await page
        .locator("tbody input[type=checkbox]:checked")
        .first()
        .uncheck({ timeout: 300 })
        .catch(() => undefined);
      await press(page);
      await page.locator(`${question} [data-confirm=pay]`).click();
      await page.waitForFunction(() => (globalThis as any).__sent.length > 0);
      await responds(page);
      expect((await sentBy(page)).map(({ payload }) => payload.payload.action)).toEqual(["pay"]);
      await page.close();
    },
    2 * HANGS,
  );

  it(
    "is asked for once, however often it is pressed, and not when its control is gone",
    async () => {
      const page = await open([{ id: "root", ...button }]);
      await page.locator("[data-action=pay]").dblclick();
      await page.evaluate(() => {
        const button = document.querySelector<HTMLElement>("[data-action=pay]")!;
        for (let times = 0; times < 5; times++) button.click();
      });
      await responds(page);
      expect(await page.locator("dialog[open]").count()).toBe(1);
      await page.evaluate(
        (data) => (globalThis as any).__socket.onmessage({ data }),
        JSON.stringify({
          type: "render",
          payload: {
            session: {
              id: "s",
              appId: "a",
              epoch: 1,
              view: { view: { components: [{ id: "root", component: "Text", text: "Other" }] } },
            },
          },
        }),
      );
      await page.getByText("Other").waitFor();
      expect(await page.locator("dialog").count()).toBe(0);
      expect(await sentBy(page)).toEqual([]);
      await page.close();
    },
    2 * HANGS,
  );

  it(
    "is the only one that is asked for, unless the view asks for more",
    async () => {
      const page = await open([
        { id: "root", component: "Column", children: ["plain", "asked"] },
        { id: "plain", ...button, action: "look" },
        { id: "asked", ...button, action: "look", confirm: true },
      ]);
      await page.locator("[data-action=look]").first().click();
      await page.waitForFunction(() => (globalThis as any).__sent.length === 1);
      await page.locator("[data-action=look]").last().click();
      expect(await page.locator("dialog[open] h2").innerText()).toBe("Look");
      expect((await sentBy(page)).length).toBe(1);
      await page.close();
    },
    2 * HANGS,
  );
});
