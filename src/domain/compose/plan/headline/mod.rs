//! The subject of a page in a few words: never the agent's instruction.
//!
//! Which words a designer would choose follows from many small signs and no strict rule. So all that
//! could head the page is a candidate (values of the page, names of its lists, words of the intent),
//! and each of its signs has a weight. The weights are fitted to the contracts of `tests/labelled`.

mod deeds;
mod lexicon;
mod names;
mod phrases;
mod request;
mod signs;
mod values;

use super::super::reading::{Deed, Gesture, Reading, Sort, Thing, hints, singular, split};
use super::outline::Headline;
use deeds::deeds;
use names::names;
use phrases::phrases;
use signs::{Sign, weight};
use values::values;

#[cfg(test)]
pub(in super::super) use signs::ONE;

/// Something that could head the page, and what speaks for and against it.
pub(in super::super) struct Candidate {
    pub(in super::super) headline: Headline,
    pub(in super::super) signs: Vec<Sign>,
}

/// Signs that are named where a choice is explained.
const NAMED_MAX: usize = 3;

/// Chooses the headline and says why.
pub(super) fn headline(reading: &mut Reading<'_>, main: Option<usize>) -> Headline {
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
    // Of equals the first.
    let Some(best) = (0..all.len()).rev().max_by_key(|at| totals[*at]) else {
        let nothing = Headline {
            text: "Overview".to_owned(),
            path: None,
        };
        return (nothing, "nothing else is said".to_owned(), 0);
    };
    let found = all.swap_remove(best);
    (found.headline, because(found.signs), sure(&totals, best))
}

/// How sure a choice is, in hundredths: its share of the likelihood of all.
fn sure(totals: &[i32], best: usize) -> u8 {
    let odds = |total: &i32| (f64::from(total - totals[best]) / f64::from(signs::ONE)).exp();
    let all: f64 = totals.iter().map(odds).sum();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the share of the largest is between nothing and one"
    )]
    let score = (100.0 / all) as u8;
    score
}

/// The signs that speak most for a choice.
fn because(mut signs: Vec<Sign>) -> String {
    signs.sort_by_key(|sign| -weight(sign));
    let mut said: Vec<String> = Vec::new();
    for sign in signs.iter().filter(|sign| weight(sign) > 0) {
        let text = sign.to_string();
        if !said.contains(&text) && said.len() < NAMED_MAX {
            said.push(text);
        }
    }
    said.join("; ")
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
pub(in super::super) fn headline_candidates(reading: &mut Reading<'_>) -> Vec<Candidate> {
    let main = super::main_data::main(reading);
    candidates(reading, main)
}

impl Headline {
    fn of(path: &str) -> Self {
        Self {
            text: String::new(),
            path: Some(path.to_owned()),
        }
    }
}

/// What candidates are judged against.
struct Page<'r, 'a> {
    reading: &'r Reading<'a>,
    /// The list that the page is about.
    list: Option<&'r Thing<'a>>,
    /// The record that stands first.
    record: Option<&'r Thing<'a>>,
    /// What kind of page it is, as a sign says it.
    kind: &'static str,
    /// The words of the intent, in small letters and as one of what they count.
    intent: Vec<String>,
}

impl<'r, 'a> Page<'r, 'a> {
    fn read(reading: &'r Reading<'a>, main: Option<usize>) -> Self {
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
            intent: intent.iter().map(|word| singular(word)).collect(),
        }
    }

    fn top(&self) -> impl Iterator<Item = &'r Thing<'a>> {
        self.reading.things.iter().filter(|thing| thing.is_top())
    }

    /// Where the intent speaks of something first.
    fn asked(&self, one: &str) -> Option<usize> {
        self.intent.iter().position(|word| word == one)
    }

    fn is_list(&self, thing: &Thing<'_>) -> bool {
        self.list.is_some_and(|list| list.path == thing.path)
    }

    fn is_record(&self, thing: &Thing<'_>) -> bool {
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
fn ends(name: &str, words: &[&str]) -> bool {
    split(name)
        .last()
        .is_some_and(|word| words.contains(&word.as_str()))
}

/// How early an intent speaks of something.
fn how_early(at: Option<usize>) -> &'static str {
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
fn nth(at: usize) -> &'static str {
    ["first", "second", "third"]
        .get(at)
        .copied()
        .unwrap_or("later")
}
