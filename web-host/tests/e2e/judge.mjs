// Judges what a gallery shows as a person would, and prints one table: what is used while rules are
// written, and what is kept for measuring, side by side.
//
// node judge.mjs ADDRESS [--only TEXT] [--set TEXT] [--kept] [--quick]
//
// ADDRESS is the stage of `proscenium gallery --from tests/labelled/contracts`. Faults of used contracts
// are named; of kept ones only numbers are printed. `--quick` leaves out axe and the walks.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import * as see from "./judge/look.mjs";
import { describe } from "./judge/operate.mjs";
import { byKeyboard, byMouse, listen } from "./judge/walk.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    set: { type: "string", default: "" },
    kept: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});
const [address = "http://127.0.0.1:6781"] = positionals;
// Pages that are looked at together: more of them than processors only wait for each other.
const TOGETHER = 3;
// How long anything on a page may take, in milliseconds.
const PATIENCE = 20_000;
// How long the walks through one page may take, in milliseconds.
const WALK = 60_000;
const WIDTHS = [320, 768, 1280, 1920];
const SCHEMES = ["light", "dark"];
// What is seen of a page without scrolling, on a small laptop.
const FOLD = { width: 1280, height: 800 };
const RUBRIC = [
  "texts shown",
  "nothing forbidden",
  "no JSON",
  "no typed ids",
  "one hierarchy",
  "main button in sight",
  "nothing sideways",
  "dialogs on screen",
  "actions by mouse",
  "actions by keyboard",
  "axe",
  "axe with dialogs",
  "no errors",
];

const labelled = new URL("../../../tests/labelled/", import.meta.url);
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const read = async (name) => JSON.parse(await readFile(new URL(name, labelled), "utf8"));

/** The sessions of a stage, by their intent. */
async function sessions() {
  const stop = new AbortController();
  const feed = await fetch(new URL("/stage/feed", address), { signal: stop.signal });
  let text = "";
  for await (const chunk of feed.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.includes("\n\n")) break;
  }
  stop.abort();
  const data = text.slice(text.indexOf("data: ") + 6, text.indexOf("\n\n"));
  return new Map(JSON.parse(data).sessions.map(({ intent, viewerUrl }) => [intent, viewerUrl]));
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
});

/** A page of an entry with its own kept state. */
async function open(url, look, errors) {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    // The page's own policy refuses foreign scripts, and axe is one.
    bypassCSP: true,
    ...look,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => errors.push(String(error).slice(0, 200)));
  const sent = listen(page);
  await page.addInitScript(`globalThis.judged = ${describe}`);
  await page.goto(`${url}/frame`);
  await page.waitForSelector("[data-component]");
  await page.waitForTimeout(400);
  return { page, sent };
}

/** The page as it is read, everything that can be opened opened. */
async function texts(entry, faults) {
  const { page } = await open(entry.url, { viewport: FOLD }, faults["no errors"]);
  faults["one hierarchy"].push(...(await page.evaluate(see.hierarchy)));
  const end = await page.evaluate(see.primaryEnd);
  if (end > FOLD.height) faults["main button in sight"].push(`ends at ${end} px`);
  let read = await page.evaluate(see.words);
  for (const button of await page.$$(
    "button[aria-haspopup=dialog], .g-event, [role=treeitem], .g-form-end > button[type=button]",
  )) {
    await button.click({ timeout: 1000 }).catch(() => {});
    read += `\n${await page.evaluate(see.words)}`;
    faults["no JSON"].push(...(await page.evaluate(see.json)));
    faults["no typed ids"].push(...(await page.evaluate(see.typedIds)));
    await page.keyboard.press("Escape");
  }
  faults["no JSON"].push(...(await page.evaluate(see.json)));
  faults["no typed ids"].push(...(await page.evaluate(see.typedIds)));
  const flat = read.replace(/\s+/g, " ");
  const has = (part) => flat.includes(part.replace(/\s+/g, " ").trim());
  faults["texts shown"].push(...(entry.shows ?? []).filter((part) => !has(part)));
  faults["nothing forbidden"].push(...(entry.never ?? []).filter(has));
  await page.context().close();
}

/** Widths and schemes: nothing sideways, and every dialog on screen. */
async function fits(entry, faults) {
  const { page } = await open(entry.url, {}, faults["no errors"]);
  const told = (what, where, lines) =>
    faults[what].push(...lines.filter(Boolean).map((line) => `${where}: ${line}`));
  for (const [at, width] of WIDTHS.entries()) {
    await page.setViewportSize({ width, height: width < 600 ? 640 : 800 });
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      told("nothing sideways", `${width} ${colorScheme}`, [await page.evaluate(see.sideways)]);
    }
    // Where a dialog stands does not hang on colours: each width in one scheme, by turns.
    const scheme = SCHEMES[at % 2];
    await page.emulateMedia({ colorScheme: scheme });
    const seen = new Set();
    for (const opener of await page.$$("button[aria-haspopup=dialog]")) {
      const name = await opener.evaluate((button) => button.dataset.action ?? button.innerText);
      if (seen.has(name) || !(await opener.isVisible())) continue;
      seen.add(name);
      await opener.click({ timeout: 2500 }).catch(() => {});
      await page.waitForTimeout(60);
      const where = `${width} ${scheme} ${name}`;
      told("dialogs on screen", where, await page.evaluate(see.dialogFaults));
      told("nothing sideways", where, [await page.evaluate(see.sideways)]);
      await page.keyboard.press("Escape");
    }
  }
  await page.context().close();
}

/** All actions, with a pointer on a desktop by day and by keys on a phone by night. */
async function walks(entry, faults) {
  for (const [scheme, viewport, kind] of [
    ["light", { width: 1280, height: 800 }, "mouse"],
    ["dark", { width: 320, height: 640 }, "keyboard"],
  ]) {
    const look = { colorScheme: scheme, viewport };
    const { page, sent } = await open(entry.url, look, faults["no errors"]);
    await page.evaluate(axe);
    faults.axe.push(...(await see.axeFaults(page)).map((line) => `${scheme} ${line}`));
    const judged = new Set();
    const seen = async (action) => {
      const told = await page.evaluate(see.dialogFaults);
      faults["dialogs on screen"].push(...told.map((line) => `${kind} ${action}: ${line}`));
      if (judged.has(action)) return;
      judged.add(action);
      const found = await see.axeFaults(page);
      await page.emulateMedia({ colorScheme: "dark" });
      found.push(...(await see.axeFaults(page, { runOnly: ["color-contrast"] })));
      await page.emulateMedia({ colorScheme: scheme });
      faults["axe with dialogs"].push(...found.map((line) => `${action} ${line}`));
    };
    const walk =
      kind === "mouse" ? byMouse(page, entry, sent, seen) : byKeyboard(page, entry, sent);
    const late = new Promise((done) => setTimeout(done, WALK, ["not done in time"]).unref());
    faults[`actions by ${kind}`].push(...(await Promise.race([walk, late])));
    await page
      .context()
      .close()
      .catch(() => {});
  }
}

/** What was found of each row of the rubric; of a row that could not be judged to its end, nothing. */
async function judge(entry) {
  const faults = Object.fromEntries(RUBRIC.map((name) => [name, []]));
  const errors = faults["no errors"];
  const steps = options.quick ? [texts, fits] : [texts, fits, walks];
  for (const [at, step] of steps.entries()) {
    try {
      await step(entry, faults);
    } catch (error) {
      errors.push(String(error).slice(0, 300));
      for (const name of steps.slice(at).flatMap((step) => ROWS.get(step))) delete faults[name];
      break;
    }
  }
  if (options.quick)
    for (const name of ROWS.get(walks)) if (!ROWS.get(fits).includes(name)) delete faults[name];
  return faults;
}

/** The rows that each look at a page decides; the last look that has a row finishes it. */
const ROWS = new Map([
  [texts, RUBRIC.slice(0, 6)],
  [fits, ["nothing sideways", "dialogs on screen"]],
  [
    walks,
    ["dialogs on screen", "actions by mouse", "actions by keyboard", "axe", "axe with dialogs"],
  ],
]);

const shown = await sessions();
const queue = [];
const sets = new Map();
for (const [name, label] of Object.entries(await read("labels.json"))) {
  const isKept = label.set.startsWith("kept");
  if (!name.includes(options.only) || !label.set.includes(options.set)) continue;
  if (isKept && !options.kept) continue;
  const entry = await read(`contracts/${name}.json`);
  const url = shown.get(entry.intent);
  if (!url) throw new Error(`not on the stage: ${name}`);
  queue.push({ ...entry, ...label, name, url, isKept });
  sets.set(label.set, Object.fromEntries(RUBRIC.map((name) => [name, { right: 0, all: 0 }])));
}
await Promise.all(
  Array.from({ length: TOGETHER }, async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const faults = await judge(entry);
      for (const [what, found] of Object.entries(faults)) {
        const rate = sets.get(entry.set)[what];
        rate.all += 1;
        rate.right += Number(found.length === 0);
        if (!entry.isKept)
          for (const line of new Set(found)) console.log(`${entry.name}: ${what}: ${line}`);
      }
    }
  }),
);
await browser.close();
const names = [...sets.keys()].sort((a, b) => b.startsWith("used") - a.startsWith("used"));
console.log(`\n${"".padEnd(22)}${names.map((name) => name.padStart(14)).join("")}`);
for (const what of RUBRIC) {
  const cells = names.map((name) => sets.get(name)[what]);
  console.log(
    `${what.padEnd(22)}${cells.map(({ right, all }) => `${right}/${all}`.padStart(14)).join("")}`,
  );
}
