//! The port of credentials, filled.

use std::sync::Arc;

use async_trait::async_trait;

use super::service::Auth;
use crate::domain::clock::Time;
use crate::domain::credentials::{ChannelPass, ChannelToken, CredentialError, Credentials};
use crate::domain::principal::{Lease, Principal, Scopes};
use crate::wire::ids::SessionKey;

#[async_trait]
impl Credentials for Auth {
    #[cfg(feature = "demo")]
    fn is_dev(&self) -> bool {
        self.is_dev()
    }

    fn issuer(&self) -> Option<String> {
        self.issuer()
    }

    async fn identify(
        &self,
        bearer: Option<&str>,
        forwarded: bool,
    ) -> Result<Principal, CredentialError> {
        self.identify(bearer, forwarded).await
    }

    async fn expired_or_revoked(&self, lease: Lease) {
        self.expired_or_revoked(lease).await;
    }

    fn check_channel(&self, token: &str) -> Result<ChannelPass, CredentialError> {
        self.check_channel(token)
    }

    fn session_of(&self, token: &str) -> Option<SessionKey> {
        self.session_of(token)
    }

    fn mint_ws(&self, key: &SessionKey, scopes: Scopes, holder: Option<Arc<str>>) -> ChannelToken {
        self.mint_ws(key, scopes, holder)
    }

    fn renew(&self, pass: &ChannelPass, session_ends: Time) -> ChannelToken {
        self.renew(pass, session_ends)
    }

    fn mint_session(&self, pass: &ChannelPass, session_ends: Time) -> ChannelToken {
        self.mint_session(pass, session_ends)
    }
}
