//! Which revision a request is written in, and whether its headers agree with its body.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use serde_json::{Map, Value, json};

use crate::transports::faults::Fault;
use crate::transports::request::text;
use crate::wire::fault::{Code, Era};

/// The stateless revision.
pub(super) const MODERN: &str = "2026-07-28";
/// Revisions that begin with `initialize`, newest first.
pub(super) const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/// The one revision that has batches, and the one meant when no header names another.
const BATCHES: &str = "2025-03-26";

const VERSION_HEADER: &str = "mcp-protocol-version";
const METHOD_HEADER: &str = "mcp-method";
const NAME_HEADER: &str = "mcp-name";
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY: &str = "io.modelcontextprotocol/clientCapabilities";
/// Key of the extension by which hosts show UIs.
pub(super) const UI_EXTENSION: &str = "io.modelcontextprotocol/ui";

/// Every revision, newest first.
pub(super) fn supported() -> Vec<&'static str> {
    std::iter::once(MODERN).chain(LEGACY).collect()
}

/// The era its headers put a request in.
pub(super) fn of_headers(headers: &HeaderMap) -> Result<Era, Fault> {
    match text(headers, VERSION_HEADER) {
        None => Ok(Era::Legacy),
        Some(MODERN) => Ok(Era::Modern),
        Some(version) if LEGACY.contains(&version) => Ok(Era::Legacy),
        Some(version) => Err(unsupported(version)),
    }
}

/// The era a message without headers puts itself in: the newer revision says so in each of them.
pub(super) fn of_message(params: &Map<String, Value>) -> Result<Era, Fault> {
    let meta = params.get("_meta");
    match meta.and_then(|meta| meta.get(VERSION_KEY)) {
        None => Ok(Era::Legacy),
        Some(Value::String(version)) if LEGACY.contains(&version.as_str()) => Ok(Era::Legacy),
        Some(Value::String(version)) if version != MODERN => Err(unsupported(version)),
        claimed => check_meta(meta, claimed).map(|()| Era::Modern),
    }
}

/// The headers with which a message goes over HTTP.
pub(super) fn headers_of(
    era: Era,
    method: &str,
    params: &Map<String, Value>,
) -> Vec<(&'static str, String)> {
    if era == Era::Legacy {
        return Vec::new();
    }
    let mut headers = vec![
        (VERSION_HEADER, MODERN.to_owned()),
        (METHOD_HEADER, encoded(method)),
    ];
    headers.extend(named(method, params).map(|name| (NAME_HEADER, encoded(name))));
    headers
}

/// What the client of a request of the newer revision can do, where it says so.
pub(super) fn declared(params: &Map<String, Value>) -> Option<&Map<String, Value>> {
    params.get("_meta")?.get(CAPABILITIES_KEY)?.as_object()
}

/// Whether a request's client shows UIs, where it says what it can: in the legacy era it says so only
/// once, and nobody remembers.
pub(in super::super) fn shows_ui(era: Era, params: &Map<String, Value>) -> Option<bool> {
    let capabilities = match era {
        Era::Legacy => return None,
        Era::Modern => declared(params)?,
    };
    let places = ["extensions", "experimental"];
    let has_ui = |place: &&str| {
        let extensions = capabilities.get(*place);
        extensions.is_some_and(|extensions| extensions[UI_EXTENSION].is_object())
    };
    Some(places.iter().any(has_ui))
}

/// What a method's header names, besides the method.
fn named<'a>(method: &str, params: &'a Map<String, Value>) -> Option<&'a str> {
    let named = match method {
        "tools/call" | "prompts/get" => params.get("name"),
        "resources/read" => params.get("uri"),
        "tasks/get" | "tasks/update" | "tasks/cancel" => params.get("taskId"),
        _ => None,
    };
    named.and_then(Value::as_str)
}

/// Whether a body may be a batch.
pub(super) fn has_batches(headers: &HeaderMap) -> bool {
    text(headers, VERSION_HEADER).is_none_or(|version| version == BATCHES)
}

fn unsupported(version: &str) -> Fault {
    let supported = supported();
    let message = format!(
        "Unsupported protocol version: {version} (supported: {})",
        supported.join(", ")
    );
    Fault::saying(Code::UnsupportedProtocolVersion, message)
        .with(json!({ "supported": supported, "requested": version }))
}

/// Checks that a request's body says what its headers say.
pub(super) fn check(
    era: Era,
    headers: &HeaderMap,
    method: &str,
    params: &Map<String, Value>,
) -> Result<(), Fault> {
    let meta = params.get("_meta");
    let claimed = meta.and_then(|meta| meta.get(VERSION_KEY));
    match era {
        Era::Legacy => match claimed.and_then(Value::as_str) {
            Some(version) if version == MODERN => Err(mismatch(format!(
                "the body is written in {version}, the header {VERSION_HEADER} says otherwise"
            ))),
            _ => Ok(()),
        },
        Era::Modern => {
            check_meta(meta, claimed)?;
            check_header(headers, METHOD_HEADER, method)?;
            match named(method, params) {
                Some(name) => check_header(headers, NAME_HEADER, name),
                None => Ok(()),
            }
        }
    }
}

fn check_meta(meta: Option<&Value>, claimed: Option<&Value>) -> Result<(), Fault> {
    let capabilities = meta.and_then(|meta| meta.get(CAPABILITIES_KEY));
    let problems: Vec<_> = [
        (!claimed.is_some_and(Value::is_string)).then_some(VERSION_KEY),
        (!capabilities.is_some_and(Value::is_object)).then_some(CAPABILITIES_KEY),
    ]
    .into_iter()
    .flatten()
    .map(|key| format!("- params._meta.{key}: is required"))
    .collect();
    if !problems.is_empty() {
        let message = format!("Invalid params:\n{}", problems.join("\n"));
        return Err(Fault::saying(Code::InvalidParams, message));
    }
    match claimed.and_then(Value::as_str) {
        Some(MODERN) => Ok(()),
        Some(version) => Err(mismatch(format!(
            "the header {VERSION_HEADER} says {MODERN}, the body says {version}"
        ))),
        None => Ok(()),
    }
}

/// Checks that a header, decoded where it is encoded, says what the body says.
pub(crate) fn check_header(headers: &HeaderMap, name: &str, expected: &str) -> Result<(), Fault> {
    let given = text(headers, name).map(|value| decoded(value).unwrap_or_else(|| value.to_owned()));
    match given {
        Some(value) if value == expected => Ok(()),
        Some(value) => Err(mismatch(format!(
            "the header {name} says \"{value}\", the body says \"{expected}\""
        ))),
        None => Err(mismatch(format!(
            "the header {name} is required: \"{expected}\""
        ))),
    }
}

/// A value that does not fit a header comes as `=?base64?…?=`.
fn decoded(value: &str) -> Option<String> {
    let encoded = value.strip_prefix("=?base64?")?.strip_suffix("?=")?;
    String::from_utf8(STANDARD.decode(encoded).ok()?).ok()
}

/// The form a value takes in a header.
fn encoded(value: &str) -> String {
    let is_plain = value.bytes().all(|byte| matches!(byte, b' '..=b'~'))
        && value.trim() == value
        && !value.starts_with("=?");
    if is_plain {
        value.to_owned()
    } else {
        format!("=?base64?{}?=", STANDARD.encode(value))
    }
}

fn mismatch(what: String) -> Fault {
    Fault::saying(Code::HeaderMismatch, format!("Header mismatch: {what}"))
}

/// A known revision is echoed; anything else is answered with the newest of the era.
pub(super) fn revision(params: &Map<String, Value>) -> &'static str {
    let asked = params.get("protocolVersion").and_then(Value::as_str);
    let mut known = LEGACY.into_iter();
    known
        .find(|known| Some(*known) == asked)
        .unwrap_or(LEGACY[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_does_not_fit_a_header_comes_in_base64() {
        assert_eq!(decoded("=?base64?w6k=?=").as_deref(), Some("é"));
        assert_eq!(decoded("plain"), None);
        for name in ["é", " a", "=?x", "a\nb"] {
            assert_eq!(decoded(&encoded(name)).as_deref(), Some(name));
        }
        assert_eq!(encoded("ui://proscenium/a b"), "ui://proscenium/a b");
    }
}
