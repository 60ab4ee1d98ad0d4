//! The words of an intent, and what each does there.

use super::super::super::reading::{Reading, Word, singular, split};
use super::request::requested;
use super::words::{COUNTING, DETERMINERS, INSTRUCTING, JOINING};

/// Words of an intent that are looked at: what it is about stands in its first lines.
const LOOKED_AT_MAX: usize = 40;

/// A word of the intent.
pub(super) struct Spoken<'a> {
    /// As it is written, without the signs around it.
    pub(super) text: &'a str,
    /// In small letters.
    pub(super) plain: String,
    /// What it counts.
    pub(super) one: Word,
    /// The sign behind it.
    pub(super) ends: Option<char>,
    /// How many clauses stand before it.
    pub(super) clause: usize,
    /// What it does in its sentence.
    pub(super) role: Role,
    /// Whether something of the page is called so.
    pub(super) is_thing: bool,
}

/// What a word does in a sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// It stands before a noun: "the".
    Determiner,
    /// It joins what stands before it with what comes.
    Joining(&'static str),
    /// It counts.
    Counting,
    /// It says whose something is: "Kofi's".
    Owner,
    /// It may ask for something to be done.
    Verb,
    /// Anything else.
    Other,
}

impl Role {
    fn of(plain: &str) -> Self {
        let is_owner = ["'s", "’s", "s'", "s’"]
            .iter()
            .any(|end| plain.ends_with(end));
        if DETERMINERS.contains(&plain) {
            Role::Determiner
        } else if is_owner {
            Role::Owner
        } else if COUNTING.contains(&plain) || plain.chars().all(|c| c.is_ascii_digit()) {
            Role::Counting
        } else if let Some(word) = JOINING.iter().find(|word| **word == plain) {
            Role::Joining(word)
        } else if INSTRUCTING.contains(&plain) {
            Role::Verb
        } else {
            Role::Other
        }
    }

    /// Whether it joins what stands before it with what comes.
    pub(super) fn joins(self) -> bool {
        matches!(self, Role::Joining(_))
    }
}

/// The first words of the intent.
pub(super) fn read<'a>(reading: &Reading<'a>) -> Vec<Spoken<'a>> {
    let top = || reading.things.iter().filter(|thing| thing.is_top());
    let mut clause = 0;
    let mut words = Vec::new();
    for written in requested(reading.intent)
        .split_whitespace()
        .take(LOOKED_AT_MAX)
    {
        let text = written.trim_matches(|c: char| !c.is_alphanumeric());
        let ends = written.chars().last().filter(|c| !c.is_alphanumeric());
        if !text.is_empty() {
            let plain = text.to_lowercase();
            let one = split(&plain)
                .last()
                .map_or_else(|| singular(&plain), |word| singular(word));
            words.push(Spoken {
                text,
                role: Role::of(&plain),
                is_thing: top().any(|thing| thing.one == one),
                plain,
                one,
                ends,
                clause,
            });
        }
        if ends.is_some_and(ends_clause) {
            clause += 1;
        }
    }
    words
}

/// Whether a sign ends a clause.
pub(super) fn ends_clause(sign: char) -> bool {
    matches!(sign, '.' | ':' | ';' | '?' | '!')
}
