//! The string formats of the dialect, and the validator options that every check uses.

use std::collections::HashMap;
use std::sync::LazyLock;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Value, json};

/// The most memory one compiled pattern may take, in bytes. Together with the number of patterns it
/// bounds a contract to a few megabytes; `(a{1000}){1000}` exceeds it.
pub(super) const PATTERN_STATE_BYTES_MAX: usize = 256 * 1024;

/// The known formats (those of ajv-formats); the gate refuses any other.
pub(super) const FORMATS: &[&str] = &[
    "binary",
    "byte",
    "date",
    "date-time",
    "double",
    "duration",
    "email",
    "float",
    "hostname",
    "int32",
    "int64",
    "ipv4",
    "ipv6",
    "iso-date-time",
    "iso-time",
    "json-pointer",
    "json-pointer-uri-fragment",
    "password",
    "regex",
    "relative-json-pointer",
    "time",
    "uri",
    "uri-reference",
    "uri-template",
    "url",
    "uuid",
];

/// Whether `name` is a format of the dialect.
pub(super) fn is_known(name: &str) -> bool {
    FORMATS.binary_search(&name).is_ok()
}

/// Compiles `schema`: draft 7, nothing fetched, patterns in linear time.
///
/// # Errors
///
/// The validator's message, for schemas that [`super::lint`] should have refused.
pub(super) fn validator(schema: &Value) -> Result<Validator, String> {
    jsonschema::options()
        .with_draft(Draft::Draft7)
        .should_validate_formats(true)
        .offline()
        .with_pattern_options(
            PatternOptions::regex()
                .size_limit(PATTERN_STATE_BYTES_MAX)
                .dfa_size_limit(PATTERN_STATE_BYTES_MAX),
        )
        .with_format("byte", is_base64)
        .with_format("duration", is_duration)
        .with_format("iso-date-time", is_zoneless_date_time)
        .with_format("iso-time", is_zoneless_time)
        .with_format("json-pointer-uri-fragment", |text: &str| {
            text.is_empty() || text.starts_with('#')
        })
        .with_format("url", is_url)
        .with_format("uuid", is_uuid)
        .build(schema)
        .map_err(|error| error.masked().to_string())
}

/// Compiles a validator of one keyword.
pub(super) fn single(keyword: &str, value: &Value) -> Result<Validator, String> {
    validator(&json!({ keyword: value }))
}

/// Whether a text fits a format; other types always do.
pub(super) fn fits(format: &str, text: &Value) -> bool {
    static CHECKS: LazyLock<HashMap<&str, Validator>> = LazyLock::new(|| {
        let check = |format: &&'static str| Some((*format, single("format", &json!(format)).ok()?));
        FORMATS.iter().filter_map(check).collect()
    });
    let check = CHECKS.get(format);
    check.is_none_or(|check| check.is_valid(text))
}

/// Whether a number fits a numeric format; other formats accept every number.
pub(super) fn number_fits(format: &str, number: f64) -> bool {
    match format {
        "int32" => {
            number.fract() == 0.0 && number >= f64::from(i32::MIN) && number <= f64::from(i32::MAX)
        }
        "int64" => number.fract() == 0.0,
        _ => true,
    }
}

fn is_base64(text: &str) -> bool {
    let data = text.trim_end_matches('=');
    text.len().is_multiple_of(4)
        && text.len() - data.len() <= 2
        && data
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
}

/// ISO 8601 durations as ajv-formats reads them: `P1Y2M3DT4H5M6S` or `P2W`, whole numbers only.
fn is_duration(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('P') else {
        return false;
    };
    if let Some(weeks) = rest.strip_suffix('W') {
        return is_digits(weeks);
    }
    let (date, time) = match rest.split_once('T') {
        Some((_, "")) => return false,
        Some((date, time)) => (date, time),
        None => (rest, ""),
    };
    !rest.is_empty() && has_units(date, "YMD") && has_units(time, "HMS")
}

/// Whether `text` consists of numbers with these units, each at most once and in this order.
fn has_units(mut text: &str, units: &str) -> bool {
    for unit in units.chars() {
        if let Some((digits, rest)) = text.split_once(unit)
            && is_digits(digits)
        {
            text = rest;
        }
    }
    text.is_empty()
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_uuid(text: &str) -> bool {
    let bare = match text.get(..9) {
        Some(prefix) if prefix.eq_ignore_ascii_case("urn:uuid:") => &text[9..],
        _ => text,
    };
    let groups: Vec<&str> = bare.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups
            .iter()
            .all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else {
        return false;
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or("");
    ["http", "https", "ftp"]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known))
        && !host.is_empty()
        && !text.contains(char::is_whitespace)
}

fn is_zoneless_time(text: &str) -> bool {
    text.parse::<jiff::civil::Time>().is_ok()
        || is_zoneless_date_time(&format!("2000-01-01T{text}"))
}

fn is_zoneless_date_time(text: &str) -> bool {
    text.contains(['T', 't', ' '])
        && (text.parse::<jiff::Timestamp>().is_ok()
            || text.parse::<jiff::civil::DateTime>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(format: &str, text: &str) -> bool {
        assert!(is_known(format), "{format}");
        single("format", &json!(format))
            .unwrap()
            .is_valid(&json!(text))
    }

    #[test]
    fn formats_accept_and_refuse_as_the_reference_does() {
        for (format, good, bad) in [
            ("date", "2026-02-28", "2026-02-30"),
            ("date-time", "2026-02-28T10:00:00Z", "2026-02-28T10:00:00"),
            ("time", "10:00:00Z", "10:00:00"),
            ("iso-time", "10:00:00", "25:00:00"),
            ("iso-date-time", "2026-02-28T10:00:00", "2026-02-28"),
            ("duration", "P1DT12H", "P"),
            ("duration", "P2W", "P1W2D"),
            ("duration", "PT5M", "P1DT"),
            ("email", "a@b.co", "a"),
            ("hostname", "example.com", "-x"),
            ("ipv4", "127.0.0.1", "127.0.0.256"),
            ("ipv6", "::1", ":::1"),
            ("uri", "https://a.b/c", "not a uri"),
            ("url", "https://a.b/c", "mailto:a@b.c"),
            ("uuid", "0d2c3c1e-6a0e-4a37-9d55-0b6f3f0f1a11", "0d2c3c1e"),
            ("byte", "aGk=", "aGk"),
            ("regex", "^a$", "("),
        ] {
            assert!(holds(format, good), "{format} {good}");
            assert!(!holds(format, bad), "{format} {bad}");
        }
    }

    #[test]
    fn numeric_formats_bind_numbers_only() {
        assert!(number_fits("int32", 2_147_483_647.0));
        assert!(!number_fits("int32", 2_147_483_648.0));
        assert!(!number_fits("int64", 0.5));
        assert!(number_fits("double", 0.5));
    }

    #[test]
    fn look_around_back_references_and_huge_patterns_are_refused() {
        for bad in ["(?=a)", "(a)\\1", "(a{1000}){1000}", "("] {
            assert!(single("pattern", &json!(bad)).is_err(), "{bad}");
        }
        assert!(single("pattern", &json!("^[A-Z]+$")).is_ok());
    }
}
