// The bootstrap slice: what a shell or a tool result carries so the first paint needs no network.

import type { Json, JsonObject } from "./json";

export interface ContextSlot {
  readonly name: string;
  readonly contextName?: string;
  readonly schema?: JsonObject;
  readonly default?: Json;
  readonly debounceMs?: number;
}

/** What the contract says about an action to the person who is about to do it. */
export interface AgreedAction {
  readonly label: string;
  /** The person is asked first, whatever the view says. */
  readonly confirm?: boolean;
}

/** A channel that a tool feeds. */
export interface ToolChannel {
  readonly name: string;
  readonly tool: string;
  readonly args?: JsonObject;
  readonly mode: "append" | "replace";
}

export interface Slice {
  readonly sessionId: string;
  readonly appId: string;
  readonly runtimeUrl?: string;
  readonly wsUrl?: string;
  readonly wsToken?: string;
  /** False where actions are not accepted: the mount is read-only. */
  readonly mayAct?: boolean;
  readonly sseUrl?: string;
  readonly pollingUrl?: string;
  /** Position of the log this slice shows. */
  readonly lastSequence?: number;
  readonly expiresAt?: string;
  readonly themeMode?: "light" | "dark";
  readonly theme?: {
    readonly mode?: string;
    readonly cssVariables?: { readonly [name: string]: string };
  };
  readonly epoch?: number;
  /** A page that was read for one epoch: it stays with it. */
  readonly pinned?: boolean;
  readonly propsJson?: string;
  readonly viewJson?: string;
  readonly contextSlots?: readonly ContextSlot[];
  readonly actions?: { readonly [name: string]: AgreedAction };
  readonly toolChannels?: readonly ToolChannel[];
  /** Tools that the server itself polls for channels, over the socket. */
  readonly streamWebSocketLocalTools?: readonly string[];
}

/** The key of the slice in an envelope or in a tool result's `_meta`. */
export const SLICE_KEY = "ai.ggui/render";
