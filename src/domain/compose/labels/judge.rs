//! Holds plans against what a designer would make of the same contracts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::super::composer::{compose, planned};
use super::super::plan::{Headline, Place, Plan};
use crate::domain::contract::{CompiledContract, ContractLimits};
use crate::domain::view::{check, gaps};

/// What a designer decided before the composer had seen the contract.
#[derive(Deserialize)]
pub(super) struct Label {
    /// Which of [`SETS`] it belongs to.
    pub(super) set: String,
    pub(super) headline: Vec<String>,
    pub(super) action: Vec<Option<String>>,
    #[serde(default)]
    pub(super) component: Vec<String>,
    #[serde(default)]
    pub(super) of: Option<String>,
}

/// How many were right, of how many.
#[derive(Clone, Copy, Default)]
struct Rate {
    right: usize,
    all: usize,
}

impl Rate {
    fn count(&mut self, is_right: bool) {
        self.all += 1;
        self.right += usize::from(is_right);
    }

    fn percent(self) -> usize {
        100 * self.right / self.all.max(1)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/labelled")
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The labels by the names of their contracts, each with its contract.
pub(super) fn labels() -> impl Iterator<Item = (String, Label, Value)> {
    let labels: BTreeMap<String, Label> =
        serde_json::from_value(read(&folder().join("labels.json"))).unwrap();
    labels.into_iter().map(|(name, label)| {
        let entry = read(&folder().join(format!("contracts/{name}.json")));
        (name, label, entry)
    })
}

/// The contract of an entry.
pub(super) fn compiled(entry: &Value) -> CompiledContract {
    let contract = CompiledContract::compile(&entry["contract"], &ContractLimits::default());
    contract.unwrap().contract
}

/// The headline as a person reads it.
pub(super) fn said(headline: &Headline, props: &Value) -> String {
    let value = headline.path.as_ref().map(|path| {
        let inner = path.strip_prefix("/props").unwrap();
        props
            .pointer(inner)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    });
    let parts = [Some(headline.text.clone()), value];
    let parts: Vec<String> = parts
        .into_iter()
        .flatten()
        .filter(|text| !text.is_empty())
        .collect();
    parts.join(" ")
}

/// A text as it is compared: `Camera-trap pictures` are `camera trap pictures`.
pub(super) fn plainly(text: &str) -> String {
    text.to_lowercase().replace('-', " ")
}

/// The components that show what a label speaks of: of a record, its facts and the text beside them.
fn components(plan: &Plan, of: &str) -> Vec<String> {
    if let Some(offer) = plan.offer(of) {
        let is_form = matches!(offer.place, Place::Form | Place::Line);
        return is_form.then(|| "Form".to_owned()).into_iter().collect();
    }
    let path = |root: &str| format!("/{root}/{of}");
    let shows = |source: &str| {
        ["props", "streams"]
            .iter()
            .any(|root| source == path(root) || source.starts_with(&format!("{}/", path(root))))
    };
    let mut found = plan.parts.iter().filter(|part| shows(&part.source));
    let first = found.clone().next();
    let prose = found.find(|part| matches!(part.component.as_str(), "Article" | "Diff" | "Text"));
    let found = first.into_iter().chain(prose);
    found
        .map(|part| match part.component.as_str() {
            "KeyValue" => "Facts".to_owned(),
            "Changes" => "Diff".to_owned(),
            "Tasks" => "Checklist".to_owned(),
            other => other.to_owned(),
        })
        .collect()
}

/// Whether a member of a view is written as JSON somewhere.
fn writes_json(value: &Value) -> bool {
    match value {
        Value::Object(map) => {
            map.get("format").is_some_and(|format| format == "json")
                || map.values().any(writes_json)
        }
        Value::Array(items) => items.iter().any(writes_json),
        _ => false,
    }
}

#[test]
#[expect(
    clippy::print_stdout,
    reason = "the table is what whoever writes rules looks at"
)]
fn plans_are_what_a_designer_would_make_of_the_contracts() {
    let mut rates = [[Rate::default(); 7]; SETS.len()];
    let mut wrong = [const { Vec::new() }; SETS.len()];
    for (name, label, entry) in labels() {
        let contract = CompiledContract::compile(&entry["contract"], &ContractLimits::default())
            .unwrap_or_else(|findings| panic!("{name}: {findings:#?}"))
            .contract;
        contract
            .check_props(&entry["props"])
            .unwrap_or_else(|found| panic!("{name}: {found:#?}"));
        let intent = entry["intent"].as_str().unwrap();
        let plan = planned(&contract, intent);
        let view = compose(&contract, intent);
        let found = check(view.value(), &contract).err();
        assert!(found.is_none(), "{name}: {found:#?}");
        let set = SETS.iter().position(|(set, _)| *set == label.set);
        let set = set.unwrap_or_else(|| panic!("{name}: no set is called {:?}", label.set));
        let mut judge = |what: usize, is_right: bool, message: String| {
            rates[set][what].count(is_right);
            if !is_right {
                wrong[set].push(format!("{name}: {message}"));
            }
        };
        let said = said(&plan.headline, &entry["props"]);
        let is_said = label
            .headline
            .iter()
            .any(|text| plainly(text) == plainly(&said));
        judge(
            0,
            is_said,
            format!("headline {said:?}, not one of {:?}", label.headline),
        );
        judge(
            1,
            label.action.contains(&plan.primary),
            format!(
                "main action {:?}, not one of {:?}",
                plan.primary, label.action
            ),
        );
        if let Some(of) = &label.of {
            let found = components(&plan, of);
            let is_right = found.iter().any(|found| label.component.contains(found));
            judge(
                2,
                is_right,
                format!("{of} as {found:?}, not one of {:?}", label.component),
            );
        }
        judge(3, !writes_json(view.value()), "JSON on the page".to_owned());
        let orphans: Vec<&str> = plan
            .parts
            .iter()
            .filter(|part| part.source.starts_with("/context/"))
            .map(|part| part.source.as_str())
            .collect();
        let are_set = orphans
            .iter()
            .all(|slot| !STATE.iter().any(|word| slot.to_lowercase().contains(word)));
        judge(4, are_set, format!("inputs for state: {orphans:?}"));
        let typed = typed(&plan, &contract);
        judge(5, typed.is_empty(), format!("typed ids: {typed:?}"));
        let gaps = gaps(&view, &contract).into_iter().map(|gap| gap.path);
        let lost: Vec<String> = gaps
            .filter(|path| path.starts_with("actionSpec."))
            .collect();
        judge(6, lost.is_empty(), format!("nothing offers {lost:?}"));
    }
    let names = [
        "headline",
        "main action",
        "component",
        "no JSON",
        "no orphan inputs",
        "no typed ids",
        "all actions",
    ];
    let mut table = format!("{:<18}", "");
    for (set, _) in SETS {
        table.push_str(&format!("{set:>15}"));
    }
    for (what, name) in names.iter().enumerate() {
        table.push_str(&format!("\n{name:<18}"));
        for rate in rates.map(|set| set[what]) {
            let cell = format!("{}/{} {}%", rate.right, rate.all, rate.percent());
            table.push_str(&format!("{cell:>15}"));
        }
    }
    println!("{table}\n");
    let shows_kept = std::env::var_os("PROSCENIUM_JUDGE_KEPT").is_some();
    for ((set, _), wrong) in SETS.iter().zip(&wrong) {
        if shows_kept || !set.starts_with("kept") {
            println!("{set}:\n{}", wrong.join("\n"));
        }
    }
    for ((set, floors), rates) in SETS.iter().zip(&rates) {
        for ((name, floor), rate) in names.iter().zip(floors).zip(rates) {
            assert!(rate.percent() >= *floor, "{name} of {set}\n{table}");
        }
    }
}

#[test]
fn headlines_are_a_few_words_and_never_the_intent() {
    /// Words of a subject.
    const WORDS_MAX: usize = 6;
    for (name, _, entry) in labels().filter(|(_, label, _)| label.set.starts_with("used")) {
        let contract = compiled(&entry);
        let intent = entry["intent"].as_str().unwrap();
        let plan = planned(&contract, intent);
        let said = said(&plan.headline, &entry["props"]).to_lowercase();
        assert_ne!(said, intent.to_lowercase(), "{name}");
        let words = plan.headline.text.split_whitespace().count();
        assert!(words <= WORDS_MAX, "{name}: {said}");
        assert!(!said.is_empty(), "{name} has no headline");
    }
}

/// The halves of the contracts, and the rates that were reached: they only rise as long as a half stays
/// the same, and are measured anew when contracts join it. Rules are written while looking at what is
/// used; what is kept is measured only.
const SETS: &[(&str, [usize; 7])] = &[
    ("used", [90, 99, 97, 100, 100, 100, 100]),
    ("kept", [95, 91, 97, 100, 100, 100, 100]),
];

/// Words of slots that no input may stand for.
const STATE: &[&str] = &[
    "crosshair",
    "dirty",
    "drag",
    "elapsed",
    "expanded",
    "hover",
    "position",
    "scroll",
    "selected",
    "unsaved",
    "visited",
    "volume",
    "zoom",
];

/// Ids of records of the page that a form asks a person to type.
fn typed(plan: &Plan, contract: &CompiledContract) -> Vec<String> {
    let reading = super::super::reading::read(contract, "");
    let mut typed = Vec::new();
    for gesture in &reading.gestures {
        let Some(offer) = plan.offer(gesture.name) else {
            continue;
        };
        for field in super::super::reading::fields(gesture.schema) {
            let is_given = offer.fixed.contains_key(field.name)
                || offer.chosen.contains_key(field.name)
                || offer.given.contains_key(field.name)
                || offer.fixed.values().any(|name| name == field.name)
                || offer.place == Place::Pick;
            let is_known = super::super::reading::referent(field.name, &reading.things).is_some();
            if !is_given
                && is_known
                && super::super::reading::choices(field.schema).is_none()
                && super::super::reading::is_id(&super::super::reading::singular(field.name))
            {
                typed.push(format!("{}.{}", gesture.name, field.name));
            }
        }
    }
    typed
}
