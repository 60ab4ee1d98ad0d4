// Unexpected events in this mount, sent to the server in small, rare batches, where a host relays
// tools.

import type { ObservedEvent } from "../wire/observe";
import type { Host } from "./host";
import type { Clock } from "./live/clock";

const FIRST_FLUSH = 4000;
const NEXT_FLUSH = 8000;
const FLUSHES_MAX = 12;
const BATCH_MAX = 40;
const KIND_MAX = 64;
const DETAIL_MAX = 512;

interface Entry {
  readonly at: number;
  readonly kind: string;
  readonly detail: string;
}

export class Telemetry {
  readonly #sessionId: string;
  readonly #host: Pick<Host, "relaysTools" | "callTool">;
  readonly #clock: Clock;
  #entries: Entry[] = [];
  #flushes = 0;
  #planned = false;

  constructor(sessionId: string, host: Pick<Host, "relaysTools" | "callTool">, clock: Clock) {
    this.#sessionId = sessionId;
    this.#host = host;
    this.#clock = clock;
  }

  /** Only the first are kept: they are the cause, and the others follow from them. */
  record({ kind, ...detail }: ObservedEvent): void {
    if (this.#flushes >= FLUSHES_MAX || this.#entries.length >= BATCH_MAX) return;
    this.#entries.push({
      at: this.#clock.now(),
      kind: kind.slice(0, KIND_MAX),
      detail: JSON.stringify(detail).slice(0, DETAIL_MAX),
    });
    if (this.#planned) return;
    this.#planned = true;
    this.#clock.after(this.#flushes === 0 ? FIRST_FLUSH : NEXT_FLUSH, () => this.#flush());
  }

  #flush(): void {
    this.#planned = false;
    const events = this.#entries;
    this.#entries = [];
    this.#flushes += 1;
    if (this.#host.relaysTools)
      this.#host
        .callTool("ggui_runtime_telemetry", { sessionId: this.#sessionId, events })
        .catch(() => undefined);
  }
}
