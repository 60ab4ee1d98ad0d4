//! Blueprints in the database.

use std::sync::Arc;

use async_trait::async_trait;
use rusqlite::{OptionalExtension as _, Row};

use super::database::Database;
use super::documents;
use super::failure::Failure;
use super::looked_up::LookedUp;
use super::numbers::{integer, unsigned};
use crate::domain::blueprint::{Blueprint, BlueprintStore, Registered};
use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The blueprints of a database.
pub(crate) struct SqliteBlueprints {
    database: Arc<Database>,
    looked_up: Arc<LookedUp>,
}

impl SqliteBlueprints {
    /// The blueprints of a database, which nobody else changes: one process owns it.
    pub(crate) fn new(database: Arc<Database>) -> Self {
        Self {
            database,
            looked_up: Arc::default(),
        }
    }
}

/// A row of `body, hits, used_at`.
fn registered(row: &Row<'_>) -> Result<Registered, Failure> {
    Ok(Registered {
        blueprint: Arc::new(serde_json::from_str(row.get_ref(0)?.as_str()?)?),
        hits: unsigned(row.get(1)?),
        used_at: Time(unsigned(row.get(2)?)),
    })
}

#[async_trait]
impl BlueprintStore for SqliteBlueprints {
    async fn put(
        &self,
        app: &AppId,
        blueprint: Registered,
        documents: Vec<Document>,
        replaces: Option<Arc<str>>,
    ) -> Result<(), StoreError> {
        let change = self.looked_up.change(app);
        let app = app.clone();
        let body = serde_json::to_string(&*blueprint.blueprint).map_err(Failure::from)?;
        self.database
            .write(move |connection| {
                let _until_committed = &change;
                let (app, key) = (app.as_str(), &*blueprint.blueprint.key);
                let select = "SELECT name FROM blueprints WHERE app = ?1 AND key = ?2";
                let mut select = connection.prepare_cached(select)?;
                let stands = select.query_row((app, key), |row| row.get::<_, String>(0));
                if stands.optional()?.as_deref() != replaces.as_deref() {
                    return Err(StoreError::Conflict.into());
                }
                let delete = "DELETE FROM blueprints WHERE app = ?1 AND key = ?2";
                connection.prepare_cached(delete)?.execute((app, key))?;
                let documents = documents::keep(connection, &documents)?;
                let mut insert = connection.prepare_cached(
                    "INSERT INTO blueprints (app, key, name, body, hits, used_at, documents)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                )?;
                let name = &*blueprint.blueprint.id;
                let (hits, used_at) = (integer(blueprint.hits), integer(blueprint.used_at.0));
                insert.execute((app, key, name, &body, hits, used_at, &documents))?;
                Ok(())
            })
            .await
    }

    async fn list(&self, app: &AppId) -> Result<Vec<Registered>, StoreError> {
        let app = app.clone();
        self.database
            .read(move |connection| {
                let select = "SELECT body, hits, used_at FROM blueprints WHERE app = ?1";
                let mut select = connection.prepare_cached(select)?;
                let mut rows = select.query([app.as_str()])?;
                let mut all = Vec::new();
                while let Some(row) = rows.next()? {
                    all.push(registered(row)?);
                }
                Ok(all)
            })
            .await
    }

    async fn find(&self, app: &AppId, key: &str) -> Result<Arc<Blueprint>, StoreError> {
        let since = match self.looked_up.find(app, key) {
            Ok(held) => return Ok(held),
            Err(since) => since,
        };
        let (of, key) = (app.clone(), key.to_owned());
        let found = self
            .database
            .read(move |connection| {
                let select = "SELECT body FROM blueprints WHERE app = ?1 AND key = ?2";
                let mut select = connection.prepare_cached(select)?;
                let mut rows = select.query((of.as_str(), &key))?;
                let row = rows.next()?.ok_or(StoreError::Missing)?;
                Ok(Arc::new(serde_json::from_str(row.get_ref(0)?.as_str()?)?))
            })
            .await?;
        self.looked_up.take_in(app, &found, since);
        Ok(found)
    }

    async fn get(&self, app: &AppId, id: &str) -> Result<Registered, StoreError> {
        let (app, id) = (app.clone(), id.to_owned());
        self.database
            .read(move |connection| {
                let mut select = connection.prepare_cached(
                    "SELECT body, hits, used_at FROM blueprints WHERE app = ?1 AND name = ?2",
                )?;
                let mut rows = select.query((app.as_str(), &id))?;
                registered(rows.next()?.ok_or(StoreError::Missing)?)
            })
            .await
    }

    async fn documents(&self, app: &AppId, id: &str) -> Result<Vec<Document>, StoreError> {
        let (app, id) = (app.clone(), id.to_owned());
        self.database
            .read(move |connection| {
                let mut select = connection.prepare_cached(
                    "SELECT documents.text
                     FROM blueprints, json_each(blueprints.documents) AS held
                     JOIN documents ON documents.id = held.value
                     WHERE blueprints.app = ?1 AND blueprints.name = ?2 ORDER BY held.key",
                )?;
                let mut rows = select.query((app.as_str(), &id))?;
                let mut documents = Vec::new();
                while let Some(row) = rows.next()? {
                    let text = row.get_ref(0)?.as_str()?;
                    documents.push(Document {
                        hash: DocumentHash::of(text),
                        value: Arc::new(serde_json::from_str(text)?),
                    });
                }
                // A blueprint names its contract at least.
                if documents.is_empty() {
                    return Err(StoreError::Missing.into());
                }
                Ok(documents)
            })
            .await
    }

    async fn hit(&self, app: &AppId, id: &str, now: Time) -> Result<(), StoreError> {
        let (app, id, now) = (app.clone(), id.to_owned(), integer(now.0));
        self.database
            .write(move |connection| {
                let mut update = connection.prepare_cached(
                    "UPDATE blueprints SET hits = hits + 1, used_at = ?3
                     WHERE app = ?1 AND name = ?2",
                )?;
                found(update.execute((app.as_str(), &id, now))?)
            })
            .await
    }

    async fn remove(&self, app: &AppId, id: &str) -> Result<(), StoreError> {
        let change = self.looked_up.change(app);
        let (app, id) = (app.clone(), id.to_owned());
        self.database
            .write(move |connection| {
                let _until_committed = &change;
                let delete = "DELETE FROM blueprints WHERE app = ?1 AND name = ?2";
                let mut delete = connection.prepare_cached(delete)?;
                found(delete.execute((app.as_str(), &id))?)
            })
            .await
    }
}

/// Whether there was what was to be changed.
fn found(rows: usize) -> Result<(), Failure> {
    match rows {
        0 => Err(StoreError::Missing.into()),
        _ => Ok(()),
    }
}
