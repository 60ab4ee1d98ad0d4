//! How a list is cut into pages: rows have places, and a cursor is the place of the last row.

use std::collections::BTreeMap;

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

/// A page that is filled from rows in any order: it never holds more than it shows, and one.
pub(crate) struct Filling<'a, T> {
    params: &'a PageParams,
    rows: BTreeMap<String, T>,
}

impl<'a, T> Filling<'a, T> {
    /// An empty one.
    pub(crate) fn new(params: &'a PageParams) -> Self {
        Self {
            params,
            rows: BTreeMap::new(),
        }
    }

    /// Adds a row at a place if it belongs on the page so far; it is made only then.
    pub(crate) fn add(&mut self, place: String, row: impl FnOnce() -> T) {
        let after = self.params.after.as_ref();
        let is_full = self.rows.len() > self.params.limit;
        let last = self.rows.last_key_value().filter(|_| is_full);
        let is_before = after.is_some_and(|after| place <= *after);
        if is_before || last.is_some_and(|(last, _)| place > *last) {
            return;
        }
        self.rows.insert(place, row());
        if is_full {
            self.rows.pop_last();
        }
    }

    /// The page, in the order of the places.
    pub(crate) fn page(mut self) -> Page<T> {
        let has_more = self.rows.len() > self.params.limit;
        if has_more {
            self.rows.pop_last();
        }
        let last = self.rows.last_key_value().filter(|_| has_more);
        Page {
            next_cursor: last.map(|(place, _)| cursor(place)),
            data: self.rows.into_values().collect(),
        }
    }
}

/// The rows after a place in the order of their places.
pub(crate) fn page<T>(rows: impl Iterator<Item = (String, T)>, params: &PageParams) -> Page<T> {
    let mut filling = Filling::new(params);
    for (place, row) in rows {
        filling.add(place, || row);
    }
    filling.page()
}

/// The place of a row in a list that begins with the newest: it grows as the time of birth falls.
pub(crate) fn newest_first(created_at: u64, id: &str) -> String {
    format!("{:016x}.{id}", !created_at)
}
