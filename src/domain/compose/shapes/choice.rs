//! Which picture suits a list of records.

use serde_json::Value;

use super::super::fields::fields;
use super::charts::chart;
use super::places::{board, calendar, cards, steps};
use super::records::{children, naming};
use super::shape::{Shape, Wish};
use super::timeline::timeline;

/// What the records of the list `name` are shown as.
pub(in super::super) fn shape<'a>(
    name: &str,
    record: &'a Value,
    actions: &[Value],
    wish: Option<Wish>,
) -> Shape<'a> {
    let columns = fields(record);
    if wish == Some(Wish::Table) {
        return Shape::Table;
    }
    let is_still = actions.is_empty();
    let tree = children(record).and_then(|children| {
        let title = naming(&columns)?;
        Some(Shape::Tree { title, children })
    });
    let picture = tree
        .or_else(|| steps(name, &columns).filter(|_| is_still))
        .or_else(|| calendar(&columns, wish))
        .or_else(|| board(&columns, actions, wish))
        .or_else(|| cards(&columns, wish))
        .or_else(|| chart(name, &columns).filter(|_| is_still))
        .or_else(|| timeline(name, &columns, wish).filter(|_| is_still));
    picture.unwrap_or(Shape::Table)
}
