//! Finds data and addresses that a model has written into a view, where they would be shown to whoever
//! sees the next page of the same contract.

use std::collections::BTreeSet;

use serde_json::Value;

use super::page::Page;
use super::prompt::{SAMPLES, contract_shown};
use crate::domain::contract::error;
use crate::wire::contract::Finding;

/// Characters of words of a model's own: a sentence or two.
const WORDS_CHARS_MAX: usize = 240;
/// Characters of the shortest value that is looked for: shorter ones stand in many words.
const VALUE_CHARS_MIN: usize = 4;
/// Members of a component that show a value.
const VALUES: &[&str] = &[
    "after", "before", "complete", "current", "patch", "url", "value",
];
/// Members that hold words.
const WORDS: &[&str] = &[
    "cellLabel",
    "caption",
    "description",
    "emptyText",
    "label",
    "message",
    "submitLabel",
    "text",
    "title",
    "unit",
];
/// Members that hold schemas and samples, all of whose words are shown.
const FORMS: &[&str] = &["example", "inputs", "schema"];

/// What a model has written instead of binding it.
pub(super) fn literals(components: &[Value], page: &Page<'_>) -> Vec<Finding> {
    let told = told(page);
    let mut found = Vec::new();
    for component in components {
        let id = component["id"].as_str().unwrap_or_default();
        for (member, value) in component.as_object().into_iter().flatten() {
            let at = format!("components[{id}].{member}");
            let mut report = |why: String| found.push(error("VIEW_LITERAL", &at, why));
            if VALUES.contains(&member.as_str()) && is_written(value) {
                report("is written; bind what is shown".to_owned());
            }
            for item in value.as_array().into_iter().flatten() {
                if member == "items" && item.get("value").is_some_and(is_written) {
                    report("a value is written; bind what is shown".to_owned());
                }
            }
            let place = Place::of(member);
            walk(value, place, &told, &mut report);
        }
    }
    found
}

/// Whether a value is given as it is.
fn is_written(value: &Value) -> bool {
    !(value.is_object() || value.is_null())
}

/// What texts in a place are.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Names of the catalog or of the contract.
    Names,
    /// Words for people.
    Words,
    /// All of it is words for people.
    Form,
}

impl Place {
    fn of(member: &str) -> Self {
        if FORMS.contains(&member) {
            Self::Form
        } else if WORDS.contains(&member) {
            Self::Words
        } else {
            Self::Names
        }
    }
}

fn walk(value: &Value, place: Place, told: &BTreeSet<String>, report: &mut dyn FnMut(String)) {
    match value {
        Value::String(text) => {
            if is_address(text) {
                report("holds an address; bind it".to_owned());
            }
            if place == Place::Names {
                return;
            }
            if text.chars().count() > WORDS_CHARS_MAX {
                report(format!("is longer than {WORDS_CHARS_MAX} characters"));
            }
            if told.iter().any(|value| has_word(text, value)) {
                report("holds a value of the data; bind it".to_owned());
            }
        }
        Value::Number(number) if place == Place::Form => {
            if told.contains(&number.to_string()) {
                report("holds a value of the data; bind it".to_owned());
            }
        }
        Value::Array(items) => {
            for item in items {
                walk(item, place, told, report);
            }
        }
        Value::Object(members) => {
            // What a function is given is shown, the words of a format among it.
            let is_call = members.contains_key("call");
            if members.get("call").is_some_and(|name| name == "openUrl")
                && value.pointer("/args/url").is_some_and(Value::is_string)
            {
                report("holds an address; bind it".to_owned());
            }
            for (member, inner) in members {
                let inside = match (place, member.as_str()) {
                    (Place::Form, _) => Place::Form,
                    (_, "path") => continue,
                    (_, "args") if is_call => Place::Form,
                    (_, name) => Place::of(name),
                };
                walk(inner, inside, told, report);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a text leads somewhere: written out, without its scheme, or as a link of Markdown.
fn is_address(text: &str) -> bool {
    text.contains("//") || text.contains("](")
}

/// Whether a text holds a value, and not only as a part of a word.
fn has_word(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + value.len()..].chars().next();
        let is_part = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !is_part(before) && !is_part(after)
    })
}

/// The values that the model was told, without those that the contract has as words of its own.
fn told(page: &Page<'_>) -> BTreeSet<String> {
    let Some(props) = page.values else {
        return BTreeSet::new();
    };
    let own = contract_shown(page.contract, false).to_string();
    let mut told = BTreeSet::new();
    leaves(props, &mut told);
    samples(page.contract.source(), &mut told);
    told.retain(|value| value.chars().count() >= VALUE_CHARS_MIN && !own.contains(value.as_str()));
    told
}

/// The texts and numbers in a value.
fn leaves(value: &Value, told: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            told.insert(text.trim().to_owned());
        }
        Value::Number(number) => {
            told.insert(number.to_string());
        }
        Value::Array(items) => items.iter().for_each(|item| leaves(item, told)),
        Value::Object(members) => members.values().for_each(|inner| leaves(inner, told)),
        Value::Null | Value::Bool(_) => {}
    }
}

/// The texts and numbers in the samples of a contract.
fn samples(contract: &Value, told: &mut BTreeSet<String>) {
    match contract {
        Value::Object(members) => {
            for (name, inner) in members {
                if SAMPLES.contains(&name.as_str()) {
                    leaves(inner, told);
                }
                samples(inner, told);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| samples(item, told)),
        _ => {}
    }
}
