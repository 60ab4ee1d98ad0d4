//! Places the gestures that stand in no row: on the page, on one line, or behind a button.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::actions::{DESTRUCTIVE, QUIET, icon, is};
use super::builder::{Builder, bind, join};
use super::fields::{Kind, choices, core, fields, is_long, kind};
use super::words::label;
use crate::domain::contract::CompiledContract;
use crate::wire::contract::ActionEntry;

/// Gestures that add one more to what the page shows.
const NEW: &[&str] = &["add", "create", "insert", "new"];
/// Fields of a form for something new that still stand on the page.
const NEW_FIELDS_MAX: usize = 2;
/// Options that fit on one line with their button.
const LINE_OPTIONS_MAX: usize = 5;

/// Forms of gestures that carry data and stand in no row.
#[derive(Default)]
pub(super) struct Forms {
    /// Those that stand on the page, framed.
    pub(super) page: Vec<String>,
    /// Those behind a button, by the name of their gesture.
    pub(super) dialogs: Vec<(String, String)>,
    /// Whether one on the page is the thing to do next.
    leads: bool,
}

/// Where a form stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Display {
    Page,
    Line,
    Dialog,
}

/// Draws the forms; `is_alone` says that the page has nothing else to show or to press.
pub(super) fn forms(builder: &mut Builder, contract: &CompiledContract, is_alone: bool) -> Forms {
    let placed = builder.row_actions();
    let entries: Vec<_> = contract
        .contract()
        .action_spec
        .iter()
        .flatten()
        .filter(|(name, entry)| {
            let schema = contract.action_schema(name);
            entry.schema.is_some() && !placed.contains(*name) && !takes_nothing(schema)
        })
        .collect();
    let is_larger = |name: &str| !is_line(contract.action_schema(name));
    let larger = entries.iter().filter(|(name, _)| is_larger(name)).count();
    let mut forms = Forms::default();
    for (name, entry) in entries {
        let schema = contract.action_schema(name);
        let edited = record_prop(contract, schema);
        let display = match () {
            () if is_alone => Display::Page,
            () if is(name, DESTRUCTIVE) => Display::Dialog,
            () if is_line(schema) => Display::Line,
            () if larger > 1 && edited.is_none() => Display::Dialog,
            () if is(name, NEW) && fields(schema).len() > NEW_FIELDS_MAX => Display::Dialog,
            () => Display::Page,
        };
        let is_destructive = is(name, DESTRUCTIVE);
        let is_aside = is_destructive || is(name, QUIET);
        let members = json!({
            "title": form_title(name, &entry.label),
            "display": match display {
                Display::Page => None,
                Display::Line => Some("line"),
                Display::Dialog => Some("dialog"),
            },
            "icon": icon(name, entry),
            "tone": is_destructive.then_some("bad"),
            "variant": is_aside.then_some("default"),
            "schema": core(schema),
            "submitLabel": entry.label,
            "action": name,
            "confirm": entry.confirm.filter(|confirm| *confirm),
            "description": entry.description,
            "initial": edited.map(|prop| bind(&join("/props", &prop))),
            "example": entry.example,
        });
        let form = builder.add(&format!("{name}_form"), "Form", members);
        match display {
            Display::Dialog => forms.dialogs.push((name.clone(), form)),
            Display::Line | Display::Page => {
                forms.leads |= !is_aside;
                forms.page.push(builder.card(&form));
            }
        }
    }
    forms
}

/// Whether a form is one short field, which stands beside its button.
fn is_line(schema: &Value) -> bool {
    if kind(schema) != Kind::Record {
        return false;
    }
    match fields(schema).as_slice() {
        [only] => match kind(only.schema) {
            Kind::Number => true,
            Kind::Choice => choices(only.schema).is_some_and(|all| all.len() <= LINE_OPTIONS_MAX),
            Kind::Text => !is_long(only.name, core(only.schema)) && !only.name.ends_with("ataUrl"),
            _ => false,
        },
        _ => false,
    }
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

/// Buttons for the gestures that carry nothing and for those whose form opens; the first that
/// carries nothing and ends nothing is the thing to do next, unless there is a form to fill in.
pub(super) fn buttons(
    builder: &mut Builder,
    contract: &CompiledContract,
    forms: &Forms,
) -> Vec<String> {
    let mut buttons = Vec::new();
    let mut has_primary = forms.leads;
    for (name, entry) in contract.contract().action_spec.iter().flatten() {
        if let Some((_, form)) = forms.dialogs.iter().find(|(own, _)| own == name) {
            buttons.push(form.clone());
            continue;
        }
        if !is_void(contract, name, entry) {
            continue;
        }
        let is_destructive = is(name, DESTRUCTIVE);
        let is_primary = !has_primary && !is_destructive && !is(name, QUIET);
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

/// Whether a gesture carries nothing.
pub(super) fn is_void(contract: &CompiledContract, name: &str, entry: &ActionEntry) -> bool {
    entry.schema.is_none() || takes_nothing(contract.action_schema(name))
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

/// A prop that is a record with what a form asks for, as far as it has to: what is being edited.
fn record_prop(contract: &CompiledContract, schema: &Value) -> Option<String> {
    let asked = fields(schema);
    let required: Vec<&str> = core(schema)["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let props = contract.contract().props_spec.as_ref()?;
    let mut records = props
        .properties
        .keys()
        .filter(|name| kind(contract.prop_schema(name)) == Kind::Record);
    records
        .find(|name| {
            let has = fields(contract.prop_schema(name));
            let known = |name: &str| has.iter().any(|other| other.name == name);
            let shared = asked.iter().filter(|field| known(field.name)).count();
            shared > 0 && shared * 2 >= asked.len() && required.iter().all(|name| known(name))
        })
        .cloned()
}

/// The records that some form edits completely, so that they need no picture of their own.
pub(super) fn edited(contract: &CompiledContract) -> BTreeSet<String> {
    let actions = contract.contract().action_spec.iter().flatten();
    let forms = actions.filter(|(_, entry)| entry.schema.is_some());
    forms
        .filter_map(|(name, _)| {
            let schema = contract.action_schema(name);
            let record = record_prop(contract, schema)?;
            let asked = fields(schema);
            let all = fields(contract.prop_schema(&record));
            let is_whole = all
                .iter()
                .all(|field| asked.iter().any(|other| other.name == field.name));
            is_whole.then_some(record)
        })
        .collect()
}
