// Written by scripts/wire.mjs from schemas/slice.json.

import type { StreamMode } from "./channel";
import type { Json, JsonObject } from "./json";

/** One context slot of the slice. */
export type ContextSlot = {
  /** Name of the slot. */
  readonly name: string;
  /** Name of its context in component code. */
  readonly contextName: string;
  /** Schema of its value. */
  readonly schema: Json;
  /** Its value at the start. */
  readonly default: Json;
  /** Milliseconds to wait for further changes before one is sent. */
  readonly debounceMs?: number;
};

/** One action of the slice. */
export type AgreedAction = {
  /** The text on its button, and in the question before it. */
  readonly label: string;
  /** Whether the person is asked before it is sent, even if the view does not say so. */
  readonly confirm?: boolean;
  /** Whether each control sends it once only. */
  readonly once?: boolean;
};

/** A theme as a slice carries it (hosting.md §5). Without a mode, the host's mode applies. */
export type SliceTheme = {
  /** The mode, if the theme is made for only one. */
  readonly mode?: ThemeMode;
  /** Its name. */
  readonly name: string;
  /** Design tokens and their values. */
  readonly cssVariables: { readonly [name: string]: string };
};

/** Light or dark. */
export type ThemeMode = "light" | "dark";

/** One channel of the slice that a tool feeds. */
export type ToolChannel = {
  /** Name of the channel. */
  readonly name: string;
  /** The tool, a key of the contract's `agentCapabilities.tools`. */
  readonly tool: string;
  /** Arguments it is called with. */
  readonly args?: JsonObject;
  /** How the view combines the results. */
  readonly mode: StreamMode;
};

/** `_meta["ai.ggui/render"]`: everything a mount needs (hosting.md §5). It carries a credential, so
it has no `Debug` that could end up in a log. */
export type Slice = {
  /** The session. */
  readonly sessionId: string;
  /** Its app. */
  readonly appId: string;
  /** Absolute address of the guest's code. */
  readonly runtimeUrl: string;
  /** Address of the live channel. */
  readonly wsUrl: string;
  /** Credential for it. */
  readonly wsToken: string;
  /** Whether the person may act in this mount; only sent when it is false. */
  readonly mayAct?: boolean;
  /** When the credential ends, ISO 8601. */
  readonly expiresAt: string;
  /** Address of the ledger's pages, for networks that let neither sockets nor streams through. */
  readonly pollingUrl: string;
  /** Address of the live channel as a one-way stream. */
  readonly sseUrl: string;
  /** Position of the log. */
  readonly lastSequence: number;
  /** Version of the history this mount shows. */
  readonly epoch: number;
  /** The epoch is pinned: a mount does not follow the session to a newer one. */
  readonly pinned?: boolean;
  /** The props as a JSON text; absent without a propsSpec. */
  readonly propsJson?: string;
  /** Context slots; absent if there are none. */
  readonly contextSlots?: readonly ContextSlot[];
  /** What the contract says about its actions, shown to the person who is about to do one; absent
if there are none. */
  readonly actions?: { readonly [name: string]: AgreedAction };
  /** The theme it was rendered with. */
  readonly themeId?: string;
  /** The theme's tokens. */
  readonly theme?: SliceTheme;
  /** The stored view as a JSON text. */
  readonly viewJson: string;
  /** Channels that tools feed; absent if there are none. */
  readonly toolChannels?: readonly ToolChannel[];
  /** Tools of this server that feed channels through the live channel; absent if there are none,
or if no channel is fed by a tool. */
  readonly streamWebSocketLocalTools?: readonly string[];
};
