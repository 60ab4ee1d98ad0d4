//! What a handshake is told: blueprints that worked before, found by the names of a contract and by the
//! words of an intent, and what people prefer.

use std::hash::Hash;
use std::time::Duration;

use async_trait::async_trait;
use tokio::time::timeout;

use super::fresh::Fresh;
use super::service::Brain;
use crate::domain::brain::{
    ACTED, BLUEPRINTS, Filter, Found, INTENT, Memory, PREFERENCES, Precedent, Preference, SHAPE,
    SHOWN, Scope, assertions, is_preference, terms,
};
use crate::domain::contract::CompiledContract;
use crate::domain::generation::likeness;
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// Precedents that are told: what an agent reads in a sentence.
const PRECEDENTS_MAX: usize = 3;
/// Preferences that are told; those that were changed last.
const PREFERENCES_MAX: u32 = 10;
/// Pages that are looked at for each way of finding them.
const CANDIDATES_MAX: u32 = 10;

#[async_trait]
impl Memory for Brain {
    async fn worked_before(
        &self,
        app: &AppId,
        contract: &CompiledContract,
        intent: &str,
    ) -> Option<Vec<Precedent>> {
        let shape = contract.names_hash();
        let of = (app.clone(), shape.to_owned(), intent.to_owned());
        let finding = self.precedents(app, shape, intent);
        self.in_time(&self.recalled.precedents, of, finding).await
    }

    async fn preferences(&self, app: &AppId) -> Vec<Preference> {
        let of = app.clone();
        let finding = self.preferred(app);
        let found = self.in_time(&self.recalled.preferences, of, finding).await;
        found.unwrap_or_default()
    }
}

impl Brain {
    /// What was found a moment ago, or is found within the time that a handshake waits.
    async fn in_time<K: Eq + Hash, T: Clone>(
        &self,
        before: &Fresh<K, Vec<T>>,
        of: K,
        finding: impl Future<Output = Result<Vec<T>, StoreError>>,
    ) -> Option<Vec<T>> {
        let wait = Duration::from_millis(self.limits.recall_ms_max);
        if wait.is_zero() {
            return None;
        }
        let writes = self.changes.count();
        if let Some(found) = before.get(&of, writes) {
            return Some(found);
        }
        match timeout(wait, finding).await {
            Ok(Ok(found)) => {
                before.keep(of, writes, found.clone());
                Some(found)
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "a handshake was not told what is remembered");
                None
            }
            Err(_) => {
                tracing::debug!("a handshake did not wait for what is remembered");
                None
            }
        }
    }

    async fn preferred(&self, app: &AppId) -> Result<Vec<Preference>, StoreError> {
        let filter = Filter {
            scope: Scope {
                collection: None,
                wing: Some(PREFERENCES.to_owned()),
                limit: PREFERENCES_MAX,
            },
            kind: None,
        };
        let today = self.today();
        let mut preferences = Vec::new();
        let listed = self.store.list(app, filter).await?.into_iter();
        // The wing is what the text of a page says; its place is what people were asked about.
        for listed in listed.filter(|listed| is_preference(&listed.place)) {
            let page = match self.store.page(app, &listed.place).await {
                Err(StoreError::Missing) => continue,
                page => page?,
            };
            if page.document.validity().is_over(&today) {
                continue;
            }
            let stated = assertions(&listed.title, &page.document).into_iter();
            let stated: Vec<_> = stated
                .filter(|stated| !stated.interval.is_over(&today))
                .map(|stated| format!("{} {}", stated.predicate, stated.object))
                .collect();
            preferences.push(Preference {
                says: match stated.is_empty() {
                    true => listed.summary,
                    false => stated.join(", "),
                },
                title: listed.title,
                place: listed.place,
            });
        }
        Ok(preferences)
    }

    async fn precedents(
        &self,
        app: &AppId,
        shape: &str,
        intent: &str,
    ) -> Result<Vec<Precedent>, StoreError> {
        let (wing, kind) = BLUEPRINTS;
        let scope = Scope {
            collection: Some(self.collections.write_target().name.clone()),
            wing: Some(wing.to_owned()),
            limit: CANDIDATES_MAX,
        };
        let mut found = self
            .store
            .search(app, vec![shape.to_owned()], true, scope.clone())
            .await?;
        let words = terms(intent);
        if !words.is_empty() {
            let by_words = self.store.search(app, words, false, scope).await?;
            let is_new = |page: &Found| found.iter().all(|known| known.id != page.id);
            let new: Vec<_> = by_words.into_iter().filter(is_new).collect();
            found.extend(new);
        }
        let mut ranked = Vec::new();
        for page in found.into_iter().filter(|page| page.kind == kind) {
            let page = match self.store.page(app, &page.place).await {
                Err(StoreError::Missing) => continue,
                page => page?,
            };
            let entry = |name: &str| page.document.frontmatter.get(name).map(String::as_str);
            let number = |name| entry(name).and_then(|text| text.parse().ok()).unwrap_or(0);
            let made_for = entry(INTENT).unwrap_or_default();
            let is_alike = entry(SHAPE) == Some(shape);
            let likeness = likeness(made_for, intent);
            if is_alike || likeness.is_some() {
                let precedent = Precedent {
                    intent: made_for.to_owned(),
                    shown: number(SHOWN),
                    acted: number(ACTED),
                    place: page.place.clone(),
                };
                ranked.push((is_alike, likeness.unwrap_or_default(), precedent));
            }
        }
        ranked.sort_by(
            |(alike, likeness, page), (other_alike, other_likeness, other)| {
                let by_shape = other_alike.cmp(alike);
                let by_words = other_likeness.total_cmp(likeness);
                let by_use = (other.acted, other.shown).cmp(&(page.acted, page.shown));
                by_shape.then(by_words).then(by_use)
            },
        );
        let ranked = ranked.into_iter().map(|(_, _, precedent)| precedent);
        Ok(ranked.take(PRECEDENTS_MAX).collect())
    }
}
