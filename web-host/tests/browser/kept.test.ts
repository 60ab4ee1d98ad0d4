// @vitest-environment node
// What a person typed and did is theirs: no answer, no update and no second press takes it away, or gives it to another record.

import type { Page } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, type Given, guestCode, HANGS, say, sentBy, show } from "./guest";
import { column, form } from "./kept-parts";

describe.skipIf(!isThere)("what a person types and does", () => {
  const browser = browserFor(guestCode);
  let page: Page;
  const open = async (components: object[], given: Given = {}) => {
    ({ page } = await show(browser(), { components, bursts: [[ACK]], ...given }));
    await page.waitForFunction(
      () => document.querySelector("main")?.getAttribute("data-live") === "open",
    );
  };
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const typed = async (label: string, keys: string) => {
    await field(label).focus();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(keys);
    return field(label).inputValue();
  };
  const ack = (requestId: string) => ({
    type: "ack",
    requestId,
    payload: { sequence: 2, consumerPresent: true },
  });
  const drain = (eventId: string) => ({ type: "drain_ack", payload: { sessionId: "s", eventId } });
  const sent = async (which = 0) => {
    await page.waitForFunction((which) => (globalThis as any).__sent.length > which, which);
    return (await sentBy(page))[which].requestId as string;
  };
  const data = async () => (await sentBy(page)).map(({ payload }) => payload.payload.data);
  afterEach(() => page?.close());

  it(
    "as a number stays as it is typed, whatever it says on the way",
    async () => {
      await open(
        column(
          {
            component: "NumberField",
            label: "From ten on",
            min: 10,
            value: { path: "/context/many" },
          },
          { component: "NumberField", label: "Below nothing", value: { path: "/ui/few" } },
          {
            component: "TextField",
            variant: "number",
            label: "With a point",
            value: { path: "/context/part" },
          },
        ),
        { context: { many: 50, part: 1 } },
      );
      expect(await typed("From ten on", "12")).toBe("12");
      expect(await typed("Below nothing", "-0.5")).toBe("-0.5");
      expect(await typed("With a point", "0.105")).toBe("0.105");
    },
    2 * HANGS,
  );

  it(
    "as a moment stays as it is typed, also in the years that are passed on the way",
    async () => {
      const context = await browser().newContext({ timezoneId: "Europe/Berlin" });
      const there = { newPage: () => context.newPage() } as unknown as Parameters<typeof show>[0];
      ({ page } = await show(there, {
        components: column({
          component: "DateTimeInput",
          enableDate: true,
          enableTime: true,
          label: "At",
          value: { path: "/context/at" },
        }),
        context: { at: "2026-11-22T10:30:00+01:00" },
      }));
      await field("At").focus();
      await page.keyboard.type("11221987");
      expect(await field("At").inputValue()).toBe("1987-11-22T10:30");
      await context.close();
    },
    2 * HANGS,
  );

  it.each([
    ["is taken and then read", [ack, drain]],
    ["is read before it is said to be taken", [drain, ack]],
  ] as const)(
    "makes room for the next answer once it %s",
    async (_, frames) => {
      await open([form]);
      await field("Your name").fill("Ada");
      await page.keyboard.press("Enter");
      const id = await sent();
      for (const frame of frames) await say(page, frame(id));
      await page.getByRole("status").getByText("Received. The agent is working…").waitFor();
      expect(await field("Your name").inputValue()).toBe("");
    },
    2 * HANGS,
  );

  it(
    "right after the first answer was taken is the next one, typed though it was before anything was painted",
    async () => {
      await open([form]);
      await field("Your name").fill("Ada");
      await page.keyboard.press("Enter");
      await page.evaluate(
        (data) =>
          new Promise((done) => {
            const input = document.querySelector("input")!;
            // After the state is drawn, before it is painted.
            new MutationObserver((_, observer) => {
              observer.disconnect();
              queueMicrotask(() => {
                input.value = "Grace";
                input.dispatchEvent(new Event("input", { bubbles: true }));
                requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
              });
            }).observe(document.querySelector("form")!, {
              subtree: true,
              childList: true,
              characterData: true,
            });
            (globalThis as any).__socket.onmessage({ data });
          }),
        JSON.stringify(ack(await sent())),
      );
      expect(await field("Your name").inputValue()).toBe("Grace");
    },
    2 * HANGS,
  );

  it(
    "in a dialog that was opened again stays, whatever becomes of the first answer",
    async () => {
      await open([{ ...form, display: "dialog" }]);
      const opener = page.getByRole("button", { name: "Book…" });
      await opener.click();
      await field("Your name").fill("Ada");
      await page.keyboard.press("Enter");
      const id = await sent();
      await say(page, ack(id));
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      await opener.click();
      await field("Your name").fill("Grace");
      await say(page, drain(id));
      await page.getByText("Received. The agent is working…").waitFor();
      await say(page, {
        type: "props_update",
        payload: { sessionId: "s", epoch: 0, props: { a: 1 } },
      });
      expect(await field("Your name").inputValue()).toBe("Grace");
    },
    2 * HANGS,
  );

  it(
    "as a file is the one that was chosen last, and gone with the form that was sent",
    async () => {
      await open([
        { ...form, schema: { type: "object", properties: { note_data_url: { type: "string" } } } },
      ]);
      // The first file is read only once the second one is.
      await page.evaluate(() => {
        const read = FileReader.prototype.readAsDataURL;
        let first: (() => void) | undefined;
        FileReader.prototype.readAsDataURL = function (file: Blob) {
          if (first) this.addEventListener("load", first);
          else
            first = () => {
              this.addEventListener("load", () => Object.assign(globalThis, { __read: true }));
              read.call(this, file);
            };
          if (file.size > "first".length) read.call(this, file);
        };
      });
      const input = page.locator("input[type=file]");
      const file = (content: string) => ({
        name: `${content}.txt`,
        mimeType: "text/plain",
        buffer: Buffer.from(content),
      });
      await input.setInputFiles(file("first"));
      await input.setInputFiles(file("second"));
      await page.waitForFunction(() => (globalThis as any).__read);
      await page.getByRole("button", { name: "Book" }).click();
      const id = await sent();
      expect(await data()).toEqual([
        { note_data_url: `data:text/plain;base64,${Buffer.from("second").toString("base64")}` },
      ]);
      await say(page, ack(id));
      await page.getByRole("status").getByText("Sent").waitFor();
      expect(await input.inputValue()).toBe("");
    },
    2 * HANGS,
  );

  it(
    "in a row of a list stays with its row when one before it goes",
    async () => {
      await open([
        {
          ...form,
          schema: {
            type: "object",
            properties: {
              papers: {
                type: "array",
                items: { type: "object", properties: { scan_data_url: { type: "string" } } },
              },
            },
          },
        },
      ]);
      const file = (content: string) => ({
        name: `${content}.txt`,
        mimeType: "text/plain",
        buffer: Buffer.from(content),
      });
      for (const [at, content] of ["first", "second", "third"].entries()) {
        await page.getByRole("button", { name: /^Add/ }).click();
        await page.locator("input[type=file]").nth(at).setInputFiles(file(content));
      }
      const remove = page.getByRole("button", { name: /^Remove/ });
      await remove.first().focus();
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelectorAll("input[type=file]").length === 2);
      const names = await page
        .locator("input[type=file]")
        .evaluateAll((inputs) =>
          inputs.map((input) => (input as HTMLInputElement).files![0]!.name),
        );
      expect(names).toEqual(["second.txt", "third.txt"]);
      expect(await page.evaluate(() => document.activeElement!.closest("form") !== null)).toBe(
        true,
      );
      await page.getByRole("button", { name: "Book" }).click();
      await sent();
      const url = (content: string) => ({
        scan_data_url: `data:text/plain;base64,${Buffer.from(content).toString("base64")}`,
      });
      expect(await data()).toEqual([{ papers: [url("second"), url("third")] }]);
    },
    2 * HANGS,
  );
});
