//! Draws the actions of a page: forms on it, forms behind buttons, and buttons.

use serde_json::{Value, json};

use super::super::plan::{Offer, Place, Plan};
use super::super::reading::{
    Kind, core, fields, is_currency, kind, label, meaning, named_currency, split,
};
use super::builder::{Builder, bind};
use super::values::{chosen, given};
use crate::domain::contract::CompiledContract;
use crate::wire::contract::ActionEntry;

/// What the contract says of an action.
pub(super) fn entry<'a>(contract: &'a CompiledContract, action: &str) -> Option<&'a ActionEntry> {
    contract.contract().action_spec.as_ref()?.get(action)
}

/// A form, on the page or behind a button.
pub(super) fn form(
    builder: &mut Builder,
    plan: &Plan,
    contract: &CompiledContract,
    offer: &Offer,
) -> String {
    let mut members = asking(plan, contract, offer);
    let button = entry(contract, &offer.action).map_or("", |entry| entry.label.as_str());
    members["title"] = json!(form_title(&offer.action, button));
    members["display"] = match offer.place {
        Place::Line => json!("line"),
        Place::Dialog => json!("dialog"),
        _ => Value::Null,
    };
    members["icon"] = json!(icon(contract, &offer.action));
    builder.add(&format!("{}_form", offer.action), "Form", members)
}

/// What an action asks for and how it is sent, whatever shows it.
pub(super) fn asking(plan: &Plan, contract: &CompiledContract, offer: &Offer) -> Value {
    let found = entry(contract, &offer.action);
    let is_primary = plan.primary.as_ref() == Some(&offer.action);
    json!({
        "tone": offer.is_dangerous.then_some("bad"),
        "variant": if is_primary { "primary" } else { "default" },
        "schema": inputs(plan, contract, offer, &[]),
        "given": (!offer.given.is_empty()).then(|| given(offer)),
        "choices": (!offer.chosen.is_empty()).then(|| chosen(offer)),
        "submitLabel": found.map(|entry| entry.label.as_str()),
        "action": offer.action,
        "confirm": found.and_then(|entry| entry.confirm).filter(|confirm| *confirm),
        "description": found.and_then(|entry| entry.description.clone()),
        "initial": offer.edits.as_ref().or(offer.begins.as_ref()).map(|path| bind(path)),
        "example": found.and_then(|entry| entry.example.clone()),
    })
}

/// `Add` on the button of `addTodo` leaves room for `Add todo` above the form.
fn form_title(name: &str, button: &str) -> String {
    let spelled = label(name);
    let is_longer = spelled.to_lowercase().starts_with(&button.to_lowercase());
    if is_longer {
        spelled
    } else {
        button.to_owned()
    }
}

/// A button of an action that asks for nothing.
pub(super) fn button(
    builder: &mut Builder,
    plan: &Plan,
    contract: &CompiledContract,
    offer: &Offer,
) -> String {
    let found = entry(contract, &offer.action);
    let is_primary = plan.primary.as_ref() == Some(&offer.action);
    let members = json!({
        "label": found.map(|entry| entry.label.as_str()),
        "action": offer.action,
        "data": found.and_then(|entry| entry.schema.as_ref()).map(|_| given(offer)),
        "confirm": found.and_then(|entry| entry.confirm).filter(|confirm| *confirm),
        "variant": if is_primary { "primary" } else { "default" },
        "tone": offer.is_dangerous.then_some("bad"),
        "icon": icon(contract, &offer.action),
        "description": found.and_then(|entry| entry.description.clone()),
    });
    builder.add(&format!("{}_button", offer.action), "ActionButton", members)
}

/// The schema of what the person still has to give; null, if that is nothing.
pub(super) fn inputs(
    plan: &Plan,
    contract: &CompiledContract,
    offer: &Offer,
    taken: &[&str],
) -> Value {
    let schema = core(contract.action_schema(&offer.action));
    let is_taken = |name: &str| taken.contains(&name) || offer.given.contains_key(name);
    let mut rest = schema.clone();
    measure(&mut rest, currency(plan));
    if taken.is_empty() && offer.given.is_empty() {
        return rest;
    }
    if let Some(properties) = rest.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| !is_taken(name));
        if properties.is_empty() {
            return Value::Null;
        }
    }
    if let Some(required) = rest.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !name.as_str().is_some_and(is_taken));
    }
    for sample in ["example", "examples", "default"] {
        if let Value::Object(rest) = &mut rest {
            rest.shift_remove(sample);
        }
    }
    rest
}

/// Says the units of numbers beside what is typed rather than in its label: `weightKg` is a weight, and
/// `feeMinor` a fee in the currency of the page, unless the payload has its own.
fn measure(schema: &mut Value, currency: Option<&str>) {
    let own_currency = fields(schema).iter().any(is_currency);
    let currency = currency.filter(|_| !own_currency);
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, own) in properties.into_iter().flatten() {
        measure(own, currency);
        if kind(own) != Kind::Number || own.get("title").or(own.get("$comment")).is_some() {
            continue;
        }
        let read = meaning(name, own, true);
        let hint = match (&read.unit, named_currency(name).or(currency)) {
            (Some(unit), _) => format!("ui: unit={unit}, title={}", read.label),
            // Its words are right only where the browser finds the currency and counts in it.
            (None, Some(path)) if read.format == "money" => {
                format!("ui: currency={path}, title={}", read.label)
            }
            _ => continue,
        };
        if let Value::Object(own) = own {
            own.insert("$comment".to_owned(), json!(hint));
        }
    }
}

/// The pointer to the currency of the amounts on a page, if they have one in common.
fn currency(plan: &Plan) -> Option<&str> {
    let shown = plan.parts.iter().flat_map(|part| &part.fields);
    let mut paths = shown.filter_map(|shown| shown.currency.as_deref());
    paths.find(|path| path.starts_with("/props/"))
}

/// The icon of an action: its own, or one that its verb stands for.
pub(super) fn icon(contract: &CompiledContract, action: &str) -> Option<String> {
    let guess = || {
        split(action).iter().find_map(|word| {
            Some(match word.as_str() {
                "add" | "create" | "new" => "plus",
                "check" | "complete" | "done" | "toggle" => "check",
                "delete" | "remove" => "trash",
                "edit" | "rename" => "edit",
                _ => return None,
            })
        })
    };
    let own = entry(contract, action).and_then(|entry| entry.icon.clone());
    own.or_else(|| guess().map(str::to_owned))
}
