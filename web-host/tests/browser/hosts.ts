// The guest in pages that are not its own: a chat, a host that is late, a page that scrolls.

import type { Browser, Frame, Page } from "playwright-core";
import { ACK, clickAtOnce, fakeSocket, type Given, guestCode, HANGS } from "./guest";

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
      const post = (message: object) => frame.postMessage({ jsonrpc: "2.0", ...message }, "*");
      addEventListener("message", ({ data }) => {
        if (data?.type === "ggui:renderer-ready") post(first);
        if (data?.method === "ui/initialize")
          post({
            id: data.id,
            result: {
              protocolVersion: data.params.protocolVersion,
              hostInfo: { name: "chat", version: "1" },
              hostCapabilities: {},
              hostContext: {},
            },
          });
        if (data?.method === "ui/notifications/initialized")
          for (const params of results) post({ method: "ui/notifications/tool-result", params });
        if (data?.method === "resources/read")
          post({
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
    const reply = (id: unknown, result: object) =>
      frame.postMessage({ jsonrpc: "2.0", id, result }, "*");
    const greet = (id: unknown, version: unknown): unknown =>
      frame.__socket
        ? reply(id, {
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
        reply(data.id, { structuredContent: { events: [], lastSequence: 0, hasMore: false } });
      if (data.params.name === "ggui_runtime_submit_action")
        reply(data.id, { structuredContent: { ok: true, consumerPresent: true } });
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
