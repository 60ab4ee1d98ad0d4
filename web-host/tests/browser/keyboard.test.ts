// @vitest-environment node
// Without a pointer, and without a screen: what the keyboard reaches, what is read aloud, and where the focus is after something changed.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, type Given, guestCode, HANGS, hear, say, sentBy, show } from "./guest";
import { form, table, tasks } from "./keyboard-parts";

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
});
