export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject;

export interface JsonObject {
    readonly [key: string]: Json | undefined;
}

/** Why a polled channel stands still. */
export type PollDegraded = "relay-incapable";
/** Why a channel is polled through the host. */
export type ChannelFallback = "channel-not-local" | "ws-disconnect";
/** The way items of a channel come that a tool feeds. */
export type ChannelTransport = "poll" | "ws";
/** One way in which a value breaks its contract (contract.md §6.2). */
export type Violation = {
    /** The path of the value, as in `todos[0].done`. */
    readonly field: string;
    /** What is wrong. */
    readonly message: string;
    /** What would have been right. */
    readonly expected?: string;
    /** What was there. */
    readonly received?: string;
    /** The JSON Schema keyword that refused; absent where no schema was asked. */
    readonly keyword?: string;
};
/** What is shown once a model has come to an end. */
export type GenerationOutcome = "composed" | "drawn" | "stored";
/** One end of the live channel. */
export type Side = "client" | "server";
/** The way frames of a session come (live-channel.md §12). */
export type Transport = "poll" | "relay" | "sse" | "ws";
/** A person acted, in this window of the session or in another. */
export type ActionSubmittedEvent = {
    readonly kind: "action-submitted";
    /** Id of the action. */
    readonly actionId: string;
    /** Its name in the contract. */
    readonly action: string;
};
/** The agent needs the person to sign in somewhere. */
export type AuthRequiredEvent = {
    readonly kind: "auth-required";
    /** Who is signed in to. */
    readonly provider: string;
    /** Where, an https address. */
    readonly authUrl: string;
    /** Names the request in the answer. */
    readonly authRequestId: string;
    /** The provider's name for people. */
    readonly displayName?: string;
    /** What is asked for. */
    readonly scopes?: readonly string[];
    /** Why, in the agent's words. */
    readonly message?: string;
};
/** The host relays no tool: the channel stands still, and the host is asked again now and then. */
export type ChannelPollDegradedEvent = {
    readonly kind: "channel-poll-degraded";
    /** The session. */
    readonly sessionId: string;
    /** The channel. */
    readonly channelName: string;
    /** Why. */
    readonly reason: PollDegraded;
    /** Milliseconds until the host is asked again. */
    readonly probeIntervalMs: number;
};
/** The host relays tools after all. */
export type ChannelPollRecoveredEvent = {
    readonly kind: "channel-poll-recovered";
    /** The session. */
    readonly sessionId: string;
    /** The channel. */
    readonly channelName: string;
    /** Milliseconds between two polls. */
    readonly pollIntervalMs: number;
};
/** Such a channel is polled through the host from now on, and no longer fed by the server. */
export type ChannelTransportFallbackEvent = {
    readonly kind: "channel-transport-fallback";
    /** The session. */
    readonly sessionId: string;
    /** The channel. */
    readonly channelName: string;
    /** Why. */
    readonly reason: ChannelFallback;
};
/** How a channel that a tool feeds is subscribed to: at the server, or by polling the host. */
export type ChannelTransportPickedEvent = {
    readonly kind: "channel-transport-picked";
    /** The session. */
    readonly sessionId: string;
    /** The channel. */
    readonly channelName: string;
    /** The way. */
    readonly transport: ChannelTransport;
};
/** The socket is back, and the server feeds the channel again. */
export type ChannelTransportResubscribedEvent = {
    readonly kind: "channel-transport-resubscribed";
    /** The session. */
    readonly sessionId: string;
    /** The channel. */
    readonly channelName: string;
};
/** One component could not be drawn; the others are. */
export type ComponentFailedEvent = {
    readonly kind: "component-failed";
    /** Its id in the view. */
    readonly componentId: string;
    /** What went wrong. */
    readonly message: string;
};
/** No agent waits any longer for what the person does. */
export type ConsumerAbsentEvent = {
    readonly kind: "consumer-absent";
};
/** An agent waits for what the person does. */
export type ConsumerPresentEvent = {
    readonly kind: "consumer-present";
};
/** A person set context slots, in this window of the session or in another. */
export type ContextSyncedEvent = {
    readonly kind: "context-synced";
    /** The slots that were set. */
    readonly snapshot: JsonObject;
};
/** A value did not fit the contract and reached nobody. */
export type ContractViolationEvent = {
    readonly kind: "contract-violation";
    /** The action it was sent with. */
    readonly action?: string;
    /** Code of the refusal. */
    readonly code?: string;
    /** What is wrong, in one text. */
    readonly message?: string;
    /** What is wrong, one by one. */
    readonly violations?: readonly Violation[];
};
/** A frame sends more than anybody can follow; it is ignored for a while. */
export type FrameFloodingEvent = {
    readonly kind: "frame-flooding";
};
/** A model has come to an end with the view of the session. */
export type GenerationEndedEvent = {
    readonly kind: "generation-ended";
    /** In words, for a developer. */
    readonly message: string;
    /** What is shown from now on. */
    readonly outcome: GenerationOutcome;
    /** Why it is still the composed one, or why a view of the model's own was left out. */
    readonly reason?: string;
    /** The model. */
    readonly model: string;
    /** Answers it gave. */
    readonly rounds: number;
    /** Tokens it was sent. */
    readonly promptTokens: number;
    /** Tokens it has written. */
    readonly answerTokens: number;
    /** What that cost, in millionths of a US dollar, by the configured prices. */
    readonly microdollars: number;
    /** Answers that were not needed, where it is shown again. */
    readonly llmCallsAvoided?: number;
    /** Tokens that they took. */
    readonly tokensAvoided?: number;
    /** What they cost, in millionths of a US dollar. */
    readonly microdollarsAvoided?: number;
};
/** Items of a stream were no longer kept when this frame asked for them. */
export type ReplayTruncatedEvent = {
    readonly kind: "replay-truncated";
    /** The session. */
    readonly sessionId: string;
};
/** Frame and server speak no common version; nothing is tried again. */
export type SchemaVersionMismatchEvent = {
    readonly kind: "schema-version-mismatch";
    /** The version of whoever noticed it. */
    readonly observedVersion?: string;
    /** The versions of the other side. */
    readonly acceptedVersions: readonly string[];
    /** Who noticed it. */
    readonly observedBy: Side;
};
/** The session ends soon unless something happens in it. */
export type SessionExpiringEvent = {
    readonly kind: "session-expiring";
    /** When, ISO 8601. */
    readonly expiresAt: string;
};
/** A reader was too slow and has to come back. */
export type SlowConsumerEvent = {
    readonly kind: "slow-consumer";
};
/** A subscription was refused, or its connection was lost and is tried again. */
export type SubscribeFailedEvent = {
    readonly kind: "subscribe-failed";
    /** A code. */
    readonly reason: string;
    /** In words, for a developer. */
    readonly message?: string;
};
/** A connection that was lost is there again. */
export type SubscribeRecoveredEvent = {
    readonly kind: "subscribe-recovered";
    /** The way frames come now. */
    readonly transport: Transport;
};
/** Frames come another way than over the socket. */
export type TransportFallbackEvent = {
    readonly kind: "transport-fallback";
    /** The session. */
    readonly sessionId: string;
    /** The way. */
    readonly transport: Transport;
};
/** A newer view cannot be drawn; the one before it is still shown. */
export type ViewRefusedEvent = {
    readonly kind: "view-refused";
    /** The session. */
    readonly sessionId: string;
    /** What is wrong with it. */
    readonly message: string;
};
/** Something worth a row on a host's page (live-channel.md §10, hosting.md §7). Later releases add kinds: a host shows
one it does not know as a generic row. */
export type ObservedEvent = ActionSubmittedEvent | AuthRequiredEvent | ChannelPollDegradedEvent | ChannelPollRecoveredEvent | ChannelTransportFallbackEvent | ChannelTransportPickedEvent | ChannelTransportResubscribedEvent | ComponentFailedEvent | ConsumerAbsentEvent | ConsumerPresentEvent | ContextSyncedEvent | ContractViolationEvent | FrameFloodingEvent | GenerationEndedEvent | ReplayTruncatedEvent | SchemaVersionMismatchEvent | SessionExpiringEvent | SlowConsumerEvent | SubscribeFailedEvent | SubscribeRecoveredEvent | TransportFallbackEvent | ViewRefusedEvent;

/** Any kind a host does not know: to be shown as a generic row. */
export interface OtherEvent {
    readonly kind: string & {};
    readonly [field: string]: unknown;
}
export type ObservabilityEvent = ObservedEvent | OtherEvent;

/** What passes a frame's requests on to the MCP server its render came from. */
export interface StageRelay {
    /** `tools/call`: the tool's whole result. */
    callTool(params: {
        readonly name: string;
        readonly arguments?: unknown;
    }): Promise<unknown>;
    /** `resources/read`: the whole result. */
    readResource(params: {
        readonly uri: string;
    }): Promise<unknown>;
}
/** The events of the element. All bubble; `stage-link` can be prevented. */
export interface ProsceniumStageEventMap {
    /** Something worth a row on the page; unknown kinds are possible. */
    "stage-observe": CustomEvent<ObservabilityEvent>;
    /** The view draws, or it cannot be shown; `INVALID_SRC` where `src` is no address of one. */
    "stage-state": CustomEvent<{
        readonly state: "loading" | "ready" | "failed";
        readonly reason?: string;
        readonly message?: string;
    }>;
    /** The person did something, and no agent waits for it. */
    "stage-rings": CustomEvent<null>;
    /** The view wants to open an address; unless prevented the person is asked. */
    "stage-link": CustomEvent<{
        readonly url: string;
    }>;
}
/**
 * Shows one render.
 *
 * Attributes: `src`, the `viewerUrl` of a render (`https://…/r/<code>`); `theme`, `light` or `dark`
 * (else as the system is); `label`, the accessible name of the frame.
 *
 * The frame is sandboxed: it has an origin of its own and reaches nothing of this page.
 */
export declare class ProsceniumStage extends HTMLElement {
    #private;
    static readonly observedAttributes: string[];
    /** Set before `src`; without it the frame reaches its server by itself. */
    relay: StageRelay | undefined;
    connectedCallback(): void;
    disconnectedCallback(): void;
    attributeChangedCallback(name: string): void;
}
declare global {
    interface HTMLElementTagNameMap {
        "proscenium-stage": ProsceniumStage;
    }
    interface HTMLElementEventMap extends ProsceniumStageEventMap {
    }
}
