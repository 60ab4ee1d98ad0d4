//! The value that shows the shape of a schema, as the protocol makes it; it need not fit.

use serde_json::{Map, Value, json};

use super::super::keywords::types;
use super::numbers::{self, count};
use super::texts;

/// How deep a sample goes before it stops.
pub(super) const DEPTH_MAX: usize = 4;
/// Items of a sample, however many there must be: a call is for reading, too.
pub(super) const ITEMS_MAX: usize = 100;

/// A value that shows the shape of `schema` (tools.md §3.2).
pub(super) fn of(schema: &Value) -> Value {
    placeholder(schema, 0)
}

fn placeholder(schema: &Value, depth: usize) -> Value {
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
        (Some("number" | "integer"), _) => numbers::nearest(schema),
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
        _ => texts::usual(schema),
    }
}

/// One item, or as many as there must be.
fn array(schema: &Value, depth: usize) -> Value {
    let least = count(schema, "minItems").unwrap_or_default();
    let usual = usize::from(depth < DEPTH_MAX && schema.get("items").is_some());
    let items = usual
        .min(count(schema, "maxItems").unwrap_or(usual))
        .max(least);
    let item = schema.get("items").map_or(Value::Null, |inner| {
        if items == 0 {
            Value::Null
        } else {
            placeholder(inner, depth + 1)
        }
    });
    Value::Array(vec![item; items.min(ITEMS_MAX)])
}
