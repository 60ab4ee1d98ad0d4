//! The messages about values that violate their contract.

use serde_json::Value;

use crate::domain::size::shorten;
use crate::wire::contract::Violation;

/// How many violations one refusal lists; a last line says how many more there are.
pub(super) const VIOLATIONS_MAX: usize = 100;
/// How much of a refused value is quoted, in characters.
const QUOTED_CHARS_MAX: usize = 120;

/// How much of a list of expected values one violation repeats, in characters, so that a hundred
/// violations stay readable for a model.
const LIST_CHARS_MAX: usize = 2_000;

/// The text from which an agent repairs its call: every violation on a line of its own.
pub(crate) fn violation_text(tool: &str, violations: &[Violation]) -> String {
    let mut text = format!("Contract violation in {tool}:");
    for violation in violations {
        text.push_str("\n- ");
        text.push_str(&violation.field);
        text.push_str(": ");
        text.push_str(&one_line(&violation.message));
        if let Some(expected) = &violation.expected {
            let received = violation.received.as_deref().unwrap_or("undefined");
            text.push_str(" (expected: ");
            text.push_str(&one_line(expected));
            text.push_str(", got: ");
            text.push_str(&one_line(received));
            text.push(')');
        }
    }
    text
}

/// A violation of a rule that is not part of a schema.
pub(super) fn synthetic(field: impl Into<String>, message: impl Into<String>) -> Violation {
    Violation {
        field: field.into(),
        message: message.into(),
        expected: None,
        received: None,
        keyword: None,
    }
}

/// The JSON type of a value, as violations name it.
pub(super) fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// A value as JSON, shortened.
pub(super) fn quoted(value: &Value) -> String {
    shorten(&value.to_string(), QUOTED_CHARS_MAX)
}

/// A text without quotes, shortened.
pub(super) fn quoted_text(text: &str) -> String {
    shorten(text, QUOTED_CHARS_MAX)
}

/// Joins a list into one text and stops reading where the text is cut.
pub(super) fn joined(parts: impl Iterator<Item = impl AsRef<str>>, separator: &str) -> String {
    let mut text = String::new();
    for part in parts {
        if !text.is_empty() {
            text.push_str(separator);
        }
        text.push_str(part.as_ref());
        if text.len() > LIST_CHARS_MAX * 4 {
            break;
        }
    }
    shorten(&text, LIST_CHARS_MAX)
}

/// Keeps a violation on one line: a line break in a key or value would forge another violation.
fn one_line(text: &str) -> String {
    if text.contains(['\n', '\r']) {
        text.replace('\n', "\\n").replace('\r', "\\r")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_text_has_one_line_per_violation() {
        let mut typed = synthetic("approve.data.id", "must be string");
        typed.expected = Some("string".into());
        typed.received = Some("number".into());
        let other = synthetic("x", "two\nlines");
        assert_eq!(
            violation_text("ggui_event", &[typed, other]),
            "Contract violation in ggui_event:\n- approve.data.id: must be string (expected: string, got: number)\n- x: two\\nlines"
        );
    }
}
