//! Choices by weighed signs: the odds of a candidate are e to the power of the sum of its weights. The
//! weights are fitted to labelled contracts (`labels`) and kept as JSON.

use std::collections::BTreeSet;
use std::fmt::Display;

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::super::reading::{Deed, Field, Kind, Sort, is_time, kind};

/// The unit of weights: each unit more makes a candidate e times as likely.
pub(in super::super) const ONE: i32 = 100;

/// Signs that are named where a choice is explained.
const NAMED_MAX: usize = 3;

/// What is seen of a candidate, in words.
#[derive(Default)]
pub(super) struct Signs(BTreeSet<String>);

impl Signs {
    /// Keeps which one of its kind is seen.
    pub(super) fn add(&mut self, what: &str, which: &str) {
        self.0.insert(format!("{what}: {which}"));
    }

    /// Keeps what is seen, if it is.
    pub(super) fn note(&mut self, is_seen: bool, what: &str) {
        if is_seen {
            self.0.insert(what.to_owned());
        }
    }

    /// All of them, in order.
    pub(super) fn into_vec(self) -> Vec<String> {
        self.0.into_iter().collect()
    }
}

/// A number as a sign says it.
pub(super) fn count(many: usize) -> &'static str {
    ["none", "one", "two", "three", "four", "five", "many"][many.min(6)]
}

/// Where something stands among others, as a sign says it.
pub(super) fn place(at: usize) -> &'static str {
    ["first", "second", "third", "later"][at.min(3)]
}

/// What a value is, as a sign says it.
pub(super) fn kind_of_value(field: &Field<'_>) -> &'static str {
    match kind(field.schema) {
        _ if is_time(field) => "moment",
        Kind::Boolean => "yes or no",
        Kind::Choice => "choice",
        Kind::Number => "number",
        Kind::Numbers => "row of numbers",
        Kind::Open => "thing",
        Kind::Record => "record",
        Kind::Records => "list",
        Kind::Strings => "row of texts",
        Kind::Text => "text",
    }
}

/// What a thing is, as a sign says it.
pub(super) fn kind_of_thing(sort: Sort) -> &'static str {
    match sort {
        Sort::Fact => "fact",
        Sort::Map => "map",
        Sort::Matrix => "matrix",
        Sort::Numbers => "row of numbers",
        Sort::Open => "thing",
        Sort::Record => "record",
        Sort::Records => "list",
        Sort::Text => "text",
        Sort::Texts => "row of texts",
        Sort::Tree => "tree",
    }
}

/// What an action does, as a sign says it.
pub(super) fn kind_of_deed(deed: &Deed) -> &'static str {
    match deed {
        Deed::Nothing => "takes nothing",
        Deed::Ask => "asks",
        Deed::One { .. } => "is about one",
        Deed::Several { .. } => "takes several",
        Deed::Text { .. } => "takes a text",
        Deed::Edit { .. } => "edits",
    }
}

/// The weights of signs.
pub(super) struct Weights(FxHashMap<&'static str, i32>);

impl Weights {
    /// Reads weights that are part of the program.
    pub(super) fn read(json: &'static str) -> Self {
        Self(read_weights(json))
    }

    /// The weight of a sign; nothing where too few contracts had it.
    fn of(&self, sign: &str) -> i32 {
        self.0.get(sign).copied().unwrap_or_default()
    }
}

/// The likeliest of several candidates by their signs, the signs that speak most for it, and its share of
/// the likelihood in hundredths; nothing where there is no candidate.
pub(super) fn likeliest<T>(
    mut all: Vec<(T, Vec<String>)>,
    weights: &Weights,
) -> Option<(T, String, u8)> {
    let total = |signs: &Vec<String>| signs.iter().map(|sign| weights.of(sign)).sum::<i32>();
    let totals: Vec<i32> = all.iter().map(|(_, signs)| total(signs)).collect();
    let best = best(&totals)?;
    let (chosen, signs) = all.swap_remove(best);
    let because = because(&signs, |sign| weights.of(sign));
    Some((chosen, because, share(&totals, best)))
}

/// Reads weights that are part of the program.
pub(super) fn read_weights<T: Deserialize<'static>>(json: &'static str) -> T {
    #[expect(
        clippy::expect_used,
        reason = "the file is part of the program, and the first test that composes a page reads it"
    )]
    serde_json::from_str(json).expect("weights are JSON of their type")
}

/// The place of the largest total, of equals the first; nothing where there is none.
pub(super) fn best(totals: &[i32]) -> Option<usize> {
    (0..totals.len()).rev().max_by_key(|at| totals[*at])
}

/// The share of the likelihood of all that the best of several totals has, in hundredths.
pub(super) fn share(totals: &[i32], best: usize) -> u8 {
    let odds = |total: &i32| (f64::from(total - totals[best]) / f64::from(ONE)).exp();
    let all: f64 = totals.iter().map(odds).sum();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the share of the largest is between nothing and one"
    )]
    let share = (100.0 / all) as u8;
    share
}

/// The signs that speak most for a choice, the strongest first.
pub(super) fn because<T: Display>(signs: &[T], weight: impl Fn(&T) -> i32) -> String {
    let weighed = signs.iter().map(|sign| (weight(sign), sign));
    let mut weighed: Vec<(i32, &T)> = weighed.filter(|(weight, _)| *weight > 0).collect();
    weighed.sort_by_key(|(weight, _)| -weight);
    let mut said: Vec<String> = Vec::new();
    for (_, sign) in weighed {
        let text = sign.to_string();
        if !said.contains(&text) && said.len() < NAMED_MAX {
            said.push(text);
        }
    }
    said.join("; ")
}
