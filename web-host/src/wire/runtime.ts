// Written by scripts/wire.mjs from schemas/tools/ggui_runtime_submit_action.output.json and schemas/tools/ggui_runtime_pull.output.json.

import type { LedgerRow } from "./channel";
import type { JsonObject } from "./json";

/** What a runtime tool answers, and a page of `GET …/events`. */
export type RuntimeAnswer = {
  readonly ok?: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly envelope?: string;
  readonly expiresAt?: string;
  /** Whether an agent waits for the action; without one, ring the host. */
  readonly consumerPresent?: boolean;
  readonly error?: JsonObject;
  readonly events?: readonly LedgerRow[];
  readonly lastSequence?: number;
  readonly hasMore?: boolean;
  readonly reason?: string;
  /** Where the ledger stands, when the cursor is of no use. */
  readonly currentSequence?: number;
};
