//! Blueprints as services work with them: which one holds, which ones are kept, and what they name.

use std::sync::Arc;

use dashmap::DashMap;
use serde_json::Value;

use super::contracts::Contracts;
use super::documents::damaged;
use crate::domain::blueprint::{
    Blueprint, BlueprintStore, Cost, OpenBlueprint, Registered, blueprint_key,
};
use crate::domain::clock::Time;
use crate::domain::contract::CompiledContract;
use crate::domain::document::DocumentHash;
use crate::domain::limits::BlueprintLimits;
use crate::domain::size::value_bytes;
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::ids::AppId;
use crate::wire::remark::Remark;
use crate::wire::tools::Variance;

/// A blueprint and how often it was shown again.
pub(crate) struct Shown {
    /// What is shown.
    pub(crate) blueprint: Arc<OpenBlueprint>,
    /// How often it was shown again.
    pub(crate) hits: u64,
}

/// What an agent has rendered: to be kept, unless the same is there already.
pub(crate) struct NewBlueprint {
    /// `bp_<uuid>`.
    pub(crate) id: Arc<str>,
    /// What may go in and out.
    pub(crate) contract: Arc<CompiledContract>,
    /// How it should feel.
    pub(crate) variance: Variance,
    /// Key of the variance.
    pub(crate) variant_key: String,
    /// What it was made for.
    pub(crate) intent: Arc<str>,
    /// The view an agent or a model has drawn.
    pub(crate) view: Option<Arc<View>>,
    /// The model, where one has.
    pub(crate) generated_by: Option<Arc<str>>,
    /// What it has chosen.
    pub(crate) choice: Option<Value>,
    /// What it took.
    pub(crate) cost: Option<Cost>,
    /// When it was made.
    pub(crate) created_at: Time,
}

impl NewBlueprint {
    /// With what was said of the one it takes the place of.
    fn open(&self, remarks: Vec<Remark>) -> OpenBlueprint {
        let view_bytes = self.view.as_ref().map_or(0, |view| view.to_json().len())
            + self.choice.as_ref().map_or(0, value_bytes);
        let blueprint = Blueprint {
            id: Arc::clone(&self.id),
            contract: self.contract.document().hash,
            key: blueprint_key(self.contract.hash(), &self.variant_key),
            bytes: value_bytes(self.contract.source()) + self.intent.len() + view_bytes,
            variance: self.variance.clone(),
            variant_key: self.variant_key.clone(),
            intent: Arc::clone(&self.intent),
            view: self.view.as_ref().map(|view| view.document().hash),
            generated_by: self.generated_by.clone(),
            choice: self.choice.clone(),
            cost: self.cost,
            remarks,
            created_at: self.created_at,
        };
        OpenBlueprint {
            blueprint: Arc::new(blueprint),
            contract: Arc::clone(&self.contract),
            view: self.view.clone(),
        }
    }
}

/// The blueprints of every app, bounded per app.
pub(crate) struct Blueprints {
    store: Arc<dyn BlueprintStore>,
    contracts: Arc<Contracts>,
    limits: BlueprintLimits,
    /// Those whose contracts are compiled, by their ids: what an id names changes by remarks alone.
    open: DashMap<Arc<str>, Arc<OpenBlueprint>>,
}

impl Blueprints {
    /// The blueprints of a store.
    pub(crate) fn new(
        store: Arc<dyn BlueprintStore>,
        contracts: Arc<Contracts>,
        limits: BlueprintLimits,
    ) -> Self {
        Self {
            store,
            contracts,
            limits,
            open: DashMap::new(),
        }
    }

    /// The blueprint of exactly this contract and variance.
    pub(crate) async fn find(
        &self,
        app: &AppId,
        contract_hash: &str,
        variant_key: &str,
    ) -> Result<Option<Arc<OpenBlueprint>>, StoreError> {
        let key = blueprint_key(contract_hash, variant_key);
        match self.store.find(app, &key).await {
            Ok(found) => Ok(Some(self.opened(app, &found).await?)),
            Err(StoreError::Missing) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The blueprint of this id.
    pub(crate) async fn get(&self, app: &AppId, id: &str) -> Result<Shown, StoreError> {
        let row = self.store.get(app, id).await?;
        self.shown(app, row).await
    }

    /// Forgets the blueprint of this id. What was rendered from it stays as it is.
    pub(crate) async fn remove(&self, app: &AppId, id: &str) -> Result<(), StoreError> {
        self.store.remove(app, id).await?;
        self.open.remove(id);
        Ok(())
    }

    /// All blueprints of an app, in no order.
    pub(crate) async fn list(&self, app: &AppId) -> Result<Vec<Shown>, StoreError> {
        let mut all = Vec::new();
        for row in self.store.list(app).await? {
            match self.shown(app, row).await {
                Ok(shown) => all.push(shown),
                // It went while the others were read.
                Err(StoreError::Missing) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }

    /// Registers a blueprint and returns the one that holds from now on. The first of a contract
    /// and variance stays, unless the new one is drawn differently by an agent or `replace` asks
    /// for it.
    pub(crate) async fn register(
        &self,
        app: &AppId,
        new: NewBlueprint,
        replace: bool,
    ) -> Result<Arc<OpenBlueprint>, StoreError> {
        let key = blueprint_key(new.contract.hash(), &new.variant_key);
        let view = new.view.as_ref().map(|view| view.document().hash);
        loop {
            let held = match self.store.find(app, &key).await {
                Ok(held) => Some(held),
                Err(StoreError::Missing) => None,
                Err(error) => return Err(error),
            };
            if let Some(held) = &held
                && !replace
                && (view.is_none() || view == held.view)
            {
                return self.opened(app, held).await;
            }
            let remarks = held.as_ref().map(|held| held.remarks.clone());
            let new = Arc::new(new.open(remarks.unwrap_or_default()));
            let row = Registered {
                blueprint: Arc::clone(&new.blueprint),
                hits: 0,
                used_at: new.created_at,
            };
            let replaces = held.map(|held| Arc::clone(&held.id));
            let put = self
                .store
                .put(app, row, new.documents(), replaces.clone())
                .await;
            match put {
                Ok(()) => {
                    self.open.insert(Arc::clone(&new.id), Arc::clone(&new));
                    if let Some(replaced) = replaces {
                        self.open.remove(&replaced);
                    }
                    self.evict(app, &new.id).await?;
                    return Ok(new);
                }
                // Someone was faster: what is there now is looked at.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Puts a remark beside the blueprint of this id; beyond the bound the oldest goes.
    pub(crate) async fn remark(
        &self,
        app: &AppId,
        id: &str,
        remark: Remark,
    ) -> Result<Arc<OpenBlueprint>, StoreError> {
        loop {
            let held = self.store.get(app, id).await?;
            let open = self.opened(app, &held.blueprint).await?;
            let mut blueprint = Blueprint::clone(&held.blueprint);
            blueprint.remarks.push(remark.clone());
            let over = blueprint
                .remarks
                .len()
                .saturating_sub(self.limits.remarks_max.max(1));
            blueprint.remarks.drain(..over);
            let row = Registered {
                blueprint: Arc::new(blueprint),
                ..held
            };
            let new = Arc::new(OpenBlueprint {
                blueprint: Arc::clone(&row.blueprint),
                contract: Arc::clone(&open.contract),
                view: open.view.clone(),
            });
            let put = self.store.put(app, row, new.documents(), Some(id.into()));
            match put.await {
                Ok(()) => {
                    self.open.insert(Arc::clone(&new.id), Arc::clone(&new));
                    return Ok(new);
                }
                // Another has taken its place: then it is missing.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Counts that a blueprint was shown again.
    pub(crate) async fn hit(&self, app: &AppId, id: &str, now: Time) -> Result<(), StoreError> {
        match self.store.hit(app, id, now).await {
            // It was forgotten meanwhile: there is nothing to count.
            Err(StoreError::Missing) => Ok(()),
            counted => counted,
        }
    }

    /// Frees what is over the bounds, the least used first, of those the oldest; never the newest.
    async fn evict(&self, app: &AppId, newest: &str) -> Result<(), StoreError> {
        let mut rows = self.store.list(app).await?;
        let mut bytes: usize = rows.iter().map(|row| row.blueprint.bytes).sum();
        rows.sort_by_cached_key(|row| (row.hits, row.used_at, row.blueprint.key.clone()));
        let mut count = rows.len();
        for row in rows.iter().filter(|row| &*row.blueprint.id != newest) {
            if count <= self.limits.per_app_max.max(1) && bytes <= self.limits.bytes_max {
                break;
            }
            match self.remove(app, &row.blueprint.id).await {
                Ok(()) | Err(StoreError::Missing) => {}
                Err(error) => return Err(error),
            }
            count -= 1;
            bytes -= row.blueprint.bytes;
        }
        Ok(())
    }

    async fn shown(&self, app: &AppId, row: Registered) -> Result<Shown, StoreError> {
        Ok(Shown {
            blueprint: self.opened(app, &row.blueprint).await?,
            hits: row.hits,
        })
    }

    async fn opened(
        &self,
        app: &AppId,
        blueprint: &Arc<Blueprint>,
    ) -> Result<Arc<OpenBlueprint>, StoreError> {
        if let Some(open) = self.open.get(&blueprint.id)
            && open.remarks == blueprint.remarks
        {
            return Ok(Arc::clone(&open));
        }
        let documents = self.store.documents(app, &blueprint.id).await?;
        let read = |hash: DocumentHash| {
            let found = documents.iter().find(|document| document.hash == hash);
            let found = found.map(|document| Arc::clone(&document.value));
            async move { found.ok_or_else(|| damaged(format!("the document {hash} is missing"))) }
        };
        let contract = blueprint.contract;
        let view = match blueprint.view {
            None => None,
            Some(view) => Some(self.contracts.stored_view(view, read(view)).await?),
        };
        let open = Arc::new(OpenBlueprint {
            contract: self.contracts.contract(contract, read(contract)).await?,
            view,
            blueprint: Arc::clone(blueprint),
        });
        self.open
            .insert(Arc::clone(&blueprint.id), Arc::clone(&open));
        Ok(open)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::adapters::memory::MemoryBlueprints;
    use crate::domain::contract::samples::compiled;

    fn registry(limits: BlueprintLimits) -> Blueprints {
        let store: Arc<dyn BlueprintStore> = Arc::new(MemoryBlueprints::default());
        Blueprints::new(store, Arc::default(), limits)
    }

    fn blueprint(name: &str, at: u64) -> NewBlueprint {
        let draft = json!({"actionSpec": {name: {"label": name}}});
        NewBlueprint {
            id: format!("bp_{name}_{at}").into(),
            contract: Arc::new(compiled(&draft)),
            variance: Variance::default(),
            variant_key: "44136fa355b3678a".to_owned(),
            intent: "A test".into(),
            view: None,
            generated_by: None,
            choice: None,
            cost: None,
            created_at: Time(at),
        }
    }

    fn drawn(name: &str, at: u64) -> NewBlueprint {
        let root = json!({"id": "root", "component": "Divider", "at": at});
        NewBlueprint {
            view: Some(Arc::new(View::new(vec![root]))),
            ..blueprint(name, at)
        }
    }

    async fn ids(registry: &Blueprints, app: &AppId) -> Vec<String> {
        let all = registry.list(app).await.unwrap();
        let mut ids: Vec<_> = all.iter().map(|row| row.blueprint.id.to_string()).collect();
        ids.sort();
        ids
    }

    #[tokio::test]
    async fn the_first_of_a_pair_stays_until_an_agent_draws_it_or_a_new_one_is_forced() {
        let registry = registry(BlueprintLimits::default());
        let app = AppId::from("a");
        for (new, replace, holds) in [
            (blueprint("go", 1), false, "bp_go_1"),
            (blueprint("go", 2), false, "bp_go_1"),
            (drawn("go", 3), false, "bp_go_3"),
            (blueprint("go", 4), false, "bp_go_3"),
            (drawn("go", 5), false, "bp_go_5"),
            (blueprint("go", 6), true, "bp_go_6"),
        ] {
            let held = registry.register(&app, new, replace).await.unwrap();
            assert_eq!(&*held.id, holds);
        }
        assert_eq!(ids(&registry, &app).await, ["bp_go_6"]);
        let other = registry.get(&AppId::from("b"), "bp_go_6").await;
        assert_eq!(other.err(), Some(StoreError::Missing));
    }

    #[tokio::test]
    async fn beyond_the_bound_the_least_used_goes_and_of_those_the_oldest() {
        let registry = registry(BlueprintLimits {
            per_app_max: 2,
            ..BlueprintLimits::default()
        });
        let app = AppId::from("a");
        let register = |new| registry.register(&app, new, false);
        register(blueprint("one", 1)).await.unwrap();
        register(blueprint("two", 2)).await.unwrap();
        registry.hit(&app, "bp_one_1", Time(3)).await.unwrap();
        register(blueprint("three", 4)).await.unwrap();
        assert_eq!(ids(&registry, &app).await, ["bp_one_1", "bp_three_4"]);
    }

    #[tokio::test]
    async fn large_blueprints_are_fewer_and_the_newest_stays_whatever_it_takes() {
        let registry = registry(BlueprintLimits {
            bytes_max: 1,
            ..BlueprintLimits::default()
        });
        let app = AppId::from("a");
        for (name, at) in [("one", 1), ("two", 2)] {
            let new = blueprint(name, at);
            registry.register(&app, new, false).await.unwrap();
        }
        assert_eq!(ids(&registry, &app).await, ["bp_two_2"]);
    }
}
