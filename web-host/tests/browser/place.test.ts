// @vitest-environment node
// Where a person has scrolled to, on the page and within it, while a drawn view takes the place of the composed one.

import { afterEach, describe, expect, it } from "vitest";
import { browserFor, isThere } from "./chromium";
import { ACK, guestCode, say, show } from "./guest";

const rows = Array.from({ length: 400 }, (_, at) => ({ id: `r${at}`, title: `Row ${at}` }));
const view = (headline: string) => [
  { id: "root", component: "Column", children: ["head", "list", "more"] },
  { id: "head", component: "Heading", text: headline, level: 1 },
  {
    id: "list",
    component: "Table",
    key: "id",
    rows: { path: "/props/rows" },
    columns: [{ field: "title", label: "Title" }],
  },
  { id: "more", component: "Column", children: rows.slice(0, 40).map(({ id }) => `text-${id}`) },
  ...rows
    .slice(0, 40)
    .map(({ id, title }) => ({ id: `text-${id}`, component: "Text", text: title })),
];

describe.skipIf(!isThere)("another view of the same epoch", () => {
  const browser = browserFor(guestCode);
  let close = async () => {};
  afterEach(() => close());

  it("is shown where the person has scrolled to, on the page and within it", async () => {
    const { page, errors } = await show(browser(), {
      components: view("Composed"),
      props: { rows },
      bursts: [[ACK]],
    });
    close = () => page.close();
    await page.waitForSelector("h1:text('Composed')");
    await page.waitForFunction(
      () => document.querySelector("main")?.getAttribute("data-live") === "open",
    );
    const at = () =>
      page.evaluate(() => ({
        page: Math.round(scrollY),
        list: Math.round(document.querySelector(".g-table-box")!.scrollTop),
      }));
    await page.evaluate(() => {
      document.querySelector(".g-table-box")!.scrollTo({ top: 600, behavior: "instant" });
      scrollTo({ top: 500, behavior: "instant" });
    });
    const before = await at();
    expect(before).toEqual({ page: 500, list: 600 });
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
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(null))));
    expect(await at()).toEqual(before);
    expect(errors).toEqual([]);
  });
});
