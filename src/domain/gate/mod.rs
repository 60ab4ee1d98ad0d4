//! The gate: which MCP servers stand behind it, and which of their names may be used.

mod approval;
mod audit;
mod binding;
mod card;
mod check;
mod config;
mod duration;
mod file;
mod pattern;
mod pins;
mod policy;
mod redaction;
mod rules;
mod source;
mod upstream;
mod variables;
mod workflow;

pub(crate) use approval::{Reading, State, Status};
pub(crate) use audit::{Audit, AuditError, AuditEvent, AuditRow, Chain, is_open};
pub(crate) use binding::Binding;
pub(crate) use card::{Card, STATUS, card_contract};
pub(crate) use config::GateConfig;
pub(crate) use file::GateFile;
pub(crate) use pins::{Change, Definition, Pins};
pub(crate) use policy::PolicyVersion;
pub(crate) use rules::{Approval, Rules, Verdict};
pub(crate) use source::{Connection, Place, Source};
pub(crate) use upstream::{Upstream, UpstreamError, Upstreams};
pub(crate) use variables::substitute;
