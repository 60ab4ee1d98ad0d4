//! Finds the bindings in a component and checks that each leads somewhere.

use serde_json::{Map, Value};

use super::schema_path::{Shape, follow, resolve, unescaped};
use crate::domain::contract::CompiledContract;

/// Members whose values are schemas or samples, not bindings.
pub(super) const OPAQUE: &[&str] = &["schema", "inputs", "example"];

/// Members of an action of records that hold names, not bindings.
const NAMES: &[&str] = &["example", "fixed", "initial", "inputs", "schema"];

/// Members that name one field of the records of their component.
const FIELDS: &[&str] = &[
    "childrenField",
    "columnField",
    "endField",
    "groupField",
    "imageField",
    "inputsField",
    "key",
    "labelField",
    "leadField",
    "levelField",
    "authorField",
    "countField",
    "numberField",
    "optionsField",
    "parentField",
    "rowField",
    "startField",
    "statusField",
    "textField",
    "timeField",
    "titleField",
    "toneField",
    "valueField",
    "x",
];

/// Where a component stands: inside which template or record.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'a> {
    /// Nowhere in particular: relative paths have no meaning.
    Fixed,
    /// Repeated for items of this shape.
    Item(Shape<'a>),
    /// Not reached from the root, so nothing is known.
    Unknown,
}

/// Tells what is wrong with the bindings of one component.
pub(super) fn check(
    component: &Map<String, Value>,
    place: Place<'_>,
    contract: &CompiledContract,
    report: &mut dyn FnMut(&str, String),
) {
    for (member, value) in component {
        if OPAQUE.contains(&member.as_str()) {
            continue;
        }
        let place = match (member.as_str(), record(component, contract)) {
            // The columns of a table are read from its records, or from those its records hold.
            ("columns", Some(shape)) => {
                let inner = holds(component).and_then(|(_, held)| shape.member(held));
                Place::Item(inner.map_or(shape, Shape::item))
            }
            _ => place,
        };
        walk(value, place, contract, &mut |problem| {
            report(member, problem)
        });
    }
    fields(component, contract, report);
}

fn walk<'a>(
    value: &Value,
    place: Place<'a>,
    contract: &'a CompiledContract,
    report: &mut dyn FnMut(String),
) {
    match value {
        Value::Object(map) => {
            if let Some(Value::String(path)) = map.get("path")
                && let Some(problem) = path_problem(path, place, contract)
            {
                report(problem);
            }
            if map.get("call") == Some(&Value::from("formatString"))
                && let Some(Value::String(text)) =
                    map.get("args").and_then(|args| args.get("value"))
            {
                for path in places(text) {
                    if let Some(problem) = path_problem(path, place, contract) {
                        report(problem);
                    }
                }
            }
            let inside = within(map, place, contract);
            for (member, inner) in map {
                let place = if member == "parts" { inside } else { place };
                // What a record gives an action maps names to names: `{"path": "path"}` binds nothing.
                if !NAMES.contains(&member.as_str()) {
                    walk(inner, place, contract, report);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                walk(item, place, contract, report);
            }
        }
        _ => {}
    }
}

/// The shape that the parts of a value are read from: the value itself, or the records in it.
fn within<'a>(
    map: &Map<String, Value>,
    place: Place<'a>,
    contract: &'a CompiledContract,
) -> Place<'a> {
    let bound = map.get("value").and_then(|value| value.get("path"));
    let own = match (map.get("field").and_then(Value::as_str), place) {
        (Some(""), _) | (_, Place::Unknown) => return place,
        (Some(field), Place::Item(shape)) => shape.member(field),
        _ => bound
            .and_then(Value::as_str)
            .and_then(|path| resolve(path, contract).ok()),
    };
    own.map_or(Place::Unknown, |shape| Place::Item(shape.record()))
}

fn path_problem(path: &str, place: Place<'_>, contract: &CompiledContract) -> Option<String> {
    if path.starts_with('/') {
        return resolve(path, contract).err();
    }
    match place {
        Place::Fixed => Some(format!(
            "\"{path}\" is relative, but there is no template around it"
        )),
        Place::Item(_) if path.is_empty() => None,
        Place::Item(shape) => {
            let tokens: Vec<String> = path.split('/').map(unescaped).collect();
            follow(shape, tokens.iter().map(String::as_str))
                .err()
                .map(|name| format!("\"{path}\": the items have no member \"{name}\""))
        }
        Place::Unknown => None,
    }
}

/// The paths in the `${…}` places of a format string; nested calls are not looked into.
pub(super) fn places(text: &str) -> impl Iterator<Item = &str> {
    text.split("${").skip(1).filter_map(|rest| {
        let path = rest.split('}').next()?.trim();
        (!path.is_empty() && !path.contains(['(', '"', '\''])).then_some(path)
    })
}

/// The shape of the items that `rows`, `data` or `lines` lists, or of the one that there is.
pub(super) fn record<'a>(
    component: &Map<String, Value>,
    contract: &'a CompiledContract,
) -> Option<Shape<'a>> {
    let one = ["root", "record"]
        .iter()
        .find_map(|member| component.get(*member));
    if let Some(path) = one.and_then(|one| one.get("path")) {
        return resolve(path.as_str()?, contract).ok();
    }
    let list = ["rows", "data", "lines"]
        .iter()
        .find_map(|member| component.get(*member))?;
    let path = list.get("path")?.as_str()?;
    let item = resolve(path, contract).ok()?.item();
    // Seats stand in rows that may be arrays themselves.
    let is_row = component
        .get("component")
        .is_some_and(|name| name == "Seats");
    Some(if is_row { item.flat() } else { item })
}

/// The member that says where records hold those that are shown, and what it says: columns hold
/// cards, rows hold seats.
fn holds(component: &Map<String, Value>) -> Option<(&'static str, &str)> {
    ["cardsField", "seatsField"].into_iter().find_map(|member| {
        let held = component.get(member).and_then(Value::as_str)?;
        Some((member, held))
    })
}

/// Checks the members that name fields of a record.
fn fields(
    component: &Map<String, Value>,
    contract: &CompiledContract,
    report: &mut dyn FnMut(&str, String),
) {
    let mut check = |shape: Shape<'_>, member: &str, field: &str| {
        if !field.is_empty() && shape.member(field).is_none() {
            report(member, format!("the items have no member \"{field}\""));
        }
    };
    if let Some(shape) = record(component, contract) {
        // Columns that hold their cards: what is shown is read from those.
        let held = holds(component);
        let lane = shape;
        let shape = match held {
            None => shape,
            Some((member, held)) => match shape.member(held) {
                Some(inner) => inner.item(),
                None => return check(lane, member, held),
            },
        };
        if let Some(Value::String(options)) = component.get("optionsField")
            && let Some(inner) = shape.member(options)
        {
            for member in ["optionField", "optionKey"] {
                if let Some(Value::String(field)) = component.get(member) {
                    check(inner.item(), member, field);
                }
            }
        }
        for member in FIELDS {
            let shape = match (*member, held) {
                ("groupField" | "rowField", Some(_)) => lane,
                _ => shape,
            };
            if let Some(Value::String(field)) = component.get(*member) {
                check(shape, member, field);
            }
        }
        for member in ["columns", "series"] {
            for entry in list(component, member) {
                if let Some(Value::String(field)) = entry.get("field") {
                    check(shape, member, field);
                }
            }
        }
        let moves = component.get("move");
        for action in list(component, "rowActions").chain(moves) {
            if let Some(Value::String(field)) = action.get("toggles") {
                check(shape, "rowActions", field);
            }
            for source in ["fixed", "initial"] {
                let map = action.get(source).and_then(Value::as_object);
                for field in map
                    .into_iter()
                    .flat_map(Map::values)
                    .filter_map(Value::as_str)
                {
                    check(shape, "rowActions", field);
                }
            }
        }
    }
    if let Some(shape) = record(component, contract) {
        for action in list(component, "bulkActions") {
            if let Some(Value::String(field)) = action.get("field") {
                check(shape, "bulkActions", field);
            }
        }
    }
    if let Some(Value::String(field)) = component.get("historyField")
        && let Some(Value::String(path)) = component.get("history").and_then(|h| h.get("path"))
        && let Ok(shape) = resolve(path, contract)
    {
        check(shape.item(), "historyField", field);
    }
}

/// The entries of a list member.
pub(super) fn list<'a>(
    component: &'a Map<String, Value>,
    member: &str,
) -> impl Iterator<Item = &'a Value> {
    let entries = component.get(member).and_then(Value::as_array);
    entries.into_iter().flatten()
}
