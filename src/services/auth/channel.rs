//! Issues, renews and verifies the tokens of the live channel, each of which belongs to a session.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, Header};
use serde::{Deserialize, Serialize};

use super::service::{Auth, CREDENTIAL_BYTES_MAX};
use crate::domain::clock::Time;
use crate::domain::credentials::{ChannelPass, ChannelToken, CredentialError};
use crate::domain::principal::Scopes;
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// Seconds a ws token is valid.
const WS_TOKEN_S: u64 = 180;
/// Seconds after it was issued in which a ws token can be exchanged for a new one.
const REFRESH_WINDOW_S: u64 = 2 * WS_TOKEN_S;
/// The `typ` of our tokens, so that no other JWT is mistaken for one.
const TOKEN_TYPE: &str = "ggui-ws+jwt";
/// Bytes of a token's id.
const TOKEN_ID_BYTES: usize = 12;

#[derive(Serialize, Deserialize)]
pub(super) struct Claims {
    /// `ws` for the start of one connection, `session` for reconnects.
    aud: String,
    sid: String,
    app: String,
    /// The person it was minted for, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sub: Option<String>,
    /// The scopes; absent: everything a channel allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scp: Option<Vec<String>>,
    iat: u64,
    exp: u64,
    jti: String,
    /// When the first token of the chain was issued; it bounds how long the chain can be renewed.
    first_iat: u64,
}

impl From<Claims> for ChannelPass {
    fn from(claims: Claims) -> Self {
        Self {
            key: SessionKey {
                app: AppId::from(claims.app.as_str()),
                session: SessionId::from(claims.sid.as_str()),
            },
            scopes: claims.scp.map_or_else(Scopes::all, Scopes::of),
            holder: claims.sub.map(Into::into),
            first_iat: claims.first_iat,
        }
    }
}

impl Auth {
    /// Issues a token that opens one session's channel for three minutes, restricted to these
    /// scopes, for a person, where one is known.
    pub(super) fn mint_ws(
        &self,
        key: &SessionKey,
        scopes: Scopes,
        holder: Option<Arc<str>>,
    ) -> ChannelToken {
        let now = self.clock.now().as_secs();
        let pass = ChannelPass {
            key: key.clone(),
            scopes,
            holder,
            first_iat: now,
        };
        self.mint("ws", &pass, now + WS_TOKEN_S)
    }

    /// Issues the next token of a chain. It allows what the previous one did, and never outlives
    /// the session.
    pub(crate) fn renew(&self, pass: &ChannelPass, session_ends: Time) -> ChannelToken {
        let exp = (self.clock.now().as_secs() + WS_TOKEN_S).min(session_ends.as_secs());
        self.mint("ws", pass, exp)
    }

    /// Verifies a ws token that is to be exchanged, expired or not, within its window. The chain it
    /// belongs to ends `chain_max_s` after it began.
    pub(crate) fn check_refresh(
        &self,
        token: &str,
        chain_max_s: u64,
    ) -> Result<ChannelPass, CredentialError> {
        let claims = self.claims(token)?;
        if claims.aud != "ws" {
            return Err(CredentialError::TokenInvalid);
        }
        let now = self.clock.now().as_secs();
        if now.saturating_sub(claims.iat) > REFRESH_WINDOW_S
            || now.saturating_sub(claims.first_iat) > chain_max_s
        {
            return Err(CredentialError::RefreshClosed);
        }
        Ok(claims.into())
    }

    /// Issues a token that reopens one session's channel as long as the session lives, with the
    /// scopes of the token that opened it.
    pub(super) fn mint_session(&self, pass: &ChannelPass, session_ends: Time) -> ChannelToken {
        let pass = ChannelPass {
            first_iat: self.clock.now().as_secs(),
            ..pass.clone()
        };
        self.mint("session", &pass, session_ends.as_secs())
    }

    #[expect(
        clippy::expect_used,
        reason = "claims of ours always serialise; HS256 always signs"
    )]
    fn mint(&self, audience: &str, pass: &ChannelPass, exp: u64) -> ChannelToken {
        let mut id = [0; TOKEN_ID_BYTES];
        self.ids.fill(&mut id);
        let claims = Claims {
            aud: audience.to_owned(),
            sid: pass.key.session.to_string(),
            app: pass.key.app.to_string(),
            sub: pass.holder.as_deref().map(str::to_owned),
            scp: pass
                .scopes
                .names()
                .map(|names| names.into_iter().map(str::to_owned).collect()),
            iat: self.clock.now().as_secs(),
            exp,
            jti: URL_SAFE_NO_PAD.encode(id),
            first_iat: pass.first_iat,
        };
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some(TOKEN_TYPE.to_owned());
        let text = jsonwebtoken::encode(&header, &claims, &self.encoding).expect("a token");
        ChannelToken {
            text,
            expires_at: Time(exp * 1000),
        }
    }

    /// The session a token of ours belongs to, even if it has expired.
    pub(super) fn session_of(&self, token: &str) -> Option<SessionKey> {
        let pass = ChannelPass::from(self.claims(token).ok()?);
        Some(pass.key)
    }

    /// Verifies a channel token.
    pub(super) fn check_channel(&self, token: &str) -> Result<ChannelPass, CredentialError> {
        let claims = self.claims(token)?;
        if claims.exp <= self.clock.now().as_secs() {
            return Err(CredentialError::TokenExpired);
        }
        Ok(claims.into())
    }

    pub(super) fn claims(&self, token: &str) -> Result<Claims, CredentialError> {
        if token.len() > CREDENTIAL_BYTES_MAX {
            return Err(CredentialError::TokenInvalid);
        }
        jsonwebtoken::decode::<Claims>(token, &self.decoding, &self.validation)
            .ok()
            .filter(|data| data.header.typ.as_deref() == Some(TOKEN_TYPE))
            .map(|data| data.claims)
            .ok_or(CredentialError::TokenInvalid)
    }
}
