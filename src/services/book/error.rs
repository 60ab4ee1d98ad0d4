//! Why a session was not reached.

use crate::domain::store_error::StoreError;
use crate::wire::ids::SessionKey;

/// Why a session was not reached, or nothing was written in it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BookError {
    /// The session is unknown, expired or another's.
    #[error("no session {id}")]
    SessionNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The store failed.
    #[error("the session store failed")]
    Store(#[source] StoreError),
}

impl BookError {
    /// A store's failure on a session.
    pub(super) fn on(key: &SessionKey) -> impl Fn(StoreError) -> Self {
        |error| match error {
            StoreError::Missing => Self::SessionNotFound {
                id: key.session.to_string(),
            },
            error => Self::Store(error),
        }
    }
}
