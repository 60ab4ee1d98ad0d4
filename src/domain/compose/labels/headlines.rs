//! Fits the weights of headlines to the labelled contracts.

use serde_json::Value;

use super::super::plan::headline_candidates;
use super::super::reading;
use super::judge::{Label, compiled, plainly, said};
use super::logit::{Choice, Fit, Signs};

const FIT: Fit = Fit {
    what: "headlines",
    weights: concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/domain/compose/plan/headline/weights.json"
    ),
    seen_min: 15,
    strength: 0.4,
};

#[test]
fn the_weights_of_headlines_are_those_of_signs_that_contracts_show() {
    FIT.hold(read);
}

/// The candidates of a page, and which of them a designer would take.
fn read(label: &Label, entry: &Value, numbered: &mut Signs) -> Option<Choice> {
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
    Some(Choice {
        candidates: candidates.collect(),
    })
}
