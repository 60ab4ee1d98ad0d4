//! Records that say one thing of two others: whose skill it is, which, and how good.

use super::fields::{Field, Kind, is_id, kind};
use super::reference::referent_beside;
use super::thing::{Axis, Pairs, Sort, Thing};
use super::words::split;

/// The pairs that the records of a thing are: two ids of two other lists, one value, and no more.
pub(super) fn pairs<'a>(at: usize, things: &[Thing<'a>]) -> Option<Pairs<'a>> {
    let thing = things.get(at)?;
    if thing.sort != Sort::Records || thing.within.is_some() {
        return None;
    }
    let own = thing.fields();
    // `skillId`, and `allergenCode` of allergens that have a `code`.
    let names = |field: &Field<'a>| {
        let last = split(field.name).pop().unwrap_or_default();
        is_id(field.name) || is_id(&last)
    };
    let (ids, rest): (Vec<Field<'a>>, Vec<Field<'a>>) = own.into_iter().partition(names);
    let ([first, second], [value]) = (ids.as_slice(), rest.as_slice()) else {
        return None;
    };
    let axis = |field: &Field<'a>| {
        let (thing, key) = referent_beside(field.name, things, Some(at))?;
        let is_whole = things[thing].sort == Sort::Records && things[thing].within.is_none();
        is_whole.then_some(Axis {
            field: *field,
            thing,
            key,
        })
    };
    let (row, column) = (axis(first)?, axis(second)?);
    let is_scalar = matches!(
        kind(value.schema),
        Kind::Boolean | Kind::Choice | Kind::Number
    );
    (is_scalar && row.thing != column.thing).then_some(Pairs {
        row,
        column,
        value: *value,
    })
}
