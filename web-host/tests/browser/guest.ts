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
export function clickAtOnce(selector: string): void {
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
export function fakeSocket(bursts: readonly (readonly string[])[]): void {
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
