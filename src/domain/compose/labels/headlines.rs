//! Fits the weights of headlines to the labelled contracts.

use serde_json::Value;

use super::super::plan::headline_candidates;
use super::super::reading;
use super::judge::{Label, compiled, labels, plainly, said};
use super::logit::{self, Choice, Signs};

/// Where the weights are written.
const WEIGHTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/src/domain/compose/plan/headline/weights.json"
);

/// A sign of fewer candidates says nothing.
const SEEN_MIN: usize = 15;

#[test]
fn the_weights_of_headlines_are_those_of_signs_that_contracts_show() {
    let mut signs = Signs::default();
    let used = labels().filter(|(_, label, _)| label.set == "used");
    let mut choices: Vec<Choice> = used
        .map(|(_, label, entry)| read(&label, &entry, &mut signs))
        .collect();
    if logit::is_wanted() {
        logit::write("headlines", WEIGHTS, &mut choices, &signs, SEEN_MIN);
    }
    signs.assert_seen(WEIGHTS);
}

fn read(label: &Label, entry: &Value, numbered: &mut Signs) -> Choice {
    let contract = compiled(entry);
    let mut reading = reading::read(&contract, entry["intent"].as_str().unwrap());
    let candidates = headline_candidates(&mut reading)
        .into_iter()
        .map(|candidate| {
            let text = plainly(&said(&candidate.headline, &entry["props"]));
            let is_right = label.headline.iter().any(|one| plainly(one) == text);
            let signs = candidate.signs.iter();
            (
                signs
                    .map(|sign| numbered.number(sign.to_string()))
                    .collect(),
                is_right,
            )
        });
    Choice {
        candidates: candidates.collect(),
    }
}
