// Reports of the guest to the page around it.

import type { Peer } from "../host/peer";
import type { ObservedEvent } from "../wire/observe";

export const GUEST_VERSION = "0.1.0";

type Lifecycle = "mounting" | "code-ready" | "error" | "disconnected";

export class Observer {
  constructor(readonly peer: Peer) {}

  ready(): void {
    this.peer.post({ type: "ggui:renderer-ready", version: GUEST_VERSION });
  }

  bootstrapFailed(reason: string, message: string): void {
    this.peer.post({ type: "ggui:bootstrap-failed", reason, message });
  }

  lifecycle(state: Lifecycle, sessionId?: string, error?: { code: string; message: string }): void {
    this.peer.post({
      type: "ggui:lifecycle",
      event: { state, ...(sessionId ? { sessionId } : {}), ...(error ? { error } : {}) },
    });
  }

  observe(event: ObservedEvent): void {
    this.peer.post({ type: "ggui:observe", event });
  }
}
