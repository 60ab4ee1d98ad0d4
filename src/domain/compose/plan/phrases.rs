//! Names that the words of an intent make of a list.

use super::super::reading::{Reading, Thing, referent, singular, split};
use super::nouns::{DETERMINERS, PLACING, STOPS, capitalised};
use super::verbs::INSTRUCTING;

/// The full name of a list or a record in the words of the intent: `pans` of "my watercolour pans".
pub(super) fn full_name(intent: &str, list: &str) -> Option<String> {
    /// Words that say how many, which or when rather than what.
    const LOOSE: &[&str] = &[
        "all", "any", "best", "big", "both", "busy", "current", "daily", "done", "each", "every",
        "few", "first", "free", "last", "late", "latest", "left", "many", "missing", "more",
        "most", "new", "next", "old", "open", "other", "paid", "pending", "ready", "same",
        "several", "single", "small", "some", "today", "tonight", "waiting", "which", "worst",
    ];
    let one = singular(&list.to_lowercase());
    let words: Vec<(&str, String)> = intent
        .split_whitespace()
        .map(|word| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            (word, bare.to_lowercase())
        })
        .collect();
    let at = words.iter().position(|(_, bare)| singular(bare) == one)?;
    let is_loose = |bare: &str| {
        DETERMINERS.contains(&bare) || LOOSE.contains(&bare) || NUMBERS.contains(&bare)
    };
    let describes = |(word, bare): &(&str, String)| {
        word.chars().all(|c| c.is_alphabetic() || c == '-')
            && bare.len() > 2
            && !is_loose(bare)
            && !INSTRUCTING.contains(&bare.as_str())
            && !PLACING.contains(&bare.as_str())
            && !STOPS.contains(&bare.as_str())
    };
    // "our property tax notice": all that stands between the article and it.
    let from = (0..at)
        .rev()
        .take(DESCRIBING_MAX)
        .take_while(|at| describes(&words[*at]))
        .last()?;
    let (word, bare) = words.get(from.checked_sub(1)?)?;
    let is_described = is_loose(bare)
        || word.contains(['\'', '’']) && bare.ends_with('s')
        || word.chars().all(|c| c.is_ascii_digit());
    let said = words[from..at].iter().map(|(word, _)| *word);
    let said: Vec<&str> = said.collect();
    let list = list.to_lowercase();
    is_described.then(|| capitalised(&format!("{} {list}", said.join(" "))))
}

/// Words that describe what a list or a record is; with it they are a headline.
const DESCRIBING_MAX: usize = 3;

/// Numbers as words.
const NUMBERS: &[&str] = &[
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// What a list holds for each of what the intent speaks of: the bin collections of `collections`
/// that refer to the bins.
pub(super) fn pairs_of(reading: &Reading<'_>, noun: &str, list: &Thing<'_>) -> Option<String> {
    let spoken: Vec<String> = split(noun).iter().map(|word| singular(word)).collect();
    let refers = |name: &str| referent(name, &reading.things).map(|(other, _)| other);
    let of = list
        .fields()
        .iter()
        .filter_map(|field| refers(field.name))
        .map(|other| &reading.things[other])
        .find(|other| other.path != list.path && spoken.contains(&other.one))?;
    let is_word = split(list.name).len() == 1;
    is_word.then(|| capitalised(&format!("{} {}", of.one, list.name.to_lowercase())))
}
