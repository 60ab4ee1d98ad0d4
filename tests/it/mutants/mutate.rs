//! Mutates a valid request: guided by its schema, or byte by byte.

use serde_json::{Map, Value, json};

use super::corpus::Ask;
use crate::chance::Chance;

/// The most changes of one request.
const CHANGES_MAX: usize = 3;

/// An unusual value.
fn odd(chance: &mut Chance) -> Value {
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let odd = [
        Value::Null,
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e308),
        json!(""),
        json!(" "),
        json!("\u{0}"),
        json!("\u{202e}\u{feff}é\u{1f469}\u{200d}\u{1f680}"),
        json!("../../etc/passwd"),
        json!("__proto__"),
        json!("x".repeat(5_000)),
        json!("${jndi:x}"),
        json!("2026-07-28"),
        json!("2.0"),
        json!([]),
        json!({}),
        json!([[], {}, null]),
        json!({"constructor": {"prototype": 1}, "": 0}),
        json!({"$ref": "#/properties/x"}),
        deep,
    ];
    chance.pick(&odd).clone()
}

/// The pointers of all places in a value.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    let escape = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                places(member, &format!("{at}/{}", escape(key)), found);
            }
        }
        _ => {}
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "bounds of schemas are small"
)]
fn whole(number: f64) -> i64 {
    number as i64
}

/// A value that fits a schema, or almost does.
fn beside(schema: &Value, chance: &mut Chance) -> Value {
    if let Some(choices) = schema["enum"].as_array()
        && chance.one_in(2)
    {
        return chance.pick(choices).clone();
    }
    let bound = |name: &str| schema[name].as_f64();
    let step = [-1.0, 0.0, 1.0][chance.below(3)];
    match schema["type"].as_str() {
        Some(kind @ ("integer" | "number")) => {
            let bounds = [bound("minimum"), bound("maximum"), Some(25.0)];
            let near = bounds.into_iter().flatten().collect::<Vec<_>>();
            let value = chance.pick(&near) + step;
            match kind {
                "integer" => json!(whole(value)),
                _ => json!(value),
            }
        }
        Some("string") => {
            let length = bound("maxLength").or(bound("minLength")).unwrap_or(8.0) + step;
            let length = whole(length.clamp(0.0, 10_000.0));
            json!("é".repeat(usize::try_from(length).unwrap_or_default()))
        }
        Some("array") => json!([odd(chance), odd(chance)]),
        Some("object") => {
            let mut members = Map::new();
            for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
                if chance.one_in(2) {
                    members.insert(name.clone(), beside(schema, chance));
                }
            }
            members.into()
        }
        _ => odd(chance),
    }
}

/// Changes one place of a JSON value.
pub(super) fn json_value(value: &mut Value, chance: &mut Chance) {
    let mut all = Vec::new();
    places(value, "", &mut all);
    let at = chance.pick(&all).clone();
    let other = value.pointer(chance.pick(&all).as_str()).cloned();
    let Some(place) = value.pointer_mut(&at) else {
        return;
    };
    match chance.below(6) {
        0 | 1 => *place = odd(chance),
        2 => *place = other.unwrap_or_default(),
        3 => *place = json!([place.clone(), place.clone()]),
        4 => match place {
            Value::Object(members) if !members.is_empty() => {
                let keys: Vec<_> = members.keys().cloned().collect();
                let gone = members.remove(chance.pick(&keys));
                if chance.one_in(2) {
                    members.insert("__proto__".to_owned(), gone.unwrap_or_default());
                }
            }
            Value::Array(items) => items.truncate(items.len() / 2),
            other => *other = Value::Null,
        },
        _ => match place {
            Value::Object(members) => {
                let name = ["extra", "constructor", "_meta", "error", ""][chance.below(5)];
                members.insert(name.to_owned(), odd(chance));
            }
            other => *other = odd(chance),
        },
    }
}

fn header(ask: &mut Ask, chance: &mut Chance) {
    const ODD: &[(&str, &str)] = &[
        ("accept", "image/png"),
        ("accept", "text/event-stream"),
        ("accept", "*/*;q=x"),
        ("accept-encoding", "gzip, br;q=0"),
        ("authorization", "Basic eDp5"),
        ("authorization", "Bearer "),
        ("authorization", "Bearer eyJhbGciOiJub25lIn0.e30."),
        ("connection", "upgrade"),
        ("content-length", "0"),
        ("content-length", "18446744073709551616"),
        ("content-type", "application/json; charset=utf-7"),
        ("content-type", "text/plain"),
        ("expect", "100-continue"),
        ("forwarded", "for=192.0.2.1"),
        ("host", "evil.example"),
        ("host", ""),
        ("idempotency-key", " "),
        ("idempotency-key", "é"),
        ("last-event-id", "-1"),
        ("mcp-method", "nothing"),
        ("mcp-name", "=?base64?/?="),
        ("mcp-protocol-version", "1999-01-01"),
        ("mcp-protocol-version", "2025-03-26"),
        ("mcp-session-id", "x"),
        ("origin", "https://evil.example"),
        ("origin", "null"),
        ("range", "bytes=5-1"),
        ("if-none-match", "*"),
        ("sec-websocket-key", "x"),
        ("sec-websocket-version", "99"),
        ("traceparent", "00-0-0-0"),
        ("transfer-encoding", "chunked"),
        ("upgrade", "websocket"),
        ("upgrade", "h2c"),
        ("x-forwarded-for", "localhost, ::1"),
        ("x-request-id", "\u{7f}"),
    ];
    let (name, value) = *chance.pick(ODD);
    match chance.below(4) {
        0 if !ask.headers.is_empty() => {
            let gone = chance.below(ask.headers.len());
            ask.headers.remove(gone);
        }
        1 => {
            let long = (name.to_owned(), "x".repeat(chance.below(20_000)));
            ask.headers.push(long);
        }
        2 => ask.headers.push((name.to_owned(), value.to_owned())),
        _ => {
            ask.headers.retain(|(given, _)| given != name);
            ask.headers.push((name.to_owned(), value.to_owned()));
        }
    }
}

fn path(ask: &mut Ask, chance: &mut Chance) {
    const ODD: &[&str] = &[
        "%",
        "%00",
        "%ff",
        "..",
        ".",
        "",
        "//",
        "?",
        "?limit=-1",
        "&cursor=%25",
        "?wsToken=",
        "&sinceSequence=99999999999999999999",
        "#",
        "{session}",
        "\u{e9}",
        "%2e%2e%2f",
    ];
    let mut parts: Vec<_> = ask.path.split('/').map(str::to_owned).collect();
    let at = chance.below(parts.len());
    let part = (*chance.pick(ODD)).to_owned();
    match chance.below(3) {
        0 => parts[at] = part,
        1 => parts[at] += &part,
        _ => parts.insert(at, part),
    }
    ask.path = parts.join("/");
}

/// A request with mutated JSON, path or headers.
pub(super) fn by_schema(mut ask: Ask, chance: &mut Chance) -> Vec<u8> {
    for _ in 0..=chance.below(CHANGES_MAX) {
        match chance.below(8) {
            0 => header(&mut ask, chance),
            1 if ask.body.is_none() || chance.one_in(4) => path(&mut ask, chance),
            2 if chance.one_in(4) => {
                let methods = [
                    "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "DANCE",
                ];
                ask.method = (*chance.pick(&methods)).to_owned();
            }
            3 | 4 if ask.schema.is_object() => {
                let arguments = beside(&ask.schema, chance);
                if let Some(place) = ask
                    .body
                    .as_mut()
                    .and_then(|body| body.pointer_mut("/params/arguments"))
                {
                    // Half of the valid ones stay, so that some get past the gate.
                    match (place, arguments) {
                        (Value::Object(members), Value::Object(new)) => members.extend(new),
                        (place, new) => *place = new,
                    }
                }
            }
            _ => match &mut ask.body {
                Some(body) => json_value(body, chance),
                None => header(&mut ask, chance),
            },
        }
    }
    ask.bytes()
}

/// Changes some bytes.
pub(super) fn by_bytes(mut bytes: Vec<u8>, chance: &mut Chance) -> Vec<u8> {
    const TOKENS: &[&[u8]] = &[
        b"\r\n",
        b"\r\n\r\n",
        b"\0",
        b"\xff\xfe",
        b"\xc3\x28",
        b"{{{{[[[[",
        b"]]}}",
        b"\\u0000",
        b"\\ud800",
        b"1e999",
        b"-0",
        b"HTTP/1.1",
        b" ",
        b":",
        b"%00",
        b"\"",
        b"\xe2\x80\xae",
    ];
    for _ in 0..=chance.below(6) {
        let at = chance.below(bytes.len());
        let end = (at + 1 + chance.below(24)).min(bytes.len());
        match chance.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
            1 if at < bytes.len() => bytes[at] = chance.next().to_le_bytes()[0],
            2 => drop(bytes.drain(at..end)),
            3 => {
                let again = bytes[at..end].to_vec();
                bytes.splice(at..at, again);
            }
            4 => drop(bytes.splice(at..at, chance.pick(TOKENS).iter().copied())),
            // Sometimes it is cut off.
            _ if chance.one_in(4) => bytes.truncate(at),
            _ => bytes[at..end].reverse(),
        }
    }
    bytes
}
