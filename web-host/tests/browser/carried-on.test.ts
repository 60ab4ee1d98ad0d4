// @vitest-environment node
// What a person sees of what they do where it does not go on as it began: the network away, a sign-in, an end, a host, a chat.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { button, form } from "./fluent-parts";
import { ACK, cut, type Given, guestCode, HANGS, responds, say, sentBy, show } from "./guest";
import { showInChat } from "./hosts";

describe.skipIf(!isThere)("what a person did", () => {
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
  afterEach(() => page?.close());

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
