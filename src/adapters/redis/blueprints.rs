//! Blueprints of every app, with the documents they name.

use std::sync::Arc;

use async_trait::async_trait;
use futures_util::future::try_join_all;
use serde_json::Value;

use super::node::{Node, script};
use crate::domain::blueprint::{Blueprint, BlueprintStore, Registered};
use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The blueprints of every app, with the documents they name.
pub(crate) struct RedisBlueprints(Arc<Node>);

impl RedisBlueprints {
    /// The blueprints of a store.
    pub(crate) fn new(node: Arc<Node>) -> Self {
        Self(node)
    }

    fn ids(&self, app: &AppId) -> String {
        self.0.names.app(app, "blueprints")
    }

    fn row(&self, app: &AppId, id: &str) -> String {
        self.0.names.app(app, format_args!("blueprint:{id}"))
    }
}

#[async_trait]
impl BlueprintStore for RedisBlueprints {
    async fn put(
        &self,
        app: &AppId,
        blueprint: Registered,
        documents: Vec<Document>,
        replaces: Option<Arc<str>>,
    ) -> Result<(), StoreError> {
        let texts: Vec<_> = documents
            .iter()
            .map(|document| (document.hash, &document.value))
            .collect();
        let replaces = replaces.as_deref().unwrap_or_default();
        let mut script = script!("blueprint_put");
        script
            .key(self.ids(app))
            .key(self.row(app, &blueprint.blueprint.id))
            .key(self.row(app, replaces))
            .arg(&blueprint.blueprint.key)
            .arg(&*blueprint.blueprint.id)
            .arg(replaces)
            .arg(serde_json::to_string(&blueprint.blueprint).map_err(StoreError::unavailable)?)
            .arg(serde_json::to_string(&texts).map_err(StoreError::unavailable)?)
            .arg(blueprint.hits)
            .arg(blueprint.used_at.0);
        match self.0.run::<String>(&script).await?.as_str() {
            "ok" => Ok(()),
            _ => Err(StoreError::Conflict),
        }
    }

    async fn list(&self, app: &AppId) -> Result<Vec<Registered>, StoreError> {
        let mut command = redis::cmd("HVALS");
        let ids: Vec<String> = self.0.ask(command.arg(self.ids(app))).await?;
        let rows = ids.iter().map(async |id| match self.get(app, id).await {
            Ok(row) => Ok(Some(row)),
            // It went while the others were read.
            Err(StoreError::Missing) => Ok(None),
            Err(error) => Err(error),
        });
        Ok(try_join_all(rows).await?.into_iter().flatten().collect())
    }

    async fn find(&self, app: &AppId, key: &str) -> Result<Arc<Blueprint>, StoreError> {
        let mut command = redis::cmd("HGET");
        let id: Option<String> = self.0.ask(command.arg(self.ids(app)).arg(key)).await?;
        let row = self.get(app, &id.ok_or(StoreError::Missing)?).await?;
        Ok(row.blueprint)
    }

    async fn get(&self, app: &AppId, id: &str) -> Result<Registered, StoreError> {
        let mut command = redis::cmd("HMGET");
        command.arg(self.row(app, id));
        command.arg("row").arg("hits").arg("used");
        let row: (Option<String>, Option<u64>, Option<u64>) = self.0.ask(&command).await?;
        let (Some(row), Some(hits), Some(used)) = row else {
            return Err(StoreError::Missing);
        };
        let blueprint: Blueprint = serde_json::from_str(&row).map_err(StoreError::unavailable)?;
        Ok(Registered {
            blueprint: Arc::new(blueprint),
            hits,
            used_at: Time(used),
        })
    }

    async fn documents(&self, app: &AppId, id: &str) -> Result<Vec<Document>, StoreError> {
        let mut command = redis::cmd("HGET");
        let command = command.arg(self.row(app, id)).arg("documents");
        let text: Option<String> = self.0.ask(command).await?;
        let texts: Vec<(DocumentHash, Arc<Value>)> =
            serde_json::from_str(&text.ok_or(StoreError::Missing)?)
                .map_err(StoreError::unavailable)?;
        let documents = texts
            .into_iter()
            .map(|(hash, value)| Document { hash, value });
        Ok(documents.collect())
    }

    async fn hit(&self, app: &AppId, id: &str, now: Time) -> Result<(), StoreError> {
        let mut script = script!("blueprint_hit");
        script.key(self.row(app, id)).arg(now.0);
        found(self.0.run(&script).await?)
    }

    async fn remove(&self, app: &AppId, id: &str) -> Result<(), StoreError> {
        let mut script = script!("blueprint_remove");
        script.key(self.ids(app)).key(self.row(app, id));
        found(self.0.run(&script).await?)
    }
}

fn found(count: u8) -> Result<(), StoreError> {
    match count {
        0 => Err(StoreError::Missing),
        _ => Ok(()),
    }
}
