//! Why nothing was put in front of anyone.

use std::time::Duration;

use super::super::book::BookError;
use crate::domain::contract::GadgetProblem;
use crate::domain::generation::Reason;
use crate::domain::store_error::StoreError;
use crate::wire::contract::{Finding, Violation};

/// Why nothing was put in front of anyone.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ContentError {
    /// The channel was declared without an end.
    #[error("channel {channel} has no end")]
    ChannelNotCompletable { channel: String },
    /// The channel is not in the contract.
    #[error("channel {channel} is not declared")]
    ChannelNotDeclared {
        channel: String,
        /// Those that are.
        declared: Vec<String>,
    },
    /// Gadgets that are not there.
    #[error("gadgets are not there")]
    Gadgets(GadgetProblem),
    /// A model was to draw the view, and has drawn none.
    #[error("no view was drawn: {0}")]
    Undrawn(#[source] Reason),
    /// A model was to draw the view, and this server has none.
    #[error("no model draws views")]
    NoModel,
    /// The handshake is unknown, expired, consumed or another app's.
    #[error("no handshake {id}")]
    HandshakeNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The contract given instead of the agreed one is not sound.
    #[error("the override is not sound")]
    OverrideUnsound(Vec<Finding>),
    /// Actions that do not fit the tool of this server they are meant for.
    #[error("actions do not fit the tools they name")]
    SchemaMismatch(Vec<Mismatch>),
    /// The session is unknown, expired or another app's.
    #[error("no session {id}")]
    SessionNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The app has as many sessions as it may.
    #[error("{max} sessions are open")]
    SessionsFull { max: usize },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
    /// No theme of that id.
    #[error("no theme {id}")]
    ThemeUnknown {
        /// As it was asked for.
        id: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// More than a screen can show.
    #[error("too many emits")]
    TooFast {
        /// How long to wait.
        wait: Duration,
    },
    /// The props are no longer those the caller knows.
    #[error("the props are at version {current}, not at {expected}")]
    VersionConflict {
        /// Where they are.
        current: u64,
        /// Where the caller thinks they are.
        expected: u64,
    },
    /// Values that do not fit the contract.
    #[error("the values do not fit the contract")]
    Violations {
        /// All of them.
        violations: Vec<Violation>,
        /// Hash of the schema that props must fit, where props were judged.
        props_schema_hash: Option<String>,
    },
}

impl From<BookError> for ContentError {
    fn from(error: BookError) -> Self {
        match error {
            BookError::SessionNotFound { id } => Self::SessionNotFound { id },
            BookError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for ContentError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Full { max, .. } => Self::SessionsFull { max },
            error => Self::Store(error),
        }
    }
}

/// An action that does not fit the tool it names.
#[derive(Debug)]
pub(crate) struct Mismatch {
    pub(crate) action: String,
    pub(crate) tool: String,
    /// The first violation, and how many more there are.
    pub(crate) problem: String,
}

pub(super) fn too_large(field: &str, bytes_max: usize) -> Violation {
    Violation::new(field, format!("must take at most {bytes_max} bytes"))
}
