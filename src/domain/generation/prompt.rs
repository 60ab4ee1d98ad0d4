//! What a model is told: the rules, which are files, and the page as it was drafted or drawn.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use super::page::Page;
use crate::domain::compose::sketch;
use crate::domain::contract::CompiledContract;
use crate::domain::view::{CATALOG, View};
use crate::wire::contract::Finding;

/// What it is to do, and worked examples: the same for every page, so that providers keep it.
pub(super) const CHOOSE: &str = include_str!("../../../prompts/choose-a-page.md");

/// The same for a view of its own, with the catalog behind it.
pub(super) static DRAW: LazyLock<String> = LazyLock::new(|| {
    let rules = include_str!("../../../prompts/draw-a-page.md");
    format!("{rules}```json\n{}\n```\n", catalog())
});

/// Members of a schema or of an entry that hold values.
pub(super) const SAMPLES: &[&str] = &["default", "example", "examples"];

/// Findings that are told of one answer: more are mended with these, or not at all.
const FINDINGS_LISTED_MAX: usize = 20;

/// The page a model is to choose for.
pub(super) fn choose(page: &Page<'_>) -> String {
    describe_page(page, "draft", json!(sketch(page.contract, page.intent)))
}

/// The page a model may draw in the place of the one that it has chosen.
pub(super) fn draw(page: &Page<'_>, chosen: &View) -> String {
    describe_page(page, "page", chosen.value()["view"].clone())
}

/// A page, and under a name of its own how it is shown so far.
fn describe_page(page: &Page<'_>, name: &str, so_far: Value) -> String {
    let mut described = json!({
        "intent": page.intent,
        "contract": contract_shown(page.contract, page.values.is_some()),
        name: so_far,
    });
    if let Some(variance) = page.variance {
        described["variance"] = variance.clone();
    }
    if !page.remarks.is_empty() {
        described["remarks"] = json!(page.remarks);
    }
    if let Some(values) = page.values {
        described["props"] = values.clone();
    }
    described.to_string()
}

/// The four specs of a contract, with the values that stand in them or without.
pub(super) fn contract_shown(contract: &CompiledContract, has_values: bool) -> Value {
    let mut shown = Map::new();
    for spec in ["propsSpec", "actionSpec", "streamSpec", "contextSpec"] {
        if let Some(found) = contract.source().get(spec) {
            let found = match has_values {
                true => found.clone(),
                false => without_values(found.clone(), false),
            };
            shown.insert(spec.to_owned(), found);
        }
    }
    Value::Object(shown)
}

/// Components from which on a member that is the same in all of them is told once.
const SHARED_MIN: usize = 4;

/// The catalog without what every component has in common, and with what many share told once.
fn catalog() -> Value {
    const COMMON: &[&str] = &["accessibility", "component", "id", "tone", "weight"];
    let mut catalog: Value = serde_json::from_str(CATALOG).unwrap_or_default();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    let written = |name: &str, member: &Value| format!("{name}: {member}");
    let components = catalog["components"].as_object_mut().into_iter().flatten();
    for (_, component) in components {
        if let Some(members) = component["properties"].as_object_mut() {
            members.retain(|name, _| !COMMON.contains(&name.as_str()));
            for (name, member) in members.iter() {
                *times.entry(written(name, member)).or_default() += 1;
            }
        }
        if let Some(entry) = component.as_object_mut() {
            entry.retain(|name, _| {
                matches!(name.as_str(), "description" | "properties" | "required")
            });
        }
    }
    let mut shared = Map::new();
    let components = catalog["components"].as_object_mut().into_iter().flatten();
    for (_, component) in components {
        let mut also = Vec::new();
        if let Some(members) = component["properties"].as_object_mut() {
            members.retain(|name, member| {
                let is_shared = times[&written(name, member)] >= SHARED_MIN
                    && shared.get(name).is_none_or(|other| other == member);
                if is_shared {
                    shared.insert(name.clone(), member.clone());
                    also.push(name.clone());
                }
                !is_shared
            });
        }
        if !also.is_empty() {
            component["shared"] = json!(also);
        }
    }
    json!({
        "$defs": catalog["$defs"],
        "shared": shared,
        "components": catalog["components"],
        "functions": catalog["functions"],
    })
}

/// What is wrong with an answer, a line for each finding, and how it is mended.
pub(super) fn findings(found: &[Finding], mend: &str) -> String {
    let lines = found.iter().take(FINDINGS_LISTED_MAX).map(line);
    let lines: Vec<String> = lines.collect();
    format!("That does not fit:\n{}\n{mend}", lines.join("\n"))
}

/// One finding as models and people read it.
pub(super) fn line(found: &Finding) -> String {
    format!("[{}] {}: {}", found.code, found.path, found.message)
}

/// A contract without the values that stand in it as examples: they may tell something of a person.
fn without_values(value: Value, are_names: bool) -> Value {
    match value {
        Value::Object(members) => {
            let kept = members
                .into_iter()
                .filter(|(name, _)| are_names || !SAMPLES.contains(&name.as_str()));
            let kept = kept.map(|(name, inner)| {
                // Below these, members are named by the author.
                let are_names = !are_names && matches!(name.as_str(), "properties" | "$defs");
                let inner = without_values(inner, are_names);
                (name, inner)
            });
            Value::Object(kept.collect())
        }
        Value::Array(items) => {
            let items = items.into_iter();
            items.map(|item| without_values(item, false)).collect()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::free::Canvas;
    use super::*;
    use crate::domain::compose::{Choice, chosen, compose};
    use crate::domain::contract::samples::{basket, compiled};

    /// The blocks of JSON of a file, in order.
    fn blocks(file: &str) -> Vec<Value> {
        let after = file.split("```json\n").skip(1);
        let blocks = after.map(|rest| rest.split("```").next().unwrap_or_default());
        blocks
            .map(|text| serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}")))
            .collect()
    }

    #[test]
    fn every_worked_example_of_the_prompt_holds() {
        let blocks = blocks(CHOOSE);
        assert!(
            blocks.len() >= 4 && blocks.len().is_multiple_of(2),
            "{}",
            blocks.len()
        );
        for pair in blocks.chunks(2) {
            let [page, choice] = pair else { continue };
            let contract = compiled(&page["contract"]);
            let intent = page["intent"].as_str().unwrap();
            let choice: Choice = serde_json::from_value(choice.clone()).unwrap();
            let found = chosen(&contract, intent, &choice);
            assert!(found.is_ok(), "{choice:?}: {:#?}", found.err());
        }
    }

    #[test]
    fn the_worked_example_of_a_view_holds() {
        let blocks = blocks(&DRAW);
        let [page, sheet, catalog] = &blocks[..] else {
            panic!("{}", blocks.len())
        };
        let contract = compiled(&page["contract"]);
        let asked = Page {
            contract: &contract,
            intent: page["intent"].as_str().unwrap(),
            variance: None,
            remarks: &[],
            values: None,
        };
        let chosen = compose(&contract, asked.intent);
        let taken = Canvas::new(&asked, &chosen).take(&sheet.to_string());
        assert!(taken.unwrap().is_some());
        // What many components have is told once, and named in each.
        assert!(catalog["shared"]["rows"].is_object());
        let board = &catalog["components"]["Board"];
        assert!(board["shared"].as_array().unwrap().contains(&json!("rows")));
        assert!(board["properties"]["groupField"].is_object());
        assert!(catalog["functions"]["formatDate"].is_object());
        assert!(DRAW.len() < 64 << 10, "{}", DRAW.len());
    }

    #[test]
    fn the_rules_name_every_member_of_a_choice() {
        for member in [
            "headline", "lead", "main", "primary", "parts", "actions", "fields",
        ] {
            assert!(CHOOSE.contains(&format!("`{member}`")), "{member}");
        }
    }

    #[test]
    fn values_are_told_only_where_that_is_allowed() {
        let mut draft = basket();
        draft["propsSpec"]["properties"]["example"] =
            json!({"schema": {"type": "string", "default": "Secret default"}});
        draft["propsSpec"]["properties"]["note"]["example"] = json!("Secret example");
        let contract = compiled(&draft);
        let values = json!({"note": "Secret note"});
        let mut asked = Page {
            contract: &contract,
            intent: "Review the basket",
            variance: None,
            remarks: &[],
            values: None,
        };
        let prompt = choose(&asked);
        assert!(
            !prompt.contains("Secret") && !prompt.contains("Mug"),
            "{prompt}"
        );
        // A prop may be called like that.
        assert!(prompt.contains("/props/example"), "{prompt}");
        assert!(prompt.contains("unitPrice") && prompt.contains("Review the basket"));
        asked.values = Some(&values);
        let prompt = choose(&asked);
        assert_eq!(prompt.matches("Secret").count(), 3, "{prompt}");
    }
}
