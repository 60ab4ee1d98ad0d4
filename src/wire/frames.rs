//! Frames of the live channel, both directions (ggui-live-channel.md §2).

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};

use super::contract::StreamMode;
use super::host::HostContext;
use super::ids::{AppId, SessionId};
use super::slice::StoredSession;

/// Drafts of the live channel this server speaks, newest first.
pub const DRAFTS: &[&str] = &["draft-2026-08-19", "draft-2026-06-11"];

/// A frame as it came: its payload is read once its type is known. It may carry a credential: no
/// `Debug`.
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

/// Payload of `subscribe` (§2.2). It carries a credential: no `Debug`.
#[derive(Clone, Default, Deserialize, JsonSchema)]
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
    /// Whether `observe` frames are wanted.
    #[serde(default)]
    pub observe: bool,
}

/// Payload of `action` (§2.5); `actionId` and `firedAt` are additions.
#[derive(Debug, Deserialize, JsonSchema)]
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

/// Payload of `host_context_observed` (§2.6).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HostContextObserved {
    /// Must be the subscription's.
    pub session_id: String,
    /// Replaces what was known.
    pub host_context: HostContext,
}

/// What is read of `channel_subscribe` (§2.7).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChannelSubscribe {
    /// Must be the subscription's.
    pub session_id: String,
    /// The channel.
    pub channel_name: String,
}

/// A frame this server sends. An ack carries a credential: no `Debug`.
#[derive(Serialize, JsonSchema)]
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
#[derive(Serialize, JsonSchema)]
#[serde(
    tag = "type",
    content = "payload",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum ServerBody<'a> {
    /// A subscription or an action was accepted (§2.3).
    Ack(Box<Ack>),
    /// A channel is not fed through this socket (§2.7).
    ChannelError {
        /// The session.
        session_id: &'a SessionId,
        /// The channel.
        channel_name: &'a str,
        /// Code of the frame.
        code: &'static str,
        /// In words, for a developer.
        message: &'a str,
    },
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
    /// Something worth a row on a host's page.
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
#[derive(Serialize, JsonSchema)]
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
#[derive(Serialize, JsonSchema)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub enum AckOf {
    /// A subscription.
    Subscribe {
        /// The session as it stands.
        session: Box<StoredSession>,
        /// Stream cursor of that snapshot.
        stream_seq: u64,
        /// Highest common draft.
        server_version: Cow<'static, str>,
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
        /// Whether an agent waits for it.
        consumer_present: bool,
    },
}

fn is_false(value: &bool) -> bool {
    !*value
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn written(body: ServerBody<'_>, request_id: Option<&str>) -> String {
        serde_json::to_string(&ServerFrame { body, request_id }).unwrap()
    }

    fn session() -> SessionId {
        SessionId::from("s")
    }

    fn stored() -> Box<StoredSession> {
        Box::new(StoredSession {
            id: "s".to_owned(),
            app_id: "a".to_owned(),
            kind: "component",
            component_code: "",
            content_type: "application/a2ui+json",
            view: Arc::new(json!({})),
            props: Some(Arc::new(json!({"n": 1}))),
            specs: Default::default(),
            host_context: None,
            event_sequence: 4,
            epoch: 0,
            status: crate::wire::tools::SessionStatus::Active,
            prompt: "Look".into(),
            created_at: 1,
            last_activity_at: 2,
            expires_at: 3,
        })
    }

    const STORED: &str = r#"{"id":"s","appId":"a","type":"component","componentCode":"","contentType":"application/a2ui+json","view":{},"props":{"n":1},"eventSequence":4,"epoch":0,"status":"active","prompt":"Look","createdAt":1,"lastActivityAt":2,"expiresAt":3}"#;

    #[test]
    fn the_ack_of_a_subscription_is_written_as_documented() {
        let ack = |replay_truncated, session_token| {
            ServerBody::Ack(Box::new(Ack {
                sequence: 4,
                timestamp: 9,
                of: AckOf::Subscribe {
                    session: stored(),
                    stream_seq: 3,
                    server_version: DRAFTS[0].into(),
                    replay_truncated,
                    session_token,
                },
            }))
        };
        assert_eq!(
            written(ack(true, Some("t".to_owned())), Some("r")),
            format!(
                r#"{{"type":"ack","payload":{{"sequence":4,"timestamp":9,"session":{STORED},"streamSeq":3,"serverVersion":"draft-2026-08-19","replayTruncated":true,"sessionToken":"t"}},"requestId":"r"}}"#
            )
        );
        let plain = written(ack(false, None), None);
        assert!(!plain.contains("replayTruncated") && !plain.contains("requestId"));
    }

    #[test]
    fn every_other_frame_of_the_server_is_written_as_documented() {
        let (app, session) = (AppId::from("a"), session());
        let (item, event, details) = (
            json!({"v": 7}),
            json!({"kind": "k"}),
            json!({"currentSequence": 4}),
        );
        let data = |complete| ServerBody::Data {
            session_id: &session,
            channel: "ticks",
            mode: StreamMode::Append,
            payload: &item,
            seq: 15,
            complete,
            schema_version: DRAFTS[0],
        };
        let action = Ack {
            sequence: 42,
            timestamp: 9,
            of: AckOf::Action {
                action_id: "gesture-1".into(),
                consumer_present: true,
            },
        };
        let row = LedgerRow {
            seq: 2,
            kind: "ui.updated",
            timestamp: "2026-08-23T10:00:00.000Z".to_owned(),
            data: json!({"epoch": 1}),
        };
        let cases = [
            (
                written(ServerBody::Ack(Box::new(action)), Some("act-9")),
                r#"{"type":"ack","payload":{"sequence":42,"timestamp":9,"actionId":"gesture-1","consumerPresent":true},"requestId":"act-9"}"#.to_owned(),
            ),
            (
                written(ServerBody::ChannelError { session_id: &session, channel_name: "ticks", code: "CHANNEL_NOT_LOCAL", message: "m" }, None),
                r#"{"type":"channel_error","payload":{"sessionId":"s","channelName":"ticks","code":"CHANNEL_NOT_LOCAL","message":"m"}}"#.to_owned(),
            ),
            (
                written(data(false), None),
                r#"{"type":"data","payload":{"sessionId":"s","channel":"ticks","mode":"append","payload":{"v":7},"seq":15,"schemaVersion":"draft-2026-08-19"}}"#.to_owned(),
            ),
            (
                written(data(true), None),
                r#"{"type":"data","payload":{"sessionId":"s","channel":"ticks","mode":"append","payload":{"v":7},"seq":15,"complete":true,"schemaVersion":"draft-2026-08-19"}}"#.to_owned(),
            ),
            (
                written(ServerBody::DrainAck { app_id: &app, session_id: &session, event_id: "gesture-1", drained_at: "2026-08-23T10:00:00.000Z".to_owned() }, None),
                r#"{"type":"drain_ack","payload":{"appId":"a","sessionId":"s","eventId":"gesture-1","drainedAt":"2026-08-23T10:00:00.000Z"}}"#.to_owned(),
            ),
            (
                written(ServerBody::Error { code: "REPLAY_HORIZON_PASSED", number: None, message: "m", details: Some(&details) }, Some("r")),
                r#"{"type":"error","payload":{"code":"REPLAY_HORIZON_PASSED","message":"m","details":{"currentSequence":4}},"requestId":"r"}"#.to_owned(),
            ),
            (
                written(ServerBody::Observe { session_id: &session, event: &event }, None),
                r#"{"type":"observe","payload":{"sessionId":"s","event":{"kind":"k"}}}"#.to_owned(),
            ),
            (
                written(ServerBody::Pong {}, Some("p")),
                r#"{"type":"pong","payload":{},"requestId":"p"}"#.to_owned(),
            ),
            (
                written(ServerBody::PropsUpdate { session_id: &session, props: &item, epoch: 1 }, None),
                r#"{"type":"props_update","payload":{"sessionId":"s","props":{"v":7},"epoch":1}}"#.to_owned(),
            ),
            (
                written(ServerBody::Render { session: stored() }, None),
                format!(r#"{{"type":"render","payload":{{"session":{STORED}}}}}"#),
            ),
            (
                written(ServerBody::RenderEvent(Box::new(row)), None),
                r#"{"type":"render_event","payload":{"seq":2,"type":"ui.updated","timestamp":"2026-08-23T10:00:00.000Z","data":{"epoch":1}}}"#.to_owned(),
            ),
        ];
        for (written, expected) in cases {
            assert_eq!(written, expected);
        }
    }

    fn read<'a>(frame: &'a str) -> ClientFrame<'a> {
        serde_json::from_str(frame).unwrap()
    }

    #[test]
    fn every_frame_of_a_client_is_read_as_documented() {
        let frame = read(
            r#"{"type":"subscribe","requestId":"sub-1","payload":{"sessionId":"s","appId":"a","role":"user","wsToken":"t","fromSeq":12,"sinceSequence":40,"supportedVersions":["draft-2026-08-19"],"observe":true}}"#,
        );
        assert_eq!(
            (frame.kind.as_str(), frame.request_id.as_deref()),
            ("subscribe", Some("sub-1"))
        );
        let subscribe: Subscribe = serde_json::from_str(frame.payload.unwrap().get()).unwrap();
        assert_eq!(subscribe.session_id, "s");
        assert_eq!(
            (subscribe.from_seq, subscribe.since_sequence),
            (Some(12), Some(json!(40)))
        );
        assert!(subscribe.observe);

        let frame = read(
            r#"{"type":"action","requestId":"act-9","payload":{"sessionId":"s","type":"data:submit","clientSeq":3,"schemaVersion":"draft-2026-08-19","actionId":"gesture-1","firedAt":"2026-08-23T10:00:00Z","payload":{"action":"approve","data":{"id":"r-17"},"tool":"crm_approve"}}}"#,
        );
        let action: ActionEnvelope = serde_json::from_str(frame.payload.unwrap().get()).unwrap();
        assert_eq!(
            (action.kind.as_str(), action.action_id.as_deref()),
            ("data:submit", Some("gesture-1"))
        );
        assert_eq!(action.payload["data"], json!({"id": "r-17"}));

        let frame = read(
            r#"{"type":"host_context_observed","payload":{"sessionId":"s","hostContext":{"platform":"web","deviceCapabilities":{"touch":false}}}}"#,
        );
        let host: HostContextObserved = serde_json::from_str(frame.payload.unwrap().get()).unwrap();
        assert_eq!(
            serde_json::to_value(&host.host_context).unwrap(),
            json!({"platform": "web", "deviceCapabilities": {"touch": false}})
        );

        let frame = read(
            r#"{"type":"channel_subscribe","payload":{"sessionId":"s","appId":"a","channelName":"ticks","pollIntervalMs":1000,"args":{}}}"#,
        );
        let channel: ChannelSubscribe = serde_json::from_str(frame.payload.unwrap().get()).unwrap();
        assert_eq!(channel.channel_name, "ticks");
        for bare in [
            r#"{"type":"ping","payload":{}}"#,
            r#"{"type":"channel_unsubscribe"}"#,
        ] {
            assert!(read(bare).request_id.is_none());
        }
    }
}
