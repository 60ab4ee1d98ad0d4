//! Why the gate gives no result.

use std::time::Duration;

use crate::domain::footprint::OverBudget;
use crate::domain::gate::{UpstreamError, Verdict};

/// What a caller is told of something for which nobody is asked.
const NOT_ASKED: &str =
    "a person has to agree each time it is read, and nobody is asked about this";

/// Why the gate gives no result.
#[derive(Clone, Debug, thiserror::Error)]
pub(crate) enum GateError {
    /// A person has not decided yet.
    #[error("a person has not decided on \"{name}\" yet")]
    ApprovalPending {
        /// As the caller named it.
        name: String,
        /// Names the approval.
        handle: String,
        /// Leads to the card, for whoever may open the stage.
        card: String,
    },
    /// A person has refused.
    #[error("a person has refused \"{name}\"")]
    ApprovalRejected {
        /// As the caller named it.
        name: String,
        /// The person's words, where they gave any.
        reason: Option<String>,
    },
    /// Nobody decided in time, or the caller did not come back in time.
    #[error("nobody has decided on \"{name}\" in {after:?}")]
    ApprovalTimeout {
        /// As the caller named it.
        name: String,
        /// How long a person had.
        after: Duration,
    },
    /// As many requests as may be are under way to that server.
    #[error("too many requests are under way")]
    Busy,
    /// What was named may not be used.
    #[error("\"{name}\" is denied: {reason}")]
    Denied {
        /// As the caller named it.
        name: String,
        /// Words that the caller may read.
        reason: String,
    },
    /// The parameters are malformed.
    #[error("{0}")]
    Malformed(String),
    /// The gate does not know the method.
    #[error("unknown method {0}")]
    Method(String),
    /// The caller has as many approvals open as it may.
    #[error("{max} approvals of this caller are open")]
    ManyApprovals {
        /// The bound.
        max: usize,
    },
    /// It is about a tool of this name.
    #[error("{0}: {1}")]
    Of(String, #[source] Box<GateError>),
    /// The call was begun, and nobody knows what came of it.
    #[error("nobody knows what came of \"{name}\"")]
    OutcomeUnknown {
        /// As the caller named it.
        name: String,
    },
    /// There is no memory for a session in which a person would be asked.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
    /// Nobody can be asked now.
    #[error("nobody can be asked: {0}")]
    Unavailable(String),
    /// There is no such resource or prompt.
    #[error("there is no {what} \"{name}\"")]
    Unknown {
        /// What it would be.
        what: &'static str,
        /// As the caller named it.
        name: String,
    },
    /// There is no such tool.
    #[error("there is no tool \"{0}\"")]
    UnknownTool(String),
    /// The server behind the gate gave no result.
    #[error(transparent)]
    Upstream(#[from] UpstreamError),
}

/// Refuses what needs the agreement of a person where nobody is asked.
pub(super) fn unasked(name: &str, verdict: &Verdict<'_>) -> Result<(), GateError> {
    match verdict {
        Verdict::Approve(_) => Err(GateError::Denied {
            name: name.to_owned(),
            reason: NOT_ASKED.to_owned(),
        }),
        _ => Ok(()),
    }
}
