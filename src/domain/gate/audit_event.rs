//! What the audit says: of approvals, and of calls that nobody is asked about.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::principal::Principal;
use super::super::size::shorten;
use super::binding::Binding;
use super::grant::Grant;
use super::policy::canonical_hash;
use super::status::{State, Status};
use super::tool_change::ToolChange;

/// Letters of a name that a caller gave a tool which a row has room for: names have fewer.
const TOOL_CHARS_MAX: usize = 128;

/// What happened to an approval.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum AuditEvent {
    /// A person is asked about a call.
    Proposed {
        /// Whose call it is.
        caller: String,
        /// The app of the caller.
        caller_app: String,
        /// The source of the tool.
        source: String,
        /// The tool, as its source names it.
        tool: String,
        /// Hash of what the tool says of itself.
        pin: String,
        /// Hash of the arguments.
        arguments: String,
        /// Hash of the rules.
        policy: String,
        /// The session of the caller's app during which it is called, where the caller named one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        during: Option<String>,
        /// The action of that session with which a person has agreed, where they did so before the
        /// call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        click: Option<String>,
    },
    /// A person is asked about a tool that is not what was accepted, or about a server that calls
    /// itself something else.
    Changed {
        /// The source.
        source: String,
        /// The tool, as its source names it; none: all that were accepted of the source.
        #[serde(skip_serializing_if = "Option::is_none")]
        tool: Option<String>,
        /// Hash of what it is now.
        pin: String,
    },
    /// A call that needs nobody's agreement is about to be made.
    Forwarded {
        /// Whose call it is.
        caller: String,
        /// The app of the caller.
        caller_app: String,
        /// The source of the tool.
        source: String,
        /// The tool, as its source names it.
        tool: String,
        /// Hash of the arguments.
        arguments: String,
        /// Hash of the rules.
        policy: String,
    },
    /// A call was denied, and nobody was asked.
    Denied {
        /// Whose call it is.
        caller: String,
        /// The app of the caller.
        caller_app: String,
        /// The tool, as the caller named it.
        tool: String,
        /// Hash of the arguments.
        arguments: String,
    },
    /// A person has decided, or it was too late.
    Decided {
        /// What.
        state: State,
        /// Who.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// Why not.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// A person has agreed to further calls.
    Granted {
        /// Whose calls.
        caller: String,
        /// The app of the caller.
        caller_app: String,
        /// The source of the tool.
        source: String,
        /// The tool, as its source names it.
        tool: String,
        /// Hash of what the tool says of itself.
        pin: String,
        /// Hash of the rules.
        policy: String,
        /// Who has agreed.
        by: String,
    },
    /// The call is about to be made.
    Executed {
        /// Hash of the arguments, where they are others than were asked about, or where nobody was
        /// asked about them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<String>,
    },
    /// What came of the call.
    Returned {
        /// Whether it succeeded.
        state: State,
    },
}

impl AuditEvent {
    /// A person is asked about a call that is made during a session, where that is known.
    pub(crate) fn proposed(binding: &Binding, during: Option<String>, click: Option<&str>) -> Self {
        let Binding {
            app,
            caller,
            source,
            tool,
            pin,
            arguments,
            policy,
        } = binding.clone();
        Self::Proposed {
            caller,
            caller_app: app,
            source,
            tool,
            pin,
            arguments,
            policy: policy.to_string(),
            during,
            click: click.map(str::to_owned),
        }
    }

    /// A call is made without asking anybody.
    pub(crate) fn forwarded(binding: Binding) -> Self {
        Self::Forwarded {
            caller: binding.caller,
            caller_app: binding.app,
            source: binding.source,
            tool: binding.tool,
            arguments: binding.arguments,
            policy: binding.policy.to_string(),
        }
    }

    /// A call of a tool, as its caller named it, is denied.
    pub(crate) fn denied(
        principal: &Principal,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Self {
        Self::Denied {
            caller: principal.name.to_string(),
            caller_app: principal.app.to_string(),
            tool: shorten(tool, TOOL_CHARS_MAX),
            arguments: canonical_hash(arguments),
        }
    }

    /// A person has agreed to further calls.
    pub(crate) fn granted(grant: &Grant, by: &str) -> Self {
        Self::Granted {
            caller: grant.caller.clone(),
            caller_app: grant.app.clone(),
            source: grant.source.clone(),
            tool: grant.tool.clone(),
            pin: grant.pin.clone(),
            policy: grant.policy.to_string(),
            by: by.to_owned(),
        }
    }

    /// A person is asked about a change.
    pub(crate) fn changed(change: &ToolChange) -> Self {
        Self::Changed {
            source: change.source().to_owned(),
            tool: change.tool().map(str::to_owned),
            pin: change.outcome().to_string(),
        }
    }

    /// What a new status of a card is.
    pub(crate) fn of(status: &Status) -> Option<Self> {
        match status.state {
            State::Executing | State::Granted | State::Pending => None,
            State::Done | State::Failed | State::Unknown => Some(Self::Returned {
                state: status.state,
            }),
            State::Approved
            | State::Expired
            | State::Rejected
            | State::Revoked
            | State::Withdrawn => Some(Self::Decided {
                state: status.state,
                by: status.by.as_deref().map(str::to_owned),
                reason: status.note.clone(),
            }),
        }
    }
}

/// Whether something may still happen to an approval after this.
pub(crate) fn is_open(event: &AuditEvent) -> bool {
    match event {
        AuditEvent::Changed { .. }
        | AuditEvent::Executed { .. }
        | AuditEvent::Granted { .. }
        | AuditEvent::Proposed { .. } => true,
        // Nobody is asked about these.
        AuditEvent::Denied { .. } | AuditEvent::Forwarded { .. } => false,
        AuditEvent::Decided { state, .. } | AuditEvent::Returned { state } => !state.is_final(),
    }
}
