//! Chooses what heads a page.

use super::super::super::reading::{Reading, hints};
use super::super::outline::Headline;
use super::super::weighing::{because, best, share};
use super::candidate::Candidate;
use super::deeds::deeds;
use super::names::names;
use super::page::Page;
use super::phrases::phrases;
use super::signs::weight;
use super::values::values;

/// Chooses the headline and says why.
pub(in super::super) fn headline(reading: &mut Reading<'_>, main: Option<usize>) -> Headline {
    let (found, because, score) = choose(reading, main);
    let chosen = found.path.clone().unwrap_or_else(|| found.text.clone());
    reading.notes.note("headline", chosen, because, score);
    found
}

fn choose(reading: &Reading<'_>, main: Option<usize>) -> (Headline, String, u8) {
    let mut top = reading.things.iter().filter(|thing| thing.is_top());
    if let Some(thing) = top.find(|thing| hints(thing.schema).says("headline")) {
        return (Headline::of(&thing.path), "a hint".to_owned(), 100);
    }
    let mut all = candidates(reading, main);
    let total = |candidate: &Candidate| candidate.signs.iter().map(weight).sum::<i32>();
    let totals: Vec<i32> = all.iter().map(total).collect();
    let Some(best) = best(&totals) else {
        let nothing = Headline {
            text: "Overview".to_owned(),
            path: None,
        };
        return (nothing, "nothing else is said".to_owned(), 0);
    };
    let found = all.swap_remove(best);
    let because = because(&found.signs, weight);
    (found.headline, because, share(&totals, best))
}

/// All that could head the page.
fn candidates(reading: &Reading<'_>, main: Option<usize>) -> Vec<Candidate> {
    let page = Page::read(reading, main);
    let mut all = values(&page);
    all.extend(names(&page));
    all.extend(deeds(&page));
    all.extend(phrases(&page));
    all
}

/// All that could head the page of a reading.
#[cfg(test)]
pub(in super::super::super) fn headline_candidates(reading: &mut Reading<'_>) -> Vec<Candidate> {
    let main = super::super::main_data::main(reading);
    candidates(reading, main)
}
