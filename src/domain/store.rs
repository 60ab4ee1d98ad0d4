//! What any store may answer when it does not answer.

use std::sync::Arc;

use super::clock::Time;

/// A store's failure; its source never reaches a caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StoreError {
    /// Someone else was faster: read again, decide again.
    #[error("the log has moved on")]
    Conflict,
    /// The thing is not there, or belongs to another app.
    #[error("nothing of that name")]
    Missing,
    /// A bound on how many an app may hold.
    #[error("{what}: at most {max} per app")]
    Full {
        /// What there are too many of.
        what: &'static str,
        /// The bound.
        max: usize,
        /// When there is room again at the latest, where that is known.
        free_at: Option<Time>,
    },
    /// It did not answer. What it was to write may be written, or not.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "stores in this process always answer")
    )]
    #[error("the store is not available: {reason}")]
    Unavailable {
        /// For the log of the server.
        reason: Arc<str>,
    },
}
