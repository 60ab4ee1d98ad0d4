//! Who a bearer is, and for how long that holds.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Validation};
use tokio::sync::watch;
use tokio::time::sleep;

use super::admission::{Admission, Tokens};
use super::error::AuthError;
use crate::domain::api_key::{KeyHash, Keys, key_hash};
use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::principal::{Lease, Principal};
use crate::domain::token::TokenError;

/// Bytes of the signing key: as long as the hash it feeds.
const SIGNING_KEY_BYTES: usize = 32;
/// Longest credential that is looked at: ours are under 400 bytes.
pub(super) const CREDENTIAL_BYTES_MAX: usize = 8 << 10;
/// How long a verified token is taken for verified: a signature costs more than all the rest of a
/// small call.
const VERIFIED_FOR: Duration = Duration::from_secs(60);
/// Verified tokens that are remembered; beyond it they are verified each time.
const VERIFIED_MAX: usize = 10_000;

/// How often a wait for a moment looks at the machine's clock, which may be set meanwhile.
const CLOCK_LOOKED_AT: Duration = Duration::from_secs(60);

/// Whether a key is among those that open, and may do what it might.
fn is_held(keys: &Keys, hash: &KeyHash, lease: Lease) -> bool {
    keys.get(hash).is_some_and(|holder| holder.lease == lease)
}

/// Whether tokens are still taken as they were.
fn is_of(tokens: &Option<Tokens>, issuer: [u8; 32]) -> bool {
    let tokens = tokens.as_ref();
    tokens.is_some_and(|tokens| tokens.stamp == issuer)
}

/// Checks credentials and mints tokens.
pub(crate) struct Auth {
    is_dev: bool,
    keys: watch::Sender<Arc<Keys>>,
    tokens: watch::Sender<Arc<Option<Tokens>>>,
    /// Holders of verified tokens by hash, and until when.
    verified: DashMap<KeyHash, (Principal, Time)>,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) ids: Arc<dyn Ids>,
    pub(super) encoding: EncodingKey,
    pub(super) decoding: DecodingKey,
    pub(super) validation: Validation,
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
            tokens: watch::Sender::new(Arc::new(admission.tokens)),
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

    /// From now on these tokens open, and no others; where they are the same as before, each is
    /// verified anew. Tells whether they are others.
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

    /// Whose tokens open this server beside its keys.
    pub(crate) fn issuer(&self) -> Option<String> {
        let tokens = self.tokens.borrow();
        let tokens = tokens.as_ref().as_ref();
        tokens.map(|tokens| tokens.rules.issuer.clone())
    }

    /// Whether a credential that was found good still stands.
    fn stands(&self, lease: Lease) -> bool {
        match lease {
            Lease::Standing => true,
            Lease::Key { hash, .. } => is_held(&self.keys.borrow(), &hash, lease),
            Lease::Token { ends, issuer } => {
                self.clock.wall() < ends && is_of(&self.tokens.borrow(), issuer)
            }
        }
    }

    /// Returns once a credential no longer stands: its key was revoked or changed, its time is over,
    /// or its issuer's tokens are no longer taken as they were.
    pub(crate) async fn expired_or_revoked(&self, lease: Lease) {
        match lease {
            Lease::Standing => pending().await,
            Lease::Key { hash, .. } => {
                let mut keys = self.keys.subscribe();
                // Its sender lives as long as this.
                let _ = keys.wait_for(|keys| !is_held(keys, &hash, lease)).await;
            }
            Lease::Token { ends, issuer } => {
                let mut tokens = self.tokens.subscribe();
                let replaced = async {
                    // Its sender lives as long as this.
                    let _ = tokens.wait_for(|tokens| !is_of(tokens, issuer)).await;
                };
                tokio::select! {
                    () = replaced => {}
                    () = self.over(ends) => {}
                }
            }
        }
    }

    /// Returns once the machine's clock shows a moment, however it gets there.
    async fn over(&self, ends: Time) {
        let mut left = ends.since(self.clock.wall());
        while !left.is_zero() {
            sleep(left.min(CLOCK_LOOKED_AT)).await;
            left = ends.since(self.clock.wall());
        }
    }

    /// What comes of work that may wait, unless the credential it is done for lapses before.
    pub(crate) async fn while_valid<T>(
        &self,
        lease: Lease,
        work: impl Future<Output = T>,
    ) -> Result<T, AuthError> {
        tokio::select! {
            // What is done is handed out: it may be taken from where it was.
            biased;
            done = work => Ok(done),
            () = self.expired_or_revoked(lease) => Err(AuthError::Refused),
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
        let tokens = Arc::clone(&self.tokens.borrow());
        match tokens.as_ref() {
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
            if now < *until && self.stands(holder.lease) {
                return Ok(holder.clone());
            }
        }
        // What an issuer wrote down is judged by the clock that it shares with this machine.
        let wall = self.clock.wall();
        let mut verified = tokens.rules.verify(token, &tokens.keys.current(), wall);
        if verified == Err(TokenError::UnknownKey) {
            let keys = tokens.keys.refreshed().await;
            verified = tokens.rules.verify(token, &keys, wall);
        }
        let verified = verified.map_err(|error| {
            tracing::debug!(%error, "a token was refused");
            AuthError::Refused
        })?;
        let until = now.plus(VERIFIED_FOR);
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
}
