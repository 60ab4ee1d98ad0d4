//! What a model is told: the rules, which are a file, and the page as it was drafted.

use serde_json::{Map, Value, json};

use super::page::Page;
use crate::domain::compose::sketch;
use crate::wire::contract::Finding;

/// What it is to do, and worked examples: the same for every page, so that providers keep it.
pub(super) const SYSTEM: &str = include_str!("../../../prompts/choose-a-page.md");

/// Findings that are told of one answer: more are mended with these, or not at all.
const FINDINGS_TOLD_MAX: usize = 20;

/// The page a model is to choose for.
pub(super) fn page(page: &Page<'_>) -> String {
    let contract = page.contract.source();
    let mut shown = Map::new();
    for spec in ["propsSpec", "actionSpec", "streamSpec", "contextSpec"] {
        if let Some(found) = contract.get(spec) {
            let found = match page.values {
                Some(_) => found.clone(),
                None => without_values(found.clone(), false),
            };
            shown.insert(spec.to_owned(), found);
        }
    }
    let mut told = json!({
        "intent": page.intent,
        "contract": shown,
        "draft": sketch(page.contract, page.intent),
    });
    if let Some(variance) = page.variance {
        told["variance"] = variance.clone();
    }
    if let Some(values) = page.values {
        told["props"] = values.clone();
    }
    told.to_string()
}

/// What is wrong with an answer, a line for each finding.
pub(super) fn findings(found: &[Finding]) -> String {
    let lines = found.iter().take(FINDINGS_TOLD_MAX).map(line);
    let lines: Vec<String> = lines.collect();
    format!(
        "That does not fit:\n{}\nAnswer with a choice that holds whole corrected entries only; \
         everything else stays as you have chosen it.",
        lines.join("\n")
    )
}

/// One finding as models and people read it.
pub(super) fn line(found: &Finding) -> String {
    format!("[{}] {}: {}", found.code, found.path, found.message)
}

/// A contract without the values that stand in it as examples: they may tell something of a person.
fn without_values(value: Value, are_names: bool) -> Value {
    /// Members of a schema or of an entry that hold values.
    const VALUES: &[&str] = &["default", "example", "examples"];
    match value {
        Value::Object(members) => {
            let kept = members
                .into_iter()
                .filter(|(name, _)| are_names || !VALUES.contains(&name.as_str()));
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
    use super::*;
    use crate::domain::compose::{Choice, chosen};
    use crate::domain::contract::samples::{basket, compiled};

    /// The blocks of JSON of the file, in order.
    fn blocks() -> Vec<Value> {
        let after = SYSTEM.split("```json\n").skip(1);
        let blocks = after.map(|rest| rest.split("```").next().unwrap_or_default());
        blocks
            .map(|text| serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}: {text}")))
            .collect()
    }

    #[test]
    fn every_worked_example_of_the_prompt_holds() {
        let blocks = blocks();
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
    fn the_rules_name_every_member_of_a_choice() {
        for member in [
            "headline", "lead", "main", "primary", "parts", "actions", "fields",
        ] {
            assert!(SYSTEM.contains(&format!("`{member}`")), "{member}");
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
            values: None,
        };
        let told = page(&asked);
        assert!(!told.contains("Secret") && !told.contains("Mug"), "{told}");
        // A prop may be called like that.
        assert!(told.contains("/props/example"), "{told}");
        assert!(told.contains("unitPrice") && told.contains("Review the basket"));
        asked.values = Some(&values);
        let told = page(&asked);
        assert_eq!(told.matches("Secret").count(), 3, "{told}");
    }
}
