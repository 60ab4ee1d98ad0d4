//! What records are shown as where the words of the contract speak for a component, and the records have
//! what it needs at least.

use super::super::super::reading::{
    Field, Kind, Thing, choices, ends_with, is_id, is_nullable, kind, moment, naming, shapes_of,
    state,
};
use super::around::Around;
use super::article::article;
use super::changes::changes;
use super::charts::{chart, in_turn, plotted, sized, undrawn};
use super::people::{NUMBERS, can_be_free, chat, poll};
use super::places::{calendar, cards};
use super::shape::{PreferredShape, Shape};
use super::tasks::tasks;
use super::timeline::timeline;

/// Values that stand in rows below a chart which has no place for them.
const LEFT_MAX: usize = 3;

/// States that stand side by side as columns where a board is what is looked for.
const GROUPS_MAX: usize = 8;

/// The shape of a component, if the records have what it needs.
pub(super) fn relaxed<'a>(
    component: &str,
    thing: &Thing<'a>,
    around: &Around<'a, '_>,
) -> Option<Shape<'a>> {
    let (name, columns) = (thing.name, thing.fields());
    let (columns, done) = (columns.as_slice(), &around.gestures);
    match component {
        "Article" => article(name, columns, true),
        "Board" => board(columns, &around.named),
        "Cards" => cards(name, columns, Some(PreferredShape::Cards)),
        "Calendar" => calendar(columns, done, Some(PreferredShape::Calendar)),
        "Changes" => changes(columns, true),
        "Chart" => chart(name, columns, &around.named)
            .or_else(|| plotted(columns, &around.named))
            .or_else(|| in_turn(columns, &around.named, &around.dated))
            .or_else(|| sized(columns))
            .filter(|found| draws_most(found, columns)),
        "Chat" => chat(name, columns, &around.named, true),
        "Poll" => poll(columns, done, around.is_counted, true),
        "Seats" => seats(columns, &around.named),
        "Stepper" => steps(columns),
        "Table" => Some(Shape::Table),
        "Tasks" => tasks(name, columns, done, &around.named, true),
        "Timeline" => {
            let shapes = shapes_of(thing.schema);
            timeline(name, columns, &shapes, Some(PreferredShape::Timeline))
        }
        "Tree" => tree(thing, columns, &around.named),
        _ => None,
    }
}

/// Whether a chart leaves little to say of its records.
fn draws_most(found: &Shape<'_>, columns: &[Field<'_>]) -> bool {
    match found {
        Shape::Chart { x, series, by, .. } => undrawn(columns, x, series, *by).count() <= LEFT_MAX,
        _ => false,
    }
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
    let status = state(columns).filter(|field| can_be_free(*field))?;
    let is_number = |field: &&Field<'_>| {
        matches!(kind(field.schema), Kind::Text | Kind::Number) && ends_with(field, NUMBERS)
    };
    let number = columns.iter().find(is_number)?;
    let is_row = |field: &&Field<'_>| {
        matches!(kind(field.schema), Kind::Text | Kind::Number | Kind::Choice)
            && field.name != number.name
            && ends_with(field, &["aisle", "box", "row", "section", "table"])
    };
    // Every seat stands at its table; what stands in it may be missing.
    let is_table = |field: &&Field<'_>| named.contains(&field.name) && !is_nullable(field.schema);
    let row = columns.iter().find(is_row);
    let row = row.or_else(|| columns.iter().find(is_table))?;
    Some(Shape::Seats {
        row: row.name,
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

/// Records that name one another by an id which the first has not.
fn tree<'a>(thing: &Thing<'a>, columns: &[Field<'a>], named: &[&'a str]) -> Option<Shape<'a>> {
    let title = naming(columns)?;
    let is_above = |field: &&Field<'_>| {
        is_id(field.name)
            && is_nullable(field.schema)
            && Some(field.name) != thing.key()
            && !named.contains(&field.name)
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
