//! A sample of the props a render needs, for the agent to copy.

use serde_json::{Map, Value, json};

use super::keywords::types;
use crate::wire::contract::PropEntry;

/// How deep a sample goes before it stops (ggui-mcp §2.2).
const DEPTH_MAX: usize = 4;

/// A sample value of one prop: its example, else its default, else a placeholder.
pub(super) fn prop(entry: &PropEntry, schema: &Value) -> Value {
    let written = entry.example.as_ref().or(entry.default.as_ref());
    written.cloned().unwrap_or_else(|| placeholder(schema, 0))
}

/// A value that shows the shape of `schema` (ggui-mcp §2.2).
pub(super) fn placeholder(schema: &Value, depth: usize) -> Value {
    let written = ["const", "example", "default"]
        .iter()
        .find_map(|keyword| schema.get(keyword))
        .or_else(|| schema.get("enum")?.get(0));
    if let Some(value) = written {
        return value.clone();
    }
    match types(schema).first().copied() {
        Some("number" | "integer") => schema.get("minimum").cloned().unwrap_or(json!(0)),
        Some("boolean") => json!(false),
        Some("null") => Value::Null,
        Some("array") => match schema.get("items") {
            Some(items) if depth < DEPTH_MAX => json!([placeholder(items, depth + 1)]),
            _ => json!([]),
        },
        Some("object") => {
            let properties = schema.get("properties").and_then(Value::as_object);
            let properties = properties.filter(|_| depth < DEPTH_MAX);
            let sample =
                |(name, inner): (&String, &Value)| (name.clone(), placeholder(inner, depth + 1));
            Value::Object(
                properties
                    .into_iter()
                    .flatten()
                    .map(sample)
                    .collect::<Map<_, _>>(),
            )
        }
        _ => text(schema.get("format").and_then(Value::as_str)),
    }
}

/// A text that passes the formats agents use most; copying it must not earn a violation.
fn text(format: Option<&str>) -> Value {
    Value::from(match format {
        Some("date") => "2026-01-31",
        Some("date-time") => "2026-01-31T09:00:00Z",
        Some("time") => "09:00:00Z",
        Some("duration") => "PT1H",
        Some("email") => "name@example.com",
        Some("uri" | "url") => "https://example.com/",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        _ => "",
    })
}
