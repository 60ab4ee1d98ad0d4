// The four hosts of the guest, each as a person has it in front of them, behind one set of words.
import { chromium } from "playwright-core";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { PATIENCE } from "../world.mjs";

/** Milliseconds between two signs of life of a session that ends soon without them. */
const HEARTBEAT = 1000;

/** A bit of everything a view can be made of. */
export const contract = {
  propsSpec: {
    properties: {
      title: { schema: { type: "string" }, required: true },
      site: { schema: { type: "string", format: "uri" } },
      lines: { schema: { type: "array", items: { type: "string" } } },
      items: { schema: { type: "array", items: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } }, required: ["id", "name"] } } },
    },
  },
  actionSpec: {
    approve: { label: "Approve" },
    // What is shown may be more than what may be picked: then the server refuses.
    pick: { label: "Pick", schema: { type: "object", properties: { id: { type: "integer", maximum: 5 } }, required: ["id"] } },
  },
  streamSpec: { log: { schema: { type: "string" }, mode: "append", replay: "all" } },
  contextSpec: { remark: { schema: { type: "string" }, default: "", debounceMs: 0 } },
};
export const intent = "Approve the offer";
export const props = { title: "Ten percent off", site: "https://shop.example/offer", items: [{ id: 3, name: "Three" }, { id: 9, name: "Nine" }] };

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
    // As most people have them: they take room.
    ignoreDefaultArgs: ["--hide-scrollbars"],
  });

/** An agent's side: its calls, by name. */
export async function agentOf(server) {
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(server.mcpUrl)));
  const call = (name, args) => client.callTool({ name, arguments: args });
  const data = async (name, args) => (await call(name, args)).structuredContent;
  return {
    call: data,
    /** The arguments and the result of a render, as a host sees them. */
    async render() {
      const { handshakeId } = await data("ggui_handshake", { intent, blueprintDraft: { contract } });
      const input = { handshakeId, props };
      const result = await call("ggui_render", input);
      const { sessionId, viewerUrl } = result.structuredContent;
      return { input, result, sessionId, viewerUrl };
    },
    amend: (sessionId, patch) => data("ggui_amend", { sessionId, kind: "merge", patch }),
    update: (sessionId, patch) => data("ggui_update", { sessionId, kind: "merge", patch }),
    say: (sessionId, line) => data("ggui_emit", { sessionId, channel: "log", payload: line }),
    consume: (sessionId, timeout = 25) => data("ggui_consume", { sessionId, timeout }),
    close: () => client.close(),
  };
}

/** In a frame: notes whether a scroll bar ever made it narrower. */
function noteScrollBars() {
  const look = () => {
    globalThis.hadScrollBar ||= innerWidth > document.documentElement?.clientWidth;
    requestAnimationFrame(look);
  };
  if (parent !== self) look();
}

/** A page whose sockets can be cut. */
async function newPage(browser, { scheme = "light" } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: scheme });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(noteScrollBars);
  const page = await context.newPage();
  const network = { isCut: false, open: new Set() };
  await context.routeWebSocket(/\/ws\?/, (socket) => {
    if (network.isCut) return socket.close({ code: 4000 });
    const server = socket.connectToServer();
    network.open.add(socket);
    socket.onClose((code, reason) => {
      network.open.delete(socket);
      // What is heard of a close travels on only where nobody listens; 1005 may be heard, and not said.
      server.close({ code: code === 1005 || code === 1001 ? 1000 : code, reason });
    });
  });
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  return {
    page,
    problems,
    sockets: () => network.open.size,
    async cut() {
      network.isCut = true;
      for (const socket of network.open) await socket.close({ code: 4000 });
      network.open.clear();
    },
    heal: () => (network.isCut = false),
  };
}

/** A chat host with the guest in it; `seen` is what the host was told. */
export async function mount(kind, { browser, pages, server }, { context = {}, csp, sandbox = pages.sandbox, scheme, tool = {} } = {}) {
  const { page, ...rest } = await newPage(browser, { scheme });
  await page.goto(pages.host(kind));
  await page.waitForFunction(() => globalThis.host !== undefined);
  const url = new URL(sandbox);
  const open = { connectDomains: [server.origin, server.origin.replace("http", "ws")], resourceDomains: [server.origin] };
  url.searchParams.set("csp", JSON.stringify(csp ?? open));
  const guest = page.frameLocator("#app iframe").frameLocator("iframe");
  return {
    kind,
    page,
    guest,
    ...rest,
    opened: page.evaluate((given) => globalThis.host.open(given), { mcpUrl: server.mcpUrl, sandboxUrl: url.href, context, tool }),
    notify: (verb, given) => page.evaluate(([name, what]) => globalThis.host[name](what), [verb, given]),
    seen: () => page.evaluate(() => structuredClone(globalThis.host.seen)),
    /** Waits until what the host has seen fits. */
    until: (fits, given) => page.waitForFunction(`(${fits})(globalThis.host.seen, ${JSON.stringify(given ?? null)})`),
    live: () => guest.locator('main[data-live="open"]').waitFor(),
  };
}

/** A fresh render in one of the hosts. A chat gives the shell first, then the input, then the result. */
export async function shown(kind, world, options = {}) {
  const agent = await agentOf(world.server);
  const render = await agent.render();
  // A session that would end soon lives until it is drawn.
  const life = options.isShort && setInterval(() => agent.say(render.sessionId, "still here").catch(() => {}), HEARTBEAT);
  try {
    const host = await (kind === "stage" || kind === "plain" ? opened(kind, world, render, options) : delivered(kind, world, render, options));
    await host.guest.getByRole("heading", { level: 1 }).waitFor();
    if (!options.csp) await host.live();
    const close = async () => {
      await host.page.context().close();
      await agent.close();
    };
    return { ...host, agent, ...render, close };
  } finally {
    // Else the tests never end where one has failed.
    clearInterval(life);
  }
}

async function delivered(kind, world, { input, result }, options) {
  const host = await mount(kind, world, options);
  await host.opened;
  await host.until((seen) => seen.initialized !== null);
  await host.notify("input", input);
  await host.notify("result", result);
  return host;
}

async function opened(kind, { browser, pages, server }, { sessionId, viewerUrl }, { scheme }) {
  const { page, ...rest } = await newPage(browser, { scheme });
  const frame = kind === "stage" ? `[data-session="${sessionId}"] iframe` : "iframe";
  await page.goto(kind === "stage" ? `${server.origin}/#s=${sessionId}` : `${pages.host("plain")}?src=${encodeURIComponent(`${viewerUrl}/frame`)}`);
  const guest = page.frameLocator(frame);
  return { kind, page, guest, frame, ...rest, live: () => guest.locator('main[data-live="open"]').waitFor() };
}
