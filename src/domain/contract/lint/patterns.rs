//! The patterns of schemas: compiled and tried only after every cap was found to hold.

use std::collections::HashMap;

use jsonschema::Validator;
use serde_json::Value;

use super::super::formats;

/// Patterns that were compiled on trial, each text once however often it stands in a contract.
#[derive(Default)]
pub(in super::super) struct Trials<'a>(HashMap<&'a str, Option<Validator>>);

impl<'a> Trials<'a> {
    /// Whether `pattern` is a regular expression of the linear engine.
    pub(super) fn is_pattern(&mut self, pattern: &'a str) -> bool {
        self.compiled(pattern).is_some()
    }

    /// Whether `pattern` is one and `text` has a match for it.
    pub(super) fn matches(&mut self, pattern: &'a str, text: &str) -> bool {
        let compiled = self.compiled(pattern).as_ref();
        compiled.is_some_and(|pattern| pattern.is_valid(&Value::from(text)))
    }

    fn compiled(&mut self, pattern: &'a str) -> &Option<Validator> {
        let compile = || formats::single("pattern", &Value::from(pattern)).ok();
        self.0.entry(pattern).or_insert_with(compile)
    }
}

/// What is said of a pattern that is none.
pub(super) fn refused(pattern: &str) -> String {
    format!(
        "pattern \"{pattern}\" is not a regular expression of the supported kind (no look-around, no back-references, no huge repetitions)"
    )
}
