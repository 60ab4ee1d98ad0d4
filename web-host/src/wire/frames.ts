// The frames of the live channel as the guest reads them.

import type { ActionEnvelope, ServerFrame } from "./channel";
import type { Json, JsonObject } from "./json";
import type { Violation } from "./observe";

export const SUPPORTED_VERSIONS = ["draft-2026-08-19", "draft-2026-06-11"] as const;

/** What frames of one type carry. */
export type PayloadOf<T extends ServerFrame["type"]> = Extract<
  ServerFrame,
  { readonly type: T }
>["payload"];

export type SubscribeAck = Extract<PayloadOf<"ack">, { readonly session: unknown }>;
export type ActionAck = Extract<PayloadOf<"ack">, { readonly actionId: unknown }>;

/** A refusal, with what the guest reads of its details. */
export type WireError = Omit<PayloadOf<"error">, "details"> & {
  readonly details?: {
    readonly violations?: readonly Violation[];
    readonly [key: string]: unknown;
  };
};

/** An action of this guest: all that its envelope may say. */
export type ActionRequest = ActionEnvelope & {
  readonly type: "data:submit";
  readonly actionId: string;
  readonly firedAt: string;
  readonly payload: {
    readonly action: string;
    readonly data: Json;
    readonly uiContext: JsonObject;
  };
};
