//! Fits the weights of actions to the labelled contracts.

use serde_json::Value;

use super::super::plan::action_candidates;
use super::super::reading;
use super::judge::{Label, compiled, labels};
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
    let mut signs = Signs::default();
    let used = labels().filter(|(_, label, _)| label.set == "used");
    let mut choices: Vec<Choice> = used
        .map(|(_, label, entry)| read(&label, &entry, &mut signs))
        .filter(|choice| !choice.candidates.is_empty())
        .collect();
    if logit::is_wanted() {
        logit::write("actions", WEIGHTS, &mut choices, &signs, SEEN_MIN);
    }
    signs.assert_seen(WEIGHTS);
}

fn read(label: &Label, entry: &Value, numbered: &mut Signs) -> Choice {
    let contract = compiled(entry);
    let mut reading = reading::read(&contract, entry["intent"].as_str().unwrap());
    let candidates = action_candidates(&mut reading)
        .into_iter()
        .map(|(action, signs)| {
            let signs = signs.into_iter().map(|sign| numbered.number(sign));
            (signs.collect(), label.action.contains(&action))
        });
    Choice {
        candidates: candidates.collect(),
    }
}
