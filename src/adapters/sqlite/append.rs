//! An append to a log, as it is written into the tables.

use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension as _};

use super::failure::Failure;
use super::numbers::integer;
use crate::domain::event::Record;
use crate::domain::store::Append;
use crate::domain::store_error::StoreError;
use crate::wire::ids::SessionKey;

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
        let mut advance = connection.prepare_cached(
            "UPDATE sessions SET head = ?4, expires_at = ?5, summary = ?6
             WHERE app = ?1 AND name = ?2 AND head = ?3 RETURNING id",
        )?;
        let Self {
            expected,
            head,
            expires_at,
            summary,
            ..
        } = self;
        let found = (app, session, expected, head, expires_at, summary);
        let found = advance.query_row(found, |row| row.get(0)).optional()?;
        let Some(id) = found else {
            return match self.is_written(connection)? {
                Some(true) => Ok(()),
                Some(false) => Err(StoreError::Conflict.into()),
                None => Err(StoreError::Missing.into()),
            };
        };
        if self.is_end {
            let end = "DELETE FROM sessions WHERE id = ?1";
            connection.prepare_cached(end)?.execute([id])?;
            return Ok(());
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
