//! Gives every gesture its place: in the rows it is about, in a form, or on a button.

use std::cmp::Reverse;

use serde_json::{Map, Value, json};

use super::builder::{Builder, bind, join};
use super::fields::{Field, Kind, core, fields, is_form, is_id, kind};
use super::words::{label, singular, split};
use crate::domain::contract::CompiledContract;
use crate::wire::contract::ActionEntry;

/// Gestures that undo or end something; they never look like the thing to do next.
const DESTRUCTIVE: &[&str] = &[
    "abort", "cancel", "clear", "delete", "discard", "dismiss", "reject", "remove", "reset", "stop",
];
/// Gestures that make something new, so a record cannot be what they are about.
const CREATIVE: &[&str] = &["add", "create", "insert", "new", "register", "submit"];

/// The gestures that belong into the rows of some list, by the name of the list.
pub(super) struct RowActions<'a> {
    placed: Vec<(&'a str, &'a str, &'a ActionEntry, Placement)>,
}

/// How one gesture meets the records of one list.
struct Placement {
    /// Payload members that the record gives.
    fixed: Map<String, Value>,
    /// Payload members that the person gives.
    inputs: Option<Value>,
    /// Where those start from.
    initial: Map<String, Value>,
}

impl<'a> RowActions<'a> {
    /// No gestures.
    pub(super) fn none() -> Self {
        Self { placed: Vec::new() }
    }

    /// Finds a list for every gesture that is about one of its records.
    pub(super) fn place(contract: &'a CompiledContract, lists: &[(&'a str, &'a Value)]) -> Self {
        let mut placed = Vec::new();
        for (action, entry) in contract.contract().action_spec.iter().flatten() {
            let schema = contract.action_schema(action);
            if entry.schema.is_none() || !is_form(schema) {
                continue;
            }
            let candidates = lists.iter().enumerate().filter_map(|(at, (list, items))| {
                let placement = meet(action, schema, list, items)?;
                Some((at, *list, placement))
            });
            let best = candidates.max_by_key(|(at, list, placement)| {
                // A gesture that names the list's thing is about that list.
                (names(action, list), placement.fixed.len(), Reverse(*at))
            });
            if let Some((_, list, placement)) = best {
                placed.push((list, action.as_str(), entry, placement));
            }
        }
        Self { placed }
    }

    /// The row actions of one list.
    pub(super) fn of(&self, list: &str, columns: &[Field<'_>]) -> Vec<Value> {
        let own = self.placed.iter().filter(|(placed, _, _, placement)| {
            let knows = |field: &Value| columns.iter().any(|column| *field == column.name);
            *placed == list && placement.fixed.values().all(knows)
        });
        own.map(|(_, action, entry, placement)| {
            let mut row = json!({
                "action": action,
                "label": entry.label,
                "fixed": placement.fixed,
            });
            let mut set = |member: &str, value: Value| row[member] = value;
            if let Some(icon) = icon(action, entry) {
                set("icon", json!(icon));
            }
            if entry.confirm == Some(true) {
                set("confirm", json!(true));
            }
            if is(action, DESTRUCTIVE) {
                set("variant", json!("borderless"));
            }
            if let Some(inputs) = &placement.inputs {
                set("inputs", inputs.clone());
            }
            if !placement.initial.is_empty() {
                set("initial", json!(placement.initial));
            }
            row
        })
        .collect()
    }
}

/// Whether a gesture is about one record of a list, and what the record gives it.
fn meet(action: &str, schema: &Value, list: &str, items: &Value) -> Option<Placement> {
    let record = fields(items);
    let payload = fields(schema);
    let has = |name: &str| record.iter().any(|field| field.name == name);
    let mut fixed = Map::new();
    for field in payload.iter().filter(|field| is_id(field.name)) {
        if let Some(source) = identity(field.name, list, &record) {
            fixed.insert(field.name.to_owned(), json!(source));
        }
    }
    if fixed.is_empty() && !record.iter().any(|field| is_id(field.name)) && !is(action, CREATIVE) {
        // Records without an id are told apart by their first text.
        let first = record
            .iter()
            .find(|field| kind(field.schema) == Kind::Text)?;
        let given = payload.iter().find(|field| field.name == first.name)?;
        fixed.insert(given.name.to_owned(), json!(first.name));
    }
    if fixed.is_empty() {
        return None;
    }
    let rest: Vec<&Field<'_>> = payload
        .iter()
        .filter(|field| !fixed.contains_key(field.name))
        .collect();
    let initial = rest
        .iter()
        .filter(|field| has(field.name))
        .map(|field| (field.name.to_owned(), json!(field.name)))
        .collect();
    Some(Placement {
        inputs: (!rest.is_empty()).then(|| without(schema, &fixed)),
        initial,
        fixed,
    })
}

/// The member of the records that holds what a payload calls `name`.
fn identity<'a>(name: &str, list: &str, record: &[Field<'a>]) -> Option<&'a str> {
    let exact = record.iter().find(|field| field.name == name);
    if let Some(exact) = exact {
        return Some(exact.name);
    }
    let thing = split(list).pop().map(|word| singular(&word))?;
    let words = split(name);
    let is_about_thing = words.len() > 1 && words[words.len() - 2] == thing;
    let by_thing = |field: &&Field<'_>| {
        let own = split(field.name);
        own.len() > 1 && own[own.len() - 2] == thing && is_id(field.name)
    };
    let found = match (name, is_about_thing) {
        ("id", _) => record.iter().find(by_thing),
        (_, true) => record.iter().find(|field| field.name == "id"),
        _ => None,
    };
    found.map(|field| field.name)
}

/// The schema of what the person still has to give.
fn without(schema: &Value, fixed: &Map<String, Value>) -> Value {
    let mut rest = core(schema).clone();
    if let Some(properties) = rest.get_mut("properties").and_then(Value::as_object_mut) {
        properties.retain(|name, _| !fixed.contains_key(name));
    }
    if let Some(required) = rest.get_mut("required").and_then(Value::as_array_mut) {
        required.retain(|name| !name.as_str().is_some_and(|name| fixed.contains_key(name)));
    }
    for sample in ["example", "examples", "default"] {
        if let Value::Object(rest) = &mut rest {
            rest.shift_remove(sample);
        }
    }
    rest
}

/// Whether a gesture's name speaks of the things a list holds.
fn names(action: &str, list: &str) -> bool {
    let thing = split(list).pop().map(|word| singular(&word));
    split(action)
        .iter()
        .any(|word| Some(singular(word)) == thing)
}

fn is(action: &str, verbs: &[&str]) -> bool {
    split(action)
        .iter()
        .any(|word| verbs.contains(&word.as_str()))
}

fn icon(action: &str, entry: &ActionEntry) -> Option<String> {
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
    entry.icon.clone().or_else(|| guess().map(str::to_owned))
}

/// Forms for the gestures that carry data and stand in no row.
pub(super) fn forms(builder: &mut Builder, contract: &CompiledContract) -> Vec<String> {
    let placed = builder.row_actions();
    let mut forms = Vec::new();
    for (name, entry) in contract.contract().action_spec.iter().flatten() {
        let schema = contract.action_schema(name);
        if entry.schema.is_none() || placed.contains(name) || takes_nothing(schema) {
            continue;
        }
        let members = json!({
            "title": form_title(name, &entry.label),
            "schema": core(schema),
            "submitLabel": entry.label,
            "action": name,
            "confirm": entry.confirm.filter(|confirm| *confirm),
            "description": entry.description,
            "initial": record_prop(contract, schema).map(|prop| bind(&join("/props", &prop))),
            "example": entry.example,
        });
        let form = builder.add(&format!("{name}_form"), "Form", members);
        forms.push(builder.card(&form));
    }
    forms
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

/// Buttons for the gestures that carry nothing; the first that ends nothing is the thing to do
/// next, unless there is a form to fill in.
pub(super) fn buttons(
    builder: &mut Builder,
    contract: &CompiledContract,
    has_forms: bool,
) -> Vec<String> {
    let void = contract.contract().action_spec.iter().flatten();
    let void = void.filter(|(name, entry)| {
        entry.schema.is_none() || takes_nothing(contract.action_schema(name))
    });
    let mut buttons = Vec::new();
    let mut has_primary = has_forms;
    for (name, entry) in void {
        let is_destructive = is(name, DESTRUCTIVE);
        let is_primary = !has_primary && !is_destructive;
        has_primary |= is_primary;
        let members = json!({
            "label": entry.label,
            "action": name,
            "data": entry.schema.as_ref().map(|_| json!({})),
            "confirm": entry.confirm.filter(|confirm| *confirm),
            "variant": if is_primary { "primary" } else { "default" },
            "tone": is_destructive.then_some("bad"),
            "icon": icon(name, entry),
            "description": entry.description,
        });
        buttons.push(builder.add(&format!("{name}_button"), "ActionButton", members));
    }
    buttons
}

/// Whether a schema only admits the empty object.
fn takes_nothing(schema: &Value) -> bool {
    let is_object = core(schema).get("type") == Some(&json!("object"));
    let has = |keyword: &str| core(schema).get(keyword).is_some();
    is_object
        && fields(schema).is_empty()
        && ![
            "additionalProperties",
            "allOf",
            "anyOf",
            "if",
            "oneOf",
            "patternProperties",
        ]
        .iter()
        .any(|keyword| has(keyword) && core(schema)[*keyword] != json!(false))
}

/// A prop that is a record with everything a form asks for: what is being edited.
fn record_prop(contract: &CompiledContract, schema: &Value) -> Option<String> {
    let asked = fields(schema);
    let props = contract
        .contract()
        .props_spec
        .iter()
        .flat_map(|spec| spec.properties.keys());
    let mut records = props.filter(|name| kind(contract.prop_schema(name)) == Kind::Record);
    records
        .find(|name| {
            let has = fields(contract.prop_schema(name));
            let known = |field: &Field<'_>| has.iter().any(|other| other.name == field.name);
            !asked.is_empty() && asked.iter().all(known)
        })
        .cloned()
}
