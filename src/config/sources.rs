//! Who set a key: a file, a variable or a flag, so that a problem names the place to mend.

use std::collections::BTreeMap;

/// Where each key was set that was.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Sources(BTreeMap<String, String>);

impl Sources {
    /// Notes where a key was set.
    pub(super) fn note(&mut self, key: &str, place: &str) {
        self.0.insert(key.to_owned(), place.to_owned());
    }

    /// A problem that begins with its key, behind the place where the key was set.
    pub(super) fn blame(&self, problem: String) -> String {
        let key = problem.split(": ").next().unwrap_or_default();
        match self.0.get(key) {
            None => problem,
            Some(place) => format!("{place}: {problem}"),
        }
    }
}
