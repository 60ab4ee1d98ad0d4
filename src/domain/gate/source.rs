//! One MCP server behind the gate: how it is reached, and which of its names can be seen.

use std::collections::BTreeMap;
use std::time::Duration;

use super::file::ExposeMode;
use super::pattern::{Pattern, any};

/// The id under which rules name this server's own tools.
pub(crate) const LOCAL: &str = "local";

/// One MCP server behind the gate.
pub(crate) struct Source {
    /// Its name in the file, in rules and in logs; callers never see it.
    pub(crate) id: String,
    /// What stands in front of the names of its tools and prompts.
    pub(crate) prefix: String,
    /// How it is reached.
    pub(crate) connection: Connection,
    pub(super) expose: Expose,
}

/// How an MCP server is reached. Two that are equal need not be connected twice. Holds secrets, so
/// it has no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Connection {
    /// The id of its source, for logs.
    pub(crate) id: String,
    /// Where it is.
    pub(crate) place: Place,
    /// How long one request may take.
    pub(crate) timeout: Duration,
}

/// Where an MCP server is.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// At an address, over streamable HTTP.
    Address {
        /// The address.
        url: String,
        /// Headers of every request.
        headers: BTreeMap<String, String>,
    },
    /// A program of ours, on its standard input and output.
    Program {
        /// Program and arguments; never empty.
        command: Vec<String>,
        /// Its variables, beside those every program needs.
        env: BTreeMap<String, String>,
    },
}

/// Which names of a source can be seen.
#[derive(Clone, Debug)]
pub(super) struct Expose {
    pub(super) mode: ExposeMode,
    pub(super) patterns: Vec<Pattern>,
}

impl Expose {
    /// Whether something can be seen that has these names.
    pub(super) fn shows(&self, names: [&str; 2]) -> bool {
        let is_listed = || self.patterns.iter().any(|pattern| any(pattern, names));
        match self.mode {
            ExposeMode::All => true,
            ExposeMode::Allowlist => is_listed(),
            ExposeMode::Blocklist => !is_listed(),
        }
    }
}
