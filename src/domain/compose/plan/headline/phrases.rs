//! Words of the intent that could head the page.

use super::super::super::reading::capitalised;
use super::candidate::Candidate;
use super::lexicon::PEOPLE;
use super::page::{Page, nth};
use super::sentence::{Role, Spoken, ends_clause};
use super::signs::Sign;
use super::words::{INSTRUCTING, LEADING, NOTHING, OVERVIEWS, PAGES};

/// Words of a headline; more of them are a sentence.
const WORDS_MAX: usize = 6;

/// Characters of a headline: what fits on one line of a phone, twice.
const CHARS_MAX: usize = 60;

/// Phrases of the intent that could head the page.
pub(super) fn phrases(page: &Page<'_, '_>) -> Vec<Candidate> {
    let words = &page.words;
    let mut found: Vec<Candidate> = Vec::new();
    for from in 0..words.len() {
        for to in from + 1..=words.len().min(from + WORDS_MAX) {
            let phrase = &words[from..to];
            if !is_one(phrase) {
                break;
            }
            if !is_whole(phrase) {
                continue;
            }
            let text: Vec<&str> = phrase.iter().map(|word| word.text).collect();
            let text = capitalised(&text.join(" "));
            if text.chars().count() > CHARS_MAX {
                break;
            }
            found.push(Candidate::words(text, signs(page, from, to)));
        }
    }
    found
}

/// Whether words stand together, with no sign between them.
fn is_one(phrase: &[Spoken<'_>]) -> bool {
    phrase[..phrase.len() - 1]
        .iter()
        .all(|word| word.ends.is_none() || word.ends == Some('\''))
}

/// Whether words could stand alone.
fn is_whole(phrase: &[Spoken<'_>]) -> bool {
    let (first, last) = (&phrase[0], &phrase[phrase.len() - 1]);
    let is_loose = |role: Role| role == Role::Determiner || role.joins();
    let goes_on = |pair: &[Spoken<'_>]| pair[0].plain == "and" && pair[1].role == Role::Verb;
    !is_loose(first.role)
        && first.role != Role::Counting
        && !is_loose(last.role)
        && last.role != Role::Owner
        && !NOTHING.contains(&last.plain.as_str())
        && !phrase.windows(2).any(goes_on)
}

fn before(words: &[Spoken<'_>], from: usize) -> &'static str {
    let Some(word) = from.checked_sub(1).and_then(|at| words.get(at)) else {
        return "nothing";
    };
    match (word.ends, word.role) {
        (Some(sign), _) if ends_clause(sign) => "another clause",
        (Some(','), _) => "a comma",
        (_, Role::Determiner) => "a determiner",
        (_, Role::Owner) => "an owner",
        (_, Role::Counting) => "a number",
        (_, Role::Joining(word)) => word,
        (_, Role::Verb) => "a verb",
        (_, Role::Other) => "a word",
    }
}

fn behind(words: &[Spoken<'_>], to: usize) -> &'static str {
    match (words[to - 1].ends, words.get(to).map(|word| word.role)) {
        (Some(','), _) => "a comma",
        (Some(':'), _) => "a colon",
        (Some(_), _) => "the end of a clause",
        (None, None) => "nothing",
        (None, Some(Role::Determiner)) => "a determiner",
        (None, Some(Role::Joining(word))) => word,
        (None, Some(_)) => "a word",
    }
}

fn signs(page: &Page<'_, '_>, from: usize, to: usize) -> Vec<Sign> {
    let words = &page.words;
    const LENGTHS: [&str; WORDS_MAX] = ["one", "two", "three", "four", "five", "six"];
    /// Words of a span of the intent.
    const SPAN: usize = 2;
    const SPANS: [&str; 8] = [
        "at once",
        "soon",
        "early",
        "in the first line",
        "after a while",
        "late",
        "later",
        "last",
    ];
    let phrase = &words[from..to];
    let (first, last) = (&phrase[0], &phrase[phrase.len() - 1]);
    let named = if page.list.is_some_and(|list| list.one == last.one) {
        "the main list"
    } else if page.record.is_some_and(|record| record.one == last.one) {
        "the first record"
    } else if last.is_thing {
        "something else"
    } else {
        "nothing"
    };
    let mut signs = vec![
        Sign("words of the intent", page.kind),
        Sign("so many words", LENGTHS[phrase.len() - 1]),
        Sign("words of the intent behind", before(words, from)),
        Sign("words of the intent before", behind(words, to)),
        Sign(
            "words of the intent come",
            SPANS[(from / SPAN).min(SPANS.len() - 1)],
        ),
        Sign("words of the intent in clause", nth(first.clause)),
        Sign("words of the intent name", named),
    ];
    let (inner, rest) = (&phrase[1..], &phrase[..phrase.len() - 1]);
    let lead = &words[0];
    let has = |role: Role| inner.iter().any(|word| word.role == role);
    let is_of = |word: &Spoken<'_>, list: &[&str]| {
        list.contains(&word.plain.as_str()) || list.contains(&word.one.as_str())
    };
    let shows = |word: &Spoken<'_>| {
        [PAGES, NOTHING, OVERVIEWS]
            .iter()
            .any(|list| is_of(word, list))
    };
    let is_proper = |at: usize| at > 0 && words[at].text.starts_with(char::is_uppercase);
    let ends_with = |end: &str| last.plain.ends_with(end);
    let may_do = !inner.is_empty() && is_of(last, INSTRUCTING);
    let seen = [
        (first.role == Role::Verb, "begin with a verb"),
        (
            from == 0 && lead.role == Role::Verb,
            "begin with the verb of the intent",
        ),
        (has(Role::Verb), "have a verb inside"),
        (may_do, "end with what may be a verb"),
        (
            inner.iter().any(|word| word.role.joins()),
            "have a joining word inside",
        ),
        (has(Role::Determiner), "have a determiner inside"),
        (phrase.iter().any(shows), "speak of what shows something"),
        (is_of(last, PEOPLE), "end with people"),
        (
            rest.iter().any(|word| word.role == Role::Owner),
            "have an owner inside",
        ),
        (first.plain.ends_with("ing"), "begin with an activity"),
        (ends_with("ing"), "end with an activity"),
        (ends_with("ed"), "end with a participle"),
        (ends_with("ly"), "end with an adverb"),
        (
            last.plain.ends_with(|c: char| c.is_ascii_digit()),
            "end with a number",
        ),
        (
            rest.iter().any(|word| word.is_thing),
            "name something before their last word",
        ),
        (is_proper(to - 1), "end with a proper name"),
        ((from..to).any(is_proper), "have a proper name inside"),
        (
            LEADING.contains(&lead.plain.as_str()),
            "come of an intent that leads somebody",
        ),
    ];
    let seen = seen.into_iter().filter(|(is_seen, _)| *is_seen);
    signs.extend(seen.map(|(_, sign)| Sign("words of the intent", sign)));
    signs
}
