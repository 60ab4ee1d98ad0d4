//! Two texts of a page that are compared, because one became the other.

use super::super::reading::{Field, Reading, Sort, Thing, is_source, split};

/// Whether a text is compared line by line: `before` and `after` say so by their names alone.
fn is_compared(thing: &Thing<'_>) -> bool {
    split(thing.name).len() == 1 || thing.sort == Sort::Text || is_source(thing.name)
}

/// Two texts of the page of which one became the other.
pub(super) fn change(reading: &Reading<'_>) -> Option<(usize, usize)> {
    let top: Vec<(usize, Field<'_>)> = reading
        .things
        .iter()
        .enumerate()
        .filter(|(_, thing)| thing.is_top() && is_compared(thing))
        .map(|(at, thing)| {
            let field = Field {
                name: thing.name,
                schema: thing.schema,
            };
            (at, field)
        })
        .collect();
    let fields: Vec<Field<'_>> = top.iter().map(|(_, field)| *field).collect();
    let (old, new) = super::super::reading::change(&fields)?;
    let of = |name: &str| top.iter().find(|(_, field)| field.name == name);
    Some((of(old)?.0, of(new)?.0))
}
