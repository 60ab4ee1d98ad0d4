//! Policies for somebody who has not said yet with which arguments they will call: what is then
//! denied is denied with all arguments.

use serde_json::{Value, json};

use super::argument_types::{ARGUMENTS, attributes, operation, parts};

/// The same policy, reading no arguments: one that permits holds wherever there can be arguments
/// with which it does, and one that forbids only where it does with all.
pub(super) fn ahead(policy: &Value) -> Value {
    let mut ahead = policy.clone();
    let permits = policy["effect"] == "permit";
    for condition in ahead["conditions"].as_array_mut().into_iter().flatten() {
        let can_hold = permits == (condition["kind"] == "when");
        condition["body"] = approximate(&condition["body"], can_hold);
    }
    ahead
}

/// A condition without what reads arguments: it holds whenever the other one can hold, or only where
/// the other one has to hold.
fn approximate(condition: &Value, can_hold: bool) -> Value {
    if !reads_arguments(condition) {
        return condition.clone();
    }
    let side = |side: &Value| approximate(side, can_hold);
    match operation(condition) {
        Some((operator @ ("&&" | "||"), given)) => {
            json!({operator: {"left": side(&given["left"]), "right": side(&given["right"])}})
        }
        Some(("!", given)) => json!({"!": {"arg": approximate(&given["arg"], !can_hold)}}),
        Some(("if-then-else", given)) => {
            let (yes, no) = (side(&given["then"]), side(&given["else"]));
            if reads_arguments(&given["if"]) {
                let either = if can_hold { "||" } else { "&&" };
                json!({either: {"left": yes, "right": no}})
            } else {
                json!({"if-then-else": {"if": given["if"], "then": yes, "else": no}})
            }
        }
        _ => json!({"Value": can_hold}),
    }
}

/// Whether anything in an expression may be an argument: all that is reached by their name.
fn reads_arguments(expression: &Value) -> bool {
    let Some((operator, given)) = operation(expression) else {
        return false;
    };
    let is_named = matches!(operator, "." | "has") && {
        let named = attributes(&given["attr"]);
        // That a call has arguments is always so.
        named.contains(&ARGUMENTS)
    };
    is_named || (operator != "Value" && parts(given).any(reads_arguments))
}
