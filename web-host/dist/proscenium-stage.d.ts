export interface Violation {
    readonly field: string;
    readonly message: string;
    readonly expected?: string;
    readonly received?: string;
    readonly keyword?: string;
}

/** A value did not fit the contract and reached nobody. */
export interface ContractViolationEvent {
    readonly kind: "contract-violation";
    readonly action?: string;
    readonly code?: string;
    readonly message?: string;
    readonly violations?: readonly Violation[];
}
/** The connection of a frame was lost and is tried again. */
export interface SubscribeFailedEvent {
    readonly kind: "subscribe-failed";
    readonly reason: string;
    readonly message?: string;
}
/** A connection that was lost is there again. */
export interface SubscribeRecoveredEvent {
    readonly kind: "subscribe-recovered";
    readonly transport: "ws" | "sse" | "poll" | "relay";
}
/** Frame and server speak no common version; nothing is tried again. */
export interface SchemaVersionMismatchEvent {
    readonly kind: "schema-version-mismatch";
    readonly observedVersion?: string;
    readonly acceptedVersions: readonly string[];
    readonly observedBy: "client" | "server";
}
/** The agent needs the person to sign in somewhere. `authUrl` is https. */
export interface AuthRequiredEvent {
    readonly kind: "auth-required";
    readonly provider: string;
    readonly authUrl: string;
    readonly authRequestId?: string;
    readonly displayName?: string;
    readonly scopes?: readonly string[];
    readonly message?: string;
}
/** A reader was too slow and has to come back. */
export interface SlowConsumerEvent {
    readonly kind: "slow-consumer";
    readonly sessionId?: string;
}
/** An agent waits for what the person does, or no longer does. */
export interface ConsumerEvent {
    readonly kind: "consumer-present" | "consumer-absent";
    readonly sessionId?: string;
}
/** The session ends soon unless something happens in it. */
export interface SessionExpiringEvent {
    readonly kind: "session-expiring";
    readonly expiresAt?: string | number;
}
/** Frames come another way than over the socket. */
export interface TransportFallbackEvent {
    readonly kind: "transport-fallback";
    readonly sessionId: string;
    readonly transport: "sse" | "poll" | "relay";
}
/** A channel that a tool feeds is asked for: of the server, or through the host. */
export interface ChannelTransportPickedEvent {
    readonly kind: "channel-transport-picked";
    readonly sessionId: string;
    readonly channelName: string;
    readonly transport: "ws" | "poll";
}
/** Such a channel is asked for through the host from now on, and no longer of the server. */
export interface ChannelTransportFallbackEvent {
    readonly kind: "channel-transport-fallback";
    readonly sessionId: string;
    readonly channelName: string;
    readonly reason: "ws-disconnect" | "channel-not-local";
}
/** The socket is back, and the server is asked again. */
export interface ChannelTransportResubscribedEvent {
    readonly kind: "channel-transport-resubscribed";
    readonly sessionId: string;
    readonly channelName: string;
}
/** The host relays no tool: the channel stands still, and the host is looked at now and then. */
export interface ChannelPollDegradedEvent {
    readonly kind: "channel-poll-degraded";
    readonly sessionId: string;
    readonly channelName: string;
    readonly reason: "relay-incapable";
    readonly probeIntervalMs: number;
}
/** The host relays tools after all. */
export interface ChannelPollRecoveredEvent {
    readonly kind: "channel-poll-recovered";
    readonly sessionId: string;
    readonly channelName: string;
    readonly pollIntervalMs: number;
}
/** Items of a stream were no longer kept when this frame asked for them. */
export interface ReplayTruncatedEvent {
    readonly kind: "replay-truncated";
    readonly sessionId: string;
}
/** One component could not be drawn; the others are. */
export interface ComponentFailedEvent {
    readonly kind: "component-failed";
    readonly componentId: string;
    readonly message: string;
}
/** A newer view cannot be drawn; the one before it is still shown. */
export interface ViewRefusedEvent {
    readonly kind: "view-refused";
    readonly sessionId: string;
    readonly message: string;
}
/** A frame sends more than anybody can follow; it is not listened to for a while. */
export interface FrameFloodingEvent {
    readonly kind: "frame-flooding";
}
/** Any kind a host does not know: to be shown as a generic row. */
export interface OtherEvent {
    readonly kind: string & {};
    readonly [field: string]: unknown;
}
export type ObservabilityEvent = ContractViolationEvent | SubscribeFailedEvent | SubscribeRecoveredEvent | SchemaVersionMismatchEvent | AuthRequiredEvent | SlowConsumerEvent | ConsumerEvent | SessionExpiringEvent | TransportFallbackEvent | ChannelTransportPickedEvent | ChannelTransportFallbackEvent | ChannelTransportResubscribedEvent | ChannelPollDegradedEvent | ChannelPollRecoveredEvent | ReplayTruncatedEvent | ComponentFailedEvent | ViewRefusedEvent | FrameFloodingEvent | OtherEvent;

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
