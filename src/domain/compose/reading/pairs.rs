//! Records that say something of two others: whose skill it is, which, and how good.

use serde_json::Value;

use super::fields::{Field, Kind, fields, is_id, kind};
use super::reference::referent_beside;
use super::thing::{Axis, Pairs, Sort, Thing};
use super::words::{singular, split};

/// Letters of a short word for an id: `pid`, `sku_id`.
const SHORT_ID: usize = 4;

/// Values that still fit into a cell below the first.
const MORE_MAX: usize = 3;

/// The pairs that the records of a thing are: two ids of other lists, and what is said of both. One
/// value says it alone; of several it takes an action on a pair, `payloads` being what actions ask
/// for.
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
    let names = |field: &Field<'a>| {
        let last = split(field.name).pop().unwrap_or_default();
        is_id(field.name) || is_id(&last) || namesake(field, at, things).is_some()
    };
    let (ids, rest): (Vec<Field<'a>>, Vec<Field<'a>>) = own.into_iter().partition(names);
    let [first, second] = ids.as_slice() else {
        return None;
    };
    let axis = |field: &Field<'a>| {
        let found = referent_beside(field.name, things, Some(at));
        let (thing, key) = namesake(field, at, things).or(found)?;
        let is_whole = things[thing].sort == Sort::Records && things[thing].within.is_none();
        is_whole.then_some(Axis {
            field: *field,
            thing,
            key,
        })
    };
    let (row, column) = (axis(first)?, axis(second)?);
    let is_cell = |field: &&Field<'a>| {
        matches!(
            kind(field.schema),
            Kind::Boolean | Kind::Choice | Kind::Number
        )
    };
    let value = *rest.iter().find(is_cell)?;
    let more: Vec<Field<'a>> = rest
        .into_iter()
        .filter(|field| field.name != value.name)
        .collect();
    let takes_pair = |payload: &&Value| {
        let asked = fields(payload);
        [row.field.name, column.field.name]
            .iter()
            .all(|name| asked.iter().any(|field| field.name == *name))
    };
    let fits = match more.as_slice() {
        [] => row.thing != column.thing || is_count(&value),
        more => {
            row.thing != column.thing
                && more.len() <= MORE_MAX
                && more
                    .iter()
                    .all(|field| is_cell(&field) || kind(field.schema) == Kind::Text)
                && payloads.iter().any(takes_pair)
        }
    };
    fits.then_some(Pairs {
        row,
        column,
        value,
        more,
    })
}

/// The list whose records begin with a member of the same name: what one of them is called, or a short
/// word for its id.
fn namesake<'a>(field: &Field<'a>, at: usize, things: &[Thing<'a>]) -> Option<(usize, &'a str)> {
    let is_short_id = field.name.len() <= SHORT_ID && field.name.ends_with("id");
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
