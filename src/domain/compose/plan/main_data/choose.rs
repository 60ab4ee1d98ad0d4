//! Chooses the main data.

use std::sync::LazyLock;

use super::super::super::reading::{Reading, Sort, Thing, hints};
use super::super::weighing::{Weights, likeliest};
use super::signs::{Page, referred};

/// The weights by sign; `labels::main_data` fits and writes them.
static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| Weights::read(include_str!("weights.json")));

/// Chooses the thing a page is about, and says why.
pub(in super::super) fn main(reading: &mut Reading<'_>) -> Option<usize> {
    let hinted = places(reading).find(|at| hints(reading.things[*at].schema).says("main"));
    let (at, because, share) = match hinted {
        Some(at) => (at, "a hint".to_owned(), 100),
        None => likeliest(candidates(reading), &WEIGHTS)?,
    };
    let path = reading.things[at].path.clone();
    reading.notes.note(&path, "the main data", because, share);
    Some(at)
}

/// The things that a page may be about: how many of the records of another list are in a basket is no
/// such thing.
fn places(reading: &Reading<'_>) -> impl Iterator<Item = usize> {
    let counts_others =
        |thing: &Thing<'_>| thing.is_count() && !referred(reading, thing).is_empty();
    let all = reading.things.iter().enumerate();
    let all = all.filter(move |(_, thing)| {
        thing.within.is_none() && thing.sort != Sort::Fact && !counts_others(thing)
    });
    all.map(|(at, _)| at)
}

/// Each of them, with what speaks for it.
pub(in super::super::super) fn candidates(reading: &Reading<'_>) -> Vec<(usize, Vec<String>)> {
    Page::read(reading, places(reading).collect()).candidates()
}
