//! Gives every gesture its place: in the rows it is about, in a form, or on a button.

use std::cmp::Reverse;

use serde_json::{Map, Value, json};

use super::fields::{Field, Kind, core, fields, is_form, is_id, kind};
use super::words::{singular, split};
use crate::domain::contract::CompiledContract;
use crate::wire::contract::ActionEntry;

/// Gestures that undo or end something; they never look like the thing to do next.
pub(super) const DESTRUCTIVE: &[&str] = &[
    "abort", "ban", "block", "cancel", "clear", "decline", "delete", "deny", "discard", "dismiss",
    "refuse", "reject", "remove", "reset", "revoke", "stop",
];
/// Gestures that go around what the page is for; they never look like the thing to do next either.
pub(super) const QUIET: &[&str] = &[
    "back", "close", "hide", "later", "mute", "pause", "postpone", "previous", "resume", "skip",
    "snooze", "undo",
];
/// Gestures that make something new, so a record cannot be what they are about.
const CREATIVE: &[&str] = &["add", "create", "insert", "new", "register", "submit"];

/// The gestures that belong into the rows of some list, by the name of the list.
pub(super) struct RowActions<'a> {
    placed: Vec<(&'a str, &'a str, &'a ActionEntry, Placement)>,
    /// Gestures about several records: list, action, entry, payload member, member of a record.
    bulk: Vec<(&'a str, &'a str, &'a ActionEntry, String, String)>,
    /// Gestures that take one text of a list: list, action, entry, payload member.
    picks: Vec<(&'a str, &'a str, &'a ActionEntry, String)>,
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
        Self {
            placed: Vec::new(),
            bulk: Vec::new(),
            picks: Vec::new(),
        }
    }

    /// Finds a list for every gesture that is about one of its records.
    pub(super) fn place(
        contract: &'a CompiledContract,
        lists: &[(&'a str, &'a Value)],
        texts: &[&'a str],
    ) -> Self {
        let mut placed = Vec::new();
        let mut bulk = Vec::new();
        let mut picks: Vec<(&str, &str, &ActionEntry, String)> = Vec::new();
        for (action, entry) in contract.contract().action_spec.iter().flatten() {
            let schema = contract.action_schema(action);
            if entry.schema.is_none() || !is_form(schema) {
                continue;
            }
            if let [only] = fields(schema).as_slice()
                && let Some((list, field)) = several(only, lists)
            {
                bulk.push((list, action.as_str(), entry, only.name.to_owned(), field));
                continue;
            }
            if let [only] = fields(schema).as_slice()
                && let Some(list) = texts.iter().find(|list| takes_one(only, list))
                && !picks.iter().any(|(taken, ..)| taken == list)
            {
                picks.push((list, action.as_str(), entry, only.name.to_owned()));
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
        Self {
            placed,
            bulk,
            picks,
        }
    }

    /// What can be done with several records of one list at once.
    pub(super) fn bulk(&self, list: &str) -> Vec<Value> {
        let own = self.bulk.iter().filter(|(placed, ..)| *placed == list);
        own.map(|(_, action, entry, member, field)| {
            let mut bulk = json!({
                "action": action, "label": entry.label, "list": member, "field": field,
            });
            if let Some(icon) = icon(action, entry) {
                bulk["icon"] = json!(icon);
            }
            if entry.confirm == Some(true) {
                bulk["confirm"] = json!(true);
            }
            if is(action, DESTRUCTIVE) {
                bulk["tone"] = json!("bad");
            }
            bulk
        })
        .collect()
    }

    /// The gesture that takes one text of a list.
    pub(super) fn pick(&self, list: &str) -> Option<Value> {
        let (_, action, entry, member) = self.picks.iter().find(|(placed, ..)| *placed == list)?;
        let mut pick = json!({"action": action, "label": entry.label, "to": member});
        if entry.confirm == Some(true) {
            pick["confirm"] = json!(true);
        }
        Some(pick)
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
                set("tone", json!("bad"));
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

/// The list a payload member collects ids of, and the member of its records that is such an id.
fn several<'a>(member: &Field<'_>, lists: &[(&'a str, &'a Value)]) -> Option<(&'a str, String)> {
    if kind(member.schema) != Kind::Strings {
        return None;
    }
    let one = singular(member.name);
    lists.iter().find_map(|(list, items)| {
        let record = fields(items);
        let source = is_id(&one).then(|| identity(&one, list, &record)).flatten();
        source.map(|source| (*list, source.to_owned()))
    })
}

/// Whether a payload member is one text of a list: `choice` of `choices`.
fn takes_one(member: &Field<'_>, list: &str) -> bool {
    let thing = split(list).pop().map(|word| singular(&word));
    let own = split(member.name).pop();
    kind(member.schema) == Kind::Text && own.is_some() && own == thing
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

/// Whether a gesture's name begins with one of these verbs: `addStop` stops nothing.
pub(super) fn is(action: &str, verbs: &[&str]) -> bool {
    split(action)
        .first()
        .is_some_and(|word| verbs.contains(&word.as_str()))
}

pub(super) fn icon(action: &str, entry: &ActionEntry) -> Option<String> {
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
