// A browser for the judge, and its pages: opened anew for each look, ready as soon as they are quiet.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";
import { describe } from "./operate.mjs";

// How long anything on a page may take, in milliseconds.
const PATIENCE = 20_000;
/** How long a page has to stand still to be ready, in milliseconds: longer than a frame, and than what waits for one. */
const QUIET = 40;
/** How long the first data of a channel that may have none is waited for, in milliseconds. */
const FED = 500;
/** How long a page that never stands still is waited for, in milliseconds. */
const RESTLESS = 1_500;

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Remembers which actions a page sends. */
function listen(page) {
  const sent = new Set();
  page.on("websocket", (socket) =>
    socket.on("framesent", ({ payload }) => {
      const text = String(payload);
      if (!text.includes('"data:submit"')) return;
      const found = /"payload":\{"action":("(?:[^"\\]|\\.)*")/.exec(text);
      if (found) sent.add(JSON.parse(found[1]));
    }),
  );
  return sent;
}

/** Resolves once nothing on the page has changed for `quiet` milliseconds, or after `most` of them. */
function settled(quiet, most) {
  return new Promise((done) => {
    const begun = performance.now();
    let changed = begun;
    const watch = new MutationObserver(() => {
      changed = performance.now();
    });
    const all = { subtree: true, childList: true, attributes: true, characterData: true };
    watch.observe(document, all);
    const look = () => {
      const now = performance.now();
      if (now - changed < quiet && now - begun < most) return setTimeout(look, quiet / 4);
      watch.disconnect();
      done();
    };
    setTimeout(look, quiet);
  });
}

/** Waits until what was done to a page shows. */
export const settle = (page) =>
  page.evaluate(([quiet, most]) => globalThis.settled(quiet, most), [QUIET, RESTLESS]);

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
    ],
  });

/** Sends what channels that keep nothing have to send; answers whether every channel has something. */
async function feed({ contract, streams = {}, session, url }) {
  const channels = Object.entries(contract.streamSpec ?? {});
  for (const [channel, { replay = "none" }] of channels) {
    for (const payload of replay === "none" ? (streams[channel] ?? []) : []) {
      const params = { name: "ggui_emit", arguments: { sessionId: session, channel, payload } };
      const answer = await fetch(new URL("/mcp", url), {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      const { result } = await answer.json();
      if (!result || result.isError) throw new Error(`${channel} took nothing: ${url}`);
    }
  }
  return channels.every(([channel]) => streams[channel]?.length > 0);
}

/** A page of an entry with its own kept state, and the actions it sends. */
export async function open(browser, entry, look, errors) {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
    // The page's own policy refuses foreign scripts, and axe is one.
    bypassCSP: true,
    ...look,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => errors.push(String(error).slice(0, 200)));
  const sent = listen(page);
  await page.addInitScript(`globalThis.judged = ${describe}; globalThis.settled = ${settled}`);
  await page.goto(`${entry.url}/frame`);
  await page.waitForSelector("[data-component]");
  await page.waitForSelector("main[data-live=open]");
  const isWhole = await feed(entry);
  const isFed = () => !document.querySelector("[data-waiting]");
  await page
    .waitForFunction(isFed, undefined, { timeout: isWhole ? PATIENCE : FED })
    .catch(() => {});
  await settle(page);
  return { page, sent };
}

/** What axe finds on a page, or in the dialog on top of it, one line a node. */
export async function axeFaults(page, options = {}) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const violations = await page.evaluate((options) => {
    const top = [...document.querySelectorAll("dialog[open]")].at(-1);
    // Small targets are found only where that is asked for.
    const rules = options.runOnly ? undefined : { "target-size": { enabled: true } };
    const all = { resultTypes: ["violations"], ...(rules && { rules }), ...options };
    return globalThis.axe.run(top ?? document, all).then((result) => result.violations);
  }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => {
      const why = failureSummary.split("\n").slice(1, 2).join(" ").trim();
      return `${id}: ${html.slice(0, 140)} ${why.slice(0, 140)}`;
    }),
  );
}
