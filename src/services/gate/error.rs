//! Why the gate gives no result.

use crate::domain::gate::UpstreamError;

/// Why the gate gives no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GateError {
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
