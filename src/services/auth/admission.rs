//! Which callers are accepted: this machine, holders of keys, holders of an issuer's tokens.

use std::sync::Arc;

use crate::domain::api_key::Keys;
use crate::domain::principal::{Lease, Principal, Scopes, Trust, is_app};
use crate::domain::token::{TokenKeys, TokenRules, Verified};
use crate::wire::ids::AppId;

/// The longest subject of a token, in bytes; it appears in events and logs.
const SUBJECT_BYTES_MAX: usize = 128;

/// Which callers are accepted.
pub(crate) struct Admission {
    /// Accepts callers on this machine as `builder`, and nobody else.
    pub(crate) is_dev: bool,
    /// Accepts holders of these keys.
    pub(crate) keys: Keys,
    /// Accepts holders of an issuer's tokens.
    pub(crate) tokens: Option<Tokens>,
}

/// How an issuer's tokens are verified, and who their holders are.
pub(crate) struct Tokens {
    /// A hash of the settings and keys, to detect changes.
    pub(crate) stamp: [u8; 32],
    pub(crate) rules: TokenRules,
    pub(crate) keys: Arc<dyn TokenKeys>,
    /// App of tokens that do not name one; `None` refuses them.
    pub(crate) app: Option<AppId>,
    /// Trust of tokens without the claim.
    pub(crate) trust: Trust,
}

impl Tokens {
    /// The holder of a verified token; `None` if its app or subject is not a valid name.
    pub(super) fn holder(&self, verified: Verified) -> Option<Principal> {
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
        let scopes = scopes.map_or_else(Scopes::all, Scopes::of);
        (is_name && trust <= Trust::MAX).then(|| Principal {
            app,
            // The prefix keeps a subject from looking like a key or one of the server's own names.
            name: format!("jwt:{subject}").into(),
            trust,
            is_person: scopes.are_of_a_person(),
            scopes,
            lease: Lease::Token {
                ends,
                issuer: self.stamp,
            },
        })
    }
}
