//! Why an action was not accepted, or a consume not answered.

use crate::domain::store::StoreError;
use crate::wire::contract::Violation;
use crate::wire::ids::SessionId;

/// Why an action was not accepted, or a consume not answered.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ActionError {
    /// Too many actions wait already.
    #[error("{waiting} actions wait for the agent")]
    InboxFull {
        /// How many.
        waiting: usize,
    },
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

impl From<StoreError> for ActionError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// The error of a transaction on a session, which is missing under this name.
pub(super) fn named(error: ActionError, session: &SessionId) -> ActionError {
    match error {
        ActionError::Store(StoreError::Missing) => ActionError::SessionNotFound {
            id: session.to_string(),
        },
        error => error,
    }
}
