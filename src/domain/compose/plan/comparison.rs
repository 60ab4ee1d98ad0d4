//! Two texts of a page that are compared, because one became the other.

use super::super::reading::{Field, Reading, Sort, Thing, core, fields, is_source, split};

/// Characters from which on what may be typed is a text of several lines.
const TEXT_CHARS: u64 = 300;

/// Whether a text is compared line by line: `before` and `after` say so by their names alone.
fn is_compared(thing: &Thing<'_>) -> bool {
    split(thing.name).len() == 1 || thing.sort == Sort::Text || is_source(thing.name)
}

/// Whether an action takes a text of this name that is longer than a line.
fn is_rewritten(reading: &Reading<'_>, name: &str) -> bool {
    let asked = reading
        .gestures
        .iter()
        .flat_map(|gesture| fields(gesture.schema));
    asked.into_iter().any(|field| {
        let most = core(field.schema)
            .get("maxLength")
            .and_then(serde_json::Value::as_u64);
        field.name == name && most.is_some_and(|most| most >= TEXT_CHARS)
    })
}

/// Two texts of the page of which one became the other.
pub(super) fn change(reading: &Reading<'_>) -> Option<(usize, usize)> {
    let top: Vec<(usize, Field<'_>)> = reading
        .things
        .iter()
        .enumerate()
        .filter(|(_, thing)| thing.is_top())
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
    let (old, new) = (of(old)?.0, of(new)?.0);
    let is_text = [old, new]
        .iter()
        .any(|at| is_compared(&reading.things[*at]));
    (is_text || is_rewritten(reading, reading.things[new].name)).then_some((old, new))
}
