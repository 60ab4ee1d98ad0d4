//! Why an operation failed, whichever use case it was.

use std::sync::Arc;

use super::super::actions::ActionError;
use super::super::arguments::ArgumentsError;
use super::super::brain::BrainError;
use super::super::content::ContentError;
use super::super::discovery::DiscoveryError;
#[cfg(feature = "gate")]
use super::super::gate::GateError;
use super::super::limits::LimitExceeded;
use super::super::live::PageError;
use super::super::mounts::MountError;
use super::super::replay::ReplayError;
use super::super::sessions::SessionError;
use super::super::work::TooMuchWork;
use crate::domain::credentials::CredentialError;
use crate::domain::footprint::OverBudget;
use crate::domain::principal::Trust;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DispatchError {
    /// What people do was not accepted.
    #[error(transparent)]
    Action(#[from] ActionError),
    /// The arguments do not fit.
    #[error(transparent)]
    Arguments(#[from] ArgumentsError),
    /// The page store did not do it.
    #[error(transparent)]
    Brain(#[from] BrainError),
    /// Nothing was put in front of anyone.
    #[error(transparent)]
    Content(#[from] ContentError),
    /// A token was not refreshed.
    #[error(transparent)]
    Credential(#[from] CredentialError),
    /// The gate gave no result.
    #[cfg(feature = "gate")]
    #[error(transparent)]
    Gate(#[from] GateError),
    /// A session's ledger was not read.
    #[error(transparent)]
    Live(#[from] PageError),
    /// What a mount told was not taken.
    #[error(transparent)]
    Mount(#[from] MountError),
    /// The operation is outside the scopes of the credential.
    #[error("the operation is outside the credential's scopes")]
    OutOfScope {
        /// The scopes of which one would open it.
        needed: Vec<String>,
        /// The scopes of the credential.
        held: Vec<String>,
    },
    /// Nothing was found.
    #[error(transparent)]
    Discovery(#[from] DiscoveryError),
    /// The credential does not reach that far.
    #[error("the credential reaches to {held:?}, not to {needed:?}")]
    OutOfReach {
        /// How far it would have to.
        needed: Trust,
        /// How far it does.
        held: Trust,
    },
    /// The attempt is not made.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A handshake or a read failed.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The process takes as much memory as it may.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
    /// As much work of the caller waits as may.
    #[error(transparent)]
    TooMuchWork(#[from] TooMuchWork),
    /// The caller asks too often.
    #[error(transparent)]
    TooOften(#[from] LimitExceeded),
    /// Nothing is registered under that name.
    #[error("nothing is called {0}")]
    Unknown(Arc<str>),
}

impl From<serde_json::Error> for DispatchError {
    fn from(error: serde_json::Error) -> Self {
        Self::Arguments(error.into())
    }
}
