//! The difference between two contracts, as a JSON Patch (RFC 6902).

use serde_json::{Map, Value};

use crate::wire::tools::{PatchOperation, PatchVerb};

/// Returns the JSON Patch (RFC 6902) that turns one contract into the other.
pub(crate) fn changes(from: &Value, to: &Value) -> Vec<PatchOperation> {
    let mut changes = Vec::new();
    compare(from, to, &mut String::new(), &mut changes);
    changes
}

fn compare(from: &Value, to: &Value, path: &mut String, changes: &mut Vec<PatchOperation>) {
    match (from, to) {
        _ if from == to => {}
        (Value::Object(old), Value::Object(new)) => {
            compare_members(old, new, path, changes);
        }
        _ => changes.push(operation(PatchVerb::Replace, path, Some(to))),
    }
}

fn operation(op: PatchVerb, path: &str, value: Option<&Value>) -> PatchOperation {
    PatchOperation {
        op,
        path: path.to_owned(),
        value: value.cloned(),
    }
}

fn compare_members(
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    path: &mut String,
    changes: &mut Vec<PatchOperation>,
) {
    let length = path.len();
    let below = |path: &mut String, name: &str| {
        path.push('/');
        path.push_str(&name.replace('~', "~0").replace('/', "~1"));
    };
    for (name, old) in old {
        below(path, name);
        match new.get(name) {
            None => changes.push(operation(PatchVerb::Remove, path, None)),
            Some(new) => compare(old, new, path, changes),
        }
        path.truncate(length);
    }
    for (name, new) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
        below(path, name);
        changes.push(operation(PatchVerb::Add, path, Some(new)));
        path.truncate(length);
    }
}
