//! Fits the weights of main data to the labelled contracts.

use serde_json::Value;

use super::super::plan::main_candidates;
use super::super::reading;
use super::judge::{Label, compiled, labels};
use super::logit::{self, Choice, Signs};

/// Where the weights are written.
const WEIGHTS: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/src/domain/compose/plan/main_data/weights.json"
);

/// A sign of fewer things says nothing.
const SEEN_MIN: usize = 8;

#[test]
fn the_weights_of_main_data_are_those_of_signs_that_contracts_show() {
    let mut signs = Signs::default();
    let used = labels().filter(|(_, label, _)| label.set == "used");
    let mut choices: Vec<Choice> = used
        .map(|(_, label, entry)| read(&label, &entry, &mut signs))
        .filter(|choice| choice.candidates.iter().any(|(_, is_right)| *is_right))
        .collect();
    if logit::is_wanted() {
        logit::write("main data", WEIGHTS, &mut choices, &signs, SEEN_MIN);
    }
    signs.assert_seen(WEIGHTS);
}

fn read(label: &Label, entry: &Value, numbered: &mut Signs) -> Choice {
    let contract = compiled(entry);
    let reading = reading::read(&contract, entry["intent"].as_str().unwrap());
    let of = label.of.as_ref().map(|of| format!("/props/{of}"));
    let candidates = main_candidates(&reading).into_iter().map(|(at, signs)| {
        let signs = signs.into_iter().map(|sign| numbered.number(sign));
        let is_right = of.as_ref() == Some(&reading.things[at].path);
        (signs.collect(), is_right)
    });
    Choice {
        candidates: candidates.collect(),
    }
}
