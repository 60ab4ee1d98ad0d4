//! Fits the weights of headlines to the labelled contracts.
//!
//! The model is a conditional logit: the odds of a candidate are e to the power of the sum of its
//! weights. The fit maximises the likelihood that a candidate is chosen which a designer would choose.
//! Five-fold cross-validation says how well it does on contracts that it has not seen.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::super::plan::{HEADLINE_WEIGHT_ONE, headline_candidates};
use super::super::reading;
use super::judge::{Label, labels, plainly, said};
use crate::domain::contract::{CompiledContract, ContractLimits};

/// Set to fit the weights anew and write them.
const FIT: &str = "PROSCENIUM_FIT";

/// Where they are written.
const WEIGHTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/src/domain/compose/plan/headline/weights.json"
);

/// A sign of fewer candidates says nothing.
const SEEN_MIN: usize = 15;

/// Smaller weights change no choice.
const WEIGHT_MIN: i32 = 10;

/// Steps of a fit: more of them change no weight by a hundredth.
const STEPS: usize = 150;

/// The strength of the L2 regularisation, which keeps the weights of rare signs small.
const REGULARISATION: f64 = 1.0;

/// Parts of the contracts that a fit leaves out in turn.
const FOLDS: usize = 5;

/// A page: the signs of each candidate, and whether a designer would take it.
struct Choice {
    candidates: Vec<(Vec<usize>, bool)>,
}

#[test]
fn the_weights_of_headlines_are_those_of_signs_that_contracts_show() {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut seen: Vec<usize> = Vec::new();
    let mut choices = Vec::new();
    for (_, label, entry) in labels().filter(|(_, label, _)| label.set == "used") {
        let choice = read(&label, &entry, |sign| {
            let next = numbers.len();
            let number = *numbers.entry(sign).or_insert(next);
            seen.resize(seen.len().max(number + 1), 0);
            seen[number] += 1;
            number
        });
        choices.push(choice);
    }
    if std::env::var_os(FIT).is_some() {
        for choice in &mut choices {
            for (signs, _) in &mut choice.candidates {
                signs.retain(|sign| seen[*sign] >= SEEN_MIN);
            }
        }
        write(&choices, &numbers);
    }
    let table = std::fs::read_to_string(WEIGHTS).unwrap();
    let table: BTreeMap<String, i32> = serde_json::from_str(&table).unwrap();
    let unknown: Vec<&String> = table
        .keys()
        .filter(|sign| !numbers.contains_key(*sign))
        .collect();
    assert!(unknown.is_empty(), "nothing shows {unknown:?}");
}

/// Fits the weights of all signs and writes them; prints how many headlines they get right, of the
/// contracts they were fitted to and of those left out in turn.
#[expect(
    clippy::print_stdout,
    reason = "whoever fits wants to know how well it fits"
)]
fn write(choices: &[Choice], numbers: &HashMap<String, usize>) {
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
            let of = |part: Vec<(usize, _)>| part.into_iter().map(|(_, choice)| choice).collect();
            let (out, rest): (Vec<&Choice>, Vec<&Choice>) = (of(out), of(rest));
            right(&out, &fit(&rest, numbers.len()))
        })
        .sum();
    let all: Vec<&Choice> = choices.iter().collect();
    let weights = fit(&all, numbers.len());
    println!(
        "headlines: {} of {} that the fit has seen, {left_out} of those it has not",
        right(&all, &weights),
        all.len()
    );
    let rounded = |at: usize| {
        let weight = (weights[at] * f64::from(HEADLINE_WEIGHT_ONE)).round();
        #[expect(clippy::cast_possible_truncation, reason = "weights are small")]
        let weight = weight as i32;
        weight
    };
    let table: BTreeMap<&String, i32> = numbers
        .iter()
        .map(|(sign, at)| (sign, rounded(*at)))
        .filter(|(_, weight)| weight.abs() >= WEIGHT_MIN)
        .collect();
    let text = serde_json::to_string_pretty(&table).unwrap() + "\n";
    std::fs::write(WEIGHTS, text).unwrap();
}

fn read(label: &Label, entry: &Value, mut number: impl FnMut(String) -> usize) -> Choice {
    let contract = CompiledContract::compile(&entry["contract"], &ContractLimits::default());
    let contract = contract.unwrap().contract;
    let mut reading = reading::read(&contract, entry["intent"].as_str().unwrap());
    let candidates = headline_candidates(&mut reading)
        .into_iter()
        .map(|candidate| {
            let text = plainly(&said(&candidate.headline, &entry["props"]));
            let is_right = label.headline.iter().any(|one| plainly(one) == text);
            let signs = candidate.signs.iter();
            (
                signs.map(|sign| number(sign.to_string())).collect(),
                is_right,
            )
        });
    Choice {
        candidates: candidates.collect(),
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
fn fit(choices: &[&Choice], signs: usize) -> Vec<f64> {
    let mut weights = vec![0.0; signs];
    let mut steps = vec![0.1; signs];
    let mut last = vec![0.0_f64; signs];
    for _ in 0..STEPS {
        let mut slope: Vec<f64> = weights
            .iter()
            .map(|weight| -REGULARISATION * weight)
            .collect();
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
