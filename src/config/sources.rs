//! Remembers where each key was set, so that messages can name the file, variable or flag.

use std::collections::BTreeMap;

/// Where each key was set; keys with their default are absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sources(BTreeMap<String, String>);

impl Sources {
    /// Records where a key was set.
    pub(super) fn note(&mut self, key: &str, place: &str) {
        self.0.insert(key.to_owned(), place.to_owned());
    }

    /// Prefixes a problem, which begins with its key, with the place where the key was set.
    pub(super) fn blame(&self, problem: String) -> String {
        let key = problem.split(": ").next().unwrap_or_default();
        match self.0.get(key) {
            None => problem,
            Some(place) => format!("{place}: {problem}"),
        }
    }
}
