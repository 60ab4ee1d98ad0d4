//! Fits the weights of main data to the labelled contracts.

use serde_json::Value;

use super::super::plan::main_candidates;
use super::super::reading;
use super::judge::{Label, compiled};
use super::logit::{Choice, Fit, Signs};

const FIT: Fit = Fit {
    what: "main data",
    weights: concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/domain/compose/plan/main_data/weights.json"
    ),
    seen_min: 8,
    strength: 0.4,
};

#[test]
fn the_weights_of_main_data_are_those_of_signs_that_contracts_show() {
    FIT.hold(read);
}

/// The candidates of a page; none where the label is about something else, a form or a part of one of them.
fn read(label: &Label, entry: &Value, numbered: &mut Signs) -> Option<Choice> {
    let contract = compiled(entry);
    let reading = reading::read(&contract, entry["intent"].as_str().unwrap());
    let path = format!("/props/{}", label.of.as_ref()?);
    let candidates = main_candidates(&reading).into_iter().map(|(at, signs)| {
        let signs = signs.into_iter().map(|sign| numbered.number(sign));
        (signs.collect(), reading.things[at].path == path)
    });
    let candidates: Vec<(Vec<usize>, bool)> = candidates.collect();
    let has_right = candidates.iter().any(|(_, is_right)| *is_right);
    has_right.then_some(Choice { candidates })
}
