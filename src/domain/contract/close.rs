//! Turns the schemas of a draft into the enforced ones: closed, canonical, without references.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::keywords::{Step, TYPE_NAMES, children, rewrite, try_rewrite, types};
use crate::wire::contract::Profile;

/// The keywords whose subschemas are closed and shown (contract.md §6.1).
const DESCENDED: &[&str] = &[
    "additionalProperties",
    "anyOf",
    "items",
    "oneOf",
    "properties",
];

/// How many property names may be passed down into the branches of one schema in total: ten times a
/// union of sixteen records. Each passed name becomes a schema of its own.
const NAMES_MAX: usize = 20_000;

/// Adds `additionalProperties: false` to every object schema that does not set it (contract.md
/// §6.1).
///
/// Where an object has unions beside its own properties, the properties of each side are allowed on
/// the other; closing them separately would leave no value that passes both.
pub(super) fn closed(schema: &Value) -> Value {
    close(schema, &BTreeSet::new(), &mut usize::MAX.clone()).unwrap_or_default()
}

/// Whether closing the schema stays within [`NAMES_MAX`]: nested branches that all inherit the
/// surrounding names would multiply both.
pub(super) fn is_closable(schema: &Value) -> bool {
    close(schema, &BTreeSet::new(), &mut NAMES_MAX.clone()).is_some()
}

/// Closes a schema that inherits the property names in `outer`; `None` once the budget `left` is
/// used up.
fn close(schema: &Value, outer: &BTreeSet<String>, left: &mut usize) -> Option<Value> {
    let Value::Object(node) = schema else {
        return Some(schema.clone());
    };
    *left = left.checked_sub(outer.len())?;
    let mut around = outer.clone();
    around.extend(own_properties(node));
    let mut new = try_rewrite(
        node,
        |name| step(name, DESCENDED),
        |name, child| {
            if matches!(name, "anyOf" | "oneOf") {
                let mut inherited = around.clone();
                for sibling in children(node) {
                    if sibling.in_place && sibling.keyword != name {
                        declared(sibling.schema, &mut inherited);
                    }
                }
                close(child, &inherited, left).ok_or(())
            } else {
                close(child, &BTreeSet::new(), left).ok_or(())
            }
        },
    )
    .ok()?;
    if is_object_node(schema) && !node.contains_key("additionalProperties") {
        let mut admitted = outer.clone();
        for child in children(node).iter().filter(|child| child.in_place) {
            declared(child.schema, &mut admitted);
        }
        for name in own_properties(node) {
            admitted.remove(&name);
        }
        if !admitted.is_empty() {
            let properties = new.entry("properties").or_insert_with(|| json!({}));
            if let Value::Object(properties) = properties {
                properties.extend(admitted.into_iter().map(|name| (name, json!({}))));
            }
        }
        new.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    Some(Value::Object(new))
}

fn step(name: &str, descended: &[&str]) -> Step {
    if descended.contains(&name) {
        Step::Rewrite
    } else {
        Step::Keep
    }
}

/// The dotted places of `schema` that will accept `{}` alone, because they declare nothing and are
/// closed (contract.md §6.1); whoever wrote `{"type": "object"}` mostly meant any object.
pub(super) fn closed_empty(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    find_empty(schema, false, String::new(), &mut found);
    found
}

/// `inherits` says whether names from around the schema are allowed in it.
fn find_empty(schema: &Value, inherits: bool, at: String, found: &mut Vec<String>) {
    let Value::Object(node) = schema else { return };
    let declares = |but: &str| {
        let mut names = own_properties(node).collect();
        for child in children(node) {
            if child.in_place && child.keyword != but {
                declared(child.schema, &mut names);
            }
        }
        !names.is_empty()
    };
    // Each branch of a union is given the same names.
    let given = ["anyOf", "oneOf"].map(|keyword| {
        (
            keyword,
            node.contains_key(keyword) && (inherits || declares(keyword)),
        )
    });
    for child in children(node) {
        if DESCENDED.contains(&child.keyword) {
            let inherits = given.contains(&(child.keyword, true));
            find_empty(child.schema, inherits, format!("{at}.{}", child.at), found);
        }
    }
    let is_open = ["additionalProperties", "patternProperties"];
    let is_open = is_open.iter().any(|keyword| node.contains_key(*keyword));
    if is_object_node(schema) && !is_open && !inherits && !declares("") {
        found.push(at);
    }
}

/// Whether a schema describes objects (contract.md §6.1).
fn is_object_node(schema: &Value) -> bool {
    schema.get("properties").is_some() || types(schema).contains(&"object")
}

fn own_properties(node: &Map<String, Value>) -> impl Iterator<Item = String> {
    let properties = node.get("properties").and_then(Value::as_object);
    properties.into_iter().flat_map(|map| map.keys().cloned())
}

/// Collects the properties that a schema and the schemas applied to the same value declare.
fn declared(schema: &Value, names: &mut BTreeSet<String>) {
    if let Value::Object(node) = schema {
        names.extend(own_properties(node));
        for child in children(node).iter().filter(|child| child.in_place) {
            declared(child.schema, names);
        }
    }
}

/// The canonical form of a closed schema, which the agent is shown and which is hashed (contract.md
/// §7).
pub(super) fn emitted(closed: &Value) -> Value {
    let Value::Object(node) = closed else {
        return closed.clone();
    };
    let step = |name: &str| match name {
        "example" | "nullable" => Step::Drop,
        _ => step(name, DESCENDED),
    };
    let mut new = rewrite(node, step, |_, child| emitted(child));
    insert_null(node, &mut new);
    if let Some(Value::Array(required)) = new.get_mut("required") {
        required.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    }
    Value::Object(new)
}

fn insert_null(node: &Map<String, Value>, new: &mut Map<String, Value>) {
    if node.get("nullable") == Some(&Value::Bool(true)) {
        match new.get_mut("type") {
            Some(Value::Array(names)) if !names.contains(&json!("null")) => {
                names.push(json!("null"));
            }
            Some(Value::String(name)) if name != "null" => {
                let both = json!([name, "null"]);
                new.insert("type".to_owned(), both);
            }
            _ => {}
        }
    }
}

/// The schema as it is compiled: `nullable` is translated, and keywords that would mislead the
/// validator are dropped.
///
/// `$id` and `$schema` would change how references and keywords are read, and the content keywords
/// would reject values.
pub(super) fn executable(closed: &Value) -> Value {
    const DROPPED: &[&str] = &[
        "$comment",
        "$defs",
        "$id",
        "$schema",
        "contentEncoding",
        "contentMediaType",
        "default",
        "definitions",
        "deprecated",
        "description",
        "example",
        "examples",
        "nullable",
        "readOnly",
        "title",
        "writeOnly",
    ];
    let Value::Object(node) = closed else {
        return closed.clone();
    };
    let step = |name: &str| {
        if DROPPED.contains(&name) {
            Step::Drop
        } else {
            Step::Rewrite
        }
    };
    let mut new = rewrite(node, step, |_, child| executable(child));
    insert_null(node, &mut new);
    Value::Object(new)
}

/// Returns the profile of a canonical schema (contract.md §7).
pub(super) fn profile(emitted: &Value) -> Profile {
    if is_grammar_safe(emitted) {
        Profile::GrammarSafe
    } else {
        Profile::Full
    }
}

fn is_grammar_safe(schema: &Value) -> bool {
    const KEYWORDS: &[&str] = &[
        "additionalProperties",
        "aliases",
        "anyOf",
        "const",
        "description",
        "enum",
        "format",
        "items",
        "oneOf",
        "properties",
        "required",
        "title",
        "type",
    ];
    const FORMATS: &[&str] = &[
        "date",
        "date-time",
        "duration",
        "email",
        "hostname",
        "ipv4",
        "ipv6",
        "time",
        "uri",
        "uuid",
    ];
    let Value::Object(node) = schema else {
        return false;
    };
    node.iter().all(|(name, value)| match name.as_str() {
        "additionalProperties" => *value == Value::Bool(false),
        "format" => value
            .as_str()
            .is_some_and(|format| FORMATS.contains(&format)),
        "type" => value.is_array() || value.as_str().is_some_and(|t| TYPE_NAMES.contains(&t)),
        name => KEYWORDS.contains(&name),
    }) && children(node)
        .iter()
        .all(|child| is_grammar_safe(child.schema))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_that_does_not_mention_extra_members_is_closed_at_every_depth() {
        let schema = json!({"type":"array","items":{"type":"object","nullable":true,"properties":{
            "open":{"type":"object","additionalProperties":{"type":"object"}}},"required":["open"]}});
        assert_eq!(
            emitted(&closed(&schema)),
            json!({"type":"array","items":{"type":["object","null"],"properties":{
                "open":{"type":"object","additionalProperties":{"type":"object","additionalProperties":false}}},
                "required":["open"],"additionalProperties":false}})
        );
    }

    #[test]
    fn a_union_beside_properties_admits_what_its_branches_declare() {
        let schema = json!({"type":"object","properties":{"kind":{"type":"string"}},
            "oneOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},
                     {"properties":{"b":{"type":"string"}},"required":["b"]}]});
        let run = executable(&closed(&schema));
        let validator = super::super::formats::validator(&run).unwrap();
        assert!(validator.is_valid(&json!({"kind":"x","a":"1"})));
        assert!(validator.is_valid(&json!({"b":"1"})));
        assert!(!validator.is_valid(&json!({"kind":"x"})));
        assert!(!validator.is_valid(&json!({"kind":"x","a":"1","c":"1"})));
    }

    #[test]
    fn a_plain_union_is_closed_branch_by_branch() {
        let schema = json!({"anyOf":[{"type":"object","properties":{"a":{}}},{"type":"null"}]});
        assert_eq!(
            closed(&schema),
            json!({"anyOf":[{"type":"object","properties":{"a":{}},"additionalProperties":false},{"type":"null"}]})
        );
    }
}
