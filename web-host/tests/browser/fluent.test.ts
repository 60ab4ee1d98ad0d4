// @vitest-environment node
// What a person sees of what they do: at once, until the agent has answered, and while the network is away.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { button, form, table } from "./fluent-parts";
import { ACK, type Given, guestCode, HANGS, hear, say, sentBy, show } from "./guest";
import { showInLateHost } from "./hosts";

describe.skipIf(!isThere)("what a person does", () => {
  const browser = browserFor(guestCode);
  let page: Page;
  const open = async (component: object, given: Given = {}) => {
    ({ page } = await show(browser(), { components: [component], bursts: [[ACK]], ...given }));
    await page.waitForFunction(
      () => document.querySelector("main")?.getAttribute("data-live") === "open",
    );
  };
  const status = () => page.locator(".g-status");
  const accept = async (which = 0) =>
    say(page, {
      type: "ack",
      requestId: (await sentBy(page))[which].requestId,
      payload: { sequence: 2 + which, consumerPresent: true },
    });
  const drain = async (which = 0) =>
    say(page, {
      type: "drain_ack",
      payload: { sessionId: "s", eventId: (await sentBy(page))[which].requestId },
    });
  const update = (props: object) =>
    say(page, { type: "props_update", payload: { sessionId: "s", epoch: 0, props } });
  afterEach(() => page?.close());

  it(
    "can begin before there is a network: the picture stands before the socket is opened",
    async () => {
      await open(form);
      expect(await page.evaluate(() => (globalThis as any).__drawnFirst)).toBe(true);
    },
    2 * HANGS,
  );

  it(
    "before the first picture was even painted is sent as soon as there is a socket, once",
    async () => {
      await open({ ...button, confirm: false }, { clicked: "[data-action]" });
      await page.waitForFunction(() => (globalThis as any).__sent.length > 0);
      expect(await page.evaluate(() => (globalThis as any).__clickedUnseen)).toBe(true);
      await accept();
      await status().getByText("Sent").waitFor();
      expect((await sentBy(page)).map(({ payload }) => payload.payload.action)).toEqual([
        "deleteAll",
      ]);
    },
    2 * HANGS,
  );

  it(
    "before the first picture, where nothing takes it, is told to be unsent and may be done again",
    async () => {
      ({ page } = await show(browser(), {
        components: [{ ...button, confirm: false }],
        clicked: "[data-action]",
      }));
      await status().getByText("This could not be sent. Please try again.").waitFor();
      expect(await page.locator("[data-action]").getAttribute("aria-disabled")).toBe("false");
    },
    2 * HANGS,
  );

  it(
    "before the first picture goes through the host once that can be spoken to, where there is no socket",
    async () => {
      const slice = {
        sessionId: "s",
        appId: "a",
        viewJson: JSON.stringify({
          version: "v0.9",
          view: { components: [{ ...button, confirm: false }] },
        }),
        wsUrl: "ws://127.0.0.1:9/ws",
        wsToken: "t",
      };
      const late = await showInLateHost(browser(), slice, "[data-action]");
      page = late.page;
      await late.frame.getByText("Sent").waitFor();
      const intents = await page.evaluate(() =>
        (globalThis as any).__called
          .filter(({ name }: any) => name === "ggui_runtime_submit_action")
          .map(({ arguments: { payload, actionId } }: any) => [payload.intent, actionId]),
      );
      expect(new Set(intents.map(String)).size).toBe(1);
      expect(intents[0][0]).toBe("deleteAll");
    },
    2 * HANGS,
  );

  it(
    "in a dialog is seen whole: the page grows for it as far as it needs, and shrinks again",
    async () => {
      await open({ ...form, display: "dialog" });
      await page.setViewportSize({ width: 900, height: 180 });
      const main = page.locator("main");
      const low = (await main.boundingBox())!.height;
      await page.getByRole("button", { name: "Book…" }).click();
      const fits = () =>
        page.waitForFunction(
          () =>
            document.querySelector("main")!.getBoundingClientRect().height >=
            document.querySelector("dialog")!.scrollHeight + 32,
        );
      await fits();
      await page.getByRole("dialog").getByRole("button", { name: "Book" }).click();
      await page.getByText("Please fill this in.").waitFor();
      await fits();
      await page.getByRole("button", { name: "Cancel" }).click();
      expect((await main.boundingBox())!.height).toBe(low);
    },
    2 * HANGS,
  );

  it(
    "is asked about first where it cannot be undone, and sent only after a yes",
    async () => {
      await open(button);
      await page.getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("button", { name: "Go back" }).click();
      expect(await sentBy(page)).toEqual([]);
      await page.getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await page.getByRole("button", { name: "Delete all" }).click();
      await page.getByRole("button", { name: "Yes, continue" }).click();
      expect((await sentBy(page)).map(({ payload }) => payload.payload.action)).toEqual([
        "deleteAll",
      ]);
    },
    2 * HANGS,
  );

  it(
    "is on its way, taken, worked on and answered, each said as it happens",
    async () => {
      await open({ ...button, confirm: false });
      const press = page.getByRole("button", { name: "Delete all" });
      await press.click();
      expect(await press.getAttribute("aria-busy")).toBe("true");
      await press.click({ force: true });
      expect(await sentBy(page)).toHaveLength(1);
      await accept();
      await status().getByText("Sent").waitFor();
      await drain();
      await status().getByText("Received. The agent is working…").waitFor();
      await hear(
        page,
        { type: "props_update", payload: { sessionId: "s", epoch: 0, props: {} } },
        "Answered by the agent",
      );
      await status().getByText("Answered by the agent").waitFor({ state: "hidden" });
      expect(await press.getAttribute("aria-busy")).toBe("false");
    },
    2 * HANGS,
  );

  it(
    "that breaks the contract is told beside its field, until that field is changed",
    async () => {
      await open(form);
      await page.getByRole("button", { name: "Book" }).click();
      await page.getByText("Please fill this in.").waitFor();
      expect(await sentBy(page)).toEqual([]);
      const name = page.getByLabel("Your name");
      expect(await name.evaluate((field) => field === document.activeElement)).toBe(true);
      await name.fill("Ada");
      await name.press("Enter");
      const [request] = await sentBy(page);
      expect(request.payload.payload).toMatchObject({ action: "book", data: { name: "Ada" } });
      await say(page, {
        type: "error",
        requestId: request.requestId,
        payload: {
          code: "CONTRACT_VIOLATION",
          message: "no",
          details: { violations: [{ field: "book.data.name", message: "is already taken" }] },
        },
      });
      await page.locator(".g-problem").getByText("is already taken").waitFor();
      expect(await name.getAttribute("aria-invalid")).toBe("true");
      expect(
        await page.evaluate(
          () =>
            document.getElementById(
              document.querySelector("[aria-invalid]")!.getAttribute("aria-describedby")!,
            )!.textContent,
        ),
      ).toBe("is already taken");
      expect(await page.locator("body").innerText()).not.toMatch(/CONTRACT_VIOLATION|-32020/);
      expect(await name.inputValue()).toBe("Ada");
      await name.fill("Grace");
      expect(await page.locator(".g-problem").count()).toBe(0);
    },
    2 * HANGS,
  );

  it(
    "in a row is a mark on its button, and a box keeps what was asked of it until the agent answers",
    async () => {
      await open(table, {
        props: { tasks: [{ id: "1", title: "Write the report", done: false }] },
      });
      const box = page.getByRole("checkbox", { name: "Done: Write the report" });
      const wide = () =>
        page
          .locator("tbody :is(th, td)")
          .evaluateAll((cells) =>
            cells.map((cell) => Math.round(cell.getBoundingClientRect().width)),
          );
      const before = await wide();
      await box.click();
      await accept();
      expect(await box.isChecked()).toBe(true);
      await drain();
      await status()
        .first()
        .getByText("Received. The agent is working…")
        .waitFor({ state: "attached" });
      expect(await box.isChecked()).toBe(true);
      expect(await wide()).toEqual(before);
      await update({ tasks: [{ id: "1", title: "Write the report", done: false }] });
      await page.waitForFunction(
        () => !document.querySelector<HTMLInputElement>(".g-toggle")!.checked,
      );
    },
    2 * HANGS,
  );
});
