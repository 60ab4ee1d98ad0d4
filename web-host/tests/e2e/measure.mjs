// Measures the guest of a running server in Chromium and prints one JSON object: the first paint of a
// form and of a card, what is done with a table of 10,000 rows, and 1,000 messages a second in a log
// and a chart. Times of tasks are those the processor spent, so other work on the machine does not
// count; what the eye waits for is given as it was, beside the same of an empty page.
//   node tests/e2e/measure.mjs http://127.0.0.1:6781 [seconds of streaming]
import { createServer } from "node:http";
import { chromium } from "playwright-core";
import { watchTasks } from "./tasks.mjs";

const server = process.argv[2];
const SECONDS = Number(process.argv[3] ?? 10);
const PER_SECOND = 1000;
const LOADS = 7;
// Messages that are sent in one request, and requests at a time.
const BATCH = 25;
const CONNECTIONS = 4;
// What a channel keeps: the stream is measured once that is full and old messages have to go.
const RING = 1000;
// A machine that is busy elsewhere makes a task long now and then, ours are long every time.
const TRIES = 3;

let ids = 0;
const request = (name, args) => ({
  jsonrpc: "2.0",
  id: ++ids,
  method: "tools/call",
  params: { name, arguments: args },
});

async function ask(body) {
  const answer = await fetch(`${server}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(body),
  });
  const answers = [await answer.json()].flat();
  const failed = answers.find(({ error, result }) => error || result.isError);
  if (failed) throw new Error(JSON.stringify(failed));
  return answers.map(({ result }) => result.structuredContent);
}

async function show(intent, contract, props = {}) {
  const [{ handshakeId }] = await ask(
    request("ggui_handshake", { intent, blueprintDraft: { contract } }),
  );
  const [shown] = await ask(request("ggui_render", { handshakeId, props }));
  return { sessionId: shown.sessionId, url: `${shown.viewerUrl}/frame` };
}

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});

/** A page of its own, with a view on its processor time and its memory. */
async function open(url) {
  const context = await browser.newContext({ viewport: { width: 1120, height: 800 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(url);
  const metrics = async () =>
    Object.fromEntries(
      (await devtools.send("Performance.getMetrics")).metrics.map(({ name, value }) => [
        name,
        value,
      ]),
    );
  return {
    page,
    metrics,
    async memory() {
      await devtools.send("HeapProfiler.collectGarbage");
      const { JSHeapUsedSize, Nodes } = await metrics();
      return {
        heapKb: Math.round(JSHeapUsedSize / 1024),
        nodes: Nodes,
        elements: await page.evaluate(() => document.querySelectorAll("*").length),
      };
    },
    close: () => context.close(),
  };
}

const median = (values) => values.toSorted((left, right) => left - right)[values.length >> 1];

/** From the answer to the first content, and the processor time of the main thread until then. */
async function firstPaint(url) {
  const loads = [];
  for (let load = 0; load < LOADS; load++) {
    const { page, metrics, close } = await open(url);
    await page.waitForFunction(
      () => performance.getEntriesByName("first-contentful-paint").length > 0,
      undefined,
      { polling: 10 },
    );
    const { TaskDuration } = await metrics();
    const waited = await page.evaluate(
      () =>
        performance.getEntriesByName("first-contentful-paint")[0].startTime -
        performance.getEntriesByType("navigation")[0].responseEnd,
    );
    loads.push({ waited, busy: TaskDuration * 1000 });
    await close();
  }
  return {
    ms: Math.round(median(loads.map(({ waited }) => waited))),
    cpuMs: Math.round(median(loads.map(({ busy }) => busy))),
  };
}

/** What the main threads of all pages do meanwhile. */
async function watched(act) {
  const stop = await watchTasks(browser);
  await act();
  return stop();
}

/** The calmest of a few tries, the first without a long task among them. */
async function calmest(act) {
  let best;
  for (let tries = 0; tries < TRIES && best?.long !== 0; tries++) {
    const seen = await watched(act);
    if (!best || seen.longestMs < best.longestMs) best = seen;
  }
  return best;
}

const text = { type: "string" };
const number = { type: "number" };

async function paints() {
  const form = {
    actionSpec: {
      send: {
        label: "Send",
        schema: {
          type: "object",
          properties: {
            name: text,
            email: { ...text, format: "email" },
            notes: { ...text, maxLength: 900 },
          },
          required: ["name"],
        },
      },
    },
  };
  const card = {
    propsSpec: {
      properties: {
        name: { schema: text },
        price: { schema: number },
        status: { schema: { ...text, enum: ["open", "paid"] } },
      },
    },
  };
  const shownForm = await show("A form", form);
  const shownCard = await show("A card", card, { name: "Mug", price: 7.5, status: "open" });
  // As the frame is served, with nothing in it: what this machine needs for any page.
  const policy = (await fetch(shownForm.url)).headers.get("content-security-policy");
  const empty = createServer((_, response) =>
    response
      .writeHead(200, { "content-type": "text/html", "content-security-policy": policy })
      .end("<!doctype html><p>Hello</p>"),
  );
  await new Promise((listening) => empty.listen(0, "127.0.0.1", listening));
  const times = {
    empty: await firstPaint(`http://127.0.0.1:${empty.address().port}/`),
    form: await firstPaint(shownForm.url),
    card: await firstPaint(shownCard.url),
  };
  empty.close();
  return times;
}

async function table() {
  const record = {
    type: "object",
    properties: { id: text, part: text, quantity: { type: "integer" }, shelf: text },
    required: ["id", "part", "quantity", "shelf"],
  };
  const parts = Array.from({ length: 10_000 }, (_, index) => ({
    id: `p${index}`,
    part: `Part ${(index * 7919) % 10_000}`,
    quantity: (index * 31) % 997,
    shelf: `S${index % 40}`,
  }));
  const shown = await show(
    "All parts as a table",
    {
      propsSpec: {
        properties: { parts: { schema: { type: "array", items: record }, required: true } },
      },
    },
    { parts },
  );
  const { page, close } = await open(shown.url);
  await page.locator("[data-component=Table]").waitFor();
  let filters = 0;
  const steps = {
    sort: () => page.locator("th button").nth(1).click(),
    "turn the page": () => page.getByText("Next").click(),
    filter: () => page.locator("input[type=search]").fill(`Part 9${filters++ % 10}`),
  };
  const times = {};
  for (const [name, act] of Object.entries(steps)) {
    times[name] = await calmest(async () => {
      await act();
      await page.waitForTimeout(400);
    });
  }
  await close();
  return times;
}

async function stream() {
  const point = {
    type: "object",
    properties: { t: { type: "integer" }, value: number },
    required: ["t", "value"],
  };
  const { sessionId, url } = await show("Watch it", {
    streamSpec: { log: { mode: "append", schema: text }, load: { mode: "append", schema: point } },
  });
  const { page, metrics, memory, close } = await open(url);
  await page.locator("main[data-live=open] [data-component=Log]").waitFor();
  let sent = 0;
  const next = () => {
    const index = sent++;
    const item =
      index % 2
        ? { channel: "load", payload: { t: index, value: Math.sin(index / 90) * 40 + (index % 7) } }
        : { channel: "log", payload: `line ${index}: request served in ${index % 90} ms` };
    return request("ggui_emit", { sessionId, ...item });
  };
  /** At the rate, or as near to it as the server comes on this machine. */
  const send = async (seconds) => {
    const began = Date.now();
    const before = sent;
    // What a machine that stood still is behind by is not made up for: that would be another rate.
    let forgiven = 0;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (let spent = 0; spent < seconds; spent = (Date.now() - began) / 1000) {
          const behind = spent * PER_SECOND - forgiven - (sent - before);
          forgiven += Math.max(0, behind - PER_SECOND / 4);
          if (behind >= BATCH) await ask(Array.from({ length: BATCH }, next));
          else await new Promise((resolve) => setTimeout(resolve, 2));
        }
      }),
    );
    const line = (sent - 1) & ~1;
    await page.getByText(`line ${line}:`).waitFor();
    return { messages: sent - before, seconds: (Date.now() - began) / 1000 };
  };
  while (sent < 2 * RING + 2 * BATCH) await send(1);
  const first = await memory();
  const busy = (await metrics()).TaskDuration;
  // A trace of ten minutes would be larger than what it looks at: its last seconds stand for it.
  const tail = Math.min(SECONDS, 10);
  const whole = SECONDS > tail ? await send(SECONDS - tail) : { messages: 0, seconds: 0 };
  const tasks = await calmest(async () => {
    const part = await send(tail);
    whole.messages += part.messages;
    whole.seconds += part.seconds;
  });
  const spent = (await metrics()).TaskDuration - busy;
  const last = await memory();
  await close();
  return {
    ...whole,
    perSecond: Math.round(whole.messages / whole.seconds),
    cpuShare: Number((spent / whole.seconds).toFixed(2)),
    ...tasks,
    first,
    last,
  };
}

const report = { paint: await paints(), table: await table(), stream: await stream() };
await browser.close();
process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
