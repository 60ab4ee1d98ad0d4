//! Records that say something of two others: whose skill it is, which, and how good.

use serde_json::Value;

use super::fields::{Field, Kind, fields, is_id, kind};
use super::identity::is_own_number;
use super::reference::referent_beside;
use super::thing::{Axis, Pairs, Sort, Thing};
use super::words::{Word, singular, split};

/// Letters of a short word for an id: `pid`, `sku_id`.
const SHORT_ID: usize = 4;

/// Values that still fit into a cell below the first.
const MORE_MAX: usize = 3;

/// The pairs that the records of a thing are: two ids of other lists, and what is said of both. One
/// value says it alone; of several it takes an action on a pair, `payloads` being what actions ask
/// for. A number or a letter of its own stands for an id where such an action asks for it, or where
/// two years have one number.
pub(super) fn pairs<'a>(
    at: usize,
    things: &[Thing<'a>],
    payloads: &[&'a Value],
) -> Option<Pairs<'a>> {
    let thing = things.get(at)?;
    if thing.sort != Sort::Records || thing.within.is_some() {
        return None;
    }
    let own = thing.fields();
    // `skillId`, `allergenCode` of allergens that have a `code`, `team` of teams that have a `team`.
    let is_name = |field: &&Field<'a>| {
        let last = split(field.name).pop().unwrap_or_default();
        is_id(field.name) || is_id(&last) || namesake(field, at, things).is_some()
    };
    let axis = |field: &Field<'a>| {
        let found = referent_beside(field.name, things, Some(at));
        let (thing, key) = namesake(field, at, things).or(found)?;
        let is_whole = things[thing].sort == Sort::Records && things[thing].within.is_none();
        is_whole.then_some(Axis {
            field: *field,
            names: Some((thing, key)),
        })
    };
    let names: Vec<Field<'a>> = own.iter().filter(is_name).copied().collect();
    let counted: Vec<Field<'a>> = own
        .iter()
        .filter(|field| is_counted(field))
        .copied()
        .collect();
    let bare = |field: &Field<'a>| Axis {
        field: *field,
        names: None,
    };
    let (row, column) = match (names.as_slice(), counted.as_slice()) {
        ([first, second], _) => (axis(first)?, axis(second)?),
        ([name], [count]) => (axis(name)?, bare(count)),
        ([], [first, second]) => (bare(first), bare(second)),
        _ => return None,
    };
    let ends = [row.field.name, column.field.name];
    // What has a number of its own is more than what it refers to.
    let mut others = own.iter().filter(|field| !ends.contains(&field.name));
    if others.any(|field| is_own_number(field.name, &thing.one)) {
        return None;
    }
    let asked = payloads.iter().map(|payload| fields(payload));
    let asked: Vec<Vec<Field<'a>>> = asked
        .filter(|all| {
            ends.iter()
                .all(|end| all.iter().any(|field| field.name == *end))
        })
        .collect();
    let rest: Vec<Field<'a>> = own
        .into_iter()
        .filter(|field| !ends.contains(&field.name))
        .collect();
    let is_cell = |field: &&Field<'a>| {
        matches!(
            kind(field.schema),
            Kind::Boolean | Kind::Choice | Kind::Number
        )
    };
    // What an action sets stands in the cell, so that it is set there.
    let is_set = |field: &&Field<'a>| asked.iter().flatten().any(|other| other.name == field.name);
    let mut cells = rest.iter().filter(is_cell);
    let value = *cells.clone().find(is_set).or_else(|| cells.next())?;
    let more: Vec<Field<'a>> = rest
        .into_iter()
        .filter(|field| field.name != value.name)
        .collect();
    let is_one =
        row.names.is_some() && row.names.map(|(at, _)| at) == column.names.map(|(at, _)| at);
    let are_years = names.is_empty()
        && kind(value.schema) == Kind::Number
        && counted_word(&row.field) == counted_word(&column.field);
    let fits = match more.as_slice() {
        [] => {
            let is_said = column.names.is_some() || are_years || !asked.is_empty();
            is_said && (!is_one || is_count(&value))
        }
        more => {
            !is_one
                && more.len() <= MORE_MAX
                && more
                    .iter()
                    .all(|field| is_cell(&field) || kind(field.schema) == Kind::Text)
                && !asked.is_empty()
        }
    };
    fits.then_some(Pairs {
        row,
        column,
        value,
        more,
    })
}

/// Whether a member counts the rows or the columns of something: `row`, `col`, `devYear`, `endNo`.
fn is_counted(field: &Field<'_>) -> bool {
    const COUNTED: &[&str] = &[
        "col", "column", "end", "frame", "hole", "inning", "lap", "period", "quarter", "round",
        "row", "set", "week", "year",
    ];
    let word = counted_word(field);
    match kind(field.schema) {
        Kind::Number => COUNTED.contains(&word.as_str()),
        Kind::Text => matches!(word.as_str(), "col" | "column" | "row"),
        _ => false,
    }
}

/// What a number counts: the round of a `roundNo`.
fn counted_word(field: &Field<'_>) -> Word {
    let mut words = split(field.name);
    if words.len() > 1
        && words
            .last()
            .is_some_and(|last| matches!(last.as_str(), "no" | "nr" | "number"))
    {
        words.pop();
    }
    words.pop().unwrap_or_default()
}

/// The list whose records begin with a member of the same name: what one of them is called, or a short
/// word for its id.
fn namesake<'a>(field: &Field<'a>, at: usize, things: &[Thing<'a>]) -> Option<(usize, &'a str)> {
    let is_short_id = (field.name.len() <= SHORT_ID && field.name.ends_with("id"))
        || matches!(field.name, "code" | "key");
    let mut lists = things.iter().enumerate();
    let (found, _) = lists.find(|(other, list)| {
        let first = list.fields().into_iter().next();
        *other != at
            && list.sort == Sort::Records
            && (list.one == field.name || is_short_id)
            && kind(field.schema) == Kind::Text
            && first.is_some_and(|first| first.name == field.name)
    })?;
    Some((found, field.name))
}

/// Whether a number says how often two of one list came together; what went from one to the other is
/// an entry of a book.
fn is_count(value: &Field<'_>) -> bool {
    const TIMES: &[&str] = &["count", "match", "sample", "score", "time", "win"];
    let last = split(value.name).pop().map(|word| singular(&word));
    kind(value.schema) == Kind::Number && last.is_some_and(|word| TIMES.contains(&word.as_str()))
}
