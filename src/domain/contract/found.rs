//! Collects violations up to a limit.

use super::violations::{VIOLATIONS_MAX, synthetic};
use crate::wire::contract::Violation;

/// Violations found so far; those past the limit are only counted.
#[derive(Default)]
pub(super) struct Found {
    /// The first ones.
    pub(super) violations: Vec<Violation>,
    /// How many there are in all.
    pub(super) count: usize,
}

impl Found {
    /// Adds one; the answer takes details, unless the list is full.
    pub(super) fn add(
        &mut self,
        keyword: &str,
        field: &str,
        message: impl Into<String>,
    ) -> Option<&mut Violation> {
        self.count += 1;
        if self.violations.len() >= VIOLATIONS_MAX {
            return None;
        }
        let mut violation = synthetic(field, message);
        violation.keyword = Some(keyword.to_owned());
        self.violations.push(violation);
        self.violations.last_mut()
    }

    /// Adds one that knows what would have been right.
    pub(super) fn add_pair(
        &mut self,
        keyword: &str,
        field: &str,
        message: impl Into<String>,
        expected: impl Into<String>,
        received: impl Into<String>,
    ) {
        if let Some(violation) = self.add(keyword, field, message) {
            violation.expected = Some(expected.into());
            violation.received = Some(received.into());
        }
    }

    /// Adds those of a branch.
    pub(super) fn append(&mut self, other: Found) {
        self.count += other.count - other.violations.len();
        for violation in other.violations {
            self.count += 1;
            if self.violations.len() < VIOLATIONS_MAX {
                self.violations.push(violation);
            }
        }
    }
}
