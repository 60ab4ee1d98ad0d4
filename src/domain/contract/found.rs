//! Collects violations up to a limit and counts the rest.

use super::at::At;
use super::violations::{VIOLATIONS_MAX, synthetic};
use crate::wire::contract::Violation;

/// Bytes of all violations in one refusal: enough for about a hundred, and still readable for a
/// model. A last line says how many more there are.
const BYTES_MAX: usize = 64 * 1024;

/// Violations found so far; those past the limits are only counted.
#[derive(Default)]
pub(super) struct Found {
    /// The first violations, up to the limits.
    pub(super) violations: Vec<Violation>,
    /// How many there are, the dropped ones included.
    pub(super) count: usize,
    bytes: usize,
}

impl Found {
    /// Adds a violation.
    pub(super) fn add(&mut self, keyword: &str, at: &At<'_>, message: impl Into<String>) {
        self.keep(|| Violation {
            keyword: Some(keyword.to_owned()),
            ..synthetic(at.to_string(), message)
        });
    }

    /// Adds a violation with the expected and the received value.
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

    /// Adds the violations of a branch.
    pub(super) fn append(&mut self, other: Found) {
        self.count += other.count - other.violations.len();
        for violation in other.violations {
            self.keep(|| violation);
        }
    }

    /// Keeps a violation, unless the list is full.
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
