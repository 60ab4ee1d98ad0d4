//! The audit of approvals: rows that name the hash of the row before them, so that none can be
//! changed or left out unseen.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::super::clock::Time;
use super::binding::Binding;
use super::grant::Grant;
use super::policy::canonical_hash;
use super::status::{State, Status};
use super::tool_change::ToolChange;
use crate::wire::ids::SessionKey;

/// The hash before the first row.
const BEGINNING: &str = "";

/// Why a row was not written.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the audit cannot be written: {0}")]
pub(crate) struct AuditError(pub(crate) String);

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
    pub(crate) fn proposed(binding: &Binding, during: Option<String>) -> Self {
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

/// One row of the audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AuditRow {
    /// Its place, from 1.
    pub(crate) seq: u64,
    /// When, ISO 8601.
    pub(crate) at: String,
    /// The app on whose stage the person is asked.
    pub(crate) app: String,
    /// The session in which they are asked.
    pub(crate) session: String,
    /// What happened.
    #[serde(flatten)]
    pub(crate) event: AuditEvent,
    /// The hash of the row before.
    pub(crate) previous: String,
    /// The SHA-256 of this row as canonical JSON (RFC 8785), with this member empty.
    #[serde(default)]
    pub(crate) hash: String,
}

impl AuditRow {
    fn computed_hash(&self) -> String {
        canonical_hash(&Self {
            hash: String::new(),
            ..self.clone()
        })
    }
}

/// The end of a chain of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Chain {
    seq: u64,
    hash: String,
}

impl Default for Chain {
    fn default() -> Self {
        Self {
            seq: 0,
            hash: BEGINNING.to_owned(),
        }
    }
}

impl Chain {
    /// The end of a chain that a row goes on with, where the rows before it are no longer kept.
    pub(crate) fn before(row: &AuditRow) -> Self {
        Self {
            seq: row.seq.saturating_sub(1),
            hash: row.previous.clone(),
        }
    }

    /// The place of its last row; 0 without any.
    pub(crate) fn seq(&self) -> u64 {
        self.seq
    }

    /// The next row.
    pub(crate) fn next(&self, at: Time, key: &SessionKey, event: AuditEvent) -> AuditRow {
        let mut row = AuditRow {
            seq: self.seq + 1,
            at: at.to_string(),
            app: key.app.to_string(),
            session: key.session.to_string(),
            event,
            previous: self.hash.clone(),
            hash: String::new(),
        };
        row.hash = row.computed_hash();
        row
    }

    /// Takes a row in as the next one, or says why it is none.
    pub(crate) fn follow(&mut self, row: &AuditRow) -> Result<(), String> {
        let place = self.seq + 1;
        if row.seq != place {
            return Err(format!("row {place} is missing: there is {}", row.seq));
        }
        if row.previous != self.hash {
            return Err(format!("row {place} does not follow the row before it"));
        }
        if row.hash != row.computed_hash() {
            return Err(format!("row {place} is not as it was written"));
        }
        self.seq = row.seq;
        self.hash.clone_from(&row.hash);
        Ok(())
    }
}

/// Whether something may still happen to an approval after this.
pub(crate) fn is_open(event: &AuditEvent) -> bool {
    match event {
        AuditEvent::Changed { .. }
        | AuditEvent::Executed { .. }
        | AuditEvent::Granted { .. }
        | AuditEvent::Proposed { .. } => true,
        AuditEvent::Decided { state, .. } | AuditEvent::Returned { state } => !state.is_final(),
    }
}

/// The port through which rows are kept.
#[async_trait]
pub(crate) trait Audit: Send + Sync + 'static {
    /// Appends a row. What is acknowledged is kept.
    async fn append(&self, at: Time, key: &SessionKey, event: AuditEvent)
    -> Result<(), AuditError>;

    /// The approvals to which something may still happen, as they were when it was opened, each with
    /// its last row.
    fn open_at_start(&self) -> Vec<(SessionKey, AuditEvent)>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Vec<AuditRow> {
        let key = SessionKey {
            app: "a".into(),
            session: "s".into(),
        };
        let mut chain = Chain::default();
        let events = [
            AuditEvent::Executed { arguments: None },
            AuditEvent::Decided {
                state: State::Rejected,
                by: Some("ida".to_owned()),
                reason: None,
            },
            AuditEvent::Returned { state: State::Done },
        ];
        let rows = events.into_iter().map(|event| {
            let row = chain.next(Time(0), &key, event);
            chain.follow(&row).unwrap();
            row
        });
        rows.collect()
    }

    fn verify(rows: &[AuditRow]) -> Result<(), String> {
        let mut chain = Chain::default();
        rows.iter().try_for_each(|row| chain.follow(row))
    }

    #[test]
    fn a_chain_is_read_as_it_was_written() {
        let text = |row: AuditRow| serde_json::to_string(&row).unwrap();
        let texts = rows().into_iter().map(text);
        let read = texts.map(|text| serde_json::from_str(&text).unwrap());
        assert_eq!(verify(&read.collect::<Vec<_>>()), Ok(()));
    }

    #[test]
    fn a_row_that_was_changed_left_out_or_moved_breaks_the_chain() {
        let mut changed = rows();
        changed[1].event = AuditEvent::Executed { arguments: None };
        assert!(verify(&changed).unwrap_err().contains("row 2 is not"));
        let mut left_out = rows();
        left_out.remove(1);
        assert!(verify(&left_out).unwrap_err().contains("row 2 is missing"));
        let mut moved = rows();
        moved.swap(0, 1);
        assert!(verify(&moved).is_err());
        // Whoever writes a row anew has to write all that follow.
        let mut written = rows();
        written[1].event = AuditEvent::Executed { arguments: None };
        written[1].hash = written[1].computed_hash();
        assert!(
            verify(&written)
                .unwrap_err()
                .contains("row 3 does not follow")
        );
    }
}
