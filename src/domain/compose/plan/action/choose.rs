//! Chooses the action that stands out.

use std::sync::LazyLock;

use super::super::super::reading::{Reading, hints};
use super::super::likely::Likely;
use super::super::weighing::{Weights, likeliest};
use super::signs::Page;

/// The weights by sign; `labels::actions` fits and writes them.
static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| Weights::read(include_str!("weights.json")));

/// Chooses the main action and says why.
pub(in super::super) fn primary(
    reading: &mut Reading<'_>,
    main: Option<usize>,
    likely: Option<&Likely>,
) -> Option<String> {
    let mut all = reading.gestures.iter();
    let hinted = all.find(|gesture| hints(gesture.schema).says("primary") && !gesture.is_dangerous);
    if let Some(gesture) = hinted {
        let name = gesture.name.to_owned();
        reading.notes.note(&name, "the main action", "a hint", 100);
        return Some(name);
    }
    if reading.gestures.is_empty() {
        return None;
    }
    let all = candidates(reading, main, likely);
    let (name, because, share) = likeliest(all, &WEIGHTS)?;
    let (about, is) = match &name {
        Some(name) => (name.as_str(), "the main action"),
        None => ("/actions", "none stands out"),
    };
    reading.notes.note(about, is, because, share);
    name
}

/// Each action that may stand out, and none, with what speaks for it.
fn candidates(
    reading: &Reading<'_>,
    main: Option<usize>,
    likely: Option<&Likely>,
) -> Vec<(Option<String>, Vec<String>)> {
    let page = Page::read(reading, main, likely);
    let gestures = reading.gestures.iter().enumerate();
    let safe = gestures.filter(|(at, gesture)| !gesture.is_dangerous && !page.is_beside(*at));
    let mut all: Vec<(Option<String>, Vec<String>)> = safe
        .map(|(at, gesture)| (Some(gesture.name.to_owned()), page.signs(at)))
        .collect();
    all.push((None, page.signs_of_none()));
    all
}

/// The candidates of a reading.
#[cfg(test)]
pub(in super::super::super) fn action_candidates(
    reading: &mut Reading<'_>,
) -> Vec<(Option<String>, Vec<String>)> {
    let main = super::super::main_data::main(reading);
    let likely = main.map(|main| super::super::likely::likely(reading, main));
    candidates(reading, main, likely.as_ref())
}
