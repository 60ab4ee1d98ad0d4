//! Answers of attempts in the database.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use rusqlite::{Connection, OptionalExtension as _};

use super::database::Database;
use super::failure::Failure;
use super::numbers::{integer, unsigned};
use crate::domain::clock::Time;
use crate::domain::digest::{hex, sha256};
use crate::domain::limits::IdempotencyLimits;
use crate::domain::replayed::{AttemptName, ReplayedAnswer, ReplayedAnswers};
use crate::domain::store_error::StoreError;

/// The answers of a database.
pub(crate) struct SqliteAnswers {
    pub(crate) database: Arc<Database>,
    pub(crate) limits: IdempotencyLimits,
}

/// What an answer is kept under. Clients put secrets into keys: a digest gives none away.
fn attempt(name: &AttemptName) -> Result<String, Failure> {
    let parts = (&name.app, &name.principal, &name.operation, &name.key);
    Ok(hex(&sha256(&serde_json::to_vec(&parts)?)))
}

impl SqliteAnswers {
    /// The moment before which every answer is too old.
    fn horizon(&self, now: Time) -> i64 {
        integer(now.before(Duration::from_secs(self.limits.ttl_s)).0)
    }
}

#[async_trait]
impl ReplayedAnswers for SqliteAnswers {
    async fn find(
        &self,
        name: &AttemptName,
        now: Time,
    ) -> Result<Option<ReplayedAnswer>, StoreError> {
        let (attempt, horizon) = (attempt(name)?, self.horizon(now));
        self.database
            .read(move |connection| {
                let mut select = connection.prepare_cached(
                    "SELECT digest, given_at, body FROM answers
                     WHERE attempt = ?1 AND given_at > ?2",
                )?;
                let found = select.query_row((&attempt, horizon), |row| {
                    Ok((row.get(0)?, row.get(1)?, row.get::<_, String>(2)?))
                });
                let Some((digest, at, body)) = found.optional()? else {
                    return Ok(None);
                };
                Ok(Some(ReplayedAnswer {
                    digest,
                    answer: serde_json::from_str(&body)?,
                    at: Time(unsigned(at)),
                }))
            })
            .await
    }

    async fn keep(&self, name: AttemptName, answer: ReplayedAnswer) -> Result<(), StoreError> {
        let attempt = attempt(&name)?;
        let body = serde_json::to_string(&answer.answer).map_err(Failure::from)?;
        if body.len() > self.limits.bytes_max {
            // An answer for which there is no room cannot be given twice.
            tracing::warn!(
                bytes = body.len(),
                "an answer is too large to be kept for a retry"
            );
            return Ok(());
        }
        let (results_max, bytes_max) = (self.limits.results_max, self.limits.bytes_max);
        self.database
            .write(move |connection| {
                let app = name.app.as_str();
                let delete = "DELETE FROM answers WHERE attempt = ?1";
                connection.prepare_cached(delete)?.execute([&attempt])?;
                let mut insert = connection.prepare_cached(
                    "INSERT INTO answers (app, attempt, digest, given_at, bytes, body)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                )?;
                let (at, bytes) = (integer(answer.at.0), integer(body.len() as u64));
                insert.execute((app, &attempt, answer.digest, at, bytes, &body))?;
                while !fits(connection, app, results_max, bytes_max)? {
                    let mut forget = connection.prepare_cached(
                        "DELETE FROM answers WHERE id =
                         (SELECT min(id) FROM answers WHERE app = ?1)",
                    )?;
                    forget.execute([app])?;
                }
                Ok(())
            })
            .await
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        let horizon = self.horizon(now);
        self.database
            .write(move |connection| {
                let delete = "DELETE FROM answers WHERE given_at <= ?1";
                connection.prepare_cached(delete)?.execute([horizon])?;
                Ok(())
            })
            .await
    }
}

/// Whether an app has no more answers than it may.
fn fits(
    connection: &Connection,
    app: &str,
    results_max: usize,
    bytes_max: usize,
) -> Result<bool, Failure> {
    let select = "SELECT answers, answer_bytes FROM apps WHERE name = ?1";
    let mut select = connection.prepare_cached(select)?;
    let (answers, bytes) = select.query_row([app], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(unsigned(answers) <= results_max as u64 && unsigned(bytes) <= bytes_max as u64)
}
