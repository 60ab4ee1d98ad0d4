//! The port through which credentials are checked, and tokens of the live channel are handed out.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use super::clock::Time;
use super::principal::{Lease, Principal, Scopes};
use crate::wire::ids::SessionKey;

/// Why a credential was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CredentialError {
    /// A token can no longer be exchanged for a fresh one.
    #[error("the refresh window is closed")]
    RefreshClosed,
    /// No credential, or none that is known.
    #[error("no valid credential")]
    Refused,
    /// A token of the channel that was good once.
    #[error("the token has expired")]
    TokenExpired,
    /// No token of the channel.
    #[error("the token is not valid")]
    TokenInvalid,
}

/// A credential for the live channel. Its text is a secret.
#[derive(Clone)]
pub(crate) struct ChannelToken {
    pub(crate) text: String,
    /// When it ends.
    pub(crate) expires_at: Time,
}

impl fmt::Debug for ChannelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ChannelToken(***)")
    }
}

/// What a channel token opens, and the chain of refreshes it belongs to.
#[derive(Debug, Clone)]
pub(crate) struct ChannelPass {
    pub(crate) key: SessionKey,
    /// What may be asked for there.
    pub(crate) scopes: Scopes,
    /// The person it was minted for, where a credential of theirs said so.
    pub(crate) holder: Option<Arc<str>>,
    /// When the first token of the chain was minted.
    pub(crate) first_iat: u64,
}

impl ChannelPass {
    /// Whoever holds the token.
    pub(crate) fn viewer(&self) -> Principal {
        let viewer = Principal::viewer(self.key.app.clone(), self.scopes.clone());
        match &self.holder {
            Some(name) => Principal {
                name: Arc::clone(name),
                ..viewer
            },
            None => viewer,
        }
    }
}

/// Checks credentials, and hands out tokens of the live channel.
#[async_trait]
pub(crate) trait Credentials: Send + Sync + 'static {
    /// Whether callers on this machine need no credential.
    #[cfg(feature = "demo")]
    fn is_dev(&self) -> bool;

    /// Whose tokens open this server beside its keys.
    fn issuer(&self) -> Option<String>;

    /// Who a bearer is. `forwarded` says that a proxy sent the request: then nobody is on this
    /// machine.
    async fn identify(
        &self,
        bearer: Option<&str>,
        forwarded: bool,
    ) -> Result<Principal, CredentialError>;

    /// Returns once a credential no longer stands.
    async fn expired_or_revoked(&self, lease: Lease);

    /// What a token of the channel opens.
    fn check_channel(&self, token: &str) -> Result<ChannelPass, CredentialError>;

    /// The session that a token of ours belongs to, whether it still opens it or not.
    fn session_of(&self, token: &str) -> Option<SessionKey>;

    /// A token that opens one session's channel for a few minutes, for as much as these scopes say,
    /// and for this person, where one is known.
    fn mint_ws(&self, key: &SessionKey, scopes: Scopes, holder: Option<Arc<str>>) -> ChannelToken;

    /// The next token of a chain: it opens what the one before it did, and ends with the session.
    fn renew(&self, pass: &ChannelPass, session_ends: Time) -> ChannelToken;

    /// A token that reopens one session's channel as long as the session lives.
    fn mint_session(&self, pass: &ChannelPass, session_ends: Time) -> ChannelToken;
}
