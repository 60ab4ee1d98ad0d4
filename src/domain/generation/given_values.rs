//! The values that a model was told. What it writes is shown to whoever sees the next page of the same
//! contract, so none of its words may repeat them.

use std::collections::BTreeSet;

use serde_json::Value;

use super::page::Page;
use super::prompt::{SAMPLES, contract_shown};
use crate::domain::compose::Choice;
use crate::domain::contract::error;
use crate::wire::contract::Finding;

/// Characters of the shortest value that is looked for: shorter ones stand in many texts by chance.
const VALUE_CHARS_MIN: usize = 3;
/// The same in scripts without spaces, where many names have two.
const DENSE_CHARS_MIN: usize = 2;

/// The values that a model was told, in lower case.
pub(super) struct GivenValues(BTreeSet<String>);

impl GivenValues {
    /// Those of a page, without those that its contract has as words of its own.
    pub(super) fn of(page: &Page<'_>) -> Self {
        let mut values = BTreeSet::new();
        if let Some(props) = page.values {
            leaves(props, &mut values);
            samples(page.contract.source(), &mut values);
            let own = contract_shown(page.contract, false).to_string();
            let own = own.to_lowercase();
            values.retain(|value| is_distinctive(value) && !has_word(&own, value));
        }
        Self(values)
    }

    /// Whether a text repeats one of them.
    pub(super) fn stands_in(&self, text: &str) -> bool {
        let text = text.to_lowercase();
        self.0.iter().any(|value| has_word(&text, value))
    }

    /// The words of a choice that repeat one of them.
    pub(super) fn repeated_in(&self, choice: &Choice) -> Vec<Finding> {
        let mut words: Vec<(String, &str)> = Vec::new();
        if let Some(headline) = &choice.headline {
            words.push(("headline.text".to_owned(), &headline.text));
        }
        words.extend(choice.lead.iter().map(|lead| ("lead".to_owned(), &**lead)));
        for part in &choice.parts {
            let path = format!("parts[{}]", part.source);
            let title = part.title.iter();
            words.extend(title.map(|title| (format!("{path}.title"), &**title)));
            for field in &part.fields {
                let label = field.label.iter();
                let at = format!("{path}.fields[{}].label", field.field);
                words.extend(label.map(|label| (at.clone(), &**label)));
            }
        }
        let repeating = words.into_iter().filter(|(_, text)| self.stands_in(text));
        let why = "repeats a value of the data, which the next person would see; say it without";
        repeating
            .map(|(path, _)| error("CHOICE_HOLDS_DATA", &path, why))
            .collect()
    }
}

/// Whether a value is long enough not to stand in a text by chance.
fn is_distinctive(value: &str) -> bool {
    let min = match value.chars().any(is_dense) {
        true => DENSE_CHARS_MIN,
        false => VALUE_CHARS_MIN,
    };
    value.chars().count() >= min
}

/// Whether a text holds a value, and not only as a part of a word.
fn has_word(text: &str, value: &str) -> bool {
    let joins = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_dense(c));
    text.match_indices(value).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + value.len()..].chars().next();
        let is_begun = joins(before) && joins(value.chars().next());
        let goes_on = joins(after) && joins(value.chars().next_back());
        !is_begun && !goes_on
    })
}

/// Whether a character belongs to a script that writes words without spaces, or endings onto names.
fn is_dense(c: char) -> bool {
    // Thai to Myanmar, Hangul jamo, Khmer, then Chinese, Japanese and Korean.
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{11ff}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// The texts and numbers in a value.
fn leaves(value: &Value, values: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            values.insert(text.trim().to_lowercase());
        }
        Value::Number(number) => {
            values.insert(number.to_string());
        }
        Value::Array(items) => items.iter().for_each(|item| leaves(item, values)),
        Value::Object(members) => members.values().for_each(|inner| leaves(inner, values)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The texts and numbers in the samples of a contract.
fn samples(contract: &Value, values: &mut BTreeSet<String>) {
    match contract {
        Value::Object(members) => {
            for (name, inner) in members {
                if SAMPLES.contains(&name.as_str()) {
                    leaves(inner, values);
                }
                samples(inner, values);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| samples(item, values)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::contract::samples::{compiled, todo_list};

    #[test]
    fn words_repeat_a_value_in_any_case_and_script_and_not_as_a_part_of_a_word() {
        let contract = compiled(&todo_list());
        let values = json!({"todos": [
            {"id": "t1", "title": "Call Maria Jensen", "by": "Bob", "for": "田中"},
            {"id": "t2", "title": "done", "by": "Al"},
        ]});
        let given = GivenValues::of(&Page {
            contract: &contract,
            intent: "Keep track of the work",
            variance: None,
            remarks: &[],
            values: Some(&values),
        });
        for text in [
            "Call Maria Jensen",
            "call maria jensen today",
            "Work (Bob)",
            "田中さんの予定",
        ] {
            assert!(given.stands_in(text), "{text}");
        }
        // Words of the contract, and those that only begin alike.
        for text in ["Done", "Bobsleigh runs", "Almost all", "予定"] {
            assert!(!given.stands_in(text), "{text}");
        }
    }
}
