//! Schemas without branches: each way through `allOf`, `anyOf`, `oneOf` and conditions, as one schema.

use serde_json::{Map, Value, json};

/// Ways through the branches of one schema that are followed.
const WAYS_MAX: usize = 32;
/// Keywords that have branches, or refuse.
const BRANCHING: &[&str] = &["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/// The ways through a schema, in the order in which they are written.
pub(super) fn ways(schema: &Value) -> Vec<Map<String, Value>> {
    let Value::Object(node) = schema else {
        return match schema {
            Value::Bool(true) => vec![Map::new()],
            _ => Vec::new(),
        };
    };
    let plain = node
        .iter()
        .filter(|(name, _)| !BRANCHING.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()));
    let mut ways_on = vec![plain.collect::<Map<_, _>>()];
    for branch in list(node, "allOf") {
        ways_on = crossed(&ways_on, &ways(branch));
    }
    for union in ["anyOf", "oneOf"] {
        if node.contains_key(union) {
            let branches: Vec<_> = list(node, union).iter().flat_map(ways).collect();
            ways_on = crossed(&ways_on, &branches);
        }
    }
    if let Some(condition) = node.get("if") {
        let then = node.get("then").unwrap_or(&Value::Bool(true));
        let mut both = crossed(&ways(condition), &ways(then));
        both.extend(ways(node.get("else").unwrap_or(&Value::Bool(true))));
        ways_on = crossed(&ways_on, &both);
    }
    ways_on
}

fn list<'a>(node: &'a Map<String, Value>, keyword: &str) -> &'a [Value] {
    let branches = node.get(keyword).and_then(Value::as_array);
    branches.map_or(&[], Vec::as_slice)
}

fn crossed(these: &[Map<String, Value>], those: &[Map<String, Value>]) -> Vec<Map<String, Value>> {
    let pairs = these
        .iter()
        .flat_map(|this| those.iter().map(move |that| merged(this, that)));
    pairs.take(WAYS_MAX).collect()
}

/// One schema that says what both say, as far as one keyword can.
fn merged(this: &Map<String, Value>, that: &Map<String, Value>) -> Map<String, Value> {
    let mut both = this.clone();
    for (name, value) in that {
        let joined = match both.get(name) {
            None => value.clone(),
            Some(old) if old == value => continue,
            Some(old) => joined(name, old, value),
        };
        both.insert(name.clone(), joined);
    }
    both
}

fn joined(name: &str, old: &Value, new: &Value) -> Value {
    match name {
        "type" => common_types(old, new),
        "enum" => common(old, new),
        "required" => {
            let names = [old, new].into_iter().filter_map(Value::as_array).flatten();
            let mut all: Vec<Value> = Vec::new();
            for name in names {
                if !all.contains(name) {
                    all.push(name.clone());
                }
            }
            all.into()
        }
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties"
        | "multipleOf" => larger(old, new),
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            let is_old = larger(old, new) == *new;
            if is_old { old.clone() } else { new.clone() }
        }
        "uniqueItems" => json!(old == true || new == true),
        "properties" | "patternProperties" | "dependencies" => match (old, new) {
            (Value::Object(old), Value::Object(new)) => {
                let mut all = old.clone();
                for (name, schema) in new {
                    let both = match all.get(name) {
                        Some(old) if old != schema && name != "dependencies" => {
                            json!({ "allOf": [old, schema] })
                        }
                        _ => schema.clone(),
                    };
                    all.insert(name.clone(), both);
                }
                all.into()
            }
            _ => new.clone(),
        },
        "items" | "additionalProperties" | "contains" | "propertyNames" => match (old, new) {
            (Value::Bool(false), _) | (_, Value::Bool(true)) => old.clone(),
            (_, Value::Bool(false)) | (Value::Bool(true), _) => new.clone(),
            _ => json!({ "allOf": [old, new] }),
        },
        // Of two patterns, or two formats, the inner one: what fits both is found by chance.
        _ => new.clone(),
    }
}

fn larger(old: &Value, new: &Value) -> Value {
    let is_new = new.as_f64() > old.as_f64();
    if is_new { new.clone() } else { old.clone() }
}

fn common(old: &Value, new: &Value) -> Value {
    let new = new.as_array().map_or(&[][..], Vec::as_slice);
    let old = old.as_array().into_iter().flatten();
    old.filter(|value| new.contains(value)).cloned().collect()
}

/// The types both have; a whole number is a number.
fn common_types(old: &Value, new: &Value) -> Value {
    let names = |value: &Value| match value {
        Value::Array(names) => names.clone(),
        one => vec![one.clone()],
    };
    let (old, new) = (names(old), names(new));
    let has = |all: &[Value], name: &Value| {
        all.contains(name) || (name == "integer" && all.contains(&json!("number")))
    };
    let mut both: Vec<Value> = old.iter().filter(|name| has(&new, name)).cloned().collect();
    let more = new.iter().filter(|name| has(&old, name));
    for name in more {
        if !both.contains(name) {
            both.push(name.clone());
        }
    }
    both.into()
}
