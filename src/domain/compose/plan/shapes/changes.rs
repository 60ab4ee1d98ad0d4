//! Records that are each one change of a text.

use super::super::super::reading::{Field, Kind, changed, ends_with, is_time, kind, naming};
use super::shape::Shape;

/// Each change, with the text before and after it.
pub(super) fn changes<'a>(columns: &[Field<'a>], is_wanted: bool) -> Option<Shape<'a>> {
    // What happened may say what changed; what is decided on has no time of its own.
    let is_event = !is_wanted && columns.iter().any(is_time);
    let (before, after) = changed(columns, is_wanted).filter(|_| !is_event)?;
    let others: Vec<Field<'a>> = columns
        .iter()
        .filter(|field| field.name != before && field.name != after)
        .copied()
        .collect();
    let number = others.iter().find(|field| {
        matches!(kind(field.schema), Kind::Number | Kind::Text)
            && ends_with(field, &["no", "nr", "number"])
    });
    let number = number.map(|field| field.name);
    Some(Shape::Changes {
        number,
        title: naming(&others).filter(|title| Some(*title) != number),
        before,
        after,
    })
}
