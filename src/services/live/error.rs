//! Why a session is not followed, or not from where it was asked.

use crate::domain::store_error::StoreError;
use crate::wire::ids::Seq;

/// Why a session is not followed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LiveError {
    /// As many follow it as may.
    #[error("{max} follow the session already")]
    Full { max: usize },
    /// The session cannot be read, or is none.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why there is no page of a session's ledger.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PageError {
    /// The position lies outside of what is kept.
    #[error("the ledger is not kept from there on")]
    Passed {
        /// Where the ledger stands.
        current: Seq,
    },
    /// The session cannot be read.
    #[error("session {id} cannot be read")]
    Unread {
        /// As it was asked for.
        id: String,
        /// Why.
        #[source]
        error: LiveError,
    },
}

/// Why a ledger cursor is of no use. The subscription stands all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CursorError {
    /// It is no position.
    Malformed,
    /// It lies outside of what is kept.
    Passed {
        /// Where the ledger stands.
        current: Seq,
    },
}
