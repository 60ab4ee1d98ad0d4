//! How the log of a session begins.

use std::sync::Arc;

use serde_json::json;

use crate::domain::clock::Time;
use crate::domain::event::{Creation, Emission, Event, Fact, LIFECYCLE_CHANNEL};
use crate::domain::handshake::OpenHandshake;
use crate::domain::operation::Caller;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::SessionKey;

/// How a session begins: its creation, and the three steps that led to it. A model may draw its
/// view.
pub(super) fn opening(
    caller: &Caller,
    now: Time,
    handshake: &OpenHandshake,
    key: &SessionKey,
    creation: Arc<Creation>,
    is_drawn: bool,
) -> Vec<Fact> {
    let steps = [
        (
            handshake.created_at,
            json!({
                "kind": "handshake_started",
                "handshakeId": handshake.id.as_str(),
                "intent": &*handshake.intent,
            }),
        ),
        (
            handshake.created_at,
            json!({
                "kind": "handshake_completed",
                "handshakeId": handshake.id.as_str(),
                "outcome": match (&handshake.matched, handshake.is_amended) {
                    (Some(_), _) => "cached",
                    (None, true) => "amended",
                    (None, false) => "accepted",
                },
                "genExpected": handshake.matched.is_none() || is_drawn,
            }),
        ),
        (
            now,
            json!({
                "kind": "render_started",
                "sessionId": key.session.as_str(),
                "intent": &*handshake.intent,
            }),
        ),
    ];
    let mut facts = vec![Fact::by(caller, now, Event::Created(creation))];
    let channel: Arc<str> = LIFECYCLE_CHANNEL.into();
    for (stream_seq, (at, payload)) in (1..).zip(steps) {
        let emission = Emission {
            channel: Arc::clone(&channel),
            mode: StreamMode::Append,
            payload,
            complete: false,
            stream_seq,
            replay: StreamReplay::All,
        };
        facts.push(Fact::by(caller, at, Event::Emitted(emission)));
    }
    facts
}
