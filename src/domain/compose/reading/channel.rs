//! What a live channel brings: new records of a list, changes to them, or something of its own.

use super::fields::{Field, Kind, fields, is_id, kind};
use super::pointer::join;
use super::reference::referent;
use super::thing::{Sort, Thing};
use crate::domain::contract::CompiledContract;
use crate::wire::contract::{StreamEntry, StreamMode};

/// A live channel, read.
pub(crate) struct Channel<'a> {
    /// What its payloads are.
    pub(crate) thing: Thing<'a>,
    /// What the contract says of it.
    pub(crate) entry: &'a StreamEntry,
    /// Whether payloads pile up.
    pub(crate) is_pile: bool,
    /// The list of the page that its payloads are new records of.
    pub(crate) adds_to: Option<usize>,
    /// The list of the page that its payloads change records of.
    pub(crate) changes: Option<Change<'a>>,
}

/// Payloads that carry the id of a record and other values of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'a> {
    /// The list.
    pub(crate) thing: usize,
    /// The member of a payload that is the id of the record.
    pub(crate) key: &'a str,
    /// The member of a payload that holds the values; `None`: they stand beside the id.
    pub(crate) member: Option<&'a str>,
}

impl<'a> Channel<'a> {
    /// Reads one channel against the things of the page.
    pub(super) fn read(
        contract: &'a CompiledContract,
        name: &'a str,
        entry: &'a StreamEntry,
        things: &[Thing<'a>],
    ) -> Self {
        let schema = contract.channel_schema(name);
        let thing = Thing::read(
            join("/streams", name),
            name,
            schema,
            entry.description.as_deref(),
        );
        let own = thing.fields();
        let is_pile = entry.mode.unwrap_or_default() == StreamMode::Append;
        let adds_to = things.iter().position(|list| {
            let has = list.fields();
            // A new record brings what tells it apart and most of what the others have.
            let brings_key = list
                .key()
                .is_some_and(|key| own.iter().any(|field| field.name == key));
            list.sort == Sort::Records
                && is_pile
                && brings_key
                && own.iter().all(|field| has_member(&has, field))
                && own.len() * 4 >= has.len() * 3
        });
        Self {
            changes: changes(&own, things)
                .filter(|change| is_pile || is_part_of(&thing, &things[change.thing])),
            thing,
            entry,
            is_pile,
            adds_to,
        }
    }
}

impl Channel<'_> {
    /// Whether each payload is one more record of a list of numbers, with all that such a record has.
    pub(crate) fn goes_on_with(&self, list: &Thing<'_>) -> bool {
        let (own, has) = (self.thing.fields(), list.fields());
        self.is_pile
            && !own.is_empty()
            && own.len() == has.len()
            && own.iter().all(|field| has_member(&has, field))
    }
}

/// Whether each payload is a list with some values of the records of another. With all of them it
/// would say as well which records are there no more, which changes cannot.
fn is_part_of(payload: &Thing<'_>, list: &Thing<'_>) -> bool {
    payload.sort == Sort::Records && payload.fields().len() < list.fields().len()
}

/// Whether a record has a member of this name and kind.
fn has_member(record: &[Field<'_>], field: &Field<'_>) -> bool {
    record
        .iter()
        .any(|own| own.name == field.name && is_alike(kind(own.schema), kind(field.schema)))
}

/// A state may be a text in a payload where the record lists its words.
fn is_alike(one: Kind, other: Kind) -> bool {
    let is_word = |kind| matches!(kind, Kind::Text | Kind::Choice);
    one == other || (is_word(one) && is_word(other))
}

/// The list with the records that payloads of these members change; all they bring must have a
/// place there.
fn changes<'a>(own: &[Field<'a>], things: &[Thing<'a>]) -> Option<Change<'a>> {
    own.iter().find_map(|id| {
        let (thing, key) = things
            .iter()
            .position(|list| list.has_records() && list.key() == Some(id.name) && is_id(id.name))
            .map(|at| (at, id.name))
            .or_else(|| referent(id.name, things).filter(|_| is_id(id.name)))?;
        let list = &things[thing];
        if list.sort != Sort::Records || list.key() != Some(key) {
            return None;
        }
        let has = list.fields();
        let rest: Vec<&Field<'a>> = own.iter().filter(|field| field.name != id.name).collect();
        let member = match rest.as_slice() {
            [] => return None,
            [only] if kind(only.schema) == Kind::Record && !has_member(&has, only) => {
                let inner = fields(only.schema);
                let fits = inner.iter().all(|field| has_member(&has, field));
                fits.then_some(Some(only.name))?
            }
            all => {
                let fits = all.iter().all(|field| has_member(&has, field));
                fits.then_some(None)?
            }
        };
        Some(Change {
            thing,
            key: id.name,
            member,
        })
    })
}
