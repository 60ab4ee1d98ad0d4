// Judges what a gallery shows as a person would, and prints one table: what is used while rules are
// written, and what is kept for measuring, side by side.
//
// node judge.mjs ADDRESS [--only NAME,NAME] [--set TEXT] [--part 1/4] [--kept] [--quick]
//
// ADDRESS is the stage of `proscenium gallery --from tests/labelled/contracts`. Faults of used contracts
// are named; of kept ones only numbers are printed. `--quick` leaves out axe and the walks; `--part`
// judges one of several parts of the list.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import * as see from "./judge/look.mjs";
import { axeFaults, launch, open, settle } from "./judge/page.mjs";
import { byKeyboard, byMouse, leave } from "./judge/walk.mjs";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", default: "" },
    set: { type: "string", default: "" },
    part: { type: "string", default: "1/1" },
    kept: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
  },
});
const [address = "http://127.0.0.1:6781"] = positionals;
// Pages that are looked at together: while one waits for its browser, another is drawn.
const TOGETHER = 3;
// How long a walk through one page may take, in milliseconds.
const WALK = 60_000;
// What is seen of a page without scrolling, on a small laptop.
const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 320, height: 640 };
// Widths at which only sideways scrolling is looked for.
const BETWEEN = [768, 1920];
const RUBRIC = [
  "texts shown",
  "nothing forbidden",
  "no JSON",
  "no orphan inputs",
  "no typed ids",
  "one hierarchy",
  "main button in sight",
  "nothing sideways",
  "dialogs on screen",
  "axe",
  "axe with dialogs",
  "actions by mouse",
  "actions by keyboard",
  "no errors",
];
// How deep what can be opened is followed: the levels of a tree, the steps of a quiz.
const DEPTH = 6;
// What brings more of a page to light.
const OPENERS =
  "button[aria-haspopup], .g-event, [role=treeitem], [role=tab], summary, .g-form-end > button[type=button]";

const labelled = new URL("../../../tests/labelled/", import.meta.url);
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
  return new Map(JSON.parse(data).sessions.map((session) => [session.intent, session]));
}

/** The dialog on top, by axe in both schemes; each action's is judged once. */
async function axeDialog(page, entry, action, scheme, faults) {
  if (options.quick || entry.judged.has(action)) return;
  entry.judged.add(action);
  // What fades in is judged when it is there.
  await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
  const found = await axeFaults(page);
  await page.emulateMedia({ colorScheme: scheme === "dark" ? "light" : "dark" });
  found.push(...(await axeFaults(page, { runOnly: ["color-contrast"] })));
  await page.emulateMedia({ colorScheme: scheme });
  faults["axe with dialogs"].push(...found.map((line) => `${action} ${line}`));
}

/** The page as it is read, everything that can be opened opened; then at other widths. */
async function looks(browser, entry, faults) {
  const look = { viewport: DESKTOP, colorScheme: "light" };
  const { page } = await open(browser, entry, look, faults["no errors"]);
  const add = (what, where, lines) =>
    faults[what].push(...lines.filter(Boolean).map((line) => `${where}${line}`));
  const slots = Object.keys(entry.contract.contextSpec ?? {});
  let read = "";
  const note = async () => {
    read += `\n${await page.evaluate(see.words)}`;
    add("no JSON", "", await page.evaluate(see.json));
    add("no typed ids", "", await page.evaluate(see.typedIds));
    add("no orphan inputs", "", await page.evaluate(see.orphans, slots));
  };
  add("one hierarchy", "", await page.evaluate(see.hierarchy));
  const end = await page.evaluate(see.primaryEnd);
  if (end > DESKTOP.height) add("main button in sight", "", [`ends at ${end} px`]);
  await note();
  if (!options.quick) add("axe", "light ", await axeFaults(page));
  const opened = async (where, each) => {
    const seen = new Set();
    const pressed = await page.evaluateHandle(() => new WeakMap());
    // What one opens may hold more to open: branches, further steps.
    for (
      let found = await page.$$(OPENERS), depth = 0;
      found.length > 0 && depth < DEPTH;
      depth++
    ) {
      for (const opener of found) {
        // The same action of another record has the same dialog.
        const name = await opener
          .evaluate((button) => button.dataset.action)
          .catch(() => undefined);
        if (name !== undefined && seen.has(name)) continue;
        if (/^(previous|back)$/i.test(await opener.innerText().catch(() => ""))) continue;
        const isNew = await opener.evaluate(
          (button, [pressed, most]) => {
            // The branch that is looked at would be closed.
            if (button.ariaExpanded === "true" && button.ariaSelected === "true") return false;
            const times = (pressed.get(button) ?? 0) + 1;
            pressed.set(button, times);
            return times <= (button.closest(".g-form-end") ? most : 1) && button.checkVisibility();
          },
          [pressed, DEPTH],
        );
        if (!isNew) continue;
        seen.add(name);
        // The name of a branch stands at its beginning, and its own branches below it.
        const isBranch = await opener.evaluate((element) => element.role === "treeitem");
        const at = isBranch ? { position: { x: 40, y: 12 } } : {};
        await opener.click({ timeout: 1000, ...at }).catch(() => {});
        await settle(page);
        add("dialogs on screen", `${where} ${name}: `, await page.evaluate(see.dialogFaults));
        await each(name);
        await leave(page);
      }
      found = await page.$$(OPENERS);
    }
  };
  await opened("1280", async (name) => {
    await note();
    if (await page.$("dialog[open]")) await axeDialog(page, entry, name, "light", faults);
  });
  await note();
  for (const width of BETWEEN) {
    await page.setViewportSize({ width, height: DESKTOP.height });
    add("nothing sideways", `${width} `, [await page.evaluate(see.sideways)]);
  }
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  await settle(page);
  add("nothing sideways", "320 ", [await page.evaluate(see.sideways)]);
  if (!options.quick) add("axe", "dark ", await axeFaults(page));
  await opened("320", async (name) => {
    add("nothing sideways", `320 ${name} `, [await page.evaluate(see.sideways)]);
  });
  // Whether a space stands before a percent sign is the locale's.
  const flat = (text) => text.replace(/\s+/g, " ").replace(/ %/g, "%").trim();
  const all = flat(read);
  const has = (part) => all.includes(flat(part));
  add(
    "texts shown",
    "",
    (entry.shows ?? []).filter((part) => !has(part)),
  );
  add("nothing forbidden", "", (entry.never ?? []).filter(has));
  await page.context().close();
}

/** All actions, with a pointer on a desktop by day and by keys on a phone by night. */
async function walks(browser, entry, faults) {
  for (const [kind, look, walk] of [
    ["mouse", { colorScheme: "light", viewport: DESKTOP }, byMouse],
    ["keyboard", { colorScheme: "dark", viewport: PHONE }, byKeyboard],
  ]) {
    const { page, sent } = await open(browser, entry, look, faults["no errors"]);
    const seen = async (action) => {
      const found = await page.evaluate(see.dialogFaults);
      faults["dialogs on screen"].push(...found.map((line) => `${kind} ${action}: ${line}`));
      await axeDialog(page, entry, action, look.colorScheme, faults);
    };
    const late = new Promise((done) => setTimeout(done, WALK, ["not done in time"]).unref());
    faults[`actions by ${kind}`].push(
      ...(await Promise.race([walk(page, entry, sent, seen), late])),
    );
    await page
      .context()
      .close()
      .catch(() => {});
  }
}

/** What was found of each row of the rubric; of a row that could not be judged to its end, nothing. */
async function judge(browser, entry) {
  const faults = Object.fromEntries(RUBRIC.map((name) => [name, []]));
  const last = options.quick ? [looks] : [looks, walks];
  const whole = options.quick ? RUBRIC.filter((name) => !/axe|actions/.test(name)) : RUBRIC;
  try {
    for (const step of last) await step(browser, entry, faults);
  } catch (error) {
    return { "no errors": [String(error).slice(0, 300)] };
  }
  return Object.fromEntries(whole.map((name) => [name, faults[name]]));
}

const shown = await sessions();
const [part, parts] = options.part.split("/").map(Number);
const wanted = options.only.split(",");
const queue = [];
const sets = new Map();
for (const [nth, [name, label]] of Object.entries(await read("labels.json")).entries()) {
  const isKept = label.set.startsWith("kept");
  if (nth % parts !== part - 1) continue;
  if (!wanted.some((text) => name.includes(text)) || !label.set.includes(options.set)) continue;
  if (isKept && !options.kept) continue;
  const entry = await read(`contracts/${name}.json`);
  const { viewerUrl: url, sessionId: session } = shown.get(entry.intent) ?? {};
  if (!url) throw new Error(`not on the stage: ${name}`);
  queue.push({ ...entry, ...label, name, url, session, isKept, judged: new Set() });
  sets.set(label.set, Object.fromEntries(RUBRIC.map((name) => [name, { right: 0, all: 0 }])));
}
const browser = await launch();
const begun = performance.now();
await Promise.all(
  Array.from({ length: TOGETHER }, async () => {
    for (let entry = queue.shift(); entry; entry = queue.shift()) {
      const faults = await judge(browser, entry);
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
const both = [];
for (const half of ["used", "kept"]) {
  const names = [...sets.keys()].filter((name) => name.startsWith(half)).sort();
  if (names.length === 0) continue;
  both.push(...names.map((name) => [name, [name]]));
  if (names.length > 1) both.push([`all ${half}`, names]);
}
console.log(`\n${"".padEnd(22)}${both.map(([name]) => name.padStart(13)).join("")}`);
for (const what of RUBRIC) {
  const cells = both.map(([, names]) => {
    const rates = names.map((name) => sets.get(name)[what]);
    const sum = (of) => rates.reduce((total, rate) => total + rate[of], 0);
    return `${sum("right")}/${sum("all")}`.padStart(13);
  });
  console.log(`${what.padEnd(22)}${cells.join("")}`);
}
console.log(`\n${Math.round((performance.now() - begun) / 1000)} s`);
