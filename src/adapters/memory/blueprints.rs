//! Blueprints in a map of this process.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;

use crate::domain::blueprint::{Blueprint, BlueprintStore, Registered};
use crate::domain::clock::Time;
use crate::domain::document::Document;
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The blueprints of every app, by their keys, with the documents they name.
#[derive(Default)]
pub(crate) struct MemoryBlueprints(Mutex<HashMap<AppId, Rows>>);

type Rows = HashMap<String, (Registered, Vec<Document>)>;

#[async_trait]
impl BlueprintStore for MemoryBlueprints {
    async fn put(
        &self,
        app: &AppId,
        blueprint: Registered,
        documents: Vec<Document>,
        replaces: Option<Arc<str>>,
    ) -> Result<(), StoreError> {
        let mut apps = self.0.lock();
        let rows = apps.entry(app.clone()).or_default();
        let key = blueprint.blueprint.key.clone();
        let stands = rows.get(&key).map(|(row, _)| &row.blueprint.id);
        if stands != replaces.as_ref() {
            return Err(StoreError::Conflict);
        }
        rows.insert(key, (blueprint, documents));
        Ok(())
    }

    async fn list(&self, app: &AppId) -> Result<Vec<Registered>, StoreError> {
        let apps = self.0.lock();
        let rows = apps.get(app).into_iter().flat_map(HashMap::values);
        Ok(rows.map(|(row, _)| row.clone()).collect())
    }

    async fn find(&self, app: &AppId, key: &str) -> Result<Arc<Blueprint>, StoreError> {
        let apps = self.0.lock();
        let found = apps.get(app).and_then(|rows| rows.get(key));
        let found = found.map(|(row, _)| Arc::clone(&row.blueprint));
        found.ok_or(StoreError::Missing)
    }

    async fn get(&self, app: &AppId, id: &str) -> Result<Registered, StoreError> {
        let apps = self.0.lock();
        let mut rows = apps.get(app).into_iter().flat_map(HashMap::values);
        let found = rows.find(|(row, _)| &*row.blueprint.id == id);
        found.map(|(row, _)| row.clone()).ok_or(StoreError::Missing)
    }

    async fn documents(&self, app: &AppId, id: &str) -> Result<Vec<Document>, StoreError> {
        let apps = self.0.lock();
        let mut rows = apps.get(app).into_iter().flat_map(HashMap::values);
        let found = rows.find(|(row, _)| &*row.blueprint.id == id);
        let (_, documents) = found.ok_or(StoreError::Missing)?;
        Ok(documents.clone())
    }

    async fn hit(&self, app: &AppId, id: &str, now: Time) -> Result<(), StoreError> {
        let mut apps = self.0.lock();
        let mut rows = apps.get_mut(app).into_iter().flat_map(HashMap::values_mut);
        let found = rows.find(|(row, _)| &*row.blueprint.id == id);
        let (row, _) = found.ok_or(StoreError::Missing)?;
        row.hits += 1;
        row.used_at = now;
        Ok(())
    }

    async fn remove(&self, app: &AppId, id: &str) -> Result<(), StoreError> {
        let mut apps = self.0.lock();
        let rows = apps.get_mut(app).ok_or(StoreError::Missing)?;
        let before = rows.len();
        rows.retain(|_, (row, _)| &*row.blueprint.id != id);
        if rows.len() < before {
            Ok(())
        } else {
            Err(StoreError::Missing)
        }
    }
}
