// The frames of the live channel, both directions.

import type { Json, JsonObject } from "./json";
import type { StoredView } from "./view";

export const SUPPORTED_VERSIONS = ["draft-2026-08-19", "draft-2026-06-11"] as const;

export interface Session {
  readonly id: string;
  readonly appId: string;
  readonly view?: StoredView;
  readonly props?: JsonObject;
  readonly epoch?: number;
  readonly status?: "active" | "expired";
  readonly contextSpec?: JsonObject;
}

export interface SubscribeAck {
  readonly sequence: number;
  readonly session: Session;
  readonly streamSeq?: number;
  readonly serverVersion?: string;
  readonly sessionToken?: string;
  readonly replayTruncated?: boolean;
}

export interface ActionAck {
  readonly sequence: number;
  readonly consumerPresent?: boolean;
  readonly actionId?: string;
}

export interface DataFrame {
  readonly sessionId: string;
  readonly channel: string;
  readonly mode: "append" | "replace";
  readonly payload: Json;
  readonly complete?: boolean;
  readonly seq: number;
}

/** What the tool that feeds a channel gave. */
export interface ChannelPayload {
  readonly channelName: string;
  readonly payload: Json;
  readonly complete?: boolean;
}

/** A channel is not fed over the socket, or was not this time. */
export interface ChannelError {
  readonly channelName: string;
  readonly code: string;
}

export interface PropsUpdate {
  readonly sessionId: string;
  readonly props: JsonObject;
  readonly epoch?: number;
}

export interface DrainAck {
  readonly sessionId: string;
  readonly eventId: string;
  readonly drainedAt?: string;
}

export interface Violation {
  readonly field: string;
  readonly message: string;
  readonly expected?: string;
  readonly received?: string;
  readonly keyword?: string;
}

export interface WireError {
  readonly code: string;
  readonly message: string;
  readonly details?: {
    readonly violations?: readonly Violation[];
    readonly [key: string]: unknown;
  };
}

export interface ActionRequest {
  readonly sessionId: string;
  readonly type: "data:submit";
  readonly actionId: string;
  readonly firedAt: string;
  readonly payload: {
    readonly action: string;
    readonly data: Json;
    readonly uiContext: JsonObject;
  };
}

/** An event as the fallbacks of the live channel read it. */
export interface LogRow {
  readonly seq: number;
  readonly type: string;
  readonly timestamp?: string;
  readonly data?: any;
}

export interface LogPage {
  readonly events: readonly LogRow[];
  readonly lastSequence: number;
  readonly hasMore?: boolean;
}

export interface Frame {
  readonly type: string;
  readonly payload?: any;
  readonly requestId?: string;
}
