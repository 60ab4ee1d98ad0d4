//! Events as earlier releases have stored them, which every later one reads: `tests/events/` holds
//! one file for each schema, with each kind of event and every optional member.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value, json};

use super::action::{Action, Gesture};
use super::attempt::AttemptId;
use super::clock::Time;
use super::document::DocumentHash;
use super::event::SessionState;
use super::event::{AuthRequest, Creation, EVENT_SCHEMA, Emission, Event, Fact, Record};
use super::principal::Door;
use super::view::View;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{Epoch, Seq, SessionKey};
use crate::wire::tools::Variance;

/// What each schema looks like in a store, a record a line.
const FILES: [&str; 3] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/events/schema-1.jsonl"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/events/schema-2.jsonl"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/events/schema-3.jsonl"),
];
/// Set to write the file of the schema of now.
const BLESS: &str = "PROSCENIUM_BLESS";

fn key() -> SessionKey {
    SessionKey {
        app: "shop".into(),
        session: "9d3b1c52-0d5e-4d6a-8f50-1f2a3b4c5d6e".into(),
    }
}

/// A kind of event has a name here, or this does not compile: then the file wants one more line.
fn kind(event: &Event) -> &'static str {
    match event {
        Event::ActionsDrained(_) => "actions_drained",
        Event::ActionsSettled(_) => "actions_settled",
        Event::ActionSubmitted(_) => "action_submitted",
        Event::AuthRequested(_) => "auth_requested",
        Event::ContextSynced(_) => "context_synced",
        Event::Created(_) => "created",
        Event::Deleted => "deleted",
        Event::Emitted(_) => "emitted",
        Event::HostContextObserved(_) => "host_context_observed",
        Event::Observed(_) => "observed",
        Event::Redrawn(_) => "redrawn",
        Event::Snapshot(_) => "snapshot",
        Event::Updated { .. } => "updated",
    }
}
/// How many kinds each schema has.
const KINDS: [usize; 3] = [12, 13, 13];

fn attempt(seq: Seq) -> AttemptId {
    AttemptId::of([&seq.0.to_be_bytes(), b"", b"", b"", b""])
}

fn read<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn created(schema: u16) -> Event {
    Event::Created(Arc::new(Creation {
        owner: "agent".into(),
        intent: "Choose a table – „für zwei“".into(),
        contract: DocumentHash::of("{\"propsSpec\":{}}"),
        variance: Variance::default(),
        view: DocumentHash::of("{\"version\":\"v0.9\"}"),
        props: Some(Arc::new(json!({"seats": 2, "price": 12.5, "note": null}))),
        theme: Some(read(json!({
            "id": "dusk",
            "name": "Dusk",
            "description": "For evenings",
            "modes": ["light", "dark"],
            "tokens": {"--ggui-color-primary": "#123456"},
        }))),
        host: Some(read(json!({"hostName": "chat", "hostSessionId": "c-1"}))),
        short_code: "abcdefghijklmnop".into(),
        is_reused: schema > 2,
    }))
}

fn emitted(channel: &str, stream_seq: u64, mode: StreamMode, replay: StreamReplay) -> Event {
    Event::Emitted(Emission {
        channel: channel.into(),
        mode,
        payload: json!({"kind": "render_started", "at": [1, -2, 3.25]}),
        complete: mode == StreamMode::Replace,
        stream_seq,
        replay,
    })
}

fn submitted(id: &str, action: &str, data: Value) -> Event {
    Event::ActionSubmitted(Arc::new(Action {
        id: id.into(),
        gesture: Arc::new(Gesture {
            value: json!({"action": action, "data": data}),
            ui_context: json!({"tab": "menu"}),
            fired_at: "2026-08-23T15:46:40.000Z".to_owned(),
        }),
    }))
}

fn updated(note: &str, epoch: u64, reminted: bool) -> Event {
    Event::Updated {
        props: Arc::new(json!({"seats": 2, "note": note})),
        epoch: Epoch(epoch),
        reminted,
    }
}

/// All that can be stored in a schema: a life of a session, with a snapshot in its middle.
fn life(schema: u16) -> Vec<Arc<Record>> {
    let host = json!({
        "availableDisplayModes": ["inline", "fullscreen", "pip"],
        "currentDisplayMode": "inline",
        "containerDimensions": {"width": 640, "maxWidth": 800.5, "height": 480, "maxHeight": 600},
        "platform": "mobile",
        "deviceCapabilities": {"touch": true, "hover": false},
        "locale": "de-CH",
        "timeZone": "Europe/Zurich",
    });
    let consent = json!({
        "kind": "auth-required",
        "authRequestId": "auth-1",
        "provider": "bank",
        "authUrl": "https://bank.example/consent",
    });
    let view = json!({"version": "v0.9", "view": {"components": [{"id": "root", "weight": 0.5}]}});
    let redrawn = (schema > 1).then(|| Event::Redrawn(View::from_value(view)));
    let before = [
        created(schema),
        emitted("_ggui:lifecycle", 1, StreamMode::Append, StreamReplay::All),
        emitted("progress", 2, StreamMode::Replace, StreamReplay::Latest),
        emitted("ticks", 3, StreamMode::Append, StreamReplay::None),
        submitted("gesture-1", "choose", json!({"table": 7})),
        submitted("gesture-2", "choose", json!({"table": 8})),
        Event::ActionsDrained(Box::new(["gesture-1".into(), "gesture-2".into()])),
        Event::ActionsSettled(Box::new(["gesture-1".into()])),
        submitted("seq:9", "_ggui:other", Value::Null),
        Event::AuthRequested(Arc::new(AuthRequest {
            id: "auth-1".into(),
            provider: "bank".into(),
            event: consent,
        })),
        Event::ContextSynced(Arc::new(json!({"tab": "menu", "filter": []}))),
        Event::HostContextObserved(Arc::new(read(host))),
        Event::Observed(json!({"kind": "consumer-present"})),
        updated("window", 1, true),
    ];
    let after = [
        updated("garden", 1, false),
        submitted(
            "gesture-3",
            "_ggui:auth",
            json!({"authRequestId": "auth-1"}),
        ),
        Event::Deleted,
    ];
    let doors = [Door::Mcp, Door::Rest, Door::Socket, Door::Server];
    let (mut seq, mut bytes) = (Seq::default(), 0);
    let mut next = |event| {
        seq = seq.next();
        let fact = Fact {
            at: Time(1_787_500_000_000 + seq.0),
            principal: "agent".into(),
            door: doors[usize::try_from(seq.0 % 4).unwrap()],
            attempt: (schema > 2 && seq.0 % 2 == 1).then(|| attempt(seq)),
            event,
        };
        let record = Record::new(seq, bytes, fact);
        bytes = record.ends_at;
        Arc::new(Record { schema, ..record })
    };
    let before = before.into_iter().chain(redrawn);
    let mut records: Vec<_> = before.map(&mut next).collect();
    let state = SessionState::fold(&key(), &records).unwrap();
    let snapshot = Record::snapshot(state);
    records.push(Arc::new(Record { schema, ..snapshot }));
    records.extend(after.into_iter().map(next));
    records
}

#[test]
fn events_of_every_release_are_read_as_they_were_written() {
    for (schema, (path, kinds)) in (1..).zip(FILES.into_iter().zip(KINDS)) {
        // An older schema's file is never written anew.
        if schema == EVENT_SCHEMA && std::env::var_os(BLESS).is_some() {
            let lines: String = life(schema)
                .iter()
                .map(|record| record.to_json().unwrap() + "\n")
                .collect();
            std::fs::write(path, lines).unwrap();
        }
        let text = std::fs::read_to_string(path).unwrap();
        let records: Vec<_> = text
            .lines()
            .map(|line| {
                let record =
                    Record::from_json(line).unwrap_or_else(|error| panic!("{error}: {line}"));
                assert_eq!(record.to_json().unwrap(), line, "nothing of it is lost");
                Arc::new(record)
            })
            .collect();
        assert_eq!(records, life(schema));
        let found: BTreeSet<_> = records
            .iter()
            .map(|record| kind(&record.fact.event))
            .collect();
        assert_eq!(found.len(), kinds, "{found:?}");
    }
}

#[test]
fn a_snapshot_comes_to_the_same_as_what_it_takes_the_place_of() {
    let records = life(EVENT_SCHEMA);
    let is_snapshot = |record: &Arc<Record>| matches!(record.fact.event, Event::Snapshot(_));
    let at = records.iter().position(is_snapshot).unwrap();
    let whole = SessionState::fold(&key(), &records).unwrap();
    assert_eq!(SessionState::fold(&key(), &records[at..]), Some(whole));
    let without = records.iter().filter(|record| !is_snapshot(record));
    let without: Vec<_> = without.cloned().collect();
    assert_eq!(
        SessionState::fold(&key(), &without),
        SessionState::fold(&key(), &records)
    );
    assert_eq!(SessionState::fold(&key(), &records[1..at]), None);
}

#[test]
fn what_a_newer_release_has_written_is_refused_with_a_sentence() {
    let line = life(EVENT_SCHEMA)[0].to_json().unwrap();
    let newer = line.replacen("\"schema\":3", "\"schema\":4", 1);
    let refused = Record::from_json(&newer).unwrap_err().to_string();
    assert!(
        refused.contains("schema 4 need a newer release"),
        "{refused}"
    );
}
