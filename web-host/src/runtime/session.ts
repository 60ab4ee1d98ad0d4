// One mounted session: its store, its live channel and its actions, tied to the host and the
// observers.

import { effect, signal } from "@preact/signals";
import { isObject } from "../draw/pointer";
import { openable } from "../host/untrusted";
import { errorSentences, guestStrings as say, sentenceFor } from "../strings";
import type { ServerFrame } from "../wire/channel";
import { type ActionRequest, SUPPORTED_VERSIONS, type WireError } from "../wire/frames";
import type { Json } from "../wire/json";
import type { ObservedEvent } from "../wire/observe";
import { type ActionRoutes, Actions } from "./actions";
import { openChannel } from "./channel";
import { doorbell } from "./doorbell";
import { Drafts } from "./drafts";
import type { Host } from "./host";
import { systemClock } from "./live/clock";
import type { Failover, LiveState } from "./live/failover";
import type { TransportName } from "./live/transport";
import { ModelContext } from "./model-context";
import type { Observer } from "./observe";
import { whenIdle } from "./painted";
import { place } from "./place";
import type { Slice } from "./slice";
import { SessionStore } from "./store";
import { Telemetry } from "./telemetry";
import { ToolChannels } from "./tool-channels";

interface SignIn {
  readonly provider: string;
  readonly url: URL;
  readonly message?: string;
}

export class MountedSession {
  readonly store = new SessionStore();
  readonly live = signal<LiveState>("connecting");
  /** The transport in use. */
  readonly transport = signal<TransportName>("ws");
  readonly wasOpen = signal(false);
  /** A message that stays: the session or the channel has ended. */
  readonly ended = signal<{ sentence: string; code: string } | null>(null);
  readonly signIn = signal<SignIn | null>(null);
  /** A tool that feeds a channel returns nothing that can be shown; it is polled again. */
  readonly unfed = signal(false);
  readonly actions: Actions;
  readonly drafts: Drafts;
  readonly #slice: Slice;
  readonly #host: Host;
  readonly #observer: Observer;
  readonly #telemetry: Telemetry;
  readonly #modelContext: ModelContext;
  readonly #toolChannels: ToolChannels;
  /** Deferred until the browser is idle, because computing what a view is shown on is expensive. */
  readonly #idle = signal(false);
  #channel: Failover | undefined;
  #closed = false;

  constructor(slice: Slice, host: Host, observer: Observer) {
    this.#slice = slice;
    this.#host = host;
    this.#observer = observer;
    this.#telemetry = new Telemetry(slice.sessionId, host, systemClock);
    this.store.seed(slice);
    if (slice.pinned) this.store.pin();
    this.#modelContext = new ModelContext(slice, host);
    // A mount that shows history, or may only read, sends nothing to the agent.
    this.store.model.onContext((slots) => {
      if (slice.mayAct === false || this.store.frozen.peek()) return;
      this.#modelContext.set(slots);
      // A server that receives them stores them itself, for every window.
      if (!host.relaysTools) this.drafts.set("context", slots);
    });
    this.drafts = new Drafts((text) => host.keep(text));
    // What was begun in one view does not fit into another, and focus is lost with it.
    this.store.isBusy = () =>
      !this.drafts.isEmpty || document.querySelector(":focus,:active") !== null;
    this.store.place = place;
    effect(() => void (this.store.view.value && this.drafts.begin(this.store.stored!)));
    this.store.model.onUi((state) => this.drafts.set("ui", state));
    this.actions = new Actions(
      () => this.#routes(),
      (flights) => (this.drafts.unsent = flights),
    );
    this.#toolChannels = new ToolChannels(slice, {
      wanted: () => !this.store.frozen.peek() && this.live.peek() !== "ended",
      clock: systemClock,
      sends: () => this.#channel?.sends === true,
      send: (frame) => this.#channel?.send(frame),
      relays: () => host.relaysTools,
      ask: (tool, args) => host.askTool(tool, args),
      push: (frame) => this.store.push(frame),
      observe: (event) => this.observe(event),
      failing: (any) => (this.unfed.value = any),
    });
  }

  get sessionId(): string {
    return this.#slice.sessionId;
  }

  get runtimeUrl(): string | undefined {
    return this.#slice.runtimeUrl;
  }

  connect(): void {
    if (this.#closed) return;
    this.#channel = openChannel(this.#slice, this.#host, {
      state: (state, transport) => this.#moved(state, transport),
      ack: ({ session, replayTruncated }) => {
        this.store.apply(session);
        if (replayTruncated) this.observe({ kind: "replay-truncated", sessionId: this.sessionId });
        if (session.status === "expired")
          this.ended.value = { sentence: errorSentences.expired, code: "SESSION_EXPIRED" };
      },
      snapshot: (slice) => this.store.follow(slice),
      frame: (frame) => this.#frame(frame),
      ended: (error) => this.#over(error),
    });
    window.addEventListener("online", () => this.retry());
    effect(() => {
      const begun = this.live.value !== "connecting";
      void [this.transport.value, this.store.frozen.value];
      if (begun) this.#toolChannels.moved();
    });
    effect(() => {
      if (this.#idle.value && this.live.value === "open" && this.transport.value === "ws")
        this.#sendHostContext();
    });
    whenIdle(() => (this.#idle.value = true));
    this.#channel.open();
    // Actions from before this point are sent now.
    this.actions.reroute();
  }

  /** Restores what the host has stored, if anything. */
  restore(): void {
    if (!this.#host.kept) return;
    this.drafts.restore(this.#host.kept);
    this.store.model.setUi(this.drafts.get("ui"));
    const slots = this.drafts.get("context");
    if (isObject(slots) && !this.#host.relaysTools)
      this.store.model.setContext({ ...this.store.model.context(), ...slots });
    this.actions.restore(this.drafts.unsent);
  }

  /** Retries at once. */
  retry(): void {
    this.#channel?.retry();
  }

  /** The host takes the view down: the channel is closed. */
  close(): void {
    this.#closed = true;
    this.#toolChannels.close();
    this.#channel?.close();
  }

  observe(event: ObservedEvent): void {
    this.#observer.observe(event);
    this.#telemetry.record(event);
  }

  /**
   * A tool result of the same session, delivered by a chat host; in the same epoch, the live state
   * is newer.
   */
  update(slice: Slice): void {
    this.store.pin();
    if (!this.wasOpen.peek() || (slice.epoch ?? 0) !== this.store.epoch) this.store.seed(slice);
  }

  #routes(): ActionRoutes {
    return {
      sessionId: this.#slice.sessionId,
      context: () => this.store.model.context(),
      mayAct: this.#slice.mayAct,
      agreed: (name) =>
        Object.hasOwn(this.#slice.actions ?? {}, name) ? this.#slice.actions![name] : undefined,
      frozen: () => this.store.frozen.peek(),
      live: () => this.#channel?.sends === true,
      mayRecover: () => !this.#channel || this.#channel.maySend,
      away: () => ["away", "offline"].includes(this.live.peek()),
      send: (requestId, payload) => this.#channel?.send({ type: "action", requestId, payload }),
      ...(this.#host.relaysTools
        ? { relay: (request: ActionRequest) => this.#relay(request) }
        : {}),
      ...(this.#host.confirms
        ? { confirm: (action: string, data: Json) => this.#host.confirm(action, data) }
        : {}),
      accepted: (request) => this.#modelContext.did(request),
      ring: (request) => this.#host.connected && this.#host.message(doorbell(request)),
      observe: (event) => this.observe(event),
    };
  }

  async #relay({ sessionId, actionId, firedAt, payload }: ActionRequest) {
    const args = {
      kind: "dispatch",
      payload: { intent: payload.action, actionData: payload.data, uiContext: payload.uiContext },
      sessionId,
      appId: this.#slice.appId,
      actionId,
      firedAt,
    };
    // What came of it is on the channel; a lost server is noticed there.
    const look = () => this.#channel?.look();
    return await this.#host.callTool("ggui_runtime_submit_action", args).finally(look);
  }

  #moved(state: LiveState, transport: TransportName): void {
    const before = this.live.peek();
    const wasSending = this.transport.peek() === "ws" && before === "open";
    this.live.value = state;
    this.transport.value = transport;
    if (state === "open") {
      this.wasOpen.value = true;
    }
    if (wasSending !== (this.#channel?.sends === true) || (before !== "open" && state === "open"))
      this.actions.reroute();
    if (before === "open" && state === "away")
      this.observe({ kind: "subscribe-failed", reason: "transport-reconnecting" });
    if ((before === "away" || before === "offline") && state === "open")
      this.observe({ kind: "subscribe-recovered", transport });
    if (before !== "open" && state === "open" && transport !== "ws")
      this.observe({ kind: "transport-fallback", sessionId: this.sessionId, transport });
  }

  /** The agent may ask how large and on what the view is seen; only the socket carries it. */
  #sendHostContext(): void {
    if (this.#channel?.sends && this.#slice.mayAct !== false)
      this.#channel.send({
        type: "host_context_observed",
        payload: { sessionId: this.sessionId, hostContext: this.#host.context.value },
      });
  }

  #frame({ type, payload, requestId }: ServerFrame): void {
    switch (type) {
      case "data":
        if (!String(payload.channel).startsWith("_ggui:")) this.actions.answered();
        return this.store.push(payload);
      case "channel_payload":
        return this.#toolChannels.fed(payload);
      case "channel_error":
        return this.#toolChannels.refused(payload);
      case "props_update":
        this.actions.answered();
        return this.store.updateProps(payload);
      case "render":
        this.actions.answered();
        return payload.session && this.store.apply(payload.session);
      case "view_update":
        return this.store.apply(payload);
      case "ack":
        return this.actions.acknowledged(requestId, payload);
      case "drain_ack":
        this.#modelContext.drained(payload);
        return this.actions.drained(payload);
      case "observe":
        return this.#observed(payload.event);
      case "error":
        if (
          !this.actions.refused(requestId, payload as WireError) &&
          payload.code === "SESSION_NOT_FOUND"
        ) {
          this.#channel?.close();
          this.#over(payload as WireError);
        }
    }
  }

  #observed(event: ObservedEvent): void {
    switch (event.kind) {
      case "action-submitted":
        return this.actions.elsewhere(event.actionId);
      case "context-synced":
        if (!this.#modelContext.isAhead)
          this.store.model.setContext({ ...this.store.model.context(), ...event.snapshot });
        return;
      case "auth-required": {
        const url = openable(event.authUrl, ["https:"]);
        const { displayName, provider, message } = event;
        if (url) this.signIn.value = { provider: displayName ?? provider, url, message };
      }
    }
    this.#observer.observe(event);
  }

  #over(error: WireError): void {
    this.live.value = "ended";
    const sentence = sentenceFor(error.code);
    const isUnsent = this.actions.abandon(sentence);
    this.ended.value = {
      sentence: isUnsent ? `${sentence} ${say.unsent}` : sentence,
      code: error.code,
    };
    if (error.code === "UPGRADE_REQUIRED") {
      const observedVersion = (error.details?.serverVersion ??
        (error as { serverVersion?: unknown }).serverVersion) as string | undefined;
      this.observe({
        kind: "schema-version-mismatch",
        observedVersion,
        acceptedVersions: [...SUPPORTED_VERSIONS],
        observedBy: "client",
      });
    }
    if (this.store.view.peek()) return;
    this.#observer.bootstrapFailed(
      error.code === "UPGRADE_REQUIRED" ? error.code : "WS_HANDSHAKE_FAILED",
      error.message,
    );
    this.#observer.lifecycle("error", this.sessionId, { code: error.code, message: error.message });
  }
}
