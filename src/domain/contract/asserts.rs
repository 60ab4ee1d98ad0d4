//! Compiled checks of the keywords that are languages of their own: formats and patterns.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use jsonschema::Validator;
use serde_json::Value;

use super::formats;
use super::keywords::children;

/// Compiled checks of single keywords.
#[derive(Default)]
pub(super) struct Asserts(HashMap<(&'static str, String), Validator>);

impl Asserts {
    /// Compiles the `format`s and `pattern`s of a schema.
    ///
    /// # Errors
    ///
    /// The engine's words, for schemas the gate should have refused.
    pub(super) fn collect(&mut self, schema: &Value) -> Result<(), String> {
        let Value::Object(node) = schema else {
            return Ok(());
        };
        let mut add = |keyword: &'static str, text: &str| -> Result<(), String> {
            if let Entry::Vacant(entry) = self.0.entry((keyword, text.to_owned())) {
                entry.insert(formats::single(keyword, &Value::from(text))?);
            }
            Ok(())
        };
        for keyword in ["format", "pattern"] {
            if let Some(Value::String(text)) = node.get(keyword) {
                add(keyword, text)?;
            }
        }
        if let Some(Value::Object(patterns)) = node.get("patternProperties") {
            for pattern in patterns.keys() {
                add("pattern", pattern)?;
            }
        }
        for child in children(node) {
            self.collect(child.schema)?;
        }
        Ok(())
    }

    /// Whether a value fits; a check that was not collected says nothing.
    pub(super) fn holds(&self, keyword: &'static str, text: &str, value: &Value) -> bool {
        self.0
            .get(&(keyword, text.to_owned()))
            .is_none_or(|validator| validator.is_valid(value))
    }
}
