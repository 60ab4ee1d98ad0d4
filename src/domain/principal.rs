//! Who asks: kind, app and trust.

use std::sync::Arc;

use serde::Serialize;

use crate::wire::ids::{AppId, SessionId, SessionKey};

/// How far a credential reaches (ruling 15).
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

/// Where a request came in; every event remembers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Door {
    /// A tool call.
    Mcp,
    /// A frame of the live channel.
    Socket,
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
}

impl Principal {
    /// Whoever holds a token for one session of an app.
    pub(crate) fn viewer(app: AppId) -> Self {
        Self {
            app,
            name: "viewer".into(),
            trust: Trust::APP,
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

    /// The dev identity: whoever calls from this machine (ruling 12).
    pub(crate) fn builder() -> Self {
        Self {
            app: AppId::from("builder"),
            name: "builder".into(),
            trust: Trust::MAX,
        }
    }
}
