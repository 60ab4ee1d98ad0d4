//! Frames a client of the live channel sends (live-channel.md §2).

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::super::host::HostContext;
use super::super::object::{Object, only};
use super::super::whole;

/// A frame before its payload is parsed, which depends on its type. It may carry a credential, so
/// it has no `Debug`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientFrame<'a> {
    /// Type of the frame.
    #[serde(rename = "type", borrow)]
    pub kind: Cow<'a, str>,
    /// Its payload.
    #[serde(borrow, default)]
    pub payload: Option<&'a RawValue>,
    /// Echoed by the reply.
    #[serde(default)]
    pub request_id: Option<String>,
}

/// Payload of `subscribe` (live-channel.md §3). It carries a credential: no `Debug`.
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
    #[serde(default, deserialize_with = "whole::option")]
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

/// Payload of `action` (live-channel.md §6); `actionId` and `firedAt` are additions.
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

/// Payload of `host_context_observed` (live-channel.md §7).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HostContextObserved {
    /// Must be the subscription's.
    pub session_id: String,
    /// Replaces what was known.
    #[serde(deserialize_with = "only")]
    pub host_context: HostContext,
}

/// Payload of `channel_unsubscribe` (live-channel.md §8.4); one that is malformed does nothing.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChannelUnsubscribe {
    /// Must be the subscription's.
    pub session_id: String,
    /// The channel.
    pub channel_name: String,
}

/// Payload of `channel_subscribe` (live-channel.md §8.4).
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChannelSubscribe {
    /// Must be the subscription's.
    pub session_id: String,
    /// A channel whose contract names the tool that feeds it.
    pub channel_name: String,
    /// Milliseconds between two polls; brought within the bounds of the server.
    #[serde(default, deserialize_with = "whole::option")]
    pub poll_interval_ms: Option<u64>,
    /// Arguments of the tool, over those of the contract.
    #[serde(default)]
    pub args: Option<Object>,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read<'a>(frame: &'a str) -> ClientFrame<'a> {
        serde_json::from_str(frame).unwrap()
    }

    #[test]
    fn every_frame_of_a_client_is_read_as_documented() {
        let frame = read(
            r#"{"type":"subscribe","requestId":"sub-1","payload":{"sessionId":"s","appId":"a","role":"user","wsToken":"t","fromSeq":12,"sinceSequence":40,"supportedVersions":["draft-2026-08-19"],"observe":true}}"#,
        );
        assert_eq!(
            (&*frame.kind, frame.request_id.as_deref()),
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
        assert_eq!(channel.poll_interval_ms, Some(1_000));
        assert!(channel.args.is_some_and(|args| args.is_empty()));
        for bare in [
            r#"{"type":"ping","payload":{}}"#,
            r#"{"type":"channel_unsubscribe"}"#,
        ] {
            assert!(read(bare).request_id.is_none());
        }
    }
}
