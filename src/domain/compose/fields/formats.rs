//! How a value is best shown: by its kind, its name and the format its schema states.

use serde_json::Value;

use super::super::words::split;
use super::kinds::{Kind, core, kind, type_of};
use super::names::{is_minor, is_money, is_ordinal, is_percent, is_source, is_state};

/// The format a value is shown in.
pub(in super::super) fn format(name: &str, schema: &Value, has_currency: bool) -> &'static str {
    let bare = core(schema);
    let written = bare.get("format").and_then(Value::as_str);
    match (kind(schema), written) {
        (Kind::Boolean, _) => "boolean",
        (Kind::Number, _) if is_percent(name) => "percent",
        (Kind::Number, _) if has_currency && is_minor(name) => "money",
        (Kind::Number, _) if has_currency && is_money(name) => "currency",
        (Kind::Number, _) if split(name).iter().any(|w| w == "rating" || w == "stars") => "rating",
        (Kind::Number, _) if name.to_lowercase().ends_with("seconds") => "duration",
        (Kind::Number, _) if split(name).iter().any(|word| word == "bytes") => "bytes",
        (Kind::Number, _) if bare.get("type") == Some(&Value::from("integer")) => {
            if is_ordinal(name) { "text" } else { "integer" }
        }
        (Kind::Number, _) => "number",
        (Kind::Text, _) if is_image(name, bare) => "image",
        (Kind::Text, Some("date")) => "date",
        (Kind::Text, Some("date-time")) => "datetime",
        (Kind::Text, Some("time")) => "time",
        (Kind::Text, Some("duration")) => "duration",
        (Kind::Text, Some("email")) => "email",
        (Kind::Text, Some("uri" | "url")) => "url",
        (Kind::Choice, _) if is_state(name) => "badge",
        (Kind::Choice, _) if type_of(bare) == Some("string") && !name.ends_with("urrency") => {
            "choice"
        }
        (Kind::Text, _) if is_source(name) => "code",
        (Kind::Text | Kind::Choice, _) => "text",
        (Kind::Strings, _) => "tags",
        _ => "json",
    }
}

/// Whether a text is the address of a picture.
pub(in super::super) fn is_image(name: &str, schema: &Value) -> bool {
    const PICTURES: &[&str] = &["avatar", "image", "logo", "photo", "picture", "thumbnail"];
    let words = split(name);
    let is_address = matches!(
        schema.get("format").and_then(Value::as_str),
        Some("uri" | "url" | "uri-reference")
    ) || matches!(
        words.last().map(String::as_str),
        Some("url" | "uri" | "src")
    );
    is_address && words.iter().any(|word| PICTURES.contains(&word.as_str()))
}

/// Whether a text is long enough to be read as an article.
pub(in super::super) fn is_long(name: &str, schema: &Value) -> bool {
    const LONG: &[&str] = &[
        "article",
        "bio",
        "body",
        "comment",
        "content",
        "description",
        "details",
        "explanation",
        "instructions",
        "markdown",
        "notes",
        "paragraph",
        "summary",
        "text",
        "message",
    ];
    let bare = core(schema);
    let max = bare.get("maxLength").and_then(Value::as_u64);
    max.is_some_and(|max| max > 200)
        || (max.is_none()
            && split(name)
                .last()
                .is_some_and(|word| LONG.contains(&word.as_str()))
            && bare.get("format").is_none())
}
