//! The columns of the fault table: the surface of a failure, the endpoints that use its number, and
//! what the caller may do about it.

use serde::Serialize;

/// The protocol revision by whose rules a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Era {
    /// `initialize` and revisions up to 2025-11-25: most clients.
    Legacy,
    /// The stateless revision 2026-07-28.
    Modern,
}

/// The registries of error numbers that an address uses. A number alone is only unambiguous where
/// there is one registry; elsewhere `data.surface` disambiguates it (errors.md §2.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// `/mcp` and `/apps/{appId}/mcp`: all registries.
    Mcp,
    /// Only sessions.
    Ggui,
    /// Only the page store.
    Brain,
    /// Only the gate in front of tools.
    Gate,
}

impl Endpoint {
    /// Whether this address uses the numbers of a surface. A failure of another surface is sent as
    /// a failed tool result, without a number.
    pub const fn speaks(self, surface: Surface) -> bool {
        match self {
            Endpoint::Mcp => !matches!(surface, Surface::Channel | Surface::Rest),
            Endpoint::Ggui => matches!(
                surface,
                Surface::Ggui | Surface::Http | Surface::Jsonrpc | Surface::Resource
            ),
            Endpoint::Brain => matches!(surface, Surface::Brain),
            Endpoint::Gate => matches!(surface, Surface::Gate),
        }
    }
}

/// Who raises a fault; a number means something only together with its surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    /// The page store.
    Brain,
    /// Frames of the live channel.
    Channel,
    /// The gate in front of tools.
    Gate,
    /// Sessions, handshakes, apps.
    Ggui,
    /// Everything that is answered before the body is read.
    Http,
    /// The JSON-RPC envelope.
    Jsonrpc,
    /// `resources/read`.
    Resource,
    /// The REST interface.
    Rest,
}

impl Surface {
    /// Every surface, in the order of the enum.
    pub const ALL: &'static [Surface] = &[
        Surface::Brain,
        Surface::Channel,
        Surface::Gate,
        Surface::Ggui,
        Surface::Http,
        Surface::Jsonrpc,
        Surface::Resource,
        Surface::Rest,
    ];
}

/// What the caller may do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// The same request may succeed once the collection is restored.
    AfterRestore,
    /// The same request may succeed after the given delay.
    AfterDelay,
    /// The same request may succeed later.
    Backoff,
    /// Never with the same request: fix it first.
    Fix,
    /// Never: the configuration, or a person's mind, has to change.
    Never,
    /// Read the state again, put the change on top of it, and send that.
    Rebase,
    /// Negotiate and render again: what was named is gone.
    Rehandshake,
    /// The same request, sent anew, asks a person again.
    Resubmit,
    /// A simpler request may succeed.
    Simplify,
}

impl Retry {
    /// Whether a caller may try again without a person who changes something.
    pub const fn is_allowed(self) -> bool {
        match self {
            Retry::AfterRestore
            | Retry::AfterDelay
            | Retry::Backoff
            | Retry::Rebase
            | Retry::Resubmit
            | Retry::Simplify => true,
            Retry::Fix | Retry::Never | Retry::Rehandshake => false,
        }
    }

    /// The advice as a sentence.
    pub const fn text(self) -> &'static str {
        match self {
            Retry::AfterRestore => "Yes, after the collection has finished restoring",
            Retry::AfterDelay => "Yes, after the given delay",
            Retry::Backoff => "Yes, with exponential back-off",
            Retry::Fix => "No: fix the request",
            Retry::Never => "No: fix the configuration",
            Retry::Rebase => "Yes, after reading the state again and rebasing",
            Retry::Rehandshake => "Handshake and render again",
            Retry::Resubmit => "Yes, by sending the request again",
            Retry::Simplify => "Yes, with a simpler request",
        }
    }
}
