// Written by scripts/wire.mjs from schemas/frames/client.json and schemas/frames/server.json.

import type { Json, JsonObject } from "./json";
import type { ObservedEvent } from "./observe";

/** Payload of `action` (live-channel.md §6); `actionId` and `firedAt` are additions. */
export type ActionEnvelope = {
  /** Must be the subscription's. */
  readonly sessionId: string;
  /** `data:submit`. */
  readonly type?: string;
  /** `{action, data, uiContext?}`, judged against the contract. */
  readonly payload?: Json;
  /** Id of the gesture; accepted once. */
  readonly actionId?: string;
  /** When, ISO 8601. */
  readonly firedAt?: string;
};

/** Payload of `channel_subscribe` (live-channel.md §8.4). */
export type ChannelSubscribe = {
  /** Must be the subscription's. */
  readonly sessionId: string;
  /** A channel whose contract names the tool that feeds it. */
  readonly channelName: string;
  /** Milliseconds between two polls; brought within the bounds of the server. */
  readonly pollIntervalMs?: number;
  /** Arguments of the tool, over those of the contract. */
  readonly args?: JsonObject;
};

/** Payload of `channel_unsubscribe` (live-channel.md §8.4); one that is malformed does nothing. */
export type ChannelUnsubscribe = {
  /** Must be the subscription's. */
  readonly sessionId: string;
  /** The channel. */
  readonly channelName: string;
};

/** Payload of `host_context_observed` (live-channel.md §7). */
export type HostContextObserved = {
  /** Must be the subscription's. */
  readonly sessionId: string;
  /** Replaces what was known. */
  readonly hostContext: HostContext;
};

/** The host around a mount. Every member is optional, and there are no others. */
export type HostContext = {
  /** How the host can show a mount. */
  readonly availableDisplayModes?: readonly DisplayMode[];
  /** How it does. */
  readonly currentDisplayMode?: DisplayMode;
  /** Room of the mount, in CSS pixels. */
  readonly containerDimensions?: ContainerDimensions;
  /** What the host runs on. */
  readonly platform?: Platform;
  /** What the person can do. */
  readonly deviceCapabilities?: DeviceCapabilities;
  /** A BCP 47 tag. */
  readonly locale?: string;
  /** An IANA name. */
  readonly timeZone?: string;
};

/** How a mount is shown. */
export type DisplayMode = "fullscreen" | "inline" | "pip";

/** Room of a mount. */
export type ContainerDimensions = {
  /** Exact width. */
  readonly width?: number;
  /** Most width. */
  readonly maxWidth?: number;
  /** Exact height. */
  readonly height?: number;
  /** Most height. */
  readonly maxHeight?: number;
};

/** What a host runs on. */
export type Platform = "desktop" | "mobile" | "web";

/** What a person can do. */
export type DeviceCapabilities = {
  /** Touch. */
  readonly touch?: boolean;
  /** Point without pressing. */
  readonly hover?: boolean;
};

/** Payload of `subscribe` (live-channel.md §3). It carries a credential: no `Debug`. */
export type Subscribe = {
  /** The session to follow. */
  readonly sessionId: string;
  /** The app the client believes it belongs to. */
  readonly appId?: string;
  /** Credential; replaces the one of the upgrade. */
  readonly wsToken?: string;
  /** Stream cursor: replay declared channels beyond it. */
  readonly fromSeq?: number;
  /** Ledger cursor: replay rows beyond it. Judged after the ack, so it may be anything. */
  readonly sinceSequence?: Json;
  /** Drafts the client speaks. */
  readonly supportedVersions?: readonly string[];
  /** Whether `observe` frames are wanted. */
  readonly observe?: boolean;
};

/** A frame a client of the live channel sends. */
export type ClientFrame =
  | {
      readonly type: "action";
      /** Echoed by the reply. */
      readonly requestId?: string;
      readonly payload: ActionEnvelope;
    }
  | {
      readonly type: "channel_subscribe";
      /** Echoed by the reply. */
      readonly requestId?: string;
      readonly payload: ChannelSubscribe;
    }
  | {
      readonly type: "channel_unsubscribe";
      /** Echoed by the reply. */
      readonly requestId?: string;
      readonly payload: ChannelUnsubscribe;
    }
  | {
      readonly type: "host_context_observed";
      /** Echoed by the reply. */
      readonly requestId?: string;
      readonly payload: HostContextObserved;
    }
  | {
      readonly type: "ping";
      /** Echoed by the reply. */
      readonly requestId?: string;
    }
  | {
      readonly type: "subscribe";
      /** Echoed by the reply. */
      readonly requestId?: string;
      readonly payload: Subscribe;
    };

/** Payload of `ack`. */
export type Ack = {
  /** Position of the log. */
  readonly sequence: number;
  /** Epoch milliseconds. */
  readonly timestamp: number;
} & (
  | {
      /** The session as it stands. */
      readonly session: StoredSession;
      /** Stream cursor of that snapshot. */
      readonly streamSeq: number;
      /** Highest common draft. */
      readonly serverVersion: string;
      /** Items older than asked for are gone. */
      readonly replayTruncated?: boolean;
      /** Credential for reconnects. */
      readonly sessionToken?: string;
    }
  | {
      /** Id under which it was accepted. */
      readonly actionId: string;
      /** Whether an agent waits for it. */
      readonly consumerPresent: boolean;
    }
);

/** A session as `ack` and `render` carry it (live-channel.md §11). Times are epoch milliseconds. */
export type StoredSession = {
  /** The session. */
  readonly id: string;
  /** Its app. */
  readonly appId: string;
  /** `component`. */
  readonly type: string;
  /** Empty: the view is data, not code. */
  readonly componentCode: string;
  /** What the view is written in. */
  readonly contentType: string;
  /** The stored view. */
  readonly view: Json;
  /** The props; absent without a propsSpec. */
  readonly props?: Json;
  /** What the agent shows. */
  readonly propsSpec?: Json;
  /** What the person can do. */
  readonly actionSpec?: Json;
  /** Live channels. */
  readonly streamSpec?: Json;
  /** What the agent can observe. */
  readonly contextSpec?: Json;
  /** The host around it, as a mount told last. */
  readonly hostContext?: HostContext;
  /** Position of the log. */
  readonly eventSequence: number;
  /** Version of the history. */
  readonly epoch: number;
  /** Whether it lives. */
  readonly status: SessionStatus;
  /** What it is for. */
  readonly prompt: string;
  /** When it was rendered. */
  readonly createdAt: number;
  /** When something last happened. */
  readonly lastActivityAt: number;
  /** When it ends unless something happens. */
  readonly expiresAt: number;
};

/** Whether a session still lives. */
export type SessionStatus = "active" | "expired";

/** One rendered UI and its log. */
export type SessionId = string;

/** A tenant: every store is split by it (tools.md §1.3). */
export type AppId = string;

/** How a channel's payloads combine. */
export type StreamMode = "append" | "replace";

/** A row of a session's ledger: what happened, in the order in which it did (live-channel.md §5). */
export type LedgerRow = {
  /** Position, gap-free from 1. */
  readonly seq: number;
  /** `ui.created`, `ui.updated`, `user.submitted`, or a kind of our own marked with `x-`. */
  readonly type: string;
  /** When, ISO 8601. */
  readonly timestamp: string;
  /** What, by kind. */
  readonly data: Json;
};

/** A frame this server sends. An ack carries a credential: no `Debug`. */
export type ServerFrame = {
  /** Echo of the frame it answers. */
  readonly requestId?: string;
} & (
  | {
      readonly type: "ack";
      readonly payload: Ack;
    }
  | {
      readonly type: "channel_error";
      readonly payload: {
        /** The session. */
        readonly sessionId: SessionId;
        /** The channel. */
        readonly channelName: string;
        /** Code of the frame. */
        readonly code: string;
        /** In words, for a developer. */
        readonly message: string;
        /** More. */
        readonly details?: Json;
      };
    }
  | {
      readonly type: "channel_payload";
      readonly payload: {
        /** The session. */
        readonly sessionId: SessionId;
        /** Its app. */
        readonly appId: AppId;
        /** The channel. */
        readonly channelName: string;
        /** Position since the channel was asked for, from 1. */
        readonly seq: number;
        /** When the tool was asked, ISO 8601. */
        readonly ts: string;
        /** `replace`: each is the whole answer; how a picture folds it, the contract says. */
        readonly mode: StreamMode;
        /** The tool's structured result. */
        readonly payload: Json;
      };
    }
  | {
      readonly type: "data";
      readonly payload: {
        /** The session. */
        readonly sessionId: SessionId;
        /** The channel. */
        readonly channel: string;
        /** `append` or `replace`. */
        readonly mode: StreamMode;
        /** The item. */
        readonly payload: Json;
        /** Position over all channels of the session. */
        readonly seq: number;
        /** The channel has ended. */
        readonly complete?: boolean;
        /** Draft the frame is written in. */
        readonly schemaVersion: string;
      };
    }
  | {
      readonly type: "drain_ack";
      readonly payload: {
        /** The app. */
        readonly appId: AppId;
        /** The session. */
        readonly sessionId: SessionId;
        /** Id of the action. */
        readonly eventId: string;
        /** When, ISO 8601. */
        readonly drainedAt: string;
      };
    }
  | {
      readonly type: "error";
      readonly payload: {
        /** Code of the frame. */
        readonly code: string;
        /** Its number, where it has one. */
        readonly number?: number;
        /** In words, for a developer. */
        readonly message: string;
        /** More. */
        readonly details?: Json;
      };
    }
  | {
      readonly type: "observe";
      readonly payload: {
        /** The session. */
        readonly sessionId: SessionId;
        /** What happened. */
        readonly event: ObservedEvent;
      };
    }
  | {
      readonly type: "pong";
      readonly payload: JsonObject;
    }
  | {
      readonly type: "props_update";
      readonly payload: {
        /** The session. */
        readonly sessionId: SessionId;
        /** All of them. */
        readonly props: Json;
        /** Epoch at commit. */
        readonly epoch: number;
      };
    }
  | {
      readonly type: "render";
      readonly payload: {
        /** The session. */
        readonly session: StoredSession;
      };
    }
  | {
      readonly type: "view_update";
      readonly payload: {
        /** The session. */
        readonly sessionId: SessionId;
        /** The view. */
        readonly view: Json;
      };
    }
  | {
      readonly type: "render_event";
      readonly payload: LedgerRow;
    }
);
