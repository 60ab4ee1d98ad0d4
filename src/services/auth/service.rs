//! Identifies callers by their credentials, and watches how long credentials stay valid.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Validation};
use tokio::sync::watch;
use tokio::time::sleep;

use super::admission::{Admission, Tokens};
use crate::domain::api_key::{KeyHash, Keys, key_hash};
use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::credentials::CredentialError;
use crate::domain::principal::{Lease, Principal};
use crate::domain::token::TokenError;

/// The longest credential that is read; our own are under 400 bytes.
pub(super) const CREDENTIAL_BYTES_MAX: usize = 8 << 10;
/// How long the verification of a token is cached: checking a signature costs more than all the
/// rest of a small call.
const VERIFIED_FOR: Duration = Duration::from_secs(60);
/// How many verified tokens are cached; beyond it they are verified each time.
const VERIFIED_MAX: usize = 10_000;

/// How often a wait re-reads the machine's clock, which may be set meanwhile.
const CLOCK_CHECK_INTERVAL: Duration = Duration::from_secs(60);

/// Whether a key still exists with the same rights.
fn is_held(keys: &Keys, hash: &KeyHash, lease: Lease) -> bool {
    keys.get(hash).is_some_and(|holder| holder.lease == lease)
}

/// Whether tokens are still accepted under the same settings.
fn is_of(tokens: &Option<Tokens>, issuer: [u8; 32]) -> bool {
    let tokens = tokens.as_ref();
    tokens.is_some_and(|tokens| tokens.stamp == issuer)
}

/// Verifies credentials and issues tokens.
pub(crate) struct Auth {
    is_dev: bool,
    keys: watch::Sender<Arc<Keys>>,
    tokens: watch::Sender<Arc<Option<Tokens>>>,
    /// Holders of verified tokens by hash, and until when the entry is valid.
    verified: DashMap<KeyHash, (Principal, Time)>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn Ids>,
    pub(super) encoding: EncodingKey,
    pub(super) decoding: DecodingKey,
    pub(super) validation: Validation,
}

impl Auth {
    /// Signs tokens with a key: they live as long as that is kept.
    pub(crate) fn new(
        admission: Admission,
        signing_key: &[u8; 32],
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
    ) -> Self {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_audience(&["ws", "session"]);
        validation.set_required_spec_claims(&["exp", "aud"]);
        // `exp` is compared with our own clock; the library only knows the system's.
        validation.validate_exp = false;
        Self {
            is_dev: admission.is_dev,
            keys: watch::Sender::new(Arc::new(admission.keys)),
            tokens: watch::Sender::new(Arc::new(admission.tokens)),
            verified: DashMap::new(),
            clock,
            ids,
            encoding: EncodingKey::from_secret(signing_key),
            decoding: DecodingKey::from_secret(signing_key),
            validation,
        }
    }

    /// Whether callers on this machine need no credential.
    pub(crate) fn is_dev(&self) -> bool {
        self.is_dev
    }

    /// Replaces the accepted keys.
    pub(crate) fn admit(&self, keys: Keys) {
        self.keys.send_replace(Arc::new(keys));
    }

    /// Replaces the accepted tokens and empties the cache, so that every token is verified again.
    /// Returns whether the settings or keys have changed.
    pub(crate) fn accept(&self, tokens: Option<Tokens>) -> bool {
        let stamp = |tokens: &Option<Tokens>| tokens.as_ref().map(|tokens| tokens.stamp);
        let replaced = self.tokens.send_if_modified(|known| {
            let are_others = stamp(known) != stamp(&tokens);
            if are_others {
                *known = Arc::new(tokens);
            }
            are_others
        });
        self.verified.clear();
        replaced
    }

    /// The issuer whose tokens are accepted, if any.
    pub(crate) fn issuer(&self) -> Option<String> {
        let tokens = self.tokens.borrow();
        let tokens = tokens.as_ref().as_ref();
        tokens.map(|tokens| tokens.rules.issuer.clone())
    }

    /// Whether a verified credential is still valid.
    fn stands(&self, lease: Lease) -> bool {
        match lease {
            Lease::Standing => true,
            Lease::Key { hash, .. } => is_held(&self.keys.borrow(), &hash, lease),
            Lease::Token { ends, issuer } => {
                self.clock.wall() < ends && is_of(&self.tokens.borrow(), issuer)
            }
        }
    }

    /// Returns once a credential is no longer valid: its key was revoked or changed, it has
    /// expired, or its issuer's tokens are no longer accepted under the same settings.
    pub(crate) async fn expired_or_revoked(&self, lease: Lease) {
        match lease {
            Lease::Standing => pending().await,
            Lease::Key { hash, .. } => {
                let mut keys = self.keys.subscribe();
                // The sender is a field of `self`, so it outlives this wait.
                let _ = keys.wait_for(|keys| !is_held(keys, &hash, lease)).await;
            }
            Lease::Token { ends, issuer } => {
                let mut tokens = self.tokens.subscribe();
                let replaced = async {
                    // The sender is a field of `self`, so it outlives this wait.
                    let _ = tokens.wait_for(|tokens| !is_of(tokens, issuer)).await;
                };
                tokio::select! {
                    () = replaced => {}
                    () = self.reached(ends) => {}
                }
            }
        }
    }

    /// Returns once the machine's clock reaches a moment, even if the clock is set meanwhile.
    async fn reached(&self, ends: Time) {
        let mut left = ends.since(self.clock.wall());
        while !left.is_zero() {
            sleep(left.min(CLOCK_CHECK_INTERVAL)).await;
            left = ends.since(self.clock.wall());
        }
    }

    /// Identifies the bearer. `forwarded` says that a proxy sent the request, so the caller may not
    /// be on this machine.
    pub(crate) async fn identify(
        &self,
        bearer: Option<&str>,
        forwarded: bool,
    ) -> Result<Principal, CredentialError> {
        if self.is_dev {
            // A channel token of ours opens the live channel and nothing else.
            let is_ours = bearer.is_some_and(|token| self.claims(token).is_ok());
            return if forwarded || is_ours {
                Err(CredentialError::Refused)
            } else {
                Ok(Principal::builder())
            };
        }
        let secret = bearer
            .filter(|secret| secret.len() <= CREDENTIAL_BYTES_MAX)
            .ok_or(CredentialError::Refused)?;
        let hash = key_hash(secret);
        if let Some(holder) = self.keys.borrow().get(&hash) {
            return Ok(holder.clone());
        }
        let tokens = Arc::clone(&self.tokens.borrow());
        match tokens.as_ref() {
            Some(tokens) => self.of_token(tokens, hash, secret).await,
            None => Err(CredentialError::Refused),
        }
    }

    /// Identifies the holder of an issuer's token.
    async fn of_token(
        &self,
        tokens: &Tokens,
        hash: KeyHash,
        token: &str,
    ) -> Result<Principal, CredentialError> {
        let now = self.clock.now();
        if let Some(entry) = self.verified.get(&hash) {
            let (holder, until) = entry.value();
            if now < *until && self.stands(holder.lease) {
                return Ok(holder.clone());
            }
        }
        // The issuer's times are compared with the system's clock, which both are expected to
        // share.
        let wall = self.clock.wall();
        let mut verified = tokens.rules.verify(token, &tokens.keys.current(), wall);
        if verified == Err(TokenError::UnknownKey) {
            let keys = tokens.keys.refreshed().await;
            verified = tokens.rules.verify(token, &keys, wall);
        }
        let verified = verified.map_err(|error| {
            tracing::debug!(%error, "a token was refused");
            CredentialError::Refused
        })?;
        let until = now.plus(VERIFIED_FOR);
        let holder = tokens.holder(verified).ok_or(CredentialError::Refused)?;
        if self.verified.len() < VERIFIED_MAX {
            self.verified.insert(hash, (holder.clone(), until));
        }
        Ok(holder)
    }

    /// Drops the verified tokens whose entry has expired.
    pub(crate) fn sweep(&self) {
        let now = self.clock.now();
        self.verified.retain(|_, (_, until)| now < *until);
    }
}
