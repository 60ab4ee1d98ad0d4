// Measures the guest of a running server: the first paint of a form and of a card, a table of
// 10,000 rows, and 1,000 messages a second in a log and a chart.
//   node tests/e2e/measure.mjs http://127.0.0.1:6781
import { chromium } from 'playwright-core';

const server = process.argv[2];
const SECONDS = 10;
const PER_SECOND = 1000;
const CONNECTIONS = 8;

let ids = 0;
async function call(name, args) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: ++ids, method: 'tools/call', params: { name, arguments: args } });
  const answer = await fetch(`${server}/mcp`, { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body });
  const { result, error } = await answer.json();
  if (error || result.isError) throw new Error(JSON.stringify(error ?? result));
  return result.structuredContent;
}

async function show(intent, contract, props = {}) {
  const { handshakeId } = await call('ggui_handshake', { intent, blueprintDraft: { contract } });
  return call('ggui_render', { handshakeId, props });
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--headless', '--no-sandbox', '--disable-gpu'] });

/** Opens a session's frame; long tasks are noted from the first paint on. */
async function open(shown) {
  const context = await browser.newContext({ viewport: { width: 1120, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.__long = [];
    new PerformanceObserver((list) => list.getEntries().forEach(({ startTime, duration }) => globalThis.__long.push({ startTime, duration }))).observe({ type: 'longtask', buffered: true });
  });
  await page.goto(`${shown.viewerUrl}/frame`);
  await page.locator('[data-component]').first().waitFor();
  return page;
}

const paint = (page) => page.evaluate(() => {
  const [navigation] = performance.getEntriesByType('navigation');
  const [first] = performance.getEntriesByName('first-contentful-paint');
  return { answered: Math.round(navigation.responseEnd), painted: Math.round(first.startTime) };
});
const longest = (page, from) => page.evaluate((from) => globalThis.__long.filter(({ startTime }) => startTime >= from).map(({ duration }) => Math.round(duration)), from);
const now = (page) => page.evaluate(() => performance.now());

const text = { type: 'string' };
const number = { type: 'number' };
const form = { actionSpec: { send: { label: 'Send', schema: { type: 'object', properties: { name: text, email: { ...text, format: 'email' }, notes: { ...text, maxLength: 900 } }, required: ['name'] } } } };
const card = { propsSpec: { properties: { name: { schema: text }, price: { schema: number }, status: { schema: { ...text, enum: ['open', 'paid'] } } } } };
for (const [name, contract, props] of [['form', form, {}], ['card', card, { name: 'Mug', price: 7.5, status: 'open' }]]) {
  const shown = await show(`A ${name}`, contract, props);
  const times = [];
  for (let load = 0; load < 5; load++) {
    const page = await open(shown);
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    times.push(await paint(page));
    await page.context().close();
  }
  times.sort((left, right) => left.painted - right.painted);
  console.log(`first paint of a ${name}: ${times[2].painted} ms after the request, ${times[2].painted - times[2].answered} ms after the answer (median of 5)`);
}

const record = { type: 'object', properties: { id: text, part: text, quantity: { type: 'integer' }, shelf: text }, required: ['id', 'part', 'quantity', 'shelf'] };
const parts = Array.from({ length: 10_000 }, (_, index) => ({ id: `p${index}`, part: `Part ${(index * 7919) % 10_000}`, quantity: (index * 31) % 997, shelf: `S${index % 40}` }));
const table = await open(await show('All parts as a table', { propsSpec: { properties: { parts: { schema: { type: 'array', items: record }, required: true } } } }, { parts }));
const steps = [
  ['sort', () => table.locator('th button').nth(1).click()],
  ['turn the page', () => table.getByText('Next').click()],
  ['filter', () => table.locator('input[type=search]').fill('Part 99')],
];
for (const [name, act] of steps) {
  const from = await now(table);
  await act();
  await table.waitForTimeout(400);
  console.log(`10,000 rows, ${name}: long tasks ${JSON.stringify(await longest(table, from))} ms`);
}
await table.context().close();

const point = { type: 'object', properties: { t: { type: 'integer' }, value: number }, required: ['t', 'value'] };
const live = await show('Watch it', { streamSpec: { log: { mode: 'append', schema: text }, load: { mode: 'append', schema: point } } });
const page = await open(live);
await page.waitForTimeout(1500);
const from = await now(page);
const began = Date.now();
let sent = 0;
await Promise.all(Array.from({ length: CONNECTIONS }, async () => {
  while (Date.now() - began < SECONDS * 1000) {
    const due = ((Date.now() - began) / 1000) * PER_SECOND;
    if (sent >= due) { await new Promise((resolve) => setTimeout(resolve, 1)); continue; }
    const index = sent++;
    const item = index % 2 ? { channel: 'load', payload: { t: index, value: Math.sin(index / 90) * 40 + (index % 7) } } : { channel: 'log', payload: `line ${index}: request served in ${index % 90} ms` };
    await call('ggui_emit', { sessionId: live.sessionId, ...item });
  }
}));
const rate = Math.round(sent / ((Date.now() - began) / 1000));
await page.waitForTimeout(500);
const tasks = await longest(page, from);
const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
console.log(`${rate} messages a second for ${SECONDS} s in a log and a chart: ${tasks.length} tasks over 50 ms, the longest ${Math.max(0, ...tasks)} ms; ${nodes} elements`);
await browser.close();
