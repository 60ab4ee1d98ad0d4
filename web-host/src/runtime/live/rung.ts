// What every way to the session has in common: it is opened, delivers frames, and is lost or closed.

import type { ClientFrame, ServerFrame } from "../../wire/channel";
import type { SubscribeAck, WireError } from "../../wire/frames";
import type { Slice } from "../slice";
import type { Clock } from "./clock";
import type { Credential } from "./credential";
import type { Cursor } from "./cursor";

export type RungName = "ws" | "sse" | "poll" | "relay";

export type Loss =
  /** It may work again; `soon` when the server said that it only restarts, `slow` when nothing answered at all. */
  | { readonly kind: "lost"; readonly soon?: boolean; readonly slow?: boolean }
  /** The token has ended. */
  | { readonly kind: "expired" }
  /** This way is closed for good, another may be open. */
  | { readonly kind: "refused"; readonly error: WireError }
  /** The session is over, or nobody here understands it. */
  | { readonly kind: "ended"; readonly error: WireError };

export interface RungEvents {
  /** It delivers from now on. */
  up(ack?: SubscribeAck): void;
  frame(frame: ServerFrame): void;
  /** The whole state, where the log no longer reaches back far enough. */
  snapshot(slice: Slice): void;
  /** Said once; the rung is closed then. */
  down(loss: Loss): void;
}

export interface Rung {
  close(): void;
  /** Only where frames travel both ways. */
  send?(frame: ClientFrame): void;
  /** Looks now for what it would look for later. */
  nudge?(): void;
}

/** Everything the rungs of one session share. */
export interface Reading {
  readonly sessionId: string;
  readonly appId: string;
  readonly clock: Clock;
  readonly cursor: Cursor;
  readonly credential: Credential;
}

export type OpenRung = (reading: Reading, events: RungEvents) => Rung;

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

/** What an answer that is not 2xx says of the rung. */
export async function lossOf(response: Response): Promise<Loss> {
  const body = await response.text().catch(() => "");
  if (response.status === 404)
    return { kind: "ended", error: { code: "SESSION_NOT_FOUND", message: body } };
  if (response.status === 410) return { kind: "expired" };
  if (response.status === 400 || response.status === 401 || response.status === 403)
    return { kind: "refused", error: { code: "BOOTSTRAP_INVALID", message: body } };
  return { kind: "lost" };
}
