// @vitest-environment node
// Where a person has scrolled to, on the page and within it, while a drawn view takes the place of the composed one.

import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, guestCode, say, show } from "./guest";

const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
const view = (headline: string) => [
  { id: "root", component: "Column", children: ["head", "code", ...lines.map(idOf)] },
  { id: "head", component: "Heading", text: headline, level: 1 },
  { id: "code", component: "Code", value: { path: "/props/code" } },
  ...lines.map((text) => ({ id: idOf(text), component: "Text", text })),
];

function idOf(text: string): string {
  return text.replace(" ", "-");
}

describe.skipIf(!isThere)("another view of the same epoch", () => {
  const browser = browserFor(guestCode);
  let close = async () => {};
  afterEach(() => close());

  it("is shown where the person has scrolled to, on the page and within it", async () => {
    const { page, errors } = await show(browser(), {
      components: view("Composed"),
      props: { code: lines.join("\n") },
      bursts: [[ACK]],
    });
    close = () => page.close();
    await page.waitForSelector("h1:text('Composed')");
    await page.waitForFunction(
      () => document.querySelector("main")?.getAttribute("data-live") === "open",
    );
    /** Where everything is once the page has nothing more to do. */
    const at = () =>
      page.evaluate(
        () =>
          new Promise<object>((done) =>
            requestAnimationFrame(() =>
              requestAnimationFrame(() =>
                done({ page: scrollY, code: document.querySelector("pre")!.scrollTop }),
              ),
            ),
          ),
      );
    await page.evaluate(() => {
      document.querySelector("pre")!.scrollTo({ top: 300, behavior: "instant" });
      scrollTo({ top: 400, behavior: "instant" });
    });
    expect(await at()).toEqual({ page: 400, code: 300 });
    await say(page, {
      type: "view_update",
      payload: {
        sessionId: "s",
        epoch: 0,
        view: {
          version: "v0.9",
          catalogId: "urn:proscenium:catalog:v1",
          view: { components: view("Drawn") },
        },
      },
    });
    await page.waitForSelector("h1:text('Drawn')", { state: "attached" });
    expect(await at()).toEqual({ page: 400, code: 300 });
    expect(errors).toEqual([]);
  });
});
