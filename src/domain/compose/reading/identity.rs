//! What tells the records of a list apart where no member is called an id.

use super::deed::{CREATIVE, is};
use super::fields::{Field, Kind, fields, is_ordinal, is_time, kind};
use super::thing::{Sort, Thing};
use super::words::split;
use crate::domain::contract::CompiledContract;

/// Actions that ask for a member before it is taken for what tells records apart.
const ACTIONS_MIN: usize = 2;

/// Words that a number of something ends with: `reportNo` of reports.
const NUMBERS: &[&str] = &["code", "no", "nr", "number", "ref", "reference"];

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
    let foreign: Vec<bool> = things
        .iter()
        .map(|thing| is_foreign(thing, things))
        .collect();
    for (thing, is_foreign) in things.iter_mut().zip(foreign) {
        if thing.sort != Sort::Records || (thing.key().is_some() && !is_foreign) {
            continue;
        }
        let own = thing.fields();
        let is_name = |field: &&Field<'_>| match kind(field.schema) {
            Kind::Text => !is_time(field),
            Kind::Number => is_ordinal(field.name),
            _ => false,
        };
        let numbered = own.iter().filter(is_name).find(|field| {
            let words = split(field.name);
            matches!(words.as_slice(), [subject, last]
                if *subject == thing.one && NUMBERS.contains(&last.as_str()))
        });
        // Of several that are asked for equally often, the first.
        let most = own
            .iter()
            .filter(is_name)
            .rev()
            .max_by_key(|field| asked(field.name))
            .filter(|field| asked(field.name) >= ACTIONS_MIN && Some(field.name) != thing.title());
        let key = numbered
            .filter(|field| asked(field.name) > 0)
            .or(most)
            .map(|field| field.name);
        if let Some(key) = key {
            thing.known_by(key);
        }
    }
}

/// Whether the id that seems to tell records apart is that of another list: `supplierId` of tickets.
fn is_foreign(thing: &Thing<'_>, things: &[Thing<'_>]) -> bool {
    let Some(key) = thing.key() else {
        return false;
    };
    let words = split(key);
    words.len() > 1
        && words[words.len() - 2] != thing.one
        && things.iter().any(|other| {
            other.path != thing.path && other.has_records() && other.one == words[words.len() - 2]
        })
}
