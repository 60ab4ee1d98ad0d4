//! What happened in the sessions of each app, in the database.

use std::pin::pin;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Notify;

use super::database::Database;
use super::failure::Failure;
use super::numbers::{integer, unsigned};
use crate::domain::activity::{Activity, ActivityStore};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The lists of a database.
pub(crate) struct SqliteActivity {
    database: Arc<Database>,
    grown: Notify,
}

impl SqliteActivity {
    /// The lists of a database, to which nobody else adds: one process owns it.
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self {
            database,
            grown: Notify::new(),
        }
    }

    /// The position of the last row.
    async fn last(&self, app: &AppId) -> Result<u64, StoreError> {
        let app = app.clone();
        let select = "SELECT coalesce(max(id), 0) FROM activity WHERE app = ?1";
        self.database
            .read(move |connection| {
                let mut select = connection.prepare_cached(select)?;
                let last = select.query_row([app.as_str()], |row| row.get(0))?;
                Ok(unsigned(last))
            })
            .await
    }
}

#[async_trait]
impl ActivityStore for SqliteActivity {
    async fn add(&self, app: &AppId, rows: &[Activity], rows_max: usize) -> Result<(), StoreError> {
        let encode = |row: &Activity| -> Result<_, Failure> {
            let body = serde_json::to_string(row)?;
            Ok((row.session.clone(), integer(row.seq.0), body))
        };
        let rows: Result<Vec<_>, _> = rows.iter().map(encode).collect();
        let (app, rows, rows_max) = (app.clone(), rows?, integer(rows_max as u64));
        self.database
            .write(move |connection| {
                let app = app.as_str();
                let mut insert = connection.prepare_cached(
                    "INSERT INTO activity (app, session, seq, body) VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT DO NOTHING",
                )?;
                for (session, seq, body) in &rows {
                    insert.execute((app, session.as_str(), seq, body))?;
                }
                let mut forget = connection.prepare_cached(
                    "DELETE FROM activity WHERE app = ?1 AND id <=
                     (SELECT id FROM activity WHERE app = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
                )?;
                forget.execute((app, rows_max))?;
                Ok(())
            })
            .await?;
        self.grown.notify_waiters();
        Ok(())
    }

    async fn after(&self, app: &AppId, at: u64) -> Result<(Vec<Activity>, u64), StoreError> {
        let app = app.clone();
        self.database
            .read(move |connection| {
                let select = "SELECT id, body FROM activity WHERE app = ?1 AND id > ?2 ORDER BY id";
                let mut select = connection.prepare_cached(select)?;
                let mut found = select.query((app.as_str(), integer(at)))?;
                let (mut rows, mut last) = (Vec::new(), at);
                while let Some(row) = found.next()? {
                    last = unsigned(row.get(0)?);
                    rows.push(serde_json::from_str(row.get_ref(1)?.as_str()?)?);
                }
                Ok((rows, last))
            })
            .await
    }

    async fn wait(&self, app: &AppId, at: u64) -> Result<(), StoreError> {
        loop {
            let mut grown = pin!(self.grown.notified());
            // Listening before looking: what comes in between is not missed.
            grown.as_mut().enable();
            if self.last(app).await? > at {
                return Ok(());
            }
            grown.await;
        }
    }
}
