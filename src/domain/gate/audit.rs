//! The audit of approvals: rows that name the hash of the row before them, so that none can be
//! changed or left out unseen.

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::super::clock::Time;
use super::audit_event::AuditEvent;
use super::policy::canonical_hash;
use crate::wire::ids::SessionKey;

/// The hash before the first row.
const BEGINNING: &str = "";

/// Why a row was not written.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the audit cannot be written: {0}")]
pub(crate) struct AuditError(pub(crate) String);

/// One row of the audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AuditRow {
    /// Its place, from 1.
    pub(crate) seq: u64,
    /// When, ISO 8601.
    pub(crate) at: String,
    /// The app on whose stage the person is asked.
    pub(crate) app: String,
    /// The session in which they are asked; or what names a call that nobody is asked about.
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
        self.advance(row);
        Ok(())
    }

    /// Moves past a row that this chain made itself, once it is written.
    pub(crate) fn advance(&mut self, row: &AuditRow) {
        self.seq = row.seq;
        self.hash.clone_from(&row.hash);
    }
}

/// The port through which rows are kept.
#[async_trait]
pub(crate) trait Audit: Send + Sync + 'static {
    /// Appends a row. What is acknowledged is kept.
    async fn append(&self, at: Time, key: &SessionKey, event: AuditEvent)
    -> Result<(), AuditError>;

    /// Appends a row about a call that nobody is asked about. It is on the disk with the next row that
    /// is acknowledged.
    async fn note(&self, at: Time, key: &SessionKey, event: AuditEvent) -> Result<(), AuditError>;

    /// The approvals to which something may still happen, as they were when it was opened, each with
    /// its last row.
    fn open_at_start(&self) -> Vec<(SessionKey, AuditEvent)>;
}

#[cfg(test)]
mod tests {
    use super::super::status::State;
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
