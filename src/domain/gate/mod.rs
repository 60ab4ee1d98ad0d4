//! The gate: which MCP servers stand behind it, and which of their names may be used.

mod approval;
mod audit;
mod audit_event;
mod binding;
mod call_card;
mod card;
mod check;
mod check_rule;
mod check_source;
mod config;
mod definition_lines;
mod duration;
mod editing;
mod file;
mod grant;
mod pattern;
mod pin_changes;
mod pins;
mod policies;
mod policy;
mod requester;
mod rules;
mod search;
mod slack;
mod source;
mod status;
mod tool_change;
mod upstream;
mod variables;
mod webhook;
mod workflow;

pub(crate) use approval::{Choice, Reading, approving};
pub(crate) use audit::{Audit, AuditError, AuditRow, Chain};
pub(crate) use audit_event::{AuditEvent, is_open};
pub(crate) use binding::Binding;
pub(crate) use call_card::{CallCard, Shown};
pub(crate) use card::asked_by;
pub(crate) use config::{AcceptedTools, GateConfig};
pub(crate) use editing::{Edited, Editing};
pub(crate) use file::GateFile;
pub(crate) use grant::Grant;
pub(crate) use pins::{Change, Definition, PinEdit, PinError, PinStore, Pins};
pub(crate) use policies::{Asked, Decision, Policies, Use};
pub(crate) use policy::PolicyVersion;
pub(crate) use requester::{
    Abilities, AskError, ELICIT, LOG, LOG_LEVEL_KEY, PROGRESS, Question, ROOTS, Requester, SAMPLE,
    SUBSCRIBE, TASKS, UNSUBSCRIBE,
};
pub(crate) use rules::{Approval, Asking, Rules, Verdict};
pub(crate) use search::find_tools;
pub(crate) use slack::slack_message;
pub(crate) use source::{Connection, LOCAL, Place, Source};
pub(crate) use status::{State, Status, Subject};
pub(crate) use tool_change::ToolChange;
pub(crate) use upstream::{OnChange, Upstream, UpstreamError, Upstreams};
pub(crate) use variables::substitute;
pub(crate) use webhook::{Destination, Messenger, NotTaken, Notice, Webhook};
pub(crate) use workflow::Workflow;
