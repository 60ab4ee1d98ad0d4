//! What tells the records of a list apart where no member is called an id.

use super::deed::{CREATIVE, is};
use super::fields::{Field, Kind, fields, is_id, is_ordinal, is_time, kind};
use super::thing::{Sort, Thing};
use super::words::split;
use crate::domain::contract::CompiledContract;

/// Actions that ask for a member before it is taken for what tells records apart.
const ACTIONS_MIN: usize = 2;

/// Words that a number of something ends with: `reportNo` of reports.
const NUMBERS: &[&str] = &["code", "no", "nr", "number", "ref", "reference"];

/// What the places of people and things are called, each by what stands on it: `seat: "10A"`.
const PLACES: &[&str] = &[
    "bay", "berth", "box", "desk", "locker", "pitch", "place", "seat", "slot", "stall", "table",
];

/// Finds the key of every list that has none: its own number, or what its actions ask for most.
pub(super) fn identify(things: &mut [Thing<'_>], contract: &CompiledContract) {
    let spec = contract.contract();
    let payloads: Vec<Vec<Field<'_>>> = spec
        .action_spec
        .iter()
        .flatten()
        .filter(|(name, entry)| entry.schema.is_some() && !is(name, CREATIVE))
        .map(|(name, _)| fields(contract.action_schema(name)))
        .collect();
    let asked = |name: &str| {
        let takes = |payload: &&Vec<Field<'_>>| payload.iter().any(|field| field.name == name);
        payloads.iter().filter(takes).count()
    };
    let lists = things.iter().filter(|thing| thing.has_records());
    let held: Vec<&str> = lists
        .flat_map(|thing| thing.fields())
        .map(|field| field.name)
        .collect();
    let foreign: Vec<Vec<&str>> = things.iter().map(|thing| others(thing, things)).collect();
    for (thing, foreign) in things.iter_mut().zip(foreign) {
        let is_foreign = thing.key().is_some_and(|key| foreign.contains(&key));
        if thing.sort != Sort::Records || (thing.key().is_some() && !is_foreign) {
            continue;
        }
        let own = thing.fields();
        let is_name = |field: &&Field<'_>| match kind(field.schema) {
            Kind::Text => !is_time(field),
            Kind::Number => is_ordinal(field.name),
            _ => false,
        };
        let numbered = own
            .iter()
            .filter(is_name)
            .find(|field| is_own_number(field.name, &thing.one));
        // Of several that are asked for equally often, the first.
        let most = own
            .iter()
            .filter(is_name)
            .filter(|field| !foreign.contains(&field.name))
            .rev()
            .max_by_key(|field| asked(field.name))
            .filter(|field| {
                let is_name = Some(field.name) == thing.title()
                    && !PLACES.contains(&field.name)
                    && !is_letter(field);
                asked(field.name) >= ACTIONS_MIN && (is_foreign || !is_name)
            });
        // One letter before a name that is asked for, or that stands in another list.
        let begins = own.first().filter(|first| {
            let is_said = |field: &Field<'_>| kind(field.schema) == Kind::Text && !is_time(field);
            let is_named = own.iter().any(|field| is_said(field) && !is_letter(field));
            let is_shared = || held.iter().filter(|other| **other == first.name).count() > 1;
            is_letter(first) && is_named && (asked(first.name) > 0 || is_shared())
        });
        let key = numbered
            .filter(|field| asked(field.name) > 0)
            .or(most)
            .or(begins)
            .map(|field| field.name);
        // Only all ids of a pair together tell it from others: `{stationId, postId}`. What was measured of
        // another record at a moment is one of many of it.
        let is_pair = is_foreign && foreign.len() > 1;
        let is_measured = is_foreign && own.first().is_some_and(|first| is_id(first.name)) && {
            let numbers = own
                .iter()
                .filter(|field| kind(field.schema) == Kind::Number);
            own.iter().any(is_time) && numbers.count() + 2 >= own.len()
        };
        if key.is_some() || is_pair || is_measured {
            thing.known_by(key);
        }
    }
}

/// Whether a member is called by no more than a letter, and holds texts; `n` is a name.
fn is_letter(field: &Field<'_>) -> bool {
    field.name.len() == 1 && field.name != "n" && kind(field.schema) == Kind::Text
}

/// Whether a member counts or names the records that it is in: `reportNo` of reports.
pub(super) fn is_own_number(name: &str, one: &str) -> bool {
    matches!(split(name).as_slice(), [subject, last]
        if subject == one && NUMBERS.contains(&last.as_str()))
}

/// The ids of other lists that stand in the records of one: `supplierId` of tickets.
fn others<'a>(thing: &Thing<'a>, things: &[Thing<'a>]) -> Vec<&'a str> {
    let is_other = |name: &&str| {
        let words = split(name);
        let [.., noun, _] = words.as_slice() else {
            return false;
        };
        let mut lists = things
            .iter()
            .filter(|other| other.path != thing.path && other.has_records());
        is_id(name) && *noun != thing.one && lists.any(|other| other.one == *noun)
    };
    let own = thing.fields().into_iter().map(|field| field.name);
    own.filter(is_other).collect()
}
