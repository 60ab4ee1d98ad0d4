// @vitest-environment node
// Every story in every state in a real browser: accessible by day and by night, and as narrow as a phone.
// With STORIES_OUT=DIR it leaves a picture of each there.

import { mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oxc } from "../../scripts/jsx.mjs";
import { withoutPainter } from "../../scripts/painter.mjs";
import { catalog } from "../../src/catalog/index";
import { isThere, launch } from "./chromium";

const root = new URL("../..", import.meta.url).pathname;
const out = process.env.STORIES_OUT;
/** A machine with much else to do still starts a browser and builds a page in this time, in milliseconds. */
const SLOW = 120_000;
/** Rules about a whole page, which a page of states is not: it has the same headings and names six times. */
const OF_PAGES = [
  "heading-order",
  "landmark-unique",
  "page-has-heading-one",
  "landmark-no-duplicate-main",
  "landmark-main-is-top-level",
  "empty-heading",
];

async function pageOfStories(): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: "warn",
    oxc: { ...oxc, jsx: { ...(oxc.jsx as object), development: false } },
    define: withoutPainter,
    build: {
      write: false,
      target: "es2022",
      minify: false,
      lib: {
        entry: `${root}tests/browser/stories-page.tsx`,
        formats: ["iife"],
        name: "stories",
        fileName: "stories",
      },
    },
  });
  const [output] = [result].flat().flatMap((part) => ("output" in part ? part.output : []));
  return output?.type === "chunk" ? output.code : "";
}

describe.skipIf(!isThere)("in a browser", () => {
  let browser: Browser;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    const [code, axe] = await Promise.all([
      pageOfStories(),
      readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
    ]);
    browser = await launch();
    page = await browser.newPage({
      viewport: { width: 900, height: 900 },
      reducedMotion: "reduce",
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.setContent(
      '<!doctype html><html lang="en"><title>Stories</title><body></body></html>',
    );
    await page.addScriptTag({ content: code });
    await page.addScriptTag({ content: axe });
    if (out) await mkdir(out, { recursive: true });
  }, SLOW);
  afterAll(() => browser.close());

  const judge = (options: object): Promise<string[]> =>
    page.evaluate(async (options) => {
      const { violations } = await (globalThis as any).axe.run(document, options);
      return violations.flatMap(({ id, nodes }: any) =>
        nodes.map(({ target, html }: any) => `${id}: ${target} ${html.slice(0, 200)}`),
      );
    }, options);

  it.each(Object.keys(catalog))(
    "%s is accessible in all its states, by day and by night, on a desk and on a phone",
    async (name) => {
      problems.length = 0;
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 900, height: 900 });
      expect(await page.evaluate((name) => (globalThis as any).showStory(name), name)).toEqual([]);
      expect(
        await judge({ rules: Object.fromEntries(OF_PAGES.map((id) => [id, { enabled: false }])) }),
      ).toEqual([]);
      if (out) await page.screenshot({ path: `${out}/${name}.png`, fullPage: true });
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await judge({ runOnly: ["color-contrast"] })).toEqual([]);
      await page.setViewportSize({ width: 320, height: 700 });
      if (out) await page.screenshot({ path: `${out}/${name}-phone.png`, fullPage: true });
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        ),
        "pixels wider than the page",
      ).toBe(0);
      expect(problems).toEqual([]);
    },
    SLOW,
  );
});
