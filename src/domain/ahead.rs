//! The port that looks ahead: what would become of calls of tools, before anybody makes them.

use std::collections::BTreeMap;

use async_trait::async_trait;

use super::operation::Caller;

/// What would stand in the way of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "gate"),
    expect(dead_code, reason = "the gate alone knows of such things")
)]
pub(crate) enum Prospect {
    /// It would be denied, for this reason.
    Denied(String),
    /// A person would have to agree.
    Held,
}

/// Looks ahead.
#[async_trait]
pub(crate) trait Ahead: Send + Sync {
    /// What stands in the way of calls by somebody, by the names of the tools; the others are free, or
    /// nobody here knows them.
    async fn foresee(&self, caller: &Caller, tools: &[&str]) -> BTreeMap<String, Prospect>;
}
