//! UIs that were agreed on before: searched, listed, read, forgotten.

use std::sync::Arc;

use super::super::book::Shown;
use super::error::DiscoveryError;
use super::relevance::{has_tool, score, wanted};
use super::service::Discovery;
use crate::domain::blueprint::OpenBlueprint;
use crate::domain::operation::Caller;
use crate::domain::size::{prefix, shorten};
use crate::domain::store_error::StoreError;
use crate::domain::view::View;
use crate::wire::discovery::{
    BlueprintDetail, BlueprintParams, BlueprintRow, ListFeaturedBlueprintsResult,
    RenderBlueprintResult, SearchBlueprintsParams, SearchBlueprintsResult, StoredBlueprint,
};
use crate::wire::ids::AppId;
use crate::wire::slice::VIEW_MEDIA_TYPE;

/// Blueprints found unless told (tools.md §10.1).
const BLUEPRINTS_DEFAULT: usize = 10;
/// Blueprints featured: as many as a model reads before it chooses.
const FEATURED_MAX: usize = 20;
/// What a search row's id begins with (tools.md §10.1).
const SEARCH_PREFIX: &str = "c_";
/// What a search row's name begins with, before the first characters of its blueprint's id
/// (tools.md §10.1).
const CACHED_PREFIX: &str = "Cached_";
/// How many characters of the id those are.
const CACHED_CHARS: usize = 8;
/// Characters of a blueprint's name: a heading of one line.
const NAME_CHARS_MAX: usize = 60;

impl Discovery {
    /// `ggui_search_blueprints`: those whose intent or contract has the most of the words.
    pub(super) async fn search(
        &self,
        caller: &Caller,
        params: SearchBlueprintsParams,
    ) -> Result<SearchBlueprintsResult, DiscoveryError> {
        let wanted = wanted(&params.query);
        let mut found: Vec<_> = self
            .all(caller)
            .await?
            .into_iter()
            .filter(|row| {
                has_tool(
                    &row.blueprint.contract,
                    params.tool.as_deref(),
                    params.server.as_deref(),
                )
            })
            .filter_map(|row| Some((score(&row.blueprint, &wanted)?, row)))
            .collect();
        found.sort_by(|(a, one), (b, other)| {
            let newest = other.blueprint.created_at.cmp(&one.blueprint.created_at);
            b.total_cmp(a).then(other.hits.cmp(&one.hits)).then(newest)
        });
        let total = found.len();
        found.truncate(params.limit.unwrap_or(BLUEPRINTS_DEFAULT));
        let results: Vec<_> = found
            .into_iter()
            .map(|(score, row)| BlueprintRow {
                name: format!("{CACHED_PREFIX}{}", prefix(&row.blueprint.id, CACHED_CHARS)),
                relevance: Some("match"),
                score: Some(score),
                ..listed(&row)
            })
            .collect();
        Ok(SearchBlueprintsResult {
            total,
            results,
            query: params.query,
        })
    }

    /// `ggui_list_featured_blueprints`: those that were shown again, most often first.
    pub(super) async fn featured(
        &self,
        caller: &Caller,
    ) -> Result<ListFeaturedBlueprintsResult, DiscoveryError> {
        let mut rows = self.all(caller).await?;
        rows.retain(|row| row.hits > 0);
        rows.sort_by(|one, other| {
            let newest = other.blueprint.created_at.cmp(&one.blueprint.created_at);
            other.hits.cmp(&one.hits).then(newest)
        });
        rows.truncate(FEATURED_MAX);
        let blueprints: Vec<_> = rows.iter().map(listed).collect();
        Ok(ListFeaturedBlueprintsResult {
            total: blueprints.len(),
            blueprints,
        })
    }

    /// `ggui_render_blueprint`: the view of a stored blueprint, and its contract.
    pub(super) async fn blueprint(
        &self,
        caller: &Caller,
        params: BlueprintParams,
    ) -> Result<RenderBlueprintResult, DiscoveryError> {
        let Shown { blueprint, .. } = self.find(caller, &params).await?;
        Ok(RenderBlueprintResult {
            blueprint_name: name(&blueprint),
            code: self.view(&blueprint).to_json().to_string(),
            content_type: VIEW_MEDIA_TYPE,
            contract: Arc::clone(blueprint.contract.source()),
            blueprint_id: params.blueprint_id,
        })
    }

    /// All blueprints of the caller's app, in no order.
    pub(super) async fn stored(
        &self,
        caller: &Caller,
    ) -> Result<Vec<StoredBlueprint>, DiscoveryError> {
        let rows = self.all(caller).await?;
        let app = &caller.principal.app;
        Ok(rows.iter().map(|row| to_stored(app, row)).collect())
    }

    /// One blueprint with all that it is made of.
    pub(super) async fn detail(
        &self,
        caller: &Caller,
        params: &BlueprintParams,
    ) -> Result<BlueprintDetail, DiscoveryError> {
        let row = self.find(caller, params).await?;
        Ok(BlueprintDetail {
            stored: to_stored(&caller.principal.app, &row),
            variance: row.blueprint.variance.clone(),
            remarks: row.blueprint.remarks.clone(),
            contract: Arc::clone(row.blueprint.contract.source()),
            view: Arc::clone(self.view(&row.blueprint).value()),
        })
    }

    /// Forgets a blueprint: what it was made for is negotiated anew from then on.
    pub(super) async fn delete(
        &self,
        caller: &Caller,
        params: BlueprintParams,
    ) -> Result<(), DiscoveryError> {
        let id = params.blueprint_id;
        let removed = self.blueprints.remove(&caller.principal.app, bare(&id));
        removed.await.map_err(|error| unfound(&id, error))
    }

    async fn all(&self, caller: &Caller) -> Result<Vec<Shown>, DiscoveryError> {
        let all = self.blueprints.list(&caller.principal.app).await;
        all.map_err(DiscoveryError::Store)
    }

    async fn find(
        &self,
        caller: &Caller,
        params: &BlueprintParams,
    ) -> Result<Shown, DiscoveryError> {
        let id = &params.blueprint_id;
        let found = self.blueprints.get(&caller.principal.app, bare(id));
        found.await.map_err(|error| unfound(id, error))
    }

    fn view(&self, blueprint: &OpenBlueprint) -> Arc<View> {
        match &blueprint.view {
            Some(view) => Arc::clone(view),
            None => self.contracts.view(&blueprint.contract, &blueprint.intent),
        }
    }
}

/// The error of a store that was asked for a blueprint by its name.
fn unfound(id: &str, error: StoreError) -> DiscoveryError {
    match error {
        StoreError::Missing => DiscoveryError::BlueprintNotFound { id: id.to_owned() },
        error => DiscoveryError::Store(error),
    }
}

/// An id without what a search puts before it.
fn bare(id: &str) -> &str {
    id.strip_prefix(SEARCH_PREFIX).unwrap_or(id)
}

fn to_stored(app: &AppId, row: &Shown) -> StoredBlueprint {
    let blueprint = &row.blueprint;
    StoredBlueprint {
        id: blueprint.id.to_string(),
        app_id: app.to_string(),
        name: name(blueprint),
        intent: blueprint.intent.to_string(),
        category: blueprint.category(),
        contract_hash: blueprint.contract.hash().to_owned(),
        variant_key: blueprint.variant_key.clone(),
        hits: row.hits,
        created_at: blueprint.created_at.0,
    }
}

fn name(blueprint: &OpenBlueprint) -> String {
    shorten(&blueprint.intent, NAME_CHARS_MAX)
}

fn listed(row: &Shown) -> BlueprintRow {
    let blueprint = &row.blueprint;
    let spec = blueprint.contract.contract();
    let props = spec.props_spec.iter().flat_map(|spec| &spec.properties);
    let actions = spec.action_spec.iter().flatten();
    BlueprintRow {
        id: format!("{SEARCH_PREFIX}{}", blueprint.id),
        name: name(blueprint),
        description: blueprint.intent.to_string(),
        category: blueprint.category(),
        props: props.map(|(name, _)| name.clone()).collect(),
        callbacks: actions.map(|(name, _)| name.clone()).collect(),
        featured: row.hits > 0,
        relevance: None,
        score: None,
    }
}
