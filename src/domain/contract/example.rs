//! A sample of the props a render needs, for the agent to copy.

use serde_json::{Map, Value, json};

use super::keywords::types;
use crate::wire::contract::PropEntry;

/// How deep a sample goes before it stops (ggui-mcp §2.2).
const DEPTH_MAX: usize = 4;
/// Items of a sample, however many there must be: a call is for reading, too.
const ITEMS_MAX: usize = 100;
/// Characters that fill up a sample of a text.
const TEXT_CHARS_MAX: usize = 1_000;

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
    let branches = ["anyOf", "oneOf", "allOf"].iter();
    let mut branches = branches.filter_map(|keyword| schema.get(keyword)?.get(0));
    match (types(schema).first().copied(), branches.next()) {
        (None, Some(branch)) => placeholder(branch, depth),
        (Some("number" | "integer"), _) => number(schema),
        (Some("boolean"), _) => json!(false),
        (Some("null"), _) => Value::Null,
        (Some("array"), _) => array(schema, depth),
        (Some("object"), _) => {
            let required = schema.get("required").and_then(Value::as_array);
            let is_required = |name: &str| required.is_some_and(|all| all.contains(&name.into()));
            let members = schema.get("properties").and_then(Value::as_object);
            // Deep down only what must be there; schemas end before they get too deep.
            let members = members.into_iter().flatten();
            let shown = members.filter(|(name, _)| depth < DEPTH_MAX || is_required(name));
            Value::Object(
                shown
                    .map(|(name, inner)| (name.clone(), placeholder(inner, depth + 1)))
                    .collect::<Map<_, _>>(),
            )
        }
        _ => text(schema),
    }
}

/// One item, or as many as there must be.
fn array(schema: &Value, depth: usize) -> Value {
    let bound = |keyword| {
        let bound = schema.get(keyword).and_then(Value::as_u64);
        bound.map(|bound| usize::try_from(bound).unwrap_or(usize::MAX))
    };
    let least = bound("minItems").unwrap_or_default();
    let usual = usize::from(depth < DEPTH_MAX && schema.get("items").is_some());
    let count = usual.min(bound("maxItems").unwrap_or(usual)).max(least);
    let item = schema.get("items").map_or(Value::Null, |items| {
        if count == 0 {
            Value::Null
        } else {
            placeholder(items, depth + 1)
        }
    });
    Value::Array(vec![item; count.min(ITEMS_MAX)])
}

/// The number nearest to zero that its bounds allow.
fn number(schema: &Value) -> Value {
    let bound = |keyword: &str| schema.get(keyword).filter(|bound| bound.is_number());
    let beyond = |bound: &Value, step: i64| match (bound.as_i64(), bound.as_f64()) {
        (Some(whole), _) => json!(whole.saturating_add(step)),
        (None, Some(part)) if step < 0 => json!(part.floor()),
        (None, Some(part)) => json!(part.ceil()),
        (None, None) => json!(0),
    };
    let least = [
        bound("minimum").cloned(),
        bound("exclusiveMinimum").map(|bound| beyond(bound, 1)),
    ];
    let most = [
        bound("maximum").cloned(),
        bound("exclusiveMaximum").map(|bound| beyond(bound, -1)),
    ];
    let is = |value: &Value, fits: fn(f64) -> bool| value.as_f64().is_some_and(fits);
    let positive = least
        .into_iter()
        .flatten()
        .find(|least| is(least, |least| least > 0.0));
    let negative = most
        .into_iter()
        .flatten()
        .find(|most| is(most, |most| most < 0.0));
    positive.or(negative).unwrap_or(json!(0))
}

/// A text that passes the formats agents use most and is long enough; copying it must not earn a
/// violation.
fn text(schema: &Value) -> Value {
    let written = match schema.get("format").and_then(Value::as_str) {
        Some("date") => "2026-01-31",
        Some("date-time") => "2026-01-31T09:00:00Z",
        Some("time") => "09:00:00Z",
        Some("duration") => "PT1H",
        Some("email") => "name@example.com",
        Some("uri" | "url") => "https://example.com/",
        Some("uuid") => "00000000-0000-4000-8000-000000000000",
        _ => "",
    };
    let least = schema.get("minLength").and_then(Value::as_u64);
    let least = usize::try_from(least.unwrap_or_default()).unwrap_or(usize::MAX);
    let missing = least.min(TEXT_CHARS_MAX).saturating_sub(written.len());
    Value::from(format!("{written}{}", "x".repeat(missing)))
}
