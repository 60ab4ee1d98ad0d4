//! What a mount reports to its host (`ggui:observe`), and a server to subscribers that ask for it.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::contract::Violation;

/// Something worth a row on a host's page (live-channel.md §10, hosting.md §7). Later releases add kinds: a host shows
/// one it does not know as a generic row.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(
    tag = "kind",
    rename_all = "kebab-case",
    rename_all_fields = "camelCase"
)]
pub enum ObservedEvent {
    /// A person acted, in this window of the session or in another.
    #[schemars(title = "ActionSubmittedEvent")]
    ActionSubmitted {
        /// Id of the action.
        action_id: String,
        /// Its name in the contract.
        action: String,
    },
    /// The agent needs the person to sign in somewhere.
    #[schemars(title = "AuthRequiredEvent")]
    AuthRequired {
        /// Who is signed in to.
        provider: String,
        /// Where, an https address.
        auth_url: String,
        /// Names the request in the answer.
        auth_request_id: String,
        /// The provider's name for people.
        #[serde(skip_serializing_if = "Option::is_none")]
        display_name: Option<String>,
        /// What is asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        scopes: Option<Vec<String>>,
        /// Why, in the agent's words.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The host relays no tool: the channel stands still, and the host is asked again now and then.
    #[schemars(title = "ChannelPollDegradedEvent")]
    ChannelPollDegraded {
        /// The session.
        session_id: String,
        /// The channel.
        channel_name: String,
        /// Why.
        reason: PollDegraded,
        /// Milliseconds until the host is asked again.
        probe_interval_ms: u32,
    },
    /// The host relays tools after all.
    #[schemars(title = "ChannelPollRecoveredEvent")]
    ChannelPollRecovered {
        /// The session.
        session_id: String,
        /// The channel.
        channel_name: String,
        /// Milliseconds between two polls.
        poll_interval_ms: u32,
    },
    /// Such a channel is polled through the host from now on, and no longer fed by the server.
    #[schemars(title = "ChannelTransportFallbackEvent")]
    ChannelTransportFallback {
        /// The session.
        session_id: String,
        /// The channel.
        channel_name: String,
        /// Why.
        reason: ChannelFallback,
    },
    /// How a channel that a tool feeds is subscribed to: at the server, or by polling the host.
    #[schemars(title = "ChannelTransportPickedEvent")]
    ChannelTransportPicked {
        /// The session.
        session_id: String,
        /// The channel.
        channel_name: String,
        /// The way.
        transport: ChannelTransport,
    },
    /// The socket is back, and the server feeds the channel again.
    #[schemars(title = "ChannelTransportResubscribedEvent")]
    ChannelTransportResubscribed {
        /// The session.
        session_id: String,
        /// The channel.
        channel_name: String,
    },
    /// One component could not be drawn; the others are.
    #[schemars(title = "ComponentFailedEvent")]
    ComponentFailed {
        /// Its id in the view.
        component_id: String,
        /// What went wrong.
        message: String,
    },
    /// No agent waits any longer for what the person does.
    #[schemars(title = "ConsumerAbsentEvent")]
    ConsumerAbsent {},
    /// An agent waits for what the person does.
    #[schemars(title = "ConsumerPresentEvent")]
    ConsumerPresent {},
    /// A person set context slots, in this window of the session or in another.
    #[schemars(title = "ContextSyncedEvent")]
    ContextSynced {
        /// The slots that were set.
        snapshot: Map<String, Value>,
    },
    /// A value did not fit the contract and reached nobody.
    #[schemars(title = "ContractViolationEvent")]
    ContractViolation {
        /// The action it was sent with.
        #[serde(skip_serializing_if = "Option::is_none")]
        action: Option<String>,
        /// Code of the refusal.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
        /// What is wrong, in one text.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// What is wrong, one by one.
        #[serde(skip_serializing_if = "Option::is_none")]
        violations: Option<Vec<Violation>>,
    },
    /// A frame sends more than anybody can follow; it is ignored for a while.
    #[schemars(title = "FrameFloodingEvent")]
    FrameFlooding {},
    /// A model has come to an end with the view of the session.
    #[schemars(title = "GenerationEndedEvent")]
    GenerationEnded {
        /// In words, for a developer.
        message: String,
        /// What is shown from now on.
        outcome: GenerationOutcome,
        /// Why it is still the composed one, or why a view of the model's own was left out.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// The model.
        model: String,
        /// Answers it gave.
        rounds: usize,
        /// Tokens it was sent.
        prompt_tokens: u64,
        /// Tokens it has written.
        answer_tokens: u64,
        /// What that cost, in millionths of a US dollar, by the configured prices.
        microdollars: u64,
        /// Answers that were not needed, where it is shown again.
        #[serde(skip_serializing_if = "Option::is_none")]
        llm_calls_avoided: Option<u32>,
        /// Tokens that they took.
        #[serde(skip_serializing_if = "Option::is_none")]
        tokens_avoided: Option<u64>,
        /// What they cost, in millionths of a US dollar.
        #[serde(skip_serializing_if = "Option::is_none")]
        microdollars_avoided: Option<u64>,
    },
    /// Items of a stream were no longer kept when this frame asked for them.
    #[schemars(title = "ReplayTruncatedEvent")]
    ReplayTruncated {
        /// The session.
        session_id: String,
    },
    /// Frame and server speak no common version; nothing is tried again.
    #[schemars(title = "SchemaVersionMismatchEvent")]
    SchemaVersionMismatch {
        /// The version of whoever noticed it.
        #[serde(skip_serializing_if = "Option::is_none")]
        observed_version: Option<String>,
        /// The versions of the other side.
        accepted_versions: Vec<String>,
        /// Who noticed it.
        observed_by: Side,
    },
    /// The session ends soon unless something happens in it.
    #[schemars(title = "SessionExpiringEvent")]
    SessionExpiring {
        /// When, ISO 8601.
        expires_at: String,
    },
    /// A reader was too slow and has to come back.
    #[schemars(title = "SlowConsumerEvent")]
    SlowConsumer {},
    /// A subscription was refused, or its connection was lost and is tried again.
    #[schemars(title = "SubscribeFailedEvent")]
    SubscribeFailed {
        /// A code.
        reason: String,
        /// In words, for a developer.
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// A connection that was lost is there again.
    #[schemars(title = "SubscribeRecoveredEvent")]
    SubscribeRecovered {
        /// The way frames come now.
        transport: Transport,
    },
    /// Frames come another way than over the socket.
    #[schemars(title = "TransportFallbackEvent")]
    TransportFallback {
        /// The session.
        session_id: String,
        /// The way.
        transport: Transport,
    },
    /// A newer view cannot be drawn; the one before it is still shown.
    #[schemars(title = "ViewRefusedEvent")]
    ViewRefused {
        /// The session.
        session_id: String,
        /// What is wrong with it.
        message: String,
    },
}

/// What is shown once a model has come to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum GenerationOutcome {
    /// The composed view: the model has drawn none that holds.
    Composed,
    /// The view that the model has drawn.
    Drawn,
    /// One that it had drawn before.
    Stored,
}

/// The way frames of a session come (live-channel.md §12).
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Transport {
    /// Asking for pages.
    Poll,
    /// Tools that the host relays.
    Relay,
    /// An event stream.
    Sse,
    /// The socket.
    Ws,
}

/// The way items of a channel come that a tool feeds.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChannelTransport {
    /// The host calls the tool.
    Poll,
    /// The server does.
    Ws,
}

/// Why a channel is polled through the host.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ChannelFallback {
    /// The server does not run the tool.
    ChannelNotLocal,
    /// The socket is lost.
    WsDisconnect,
}

/// Why a polled channel stands still.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PollDegraded {
    /// The host relays no tools.
    RelayIncapable,
}

/// One end of the live channel.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The mount.
    Client,
    /// The server.
    Server,
}
