//! A value that shows the shape of a schema; it need not be valid.

use serde_json::{Map, Value, json};

use super::super::keywords::types;
use crate::domain::size::value_bytes;

/// How many levels a placeholder has at most.
const DEPTH_MAX: usize = 4;
/// Bytes of all placeholders of one call, each value counted as at least eight: a text an agent can
/// still read, and more than the largest contract needs unless it demands long lists or texts.
/// Nested lists multiply, so a few lines of schema could demand any number of values.
const BYTES_MAX: usize = 64 * 1024;

/// Makes the placeholders of one call until their budget of bytes is used up.
pub(super) struct Placeholders {
    bytes_left: usize,
}

impl Default for Placeholders {
    fn default() -> Self {
        Self {
            bytes_left: BYTES_MAX,
        }
    }
}

impl Placeholders {
    /// A value that shows the shape of `schema` (tools.md §3.2); `None` once the budget is used up.
    pub(super) fn of(&mut self, schema: &Value) -> Option<Value> {
        let before = self.bytes_left;
        let made = self.make(schema, 0);
        if made.is_none() {
            self.bytes_left = before;
        }
        made
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        self.bytes_left = self.bytes_left.checked_sub(bytes)?;
        Some(())
    }

    fn make(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        let written = ["const", "example", "default"]
            .iter()
            .find_map(|keyword| schema.get(keyword))
            .or_else(|| schema.get("enum")?.get(0));
        if let Some(value) = written {
            self.take(value_bytes(value))?;
            return Some(value.clone());
        }
        let branches = ["anyOf", "oneOf", "allOf"].iter();
        let mut branches = branches.filter_map(|keyword| schema.get(keyword)?.get(0));
        let simple = match (types(schema).first().copied(), branches.next()) {
            (None, Some(branch)) => return self.make(branch, depth),
            (Some("array"), _) => return self.array(schema, depth),
            (Some("object"), _) => return self.object(schema, depth),
            (Some("number" | "integer"), _) => number(schema),
            (Some("boolean"), _) => json!(false),
            (Some("null"), _) => Value::Null,
            _ => return self.text(schema),
        };
        self.take(value_bytes(&simple))?;
        Some(simple)
    }

    /// One item, or as many as `minItems` demands.
    fn array(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        let items = schema.get("items");
        let usual = usize::from(depth < DEPTH_MAX && items.is_some());
        let most = count(schema, "maxItems").unwrap_or(usual);
        let least = count(schema, "minItems").unwrap_or_default();
        let length = usual.min(most).max(least);
        self.take(value_bytes(&json!([])))?;
        if length == 0 {
            return Some(json!([]));
        }
        let item = match items {
            Some(inner) => self.make(inner, depth + 1)?,
            None => Value::Null,
        };
        self.take(value_bytes(&item).saturating_mul(length - 1))?;
        Some(Value::Array(vec![item; length]))
    }

    /// All members; at the depth limit only required ones, because a schema's own depth is limited.
    fn object(&mut self, schema: &Value, depth: usize) -> Option<Value> {
        let required = schema.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.is_some_and(|all| all.contains(&name.into()));
        let members = schema.get("properties").and_then(Value::as_object);
        let mut shown = Map::new();
        self.take(value_bytes(&json!({})))?;
        for (name, inner) in members.into_iter().flatten() {
            if depth < DEPTH_MAX || is_required(name) {
                self.take(name.len())?;
                shown.insert(name.clone(), self.make(inner, depth + 1)?);
            }
        }
        Some(Value::Object(shown))
    }

    /// A text that passes the most common formats and is long enough, so that an agent that copies
    /// it gets no violation.
    fn text(&mut self, schema: &Value) -> Option<Value> {
        let format = schema.get("format").and_then(Value::as_str);
        let text = format.map_or("", of_format);
        let least = count(schema, "minLength").unwrap_or_default();
        let missing = least.saturating_sub(text.len());
        self.take(value_bytes(&json!(text)).saturating_add(missing))?;
        Some(Value::from(format!("{text}{}", "x".repeat(missing))))
    }
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
    let least = bound("exclusiveMinimum").map(|bound| beyond(bound, 1));
    let least = bound("minimum").cloned().or(least);
    let most = bound("exclusiveMaximum").map(|bound| beyond(bound, -1));
    let most = bound("maximum").cloned().or(most);
    let least = least.filter(|least| least.as_f64() > Some(0.0));
    let most = most.filter(|most| most.as_f64() < Some(0.0));
    least.or(most).unwrap_or(json!(0))
}

/// A sample text of a format; empty for formats of numbers and unknown ones.
fn of_format(format: &str) -> &'static str {
    match format {
        "date" => "2026-01-31",
        "date-time" => "2026-01-31T09:00:00Z",
        "duration" => "PT1H",
        "email" => "name@example.com",
        "hostname" => "example.com",
        "ipv4" => "192.0.2.1",
        "ipv6" => "2001:db8::1",
        "iso-date-time" => "2026-01-31T09:00:00",
        "iso-time" => "09:00:00",
        "relative-json-pointer" => "0",
        "time" => "09:00:00Z",
        "uri" | "url" => "https://example.com/",
        "uuid" => "00000000-0000-4000-8000-000000000000",
        _ => "",
    }
}

/// Reads a keyword such as `minItems`, in any notation of the number.
fn count(schema: &Value, keyword: &str) -> Option<usize> {
    let given = schema.get(keyword)?.as_f64()?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a cast saturates, and the gate let only whole numbers from 0 through"
    )]
    Some(given as usize)
}
