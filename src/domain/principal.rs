//! Who asks: kind, app and trust.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::clock::Time;
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// How far a credential reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Trust(pub(crate) u8);

impl Trust {
    /// Looks, and changes nothing.
    pub(crate) const READ: Trust = Trust(0);
    /// Its own sessions: what an agent needs.
    pub(crate) const OWN: Trust = Trust(1);
    /// Any session of its app.
    pub(crate) const APP: Trust = Trust(2);
    /// Keys and blueprints.
    pub(crate) const MAX: Trust = Trust(3);
}

/// Letters of an app's name; it stands in addresses and logs.
pub(crate) const APP_NAME_BYTES_MAX: usize = 64;

/// Names of this server's own: no credential has one.
pub(crate) const OWN_NAMES: [&str; 3] = ["builder", "server", "viewer"];

/// Whether a text may name an app.
pub(crate) fn is_app(name: &str) -> bool {
    (1..=APP_NAME_BYTES_MAX).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// What a credential may ask for within its trust: names of scopes, or no such bound.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scopes(Option<Arc<BTreeSet<String>>>);

impl Scopes {
    /// All that the trust allows.
    pub(crate) fn all() -> Self {
        Self(None)
    }

    /// These, and nothing else; names nobody knows allow nothing.
    pub(crate) fn of(names: impl IntoIterator<Item = String>) -> Self {
        Self(Some(Arc::new(names.into_iter().collect())))
    }

    /// Whether one of these names is held, or no name is needed.
    pub(crate) fn hold<'a>(&self, any_of: impl IntoIterator<Item = &'a str>) -> bool {
        self.0
            .as_ref()
            .is_none_or(|held| any_of.into_iter().any(|name| held.contains(name)))
    }

    /// The names, where there is a bound.
    pub(crate) fn names(&self) -> Option<Vec<&str>> {
        let names = self.0.as_ref()?;
        Some(names.iter().map(String::as_str).collect())
    }
}

/// Where a request came in; every event remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Door {
    /// A tool call.
    Mcp,
    /// A request for a resource.
    Rest,
    /// None: the server itself saw it.
    Server,
    /// A frame of the live channel.
    Socket,
}

/// How long a credential stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lease {
    /// As long as the API key of this hash is among those that open, and may do what it might.
    Key {
        /// Of the secret.
        hash: [u8; 32],
        /// Of all it may do.
        rights: [u8; 32],
    },
    /// As long as the server.
    Standing,
    /// Until a token's time is over, and as long as its issuer's tokens are taken as they were.
    Token {
        /// When it is over, as the machine's clock tells.
        ends: Time,
        /// How they were taken.
        issuer: [u8; 32],
    },
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key { .. } => f.write_str("Key(***)"),
            Self::Standing => f.write_str("Standing"),
            Self::Token { ends, .. } => write!(f, "Token({ends})"),
        }
    }
}

/// A caller whose credential was checked.
#[derive(Clone, Debug)]
pub(crate) struct Principal {
    /// The tenant all of its stores are split by.
    pub(crate) app: AppId,
    /// A name for logs and events; never a secret.
    pub(crate) name: Arc<str>,
    /// How far it reaches.
    pub(crate) trust: Trust,
    /// What it may ask for within that reach.
    pub(crate) scopes: Scopes,
    /// How long that holds: what stays open is closed with it.
    pub(crate) lease: Lease,
}

impl Principal {
    /// Whoever holds a token for one session of an app, and may ask for so much of it.
    pub(crate) fn viewer(app: AppId, scopes: Scopes) -> Self {
        Self {
            app,
            name: "viewer".into(),
            trust: Trust::APP,
            scopes,
            lease: Lease::Standing,
        }
    }

    /// A session of its own app, by its name: no other can be asked for.
    pub(crate) fn key(&self, session: &str) -> SessionKey {
        SessionKey {
            app: self.app.clone(),
            session: SessionId::from(session),
        }
    }

    /// Whether what `owner` made is this principal's to see.
    pub(crate) fn sees(&self, owner: &str) -> bool {
        self.trust >= Trust::APP || *self.name == *owner
    }

    /// The dev identity: whoever calls from this machine.
    pub(crate) fn builder() -> Self {
        Self {
            app: AppId::from("builder"),
            name: "builder".into(),
            trust: Trust::MAX,
            scopes: Scopes::all(),
            lease: Lease::Standing,
        }
    }
}
