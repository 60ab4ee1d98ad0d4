// The guest in the two hosts most chat applications are built on, in a real browser, against the real
// server: what the person sees, what reaches the agent, what reaches the host.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { chromium } from "playwright-core";
import { servePages } from "./hosts/pages.mjs";
import { PATIENCE, startServer } from "./world.mjs";

const contract = {
  propsSpec: {
    properties: {
      title: { schema: { type: "string" }, required: true },
      lines: { schema: { type: "array", items: { type: "string" } } },
    },
  },
  actionSpec: { approve: { label: "Approve" } },
  streamSpec: { log: { schema: { type: "string" }, mode: "append", replay: "all" } },
};
const intent = "Approve the offer";

let browser;
let pages;
before(async () => {
  pages = await servePages();
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
  });
});
after(async () => {
  await browser?.close();
  pages?.close();
});

/** An agent's side: its calls, by name. */
async function agentOf(server) {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.mcpUrl)));
  const call = (name, args) => client.callTool({ name, arguments: args });
  const data = async (name, args) => (await call(name, args)).structuredContent;
  return {
    call: data,
    /** The arguments and the result of a render, as a host sees them. */
    async render(props = { title: "Ten percent off" }) {
      const { handshakeId } = await data("ggui_handshake", { intent, blueprintDraft: { contract } });
      const input = { handshakeId, props };
      const result = await call("ggui_render", input);
      return { input, result, sessionId: result.structuredContent.sessionId };
    },
    close: () => client.close(),
  };
}

/** A host page with the guest in it; `seen` is what the host was told. */
async function mount(kind, server, { context = {}, csp, sandbox = pages.sandbox } = {}) {
  const page = await browser.newPage({ viewport: { width: 900, height: 800 } });
  page.setDefaultTimeout(PATIENCE);
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(pages.host(kind));
  await page.waitForFunction(() => globalThis.host !== undefined);
  const url = new URL(sandbox);
  const open = { connectDomains: [server.origin, server.origin.replace("http", "ws")], resourceDomains: [server.origin] };
  url.searchParams.set("csp", JSON.stringify(csp ?? open));
  const guest = page.frameLocator("#app iframe").frameLocator("iframe");
  return {
    page,
    guest,
    problems,
    opened: page.evaluate((given) => globalThis.host.open(given), { mcpUrl: server.mcpUrl, sandboxUrl: url.href, context }),
    tell: (verb, given) => page.evaluate(([name, what]) => globalThis.host[name](what), [verb, given]),
    seen: () => page.evaluate(() => structuredClone(globalThis.host.seen)),
    /** Waits until what the host has seen fits. */
    until: (fits, given) => page.waitForFunction(`(${fits})(globalThis.host.seen, ${JSON.stringify(given ?? null)})`),
    async live() {
      await guest.locator('main[data-live="open"]').waitFor();
    },
  };
}

/** Mounts a fresh render, as a chat does: the shell first, then the input, then the result. */
async function shown(kind, server, options) {
  const agent = await agentOf(server);
  const { input, result, sessionId } = await agent.render(options?.props);
  const host = await mount(kind, server, options);
  await host.opened;
  await host.until((seen) => seen.initialized !== null);
  await host.tell("input", input);
  await host.tell("result", result);
  await host.guest.getByRole("heading", { name: intent }).waitFor();
  const close = async () => {
    await host.page.close();
    await agent.close();
  };
  return { ...host, agent, sessionId, input, result, close };
}

// AppRenderer waits ten seconds for a sandbox page that is missing: the others go on meanwhile.
describe("hosts", { concurrency: 3 }, () => {
  for (const [kind, name] of [
    ["bridge", "an AppBridge host"],
    ["renderer", "AppRenderer"],
  ]) {
    describe(`the guest in ${name}`, () => {
      let server;
      before(async () => (server = await startServer()));
      after(() => server.stop());

      test("initializes with its name and what it can, and draws the result of the tool", async () => {
        const host = await shown(kind, server);
        const { initialized } = await host.seen();
        assert.equal(initialized.app.name, "proscenium-guest");
        assert.ok(initialized.capabilities.availableDisplayModes.includes("inline"));
        await host.guest.getByText("Ten percent off").waitFor();
        await host.live();
        if (process.env.SCREENSHOTS) await host.page.screenshot({ path: `${process.env.SCREENSHOTS}/${kind}.png` });
        assert.deepEqual(host.problems, []);
        await host.close();
      });

      test("hands a click to an agent that waits, and rings no bell", async () => {
        const host = await shown(kind, server);
        await host.live();
        const waiting = host.agent.call("ggui_consume", { sessionId: host.sessionId, timeout: 25 });
        await host.guest.getByRole("button", { name: "Approve" }).click();
        const { events } = await waiting;
        assert.equal(events[0].intent, "approve");
        await host.agent.call("ggui_amend", { sessionId: host.sessionId, kind: "merge", patch: { title: "Approved" } });
        await host.guest.getByText("Approved", { exact: true }).waitFor();
        assert.deepEqual((await host.seen()).messages, []);
        await host.close();
      });

      test("rings the conversation when a click finds no agent waiting; the click is kept", async () => {
        const host = await shown(kind, server);
        await host.live();
        await host.guest.getByRole("button", { name: "Approve" }).click();
        await host.until((seen) => seen.messages.length === 1);
        const [message] = (await host.seen()).messages;
        assert.equal(message.role, "user");
        assert.match(message.content[0].text, /ggui_consume/);
        assert.ok(message.content[0].text.includes(host.sessionId));
        const { events } = await host.agent.call("ggui_consume", { sessionId: host.sessionId, timeout: 0 });
        assert.equal(events.length, 1);
        await host.close();
      });

      test("tells the host its height whenever it changes", async () => {
        const host = await shown(kind, server);
        await host.live();
        await host.until((seen) => seen.sizes.length > 0);
        const before = (await host.seen()).sizes.at(-1).height;
        const lines = Array.from({ length: 12 }, (_, i) => `Line ${i}`);
        await host.agent.call("ggui_amend", { sessionId: host.sessionId, kind: "merge", patch: { lines } });
        await host.until((seen, height) => seen.sizes.at(-1).height > height + 100, before);
        const frame = await host.page.locator("#app iframe").boundingBox();
        assert.ok(Math.abs(frame.height - (await host.seen()).sizes.at(-1).height) <= 2);
        await host.close();
      });

      test("wears the host's theme and variables, and follows them", async () => {
        const context = { theme: "dark", locale: "de-DE", displayMode: "inline", styles: { variables: { "--color-background-primary": "#101418" } } };
        const host = await shown(kind, server, { context });
        const root = host.guest.locator("html");
        const worn = () => root.evaluate((element) => [element.dataset.theme, element.lang, getComputedStyle(element).getPropertyValue("--color-background-primary")]);
        assert.deepEqual(await worn(), ["dark", "de-DE", "#101418"]);
        if (process.env.SCREENSHOTS) await host.page.screenshot({ path: `${process.env.SCREENSHOTS}/${kind}-dark.png` });
        await host.tell("context", { ...context, theme: "light" });
        await host.guest.locator('html[data-theme="light"]').waitFor();
        await host.close();
      });

      test("fills the screen it is given, beside what lies under a notch", async () => {
        const host = await shown(kind, server, { context: { displayMode: "inline" } });
        const measured = () => host.guest.locator("main").evaluate((main) => [main.getBoundingClientRect().height >= innerHeight, getComputedStyle(main).paddingTop]);
        await host.page.locator("#app iframe").evaluate((frame) => frame.style.setProperty("min-height", "780px"));
        assert.deepEqual(await measured(), [false, "16px"]);
        await host.tell("context", { displayMode: "fullscreen", safeAreaInsets: { top: 30, right: 0, bottom: 0, left: 0 } });
        await host.guest.locator('html[data-display-mode="fullscreen"]').waitFor();
        assert.deepEqual(await measured(), [true, "46px"]);
        if (process.env.SCREENSHOTS) await host.page.screenshot({ path: `${process.env.SCREENSHOTS}/${kind}-fullscreen.png` });
        await host.tell("context", { displayMode: "inline" });
        await host.guest.locator('html[data-display-mode="inline"]').waitFor();
        await host.close();
      });

      test("answers a teardown and leaves the live channel", async () => {
        const host = await shown(kind, server);
        await host.live();
        await host.tell("teardown");
        await host.guest.locator('main[data-live="ended"]').waitFor();
        await host.close();
      });

      test("works where nothing but the host can be reached: clicks and answers travel through its tools", async () => {
        const host = await shown(kind, server, { csp: {} });
        await host.guest.getByRole("button", { name: "Approve" }).click();
        await host.until((seen) => seen.calls.includes("ggui_runtime_submit_action"));
        await host.until((seen) => seen.messages.length === 1);
        const { events } = await host.agent.call("ggui_consume", { sessionId: host.sessionId, timeout: 0 });
        assert.deepEqual(events.map((event) => event.intent), ["approve"]);
        await host.agent.call("ggui_amend", { sessionId: host.sessionId, kind: "merge", patch: { title: "Approved" } });
        await host.guest.getByText("Approved", { exact: true }).waitFor();
        await host.close();
      });

      test("reads the render through the host when that hands on no _meta", async () => {
        const agent = await agentOf(server);
        const { input, result } = await agent.render();
        const host = await mount(kind, server);
        await host.opened;
        await host.until((seen) => seen.initialized !== null);
        const { content, structuredContent } = result;
        await host.tell("input", input);
        await host.tell("result", { content, structuredContent });
        await host.guest.getByText("Ten percent off").waitFor();
        await host.live();
        await host.page.close();
        await agent.close();
      });

      test("says in a sentence, without a code, that a session has ended", async (t) => {
        const short = await startServer({ SESSIONS_IDLE_TTL_S: 3 });
        t.after(() => short.stop());
        const host = await shown(kind, short);
        await host.guest.getByText("Your session expired.").waitFor();
        assert.doesNotMatch(await host.guest.locator("main").innerText(), /[A-Z]+_[A-Z]+|-32\d{3}/);
        // The same result, mounted again when the session is gone: a chat that was opened a day later.
        const again = await mount(kind, short);
        await again.opened;
        await again.until((seen) => seen.initialized !== null);
        await again.tell("result", host.result);
        await again.guest.getByText("Your session expired.").waitFor();
        assert.doesNotMatch(await again.guest.locator("main").innerText(), /[A-Z]+_[A-Z]+|-32\d{3}/);
        if (process.env.SCREENSHOTS) await again.page.screenshot({ path: `${process.env.SCREENSHOTS}/${kind}-expired.png` });
        await again.page.close();
        await host.close();
      });
    });
  }

  test("AppRenderer tells its application when the sandbox page is missing", async (t) => {
    const server = await startServer();
    t.after(() => server.stop());
    const host = await mount("renderer", server, { sandbox: pages.sandbox.replace("sandbox.html", "missing.html") });
    await host.opened;
    await host.until((seen) => seen.errors.length > 0);
    assert.match((await host.seen()).errors[0], /sandbox/i);
    await host.page.close();
  });
});
