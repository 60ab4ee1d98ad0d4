//! Blueprints: UIs that were agreed on once and may be shown again (tools.md §10).

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::clock::Time;
use super::contract::CompiledContract;
use super::limits::BlueprintLimits;
use super::size::value_bytes;
use super::view::{View, catalog_hash};
use crate::wire::ids::AppId;
use crate::wire::tools::Variance;

/// A contract with the variance it was asked for, and how it looks.
#[derive(Debug)]
pub(crate) struct Blueprint {
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
    /// The view an agent has drawn; without one it is composed anew for every intent.
    pub(crate) view: Option<Arc<View>>,
    /// When it was made.
    pub(crate) created_at: Time,
}

impl Blueprint {
    /// Where its view comes from, in one word (tools.md §10): a view that was handed in is
    /// `user`, whoever wrote it.
    pub(crate) fn category(&self) -> &'static str {
        match self.view {
            Some(_) => "user",
            None => "composed",
        }
    }

    fn key(&self) -> String {
        key(self.contract.hash(), &self.variant_key)
    }

    /// Bytes it counts for, roughly.
    fn weight(&self) -> usize {
        let view = self.view.as_ref().map_or(0, |view| view.to_json().len());
        value_bytes(self.contract.source()) + self.intent.len() + view
    }
}

/// Under which a blueprint is found again: an old view is of no use to a new catalog.
fn key(contract_hash: &str, variant_key: &str) -> String {
    format!("template:{contract_hash}:{variant_key}:{}", catalog_hash())
}

/// A blueprint and how often it was shown again.
#[derive(Debug, Clone)]
pub(crate) struct Registered {
    /// What is shown.
    pub(crate) blueprint: Arc<Blueprint>,
    /// How often it was shown again.
    pub(crate) hits: u64,
    /// When it was last registered or shown again.
    used_at: Time,
}

/// The blueprints of every app, bounded per app; a restart forgets them.
#[derive(Debug, Default)]
pub(crate) struct Blueprints {
    limits: BlueprintLimits,
    apps: Mutex<HashMap<AppId, HashMap<String, Registered>>>,
}

impl Blueprints {
    /// An empty registry.
    pub(crate) fn new(limits: BlueprintLimits) -> Self {
        Self {
            limits,
            apps: Mutex::default(),
        }
    }

    /// The blueprint of exactly this contract and variance.
    pub(crate) fn find(
        &self,
        app: &AppId,
        contract_hash: &str,
        variant_key: &str,
    ) -> Option<Arc<Blueprint>> {
        let apps = self.apps.lock();
        let row = apps.get(app)?.get(&key(contract_hash, variant_key))?;
        Some(Arc::clone(&row.blueprint))
    }

    /// The blueprint of this id.
    pub(crate) fn get(&self, app: &AppId, id: &str) -> Option<Registered> {
        let apps = self.apps.lock();
        let mut rows = apps.get(app)?.values();
        rows.find(|row| &*row.blueprint.id == id).cloned()
    }

    /// Forgets the blueprint of this id; false where there is none. What was rendered from it stays
    /// as it is.
    pub(crate) fn remove(&self, app: &AppId, id: &str) -> bool {
        let mut apps = self.apps.lock();
        let Some(rows) = apps.get_mut(app) else {
            return false;
        };
        let before = rows.len();
        rows.retain(|_, row| &*row.blueprint.id != id);
        rows.len() < before
    }

    /// All blueprints of an app, in no order.
    pub(crate) fn list(&self, app: &AppId) -> Vec<Registered> {
        let apps = self.apps.lock();
        apps.get(app)
            .map(|rows| rows.values().cloned().collect())
            .unwrap_or_default()
    }

    /// Registers a blueprint and returns the one that holds from now on. The first of a contract
    /// and variance stays, unless the new one is drawn differently by an agent or `replace` asks
    /// for it.
    pub(crate) fn register(
        &self,
        app: &AppId,
        blueprint: Blueprint,
        replace: bool,
    ) -> Arc<Blueprint> {
        let key = blueprint.key();
        let mut apps = self.apps.lock();
        let rows = apps.entry(app.clone()).or_default();
        if let Some(row) = rows.get(&key)
            && !replace
            && (blueprint.view.is_none() || blueprint.view == row.blueprint.view)
        {
            return Arc::clone(&row.blueprint);
        }
        let blueprint = Arc::new(blueprint);
        let row = Registered {
            blueprint: Arc::clone(&blueprint),
            hits: 0,
            used_at: blueprint.created_at,
        };
        rows.insert(key.clone(), row);
        self.evict(rows, &key);
        blueprint
    }

    /// Counts that a blueprint was shown again.
    pub(crate) fn hit(&self, app: &AppId, blueprint: &Blueprint, now: Time) {
        let mut apps = self.apps.lock();
        let row = apps
            .get_mut(app)
            .and_then(|rows| rows.get_mut(&blueprint.key()));
        if let Some(row) = row {
            row.hits += 1;
            row.used_at = now;
        }
    }

    /// Frees what is over the bounds, the least used first, of those the oldest; never the newest.
    fn evict(&self, rows: &mut HashMap<String, Registered>, newest: &str) {
        let mut bytes: usize = rows.values().map(|row| row.blueprint.weight()).sum();
        while rows.len() > self.limits.per_app_max.max(1) || bytes > self.limits.bytes_max {
            let least = rows
                .iter()
                .filter(|(key, _)| *key != newest)
                .min_by_key(|(key, row)| (row.hits, row.used_at, (*key).clone()))
                .map(|(key, _)| key.clone());
            let Some(gone) = least.and_then(|key| rows.remove(&key)) else {
                return;
            };
            bytes -= gone.blueprint.weight();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::contract::samples::compiled;

    fn blueprint(name: &str, at: u64) -> Blueprint {
        let draft = json!({"actionSpec": {name: {"label": name}}});
        Blueprint {
            id: format!("bp_{name}_{at}").into(),
            contract: Arc::new(compiled(&draft)),
            variance: Variance::default(),
            variant_key: "44136fa355b3678a".to_owned(),
            intent: "A test".into(),
            view: None,
            created_at: Time(at),
        }
    }

    fn drawn(name: &str, at: u64) -> Blueprint {
        let root = json!({"id": "root", "component": "Divider", "at": at});
        Blueprint {
            view: Some(Arc::new(View::new(vec![root]))),
            ..blueprint(name, at)
        }
    }

    #[test]
    fn the_first_of_a_pair_stays_until_an_agent_draws_it_or_a_new_one_is_forced() {
        let registry = Blueprints::default();
        let app = AppId::from("a");
        let register = |blueprint, replace| registry.register(&app, blueprint, replace).id.clone();
        assert_eq!(&*register(blueprint("go", 1), false), "bp_go_1");
        assert_eq!(&*register(blueprint("go", 2), false), "bp_go_1");
        assert_eq!(&*register(drawn("go", 3), false), "bp_go_3");
        assert_eq!(&*register(blueprint("go", 4), false), "bp_go_3");
        assert_eq!(&*register(drawn("go", 5), false), "bp_go_5");
        assert_eq!(&*register(blueprint("go", 6), true), "bp_go_6");
        assert_eq!(registry.list(&app).len(), 1);
        assert!(registry.get(&AppId::from("b"), "bp_go_6").is_none());
    }

    #[test]
    fn beyond_the_bound_the_least_used_goes_and_of_those_the_oldest() {
        let registry = Blueprints::new(BlueprintLimits {
            per_app_max: 2,
            ..BlueprintLimits::default()
        });
        let app = AppId::from("a");
        let first = registry.register(&app, blueprint("one", 1), false);
        registry.register(&app, blueprint("two", 2), false);
        registry.hit(&app, &first, Time(3));
        registry.register(&app, blueprint("three", 4), false);
        let mut left: Vec<_> = registry
            .list(&app)
            .iter()
            .map(|row| row.blueprint.id.to_string())
            .collect();
        left.sort();
        assert_eq!(left, ["bp_one_1", "bp_three_4"]);
    }

    #[test]
    fn large_blueprints_are_fewer() {
        let registry = Blueprints::new(BlueprintLimits {
            bytes_max: 1,
            ..BlueprintLimits::default()
        });
        let app = AppId::from("a");
        registry.register(&app, blueprint("one", 1), false);
        registry.register(&app, blueprint("two", 2), false);
        let left = registry.list(&app);
        assert_eq!(left.len(), 1, "the newest stays whatever it takes");
        assert_eq!(&*left[0].blueprint.id, "bp_two_2");
    }
}
