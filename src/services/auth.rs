//! Credentials: who a bearer is, and the tokens that open the live channel.

use std::collections::HashMap;
use std::fmt;
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use dashmap::DashMap;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::sleep;

use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::digest::sha256;
use crate::domain::principal::{Lease, Principal, Scopes, Trust, is_app};
use crate::domain::token::{TokenError, TokenKeys, TokenRules, Verified};
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// Seconds a ws token opens the live channel.
const WS_TOKEN_S: u64 = 180;
/// Seconds after its minting in which a ws token can be exchanged for a fresh one.
const REFRESH_WINDOW_S: u64 = 2 * WS_TOKEN_S;
/// Type of our tokens, so that no other JWT is taken for one.
const TOKEN_TYPE: &str = "ggui-ws+jwt";
/// Bytes of the signing key: as long as the hash it feeds.
const SIGNING_KEY_BYTES: usize = 32;
/// Bytes of a token's id.
const TOKEN_ID_BYTES: usize = 12;
/// Longest credential that is looked at: ours are under 400 bytes.
const CREDENTIAL_BYTES_MAX: usize = 8 << 10;

/// How long a verified token is taken for verified: a signature costs more than all the rest of a
/// small call.
const VERIFIED_FOR: Duration = Duration::from_secs(60);
/// Verified tokens that are remembered; beyond it they are verified each time.
const VERIFIED_MAX: usize = 10_000;
/// Longest subject of a token, in bytes: it stands in events and logs.
const SUBJECT_BYTES_MAX: usize = 128;

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

/// SHA-256 of an API key: all that is stored of it.
pub(crate) type KeyHash = [u8; 32];

/// The hash under which an API key is known.
pub(crate) fn key_hash(secret: &str) -> KeyHash {
    sha256(secret.as_bytes())
}

/// The holders of API keys.
pub(crate) type Keys = HashMap<KeyHash, Principal>;

/// Who may come in.
pub(crate) struct Admission {
    /// Anyone on this machine, as `builder`, and nobody else.
    pub(crate) is_dev: bool,
    /// Holders of these keys.
    pub(crate) keys: Keys,
    /// Holders of an issuer's tokens.
    pub(crate) tokens: Option<Tokens>,
}

/// How an issuer's tokens are judged, and whom they name.
pub(crate) struct Tokens {
    pub(crate) rules: TokenRules,
    pub(crate) keys: Arc<dyn TokenKeys>,
    /// App of tokens that name none.
    pub(crate) app: Option<AppId>,
    /// Trust of tokens that tell none.
    pub(crate) trust: Trust,
}

/// Checks credentials and mints tokens.
pub(crate) struct Auth {
    is_dev: bool,
    keys: watch::Sender<Arc<Keys>>,
    tokens: Option<Tokens>,
    /// Holders of verified tokens by hash, and until when.
    verified: DashMap<KeyHash, (Principal, Time)>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    encoding: EncodingKey,
    decoding: DecodingKey,
    validation: Validation,
}

/// A credential for the live channel. Its text is a secret.
#[derive(Clone)]
pub(crate) struct ChannelToken {
    /// The token.
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
    /// The session.
    pub(crate) key: SessionKey,
    /// When the first token of the chain was minted.
    first_iat: u64,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    /// `ws` for one connection's start, `session` for reconnects.
    aud: String,
    sid: String,
    app: String,
    iat: u64,
    exp: u64,
    jti: String,
    /// When the first token of a chain was minted: refreshes are bounded by it.
    first_iat: u64,
}

impl From<Claims> for ChannelPass {
    fn from(claims: Claims) -> Self {
        Self {
            key: SessionKey {
                app: AppId::from(claims.app.as_str()),
                session: SessionId::from(claims.sid.as_str()),
            },
            first_iat: claims.first_iat,
        }
    }
}

impl Tokens {
    /// Whom a verified token names; nobody, where that is no name.
    fn holder(&self, verified: Verified) -> Option<Principal> {
        let Verified {
            subject,
            app,
            trust,
            scopes,
            ends,
        } = verified;
        let app = match app {
            Some(app) => is_app(&app).then(|| AppId::from(app.as_str()))?,
            None => self.app.clone()?,
        };
        let trust = trust.map_or(self.trust, Trust);
        let is_name = (1..=SUBJECT_BYTES_MAX).contains(&subject.len())
            && !subject.chars().any(char::is_control);
        (is_name && trust <= Trust::MAX).then(|| Principal {
            app,
            // No subject can pass for a key or for the server's own.
            name: format!("jwt:{subject}").into(),
            trust,
            scopes: scopes.map_or_else(Scopes::all, Scopes::of),
            lease: Lease::Until(ends),
        })
    }
}

impl Auth {
    /// A checker with a signing key of its own: tokens do not survive the process.
    pub(crate) fn new(admission: Admission, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        let mut key = [0; SIGNING_KEY_BYTES];
        ids.fill(&mut key);
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&["ws", "session"]);
        validation.set_required_spec_claims(&["exp", "aud"]);
        // `exp` is compared with our own clock: the library knows only the machine's.
        validation.validate_exp = false;
        Self {
            is_dev: admission.is_dev,
            keys: watch::Sender::new(Arc::new(admission.keys)),
            tokens: admission.tokens,
            verified: DashMap::new(),
            clock,
            ids,
            encoding: EncodingKey::from_secret(&key),
            decoding: DecodingKey::from_secret(&key),
            validation,
        }
    }

    /// Whether callers on this machine need no credential.
    pub(crate) fn is_dev(&self) -> bool {
        self.is_dev
    }

    /// From now on these keys open, and no others.
    pub(crate) fn admit(&self, keys: Keys) {
        self.keys.send_replace(Arc::new(keys));
    }

    /// Returns once a credential no longer stands: its key was revoked, or its time is over.
    pub(crate) async fn lapsed(&self, lease: Lease) {
        match lease {
            Lease::Standing => pending().await,
            Lease::Key(hash) => {
                let mut keys = self.keys.subscribe();
                // Its sender lives as long as this.
                let _ = keys.wait_for(|keys| !keys.contains_key(&hash)).await;
            }
            Lease::Until(end) => {
                let mut left = end.since(self.clock.now());
                while !left.is_zero() {
                    sleep(left).await;
                    left = end.since(self.clock.now());
                }
            }
        }
    }

    /// What comes of work that may wait, unless the credential it is done for lapses before.
    pub(crate) async fn while_it_stands<T>(
        &self,
        lease: Lease,
        work: impl Future<Output = T>,
    ) -> Result<T, AuthError> {
        tokio::select! {
            // What is done is handed out: it may be taken from where it was.
            biased;
            done = work => Ok(done),
            () = self.lapsed(lease) => Err(AuthError::Refused),
        }
    }

    /// Who a bearer is. `forwarded` tells that a proxy spoke: then nobody is on this machine.
    pub(crate) async fn identify(
        &self,
        bearer: Option<&str>,
        forwarded: bool,
    ) -> Result<Principal, AuthError> {
        if self.is_dev {
            // One of our own channel tokens opens the channel and nothing else.
            let is_ours = bearer.is_some_and(|token| self.claims(token).is_ok());
            return if forwarded || is_ours {
                Err(AuthError::Refused)
            } else {
                Ok(Principal::builder())
            };
        }
        let secret = bearer
            .filter(|secret| secret.len() <= CREDENTIAL_BYTES_MAX)
            .ok_or(AuthError::Refused)?;
        let hash = key_hash(secret);
        if let Some(holder) = self.keys.borrow().get(&hash) {
            return Ok(holder.clone());
        }
        match &self.tokens {
            Some(tokens) => self.of_token(tokens, hash, secret).await,
            None => Err(AuthError::Refused),
        }
    }

    /// Who holds a token of the issuer.
    async fn of_token(
        &self,
        tokens: &Tokens,
        hash: KeyHash,
        token: &str,
    ) -> Result<Principal, AuthError> {
        let now = self.clock.now();
        if let Some(entry) = self.verified.get(&hash) {
            let (holder, until) = entry.value();
            if now < *until {
                return Ok(holder.clone());
            }
        }
        let mut verified = tokens.rules.verify(token, &tokens.keys.current(), now);
        if verified == Err(TokenError::UnknownKey) {
            let keys = tokens.keys.refreshed().await;
            verified = tokens.rules.verify(token, &keys, now);
        }
        let verified = verified.map_err(|error| {
            tracing::debug!(%error, "a token was refused");
            AuthError::Refused
        })?;
        let until = verified.ends.min(now.plus(VERIFIED_FOR));
        let holder = tokens.holder(verified).ok_or(AuthError::Refused)?;
        if self.verified.len() < VERIFIED_MAX {
            self.verified.insert(hash, (holder.clone(), until));
        }
        Ok(holder)
    }

    /// Forgets tokens whose time as verified ones is over.
    pub(crate) fn sweep(&self) {
        let now = self.clock.now();
        self.verified.retain(|_, (_, until)| now < *until);
    }

    /// A token that opens one session's channel for three minutes.
    pub(crate) fn mint_ws(&self, key: &SessionKey) -> ChannelToken {
        let now = self.clock.now().as_secs();
        self.mint("ws", key, now, now + WS_TOKEN_S)
    }

    /// The next token of a chain: it ends with the session, however often it is refreshed.
    pub(crate) fn renew(&self, pass: &ChannelPass, session_ends: Time) -> ChannelToken {
        let exp = (self.clock.now().as_secs() + WS_TOKEN_S).min(session_ends.as_secs());
        self.mint("ws", &pass.key, pass.first_iat, exp)
    }

    /// What a ws token may be exchanged for, expired or not, within its window. The chain it
    /// belongs to ends `chain_max_s` after it began.
    pub(crate) fn check_refresh(
        &self,
        token: &str,
        chain_max_s: u64,
    ) -> Result<ChannelPass, AuthError> {
        let claims = self.claims(token)?;
        if claims.aud != "ws" {
            return Err(AuthError::TokenInvalid);
        }
        let now = self.clock.now().as_secs();
        if now.saturating_sub(claims.iat) > REFRESH_WINDOW_S
            || now.saturating_sub(claims.first_iat) > chain_max_s
        {
            return Err(AuthError::RefreshClosed);
        }
        Ok(claims.into())
    }

    /// A token that reopens one session's channel as long as the session lives.
    pub(crate) fn mint_session(&self, key: &SessionKey, session_ends: Time) -> ChannelToken {
        let now = self.clock.now().as_secs();
        self.mint("session", key, now, session_ends.as_secs())
    }

    #[expect(
        clippy::expect_used,
        reason = "claims of ours always serialise; HS256 always signs"
    )]
    fn mint(&self, audience: &str, key: &SessionKey, first_iat: u64, exp: u64) -> ChannelToken {
        let mut id = [0; TOKEN_ID_BYTES];
        self.ids.fill(&mut id);
        let claims = Claims {
            aud: audience.to_owned(),
            sid: key.session.to_string(),
            app: key.app.to_string(),
            iat: self.clock.now().as_secs(),
            exp,
            jti: URL_SAFE_NO_PAD.encode(id),
            first_iat,
        };
        let mut header = Header::new(Algorithm::HS256);
        header.typ = Some(TOKEN_TYPE.to_owned());
        let text = jsonwebtoken::encode(&header, &claims, &self.encoding).expect("a token");
        ChannelToken {
            text,
            expires_at: Time(exp * 1000),
        }
    }

    /// The session a token of ours belongs to, whether it still opens it or not.
    pub(crate) fn session_of(&self, token: &str) -> Option<SessionKey> {
        let pass = ChannelPass::from(self.claims(token).ok()?);
        Some(pass.key)
    }

    /// What a token opens.
    pub(crate) fn check_channel(&self, token: &str) -> Result<ChannelPass, AuthError> {
        let claims = self.claims(token)?;
        if claims.exp <= self.clock.now().as_secs() {
            return Err(AuthError::TokenExpired);
        }
        Ok(claims.into())
    }

    fn claims(&self, token: &str) -> Result<Claims, AuthError> {
        if token.len() > CREDENTIAL_BYTES_MAX {
            return Err(AuthError::TokenInvalid);
        }
        jsonwebtoken::decode::<Claims>(token, &self.decoding, &self.validation)
            .ok()
            .filter(|data| data.header.typ.as_deref() == Some(TOKEN_TYPE))
            .map(|data| data.claims)
            .ok_or(AuthError::TokenInvalid)
    }
}
