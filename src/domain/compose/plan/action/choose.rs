//! Chooses the action that stands out.

use super::super::super::reading::{Reading, hints};
use super::super::likely::Likely;
use super::super::odds::share;
use super::signs::{Page, of_none};
use super::weights::weight;

/// Signs that are named where a choice is explained.
const NAMED_MAX: usize = 3;

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
    let mut all = candidates(reading, main, likely);
    let total = |signs: &Vec<String>| signs.iter().map(|sign| weight(sign)).sum::<i32>();
    let totals: Vec<i32> = all.iter().map(|(_, signs)| total(signs)).collect();
    // Of equals the first.
    let best = (0..totals.len()).rev().max_by_key(|at| totals[*at])?;
    let (name, signs) = all.swap_remove(best);
    let (about, is) = match &name {
        Some(name) => (name.as_str(), "the main action"),
        None => ("/actions", "none stands out"),
    };
    reading
        .notes
        .note(about, is, because(&signs), share(&totals, best));
    name
}

/// The signs that speak most for a choice.
fn because(signs: &[String]) -> String {
    let mut said: Vec<&String> = signs.iter().filter(|sign| weight(sign) > 0).collect();
    said.sort_by_key(|sign| -weight(sign));
    let said: Vec<&str> = said
        .into_iter()
        .take(NAMED_MAX)
        .map(String::as_str)
        .collect();
    said.join("; ")
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
    all.push((None, of_none(&page)));
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
