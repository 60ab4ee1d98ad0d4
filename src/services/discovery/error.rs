//! Why nothing was found.

use super::super::book::BookError;
use crate::domain::store_error::StoreError;

/// Why nothing was found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DiscoveryError {
    /// The request names another app than its credential's.
    #[error("app {app} is not the caller's")]
    AppDenied {
        /// As it was asked for.
        app: String,
    },
    /// No blueprint of that id in the app.
    #[error("no blueprint {id}")]
    BlueprintNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The session is unknown, expired or another app's.
    #[error("no session {id}")]
    SessionNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
}

impl From<BookError> for DiscoveryError {
    fn from(error: BookError) -> Self {
        match error {
            BookError::SessionNotFound { id } => Self::SessionNotFound { id },
            BookError::Store(error) => Self::Store(error),
        }
    }
}
