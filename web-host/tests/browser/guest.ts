// The guest as a shell carries it, on a page without a host, with a view of the test's own.

import type { Browser, Frame, Page } from "playwright-core";
import { guestInPieces } from "../../scripts/guest.mjs";
import { SUPPORTED_VERSIONS } from "../../src/wire/frames";

const root = new URL("../..", import.meta.url).pathname;
/** After this a page counts as hanging, in milliseconds; a machine with much else to do still draws in it. */
export const HANGS = 30_000;

let code: Promise<string> | undefined;

/** Built once, as the server's copy is. */
export function guestCode(): Promise<string> {
  code ??= guestInPieces(root, (text: string) => text).then(
    (guest: { code: string }) => guest.code,
  );
  return code;
}

export interface Shown {
  readonly page: Page;
  /** Whatever the page threw. */
  readonly errors: string[];
  /** The addresses it asked for. */
  readonly requested: string[];
  /** From the code's arrival to the second frame after it, in milliseconds. */
  readonly took: number;
}

export interface Given {
  readonly components?: readonly object[];
  readonly viewJson?: string;
  readonly props?: object;
  readonly propsJson?: string;
  readonly context?: { readonly [slot: string]: unknown };
  /** More of what the guest starts with. */
  readonly slice?: object;
  /** What the guest's socket brings once it has subscribed: so many bursts, one a moment. */
  readonly bursts?: readonly (readonly string[])[];
  /** What is clicked as soon as it stands in the document, before anything was painted. */
  readonly clicked?: string;
}

export async function show(
  browser: Browser,
  {
    components,
    viewJson,
    props = {},
    propsJson,
    context = {},
    slice: more = {},
    bursts,
    clicked,
  }: Given,
): Promise<Shown> {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  page.setDefaultTimeout(HANGS);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.route("**/*", (route) =>
    route.request().url().startsWith("data:") ? route.continue() : route.abort(),
  );
  await page.setContent('<!doctype html><html lang="en"><title>Guest</title><body></body></html>');
  const slice = {
    sessionId: "s",
    appId: "a",
    viewJson:
      viewJson ??
      JSON.stringify({
        version: "v0.9",
        catalogId: "urn:proscenium:catalog:v1",
        view: { components },
      }),
    propsJson: propsJson ?? JSON.stringify(props),
    contextSlots: Object.entries(context).map(([name, value]) => ({ name, default: value })),
    ...(bursts ? { wsUrl: "ws://127.0.0.1:9/ws", wsToken: "t" } : {}),
    ...more,
  };
  await page.evaluate(
    (slice) => Object.assign(globalThis, { __GGUI_META__: { "ai.ggui/render": slice } }),
    slice,
  );
  if (bursts) await page.evaluate(fakeSocket, bursts);
  if (clicked) await page.evaluate(clickAtOnce, clicked);
  const began = Date.now();
  await within(page.addScriptTag({ content: await guestCode(), type: "module" }), "to boot");
  await responds(page);
  return { page, errors, requested, took: Date.now() - began };
}

/** Runs in the page: a person who is quicker than the first picture. */
function clickAtOnce(selector: string): void {
  const watch = new MutationObserver(() => {
    const found = document.querySelector<HTMLElement>(selector);
    if (!found) return;
    watch.disconnect();
    Object.assign(globalThis, {
      __clickedUnseen: performance.getEntriesByType("paint").length === 0,
    });
    found.click();
  });
  watch.observe(document.body, { childList: true, subtree: true });
}

/** Runs in the page: a socket that brings messages faster than any network, then what the test says, and keeps what is sent. */
function fakeSocket(bursts: readonly (readonly string[])[]): void {
  const waiting = [...bursts];
  const sent: unknown[] = [];
  class Socket {
    static readonly OPEN = 1;
    readyState = 1;
    onopen?: () => void;
    onmessage?: (event: { data: string }) => void;
    onclose?: (event: { code: number; reason: string }) => void;
    constructor() {
      Object.assign(globalThis, {
        __socket: this,
        __opened: ((globalThis as any).__opened ?? 0) + 1,
      });
      (globalThis as any).__drawnFirst ??= document.querySelector("[data-component]") !== null;
      if ((globalThis as any).__cut) setTimeout(() => this.onclose?.({ code: 1006, reason: "" }));
      else setTimeout(() => this.onopen?.());
    }
    send(text: string): void {
      const frame = JSON.parse(text);
      if (frame.type === "action") sent.push(frame);
      if (frame.type === "action") Object.assign(globalThis, { __written: text });
      if (frame.type !== "subscribe") return;
      if (waiting.length > 0) this.bring();
      else for (const data of bursts[0] ?? []) this.onmessage?.({ data });
    }
    bring(): void {
      const burst = waiting.shift();
      if (!burst) return void Object.assign(globalThis, { __brought: true });
      for (const data of burst) this.onmessage?.({ data });
      setTimeout(() => this.bring());
    }
    close(): void {}
  }
  Object.assign(globalThis, { WebSocket: Socket, __sent: sent });
}

interface Chat {
  /** What the host says the moment it hears of the guest. */
  readonly first?: object;
  /** The results of tools it hands over, one right after the other. */
  readonly results?: readonly object[];
}

/** The guest in the frame of a chat host that hands it an earlier result of a tool, and has something to say the moment it hears of it. */
export async function showInChat(
  browser: Browser,
  slice: object,
  {
    first = { method: "ui/notifications/host-context-changed", params: {} },
    results = [{ content: [], _meta: { "ai.ggui/render": slice } }],
  }: Chat = {},
): Promise<{ page: Page; frame: Frame }> {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  page.setDefaultTimeout(HANGS);
  await page.setContent(
    '<!doctype html><html lang="en"><title>Chat</title><body><iframe title="Interface" srcdoc="<!doctype html><html lang=en><title>Guest</title><body></body></html>" width="800" height="600"></iframe></body></html>',
  );
  await page.evaluate(
    ({ slice, first, results }) => {
      const frame = document.querySelector("iframe")!.contentWindow!;
      const tell = (message: object) => frame.postMessage({ jsonrpc: "2.0", ...message }, "*");
      addEventListener("message", ({ data }) => {
        if (data?.type === "ggui:renderer-ready") tell(first);
        if (data?.method === "ui/initialize")
          tell({
            id: data.id,
            result: {
              protocolVersion: data.params.protocolVersion,
              hostInfo: { name: "chat", version: "1" },
              hostCapabilities: {},
              hostContext: {},
            },
          });
        if (data?.method === "ui/notifications/initialized")
          for (const params of results) tell({ method: "ui/notifications/tool-result", params });
        if (data?.method === "resources/read")
          tell({
            id: data.id,
            result: {
              contents: [
                {
                  text: `<script>globalThis.__GGUI_META__ = ${JSON.stringify({ "ai.ggui/render": slice })};</script>`,
                },
              ],
            },
          });
      });
    },
    { slice, first, results },
  );
  const frame = page.frames()[1]!;
  await frame.evaluate(fakeSocket, [[ACK]]);
  await frame.addScriptTag({ content: await guestCode(), type: "module" });
  return { page, frame };
}

/**
 * The guest in the frame of a host that relays tools but answers late, where no socket is ever opened:
 * something is clicked before the first picture. The calls of tools the host gets stand in `__called`.
 */
export async function showInLateHost(
  browser: Browser,
  slice: object,
  clicked: string,
): Promise<{ page: Page; frame: Frame }> {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  page.setDefaultTimeout(HANGS);
  await page.setContent(
    '<!doctype html><html lang="en"><title>Host</title><body><iframe title="Interface" srcdoc="<!doctype html><html lang=en><title>Guest</title><body></body></html>" width="800" height="600"></iframe></body></html>',
  );
  await page.evaluate(() => {
    const frame = document.querySelector("iframe")!.contentWindow! as Window & {
      __socket?: unknown;
    };
    const called: unknown[] = [];
    Object.assign(globalThis, { __called: called });
    const tell = (id: unknown, result: object) =>
      frame.postMessage({ jsonrpc: "2.0", id, result }, "*");
    const greet = (id: unknown, version: unknown): unknown =>
      frame.__socket
        ? tell(id, {
            protocolVersion: version,
            hostInfo: { name: "late", version: "1" },
            hostCapabilities: { serverTools: {} },
            hostContext: {},
          })
        : setTimeout(greet, 5, id, version);
    addEventListener("message", ({ data }) => {
      if (data?.method === "ui/initialize") greet(data.id, data.params.protocolVersion);
      if (data?.method !== "tools/call") return;
      called.push(data.params);
      if (data.params.name === "ggui_runtime_pull" && !data.params.arguments.wait)
        tell(data.id, { structuredContent: { events: [], lastSequence: 0, hasMore: false } });
      if (data.params.name === "ggui_runtime_submit_action")
        tell(data.id, { structuredContent: { ok: true, consumerPresent: true } });
    });
  });
  const frame = page.frames()[1]!;
  await frame.evaluate(fakeSocket, []);
  await frame.evaluate(
    (slice) =>
      Object.assign(globalThis, { __cut: true, __GGUI_META__: { "ai.ggui/render": slice } }),
    slice,
  );
  await frame.evaluate(clickAtOnce, clicked);
  await frame.addScriptTag({ content: await guestCode(), type: "module" });
  return { page, frame };
}

/** What the server says next. */
export function say(page: Page | Frame, frame: object): Promise<void> {
  return page.evaluate(
    (data) => (globalThis as any).__socket.onmessage?.({ data }),
    JSON.stringify(frame),
  );
}

/** What the server says next, and the words that come of it, however soon they go again. */
export function hear(page: Page, frame: object, words: string): Promise<unknown> {
  return within(
    page.evaluate(
      ([data, words]) =>
        new Promise<void>((heard) => {
          const listen = () => document.body.innerText.includes(words) && heard();
          new MutationObserver(listen).observe(document.body, {
            subtree: true,
            childList: true,
            characterData: true,
          });
          (globalThis as any).__socket.onmessage({ data });
        }),
      [JSON.stringify(frame), words] as const,
    ),
    `to say "${words}"`,
  );
}

/** The actions the guest has sent. */
export function sentBy(page: Page): Promise<any[]> {
  return page.evaluate(() => (globalThis as any).__sent);
}

/** The network goes away, or comes back. */
export function cut(page: Page, away: boolean): Promise<void> {
  return page.evaluate((away) => {
    Object.assign(globalThis, { __cut: away });
    if (away) (globalThis as any).__socket.onclose?.({ code: 1006, reason: "" });
    else dispatchEvent(new Event("online"));
  }, away);
}

/** The answer to a subscription. */
export const ACK = JSON.stringify({
  type: "ack",
  requestId: "subscribe",
  payload: {
    serverVersion: SUPPORTED_VERSIONS[0],
    sequence: 1,
    session: { id: "s", appId: "a", epoch: 0 },
  },
});

/** Two frames pass: the page is not busy with something that does not end. */
export function responds(page: Page | Frame): Promise<unknown> {
  return within(
    page.evaluate(
      () =>
        new Promise((done) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => setTimeout(() => done(undefined))),
          ),
        ),
    ),
    "to go on",
  );
}

export function within<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>(
    (_, refuse) =>
      (timer = setTimeout(
        () => refuse(new Error(`the page takes longer than ${HANGS} ms ${what}`)),
        HANGS,
      )),
  );
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export function textOf(page: Page): Promise<string> {
  return within(
    page.evaluate(() => document.body.innerText),
    "to be read",
  );
}

export function countOf(page: Page): Promise<number> {
  return within(
    page.evaluate(() => document.querySelectorAll("*").length),
    "to be counted",
  );
}

/** The guest in the sandboxed frame of a page that scrolls: the frame becomes as tall as the guest says it is. */
export async function showOnPage(
  browser: Browser,
  components: readonly object[],
  viewport: { readonly width: number; readonly height: number },
  {
    host = {},
    slice = {},
    bursts,
  }: {
    readonly host?: object;
    readonly slice?: object;
    readonly bursts?: Given["bursts"];
  } = {},
): Promise<{ page: Page; frame: Frame }> {
  const page = await browser.newPage({ viewport });
  page.setDefaultTimeout(HANGS);
  await page.setContent(
    `<!doctype html><html lang="en"><title>Page</title><body style="margin:0">
    <div id="before" style="height:300px">Before</div>
    <iframe title="Interface" sandbox="allow-scripts allow-forms" style="display:block;width:100%;height:160px;border:0"
      srcdoc="<!doctype html><html lang=en><title>Guest</title><style>html,body{margin:0}</style><body></body></html>"></iframe>
    <div style="height:1500px">After</div></body></html>`,
  );
  await page.evaluate((host) => {
    const element = document.querySelector("iframe")!;
    addEventListener("message", ({ data }) => {
      if (data?.method === "proscenium/keep")
        Object.assign(globalThis, { __kept: data.params.text });
      if (data?.method === "proscenium/paper")
        Object.assign(globalThis, { __paper: data.params.height });
      if (data?.method === "ui/notifications/size-changed")
        element.style.height = `${data.params.height}px`;
      if (data?.method === "ui/initialize")
        element.contentWindow!.postMessage(
          {
            jsonrpc: "2.0",
            id: data.id,
            result: {
              protocolVersion: data.params.protocolVersion,
              hostInfo: { name: "page", version: "1" },
              hostCapabilities: {},
              hostContext: {},
              ...host,
            },
          },
          "*",
        );
    });
  }, host);
  const frame = page.frames()[1]!;
  if (bursts) await frame.evaluate(fakeSocket, bursts);
  await frame.evaluate(
    (given) => Object.assign(globalThis, { __GGUI_META__: { "ai.ggui/render": given } }),
    {
      sessionId: "s",
      appId: "a",
      viewJson: JSON.stringify({
        version: "v0.9",
        catalogId: "urn:proscenium:catalog:v1",
        view: { components },
      }),
      propsJson: "{}",
      ...slice,
    },
  );
  await frame.addScriptTag({ content: await guestCode(), type: "module" });
  await page.waitForFunction(() => document.querySelector("iframe")!.style.height !== "160px");
  return { page, frame };
}
