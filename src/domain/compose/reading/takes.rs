//! What a payload takes, by its members alone.

use std::collections::BTreeMap;

use serde_json::Value;

use super::deed::{Deed, TALKING, is};
use super::fields::{Field, Kind, core, fields, is_id, kind, required};
use super::thing::Thing;
use super::words::{singular, split};

/// Whether a schema only admits the empty object.
pub(super) fn takes_nothing(schema: &Value) -> bool {
    let bare = core(schema);
    let is_object = bare.get("type").and_then(Value::as_str) == Some("object");
    const OPEN: &[&str] = &[
        "additionalProperties",
        "allOf",
        "anyOf",
        "if",
        "oneOf",
        "patternProperties",
    ];
    let is_open = |keyword: &&&str| {
        bare.get(**keyword)
            .is_some_and(|value| *value != Value::Bool(false))
    };
    is_object && fields(schema).is_empty() && !OPEN.iter().any(|keyword| is_open(&keyword))
}

/// Whether a payload member is one text of a list: `choice` of `choices`.
pub(super) fn takes_one(member: &Field<'_>, list: &str) -> bool {
    let thing = split(list).pop().map(|word| singular(&word));
    let own = split(member.name).pop();
    own.is_some() && own == thing
}

/// Whether a member is called what tells the records of a list apart, or, where they have no id, what
/// the list is called: `boxNos` of records known by `boxNo`, `seats` of seats.
pub(super) fn is_named_after(member: &str, things: &[Thing<'_>]) -> bool {
    let one = singular(member);
    let mut lists = things.iter().filter(|thing| thing.has_records());
    lists.any(|thing| thing.key().map_or(one == thing.one, |key| one == key))
}

/// Whether the id of the record comes first in a payload; in a form it is one question among others.
pub(super) fn is_led_by(schema: &Value, fixed: &BTreeMap<String, String>) -> bool {
    let payload = fields(schema);
    payload
        .first()
        .is_some_and(|field| fixed.contains_key(field.name))
}

/// Whether what an action says is all it has to be given: it may name a record, and is about none.
pub(super) fn is_said(action: &str, schema: &Value, fixed: &BTreeMap<String, String>) -> bool {
    let has_to = || required(schema);
    is(action, TALKING) && has_to().count() == 1 && !has_to().any(|name| fixed.contains_key(name))
}

/// The list that another one of is chosen, by a word for that: `replacementId`, `firstChoiceId`. It is the
/// one that the action is about, or else the one that says most of its records.
pub(super) fn another(
    field: &Field<'_>,
    deed: &Deed,
    things: &[Thing<'_>],
) -> Option<(usize, String)> {
    const ANOTHER: &[&str] = &[
        "alternative",
        "choice",
        "option",
        "other",
        "pick",
        "preference",
        "replacement",
        "substitute",
        "successor",
    ];
    let words = split(field.name);
    let noun = words.iter().rev().nth(1)?;
    let is_another =
        is_id(field.name) && kind(field.schema) == Kind::Text && ANOTHER.contains(&noun.as_str());
    let lists = things.iter().enumerate().filter(|(_, thing)| {
        thing.is_top() && thing.has_records() && thing.key().is_some() && thing.title().is_some()
    });
    let (at, thing) = match deed {
        Deed::One { thing, .. } => (*thing, &things[*thing]),
        _ => lists.max_by_key(|(_, thing)| thing.fields().len())?,
    };
    Some((at, thing.key()?.to_owned())).filter(|_| is_another)
}
