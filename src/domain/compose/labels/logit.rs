//! Fits weights to the choices of designers.
//!
//! The model is a conditional logit: the odds of a candidate are e to the power of the sum of its
//! weights. The fit maximises the likelihood that a candidate is chosen which a designer would choose.
//! Five-fold cross-validation says how well it does on contracts that it has not seen.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::super::plan::WEIGHT_ONE;
use super::judge::{Label, labels};

/// Set to fit the weights anew and write them.
const FIT: &str = "PROSCENIUM_FIT";

/// Steps of a fit: more of them change no weight by a hundredth.
const STEPS: usize = 150;

/// Parts of the contracts that a fit leaves out in turn.
const FOLDS: usize = 5;

/// Smaller weights, in hundredths, change no choice.
const WEIGHT_MIN: i32 = 10;

/// A fit of weights to one kind of choice.
pub(super) struct Fit {
    /// What is chosen, in the plural.
    pub(super) what: &'static str,
    /// Where the weights are written.
    pub(super) weights: &'static str,
    /// A sign that is seen more rarely says nothing.
    pub(super) seen_min: usize,
    /// The strength of the L2 regularisation, which keeps the weights of rare signs small: the one with
    /// which most of the choices are right that the fit has not seen.
    pub(super) strength: f64,
}

/// A page: the signs of each candidate, and whether a designer would take it.
pub(super) struct Choice {
    pub(super) candidates: Vec<(Vec<usize>, bool)>,
}

/// Gives each sign its number, and counts how often it is seen.
#[derive(Default)]
pub(super) struct Signs {
    numbers: HashMap<String, usize>,
    seen: Vec<usize>,
}

impl Signs {
    /// The number of a sign that is seen once more.
    pub(super) fn number(&mut self, sign: String) -> usize {
        let next = self.numbers.len();
        let number = *self.numbers.entry(sign).or_insert(next);
        self.seen.resize(self.seen.len().max(number + 1), 0);
        self.seen[number] += 1;
        number
    }

    /// Whether a sign is seen so often that it says something.
    pub(super) fn is_common(&self, number: usize, seen_min: usize) -> bool {
        self.seen[number] >= seen_min
    }

    /// Asserts that each sign with a weight in a file is seen.
    pub(super) fn assert_seen(&self, weights: &str) {
        let table = std::fs::read_to_string(weights).unwrap();
        let table: BTreeMap<String, Value> = serde_json::from_str(&table).unwrap();
        let is_unknown = |sign: &&String| !self.numbers.contains_key(*sign);
        let unknown: Vec<&String> = table.keys().filter(is_unknown).collect();
        assert!(unknown.is_empty(), "nothing shows {unknown:?}");
    }

    /// All signs with their numbers.
    pub(super) fn all(&self) -> impl Iterator<Item = (&String, usize)> {
        self.numbers.iter().map(|(sign, number)| (sign, *number))
    }
}

/// Whether the weights are to be fitted and written.
pub(super) fn is_wanted() -> bool {
    std::env::var_os(FIT).is_some()
}

impl Fit {
    /// Fits one weight for each of `signs` signs, 0 where it is too small to change a choice. Prints how
    /// many choices the weights get right: of those they were fitted to, and of those left out in turn.
    #[expect(
        clippy::print_stdout,
        reason = "whoever fits wants to know how well it fits"
    )]
    pub(super) fn fitted(&self, choices: &[Choice], signs: usize) -> Vec<i32> {
        let right = |of: &[&Choice], weights: &[f64]| {
            let right = of.iter().filter(|choice| is_right(choice, weights));
            right.count()
        };
        let left_out: usize = (0..FOLDS)
            .map(|fold| {
                let (out, rest): (Vec<_>, Vec<_>) = choices
                    .iter()
                    .enumerate()
                    .partition(|(at, _)| at % FOLDS == fold);
                let of =
                    |part: Vec<(usize, _)>| part.into_iter().map(|(_, choice)| choice).collect();
                let (out, rest): (Vec<&Choice>, Vec<&Choice>) = (of(out), of(rest));
                right(&out, &fit(&rest, signs, self.strength))
            })
            .sum();
        let all: Vec<&Choice> = choices.iter().collect();
        let weights = fit(&all, signs, self.strength);
        println!(
            "{}: {} of {} that the fit has seen, {left_out} of those it has not",
            self.what,
            right(&all, &weights),
            all.len()
        );
        let rounded = |weight: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
            let weight = (weight * f64::from(WEIGHT_ONE)).round() as i32;
            if weight.abs() < WEIGHT_MIN { 0 } else { weight }
        };
        weights.into_iter().map(rounded).collect()
    }

    /// Asserts that each weight in the file is of a sign that the used contracts show, as `read` reads
    /// them. Fits and writes the weights before, if that is wanted.
    pub(super) fn hold(&self, read: impl Fn(&Label, &Value, &mut Signs) -> Option<Choice>) {
        let mut signs = Signs::default();
        let used = labels().filter(|(_, label, _)| label.set == "used");
        let mut choices: Vec<Choice> = used
            .filter_map(|(_, label, entry)| read(&label, &entry, &mut signs))
            .collect();
        if is_wanted() {
            self.write(&mut choices, &signs);
        }
        signs.assert_seen(self.weights);
    }

    /// Fits the weight of each sign that is seen often enough, and writes them.
    fn write(&self, choices: &mut [Choice], signs: &Signs) {
        for (own, _) in choices.iter_mut().flat_map(|choice| &mut choice.candidates) {
            own.retain(|sign| signs.is_common(*sign, self.seen_min));
        }
        let weights = self.fitted(choices, signs.all().count());
        let table: BTreeMap<&String, i32> = signs
            .all()
            .map(|(sign, at)| (sign, weights[at]))
            .filter(|(_, weight)| *weight != 0)
            .collect();
        let text = serde_json::to_string_pretty(&table).unwrap() + "\n";
        std::fs::write(self.weights, text).unwrap();
    }
}

/// The odds of each candidate, as parts of one.
fn odds(choice: &Choice, weights: &[f64]) -> Vec<f64> {
    let totals: Vec<f64> = choice
        .candidates
        .iter()
        .map(|(signs, _)| signs.iter().map(|sign| weights[*sign]).sum())
        .collect();
    let most = totals.iter().copied().fold(f64::MIN, f64::max);
    let odds: Vec<f64> = totals.iter().map(|total| (total - most).exp()).collect();
    let all: f64 = odds.iter().sum();
    odds.iter().map(|odds| odds / all).collect()
}

fn is_right(choice: &Choice, weights: &[f64]) -> bool {
    let odds = odds(choice, weights);
    let best = (0..odds.len())
        .rev()
        .max_by(|one, other| odds[*one].total_cmp(&odds[*other]));
    best.is_some_and(|best| choice.candidates[best].1)
}

/// Finds the weights by Rprop (Riedmiller and Braun, 1993): each weight has a step of its own, which grows
/// as long as the slope keeps its sign, and shrinks where the slope turns.
fn fit(choices: &[&Choice], signs: usize, strength: f64) -> Vec<f64> {
    let mut weights = vec![0.0; signs];
    let mut steps = vec![0.1; signs];
    let mut last = vec![0.0_f64; signs];
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = weights.iter().map(|weight| -strength * weight).collect();
        for choice in choices {
            let odds = odds(choice, &weights);
            let right = |at: usize| choice.candidates[at].1;
            let of_right: f64 = (0..odds.len())
                .filter(|at| right(*at))
                .map(|at| odds[at])
                .sum();
            if of_right <= 0.0 {
                continue;
            }
            for (at, (signs, is_right)) in choice.candidates.iter().enumerate() {
                let given = if *is_right { odds[at] / of_right } else { 0.0 };
                for sign in signs {
                    slope[*sign] += given - odds[at];
                }
            }
        }
        for at in 0..signs {
            let turned = slope[at] * last[at];
            if turned > 0.0 {
                steps[at] = f64::min(steps[at] * 1.2, 1.0);
            } else if turned < 0.0 {
                steps[at] *= 0.5;
                slope[at] = 0.0;
            }
            if slope[at] != 0.0 {
                weights[at] += slope[at].signum() * steps[at];
            }
            last[at] = slope[at];
        }
    }
    weights
}
