//! The caller of a request: kind, app and trust.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::clock::Time;
use crate::wire::ids::{AppId, SessionId, SessionKey};

/// How much a credential may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct Trust(pub(crate) u8);

impl Trust {
    /// May read, and change nothing.
    pub(crate) const READ: Trust = Trust(0);
    /// May use the sessions it made itself, which is what an agent needs.
    pub(crate) const OWN: Trust = Trust(1);
    /// May use any session of its app.
    pub(crate) const APP: Trust = Trust(2);
    /// May also manage keys and blueprints.
    pub(crate) const MAX: Trust = Trust(3);
}

/// The longest name of an app, in bytes; it appears in addresses and logs.
pub(crate) const APP_NAME_BYTES_MAX: usize = 64;

/// The name of the server where it acts on its own. What it owns it shows to people alone.
pub(crate) const SERVER: &str = "server";
/// The name of a person of whom no other is known.
const VIEWER: &str = "viewer";
/// Names the server gives to callers of its own; no credential may have one.
pub(crate) const OWN_NAMES: [&str; 3] = ["builder", SERVER, VIEWER];

/// Whether a text is a valid name of an app.
pub(crate) fn is_app(name: &str) -> bool {
    (1..=APP_NAME_BYTES_MAX).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
}

/// The scopes that restrict a credential further than its trust; `None` restricts nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Scopes(Option<Arc<BTreeSet<String>>>);

impl Scopes {
    /// No restriction.
    pub(crate) fn all() -> Self {
        Self(None)
    }

    /// Only these scopes; unknown names allow nothing.
    pub(crate) fn of(names: impl IntoIterator<Item = String>) -> Self {
        Self(Some(Arc::new(names.into_iter().collect())))
    }

    /// Whether one of these scopes is held, or none is required.
    pub(crate) fn hold<'a>(&self, any_of: impl IntoIterator<Item = &'a str>) -> bool {
        self.0
            .as_ref()
            .is_none_or(|held| any_of.into_iter().any(|name| held.contains(name)))
    }

    /// The names of the scopes; `None` without a restriction.
    pub(crate) fn names(&self) -> Option<Vec<&str>> {
        let names = self.0.as_ref()?;
        Some(names.iter().map(String::as_str).collect())
    }
}

/// How a request arrived; every event records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Door {
    /// A tool call.
    Mcp,
    /// A request for a resource.
    Rest,
    /// The server itself.
    Server,
    /// A frame of the live channel.
    Socket,
}

/// How long a credential is valid.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Lease {
    /// As long as the API key with this hash exists with the same rights.
    Key {
        /// The SHA-256 of the secret.
        hash: [u8; 32],
        /// The SHA-256 of everything the key may do.
        rights: [u8; 32],
    },
    /// As long as the server runs.
    Standing,
    /// Until the token expires, and as long as the tokens of its issuer are accepted under the same
    /// settings.
    Token {
        /// When it expires, on the machine's clock.
        ends: Time,
        /// The stamp of the settings and keys it was accepted under.
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

/// A caller with a verified credential.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Principal {
    /// The tenant; every store is split by it.
    pub(crate) app: AppId,
    /// A name for logs and events; never a secret.
    pub(crate) name: Arc<str>,
    /// How much it may do.
    pub(crate) trust: Trust,
    /// Its scopes within that trust.
    pub(crate) scopes: Scopes,
    /// How long the credential is valid; connections are closed when it ends.
    pub(crate) lease: Lease,
    /// Whether it stands for a person: only then it sees what the server itself asks of people.
    #[serde(default)]
    pub(crate) is_person: bool,
}

impl Principal {
    /// The holder of a token for one session, with the token's scopes.
    pub(crate) fn viewer(app: AppId, scopes: Scopes) -> Self {
        Self {
            app,
            name: VIEWER.into(),
            trust: Trust::APP,
            scopes,
            lease: Lease::Standing,
            // Its session was shown to whoever handed out the token, or had a link to it.
            is_person: true,
        }
    }

    /// The key of a session in the caller's own app, the only app it can name.
    pub(crate) fn key(&self, session: &str) -> SessionKey {
        SessionKey {
            app: self.app.clone(),
            session: SessionId::from(session),
        }
    }

    /// Whether this principal may see what `owner` made. An agent may ask a person for something,
    /// and must not be able to answer for them: what the server asks is for people.
    pub(crate) fn sees(&self, owner: &str) -> bool {
        if owner == SERVER {
            return self.is_person;
        }
        self.trust >= Trust::APP || *self.name == *owner
    }

    /// The name of the person whose credential it is. Whoever sits at this machine, or has a link,
    /// has none.
    pub(crate) fn person(&self) -> Option<Arc<str>> {
        let is_known = self.is_person && self.lease != Lease::Standing;
        is_known.then(|| Arc::clone(&self.name))
    }

    /// The same where it came to the stage: whoever sits at this machine is a person there, and is
    /// none where a program of this machine calls tools.
    pub(crate) fn on_stage(self) -> Self {
        let is_person = self.is_person || self.lease == Lease::Standing;
        Self { is_person, ..self }
    }

    /// The same where it changes something on the stage, under the name of the person, if it is one.
    pub(crate) fn in_person(self) -> Self {
        let principal = self.on_stage();
        let name = match principal.is_person {
            true => principal.person().unwrap_or_else(|| VIEWER.into()),
            false => Arc::clone(&principal.name),
        };
        Self { name, ..principal }
    }

    /// The dev identity, for callers on this machine.
    pub(crate) fn builder() -> Self {
        Self {
            app: AppId::from("builder"),
            name: "builder".into(),
            trust: Trust::MAX,
            scopes: Scopes::all(),
            lease: Lease::Standing,
            is_person: false,
        }
    }
}
