//! Fits the weights of actions to the labelled contracts.

use serde_json::Value;

use super::super::plan::action_candidates;
use super::super::reading;
use super::judge::{Label, compiled};
use super::logit::{Choice, Fit, Signs};

const FIT: Fit = Fit {
    what: "actions",
    weights: concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/domain/compose/plan/action/weights.json"
    ),
    seen_min: 8,
    strength: 1.0,
};

#[test]
fn the_weights_of_actions_are_those_of_signs_that_contracts_show() {
    FIT.hold(read);
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
