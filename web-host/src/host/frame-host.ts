// The MCP Apps host of one frame: answers its handshake, size, links and calls, and trusts nothing
// in them.

import { type Fields, isFields } from "../wire/json";
import { type Keeper, MAX_KEPT } from "./keeper";
import type { ObservabilityEvent } from "./observability";
import { Peer } from "./peer";
import { Allowance, openable, plainCopy } from "./untrusted";

const PROTOCOL_VERSION = "2026-01-26";
const INVALID_PARAMS = -32602;
const MAX_HEIGHT = 20_000;
const MAX_KIND = 64;
/**
 * Messages per second of one frame: more than any guest sends, fewer than it takes to keep a page
 * busy.
 */
const MESSAGES_PER_SECOND = 50;
const MESSAGES_BURST = 200;
/** Sizes: a view that grows tells one with every picture its screen shows. */
const SIZES_PER_SECOND = 240;
const MEASURED = "proscenium/paper";
const PAPER = "--paper-height";
const KEEP = "proscenium/keep";
const CONFIRM = "proscenium/confirm";
const SIZE_CHANGED = "ui/notifications/size-changed";

export interface FrameFailure {
  readonly reason: string;
  readonly message: string;
}

export type DisplayMode = "inline" | "fullscreen";

interface FrameHandlers {
  readonly info: { readonly name: string; readonly version: string };
  /** The initial state for the frame; [FrameHost.theme] reports changes. */
  readonly theme: "light" | "dark";
  /** Pixels of the window that a bar of the page lies over, at its upper edge. */
  readonly coveredTop?: number;
  height(pixels: number): void;
  /** Stores what the person typed in the frame; absent where nothing can be stored. */
  readonly keeper?: Keeper | undefined;
  /** Null once the frame draws. */
  failed(failure: FrameFailure | null): void;
  observed(event: ObservabilityEvent): void;
  /** The frame wants the agent to look. */
  rings(): void;
  /**
   * The frame requests the whole window, or gives it back; returns the mode it has then. Absent
   * where it cannot change.
   */
  readonly display?: ((mode: DisplayMode) => DisplayMode) | undefined;
  /** Asks the person; true once the address was opened. */
  openLink(url: URL): Promise<boolean>;
  /**
   * Asks the person about the call that an agent makes after an action; undefined where the frame
   * is to ask them itself. Absent where nobody can be asked.
   */
  readonly confirm?: ((action: string, data: unknown) => Promise<boolean | undefined>) | undefined;
  /** Relays the frame's requests to its server; absent where that is impossible. */
  readonly relay?:
    | { tool(params: Fields): Promise<unknown>; resource(params: Fields): Promise<unknown> }
    | undefined;
}

export interface FrameHost {
  theme(theme: "light" | "dark"): void;
  display(mode: DisplayMode): void;
  close(): void;
}

export function hostFrame(frame: HTMLIFrameElement, handlers: FrameHandlers): FrameHost {
  let theme = handlers.theme;
  let displayMode: DisplayMode = "inline";
  const allowance = new Allowance(MESSAGES_PER_SECOND, MESSAGES_BURST);
  const sizes = new Allowance(SIZES_PER_SECOND, SIZES_PER_SECOND);
  let wasFlooded = false;
  const admits = (method: unknown) => {
    if (method === SIZE_CHANGED) return sizes.take();
    const admitted = allowance.take();
    if (!admitted && !wasFlooded) handlers.observed({ kind: "frame-flooding" });
    wasFlooded ||= !admitted;
    return admitted;
  };
  const peer = new Peer(() => frame.contentWindow, {
    admits,
    request(method, params) {
      switch (method) {
        case "ui/initialize":
          return Promise.resolve({
            protocolVersion: PROTOCOL_VERSION,
            hostInfo: handlers.info,
            hostCapabilities: {
              openLinks: {},
              experimental: {
                ...(handlers.keeper ? { [KEEP]: {} } : {}),
                ...(handlers.confirm ? { [CONFIRM]: {} } : {}),
              },
              ...(handlers.relay ? { serverTools: {}, serverResources: {} } : {}),
            },
            hostContext: {
              theme,
              locale: navigator.language,
              timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
              platform: "web",
              displayMode,
              availableDisplayModes: handlers.display ? ["inline", "fullscreen"] : ["inline"],
              containerDimensions: { maxWidth: frame.clientWidth },
              "proscenium/coveredTop": handlers.coveredTop,
              "proscenium/kept": handlers.keeper?.read(),
            },
          });
        case "ui/open-link":
          return openLink(params.url);
        case "ui/request-display-mode":
          if (
            params.mode !== displayMode &&
            (params.mode === "inline" || params.mode === "fullscreen")
          )
            displayMode = handlers.display?.(params.mode) ?? displayMode;
          return Promise.resolve({ mode: displayMode });
        case "ui/message":
          handlers.rings();
          return Promise.resolve({});
        case CONFIRM:
          return handlers
            .confirm?.(textOf(params.action), params.data)
            .then((agreed) => ({ agreed }));
        case "tools/call":
          return handlers.relay?.tool(params);
        case "resources/read":
          return handlers.relay?.resource(params);
        case "ping":
          return Promise.resolve({});
        default:
          return undefined;
      }
    },
    notification(method, params) {
      const height = Math.min(Math.max(Number(params.height), 0), MAX_HEIGHT);
      const isSize = method === SIZE_CHANGED && Number.isFinite(height);
      if (isSize) handlers.height(height);
      // What is printed stands on no screen: until the guest has measured that, it is as high as
      // here.
      if (isSize ? !frame.style.getPropertyValue(PAPER) : method === MEASURED && height > 0)
        frame.style.setProperty(PAPER, `${height}px`);
      if (method === KEEP && typeof params.text === "string" && params.text.length <= MAX_KEPT)
        handlers.keeper?.write(params.text);
    },
    plain(data) {
      const message = fieldsOf(plainCopy(data));
      const event = fieldsOf(message.event);
      if (message.type === "ggui:bootstrap-failed")
        failed({ reason: textOf(message.reason), message: textOf(message.message) });
      else if (message.type === "ggui:lifecycle") lifecycle(event);
      else if (message.type === "ggui:observe" && isKind(event.kind))
        handlers.observed({ ...event, kind: event.kind });
    },
  });
  // A guest that cannot start reports it in two ways.
  let reported: string | undefined;
  const failed = (failure: FrameFailure | null) => {
    if (reported !== (reported = JSON.stringify(failure))) handlers.failed(failure);
  };
  const lifecycle = (event: Fields) => {
    const error = fieldsOf(event.error);
    if (event.state === "error")
      failed({ reason: textOf(error.code), message: textOf(error.message) });
    else if (event.state === "code-ready") failed(null);
  };
  const openLink = async (url: unknown) => {
    const address = openable(url);
    if (!address)
      throw { code: INVALID_PARAMS, message: "only http and https links can be opened" };
    if (!(await handlers.openLink(address)))
      throw { code: INVALID_PARAMS, message: "the person declined" };
    return {};
  };
  return {
    theme(next) {
      theme = next;
      peer.notify("ui/notifications/host-context-changed", { theme });
    },
    display(next) {
      if (next === displayMode) return;
      displayMode = next;
      peer.notify("ui/notifications/host-context-changed", { displayMode });
    },
    close: () => peer.close(),
  };
}

function isKind(kind: unknown): kind is string {
  return typeof kind === "string" && kind !== "" && kind.length <= MAX_KIND;
}

function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
