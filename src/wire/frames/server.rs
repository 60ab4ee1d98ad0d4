//! Frames this server sends (live-channel.md §2).

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::contract::StreamMode;
use super::super::ids::{AppId, SessionId};
use super::super::observe::ObservedEvent;
use super::super::slice::StoredSession;

/// Drafts of the live channel this server speaks, newest first.
pub const DRAFTS: &[&str] = &["draft-2026-08-19", "draft-2026-06-11"];

/// A row of a session's ledger: what happened, in the order in which it did (live-channel.md §5).
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
    /// A subscription or an action was accepted (live-channel.md §4).
    Ack(Box<Ack>),
    /// An ack that is written already.
    #[serde(rename = "ack")]
    #[schemars(skip)]
    WrittenAck(&'a RawValue),
    /// A channel is not fed through this socket, or was not this time (live-channel.md §8.4).
    ChannelError {
        /// The session.
        session_id: &'a SessionId,
        /// The channel.
        channel_name: &'a str,
        /// Code of the frame.
        code: &'static str,
        /// In words, for a developer.
        message: &'a str,
        /// More.
        #[serde(skip_serializing_if = "Option::is_none")]
        details: Option<&'a Value>,
    },
    /// What the tool that feeds a channel gave (live-channel.md §8.4).
    ChannelPayload {
        /// The session.
        session_id: &'a SessionId,
        /// Its app.
        app_id: &'a AppId,
        /// The channel.
        channel_name: &'a str,
        /// Position since the channel was asked for, from 1.
        seq: u64,
        /// When the tool was asked, ISO 8601.
        ts: String,
        /// `replace`: each is the whole answer; how a picture folds it, the contract says.
        mode: StreamMode,
        /// The tool's structured result.
        payload: &'a Value,
    },
    /// An item of a channel (live-channel.md §8.1).
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
    /// The agent has taken an action (live-channel.md §6.4).
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
    /// Something was refused (errors.md §5).
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
        /// What happened.
        #[schemars(with = "ObservedEvent")]
        event: &'a Value,
    },
    /// Answer to `ping`.
    Pong {},
    /// The props have changed (live-channel.md §9).
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
    /// Another view shows the session; its props and its epoch are what they were
    /// (live-channel.md §9).
    ViewUpdate {
        /// The session.
        session_id: &'a SessionId,
        /// The view.
        view: &'a Value,
    },
    /// A row of the ledger, to a subscriber that gave `sinceSequence` (live-channel.md §5.3).
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
                written(ServerBody::ChannelError { session_id: &session, channel_name: "ticks", code: "CHANNEL_NOT_LOCAL", message: "m", details: None }, None),
                r#"{"type":"channel_error","payload":{"sessionId":"s","channelName":"ticks","code":"CHANNEL_NOT_LOCAL","message":"m"}}"#.to_owned(),
            ),
            (
                written(ServerBody::ChannelError { session_id: &session, channel_name: "ticks", code: "POLL_FAILED", message: "m", details: Some(&details) }, None),
                r#"{"type":"channel_error","payload":{"sessionId":"s","channelName":"ticks","code":"POLL_FAILED","message":"m","details":{"currentSequence":4}}}"#.to_owned(),
            ),
            (
                written(ServerBody::ChannelPayload { session_id: &session, app_id: &app, channel_name: "ticks", seq: 1, ts: "2026-08-23T10:00:00.000Z".to_owned(), mode: StreamMode::Replace, payload: &item }, None),
                r#"{"type":"channel_payload","payload":{"sessionId":"s","appId":"a","channelName":"ticks","seq":1,"ts":"2026-08-23T10:00:00.000Z","mode":"replace","payload":{"v":7}}}"#.to_owned(),
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
                written(ServerBody::ViewUpdate { session_id: &session, view: &item }, None),
                r#"{"type":"view_update","payload":{"sessionId":"s","view":{"v":7}}}"#.to_owned(),
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
}
