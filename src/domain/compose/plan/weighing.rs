//! Choices by weighed signs: the odds of a candidate are e to the power of the sum of its weights. The
//! weights are fitted to labelled contracts (`labels`) and kept as JSON.

use std::collections::BTreeSet;
use std::fmt::Display;

use serde::Deserialize;

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
