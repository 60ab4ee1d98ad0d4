// Reads pages as a person does, every disclosure opened: which texts of a label can be seen, and
// which can that nobody should ever see. Reads [{name, url, shows, never}] from stdin, writes
// {name: {missing, seen, wide}} to stdout.
import { text } from "node:stream/consumers";
import { chromium } from "playwright-core";

// Pages that are looked at together: more of them than processors only wait for each other.
const TOGETHER = 3;
// How long anything on a page may take, in milliseconds.
const PATIENCE = 20_000;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});
const pages = JSON.parse(await text(process.stdin));
const told = {};

async function look({ name, url, shows, never }) {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 900 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  try {
    await page.goto(url);
    await page.waitForSelector("[data-component]");
    await page.waitForTimeout(400);
    let read = await page.evaluate(words);
    // What stands behind buttons: dialogs, other pages of a table or a quiz, other records of a tree.
    for (const button of await page.$$(
      "button[aria-haspopup=dialog], [role=treeitem], .g-form-end > button[type=button]",
    )) {
      await button.click({ timeout: 1000 }).catch(() => {});
      read += `\n${await page.evaluate(words)}`;
      await page.keyboard.press("Escape");
    }
    const flat = read.replace(/\s+/g, " ");
    const has = (part) => flat.includes(part.replace(/\s+/g, " ").trim());
    await page.setViewportSize({ width: 320, height: 800 });
    const wide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    told[name] = { missing: shows.filter((part) => !has(part)), seen: never.filter(has), wide };
  } catch (error) {
    told[name] = { missing: shows, seen: [], wide: false, problem: String(error).slice(0, 200) };
  }
  await context.close();
}

/** All text on the page, and what stands in its controls. */
function words() {
  const controls = [...document.querySelectorAll("input, textarea, select, img")].map((control) =>
    control.tagName === "SELECT"
      ? [...control.options].map((option) => option.label).join(" ")
      : (control.value ?? control.alt ?? ""),
  );
  return `${document.body.innerText}\n${controls.join("\n")}`;
}

const queue = [...pages];
await Promise.all(
  Array.from({ length: TOGETHER }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) await look(next);
  }),
);
await browser.close();
console.log(JSON.stringify(told));
