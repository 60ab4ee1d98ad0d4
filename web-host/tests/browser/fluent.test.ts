// @vitest-environment node
// What a person sees of what they do: at once, until the agent has answered, and while the network is away.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import {
  ACK,
  cut,
  type Given,
  guestCode,
  HANGS,
  hear,
  responds,
  say,
  sentBy,
  show,
  showInChat,
  showInLateHost,
} from "./guest";

const button = {
  id: "root",
  component: "ActionButton",
  label: "Delete all",
  action: "deleteAll",
  tone: "bad",
  confirm: true,
};
const form = {
  id: "root",
  component: "Form",
  action: "book",
  submitLabel: "Book",
  schema: {
    type: "object",
    required: ["name"],
    properties: {
      name: { type: "string", title: "Your name" },
      guests: { type: "integer", title: "Guests", minimum: 1 },
    },
  },
};
const table = {
  id: "root",
  component: "Table",
  rows: { path: "/props/tasks" },
  key: "id",
  titleField: "title",
  columns: [
    { field: "title", label: "Title" },
    { field: "done", label: "Done", format: "boolean", align: "center" },
  ],
  rowActions: [
    { action: "toggle", label: "Done", fixed: { id: "id" }, toggles: "done" },
    { action: "remove", label: "Remove", fixed: { id: "id" } },
  ],
};

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

  it(
    "while the network is away is kept, said so once, and sent under its own id when it is back",
    async () => {
      await open({ ...button, confirm: false });
      await cut(page, true);
      // Later on it is said that there is no connection.
      await page.locator(".g-statusline:not([hidden])").waitFor();
      await page.getByRole("button", { name: "Delete all" }).click();
      await status().getByText("Waiting for the connection…").waitFor();
      expect(await sentBy(page)).toEqual([]);
      await cut(page, false);
      await page.waitForFunction(() => (globalThis as any).__sent.length > 0);
      await accept();
      await status().getByText("Sent").waitFor();
      await page.locator(".g-statusline:not([hidden])").waitFor({ state: "hidden" });
      expect(new Set((await sentBy(page)).map(({ requestId }) => requestId)).size).toBe(1);
    },
    3 * HANGS,
  );

  it(
    "is not met with silence where live data cannot be had: a sentence says so, until the next good answer",
    async () => {
      const component = {
        id: "root",
        component: "Table",
        rows: { path: "/streams/orders" },
        columns: [{ field: "name", label: "Name" }],
      };
      await open(component, {
        slice: {
          toolChannels: [{ name: "orders", tool: "shop_orders", mode: "replace" }],
          streamWebSocketLocalTools: ["shop_orders"],
        },
      });
      await page.getByText("Waiting for the first data…").waitFor();
      await say(page, {
        type: "channel_error",
        payload: {
          sessionId: "s",
          channelName: "orders",
          code: "POLL_FAILED",
          message: "shop_orders: it does not fit",
        },
      });
      const sentence = page
        .locator(".g-statusline")
        .getByText("Some live data is not available right now.");
      await sentence.waitFor();
      expect(await page.locator("body").innerText()).not.toMatch(/POLL_FAILED|shop_orders/);
      await say(page, {
        type: "channel_payload",
        payload: { sessionId: "s", channelName: "orders", payload: [{ name: "Ada" }] },
      });
      await page.getByText("Ada").waitFor();
      await sentence.waitFor({ state: "hidden" });
    },
    2 * HANGS,
  );

  it(
    "waits for a sign-in whose words are read on the narrowest phone, and which is gone with the session",
    async () => {
      await open({ ...button, confirm: false });
      await page.setViewportSize({ width: 320, height: 700 });
      await say(page, {
        type: "observe",
        payload: {
          sessionId: "s",
          event: {
            kind: "auth-required",
            provider: "calendar",
            authUrl: "https://accounts.calendar.example/",
            message: "To book the table I need to see your calendar.",
          },
        },
      });
      const words = page.getByText("To book the table I need to see your calendar.");
      await words.waitFor();
      expect((await words.boundingBox())!.width).toBeGreaterThan(180);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
      ).toBe(0);
      await say(page, { type: "error", payload: { code: "SESSION_NOT_FOUND", message: "gone" } });
      await words.waitFor({ state: "hidden" });
    },
    2 * HANGS,
  );

  it(
    "is over with the session, in a sentence without a code",
    async () => {
      await open({ ...button, confirm: false });
      await page.getByRole("button", { name: "Delete all" }).click();
      await say(page, { type: "error", payload: { code: "SESSION_NOT_FOUND", message: "gone" } });
      await page.locator(".g-statusline").getByText("Your session expired.").waitFor();
      expect(await page.locator("body").innerText()).not.toContain("SESSION_NOT_FOUND");
    },
    2 * HANGS,
  );

  it(
    "is not lost to a version that cannot be drawn: the last good picture stays, and says so until a better one comes",
    async () => {
      await open(form);
      await page.getByLabel("Your name").fill("Ada");
      const render = (...components: object[]) =>
        say(page, {
          type: "render",
          payload: {
            session: {
              id: "s",
              appId: "a",
              epoch: 1,
              view: { version: "v0.9", view: { components } },
              props: {},
            },
          },
        });
      await render({ id: "nowhere", component: "Text", text: "never seen" });
      await page
        .locator(".g-statusline")
        .getByText("A newer version could not be shown.")
        .waitFor();
      expect(await page.getByLabel("Your name").inputValue()).toBe("Ada");
      expect(await page.locator("body").innerText()).not.toContain("MALFORMED_VIEW");
      await render({ id: "root", component: "Text", text: "a better one" });
      await page.getByText("a better one").waitFor();
      expect(await page.locator(".g-statusline").isVisible()).toBe(false);
    },
    2 * HANGS,
  );

  it(
    "is shown as the host says from its first word on, which may come before there is a picture",
    async () => {
      const slice = {
        sessionId: "s",
        appId: "a",
        epoch: 0,
        viewJson: JSON.stringify({
          version: "v0.9",
          view: { components: [{ id: "root", component: "Text", text: "here" }] },
        }),
        wsUrl: "ws://127.0.0.1:9/ws",
        wsToken: "t",
      };
      const chat = await showInChat(browser(), slice, {
        first: { method: "ui/notifications/host-context-changed", params: { theme: "dark" } },
      });
      page = chat.page;
      await chat.frame.getByText("here").waitFor();
      expect(await chat.frame.evaluate(() => document.documentElement.dataset.theme)).toBe("dark");
    },
    2 * HANGS,
  );

  it(
    "is begun once, even where two results lead to it before either shell is read",
    async () => {
      const slice = {
        sessionId: "s",
        appId: "a",
        epoch: 0,
        viewJson: JSON.stringify({
          version: "v0.9",
          view: { components: [{ id: "root", component: "Text", text: "here" }] },
        }),
        wsUrl: "ws://127.0.0.1:9/ws",
        wsToken: "t",
      };
      const result = { content: [], structuredContent: { resourceUri: "ui://ggui/render/s" } };
      const chat = await showInChat(browser(), slice, { results: [result, result] });
      page = chat.page;
      await chat.frame.getByText("here").waitFor();
      await chat.frame.waitForFunction(
        () => document.querySelector("main")?.getAttribute("data-live") === "open",
      );
      for (let frames = 0; frames < 3; frames++) await responds(chat.frame);
      expect(await chat.frame.evaluate(() => (globalThis as any).__opened)).toBe(1);
    },
    2 * HANGS,
  );

  it(
    "in the history of a chat stays as it was, and says that something newer was shown",
    async () => {
      const view = (text: string) => ({
        version: "v0.9",
        view: { components: [{ id: "root", component: "Text", text }] },
      });
      const chat = await showInChat(browser(), {
        sessionId: "s",
        appId: "a",
        epoch: 0,
        viewJson: JSON.stringify(view("the first version")),
        wsUrl: "ws://127.0.0.1:9/ws",
        wsToken: "t",
      });
      page = chat.page;
      await chat.frame.getByText("the first version").waitFor();
      await chat.frame.waitForFunction(
        () => document.querySelector("main")?.getAttribute("data-live") === "open",
      );
      await say(chat.frame, {
        type: "render",
        payload: {
          session: { id: "s", appId: "a", epoch: 1, view: view("the second version"), props: {} },
        },
      });
      await chat.frame
        .getByText("This is an earlier version. A newer one was shown later.")
        .waitFor();
      expect(await chat.frame.locator("main").innerText()).toContain("the first version");
      expect(await chat.frame.locator("main").innerText()).not.toContain("the second version");
    },
    2 * HANGS,
  );
});
