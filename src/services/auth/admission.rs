//! Who may come in: this machine, holders of keys, holders of an issuer's tokens.

use std::sync::Arc;

use crate::domain::api_key::Keys;
use crate::domain::principal::{Lease, Principal, Scopes, Trust, is_app};
use crate::domain::token::{TokenKeys, TokenRules, Verified};
use crate::wire::ids::AppId;

/// Longest subject of a token, in bytes: it stands in events and logs.
const SUBJECT_BYTES_MAX: usize = 128;

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
    /// Tells these settings and keys from any others.
    pub(crate) stamp: [u8; 32],
    pub(crate) rules: TokenRules,
    pub(crate) keys: Arc<dyn TokenKeys>,
    /// App of tokens that name none.
    pub(crate) app: Option<AppId>,
    /// Trust of tokens that tell none.
    pub(crate) trust: Trust,
}

impl Tokens {
    /// Whom a verified token names; nobody, where that is no name.
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
        (is_name && trust <= Trust::MAX).then(|| Principal {
            app,
            // No subject can pass for a key or for the server's own.
            name: format!("jwt:{subject}").into(),
            trust,
            scopes: scopes.map_or_else(Scopes::all, Scopes::of),
            lease: Lease::Token {
                ends,
                issuer: self.stamp,
            },
        })
    }
}
