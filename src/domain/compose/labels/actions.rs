//! Fits the weights of actions to the labelled contracts.

use serde_json::Value;

use super::super::plan::action_candidates;
use super::super::reading;
use super::judge::{Label, compiled};
use super::logit::{self, Choice, Signs};

/// Where the weights are written.
const WEIGHTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/src/domain/compose/plan/action/weights.json"
);

/// A sign of fewer actions says nothing.
const SEEN_MIN: usize = 8;

#[test]
fn the_weights_of_actions_are_those_of_signs_that_contracts_show() {
    logit::hold("actions", WEIGHTS, SEEN_MIN, read);
}

/// The candidates of a page, and which of them a designer would take.
fn read(label: &Label, entry: &Value, numbered: &mut Signs) -> Option<Choice> {
    let contract = compiled(entry);
    let mut reading = reading::read(&contract, entry["intent"].as_str().unwrap());
    let candidates = action_candidates(&mut reading)
        .into_iter()
        .map(|(action, signs)| {
            let signs = signs.into_iter().map(|sign| numbered.number(sign));
            (signs.collect(), label.action.contains(&action))
        });
    Some(Choice {
        candidates: candidates.collect(),
    })
}
