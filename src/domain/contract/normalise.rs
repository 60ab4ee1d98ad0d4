//! Repairs a draft before it is salvaged: drops unknown members, corrects and adds types.

use serde_json::{Map, Value};

use super::grammar::{Extra, Rule};
use super::keywords::{TYPE_NAMES, holds_schemas, is_in_place, keyword};
use super::limits::NAME_BYTES_MAX;
use super::violations::quoted_text;

/// Deeper schemas are left as they are; the gate refuses them.
const SCHEMA_DEPTH_MAX: usize = 64;

/// The path of a value in a draft, as a list of names.
pub(super) type Place = Vec<String>;

/// Drops members a contract does not have, and spells types as JSON Schema does.
pub(super) fn normalise(
    rule: &Rule,
    value: &mut Value,
    path: &mut Place,
    dropped: &mut Vec<Place>,
) {
    match (rule, value) {
        (Rule::Object(members, extra), Value::Object(map)) => {
            if *extra == Extra::Refused {
                map.retain(|name, _| {
                    let is_known = members.iter().any(|(member, _, _)| member == name);
                    if !is_known {
                        let mut place = path.clone();
                        place.push(name.clone());
                        dropped.push(place);
                    }
                    is_known
                });
            }
            for (name, rule, _) in *members {
                if let Some(inner) = map.get_mut(*name) {
                    path.push((*name).to_owned());
                    normalise(rule, inner, path, dropped);
                    path.pop();
                }
            }
        }
        (Rule::Map(entry), Value::Object(map)) => {
            map.retain(|name, _| {
                let is_short = name.len() <= NAME_BYTES_MAX;
                if !is_short {
                    let mut place = path.clone();
                    place.push(quoted_text(name));
                    dropped.push(place);
                }
                is_short
            });
            for (name, inner) in map {
                path.push(name.clone());
                normalise(entry, inner, path, dropped);
                path.pop();
            }
        }
        (Rule::Schema, schema) => spell(schema, false, 0),
        _ => {}
    }
}

/// Corrects the types of a schema and of those below it, adds the type that its keywords imply
/// where none is declared, and removes a `$schema` that names another draft.
///
/// `is_typed` says that a surrounding schema declares a type for the same value.
fn spell(schema: &mut Value, is_typed: bool, depth: usize) {
    let Value::Object(node) = schema else {
        return;
    };
    if depth > SCHEMA_DEPTH_MAX {
        return;
    }
    node.shift_remove("$schema");
    let is_typed = is_typed || node.contains_key("type");
    let implied = implied_type(node).filter(|_| !is_typed);
    if let Some(name) = implied {
        node.insert("type".to_owned(), Value::from(name));
    }
    let is_typed = is_typed || implied.is_some();
    for (name, value) in node {
        let below = |inner: &mut Value| spell(inner, is_typed && is_in_place(name), depth + 1);
        match (name.as_str(), value) {
            ("type", Value::String(word)) => respell(word),
            ("type", Value::Array(words)) => {
                for word in words {
                    if let Value::String(word) = word {
                        respell(word);
                    }
                }
            }
            ("properties" | "patternProperties" | "definitions" | "$defs", Value::Object(map)) => {
                map.values_mut().for_each(below);
            }
            (name, Value::Array(branches)) if holds_schemas(name) => {
                branches.iter_mut().for_each(below);
            }
            ("dependencies" | "propertyNames", _) => {}
            (name, value @ Value::Object(_)) if holds_schemas(name) => below(value),
            _ => {}
        }
    }
}

/// The single type that all keywords of a schema apply to.
fn implied_type(node: &Map<String, Value>) -> Option<&'static str> {
    let mut common: Option<Vec<&'static str>> = None;
    for (_, speaks_of) in node.keys().filter_map(|name| keyword(name)) {
        match &mut common {
            _ if speaks_of.is_empty() => {}
            None => common = Some(speaks_of.to_vec()),
            Some(common) => common.retain(|name| speaks_of.contains(name)),
        }
    }
    common?.first().copied()
}

fn respell(word: &mut String) {
    let lower = word.to_ascii_lowercase();
    let spelt = match lower.as_str() {
        "bool" => "boolean",
        "float" | "double" => "number",
        "int" => "integer",
        "str" => "string",
        "list" => "array",
        other => other,
    };
    if TYPE_NAMES.contains(&spelt) {
        spelt.clone_into(word);
    }
}
