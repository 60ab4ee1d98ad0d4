//! How a list is cut into pages: rows have places, and a cursor is the place of the last row.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::wire::page::{Page, PageParams};

/// The cursor of a place.
pub(crate) fn cursor(place: &str) -> String {
    URL_SAFE_NO_PAD.encode(place)
}

/// The place that a cursor means, if it is one.
pub(crate) fn place_of(cursor: &str) -> Option<String> {
    let place = String::from_utf8(URL_SAFE_NO_PAD.decode(cursor).ok()?).ok()?;
    (!place.is_empty()).then_some(place)
}

/// The rows after a place in the order of their places.
pub(crate) fn page<T>(rows: impl Iterator<Item = (String, T)>, params: &PageParams) -> Page<T> {
    let is_after = |place: &String| params.after.as_ref().is_none_or(|after| place > after);
    let mut rows: Vec<_> = rows.filter(|(place, _)| is_after(place)).collect();
    rows.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let has_more = rows.len() > params.limit;
    rows.truncate(params.limit);
    let last = rows.last().filter(|_| has_more);
    Page {
        next_cursor: last.map(|(place, _)| cursor(place)),
        data: rows.into_iter().map(|(_, row)| row).collect(),
    }
}

/// The place of a row in a list that begins with the newest: it grows as the time of birth falls.
pub(crate) fn newest_first(created_at: u64, id: &str) -> String {
    format!("{:016x}.{id}", !created_at)
}
