//! Checks that no address that a browser fetches by itself or opens with a click comes from what is
//! typed: it would leave with every letter.

use serde_json::{Map, Value};

use super::bindings::{OPAQUE, list};
use super::schema_path::is_typed;

/// Formats in which a value is an address: of a picture, a page or a mailbox.
const ADDRESSES: &[&str] = &["image", "url", "email"];

/// Members that say where the records of a component come from.
const RECORDS: &[&str] = &["rows", "root", "record", "changes", "more"];

/// Tells which pictures and links of one component have an address that comes from what is typed.
/// `in_typed`: it stands in a template over such values.
pub(super) fn check(
    component: &Map<String, Value>,
    in_typed: bool,
    report: &mut dyn FnMut(&str, String),
) {
    let is_typed = |value: &Value| in_typed || reads_typed(value);
    let members = || {
        let is_opaque = |member: &str| OPAQUE.contains(&member);
        component
            .iter()
            .filter(move |(member, _)| !is_opaque(member))
    };
    let records = in_typed
        || RECORDS
            .iter()
            .filter_map(|member| component.get(*member))
            .any(is_typed);
    let mut refuse = |member: &str, is_typed: bool| {
        if is_typed {
            let message = "the address of a picture or a link cannot come from what the person types; \
                           it may be a literal, or come from a prop or a channel";
            report(member, message.to_owned());
        }
    };
    if component.get("component") == Some(&Value::from("Image")) {
        refuse("url", component.get("url").is_some_and(is_typed));
    }
    if component.contains_key("imageField") {
        refuse("imageField", records);
    }
    for member in ["format", "titleFormat"] {
        let value = component.get("value").is_some_and(is_typed);
        refuse(
            member,
            is_address(component.get(member)) && (records || value),
        );
    }
    for (member, value) in members() {
        let of_call = || {
            value
                .get("functionCall")
                .filter(|call| call["call"] == "openUrl")
        };
        refuse(
            member,
            of_call().is_some_and(is_typed) || links_typed(value),
        );
        for entry in list(component, member).filter(|entry| holds_address(entry)) {
            let of_its_own = entry.get("value").is_some_and(is_typed);
            refuse(member, of_its_own || records);
        }
    }
}

fn is_address(format: Option<&Value>) -> bool {
    let format = format.and_then(Value::as_str);
    format.is_some_and(|format| ADDRESSES.contains(&format))
}

/// Whether what an entry shows, or something within it, is an address.
fn holds_address(entry: &Value) -> bool {
    let parts = entry.get("parts").and_then(Value::as_array);
    is_address(entry.get("format")) || parts.into_iter().flatten().any(holds_address)
}

/// Whether a value is read from what is typed, wherever in it.
fn reads_typed(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(reads_typed),
        Value::Object(map) => map.iter().any(|(member, inner)| match inner {
            Value::String(path) if member == "path" => is_typed(path),
            Value::String(text) => fills_in_typed(text),
            _ => reads_typed(inner),
        }),
        _ => false,
    }
}

/// Whether a format string names what is typed.
fn fills_in_typed(text: &str) -> bool {
    typed_places(text).next().is_some()
}

/// Whether the address of a link in markdown is filled in with what is typed, wherever in a value.
fn links_typed(value: &Value) -> bool {
    match value {
        Value::String(text) => typed_places(text).any(|before| {
            let address = before.rsplit_once("](").map(|(_, address)| address);
            address.is_some_and(|address| !address.contains(')'))
        }),
        Value::Array(items) => items.iter().any(links_typed),
        Value::Object(map) => map.values().any(links_typed),
        _ => false,
    }
}

/// The text before each place of a format string in which what is typed is named, directly or in a call.
fn typed_places(text: &str) -> impl Iterator<Item = &str> {
    let is_end = |letter: char| letter.is_whitespace() || "{}(),:\"'".contains(letter);
    let places = text.match_indices("${").map(|(at, place)| {
        let rest = text.get(at + place.len()..).unwrap_or_default();
        (at, rest.split("${").next().unwrap_or_default())
    });
    places.filter_map(move |(at, rest)| {
        let within = rest.rsplit_once('}').map_or(rest, |(within, _)| within);
        let names_typed = within.split(is_end).any(is_typed);
        text.get(..at).filter(|_| names_typed)
    })
}
