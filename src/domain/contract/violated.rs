//! What is said of the keywords that are explained without looking deeper into a value.

use serde_json::{Map, Value};

use super::at::At;
use super::compare::{self, Budget};
use super::found::Found;
use super::violations::{joined, quoted, type_name};

/// The path shown for a missing or extra member; empty for the whole value.
pub(super) fn parent(path: &At<'_>) -> String {
    match path {
        At::Root(_) => String::new(),
        _ => format!(" at '{path}'"),
    }
}

/// The keywords that apply to every type: `type`, `enum`, `const`.
pub(super) fn any_type(node: &Map<String, Value>, value: &Value, path: &At<'_>, found: &mut Found) {
    let types: Vec<&str> = match node.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    let is_whole = || value.as_f64().is_some_and(|number| number.fract() == 0.0);
    let fits = |name: &&str| *name == type_name(value) || (*name == "integer" && is_whole());
    if !types.is_empty() && !types.iter().any(fits) {
        let message = format!("must be {}", types.join(","));
        found.add_pair("type", path, message, types.join("|"), type_name(value));
    }
    if let Some(Value::Array(allowed)) = node.get("enum")
        && !allowed.iter().any(|one| equal(one, value))
    {
        let message = "must be equal to one of the allowed values";
        let expected = joined(allowed.iter().map(quoted), "|");
        found.add_pair("enum", path, message, expected, quoted(value));
    }
    if let Some(constant) = node.get("const")
        && !equal(constant, value)
    {
        let message = "must be equal to constant";
        found.add_pair("const", path, message, quoted(constant), quoted(value));
    }
}

/// Whether two values are equal by JSON Schema, where `1` and `1.0` are the same number.
pub(super) fn equal(a: &Value, b: &Value) -> bool {
    compare::equal(a, b, &mut Budget::new(usize::MAX))
}

pub(super) fn names(value: Option<&Value>) -> impl Iterator<Item = &str> {
    value
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

pub(super) fn bounds(
    node: &Map<String, Value>,
    (least, most): (&str, &str),
    count: u64,
    what: &str,
    path: &At<'_>,
    found: &mut Found,
) {
    let limit = |keyword: &str| node.get(keyword).and_then(Value::as_f64);
    let count = count as f64;
    if let Some(limit) = limit(least).filter(|limit| count < *limit) {
        found.add(
            least,
            path,
            format!("must NOT have fewer than {limit} {what}"),
        );
    }
    if let Some(limit) = limit(most).filter(|limit| count > *limit) {
        found.add(
            most,
            path,
            format!("must NOT have more than {limit} {what}"),
        );
    }
}
