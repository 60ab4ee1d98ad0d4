//! What of an action's payload the page knows already: out of a record, chosen among records, or standing once on the page.

use std::collections::BTreeMap;

use serde_json::Value;

use super::deed::{Deed, names};
use super::fields::{Field, Kind, choices, fields, is_id, is_registered, items, kind, required};
use super::pointer::join;
use super::reference::{keyed, referent};
use super::takes::another;
use super::thing::{Sort, Thing, values};
use super::words::{Word, split};

/// What an action asks for.
pub(super) struct Asked<'a, 's> {
    /// The words of its name, each for one.
    pub(super) said: &'s [Word],
    /// The things that its name speaks of.
    pub(super) named: Vec<usize>,
    /// Whether it takes something to another place.
    pub(super) is_moving: bool,
    /// Whether it makes something new.
    pub(super) is_creative: bool,
    /// The members of its payload, with the things they speak of and the ids there.
    pub(super) payload: Vec<(Field<'a>, Option<(usize, &'a str)>)>,
    /// The things of the page.
    pub(super) things: &'s [Thing<'a>],
}

/// The payload members that a record of a thing gives.
pub(super) fn meets(
    asked: &Asked<'_, '_>,
    at: usize,
    thing: &Thing<'_>,
) -> BTreeMap<String, String> {
    let record = thing.fields();
    let mut fixed = BTreeMap::new();
    let scalar =
        |field: &Field<'_>| matches!(kind(field.schema), Kind::Text | Kind::Number | Kind::Choice);
    for (field, refers) in asked.payload.iter().filter(|(field, _)| scalar(field)) {
        let exact = record.iter().find(|own| {
            let is_name = is_id(field.name) || Some(field.name) == thing.key();
            // The same guests may stand in two lists.
            let is_its_own = Some(field.name) == thing.key() && asked.is_moving;
            let is_kept = is_its_own || !is_reassigned(asked, at, *refers);
            own.name == field.name && is_name && is_kept
        });
        let source = match exact {
            Some(own) if Some(own.name) == thing.key() || field.name != "id" => Some(own.name),
            // `id` of records that call theirs `lineId`.
            _ if field.name == "id" => thing.key().filter(|key| !is_registered(key)),
            // A name tells records apart only where they have no id of their own.
            _ => refers
                .filter(|(other, key)| {
                    let is_name =
                        thing.title() == Some(*key) && thing.key().is_some_and(|own| own != *key);
                    *other == at && !is_target(field.name) && !is_name
                })
                .map(|(_, key)| key),
        };
        if let Some(source) = source {
            fixed.insert(field.name.to_owned(), source.to_owned());
        }
    }
    // `optionId` of `chooseShipping`: no list of options, but the action names the list. The message that
    // another one replies to is beside what is sent.
    if fixed.is_empty()
        && names(asked.said, thing)
        && let Some((id, _)) = asked.payload.iter().find(|(field, refers)| {
            let is_reply = split(field.name).iter().any(|word| word == "reply");
            // The page gives what one of its records holds under the same name.
            let is_held = asked.things.iter().any(|thing| {
                thing.sort == Sort::Record
                    && thing.fields().iter().any(|own| own.name == field.name)
            });
            is_id(field.name) && scalar(field) && refers.is_none() && !is_reply && !is_held
        })
        && let Some(key) = thing.key()
    {
        fixed.insert(id.name.to_owned(), key.to_owned());
    }
    if fixed.is_empty() && thing.key().is_none() && !asked.is_creative {
        // Records without an id are told apart by their name.
        let mut given = asked.payload.iter();
        if let Some((given, _)) = given.find(|(field, _)| Some(field.name) == thing.title()) {
            fixed.insert(given.name.to_owned(), given.name.to_owned());
        }
    }
    fixed
}

/// Names of what is said of something.
const SAID: &[&str] = &["comment", "message", "note", "remark", "reply"];

/// Leaves an action to the list whose own id it takes alone, `changeId` of changes: what was said of
/// them holds that id, too.
pub(super) fn keep_owners(
    found: &mut Vec<(usize, BTreeMap<String, String>)>,
    things: &[Thing<'_>],
) {
    let own = found
        .iter()
        .filter_map(|(at, _)| Some((*at, things[*at].key()?)));
    let owners: Vec<(usize, &str)> = own
        .filter(|(at, key)| split(key).first() == Some(&things[*at].one))
        .collect();
    let is_owned = |at: usize, fixed: &BTreeMap<String, String>| {
        let holds = |key: &str| fixed.get(key).is_some_and(|own| own == key);
        let is_said = SAID.contains(&things[at].one.as_str());
        let mut others = owners.iter().filter(|(owner, _)| *owner != at);
        fixed.len() == 1 && is_said && others.any(|(_, key)| holds(key))
    };
    found.retain(|(at, fixed)| !is_owned(*at, fixed));
}

/// Whether an id of another thing is what the action is called after, or where it takes the record to:
/// `assignInspector` gives a complaint another `inspectorId`, `pushOrder` an order another `stationId`.
fn is_reassigned(asked: &Asked<'_, '_>, at: usize, refers: Option<(usize, &str)>) -> bool {
    refers
        .is_some_and(|(other, _)| other != at && (asked.named.contains(&other) || asked.is_moving))
}

/// Whether a name speaks of where something goes to, rather than of what goes there.
fn is_target(name: &str) -> bool {
    const TARGETS: &[&str] = &[
        "destination",
        "from",
        "new",
        "other",
        "parent",
        "target",
        "to",
    ];
    split(name)
        .first()
        .is_some_and(|word| TARGETS.contains(&word.as_str()))
}

fn is_id_word(word: Option<&Word>) -> bool {
    word.is_some_and(|word| matches!(word.as_str(), "id" | "key"))
}

/// `toStatus` gives a record another `status`.
pub(super) fn tails(name: &str, own: &str) -> bool {
    let (given, mut has) = (split(name), split(own));
    // `targetStage` takes over from `currentStage`.
    if has.len() > 1 && has[0] == "current" {
        has.remove(0);
    }
    // `toStage` takes a record that has a `stageKey`.
    if has.len() > 1 && has.last() != given.last() && is_id_word(has.last()) {
        has.pop();
    }
    is_target(name) && given.ends_with(&has)
}

pub(super) fn meant<'a>(
    said: &[Word],
    member: &str,
    things: &[Thing<'a>],
) -> Option<(usize, &'a str)> {
    let bare = split(member);
    let is_bare = bare.len() == 1;
    let mut lists = things
        .iter()
        .enumerate()
        .filter(|(_, thing)| thing.has_records());
    let (at, thing) = lists.find(|(_, thing)| is_bare && names(said, thing))?;
    Some((at, thing.key()?))
}

/// Payload members that a person chooses among records of the page.
pub(super) fn chosen(
    schema: &Value,
    deed: &Deed,
    things: &[Thing<'_>],
) -> BTreeMap<String, (usize, String)> {
    let mut chosen = BTreeMap::new();
    for field in fields(schema) {
        within(&mut chosen, field.name, field.schema, things);
        let is_given = match deed {
            Deed::One { fixed, .. } => fixed.contains_key(field.name),
            Deed::Several { member, .. } | Deed::Text { member, .. } => member == field.name,
            _ => false,
        };
        // The `job` that a new one of the jobs will be called is not one of those.
        let found = choice(&field, things).or_else(|| another(&field, deed, things));
        let found = found.filter(|(at, _)| !is_own_name(&field, &things[*at]));
        if let Some(found) = found.filter(|_| !is_given) {
            chosen.insert(field.name.to_owned(), found);
        }
    }
    chosen
}

/// The records that a member chooses among, and what their id is called.
fn choice(field: &Field<'_>, things: &[Thing<'_>]) -> Option<(usize, String)> {
    if !matches!(
        kind(field.schema),
        Kind::Text | Kind::Number | Kind::Numbers | Kind::Strings
    ) {
        return None;
    }
    let found = referent(field.name, things).or_else(|| keyed(field.name, things));
    found.map(|(at, key)| (at, key.to_owned()))
}

/// Whether records with an id of their own are called by a member of this name.
fn is_own_name(field: &Field<'_>, thing: &Thing<'_>) -> bool {
    thing.title() == Some(field.name) && thing.key().is_some_and(|key| key != field.name)
}

/// The same of what stands inside a payload member: `hearing/courtId`, and `fields/cropCode` of each of
/// several fields.
fn within(
    chosen: &mut BTreeMap<String, (usize, String)>,
    path: &str,
    schema: &Value,
    things: &[Thing<'_>],
) {
    let inner = match kind(schema) {
        Kind::Record => fields(schema),
        Kind::Records => fields(items(schema)),
        _ => return,
    };
    for field in inner {
        let path = format!("{path}/{}", field.name);
        if let Some(found) = choice(&field, things) {
            chosen.insert(path, found);
        } else {
            within(chosen, &path, field.schema, things);
        }
    }
}

/// Ids that stand once on the page: of a record the action speaks of, or under their own name.
pub(super) fn given(schema: &Value, deed: &Deed, things: &[Thing<'_>]) -> BTreeMap<String, String> {
    const NAMED: &[&str] = &["revision", "version"];
    let mut given = BTreeMap::new();
    if matches!(deed, Deed::Several { .. } | Deed::Text { .. }) {
        return given;
    }
    let edited = match deed {
        Deed::Edit { thing, .. } => Some(&things[*thing].path),
        _ => None,
    };
    for field in fields(schema) {
        let is_taken = matches!(deed, Deed::One { fixed, .. } if fixed.contains_key(field.name));
        let words = split(field.name);
        // What is edited may have a number, too, which is none of its own; that of a telephone is a text.
        let is_counted = words.len() > 1 && words.last().is_some_and(|word| word == "number");
        let is_name = is_id(field.name)
            || NAMED.contains(&field.name)
            || is_number(field.name)
            || (is_counted && edited.is_none() && kind(field.schema) == Kind::Number);
        if is_taken || !is_name || !matches!(kind(field.schema), Kind::Text | Kind::Number) {
            continue;
        }
        let source = things
            .iter()
            .filter(|thing| thing.within.is_none())
            // What is edited is told from others by its own id.
            .filter(|thing| edited.is_none_or(|path| *path == thing.path))
            .find_map(|thing| match thing.sort {
                Sort::Fact if thing.name == field.name => Some(thing.path.clone()),
                Sort::Record => {
                    let own = thing.fields();
                    let same = own
                        .iter()
                        .find(|own| own.name == field.name && own.name != "id");
                    let is_of = words.len() > 1 && words[words.len() - 2] == thing.one;
                    let id = own.iter().find(|own| is_of && own.name == "id");
                    same.or(id).map(|own| join(&thing.path, own.name))
                }
                _ => None,
            });
        if let Some(source) = source {
            given.insert(field.name.to_owned(), source);
        }
    }
    given
}

/// Whether a name says which one of its kind something is: `orderNo`, `case_ref`.
fn is_number(name: &str) -> bool {
    let words = split(name);
    words.len() > 1
        && words
            .last()
            .is_some_and(|word| matches!(word.as_str(), "no" | "nr" | "ref" | "reference"))
}

/// The record with what a form asks for, as far as it has to, and whether the form asks for all of it.
pub(super) fn edited(schema: &Value, things: &[Thing<'_>]) -> Option<(usize, bool)> {
    // What only says which record is meant edits nothing of it.
    let asked: Vec<Field<'_>> = fields(schema)
        .into_iter()
        .filter(|field| !is_id(field.name) && !is_number(field.name))
        .collect();
    // The reason for sending a proposal back is not the reason that was given for it.
    let is_told =
        |field: &Field<'_>| matches!(field.name, "comment" | "message" | "reason" | "remark");
    if asked.iter().all(is_told) {
        return None;
    }
    let records = things
        .iter()
        .enumerate()
        .filter(|(_, thing)| thing.sort == Sort::Record && thing.within.is_none());
    records.into_iter().find_map(|(at, thing)| {
        let has = thing.fields();
        let known = |name: &str| has.iter().any(|other| other.name == name);
        let shared = asked.iter().filter(|field| known(field.name)).count();
        let fits = shared > 0 && shared * 2 >= asked.len() && required(schema).all(known);
        let is_whole = has
            .iter()
            .all(|field| asked.iter().any(|other| other.name == field.name));
        fits.then_some((at, is_whole))
    })
}

/// The list of pairs of which a payload names both ends: whatever it asks for is about that pair, also
/// where nothing is said of it yet. With it, what the pair gives, and where inputs start from.
pub(super) fn paired(
    schema: &Value,
    things: &[Thing<'_>],
) -> Option<(usize, [BTreeMap<String, String>; 2])> {
    let asked = fields(schema);
    let (at, ends) = things.iter().enumerate().find_map(|(at, thing)| {
        let pairs = thing.pairs.as_ref()?;
        let ends = [pairs.row.field.name, pairs.column.field.name];
        let is_asked = |end: &&str| asked.iter().any(|field| field.name == *end);
        ends.iter().all(is_asked).then_some((at, ends))
    })?;
    let own = things[at].fields();
    let same = |name: &str| (name.to_owned(), name.to_owned());
    let is_value =
        |name: &&str| !ends.contains(name) && own.iter().any(|field| field.name == *name);
    let values = asked.iter().map(|field| field.name).filter(is_value);
    Some((at, [ends.map(same).into(), values.map(same).collect()]))
}

/// Whether a payload sets one cell of a matrix: the members for row, column and value.
pub(crate) fn sets_cell<'a>(schema: &'a Value, thing: &Thing<'_>) -> Option<[&'a str; 3]> {
    if let Some(pairs) = &thing.pairs {
        let asked = fields(schema);
        let named = |name: &str| asked.iter().find(|field| field.name == name);
        let value = named(pairs.value.name)?;
        let cell = [
            named(pairs.row.field.name)?.name,
            named(pairs.column.field.name)?.name,
            value.name,
        ];
        let is_same = kind(value.schema) == kind(pairs.value.schema);
        return (is_same && asked.len() == cell.len()).then_some(cell);
    }
    let inner = (thing.sort == Sort::Matrix)
        .then(|| values(thing.schema).and_then(values))
        .flatten()?;
    match fields(schema).as_slice() {
        [row, column, value] => {
            let is_name =
                |field: &Field<'_>| matches!(kind(field.schema), Kind::Text | Kind::Choice);
            let is_same = kind(inner) == kind(value.schema)
                && (choices(inner).is_none() || choices(inner) == choices(value.schema));
            (is_name(row) && is_name(column) && is_same).then_some([
                row.name,
                column.name,
                value.name,
            ])
        }
        _ => None,
    }
}
