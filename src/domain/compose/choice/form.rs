//! The form of a choice, small enough that a model can be held to it while it writes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::super::plan::{Headline, Place};
use crate::wire::contract::Finding;

/// What is chosen of a page. It names what there is and never holds values; what it leaves out stays
/// as it was drafted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Choice {
    /// The subject of the page in at most eight words: fixed words, the path of a value of the page,
    /// or words before that value.
    pub(crate) headline: Option<Headline>,
    /// One sentence below it.
    pub(crate) lead: Option<String>,
    /// The source of the part the page is about.
    pub(crate) main: Option<String>,
    /// The action that stands out.
    pub(crate) primary: Option<String>,
    /// Parts of the page in the order in which they are shown within their region.
    pub(crate) parts: Vec<PartChoice>,
    /// Actions of the page in the order in which they are offered.
    pub(crate) actions: Vec<ActionChoice>,
}

/// What is chosen of a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct PartChoice {
    /// The source of the part.
    pub(crate) source: String,
    /// The component that shows it.
    #[serde(default)]
    pub(crate) component: Option<String>,
    /// What stands above it.
    #[serde(default)]
    pub(crate) title: Option<String>,
    /// Its values in order; those that are left out follow as they were drafted.
    #[serde(default)]
    pub(crate) fields: Vec<FieldChoice>,
}

/// What is chosen of a value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct FieldChoice {
    /// The value.
    pub(crate) field: String,
    /// Its name for people.
    #[serde(default)]
    pub(crate) label: Option<String>,
}

/// What is chosen of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct ActionChoice {
    /// The action.
    pub(crate) action: String,
    /// How it is offered.
    #[serde(default)]
    pub(crate) place: Option<Place>,
}

impl Choice {
    /// This choice without what was found wrong in it: whole entries, which stay as they were drafted.
    pub(crate) fn without(mut self, found: &[Finding]) -> Self {
        let is_wrong = |place: &str| {
            let mut paths = found.iter().map(|finding| finding.path.as_str());
            paths.any(|path| {
                let rest = path.strip_prefix(place);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        self.headline = self.headline.filter(|_| !is_wrong("headline"));
        self.lead = self.lead.filter(|_| !is_wrong("lead"));
        self.main = self.main.filter(|_| !is_wrong("main"));
        self.primary = self.primary.filter(|_| !is_wrong("primary"));
        self.parts
            .retain(|part| !is_wrong(&format!("parts[{}]", part.source)));
        self.actions
            .retain(|action| !is_wrong(&format!("actions[{}]", action.action)));
        self
    }

    /// This choice with what another one says anew: whole entries take the place of those of the same
    /// name.
    pub(crate) fn mended_by(mut self, other: Self) -> Self {
        fn put<T>(all: &mut Vec<T>, new: Vec<T>, is_same: impl Fn(&T, &T) -> bool) {
            for entry in new {
                match all.iter_mut().find(|old| is_same(old, &entry)) {
                    Some(old) => *old = entry,
                    None => all.push(entry),
                }
            }
        }
        put(&mut self.parts, other.parts, |a, b| a.source == b.source);
        put(&mut self.actions, other.actions, |a, b| {
            a.action == b.action
        });
        Self {
            headline: other.headline.or(self.headline),
            lead: other.lead.or(self.lead),
            main: other.main.or(self.main),
            primary: other.primary.or(self.primary),
            ..self
        }
    }
}

/// The JSON Schema of a choice as providers take it who hold a model to a schema: every member is
/// named and required, those that may be left out are nullable, and nothing else is said of them.
pub(crate) fn choice_schema() -> Value {
    let mut settings = schemars::generate::SchemaSettings::draft07();
    settings.inline_subschemas = true;
    settings.meta_schema = None;
    let root = settings.into_generator().into_root_schema_for::<Choice>();
    plain(root.to_value())
}

/// A schema with the keywords that every provider knows.
fn plain(schema: Value) -> Value {
    const KNOWN: &[&str] = &[
        "$ref",
        "anyOf",
        "const",
        "description",
        "enum",
        "items",
        "properties",
        "type",
    ];
    let Value::Object(members) = schema else {
        return schema;
    };
    // One of several words, each with its meaning, is one of several words.
    if let Some(words) = members.get("oneOf").and_then(Value::as_array) {
        let words: Vec<&Value> = words
            .iter()
            .filter_map(|word| word.get("const").or_else(|| word.pointer("/enum/0")))
            .collect();
        return json!({"type": "string", "enum": words});
    }
    let mut all = Map::new();
    for (name, value) in members {
        if !KNOWN.contains(&name.as_str()) {
            continue;
        }
        let value = match (name.as_str(), value) {
            ("properties", Value::Object(inner)) => {
                let required: Vec<&String> = inner.keys().collect();
                all.insert("required".to_owned(), json!(required));
                all.insert("additionalProperties".to_owned(), json!(false));
                let inner = inner
                    .into_iter()
                    .map(|(name, schema)| (name, plain(schema)));
                Value::Object(inner.collect())
            }
            ("anyOf", Value::Array(inner)) => inner.into_iter().map(plain).collect(),
            ("items", inner) => plain(inner),
            (_, value) => value,
        };
        all.insert(name, value);
    }
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::contract::error;

    fn part(source: &str, component: &str) -> PartChoice {
        PartChoice {
            source: source.to_owned(),
            component: Some(component.to_owned()),
            title: None,
            fields: Vec::new(),
        }
    }

    #[test]
    fn what_is_wrong_goes_as_a_whole_and_the_rest_stays() {
        let choice = Choice {
            lead: Some("One sentence.".to_owned()),
            main: Some("/props/a".to_owned()),
            parts: vec![part("/props/a", "Bord"), part("/props/ab", "Table")],
            ..Choice::default()
        };
        let found = ["main", "parts[/props/a].component", "lead-in", "<root>"];
        let found = found.map(|path| error("X", path, "m"));
        let left = choice.without(&found);
        assert_eq!(left.lead.as_deref(), Some("One sentence."));
        assert_eq!(left.main, None);
        assert_eq!(left.parts, [part("/props/ab", "Table")]);
    }

    #[test]
    fn a_repair_replaces_whole_entries_and_leaves_the_others() {
        let first = Choice {
            lead: Some("One sentence.".to_owned()),
            parts: vec![part("/props/a", "Table"), part("/props/b", "Bord")],
            ..Choice::default()
        };
        let repair = Choice {
            main: Some("/props/b".to_owned()),
            parts: vec![part("/props/b", "Board"), part("/props/c", "Cards")],
            ..Choice::default()
        };
        let mended = first.mended_by(repair);
        assert_eq!(mended.lead.as_deref(), Some("One sentence."));
        assert_eq!(mended.main.as_deref(), Some("/props/b"));
        let expected = [
            part("/props/a", "Table"),
            part("/props/b", "Board"),
            part("/props/c", "Cards"),
        ];
        assert_eq!(mended.parts, expected);
    }

    #[test]
    fn the_schema_of_a_choice_is_one_that_every_provider_takes() {
        fn walk(schema: &Value, depth: usize, properties: &mut usize) {
            assert!(depth <= 10, "no provider takes more");
            for unknown in ["default", "format", "oneOf", "$schema", "minimum"] {
                assert!(schema.get(unknown).is_none(), "{unknown}: {schema}");
            }
            if let Some(inner) = schema.get("properties").and_then(Value::as_object) {
                *properties += inner.len();
                let names: Vec<&String> = inner.keys().collect();
                assert_eq!(schema["required"], json!(names));
                assert_eq!(schema["additionalProperties"], false);
                inner
                    .values()
                    .for_each(|inner| walk(inner, depth + 1, properties));
            }
            for inner in schema["anyOf"].as_array().into_iter().flatten() {
                walk(inner, depth, properties);
            }
            if let Some(items) = schema.get("items") {
                walk(items, depth + 1, properties);
            }
        }
        let schema = choice_schema();
        assert_eq!(schema["type"], "object");
        let mut properties = 0;
        walk(&schema, 1, &mut properties);
        assert!((10..100).contains(&properties), "{properties}: {schema}");
        let headline = schema["properties"]["headline"].to_string();
        assert!(headline.contains("null"), "{headline}");
    }
}
