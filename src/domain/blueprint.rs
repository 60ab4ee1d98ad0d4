//! Blueprints: UIs that were agreed on once and may be shown again (tools.md §10).

use std::ops::Deref;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::clock::Time;
use super::contract::CompiledContract;
use super::document::{Document, DocumentHash};
use super::store_error::StoreError;
use super::view::{View, catalog_hash};
use crate::wire::ids::AppId;
use crate::wire::remark::Remark;
use crate::wire::tools::Variance;

/// A contract with the variance it was asked for, and how it looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Blueprint {
    /// `bp_<uuid>`.
    pub(crate) id: Arc<str>,
    /// What may go in and out: the contract of this hash.
    pub(crate) contract: DocumentHash,
    /// Under which it is found again.
    pub(crate) key: String,
    /// How it should feel.
    pub(crate) variance: Variance,
    /// Key of the variance.
    pub(crate) variant_key: String,
    /// What it was made for.
    pub(crate) intent: Arc<str>,
    /// The view an agent or a model has drawn; without one it is composed anew for every intent.
    pub(crate) view: Option<DocumentHash>,
    /// The model that has drawn it, where one has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) generated_by: Option<Arc<str>>,
    /// What the model has chosen, which may hold for a contract that is alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) choice: Option<Value>,
    /// What the model took for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) cost: Option<Cost>,
    /// What people have said of how it is drawn, the latest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) remarks: Vec<Remark>,
    /// Bytes it counts for, with what it names.
    pub(crate) bytes: usize,
    /// When it was made.
    pub(crate) created_at: Time,
}

/// What a model took for a view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// Answers it gave.
    pub(crate) rounds: u32,
    /// Tokens, sent and received.
    pub(crate) tokens: u64,
    /// What they cost, in millionths of a US dollar, by the prices of that day.
    pub(crate) microdollars: u64,
}

impl Blueprint {
    /// What need not be taken again where it is shown again: nothing where no model has drawn it.
    pub(crate) fn saves(&self) -> Cost {
        let at_least = Cost {
            rounds: 1,
            ..Cost::default()
        };
        match &self.generated_by {
            None => Cost::default(),
            Some(_) => self.cost.unwrap_or(at_least),
        }
    }

    /// Where its view comes from, in one word (tools.md §10): `llm`, a model of this server has drawn
    /// it; a view that was handed in is `user`, whoever wrote it.
    pub(crate) fn category(&self) -> &'static str {
        match (&self.view, &self.generated_by) {
            (Some(_), Some(_)) => "llm",
            (Some(_), None) => "user",
            (None, _) => "composed",
        }
    }
}

/// Under which a blueprint is found again: an old view is of no use to a new catalog.
pub(crate) fn blueprint_key(contract_hash: &str, variant_key: &str) -> String {
    format!("template:{contract_hash}:{variant_key}:{}", catalog_hash())
}

/// A blueprint and what the hashes in it name.
#[derive(Debug)]
pub(crate) struct OpenBlueprint {
    /// What is stored of it.
    pub(crate) blueprint: Arc<Blueprint>,
    /// What may go in and out.
    pub(crate) contract: Arc<CompiledContract>,
    /// The view an agent or a model has drawn.
    pub(crate) view: Option<Arc<View>>,
}

impl OpenBlueprint {
    /// The documents it names.
    pub(crate) fn documents(&self) -> Vec<Document> {
        let view = self.view.iter().map(|view| view.document());
        std::iter::once(self.contract.document())
            .chain(view)
            .collect()
    }
}

impl Deref for OpenBlueprint {
    type Target = Blueprint;

    fn deref(&self) -> &Blueprint {
        &self.blueprint
    }
}

/// A blueprint and how often it was shown again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Registered {
    /// What is shown.
    pub(crate) blueprint: Arc<Blueprint>,
    /// How often it was shown again.
    pub(crate) hits: u64,
    /// When it was last registered or shown again.
    pub(crate) used_at: Time,
}

/// The blueprints of every app. Each method may be [`StoreError::Unavailable`].
#[async_trait]
pub(crate) trait BlueprintStore: Send + Sync + 'static {
    /// Keeps a blueprint under its key, in place of the one of the id `replaces`: where another or
    /// none stands there, that is a `Conflict`.
    async fn put(
        &self,
        app: &AppId,
        blueprint: Registered,
        documents: Vec<Document>,
        replaces: Option<Arc<str>>,
    ) -> Result<(), StoreError>;

    /// All blueprints of an app, in no order.
    async fn list(&self, app: &AppId) -> Result<Vec<Registered>, StoreError>;

    /// The blueprint of this key.
    async fn find(&self, app: &AppId, key: &str) -> Result<Arc<Blueprint>, StoreError>;

    /// The blueprint of this id.
    async fn get(&self, app: &AppId, id: &str) -> Result<Registered, StoreError>;

    /// The documents that the blueprint of this id names.
    async fn documents(&self, app: &AppId, id: &str) -> Result<Vec<Document>, StoreError>;

    /// Counts that the blueprint of this id was shown again; one that is gone is missing.
    async fn hit(&self, app: &AppId, id: &str, now: Time) -> Result<(), StoreError>;

    /// Forgets the blueprint of this id; what was rendered from it stays as it is.
    async fn remove(&self, app: &AppId, id: &str) -> Result<(), StoreError>;
}
