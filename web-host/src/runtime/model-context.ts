// Keeps others up to date with what the person set and did: the agent by a tool, the host's model
// by its context.

import type { ActionRequest, PayloadOf } from "../wire/frames";
import type { JsonObject } from "../wire/json";
import type { Host } from "./host";
import type { Slice } from "./slice";

const DEFAULT_DEBOUNCE = 300;

export class ModelContext {
  readonly #slice: Slice;
  readonly #host: Pick<Host, "relaysTools" | "callTool" | "updateModelContext">;
  /** The slowest slot decides how long to wait. */
  readonly #wait: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #slots: JsonObject | undefined;
  #action: ActionRequest | undefined;
  #syncing = 0;

  constructor(slice: Slice, host: Pick<Host, "relaysTools" | "callTool" | "updateModelContext">) {
    this.#slice = slice;
    this.#host = host;
    this.#wait = Math.max(
      0,
      ...(slice.contextSlots ?? []).map((slot) => slot.debounceMs ?? DEFAULT_DEBOUNCE),
    );
  }

  /** What the person set here is newer than the server's state. */
  get isAhead(): boolean {
    return this.#timer !== undefined || this.#syncing > 0;
  }

  /** The snapshot replaces the previous one. */
  set(slots: JsonObject): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#slots = slots;
      this.#update();
      if (!this.#host.relaysTools) return;
      this.#syncing += 1;
      this.#host
        .callTool("ggui_runtime_sync_context", {
          sessionId: this.#slice.sessionId,
          appId: this.#slice.appId,
          snapshot: slots,
        })
        .catch(() => undefined)
        .finally(() => (this.#syncing -= 1));
    }, this.#wait);
  }

  did(action: ActionRequest): void {
    this.#action = action;
    this.#update();
  }

  /** The agent has consumed the action, so it is no longer news to the model. */
  drained({ eventId }: Pick<PayloadOf<"drain_ack">, "eventId">): void {
    if (this.#action?.actionId !== eventId) return;
    this.#action = undefined;
    this.#update();
  }

  /** A host keeps only the last update, so each contains everything. */
  #update(): void {
    const texts: string[] = [];
    if (this.#slots) texts.push(`[ggui:context] ${JSON.stringify({ snapshot: this.#slots })}`);
    if (this.#action) {
      const { actionId, firedAt, payload } = this.#action;
      texts.push(
        `[ggui:pending-action] ${JSON.stringify({ actionId, intent: payload.action, data: payload.data, firedAt, sessionId: this.#slice.sessionId, appId: this.#slice.appId })}`,
      );
    }
    this.#host.updateModelContext(texts);
  }
}
