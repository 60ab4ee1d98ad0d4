// @vitest-environment node
// Dialogs in a frame as tall as its content, within a page that scrolls: seen whole, where the person is, and never lost by a key.

import type { Frame, Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { press } from "../e2e/press.mjs";
import { browserFor, isThere } from "./chromium";
import { ACK, guestCode, say } from "./guest";
import { showOnPage } from "./hosts";

const lines = Array.from({ length: 40 }, (_, index) => ({
  id: `line${index}`,
  component: "Text",
  text: `Line ${index} of a long page.\n\nIt has two paragraphs.`,
}));
const schema = {
  type: "object",
  required: ["name", "guests"],
  properties: {
    name: { type: "string", title: "Name" },
    guests: {
      type: "array",
      title: "Guests",
      minItems: 1,
      items: {
        type: "object",
        title: "Guest",
        required: ["first", "last", "note"],
        properties: {
          first: { type: "string" },
          last: { type: "string" },
          note: { type: "string", maxLength: 500 },
        },
      },
    },
  },
};
const form = (id: string, action: string) => ({
  id,
  component: "Form",
  action,
  schema,
  display: "dialog",
  submitLabel: action,
});
const long = [
  {
    id: "root",
    component: "Column",
    children: ["first", ...lines.map(({ id }) => id), "second", "end"],
  },
  form("first", "Book"),
  ...lines,
  form("second", "Reserve"),
  { id: "end", component: "Text", text: "The end." },
];

describe.skipIf(!isThere)("a dialog in a frame within a page that scrolls", () => {
  const browser = browserFor(guestCode);
  let page: Page;
  let frame: Frame;
  const open = async (components: object[], height = 700, width = 900) => {
    ({ page, frame } = await showOnPage(browser(), components, { width, height }));
  };
  /** Waits until page, frame and dialog have stood still for as long as a busy machine takes to move them. */
  const settled = async () => {
    const places = async () => {
      const height = await page.locator("iframe").evaluate(({ style }) => style.height);
      const boxes = await frame.evaluate(() =>
        [...document.querySelectorAll("dialog")].map((dialog) => dialog.getBoundingClientRect()),
      );
      return JSON.stringify([await scrolled(), height, boxes]);
    };
    let [before, still] = [await places(), 0];
    while (still < 5) {
      await page.waitForTimeout(150);
      const now = await places();
      still = now === before ? still + 1 : 0;
      before = now;
    }
  };
  const scrolled = () => page.evaluate(() => scrollY);
  /** How much of an element lies outside of the window a person sees, and its height. */
  const outside = async (selector: string) => {
    const box = (await frame.locator(selector).last().boundingBox())!;
    const { height } = page.viewportSize()!;
    // Half pixels are rounded.
    return Math.max(0, Math.floor(Math.max(-box.y, box.y + box.height - height)));
  };
  const at = (name: string) => frame.getByRole("button", { name });
  afterEach(() => page?.close());

  it("opens where the person is, and neither opening nor Escape scrolls the page", async () => {
    await open(long);
    await at("Reserve…").scrollIntoViewIfNeeded();
    await settled();
    const before = await scrolled();
    expect(before).toBeGreaterThan(1000);
    await press(at("Reserve…"));
    await frame.getByRole("dialog").waitFor();
    await settled();
    expect(await scrolled()).toBe(before);
    expect(await outside("dialog")).toBe(0);
    await page.keyboard.press("Escape");
    await frame.getByRole("dialog").waitFor({ state: "detached" });
    await settled();
    expect(await scrolled()).toBe(before);
  });

  it.each([
    [700, 900],
    [500, 320],
  ])("keeps its buttons in sight while it grows, in a window %i high", async (height, width) => {
    await open(long, height, width);
    await press(at("Reserve…"));
    await frame.getByRole("dialog").waitFor();
    for (let row = 0; row < 5; row++) {
      // Without the browser's own scrolling to what is pressed.
      await frame
        .getByRole("button", { name: "Add guest" })
        .evaluate((add: HTMLElement) => add.click());
      await settled();
      expect(await outside("dialog .g-form-end")).toBe(0);
      expect(await outside("dialog")).toBe(0);
    }
    // All of it is missing: each field says so.
    const reserve = frame.getByRole("dialog").getByRole("button", { name: "Reserve" });
    const box = (await reserve.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await frame.getByText("Please fill this in.").first().waitFor();
    await settled();
    expect(await outside("dialog .g-form-end")).toBe(0);
    expect(await outside(":focus")).toBe(0);
  });

  it("makes a low frame grow, and is seen there", async () => {
    await open([form("root", "Book")]);
    await press(at("Book…"));
    await frame.getByRole("dialog").waitFor();
    await settled();
    expect(await outside("dialog")).toBe(0);
    expect(await outside("dialog .g-form-end")).toBe(0);
    const seen = await frame.evaluate(() => {
      const { top, bottom } = document.querySelector("dialog")!.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
    expect(seen).toBe(true);
  });

  it("is brought into sight where its low frame stands at the lower edge of the window", async () => {
    await open([form("root", "Book")]);
    await page.evaluate(() => scrollTo(0, 0));
    await page.evaluate(() => {
      document.querySelector<HTMLElement>("#before")!.style.height = `${innerHeight - 100}px`;
    });
    await settled();
    await frame.evaluate(() => document.querySelector<HTMLElement>("[data-action]")!.click());
    await frame.getByRole("dialog").waitFor();
    await settled();
    expect(await outside("dialog .g-form-end")).toBe(0);
  });

  it("stays in sight when the person scrolls the page around it", async () => {
    await open(long);
    await press(at("Book…"));
    await frame.getByRole("dialog").waitFor();
    await page.mouse.move(20, 20);
    await page.mouse.wheel(0, 900);
    await settled();
    expect(await scrolled()).toBeGreaterThan(500);
    expect(await outside("dialog")).toBe(0);
  });
});

describe.skipIf(!isThere)("what a person is about to send", () => {
  const browser = browserFor(guestCode);
  const keeps = (kept?: string) => ({
    host: {
      hostCapabilities: { experimental: { "proscenium/keep": {} } },
      hostContext: { "proscenium/kept": kept },
    },
  });
  /** What the host was last told to keep. */
  const lastKept = (page: Page) =>
    page.waitForFunction(() => (globalThis as any).__kept).then((kept) => kept.jsonValue());
  const view = [
    { id: "root", component: "Column", children: ["form", "tabs"] },
    form("form", "Book"),
    {
      id: "tabs",
      component: "Tabs",
      tabs: [
        { title: "One", child: "one" },
        { title: "Two", child: "two" },
      ],
    },
    { id: "one", component: "Text", text: "First" },
    { id: "two", component: "Text", text: "Second" },
  ];
  const window = { width: 900, height: 700 };

  it("is asked about before a key throws it away", async () => {
    const { page, frame } = await showOnPage(browser(), view, window);
    const dialog = frame.getByRole("dialog", { name: "Book" });
    await press(frame.getByRole("button", { name: "Book…" }));
    await dialog.getByLabel("Name").fill("Ada");
    const question = frame.getByRole("dialog", { name: "Discard what you entered?" });
    await page.keyboard.press("Escape");
    await question.waitFor();
    // The key answers the question as it would any: nothing is thrown away.
    await page.keyboard.press("Escape");
    // A closed dialog has no role before its element is gone.
    await frame.locator("dialog dialog").waitFor({ state: "detached" });
    await page.keyboard.press("Escape");
    await press(question.getByRole("button", { name: "Keep editing" }));
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Ada");
    await page.keyboard.press("Escape");
    await press(question.getByRole("button", { name: "Discard" }));
    await dialog.waitFor({ state: "detached" });
    await press(frame.getByRole("button", { name: "Book…" }));
    expect(await dialog.getByLabel("Name").inputValue()).toBe("");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.close();
  });

  it("is there again with its dialog and what was chosen when the page is loaded again, and gone once it is discarded", async () => {
    const { page, frame } = await showOnPage(browser(), view, window, keeps());
    await press(frame.getByRole("tab", { name: "Two" }));
    await press(frame.getByRole("button", { name: "Book…" }));
    await frame.getByLabel("Name").fill("Ada");
    await press(frame.getByRole("button", { name: "Add guest" }));
    await frame.getByLabel("First").fill("Bob");
    await page.waitForFunction(() => (globalThis as any).__kept?.includes("Bob"));
    const kept = (await lastKept(page)) as string;
    await page.close();

    const again = await showOnPage(browser(), view, window, keeps(kept));
    const dialog = again.frame.getByRole("dialog", { name: "Book" });
    await dialog.waitFor();
    expect(await dialog.getByLabel("Name").inputValue()).toBe("Ada");
    expect(await dialog.getByLabel("First").inputValue()).toBe("Bob");
    expect(await again.frame.getByText("Second").isVisible()).toBe(true);
    await press(dialog.getByRole("button", { name: "Cancel" }));
    await again.page.waitForFunction(() => (globalThis as any).__kept?.includes("Bob") === false);
    await again.page.close();

    // Of another view nothing is taken.
    const other = await showOnPage(
      browser(),
      [...view, { id: "more", component: "Text", text: "More" }],
      window,
      keeps(kept),
    );
    await other.frame.getByRole("button", { name: "Book…" }).waitFor();
    await other.page.waitForTimeout(300);
    expect(await other.frame.getByRole("dialog").count()).toBe(0);
    await other.page.close();
  });

  it("and could not be sent is sent after the page was loaded again, under the same id", async () => {
    const button = [{ id: "root", component: "ActionButton", action: "go", label: "Go" }];
    const live = { slice: { wsUrl: "ws://127.0.0.1:9/ws", wsToken: "t" } };
    const { page, frame } = await showOnPage(browser(), button, window, { ...keeps(), ...live });
    await press(frame.getByRole("button", { name: "Go" }));
    await frame.getByText("Waiting for the connection…").waitFor();
    await page.waitForFunction(() => (globalThis as any).__kept?.includes("unsent"));
    const kept = (await lastKept(page)) as string;
    await page.close();
    const { actionId } = JSON.parse(kept).places.unsent[0].request;

    const again = await showOnPage(browser(), button, window, {
      ...keeps(kept),
      ...live,
      bursts: [[ACK]],
    });
    await again.frame.waitForFunction(() => (globalThis as any).__sent?.length === 1);
    const sent = await again.frame.evaluate(() => (globalThis as any).__sent[0].payload);
    expect(sent.actionId).toBe(actionId);
    await again.page.close();
  });

  it("is told as sent in every window of the session", async () => {
    const button = [{ id: "root", component: "ActionButton", action: "go", label: "Go" }];
    const live = { slice: { wsUrl: "ws://127.0.0.1:9/ws", wsToken: "t" }, bursts: [[ACK]] };
    const one = await showOnPage(browser(), button, window, live);
    await press(one.frame.getByRole("button", { name: "Go" }));
    await one.frame.waitForFunction(() => (globalThis as any).__sent?.length === 1);
    const { actionId } = await one.frame.evaluate(() => (globalThis as any).__sent[0].payload);
    await one.page.close();

    const other = await showOnPage(browser(), button, window, live);
    await other.frame.waitForFunction(() => "__socket" in globalThis);
    await say(other.frame, {
      type: "observe",
      payload: { sessionId: "s", event: { kind: "action-submitted", actionId, action: "go" } },
    });
    await other.frame.getByText("Sent from another window").waitFor();
    await say(other.frame, { type: "drain_ack", payload: { sessionId: "s", eventId: actionId } });
    await other.frame.getByText("Received. The agent is working…").waitFor();
    await other.page.close();
  });

  it("and what is wrong with the connection stands where the person has scrolled to", async () => {
    const live = { slice: { wsUrl: "ws://127.0.0.1:9/ws", wsToken: "t" }, bursts: [[ACK]] };
    const { page, frame } = await showOnPage(browser(), long, window, live);
    await frame.waitForFunction(
      () => document.querySelector("main")?.getAttribute("data-live") === "open",
    );
    await frame.getByText("The end.").scrollIntoViewIfNeeded();
    await frame.evaluate(() => {
      Object.assign(globalThis, { __cut: true });
      (globalThis as any).__socket.onclose({ code: 1006, reason: "" });
    });
    const line = frame.locator(".g-statusline", { hasText: "waits here until it can be sent" });
    await expect
      .poll(async () => {
        const box = await line.boundingBox();
        return box !== null && box.y >= 0 && box.y + box.height < 200;
      })
      .toBe(true);
    await page.close();
  });
});
