// The guest as a shell carries it, on a page without a host, with a view of the test's own.

import type { Browser, Page, WebSocketRoute } from "playwright-core";
import { guestInPieces } from "../../scripts/guest.mjs";

const root = new URL("../..", import.meta.url).pathname;
/** After this a page counts as hanging, in milliseconds; a machine with much else to do still draws in it. */
export const HANGS = 15_000;

let code: Promise<string> | undefined;

/** Built once, as the server's copy is. */
export function guestCode(): Promise<string> {
  code ??= guestInPieces(root, (text: string) => text).then((guest: { code: string }) => guest.code);
  return code;
}

export interface Shown {
  readonly page: Page;
  /** Whatever the page threw. */
  readonly errors: string[];
  /** From the code's arrival to the second frame after it, in milliseconds. */
  readonly took: number;
}

export interface Given {
  readonly components?: readonly object[];
  readonly viewJson?: string;
  readonly props?: object;
  readonly propsJson?: string;
  readonly context?: { readonly [slot: string]: unknown };
  /** Answers the guest's socket. */
  readonly socket?: (socket: WebSocketRoute) => void;
}

export async function show(browser: Browser, { components, viewJson, props = {}, propsJson, context = {}, socket }: Given): Promise<Shown> {
  const page = await browser.newPage({ viewport: { width: 900, height: 700 } });
  page.setDefaultTimeout(HANGS);
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  await page.route("**/*", (route) => (route.request().url().startsWith("data:") ? route.continue() : route.abort()));
  if (socket) await page.routeWebSocket(/\/ws/, socket);
  await page.setContent('<!doctype html><html lang="en"><title>Guest</title><body></body></html>');
  const slice = {
    sessionId: "s", appId: "a",
    viewJson: viewJson ?? JSON.stringify({ version: "v0.9", catalogId: "urn:proscenium:catalog:v1", view: { components } }),
    propsJson: propsJson ?? JSON.stringify(props),
    contextSlots: Object.entries(context).map(([name, value]) => ({ name, default: value })),
    ...(socket ? { wsUrl: "ws://127.0.0.1:9/ws", wsToken: "t" } : {}),
  };
  await page.evaluate((slice) => Object.assign(globalThis, { __GGUI_META__: { "ai.ggui/render": slice } }), slice);
  const began = Date.now();
  await within(page.addScriptTag({ content: await guestCode(), type: "module" }), "to boot");
  await responds(page);
  return { page, errors, took: Date.now() - began };
}

/** Two frames pass: the page is not busy with something that does not end. */
export function responds(page: Page): Promise<unknown> {
  return within(page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(undefined)))))), "to go on");
}

export function within<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, refuse) => (timer = setTimeout(() => refuse(new Error(`the page takes longer than ${HANGS} ms ${what}`)), HANGS)));
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export function textOf(page: Page): Promise<string> {
  return within(page.evaluate(() => document.body.innerText), "to be read");
}

export function countOf(page: Page): Promise<number> {
  return within(page.evaluate(() => document.querySelectorAll("*").length), "to be counted");
}
