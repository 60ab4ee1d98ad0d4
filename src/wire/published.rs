//! Generates the schemas of the contract, of every frame and of what pages start with, and compares
//! them with `schemas/`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::contract::Contract;
use super::frames::{
    ActionEnvelope, ChannelSubscribe, ChannelUnsubscribe, HostContextObserved, ServerFrame,
    Subscribe,
};
use super::gate::ConfirmResult;
use super::observe::ObservedEvent;
use super::slice::Slice;
use super::stage::{FeedEvent, StageConfig};

/// Set to write the files again.
const BLESS: &str = "PROSCENIUM_BLESS";

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("schemas/{name}.json"))
}

fn published(name: &str) -> Value {
    let text = std::fs::read_to_string(path(name)).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Integer formats describe machine words, not JSON, and validators warn about unknown formats.
fn without_integer_formats(schema: &mut Schema) {
    let format = schema.get("format").and_then(Value::as_str);
    if format.is_some_and(|format| format.starts_with("uint") || format.starts_with("int")) {
        schema.remove("format");
    }
}

fn settings() -> SchemaSettings {
    let transform = RecursiveTransform(without_integer_formats);
    SchemaSettings::draft2020_12().with_transform(transform)
}

fn contract() -> Value {
    let generator = settings().into_generator();
    generator.into_root_schema_for::<Contract>().to_value()
}

/// The frames of a server, one branch per type.
fn server_frames() -> Value {
    written::<ServerFrame<'_>>()
}

/// What a mount and a server report to hosts.
fn observed() -> Value {
    written::<ObservedEvent>()
}

/// What a mount starts with.
fn slice() -> Value {
    written::<Slice>()
}

/// What the stage is configured with, what its feed sends, and what is said of the call after a click.
fn stage() -> Value {
    let mut generator = settings().for_serialize().into_generator();
    let parts = [
        generator.subschema_for::<StageConfig>().to_value(),
        generator.subschema_for::<FeedEvent>().to_value(),
        generator.subschema_for::<ConfirmResult>().to_value(),
    ];
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Stage",
        "description": "What the page of the stage is configured with, what its feed sends, or what it is told of the call after a click.",
        "anyOf": parts,
        "$defs": generator.take_definitions(true),
    })
}

/// The schema of what is only ever written.
fn written<T: JsonSchema>() -> Value {
    let generator = settings().for_serialize().into_generator();
    generator.into_root_schema_for::<T>().to_value()
}

/// A frame of a client; its payload is parsed once its type is known.
struct Frame {
    kind: &'static str,
    description: &'static str,
    payload: fn(&mut SchemaGenerator) -> Option<Value>,
    /// Whether the server can parse a payload.
    reads: fn(&Value) -> bool,
}

fn of<T: JsonSchema>(generator: &mut SchemaGenerator) -> Option<Value> {
    Some(generator.subschema_for::<T>().to_value())
}

fn reads<T: DeserializeOwned>(payload: &Value) -> bool {
    serde_json::from_value::<T>(payload.clone()).is_ok()
}

const CLIENT_FRAMES: &[Frame] = &[
    Frame {
        kind: "action",
        description: "A person did something.",
        payload: of::<ActionEnvelope>,
        reads: reads::<ActionEnvelope>,
    },
    Frame {
        kind: "channel_subscribe",
        description: "Asks for a channel that a tool feeds.",
        payload: of::<ChannelSubscribe>,
        reads: reads::<ChannelSubscribe>,
    },
    Frame {
        kind: "channel_unsubscribe",
        description: "Takes such a wish back; never answered.",
        payload: of::<ChannelUnsubscribe>,
        reads: reads::<ChannelUnsubscribe>,
    },
    Frame {
        kind: "host_context_observed",
        description: "Tells of the host around the mount.",
        payload: of::<HostContextObserved>,
        reads: reads::<HostContextObserved>,
    },
    Frame {
        kind: "ping",
        description: "Shows that the client lives; its payload is not read.",
        payload: |_| None,
        reads: |_| true,
    },
    Frame {
        kind: "subscribe",
        description: "Follows a session; the first frame of a socket.",
        payload: of::<Subscribe>,
        reads: reads::<Subscribe>,
    },
];

/// The frames of a client, one branch per type.
fn client_frames() -> Value {
    let mut generator = settings().into_generator();
    let branch = |frame: &Frame| {
        let mut branch = json!({
            "type": "object",
            "description": frame.description,
            "properties": {
                "type": { "type": "string", "const": frame.kind },
                "requestId": {
                    "type": ["string", "null"],
                    "description": "Echoed by the reply.",
                },
            },
            "required": ["type"],
        });
        if let Some(payload) = (frame.payload)(&mut generator) {
            branch["properties"]["payload"] = payload;
            branch["required"] = json!(["type", "payload"]);
        }
        branch
    };
    let branches: Vec<_> = CLIENT_FRAMES.iter().map(branch).collect();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "ClientFrame",
        "description": "A frame a client of the live channel sends.",
        "oneOf": branches,
        "$defs": generator.take_definitions(true),
    })
}

#[test]
fn the_published_schemas_are_those_of_the_types() {
    let mut old = Vec::new();
    for (name, schema) in [
        ("contract", contract()),
        ("frames/client", client_frames()),
        ("frames/server", server_frames()),
        ("observe", observed()),
        ("slice", slice()),
        ("stage", stage()),
    ] {
        if std::env::var_os(BLESS).is_some() {
            let text = serde_json::to_string_pretty(&schema).unwrap();
            std::fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            std::fs::write(path(name), text + "\n").unwrap();
        }
        if published(name) != schema {
            old.push(name);
        }
    }
    assert!(old.is_empty(), "{old:?}: run this test with {BLESS}=1");
}

/// The samples of a schema in a folder.
fn samples(name: &str, verdict: &str) -> Vec<Value> {
    let samples = published(&format!("samples/{name}"));
    let samples = samples[verdict].as_array().cloned();
    samples.unwrap_or_default()
}

#[test]
fn the_server_reads_the_valid_sample_frames_and_no_others() {
    for frame in CLIENT_FRAMES {
        let of_kind = |verdict| {
            let samples = samples("frames/client", verdict).into_iter();
            samples.filter(|sample| sample["type"] == frame.kind)
        };
        assert!(of_kind("valid").count() > 0, "{}", frame.kind);
        for sample in of_kind("valid") {
            assert!((frame.reads)(&sample["payload"]), "{sample}");
        }
        for sample in of_kind("invalid") {
            assert!(!(frame.reads)(&sample["payload"]), "{sample}");
        }
    }
}

#[test]
fn every_frame_of_the_server_has_a_sample_that_is_valid_and_one_that_is_not() {
    let kinds = |verdict| -> BTreeSet<String> {
        let samples = samples("frames/server", verdict).into_iter();
        samples
            .filter_map(|sample| Some(sample["type"].as_str()?.to_owned()))
            .collect()
    };
    let branches = server_frames();
    let branches = branches["oneOf"].as_array().unwrap();
    let known: BTreeSet<_> = branches
        .iter()
        .filter_map(|branch| Some(branch["properties"]["type"]["const"].as_str()?.to_owned()))
        .collect();
    assert_eq!(known.len(), branches.len());
    assert_eq!(kinds("valid"), known);
    assert!(known.is_subset(&kinds("invalid")), "{known:?}");
}
