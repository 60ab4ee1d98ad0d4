//! Policies that were checked, in the forms in which they are asked.

use std::collections::BTreeMap;

use cedar_policy::{PolicyId, PolicySet};

/// Policies that were checked.
#[derive(Default)]
pub(super) struct Loaded {
    /// As they are written.
    pub(super) exact: PolicySet,
    /// The same for those who have not said with which arguments they will call.
    pub(super) ahead: PolicySet,
    /// What each says in words.
    pub(super) words: BTreeMap<PolicyId, Words>,
}

/// What a policy says in words.
pub(super) struct Words {
    /// Its place among all: where several decide alike, the first speaks.
    pub(super) place: usize,
    /// The way in which a person is asked about what it permits.
    pub(super) approval: Option<String>,
    /// For whoever is denied by it.
    pub(super) reason: Option<String>,
}
