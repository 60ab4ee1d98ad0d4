//! Fits the weights of components to the labelled contracts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::plan::{COMPONENTS, main_signs};
use super::super::reading;
use super::judge::{Label, compiled, labels};
use super::logit::{self, Choice, Fit, Signs};

const FIT: Fit = Fit {
    what: "components",
    weights: concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/domain/compose/plan/likely/weights.json"
    ),
    seen_min: 8,
    strength: 0.2,
};

#[test]
fn the_weights_of_components_are_those_of_signs_that_contracts_show() {
    let mut signs = Signs::default();
    let used = labels().filter(|(_, label, _)| label.set == "used");
    let pages: Vec<(Vec<usize>, Vec<bool>)> = used
        .filter_map(|(_, label, entry)| read(&label, &entry, &mut signs))
        .collect();
    if logit::is_wanted() {
        write(&pages, &signs);
    }
    signs.assert_seen(FIT.weights);
}

/// The signs of a page, and which components a designer would take; none where that is said of other data
/// than the main ones.
fn read(label: &Label, entry: &Value, numbered: &mut Signs) -> Option<(Vec<usize>, Vec<bool>)> {
    let contract = compiled(entry);
    let mut reading = reading::read(&contract, entry["intent"].as_str().unwrap());
    let of = label.of.as_deref()?;
    let (main, signs) = main_signs(&mut reading)?;
    let is_form = reading.gestures.iter().any(|gesture| gesture.name == of);
    let path = format!("/props/{of}");
    let is_main = reading.things[main].path == path;
    let is_right = |component: &&str| label.component.iter().any(|own| called(own) == *component);
    let right: Vec<bool> = COMPONENTS.iter().map(is_right).collect();
    ((is_form || is_main) && right.contains(&true)).then(|| {
        let signs = signs.into_iter().map(|sign| numbered.number(sign));
        (signs.collect(), right)
    })
}

/// What a component of a label is called in a plan.
fn called(component: &str) -> &str {
    match component {
        "Checklist" => "Tasks",
        "Diff" => "Changes",
        "Text" => "Article",
        "Wizard" => "Form",
        other => other,
    }
}

/// Fits the weight of each sign for each component, and writes them.
fn write(pages: &[(Vec<usize>, Vec<bool>)], signs: &Signs) {
    let many = COMPONENTS.len();
    let choices: Vec<Choice> = pages
        .iter()
        .map(|(own, right)| {
            let own = || {
                own.iter()
                    .filter(|sign| signs.is_common(**sign, FIT.seen_min))
            };
            let candidate = |at: usize| own().map(|sign| sign * many + at).collect();
            let candidates = right.iter().enumerate();
            Choice {
                candidates: candidates
                    .map(|(at, is_right)| (candidate(at), *is_right))
                    .collect(),
            }
        })
        .collect();
    let count = signs.all().count() * many;
    let weights = FIT.fitted(&choices, count);
    let table: BTreeMap<&String, BTreeMap<&str, i32>> = signs
        .all()
        .map(|(sign, at)| {
            let own = COMPONENTS.iter().enumerate();
            let own = own.map(|(which, component)| (*component, weights[at * many + which]));
            (sign, own.filter(|(_, weight)| *weight != 0).collect())
        })
        .filter(|(_, weights): &(_, BTreeMap<&str, i32>)| !weights.is_empty())
        .collect();
    // One sign a line: what a fit changes can be read.
    let lines: Vec<String> = table
        .iter()
        .map(|(sign, weights)| {
            let weights = serde_json::to_string(weights).unwrap();
            format!("{}: {weights}", serde_json::to_string(sign).unwrap())
        })
        .collect();
    std::fs::write(FIT.weights, format!("{{\n{}\n}}\n", lines.join(",\n"))).unwrap();
}
