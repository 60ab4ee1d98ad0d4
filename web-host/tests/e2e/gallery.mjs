// Looks at every page of a gallery: accessibility in light and dark, some of it by keyboard alone,
// and no page that scrolls sideways from 320 to 1920 pixels. Reads [{name, url}] from stdin, writes what is wrong to stdout.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";

// Pages that are looked at together: more of them than processors only wait for each other.
const TOGETHER = 3;
// How long anything on a page may take, in milliseconds.
const PATIENCE = 30_000;
const WIDTHS = [320, 375, 600, 768, 1024, 1280, 1920];

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--no-first-run",
  ],
});

/** What axe says about the page as it is now, one line a node. */
async function judge(page, options) {
  const violations = await page.evaluate(
    (options) => globalThis.axe.run(document, options).then((result) => result.violations),
    { rules: { "target-size": { enabled: true } }, ...options },
  );
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id} (${impact}): ${html.slice(0, 160)} ${failureSummary.split("\n").slice(1, 3).join(" ").slice(0, 200)}`,
    ),
  );
}

/** The innermost element that sticks out of the window. */
function widest() {
  const all = [...document.body.querySelectorAll("*")].filter(
    (element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5,
  );
  return all
    .map((element) => `${element.tagName}.${element.getAttribute("class")}`)
    .slice(0, 12)
    .join(" ");
}

/** Goes on with Tab until the focus is on what is looked for. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab");
    if (
      await page.evaluate(
        (selector) => document.activeElement?.matches(selector) ?? false,
        selector,
      )
    )
      return;
  }
  throw new Error(`Tab never reaches ${selector}`);
}

/** What is done without a pointer; the server says that it took the action. */
const keyboard = {
  async "everyday-todo"(page) {
    await tabTo(page, ".g-toggle");
    await page.keyboard.press("Space");
    await page.locator("[data-component=Table] .g-status").first().waitFor();
    await tabTo(page, "[data-form] input");
    await page.keyboard.type("Call the plumber");
    await page.keyboard.press("Enter");
    await page.locator("[data-form] .g-status").first().waitFor();
  },
  async "dashboard-support-board"(page) {
    await tabTo(page, "[data-card]");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowDown");
    await tabTo(page, "[data-move]");
    await page.keyboard.press("ArrowDown");
    await page.locator(".g-board .g-status").first().waitFor();
  },
  async "health-check-in"(page) {
    await tabTo(page, "[data-form] input[type=radio]");
    await page.keyboard.press("ArrowRight");
    await tabTo(page, "[data-form] input[type=radio]");
    await page.keyboard.press("ArrowRight");
    await tabTo(page, "[data-form] [type=checkbox]");
    await page.keyboard.press("Space");
    await tabTo(page, "[data-form] button[type=submit]");
    await page.keyboard.press("Enter");
    await page.locator("[data-form] .g-status").first().waitFor();
  },
};

async function look({ name, url }) {
  const problems = [];
  // The page's own policy refuses foreign scripts, and axe is one.
  const context = await browser.newContext({
    bypassCSP: true,
    viewport: { width: 1280, height: 900 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE);
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => problems.push(`error: ${error}`));
    await page.goto(url);
    await page.locator("[data-component]").first().waitFor();
    await page.waitForTimeout(200);
    await page.evaluate(axe);
    problems.push(...(await judge(page, {})).map((line) => `light ${line}`));
    await page.emulateMedia({ colorScheme: "dark" });
    problems.push(
      ...(await judge(page, { runOnly: ["color-contrast"] })).map((line) => `dark ${line}`),
    );
    await keyboard[name]?.(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (over > 0)
        problems.push(
          `${width} px wide: the page scrolls sideways by ${over} px: ${await page.evaluate(widest)}`,
        );
    }
  } catch (error) {
    problems.push(String(error));
  } finally {
    await context.close();
  }
  return { name, problems };
}

const entries = JSON.parse(await text(process.stdin));
const waiting = entries.slice();
const results = [];
await Promise.all(
  Array.from({ length: TOGETHER }, async () => {
    for (let entry = waiting.shift(); entry; entry = waiting.shift())
      results.push(await look(entry));
  }),
);
await browser.close();
process.stdout.write(JSON.stringify(results.filter(({ problems }) => problems.length > 0)));
