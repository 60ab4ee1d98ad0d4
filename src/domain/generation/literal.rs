//! Finds data and addresses that a model has written into a view, where they would be shown to whoever
//! sees the next page of the same contract.

use serde_json::Value;

use super::given_values::GivenValues;
use super::page::Page;
use crate::domain::contract::error;
use crate::wire::contract::Finding;

/// Characters of words of a model's own: a sentence or two.
const WORDS_CHARS_MAX: usize = 240;
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
    let given = GivenValues::of(page);
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
            walk(value, place, &given, &mut report);
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

fn walk(value: &Value, place: Place, given: &GivenValues, report: &mut dyn FnMut(String)) {
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
            if given.stands_in(text) {
                report("holds a value of the data; bind it".to_owned());
            }
        }
        Value::Number(number) if place == Place::Form => {
            if given.stands_in(&number.to_string()) {
                report("holds a value of the data; bind it".to_owned());
            }
        }
        Value::Array(items) => {
            for item in items {
                walk(item, place, given, report);
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
                walk(inner, inside, given, report);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether a text leads somewhere: written out, without its scheme, or as a link of Markdown.
fn is_address(text: &str) -> bool {
    text.contains("//") || text.contains("](")
}
