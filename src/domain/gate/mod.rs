//! The gate: which MCP servers stand behind it, and which of their names may be used.

mod check;
mod config;
mod file;
mod pattern;
mod pins;
mod rules;
mod source;
mod upstream;
mod variables;

pub(crate) use config::GateConfig;
pub(crate) use file::GateFile;
pub(crate) use pins::{Change, Definition, Pins};
pub(crate) use rules::{Rules, Verdict};
pub(crate) use source::{Connection, Place, Source};
pub(crate) use upstream::{Upstream, UpstreamError, Upstreams};
pub(crate) use variables::substitute;
