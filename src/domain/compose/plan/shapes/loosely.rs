//! What records are shown as where the words of the contract speak for a component, and the records have
//! what it needs at least.

use super::super::super::reading::{
    Field, Kind, Thing, choices, ends_with, is_currency, is_id, is_nullable, is_technical_id, kind,
    moment, naming, shapes_of, state,
};
use super::around::Around;
use super::article::article;
use super::changes::changes;
use super::charts::{chart, plotted, sized};
use super::people::{NUMBERS, chat, poll};
use super::places::calendar;
use super::quiz::quiz;
use super::shape::{PreferredShape, Shape};
use super::tasks::tasks;
use super::timeline::timeline;

/// States that stand side by side as columns where a board is what is looked for.
const GROUPS_MAX: usize = 8;

/// The shape of a component, if the records have what it needs.
pub(super) fn loosely<'a>(
    component: &str,
    thing: &Thing<'a>,
    around: &Around<'a, '_>,
) -> Option<Shape<'a>> {
    let (name, columns) = (thing.name, thing.fields());
    let (columns, done) = (columns.as_slice(), &around.gestures);
    match component {
        "Article" => article(name, columns, true),
        "Board" => board(columns, &around.named),
        "Calendar" => calendar(columns, done, Some(PreferredShape::Calendar)),
        "Changes" => changes(columns),
        // A chart shows its numbers and nothing else, and nothing can be done with one of them.
        "Chart" if done.is_empty() => [
            chart(name, columns, &around.named),
            plotted(columns, &around.named),
            sized(columns),
        ]
        .into_iter()
        .flatten()
        .find(|found| draws_all(found, columns)),
        "Chat" => chat(name, columns, &around.named, true),
        "Poll" => poll(columns, done, around.is_counted, true),
        "Quiz" => quiz(columns, done, true),
        "Seats" => seats(columns, &around.named),
        "Stepper" => steps(columns),
        "Tasks" => tasks(name, columns, done, true),
        "Timeline" => {
            let shapes = shapes_of(thing.schema);
            timeline(name, columns, &shapes, Some(PreferredShape::Timeline))
        }
        "Tree" => tree(thing, columns),
        _ => None,
    }
}

/// Whether a chart draws all that its records say.
fn draws_all(found: &Shape<'_>, columns: &[Field<'_>]) -> bool {
    let Shape::Chart { x, series, by, .. } = found else {
        return false;
    };
    let is_drawn = |name: &str| {
        let mut drawn = series.iter().map(|field| field.name);
        name == *x || Some(name) == *by || drawn.any(|own| own == name)
    };
    let mut said = columns
        .iter()
        .filter(|field| !is_technical_id(field.name) && !is_currency(field));
    said.all(|field| is_drawn(field.name))
}

/// Columns by the record of another list that each names, or by a state.
fn board<'a>(columns: &[Field<'a>], named: &[&'a str]) -> Option<Shape<'a>> {
    let group = match state(columns).and_then(|field| Some((field.name, choices(field.schema)?))) {
        Some((name, all)) => (2..=GROUPS_MAX).contains(&all.len()).then_some(name),
        None => named.first().copied(),
    };
    Some(Shape::Board {
        title: naming(columns)?,
        group: group?,
    })
}

/// Seats that say whether they are free, in the rows that they name.
fn seats<'a>(columns: &[Field<'a>], named: &[&'a str]) -> Option<Shape<'a>> {
    let status = state(columns).filter(|field| choices(field.schema).is_some())?;
    let is_number = |field: &&Field<'_>| {
        matches!(kind(field.schema), Kind::Text | Kind::Number) && ends_with(field, NUMBERS)
    };
    let number = columns.iter().find(is_number)?;
    let is_row = |field: &&Field<'_>| {
        let is_name = matches!(kind(field.schema), Kind::Text | Kind::Number | Kind::Choice);
        is_name && field.name != number.name && field.name != status.name && !is_id(field.name)
    };
    let is_first = |field: &&Field<'_>| ends_with(field, &["row", "section", "table", "box"]);
    let mut rows = columns.iter().filter(is_row);
    let row = rows.find(is_first).map(|field| field.name);
    Some(Shape::Seats {
        row: named.first().copied().or(row)?,
        number: number.name,
        status: Some(status.name),
        seats: None,
    })
}

/// Steps by their state.
fn steps<'a>(columns: &[Field<'a>]) -> Option<Shape<'a>> {
    let status = state(columns).filter(|field| choices(field.schema).is_some())?;
    Some(Shape::Stepper {
        label: naming(columns)?,
        status: status.name,
        time: moment(columns).map(|field| field.name),
    })
}

/// Records inside records of another form are their children as well; so are those that name one another
/// by an id which the first has not.
fn tree<'a>(thing: &Thing<'a>, columns: &[Field<'a>]) -> Option<Shape<'a>> {
    let title = naming(columns)?;
    let is_above = |field: &&Field<'_>| {
        is_id(field.name)
            && is_nullable(field.schema)
            && Some(field.name) != thing.key()
            && ends_with(field, &["id"])
    };
    let mut above = columns.iter().filter(is_above);
    let (parent, None) = (above.next()?, above.next()) else {
        return None;
    };
    Some(Shape::Nested {
        title,
        parent: parent.name,
    })
}
