//! Sample texts: of a format, of a pattern, as long as they must be.

use serde_json::Value;

use super::numbers::count;
use super::patterns;

/// Characters that fill up a sample of a text.
pub(super) const TEXT_CHARS_MAX: usize = 1_000;
/// How many texts are tried where nothing says what they are like.
const PLAIN: usize = 64;
/// How many texts of a format are tried.
const OF_FORMAT: usize = 32;

/// A text that passes the formats agents use most and is long enough; copying it must not earn a
/// violation.
pub(super) fn usual(schema: &Value) -> Value {
    let format = schema.get("format").and_then(Value::as_str);
    let written = format.and_then(|format| of_format(format, 0));
    let written = written.unwrap_or_default();
    let (least, _) = lengths(schema);
    let missing = least
        .min(TEXT_CHARS_MAX)
        .saturating_sub(written.chars().count());
    Value::from(lengthened(format, &written, missing))
}

/// Texts that may fit, likely ones first; none of them twice.
pub(super) fn candidates(schema: &Value) -> Vec<String> {
    let (least, most) = lengths(schema);
    if least > TEXT_CHARS_MAX {
        return Vec::new();
    }
    let format = schema.get("format").and_then(Value::as_str);
    let pattern = schema.get("pattern").and_then(Value::as_str);
    let mut found = Vec::new();
    if let Some(pattern) = pattern {
        found.extend(patterns::matches(pattern, least, most.min(TEXT_CHARS_MAX)));
    }
    if let Some(format) = format {
        for text in (0..OF_FORMAT).map_while(|at| of_format(format, at)) {
            let missing = least.saturating_sub(text.chars().count());
            found.push(lengthened(Some(format), &text, missing));
        }
    }
    if pattern.is_none() && format.is_none_or(|format| of_format(format, 0).is_none()) {
        found.extend((0..PLAIN).map(|at| plain(at, least, most)));
    }
    found.retain(|text| (least..=most).contains(&text.chars().count()));
    let mut seen = std::collections::HashSet::new();
    found.retain(|text| seen.insert(text.clone()));
    found
}

/// The least and the most characters.
fn lengths(schema: &Value) -> (usize, usize) {
    (
        count(schema, "minLength").unwrap_or_default(),
        count(schema, "maxLength").unwrap_or(usize::MAX),
    )
}

/// One of many texts that say nothing: a letter, or letters, or none where that is enough.
fn plain(at: usize, least: usize, most: usize) -> String {
    let mut text = String::new();
    let mut left = at;
    while left > 0 {
        left -= 1;
        text.insert(
            0,
            char::from(b'a' + u8::try_from(left % 26).unwrap_or_default()),
        );
        left /= 26;
    }
    let missing = least.min(most).saturating_sub(text.chars().count());
    text.push_str(&"x".repeat(missing));
    text
}

/// One of many texts of a format; none where it says nothing about texts.
fn of_format(format: &str, at: usize) -> Option<String> {
    Some(match format {
        "byte" => "YWJj".repeat(at + 1),
        "date" => format!("2026-01-{:02}", 31 - at % 31),
        "date-time" => format!("2026-01-31T09:{:02}:00Z", at % 60),
        "duration" => format!("PT{}H", at + 1),
        "email" if at == 0 => "name@example.com".to_owned(),
        "email" => format!("name{at}@example.com"),
        "hostname" if at == 0 => "example.com".to_owned(),
        "hostname" => format!("host{at}.example.com"),
        "ipv4" => format!("192.0.2.{}", at + 1),
        "ipv6" => format!("2001:db8::{:x}", at + 1),
        "iso-date-time" => format!("2026-01-31T09:{:02}:00", at % 60),
        "iso-time" => format!("09:{:02}:00", at % 60),
        "json-pointer" => format!("/member{at}"),
        "json-pointer-uri-fragment" => format!("#/member{at}"),
        "regex" => format!("^{at}$"),
        "relative-json-pointer" => at.to_string(),
        "time" => format!("09:{:02}:00Z", at % 60),
        "uri" | "url" if at == 0 => "https://example.com/".to_owned(),
        "uri" | "uri-template" | "url" => format!("https://example.com/{at}"),
        "uri-reference" => format!("/{at}"),
        "uuid" => format!("00000000-0000-4000-8000-{at:012}"),
        _ => return None,
    })
}

/// A text made longer, as its format has it.
fn lengthened(format: Option<&str>, text: &str, missing: usize) -> String {
    let more = "x".repeat(missing);
    match format {
        Some("email") => format!("{more}{text}"),
        Some("duration") => text.replacen("PT", &format!("PT{}", "0".repeat(missing)), 1),
        _ => format!("{text}{more}"),
    }
}
