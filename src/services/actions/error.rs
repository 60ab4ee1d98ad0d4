//! Why an action was not accepted, or a consume not answered.

use super::super::book::BookError;
use crate::domain::store_error::StoreError;
use crate::wire::contract::Violation;

/// Why an action was not accepted, or a consume not answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ActionError {
    /// Too many actions wait already.
    #[error("{waiting} actions wait for the agent")]
    InboxFull { waiting: usize },
    /// What the caller says it has handled last was never delivered, or nobody remembers.
    #[error("no event of that name was delivered")]
    NeverDelivered,
    /// The session is unknown, expired or another app's.
    #[error("no session {id}")]
    SessionNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
    /// The action does not fit the contract.
    #[error("the action does not fit the contract")]
    Violations(Vec<Violation>),
}

impl From<BookError> for ActionError {
    fn from(error: BookError) -> Self {
        match error {
            BookError::SessionNotFound { id } => Self::SessionNotFound { id },
            BookError::Store(error) => Self::Store(error),
        }
    }
}
