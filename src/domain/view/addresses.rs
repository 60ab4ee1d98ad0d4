//! Checks that no address a browser fetches by itself comes from what is typed: it would leave with
//! every letter.

use serde_json::{Map, Value};

use super::bindings::{OPAQUE, list};
use super::schema_path::is_typed;

/// Tells which pictures of one component have an address that comes from what is typed. `in_typed`:
/// it stands in a template over such values.
pub(super) fn check(
    component: &Map<String, Value>,
    in_typed: bool,
    tell: &mut dyn FnMut(&str, String),
) {
    let is_typed = |value: &Value| in_typed || reads_typed(value);
    let records = ["rows", "root"]
        .iter()
        .filter_map(|member| component.get(*member))
        .any(is_typed);
    let mut refuse = |member: &str, is_typed: bool| {
        if is_typed {
            let message = "the address of a picture cannot come from what the person types; it may \
                           be a literal, or come from a prop or a channel";
            tell(member, message.to_owned());
        }
    };
    if component.get("component") == Some(&Value::from("Image")) {
        refuse("url", component.get("url").is_some_and(is_typed));
    }
    if component.contains_key("imageField") {
        refuse("imageField", records || in_typed);
    }
    for member in component
        .keys()
        .filter(|member| !OPAQUE.contains(&member.as_str()))
    {
        for entry in list(component, member) {
            if entry.get("format") == Some(&Value::from("image")) {
                let of_its_own = entry.get("value").is_some_and(is_typed);
                refuse(member, of_its_own || records || in_typed);
            }
        }
    }
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

/// Whether a place of a format string, or a call within one, names what is typed.
fn fills_in_typed(text: &str) -> bool {
    let is_end = |letter: char| letter.is_whitespace() || "{}(),:\"'".contains(letter);
    text.split("${").skip(1).any(|rest| {
        let within = rest.rsplit_once('}').map_or(rest, |(within, _)| within);
        within.split(is_end).any(is_typed)
    })
}
