//! Collects violations up to a limit.

use super::at::At;
use super::violations::{VIOLATIONS_MAX, synthetic};
use crate::wire::contract::Violation;

/// Bytes of all violations that one refusal lists: enough for a hundred usual ones, and what a model
/// can read; the line after them says how many more there are.
const BYTES_MAX: usize = 64 * 1024;

/// Violations found so far; those past the limits are only counted.
#[derive(Default)]
pub(super) struct Found {
    /// The first ones.
    pub(super) violations: Vec<Violation>,
    /// How many there are in all.
    pub(super) count: usize,
    bytes: usize,
}

impl Found {
    /// Adds one.
    pub(super) fn add(&mut self, keyword: &str, at: &At<'_>, message: impl Into<String>) {
        self.keep(|| Violation {
            keyword: Some(keyword.to_owned()),
            ..synthetic(at.to_string(), message)
        });
    }

    /// Adds one that knows what would have been right.
    pub(super) fn add_pair(
        &mut self,
        keyword: &str,
        at: &At<'_>,
        message: impl Into<String>,
        expected: impl Into<String>,
        received: impl Into<String>,
    ) {
        self.keep(|| Violation {
            keyword: Some(keyword.to_owned()),
            expected: Some(expected.into()),
            received: Some(received.into()),
            ..synthetic(at.to_string(), message)
        });
    }

    /// Adds those of a branch.
    pub(super) fn append(&mut self, other: Found) {
        self.count += other.count - other.violations.len();
        for violation in other.violations {
            self.keep(|| violation);
        }
    }

    /// Keeps one, unless the list is full.
    pub(super) fn keep(&mut self, violation: impl FnOnce() -> Violation) {
        self.count += 1;
        if self.violations.len() >= VIOLATIONS_MAX || self.bytes >= BYTES_MAX {
            return;
        }
        let violation = violation();
        let texts = [&violation.expected, &violation.received];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        self.bytes += violation.field.len() + violation.message.len() + texts;
        self.violations.push(violation);
    }
}
