//! Checks that the calls of functions in a component give each function what it takes.

use serde_json::{Map, Value};

use super::bindings::OPAQUE;
use super::catalog;

/// Tells what is wrong with the calls of one component, by member.
pub(super) fn check(component: &Map<String, Value>, report: &mut dyn FnMut(&str, String)) {
    for (member, value) in component {
        if !OPAQUE.contains(&member.as_str()) {
            walk(value, &mut |problem| report(member, problem));
        }
    }
}

fn walk(value: &Value, report: &mut dyn FnMut(String)) {
    match value {
        Value::Object(map) => {
            // A function nobody knows is told where the shape of the component is.
            if let Some(Value::String(name)) = map.get("call")
                && let Some(arguments) = map.get("args")
                && let Some(checker) = catalog::function(name)
            {
                let violations = checker.check(arguments, "args").err();
                for violation in violations.into_iter().flatten() {
                    let (field, message) = (violation.field, violation.message);
                    report(format!("{name}: {field}: {message}"));
                }
            }
            map.values().for_each(|inner| walk(inner, report));
        }
        Value::Array(items) => items.iter().for_each(|inner| walk(inner, report)),
        _ => {}
    }
}
