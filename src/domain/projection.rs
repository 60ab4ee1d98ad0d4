//! What those who watch get to see: an event's frames and its row, a session's snapshot.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::{Value, json};

use super::contract::CompiledContract;
use super::event::{Emission, Event, Record};
use super::limits::SessionLimits;
use super::session::Session;
use crate::wire::frames::{DRAFTS, LedgerRow, ServerBody, ServerFrame};
use crate::wire::ids::{SessionId, SessionKey};
use crate::wire::slice::{Specs, StoredSession, VIEW_MEDIA_TYPE};
use crate::wire::tools::SessionStatus;

/// The frames of an event, encoded.
pub(crate) fn frames(record: &Record, key: &SessionKey) -> Box<[Bytes]> {
    match &record.fact.event {
        Event::ActionsDrained(ids) => ids
            .iter()
            .map(|id| {
                encode(ServerBody::DrainAck {
                    app_id: &key.app,
                    session_id: &key.session,
                    event_id: id.as_str(),
                    drained_at: record.fact.at.to_string(),
                })
            })
            .collect(),
        // Another window of the same session shows what was sent in this one, and sets what was set.
        Event::ActionSubmitted(action) => observed(
            key,
            &json!({
                "kind": "action-submitted",
                "actionId": action.id,
                "action": action.gesture.intent(),
            }),
        ),
        Event::ContextSynced(snapshot) => observed(
            key,
            &json!({ "kind": "context-synced", "snapshot": **snapshot }),
        ),
        Event::ActionsSettled(_)
        | Event::Created(_)
        | Event::Deleted
        | Event::HostContextObserved(_)
        | Event::Snapshot(_) => Box::default(),
        Event::AuthRequested(request) => observed(key, &request.event),
        Event::Emitted(emission) => Box::new([encode(data(emission, &key.session))]),
        Event::Observed(event) => observed(key, event),
        Event::Redrawn(view) => Box::new([encode(ServerBody::ViewUpdate {
            session_id: &key.session,
            view: view.value(),
        })]),
        Event::Updated { props, epoch, .. } => Box::new([encode(ServerBody::PropsUpdate {
            session_id: &key.session,
            props,
            epoch: epoch.0,
        })]),
    }
}

/// The one frame of what only those who observe are told.
fn observed(key: &SessionKey, event: &Value) -> Box<[Bytes]> {
    Box::new([encode(ServerBody::Observe {
        session_id: &key.session,
        event,
    })])
}

fn data<'a>(emission: &'a Emission, session_id: &'a SessionId) -> ServerBody<'a> {
    ServerBody::Data {
        session_id,
        channel: &emission.channel,
        mode: emission.mode,
        payload: &emission.payload,
        seq: emission.stream_seq,
        complete: emission.complete,
        schema_version: DRAFTS[0],
    }
}

/// An unsolicited frame.
pub(crate) fn encode(body: ServerBody<'_>) -> Bytes {
    let frame = ServerFrame {
        body,
        request_id: None,
    };
    // Keys of our own types are texts: writing them to memory cannot fail.
    serde_json::to_vec(&frame).unwrap_or_default().into()
}

/// The row of an event in its session's ledger (live-channel.md §5.2); kinds that the protocol does
/// not know are marked with `x-`.
pub(crate) fn row(record: &Record, key: &SessionKey, contract: &CompiledContract) -> LedgerRow {
    let SessionKey { app, session: id } = key;
    let (kind, data) = match &record.fact.event {
        Event::ActionsDrained(ids) => {
            let ids: Vec<_> = ids.iter().map(|id| id.as_str()).collect();
            let at = record.fact.at.to_string();
            let data = json!({"appId": app, "sessionId": id, "eventIds": ids, "drainedAt": at});
            ("x-drained", data)
        }
        Event::ActionsSettled(ids) => {
            let ids: Vec<_> = ids.iter().map(|id| id.as_str()).collect();
            ("x-settled", json!({ "sessionId": id, "eventIds": ids }))
        }
        Event::ActionSubmitted(action) => {
            let gesture = &action.gesture;
            let mut value = json!({
                "action": gesture.intent(),
                "data": gesture.data(),
                "uiContext": gesture.ui_context,
            });
            if let Some(tool) = contract.next_step(gesture.intent()) {
                // Advice to whoever reads the ledger; the server never calls it.
                value["tool"] = tool.into();
            }
            let data = json!({
                "sessionId": id,
                "type": "data:submit",
                "payload": value,
                "actionId": action.id,
                "firedAt": gesture.fired_at,
            });
            ("user.submitted", data)
        }
        Event::AuthRequested(request) => ("x-observed", request.event.clone()),
        Event::ContextSynced(snapshot) => ("x-context", json!({ "snapshot": **snapshot })),
        Event::Created(_) => ("ui.created", json!({ "sessionId": id })),
        Event::Deleted => ("x-deleted", json!({ "sessionId": id })),
        Event::Emitted(emission) => ("x-data", payload_of(data(emission, id))),
        Event::HostContextObserved(host) => ("x-host-context", json!({ "hostContext": **host })),
        Event::Observed(event) => ("x-observed", event.clone()),
        Event::Redrawn(view) => ("x-view", json!({"sessionId": id, "view": **view.value()})),
        // Only stores see one: it lies at the position of another event.
        Event::Snapshot(_) => ("x-snapshot", json!({ "sessionId": id })),
        Event::Updated { props, epoch, .. } => {
            let data = json!({"sessionId": id, "props": **props, "epoch": epoch.0});
            ("ui.updated", data)
        }
    };
    LedgerRow {
        seq: record.seq.0,
        kind,
        timestamp: record.fact.at.to_string(),
        data,
    }
}

fn payload_of(body: ServerBody<'_>) -> Value {
    let mut frame = serde_json::to_value(body).unwrap_or_default();
    frame["payload"].take()
}

/// A session as frames carry it.
pub(crate) fn stored(session: &Session, limits: &SessionLimits) -> StoredSession {
    StoredSession {
        id: session.key.session.to_string(),
        app_id: session.key.app.to_string(),
        kind: "component",
        component_code: "",
        content_type: VIEW_MEDIA_TYPE,
        view: Arc::clone(session.view().value()),
        props: session.props.clone(),
        specs: specs(&session.contract),
        host_context: session.host_context.clone(),
        event_sequence: session.seq.0,
        epoch: session.epoch.0,
        status: SessionStatus::Active,
        prompt: Arc::clone(&session.creation.intent),
        created_at: session.created_at.0,
        last_activity_at: session.last_activity_at.0,
        expires_at: session.expires_at(limits).0,
    }
}

/// What a contract specifies, part by part.
pub(crate) fn specs(contract: &CompiledContract) -> Specs {
    let spec = |name: &str| contract.source().get(name).cloned();
    Specs {
        props_spec: spec("propsSpec"),
        action_spec: spec("actionSpec"),
        stream_spec: spec("streamSpec"),
        context_spec: spec("contextSpec"),
    }
}
