//! Why a credential is refused.

/// Why a credential is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AuthError {
    /// There is none, or it is unknown.
    #[error("no valid credential")]
    Refused,
    /// The ws token can no longer be exchanged.
    #[error("the token can no longer be refreshed")]
    RefreshClosed,
    /// The ws token has expired.
    #[error("the token has expired")]
    TokenExpired,
    /// The ws token was not issued by this server.
    #[error("the token is not valid")]
    TokenInvalid,
}
