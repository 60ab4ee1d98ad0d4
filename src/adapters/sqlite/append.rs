//! An append to a log, as it is written into the tables.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _};

use super::failure::Failure;
use super::numbers::integer;
use crate::domain::event::Record;
use crate::domain::store::Append;
use crate::domain::store_error::StoreError;
use crate::wire::ids::SessionKey;

/// How much longer than it has to a session may be kept: next to nothing beside the hours it lives.
const KEPT_LONGER_MS: i64 = 60_000;

/// An append as it is written, encoded before the writer has it.
pub(super) struct Encoded {
    id: i64,
    pub(super) key: SessionKey,
    expected: i64,
    pub(super) head: i64,
    pub(super) expires_at: i64,
    snapshot: Option<(i64, String)>,
    records: Vec<(i64, String)>,
    is_end: bool,
    pub(super) summary: String,
}

impl Encoded {
    pub(super) fn new(append: &Append) -> Result<Self, Failure> {
        let encode = |record: &Arc<Record>| -> Result<_, Failure> {
            Ok((integer(record.seq.0), record.to_json()?))
        };
        Ok(Self {
            // The same bits: SQLite has signed numbers only.
            id: append.id.0.cast_signed(),
            key: append.key.clone(),
            expected: integer(append.expected.0),
            head: integer(append.head().0),
            expires_at: integer(append.expires_at.0),
            snapshot: append.snapshot.as_ref().map(encode).transpose()?,
            records: append
                .records
                .iter()
                .map(encode)
                .collect::<Result<_, _>>()?,
            is_end: append.is_end(),
            summary: serde_json::to_string(&append.summary)?,
        })
    }

    /// Writes what follows the head of a log, if that still stands where it was read.
    pub(super) fn write(&self, connection: &Connection) -> Result<(), Failure> {
        let (app, session) = (self.key.app.as_str(), self.key.session.as_str());
        let stands = "SELECT id, head, expires_at FROM sessions WHERE app = ?1 AND name = ?2";
        let mut stands = connection.prepare_cached(stands)?;
        let stands = stands.query_row((app, session), |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        });
        let stands: Option<(i64, i64, i64)> = stands.optional()?;
        let Some((id, head, kept_until)) = stands else {
            return Err(StoreError::Missing.into());
        };
        if self.expected != head {
            return match self.is_written(connection)? {
                Some(true) => Ok(()),
                _ => Err(StoreError::Conflict.into()),
            };
        }
        if self.is_end {
            let end = "DELETE FROM sessions WHERE id = ?1";
            connection.prepare_cached(end)?.execute([id])?;
            return Ok(());
        }
        let advance = "UPDATE sessions SET head = ?2, summary = ?3 WHERE id = ?1";
        let mut advance = connection.prepare_cached(advance)?;
        advance.execute((id, self.head, &self.summary))?;
        if let Some(until) = keep_until(kept_until, self.expires_at) {
            let prolong = "UPDATE sessions SET expires_at = ?2 WHERE id = ?1";
            connection.prepare_cached(prolong)?.execute((id, until))?;
        }
        if let Some((seq, _)) = &self.snapshot {
            let forget = "DELETE FROM records WHERE session = ?1 AND seq <= ?2";
            connection.prepare_cached(forget)?.execute((id, seq))?;
        }
        self.write_records(connection, id)
    }

    pub(super) fn write_records(&self, connection: &Connection, id: i64) -> Result<(), Failure> {
        let insert = "INSERT INTO records (session, seq, body, write) VALUES (?1, ?2, ?3, ?4)";
        let mut insert = connection.prepare_cached(insert)?;
        if let Some((seq, body)) = &self.snapshot {
            insert.execute((id, seq, body, None::<i64>))?;
        }
        for (seq, body) in &self.records {
            insert.execute((id, seq, body, self.id))?;
        }
        Ok(())
    }

    /// Whether it is this append that follows the position in the log; none without a session.
    pub(super) fn is_written(&self, connection: &Connection) -> Result<Option<bool>, Failure> {
        let (app, session) = (self.key.app.as_str(), self.key.session.as_str());
        let select = "SELECT (SELECT write FROM records WHERE session = sessions.id AND seq = ?3)
                      FROM sessions WHERE app = ?1 AND name = ?2";
        let mut select = connection.prepare_cached(select)?;
        let write = select.query_row((app, session, self.expected + 1), |row| {
            row.get::<_, Option<i64>>(0)
        });
        Ok(write.optional()?.map(|write| write == Some(self.id)))
    }
}

/// Until when a session is kept from now on, if that changes: a little longer than it has to be, so that
/// the index of these moments is not written with each of its events.
fn keep_until(now: i64, needed: i64) -> Option<i64> {
    match now - needed {
        0..=KEPT_LONGER_MS => None,
        ..0 => Some(needed.saturating_add(KEPT_LONGER_MS)),
        _ => Some(needed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_kept_as_long_as_it_has_to_be_and_a_minute_longer_at_most() {
        let kept = |now, needed| keep_until(now, needed).unwrap_or(now);
        let mut now = 1_000_000;
        for needed in [1_000_000, 1_000_001, 1_059_000, 1_500_000, 1_060_000, 7] {
            now = kept(now, needed);
            assert!(
                (needed..=needed + KEPT_LONGER_MS).contains(&now),
                "{needed}: {now}"
            );
        }
        // Not with each event.
        assert_eq!(keep_until(1_060_001, 1_000_001), None);
        assert_eq!(keep_until(1_060_001, 1_060_000), None);
    }
}
