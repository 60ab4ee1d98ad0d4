// One mounted session: its store, its live channel and its actions, tied to the host and the observers.

import { signal } from "@preact/signals";
import { errorSentences, sentenceFor } from "../strings";
import { SUPPORTED_VERSIONS, type ActionRequest, type Frame, type ObserveEvent, type WireError } from "../wire/frames";
import type { Slice } from "../wire/slice";
import { Actions, type ActionRoutes } from "./actions";
import { contextSync } from "./context-sync";
import { doorbell } from "./doorbell";
import type { Host } from "./host";
import { LiveChannel, type LiveState } from "./live";
import type { Observer } from "./observe";
import { SessionStore } from "./store";

export interface SignIn {
  readonly provider: string;
  readonly url: string;
  readonly message?: string;
}

export class MountedSession {
  readonly store = new SessionStore();
  readonly live = signal<LiveState>("connecting");
  readonly wasOpen = signal(false);
  /** A sentence that stays: the session or the channel is over. */
  readonly ended = signal<{ sentence: string; code: string } | null>(null);
  readonly signIn = signal<SignIn | null>(null);
  readonly actions: Actions;
  readonly #slice: Slice;
  readonly #host: Host;
  readonly #observer: Observer;
  #channel: LiveChannel | undefined;

  constructor(slice: Slice, host: Host, observer: Observer) {
    this.#slice = slice;
    this.#host = host;
    this.#observer = observer;
    this.store.seed(slice);
    this.store.model.onContext(contextSync(slice, host));
    this.actions = new Actions(() => this.#routes());
  }

  get sessionId(): string {
    return this.#slice.sessionId;
  }

  connect(): void {
    const { wsUrl, wsToken, sessionId, appId } = this.#slice;
    if (!wsUrl || !wsToken) {
      this.live.value = "closed";
      return;
    }
    this.#channel = new LiveChannel(
      { wsUrl, wsToken, sessionId, appId, refresh: (expired) => this.#refresh(expired) },
      {
        state: (state, everOpen) => this.#moved(state, everOpen),
        ack: ({ session }) => {
          this.store.apply(session);
          if (session.status === "expired") this.ended.value = { sentence: errorSentences.expired, code: "SESSION_EXPIRED" };
        },
        frame: (frame) => this.#frame(frame),
        ended: (error) => this.#over(error),
      },
    );
    window.addEventListener("online", () => this.#channel?.retryNow());
    this.#channel.open();
  }

  /** A tool result of the same session, delivered by a chat host; of the same epoch the live state is newer. */
  update(slice: Slice): void {
    this.store.pinned = true;
    if (!this.wasOpen.peek() || (slice.epoch ?? 0) !== this.store.epoch) this.store.seed(slice);
  }

  #routes(): ActionRoutes {
    return {
      sessionId: this.#slice.sessionId,
      context: () => this.store.model.context(),
      live: () => this.#channel?.subscribed === true,
      mayRecover: () => this.#channel !== undefined && !this.#channel.ended,
      send: (requestId, request) => this.#channel?.sendAction(requestId, request),
      ...(this.#host.relaysTools ? { relay: (request: ActionRequest) => this.#relay(request) } : {}),
      ring: (request) => this.#host.connected && this.#host.message(doorbell(request)),
      observe: (event) => this.#observer.observe(event),
    };
  }

  #relay({ sessionId, actionId, firedAt, payload }: ActionRequest) {
    return this.#host.callTool("ggui_runtime_submit_action", {
      kind: "dispatch",
      payload: { intent: payload.action, actionData: payload.data, uiContext: payload.uiContext },
      sessionId,
      appId: this.#slice.appId,
      actionId,
      firedAt,
    });
  }

  async #refresh(expired: string): Promise<string | undefined> {
    if (!this.#host.relaysTools) return undefined;
    const answer = await this.#host.callTool("ggui_runtime_refresh_ws_token", { envelope: expired });
    return typeof answer?.envelope === "string" ? answer.envelope : undefined;
  }

  #moved(state: LiveState, everOpen: boolean): void {
    const before = this.live.peek();
    this.live.value = state;
    this.wasOpen.value = everOpen;
    if (state === "open") this.actions.resend();
    if (before === "open" && state !== "open") {
      this.actions.hold();
      this.#observer.observe({ kind: "subscribe-failed", reason: "transport-reconnecting" });
    }
  }

  #frame({ type, payload, requestId }: Frame): void {
    switch (type) {
      case "data":
        return this.store.push(payload);
      case "props_update":
        return this.store.updateProps(payload);
      case "render":
        return payload.session && this.store.apply(payload.session);
      case "ack":
        return this.actions.acknowledged(requestId, payload);
      case "drain_ack":
        return this.actions.drained(payload);
      case "observe":
        return this.#observed(payload.event);
      case "error":
        if (!this.actions.refused(requestId, payload) && payload.code === "SESSION_NOT_FOUND") this.#channel?.end(payload);
    }
  }

  #observed(event: ObserveEvent | undefined): void {
    if (typeof event?.kind !== "string") return;
    if (event.kind === "auth-required" && typeof event.authUrl === "string" && event.authUrl.startsWith("https://")) {
      this.signIn.value = { provider: String(event.displayName ?? event.provider ?? ""), url: event.authUrl, message: typeof event.message === "string" ? event.message : undefined };
    }
    this.#observer.observe(event);
  }

  #over(error: WireError): void {
    const sentence = sentenceFor(error.code);
    this.ended.value = { sentence, code: error.code };
    this.actions.abandon(sentence);
    if (error.code === "UPGRADE_REQUIRED") {
      const observedVersion = (error.details?.serverVersion ?? (error as { serverVersion?: unknown }).serverVersion) as string | undefined;
      this.#observer.observe({ kind: "schema-version-mismatch", observedVersion, acceptedVersions: [...SUPPORTED_VERSIONS], observedBy: "client" });
    }
    if (this.store.view.peek()) return;
    this.#observer.bootstrapFailed(error.code === "UPGRADE_REQUIRED" ? error.code : "WS_HANDSHAKE_FAILED", error.message);
    this.#observer.lifecycle("error", this.sessionId, { code: error.code, message: error.message });
  }
}
