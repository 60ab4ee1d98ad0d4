//! The names of keys. What has to change together has the same hash tag, so that it is in the same
//! slot of a cluster: all of a session but its short code, all else of an app, what nodes share.

use std::fmt::Display;

use crate::domain::document::DocumentHash;
use crate::wire::ids::{AppId, SessionKey, ShortCode};

/// Makes names that begin with the configured prefix.
pub(super) struct Names {
    prefix: String,
}

impl Names {
    /// The names of one prefix.
    pub(super) fn new(prefix: &str) -> Self {
        Self {
            prefix: prefix.to_owned(),
        }
    }

    /// What all nodes share.
    pub(super) fn shared(&self, what: &str) -> String {
        format!("{}:{{*}}:{what}", self.prefix)
    }

    /// Of an app.
    pub(super) fn app(&self, app: &AppId, what: impl Display) -> String {
        format!("{}:{{{app}}}:{what}", self.prefix)
    }

    /// Of a session.
    pub(super) fn session(&self, key: &SessionKey, what: &str) -> String {
        format!("{}:{{{}/{}}}:{what}", self.prefix, key.app, key.session)
    }

    /// A contract or a view.
    pub(super) fn document(&self, hash: DocumentHash) -> String {
        format!("{}:document:{hash}", self.prefix)
    }

    /// A short code.
    pub(super) fn code(&self, code: &ShortCode) -> String {
        format!("{}:code:{}", self.prefix, code.as_str())
    }

    /// The channel on which nodes announce what they have written.
    pub(super) fn changes(&self) -> String {
        format!("{}:changes", self.prefix)
    }
}
