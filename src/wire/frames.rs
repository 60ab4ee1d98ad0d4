//! Frames of the live channel, both directions (ggui-live-channel.md §2).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::contract::StreamMode;
use super::ids::{AppId, SessionId};
use super::slice::StoredSession;

/// Drafts of the live channel this server speaks, newest first (ruling 18).
pub const DRAFTS: &[&str] = &["draft-2026-08-19", "draft-2026-06-11"];

/// A frame as it came: its payload is read once its type is known. It may carry a credential: no
/// `Debug` (ruling 16).
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientFrame<'a> {
    /// Type of the frame.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its payload.
    #[serde(borrow, default)]
    pub payload: Option<&'a RawValue>,
    /// Echoed by the reply.
    #[serde(default)]
    pub request_id: Option<String>,
}

/// Payload of `subscribe` (§2.2). It carries a credential: no `Debug` (ruling 16).
#[derive(Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscribe {
    /// The session to follow.
    pub session_id: String,
    /// The app the client believes it belongs to.
    #[serde(default)]
    pub app_id: Option<String>,
    /// Credential; replaces the one of the upgrade.
    #[serde(default)]
    pub ws_token: Option<String>,
    /// Stream cursor: replay declared channels beyond it.
    #[serde(default)]
    pub from_seq: Option<u64>,
    /// Ledger cursor: replay rows beyond it. Judged after the ack, so it may be anything.
    #[serde(default)]
    pub since_sequence: Option<Value>,
    /// Drafts the client speaks.
    #[serde(default)]
    pub supported_versions: Option<Vec<String>>,
    /// Whether `observe` frames are wanted (ruling 27).
    #[serde(default)]
    pub observe: bool,
}

/// Payload of `action` (§2.5); `actionId` and `firedAt` are additions (ruling 24).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActionEnvelope {
    /// Must be the subscription's.
    pub session_id: String,
    /// `data:submit`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// `{action, data, uiContext?}`, judged against the contract.
    #[serde(default)]
    pub payload: Value,
    /// Id of the gesture; accepted once.
    #[serde(default)]
    pub action_id: Option<String>,
    /// When, ISO 8601.
    #[serde(default)]
    pub fired_at: Option<String>,
}

/// A row of a session's ledger: what happened, in the order in which it did (§2.4).
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LedgerRow {
    /// Position, gap-free from 1.
    pub seq: u64,
    /// `ui.created`, `ui.updated`, `user.submitted`, or a kind of our own marked with `x-`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// When, ISO 8601.
    pub timestamp: String,
    /// What, by kind.
    pub data: Value,
}

/// A frame this server sends. An ack carries a credential: no `Debug` (ruling 16).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServerFrame<'a> {
    /// Type and payload.
    #[serde(flatten)]
    pub body: ServerBody<'a>,
    /// Echo of the frame it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<&'a str>,
}

/// Type and payload of a frame this server sends.
#[derive(Serialize)]
#[serde(
    tag = "type",
    content = "payload",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ServerBody<'a> {
    /// A subscription or an action was accepted (§2.3).
    Ack(Box<Ack>),
    /// An item of a channel (§2.8).
    Data {
        /// The session.
        session_id: &'a SessionId,
        /// The channel.
        channel: &'a str,
        /// `append` or `replace`.
        mode: StreamMode,
        /// The item.
        payload: &'a Value,
        /// Position over all channels of the session.
        seq: u64,
        /// The channel has ended.
        #[serde(skip_serializing_if = "is_false")]
        complete: bool,
        /// Draft the frame is written in.
        schema_version: &'static str,
    },
    /// The agent has taken an action (§2.9).
    DrainAck {
        /// The app.
        app_id: &'a AppId,
        /// The session.
        session_id: &'a SessionId,
        /// Id of the action.
        event_id: &'a str,
        /// When, ISO 8601.
        drained_at: String,
    },
    /// Something was refused (§2.10).
    Error {
        /// Code of the frame.
        code: &'static str,
        /// Its number, where it has one.
        #[serde(skip_serializing_if = "Option::is_none")]
        number: Option<i32>,
        /// In words, for a developer.
        message: &'a str,
        /// More.
        #[serde(skip_serializing_if = "Option::is_none")]
        details: Option<&'a Value>,
    },
    /// Something worth a row on a host's page (ruling 27).
    Observe {
        /// The session.
        session_id: &'a SessionId,
        /// `{kind, …}`.
        event: &'a Value,
    },
    /// Answer to `ping`.
    Pong {},
    /// The props have changed (§2.9).
    PropsUpdate {
        /// The session.
        session_id: &'a SessionId,
        /// All of them.
        props: &'a Value,
        /// Epoch at commit.
        epoch: u64,
    },
    /// The whole session anew.
    Render {
        /// The session.
        session: Box<StoredSession>,
    },
    /// A row of the ledger, to a subscriber that gave `sinceSequence` (§2.4).
    RenderEvent(Box<LedgerRow>),
}

/// Payload of `ack`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Ack {
    /// Position of the log.
    pub sequence: u64,
    /// Epoch milliseconds.
    pub timestamp: u64,
    /// What of it only one kind of ack carries.
    #[serde(flatten)]
    pub of: AckOf,
}

/// The part of an ack that depends on what it answers.
#[derive(Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum AckOf {
    /// A subscription.
    Subscribe {
        /// The session as it stands.
        session: Box<StoredSession>,
        /// Stream cursor of that snapshot.
        stream_seq: u64,
        /// Highest common draft.
        server_version: &'static str,
        /// Items older than asked for are gone.
        #[serde(skip_serializing_if = "is_false")]
        replay_truncated: bool,
        /// Credential for reconnects.
        #[serde(skip_serializing_if = "Option::is_none")]
        session_token: Option<String>,
    },
    /// An action.
    Action {
        /// Id under which it was accepted.
        action_id: Arc<str>,
        /// Whether an agent waits for it (ruling 25).
        consumer_present: bool,
    },
}

fn is_false(value: &bool) -> bool {
    !*value
}
