//! What any store may answer when it does not answer.

use std::sync::Arc;
use std::time::Duration;

use super::clock::Time;

/// How long a caller waits before it asks a store again that was not available: long enough for a
/// connection to come back, short enough that nobody gives up.
pub(crate) const STORE_WAIT: Duration = Duration::from_secs(1);

/// A store's failure; its source never reaches a caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum StoreError {
    /// Someone else was faster: read again, decide again.
    #[error("the log has moved on")]
    Conflict,
    /// A bound on how many an app may hold.
    #[error("{what}: at most {max} per app")]
    Full {
        /// What there are too many of.
        what: &'static str,
        max: usize,
        /// When there is room again at the latest, where that is known.
        free_at: Option<Time>,
    },
    /// The thing is not there, or belongs to another app.
    #[error("nothing of that name")]
    Missing,
    /// It did not answer. What it was to write may be written, or not.
    #[error("the store is not available: {reason}")]
    Unavailable {
        /// For the log of the server.
        reason: Arc<str>,
    },
}

impl StoreError {
    /// It did not answer, or what it answered cannot be used.
    pub(crate) fn unavailable(reason: impl ToString) -> Self {
        Self::Unavailable {
            reason: reason.to_string().into(),
        }
    }

    /// An app has as many handshakes open as it may.
    pub(crate) fn too_many_handshakes(max: usize, free_at: Option<Time>) -> Self {
        Self::Full {
            what: "open handshakes",
            max,
            free_at,
        }
    }

    /// An app has as many sessions as it may.
    pub(crate) fn too_many_sessions(max: usize) -> Self {
        Self::full("sessions", max)
    }

    /// There are as many as there may be, and nobody knows until when.
    pub(crate) fn full(what: &'static str, max: usize) -> Self {
        Self::Full {
            what,
            max,
            free_at: None,
        }
    }
}
