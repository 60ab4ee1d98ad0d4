// Drives one Chromium for a test: a JSON command a line on stdin, its answer a line on stdout.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";
import { press } from "./press.mjs";
import { watchTasks } from "./tasks.mjs";

// How long anything on a page may take before the test calls it lost, in milliseconds: a machine with much else to do is slow, not broken.
const PATIENCE = 60_000;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    // Names of other sites, for pages that a test serves itself.
    "--host-resolver-rules=MAP *.example 127.0.0.1",
  ],
});
const problems = [];
// Ends a trace that was begun, and gives what it saw.
let watched;
let page;
// What the browser cannot reach now, by name, and the sockets it has open.
const ways = { socket: /\/ws\?/, stream: /\/stream\?/, events: /\/(events|state)\?/ };
const blocked = new Set();
const sockets = new Set();

// A network between the browser and the server that a test can cut.
async function intercept(context) {
  await context.routeWebSocket(ways.socket, (socket) => {
    if (blocked.has("socket")) return socket.close({ code: 4000 });
    socket.connectToServer();
    sockets.add(socket);
  });
  for (const name of ["stream", "events"]) {
    await context.route(ways[name], (route) =>
      blocked.has(name) ? route.abort() : route.continue(),
    );
  }
}

const within = ({ frame }) => (frame ? page.frameLocator(frame) : page);
const found = (command) => within(command).locator(command.selector).first();

async function cut(code) {
  for (const socket of sockets) await socket.close({ code });
  sockets.clear();
}

const verbs = {
  async open({
    url,
    width = 1280,
    height = 900,
    scheme = "light",
    network = false,
    bypass = false,
    headers = {},
  }) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: scheme,
      bypassCSP: bypass,
      extraHTTPHeaders: headers,
    });
    context.setDefaultTimeout(PATIENCE);
    if (network) await intercept(context);
    page = await context.newPage();
    page.on("console", (message) => {
      if (message.type() === "error") problems.push(message.text());
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    const response = await page.goto(url);
    return response.status();
  },
  click: (command) => press(found(command)),
  fill: (command) => found(command).fill(command.value),
  // With the pointer, step by step, as a hand does.
  async drag(command) {
    await found(command).dragTo(within(command).locator(command.target).first(), { steps: 5 });
  },
  choose: (command) => found(command).selectOption(command.value),
  text: (command) => found(command).innerText(),
  attribute: (command) => found(command).getAttribute(command.name),
  count: (command) => within(command).locator(command.selector).count(),
  async see(command) {
    const seen = within(command).locator(command.selector).filter({ hasText: command.text });
    await seen.first().waitFor({ state: "visible" });
  },
  // Leaves a mark that a reload would wipe out.
  async mark(command) {
    await found(command).evaluate(() => {
      globalThis.__kept = true;
    });
  },
  isKept: (command) => found(command).evaluate(() => globalThis.__kept === true),
  // From now on the browser reaches none of these ways, and the sockets it has are closed.
  async block({ names, code = 1001 }) {
    for (const name of names) blocked.add(name);
    if (names.includes("socket")) await cut(code);
  },
  unblock({ names }) {
    for (const name of names) blocked.delete(name);
  },
  cut: ({ code }) => cut(code),
  // The value of an expression in a document, once it is settled.
  async evaluate({ frame, code }) {
    const target = frame
      ? await (await page.locator(frame).first().elementHandle()).contentFrame()
      : page;
    return target.evaluate(code);
  },
  async watch() {
    watched = await watchTasks(browser);
  },
  watched: () => watched(),
  async reload() {
    await page.reload();
  },
  // As on paper from now on.
  print: () => page.emulateMedia({ media: "print" }),
  key: ({ key }) => page.keyboard.press(key),
  resize: ({ width, height }) => page.setViewportSize({ width, height }),
  // Whether the page can be scrolled sideways.
  overflows: () =>
    page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    ),
  // What axe finds on the page as it is, in one scheme, one line a node; the frames are looked at elsewhere.
  async axe({ scheme }) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    if (!(await page.evaluate(() => "axe" in globalThis)))
      await page.evaluate(
        await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"),
      );
    const { violations } = await page.evaluate(() => globalThis.axe.run({ exclude: "iframe" }));
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`),
    );
  },
  screenshot: ({ path }) => page.screenshot({ path }),
  problems: () => problems,
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  let answer;
  try {
    answer = { ok: (await verbs[command.verb](command)) ?? null };
  } catch (error) {
    answer = { error: String(error), problems };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();
