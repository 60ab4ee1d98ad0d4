//! What tells one version of the rules from another.

use std::fmt;

use serde::Serialize;
use serde_json::{Value, json};

use super::super::digest::{hex, sha256};

/// The members of a gate file that say who may do what with which servers, and who is asked.
const MEMBERS: [&str; 3] = ["approval", "governance", "sources"];

/// The version of the rules: a hash of what the gate file and its policies say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct PolicyVersion(String);

impl PolicyVersion {
    /// The version of the rules in a gate file that was read, and of its policies.
    pub(crate) fn of(file: &Value, policies: &[String]) -> Self {
        let said = MEMBERS.map(|member| file.get(member));
        Self(canonical_hash(&json!([said, policies])))
    }
}

impl fmt::Display for PolicyVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The hash of a value, whatever the order of its members.
pub(super) fn canonical_hash(value: &impl Serialize) -> String {
    // What has no canonical text (a number beyond all others) is taken as it was written.
    let text = serde_jcs::to_string(value).or_else(|_| serde_json::to_string(value));
    hex(&sha256(text.unwrap_or_default().as_bytes()))
}
