//! Handshakes and logs for tests of stores.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::adapters::system::SystemIds;
use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::event::{Creation, Emission, Event, Fact, Record};
use crate::domain::handshake::{Artist, Handshake};
use crate::domain::principal::Door;
use crate::domain::store::{Append, WriteId};
use crate::domain::summary::Summary;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{AppId, Epoch, HandshakeId, Seq, SessionKey, ShortCode};
use crate::wire::tools::Variance;

/// When everything expires that has no reason to expire earlier.
pub(in crate::adapters) const LATE: Time = Time(1_000_000);

pub(in crate::adapters) fn key(app: &str, session: &str) -> SessionKey {
    SessionKey {
        app: app.into(),
        session: session.into(),
    }
}

pub(in crate::adapters) fn document(value: Value) -> Document {
    Document {
        hash: DocumentHash::of(&value.to_string()),
        value: Arc::new(value),
    }
}

pub(in crate::adapters) fn contract() -> Document {
    document(json!({"actionSpec": {"go": {"label": "Go"}}}))
}

pub(in crate::adapters) fn handshake(
    app: &str,
    id: &str,
    created_at: u64,
    expires_at: u64,
) -> Arc<Handshake> {
    Arc::new(Handshake {
        app: AppId::from(app),
        owner: "agent".into(),
        id: HandshakeId::from(id),
        intent: "A test".into(),
        contract: contract().hash,
        view: None,
        variance: Variance::default(),
        matched: None,
        force_create: false,
        artist: Artist::default(),
        is_amended: false,
        created_at: Time(created_at),
        expires_at: Time(expires_at),
    })
}

fn record(seq: u64, event: Event) -> Arc<Record> {
    let fact = Fact {
        at: Time(seq),
        principal: "agent".into(),
        door: Door::Mcp,
        attempt: None,
        event,
    };
    Arc::new(Record::new(Seq(seq), 0, fact))
}

/// How a session begins; its short code is its name.
pub(in crate::adapters) fn birth(key: &SessionKey, expires_at: Time) -> Append {
    let creation = Creation {
        owner: "agent".into(),
        intent: "A test".into(),
        contract: contract().hash,
        variance: Variance::default(),
        view: contract().hash,
        props: None,
        theme: None,
        host: None,
        short_code: ShortCode::from(key.session.as_str()),
        is_reused: false,
    };
    let records = vec![record(1, Event::Created(Arc::new(creation)))];
    Append {
        id: WriteId::new(&SystemIds),
        key: key.clone(),
        expected: Seq(0),
        records,
        expires_at,
        snapshot: None,
        summary: summary(key, 1),
    }
}

/// One more event.
pub(in crate::adapters) fn next(key: &SessionKey, expected: u64, event: Event) -> Append {
    Append {
        id: WriteId::new(&SystemIds),
        key: key.clone(),
        expected: Seq(expected),
        records: vec![record(expected + 1, event)],
        expires_at: LATE,
        snapshot: None,
        summary: summary(key, expected + 1),
    }
}

/// What lists show of a session whose last record has this position.
pub(in crate::adapters) fn summary(key: &SessionKey, head: u64) -> Summary {
    Summary {
        owner: "agent".into(),
        intent: "A test".into(),
        contract: "0123456789abcdef".into(),
        short_code: ShortCode::from(key.session.as_str()),
        host: None,
        epoch: Epoch(head / 2),
        pending_actions: head,
        created_at: Time(1),
        last_activity_at: Time(head),
    }
}

/// An event that means nothing.
pub(in crate::adapters) fn noted(text: &str) -> Event {
    Event::Observed(json!({ "kind": text }))
}

/// An item on a channel.
pub(in crate::adapters) fn emitted() -> Event {
    Event::Emitted(Emission {
        channel: "log".into(),
        mode: StreamMode::Append,
        payload: json!("an item"),
        complete: false,
        stream_seq: 1,
        replay: StreamReplay::All,
    })
}

/// Positions of records, and which of them are snapshots.
pub(in crate::adapters) fn positions(records: &[Arc<Record>]) -> Vec<(u64, bool)> {
    let of = |record: &Arc<Record>| {
        let is_snapshot = matches!(record.fact.event, Event::Snapshot(_));
        (record.seq.0, is_snapshot)
    };
    records.iter().map(of).collect()
}
