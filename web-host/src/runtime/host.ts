// The MCP Apps host around the guest: the handshake, its theme and size, tools, messages and links.

import { computed, signal } from "@preact/signals";
import { coverTop } from "../catalog/kit/sight";
import type { Peer } from "../host/peer";
import { type Fields, isFields, type Json, type JsonObject } from "../wire/json";
import type { RuntimeAnswer } from "../wire/runtime";
import { observedContext } from "./host-context";
import type { ReadResource, ToolResult } from "./mcp";
import { GUEST_VERSION } from "./observe";
import {
  applyFonts,
  applyLocale,
  applyMode,
  applyPlace,
  applyVariables,
  usableLocale,
} from "./theme";

const PROTOCOL_VERSION = "2026-01-26";
const HANDSHAKE_LIMIT = 3000;
/** Milliseconds: as long as somebody may take to read a question. */
const CONFIRM_LIMIT = 600_000;

interface HostContext {
  readonly theme?: unknown;
  readonly styles?: { readonly variables?: unknown; readonly css?: { readonly fonts?: unknown } };
  readonly locale?: unknown;
  readonly displayMode?: unknown;
  readonly availableDisplayModes?: unknown;
  readonly safeAreaInsets?: unknown;
  readonly [field: string]: unknown;
}

export class Host {
  readonly locale = signal(usableLocale(navigator.language));
  readonly #hostContext = signal<HostContext>({});
  /**
   * How and on what the view is shown, in the closed form an agent may read; computed on first use,
   * because finding the time zone is expensive.
   */
  readonly context = computed<JsonObject>(() => observedContext(this.#hostContext.value));
  /** What the host lets the view change to: the whole screen, or back from it. */
  readonly otherMode = computed<"fullscreen" | "inline" | undefined>(() => {
    const { displayMode, availableDisplayModes } = this.#hostContext.value;
    const other = displayMode === "fullscreen" ? "inline" : "fullscreen";
    return Array.isArray(availableDisplayModes) && availableDisplayModes.includes(other)
      ? other
      : undefined;
  });
  /** An address that cannot be opened from here: it is shown instead. */
  readonly unopened = signal("");
  readonly #peer: Peer;
  #connected = false;
  #capabilities: Fields = {};

  constructor(peer: Peer) {
    this.#peer = peer;
    applyLocale(this.locale.peek());
  }

  get connected(): boolean {
    return this.#connected;
  }

  get relaysTools(): boolean {
    return this.#connected && this.#capabilities.serverTools !== undefined;
  }

  /** False if nobody answers in time: the guest then works without a host. */
  async connect(): Promise<boolean> {
    try {
      const answer = await this.#peer.request(
        "ui/initialize",
        {
          protocolVersion: PROTOCOL_VERSION,
          appInfo: { name: "proscenium-guest", version: GUEST_VERSION },
          appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] },
        },
        HANDSHAKE_LIMIT,
      );
      this.#connected = true;
      this.#capabilities = isFields(answer?.hostCapabilities) ? answer.hostCapabilities : {};
      this.applyContext((answer?.hostContext ?? {}) as HostContext);
      this.#peer.notify("ui/notifications/initialized");
      return true;
    } catch {
      return false;
    }
  }

  applyContext(context: HostContext): void {
    applyMode(context.theme);
    applyVariables(context.styles?.variables, /^--[a-zA-Z][a-zA-Z0-9-]*$/);
    applyFonts(context.styles?.css?.fonts);
    applyPlace(context);
    coverTop(context["proscenium/coveredTop"]);
    this.#hostContext.value = { ...this.#hostContext.peek(), ...context };
    if (context.locale === undefined) return;
    this.locale.value = usableLocale(context.locale);
    applyLocale(this.locale.peek());
  }

  /** What this host has stored of the person's input. */
  get kept(): string {
    const kept = this.#hostContext.peek()["proscenium/kept"];
    return typeof kept === "string" ? kept : "";
  }

  /** Whether it is one of this project's own hosts. */
  get keeps(): boolean {
    return this.#offers("keep");
  }

  /** Whether it asks the person about what an agent does after their click. */
  get confirms(): boolean {
    return this.#offers("confirm");
  }

  #offers(what: string): boolean {
    const { experimental } = this.#capabilities;
    return isFields(experimental) && experimental[`proscenium/${what}`] !== undefined;
  }

  /** What the person has answered; undefined where the host has asked nothing. */
  async confirm(action: string, data: Json): Promise<unknown> {
    const answer = await this.#peer
      .request("proscenium/confirm", { action, data }, CONFIRM_LIMIT)
      .catch(() => undefined);
    return answer?.agreed;
  }

  keep(text: string): void {
    if (this.keeps) this.#peer.notify("proscenium/keep", { text });
  }

  /** The result of a tool as an object: structured, or JSON in its text, or the raw result. */
  async callTool(name: string, args: unknown): Promise<RuntimeAnswer | undefined> {
    const result = await this.#peer.request("tools/call", { name, arguments: args });
    return unwrapped(result) as RuntimeAnswer | undefined;
  }

  /** As above for any tool, whose failures have an unknown form. */
  async askTool(name: string, args: unknown): Promise<Json> {
    const result = await this.#peer.request("tools/call", { name, arguments: args });
    if (result?.isError) throw result;
    return unwrapped(result) as Json;
  }

  readResource(uri: string): Promise<ReadResource | undefined> {
    return this.#peer.request("resources/read", { uri });
  }

  message(params: unknown): void {
    this.#peer.request("ui/message", params).catch(() => undefined);
  }

  /**
   * What the model should know at its next turn; only the last update counts, and only for hosts
   * that support it.
   */
  updateModelContext(texts: readonly string[]): void {
    if (!this.#connected || this.#capabilities.updateModelContext === undefined) return;
    this.#peer
      .request("ui/update-model-context", {
        content: texts.map((text) => ({ type: "text", text })),
      })
      .catch(() => undefined);
  }

  /** The host decides, and reports the mode it chose. */
  async requestMode(mode: "fullscreen" | "inline"): Promise<void> {
    const answer = await this.#peer
      .request("ui/request-display-mode", { mode })
      .catch(() => undefined);
    if (answer?.mode !== undefined) this.applyContext({ displayMode: answer.mode });
  }

  openLink(url: string): void {
    if (!/^https?:\/\//i.test(url) && !/^mailto:/i.test(url)) return;
    if (this.#connected)
      return void this.#peer.request("ui/open-link", { url }).catch(() => undefined);
    // With "noopener" the return value does not say whether a window was opened.
    const tab = window.open(url, "_blank");
    if (tab) tab.opener = null;
    this.unopened.value = tab ? "" : url;
  }

  paper(height: number): void {
    this.#peer.notify("proscenium/paper", { height });
  }

  /** Reports the size of an element, at most once a frame. */
  reportSize(element: Element): void {
    let last = "";
    let waiting = false;
    const report = () => {
      waiting = false;
      const box = element.getBoundingClientRect();
      const size = { width: Math.ceil(box.width), height: Math.ceil(box.height) };
      const key = `${size.width}x${size.height}`;
      if (key === last) return;
      last = key;
      this.#peer.notify("ui/notifications/size-changed", size);
    };
    new ResizeObserver(() => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(report);
    }).observe(element);
  }
}

function unwrapped(result: ToolResult | undefined): unknown {
  if (result?.structuredContent) return result.structuredContent;
  try {
    return JSON.parse(String(result?.content?.[0]?.text));
  } catch {
    return result;
  }
}
