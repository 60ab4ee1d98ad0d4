//! Why a credential opens nothing.

/// Why a credential does not open the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AuthError {
    /// There is none, or it is not known.
    #[error("no valid credential")]
    Refused,
    /// The ws token can no longer be exchanged.
    #[error("the token can no longer be refreshed")]
    RefreshClosed,
    /// The ws token's time is over.
    #[error("the token has expired")]
    TokenExpired,
    /// The ws token is not one of ours.
    #[error("the token is not valid")]
    TokenInvalid,
}
