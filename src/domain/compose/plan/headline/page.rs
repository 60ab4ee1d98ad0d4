//! The page that candidates are judged against.

use super::super::super::reading::{Deed, Gesture, Reading, Sort, Thing, Words, singular, split};
use super::sentence::{self, Spoken};

/// What candidates are judged against.
pub(super) struct Page<'r, 'a> {
    pub(super) reading: &'r Reading<'a>,
    /// The list that the page is about.
    pub(super) list: Option<&'r Thing<'a>>,
    /// The record that stands first.
    pub(super) record: Option<&'r Thing<'a>>,
    /// What kind of page it is, as a sign says it.
    pub(super) kind: &'static str,
    /// The first words of the intent.
    pub(super) words: Vec<Spoken<'a>>,
    /// All its words, in small letters and as one of what they count.
    intent: Words,
}

impl<'r, 'a> Page<'r, 'a> {
    pub(super) fn read(reading: &'r Reading<'a>, main: Option<usize>) -> Self {
        let top = || reading.things.iter().filter(|thing| thing.is_top());
        let list = main
            .map(|at| &reading.things[at])
            .filter(|thing| thing.sort == Sort::Records)
            .or_else(|| top().find(|thing| thing.sort == Sort::Records));
        let record = top().find(|thing| matches!(thing.sort, Sort::Record | Sort::Tree));
        let place = |path: &str| top().position(|thing| thing.path == path);
        let is_first = match (record, list) {
            (Some(record), Some(list)) => place(&record.path) < place(&list.path),
            _ => false,
        };
        let kind = match (is_form(reading), record, list) {
            (false, None, None) => "neither a record nor a list",
            (false, Some(_), None) => "a record and no list",
            (false, None, Some(_)) => "a list and no record",
            (false, Some(_), Some(_)) if is_first => "a record before a list",
            (false, Some(_), Some(_)) => "a list before a record",
            (true, None, None) => "a form",
            (true, Some(_), None) => "a form beside a record",
            (true, None, Some(_)) => "a form beside a list",
            (true, Some(_), Some(_)) => "a form beside a record and a list",
        };
        let intent = split(reading.intent);
        Self {
            reading,
            list,
            record,
            kind,
            words: sentence::read(reading),
            intent: intent.iter().map(|word| singular(word)).collect(),
        }
    }

    pub(super) fn top(&self) -> impl Iterator<Item = &'r Thing<'a>> {
        self.reading.things.iter().filter(|thing| thing.is_top())
    }

    /// Where the intent speaks of something first.
    pub(super) fn asked(&self, one: &str) -> Option<usize> {
        self.intent.iter().position(|word| word == one)
    }

    pub(super) fn is_list(&self, thing: &Thing<'_>) -> bool {
        self.list.is_some_and(|list| list.path == thing.path)
    }

    pub(super) fn is_record(&self, thing: &Thing<'_>) -> bool {
        self.record.is_some_and(|record| record.path == thing.path)
    }
}

/// Whether a page is there to be filled in: what it shows serves that.
fn is_form(reading: &Reading<'_>) -> bool {
    /// Inputs from which on a form is what a page is for.
    const FORM_MIN: usize = 3;
    let asks = |gesture: &Gesture<'_>| {
        gesture.deed == Deed::Ask && !gesture.is_quiet && gesture.inputs().len() >= FORM_MIN
    };
    let mut all = reading.gestures.iter();
    all.clone().any(asks) && all.all(|gesture| gesture.about().is_none())
}

/// Whether the last word of a name is one of these.
pub(super) fn ends(name: &str, words: &[&str]) -> bool {
    split(name)
        .last()
        .is_some_and(|word| words.contains(&word.as_str()))
}

/// How early an intent speaks of something.
pub(super) fn how_early(at: Option<usize>) -> &'static str {
    /// Words of what an intent begins with.
    const EARLY: usize = 4;
    match at {
        None => "never",
        Some(at) if at < EARLY => "first",
        Some(at) if at < 2 * EARLY => "early",
        Some(_) => "late",
    }
}

/// Which of several something is.
pub(super) fn nth(at: usize) -> &'static str {
    ["first", "second", "third"]
        .get(at)
        .copied()
        .unwrap_or("later")
}
