//! Arguments that a person may change before they agree: which those are, and what comes of it.

use serde_json::{Map, Value, json};

use super::policy::canonical_hash;
use super::redaction::visible;
use super::workflow::Workflow;

/// Fields of one form: more than people look through.
const FIELDS_MAX: usize = 20;
/// Longest text that a person gives, in characters: as long as one that they are shown.
const TEXT_CHARS_MAX: usize = 2_000;

/// The arguments that a person may change: texts, numbers and yes or no, which they see whole.
pub(crate) struct Editing<'a>(Vec<(&'a String, &'a Value)>);

/// What a call is given after a person has changed it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Edited {
    /// Everything that the tool is given.
    pub(crate) arguments: Map<String, Value>,
    /// What was changed of it.
    pub(crate) changes: Map<String, Value>,
}

impl<'a> Editing<'a> {
    /// Those of a call; none where the way in which people are asked does not allow it.
    pub(crate) fn of(workflow: &Workflow, arguments: &'a Map<String, Value>) -> Self {
        let is_shown = |(name, value): &(&String, &Value)| {
            let text = match value {
                Value::String(text) if !text.is_empty() => text.clone(),
                Value::Bool(_) | Value::Number(_) => value.to_string(),
                _ => return false,
            };
            visible(name) == **name && workflow.redaction.shows(name, &text)
        };
        let fields = arguments.iter().filter(|_| workflow.allows_edits);
        Self(fields.filter(is_shown).take(FIELDS_MAX).collect())
    }

    /// The schema of what a person gives; none where there is nothing to change.
    pub(super) fn schema(&self) -> Option<Value> {
        let fields = self.fields().map(|(key, name, value)| {
            let mut field = match value {
                Value::Bool(_) => json!({"type": "boolean"}),
                Value::Number(number) if number.is_f64() => json!({"type": "number"}),
                Value::Number(_) => json!({"type": "integer"}),
                // A longer text gets a larger field.
                Value::String(text) if text.contains('\n') => {
                    json!({"type": "string", "minLength": 1, "maxLength": TEXT_CHARS_MAX})
                }
                _ => json!({"type": "string", "minLength": 1}),
            };
            field["title"] = name.as_str().into();
            (key, field)
        });
        let fields: Map<_, _> = fields.collect();
        let required: Vec<_> = fields.keys().cloned().collect();
        let is_any = !fields.is_empty();
        is_any.then(|| json!({"type": "object", "properties": fields, "required": required}))
    }

    /// What the fields start from.
    pub(super) fn initial(&self) -> Value {
        let fields = self.fields();
        let fields = fields.map(|(key, _, value)| (key, value.clone()));
        Value::Object(fields.collect())
    }

    /// The arguments with what a person gave in their places.
    pub(crate) fn apply(&self, arguments: &Map<String, Value>, given: &Value) -> Edited {
        let mut edited = Edited {
            arguments: arguments.clone(),
            changes: Map::new(),
        };
        for (key, name, before) in self.fields() {
            let Some(now) = given.get(&key).filter(|now| *now != before) else {
                continue;
            };
            edited.arguments.insert(name.clone(), now.clone());
            edited.changes.insert(name.clone(), now.clone());
        }
        edited
    }

    /// Each with the name of its field: those of arguments may be such that no form has them.
    fn fields(&self) -> impl Iterator<Item = (String, &'a String, &'a Value)> {
        let fields = self.0.iter().enumerate();
        fields.map(|(at, (name, value))| (format!("field{at}"), *name, *value))
    }
}

impl Edited {
    /// A hash of the arguments.
    pub(crate) fn hash(&self) -> String {
        canonical_hash(&self.arguments)
    }

    /// What was changed, in words for the card.
    pub(crate) fn words(&self) -> Option<String> {
        let changes = self.changes.iter();
        let changes = changes.map(|(name, value)| format!("{name} is {value}"));
        let changes: Vec<_> = changes.collect();
        (!changes.is_empty()).then(|| format!("Changed: {}.", changes.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::super::workflow::workflows;
    use super::*;

    #[test]
    fn what_a_person_sees_whole_can_be_changed_and_nothing_else() {
        let entry = json!({"allow": ["edit"], "redact_fields": ["pin"]});
        let entries = [("ops".to_owned(), serde_json::from_value(entry).unwrap())];
        let workflow = workflows(&entries.into(), &mut Vec::new())["ops"].clone();
        let Value::Object(arguments) = json!({
            "path": "/a", "count": 3, "share": 0.5, "force": true, "token": "S", "pin": "S",
            "hidden": "a\u{202e}b", "long": "x".repeat(3_000), "list": [1], "none": null, "empty": "",
        }) else {
            panic!("an object");
        };
        let editing = Editing::of(&workflow, &arguments);
        assert_eq!(
            editing.initial(),
            json!({"field0": "/a", "field1": 3, "field2": 0.5, "field3": true})
        );
        let schema = editing.schema().unwrap();
        assert_eq!(
            schema["properties"]["field1"],
            json!({"type": "integer", "title": "count"})
        );
        let edited = editing.apply(
            &arguments,
            &json!({"field0": "/b", "field1": 3, "field9": 1}),
        );
        assert_eq!(Value::Object(edited.changes.clone()), json!({"path": "/b"}));
        assert_eq!(edited.arguments["path"], "/b");
        assert_eq!(edited.arguments["token"], "S");
        assert_eq!(edited.arguments.len(), arguments.len());
        assert_eq!(edited.words().unwrap(), "Changed: path is \"/b\".");
    }
}
