// What every transport has in common: it is opened, delivers frames, and is lost or closed.

import type { ClientFrame, ServerFrame } from "../../wire/channel";
import type { SubscribeAck, WireError } from "../../wire/frames";
import type { Slice } from "../slice";
import type { Clock } from "./clock";
import type { Credential } from "./credential";
import type { Cursor } from "./cursor";

export type TransportName = "ws" | "sse" | "poll" | "relay";

export type Loss =
  /**
   * It may work again; `soon` if the server said that it only restarts, `slow` if nothing answered
   * at all.
   */
  | { readonly kind: "lost"; readonly soon?: boolean; readonly slow?: boolean }
  /** The token has expired. */
  | { readonly kind: "expired" }
  /** This transport is closed for good, another one may work. */
  | { readonly kind: "refused"; readonly error: WireError }
  /** The session has ended, or there is no common version. */
  | { readonly kind: "ended"; readonly error: WireError };

export interface TransportEvents {
  /** Called when it starts to deliver. */
  up(ack?: SubscribeAck): void;
  frame(frame: ServerFrame): void;
  /** Called with the whole state, where the log no longer reaches back far enough. */
  snapshot(slice: Slice): void;
  /** Called once, after which the transport is closed. */
  down(loss: Loss): void;
}

export interface Transport {
  close(): void;
  /** Only where frames travel both ways. */
  send?(frame: ClientFrame): void;
  /** Checks at once for news instead of at the next interval. */
  nudge?(): void;
}

/** Everything the transports of one session share. */
export interface Reading {
  readonly sessionId: string;
  readonly appId: string;
  readonly clock: Clock;
  readonly cursor: Cursor;
  readonly credential: Credential;
}

export type OpenTransport = (reading: Reading, events: TransportEvents) => Transport;

/** The URL with the freshest token and the given positions. */
export function addressed(
  url: string,
  { credential }: Reading,
  positions: { readonly [name: string]: number } = {},
): string {
  const address = new URL(url);
  address.searchParams.set("wsToken", credential.token);
  for (const [name, value] of Object.entries(positions))
    address.searchParams.set(name, String(value));
  return address.href;
}

/** What a response other than 2xx means for the transport. */
export async function lossOf(response: Response): Promise<Loss> {
  const body = await response.text().catch(() => "");
  if (response.status === 404)
    return { kind: "ended", error: { code: "SESSION_NOT_FOUND", message: body } };
  if (response.status === 410) return { kind: "expired" };
  if (response.status === 400 || response.status === 401 || response.status === 403)
    return { kind: "refused", error: { code: "BOOTSTRAP_INVALID", message: body } };
  return { kind: "lost" };
}
