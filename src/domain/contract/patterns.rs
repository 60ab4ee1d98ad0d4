//! The regular expressions of schemas, each compiled once.

use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::Value;

use super::formats;
use super::keywords::children;

/// Compiled patterns by their texts, so that one used many times is compiled once.
#[derive(Default)]
pub(super) struct Patterns(HashMap<String, Option<Validator>>);

impl Patterns {
    /// The patterns of one schema.
    pub(super) fn of(schema: &Value) -> Self {
        let mut all = Self::default();
        all.collect(schema);
        all
    }

    fn collect(&mut self, schema: &Value) {
        let Value::Object(node) = schema else {
            return;
        };
        if let Some(Value::String(pattern)) = node.get("pattern") {
            self.is_pattern(pattern);
        }
        if let Some(Value::Object(patterns)) = node.get("patternProperties") {
            for pattern in patterns.keys() {
                self.is_pattern(pattern);
            }
        }
        for child in children(node) {
            self.collect(child.schema);
        }
    }

    /// Compiles `pattern` and returns whether the linear-time engine supports it.
    pub(super) fn is_pattern(&mut self, pattern: &str) -> bool {
        if let Some(known) = self.0.get(pattern) {
            return known.is_some();
        }
        let compiled = formats::single("pattern", &Value::from(pattern)).ok();
        let is_pattern = compiled.is_some();
        self.0.insert(pattern.to_owned(), compiled);
        is_pattern
    }

    /// Whether a text matches a pattern that was compiled before.
    pub(super) fn matches(&self, pattern: &str, text: &Value) -> bool {
        let compiled = self.0.get(pattern).and_then(Option::as_ref);
        compiled.is_some_and(|compiled| compiled.is_valid(text))
    }
}

/// The message about an unsupported pattern.
pub(super) fn unsupported_message(pattern: &str) -> String {
    format!(
        "pattern \"{pattern}\" is not a regular expression of the supported kind (no look-around, no back-references, no huge repetitions)"
    )
}
