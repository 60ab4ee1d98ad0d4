//! Typed ids, so that ids of different things cannot be mixed up.

use std::fmt;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest id this server looks up, in bytes; a longer one cannot exist.
///
/// Ids issued here have 36 bytes; clients of the live channel may bring their own, and this is
/// twice the longest that any known client sends.
pub const ID_BYTES_MAX: usize = 128;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        id!(@ $(#[$doc])* $name);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &self.0)
            }
        }
    };
    (secret $(#[$doc:meta])* $name:ident) => {
        id!(@ $(#[$doc])* $name);

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("***")
            }
        }
    };
    (@ $(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Wraps a text without checking it.
            pub fn new(text: impl Into<Arc<str>>) -> Self {
                Self(text.into())
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }
    };
}

id! {
    /// A tenant: every store is split by it (tools.md §1.3).
    AppId
}
id! {
    /// One rendered UI and its log.
    SessionId
}
id! {
    /// A negotiated contract waiting to be rendered once (tools.md §3.5).
    HandshakeId
}
id! {
    /// One gesture of a person; accepted once per session.
    ActionId
}
id! {
    secret
    /// The sixteen characters that open one render in a browser; knowing them is the permission.
    ShortCode
}

/// Position of an event in its session's log: 1 for the first, without gaps; 0 means "nothing yet".
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The position after this one.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Version of a session's history: 0 at render, one more with every `ggui_update` (tools.md §5).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Epoch(pub u64);

impl Epoch {
    /// The epoch after this one.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Epoch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The key of a session in every store: its app and its id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SessionKey {
    /// The tenant.
    pub app: AppId,
    /// The session inside it.
    pub session: SessionId,
}

impl fmt::Display for SessionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.app, self.session)
    }
}
