//! Looking around: sessions, what renders were made of, stored blueprints, gadgets and themes.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use crate::domain::blueprint::{Blueprint, Blueprints, Registered};
use crate::domain::clock::Clock;
use crate::domain::contract::{CompiledContract, packages};
use crate::domain::limits::SessionLimits;
use crate::domain::log::SessionLog;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::shelf::Shelf;
use crate::domain::size::{prefix, shorten};
use crate::domain::store::StoreError;
use crate::domain::theme::Themes;
use crate::domain::view::View;
use crate::wire::discovery::{
    BlueprintDetail, BlueprintParams, BlueprintRow, GetRenderSourceParams, GetRenderSourceResult,
    ListFeaturedBlueprintsResult, ListGadgetsResult, ListSessionsParams, ListThemesResult,
    OfAppParams, RenderBlueprintResult, RenderSource, SearchBlueprintsParams,
    SearchBlueprintsResult, StoredBlueprint,
};
use crate::wire::ids::AppId;
use crate::wire::slice::{Specs, VIEW_MEDIA_TYPE};

/// Sessions listed unless told (ggui-mcp.md §9).
const SESSIONS_DEFAULT: usize = 50;
/// Blueprints found unless told (ggui-mcp.md §9).
const BLUEPRINTS_DEFAULT: usize = 10;
/// Blueprints featured: as many as a model reads before it chooses.
const FEATURED_MAX: usize = 20;
/// What a search row's id begins with (ggui-mcp.md §2.9).
const SEARCH_PREFIX: &str = "c_";
/// What a search row's name begins with, before the first characters of its blueprint's id
/// (ggui-mcp.md §2.9).
const CACHED_PREFIX: &str = "Cached_";
/// How many characters of the id those are.
const CACHED_CHARS: usize = 8;
/// Characters of a blueprint's name: a heading of one line.
const NAME_CHARS_MAX: usize = 60;
/// Words of a query that are looked for; more name nothing a person asked for.
const WORDS_MAX: usize = 64;

/// Why nothing was found.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DiscoveryError {
    /// The request names another app than its credential's.
    #[error("app {app} is not the caller's")]
    AppDenied {
        /// As it was asked for.
        app: String,
    },
    /// No blueprint of that id in the app.
    #[error("no blueprint {id}")]
    BlueprintNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The session is unknown, expired or another app's.
    #[error("no session {id}")]
    SessionNotFound {
        /// As it was asked for.
        id: String,
    },
    /// The store does not answer.
    #[error("the session store failed")]
    Store(#[source] StoreError),
}

/// Looks around.
pub(crate) struct Discovery {
    pub(crate) log: Arc<dyn SessionLog>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) blueprints: Arc<Blueprints>,
    pub(crate) themes: Themes,
    pub(crate) limits: SessionLimits,
}

impl Discovery {
    /// `ggui_list_sessions`: live ones that the caller may see, newest first.
    pub(crate) async fn sessions(
        &self,
        caller: &Caller,
        params: ListSessionsParams,
    ) -> Result<Vec<Arc<Session>>, DiscoveryError> {
        let now = self.clock.now();
        let kept = self.log.sessions(&caller.principal.app).await;
        let mut sessions = kept.map_err(DiscoveryError::Store)?;
        let is_of = |wanted: &Option<String>, own: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| own == Some(wanted))
        };
        sessions.retain(|session| {
            let host = session.creation.host.as_deref();
            session.is_live(now, &self.limits)
                && caller.principal.sees(&session.creation.owner)
                && is_of(&params.host_name, host.map(|host| host.host_name.as_str()))
                && is_of(
                    &params.host_session_id,
                    host.map(|host| host.host_session_id.as_str()),
                )
        });
        sessions.sort_by_cached_key(|session| {
            (Reverse(session.created_at), session.key.session.clone())
        });
        sessions.truncate(params.limit.unwrap_or(SESSIONS_DEFAULT));
        Ok(sessions)
    }

    /// `ggui_get_render_source`: what a render was made of.
    pub(crate) async fn render_source(
        &self,
        caller: &Caller,
        params: GetRenderSourceParams,
    ) -> Result<GetRenderSourceResult, DiscoveryError> {
        let id = params.session_id;
        let key = caller.principal.key(&id);
        let now = self.clock.now();
        let seen = self.log.seen(&key, &caller.principal, now, &self.limits);
        let session = seen.await.map_err(|error| match error {
            StoreError::Missing => DiscoveryError::SessionNotFound { id: id.clone() },
            error => DiscoveryError::Store(error),
        })?;
        Ok(GetRenderSourceResult {
            blueprint: RenderSource {
                source: session.creation.view.to_json().to_string(),
                contract: specs(&session.creation.contract),
                fixture_props: session.creation.props.clone(),
            },
            session_id: id,
        })
    }

    /// `ggui_search_blueprints`: those whose intent or contract has the most of the words.
    pub(crate) fn search(
        &self,
        caller: &Caller,
        params: SearchBlueprintsParams,
    ) -> SearchBlueprintsResult {
        let wanted: BTreeSet<String> = words(&params.query).into_iter().take(WORDS_MAX).collect();
        let mut found: Vec<_> = self
            .blueprints
            .list(&caller.principal.app)
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
        SearchBlueprintsResult {
            total,
            results,
            query: params.query,
        }
    }

    /// `ggui_list_featured_blueprints`: those that were shown again, most often first.
    pub(crate) fn featured(&self, caller: &Caller) -> ListFeaturedBlueprintsResult {
        let mut rows = self.blueprints.list(&caller.principal.app);
        rows.retain(|row| row.hits > 0);
        rows.sort_by(|one, other| {
            let newest = other.blueprint.created_at.cmp(&one.blueprint.created_at);
            other.hits.cmp(&one.hits).then(newest)
        });
        rows.truncate(FEATURED_MAX);
        let blueprints: Vec<_> = rows.iter().map(listed).collect();
        ListFeaturedBlueprintsResult {
            total: blueprints.len(),
            blueprints,
        }
    }

    /// `ggui_render_blueprint`: the view of a stored blueprint, and its contract.
    pub(crate) fn blueprint(
        &self,
        caller: &Caller,
        params: BlueprintParams,
    ) -> Result<RenderBlueprintResult, DiscoveryError> {
        let Registered { blueprint, .. } = self.find(caller, &params)?;
        Ok(RenderBlueprintResult {
            blueprint_name: name(&blueprint),
            code: self.view(&blueprint).to_json().to_string(),
            content_type: VIEW_MEDIA_TYPE,
            contract: Arc::clone(blueprint.contract.source()),
            blueprint_id: params.blueprint_id,
        })
    }

    /// All blueprints of the caller's app, in no order.
    pub(crate) fn stored(&self, caller: &Caller) -> Vec<StoredBlueprint> {
        let app = &caller.principal.app;
        let rows = self.blueprints.list(app);
        rows.iter().map(|row| told(app, row)).collect()
    }

    /// One blueprint with all that it is made of.
    pub(crate) fn detail(
        &self,
        caller: &Caller,
        params: &BlueprintParams,
    ) -> Result<BlueprintDetail, DiscoveryError> {
        let row = self.find(caller, params)?;
        Ok(BlueprintDetail {
            told: told(&caller.principal.app, &row),
            variance: row.blueprint.variance.clone(),
            contract: Arc::clone(row.blueprint.contract.source()),
            view: Arc::clone(self.view(&row.blueprint).value()),
        })
    }

    /// Forgets a blueprint: what it was made for is negotiated anew from then on.
    pub(crate) fn delete(
        &self,
        caller: &Caller,
        params: BlueprintParams,
    ) -> Result<(), DiscoveryError> {
        let id = params.blueprint_id;
        if self.blueprints.remove(&caller.principal.app, bare(&id)) {
            Ok(())
        } else {
            Err(DiscoveryError::BlueprintNotFound { id })
        }
    }

    fn find(
        &self,
        caller: &Caller,
        params: &BlueprintParams,
    ) -> Result<Registered, DiscoveryError> {
        let id = &params.blueprint_id;
        let found = self.blueprints.get(&caller.principal.app, bare(id));
        found.ok_or_else(|| DiscoveryError::BlueprintNotFound { id: id.clone() })
    }

    fn view(&self, blueprint: &Blueprint) -> Arc<View> {
        match &blueprint.view {
            Some(view) => Arc::clone(view),
            None => self.shelf.view(&blueprint.contract, &blueprint.intent),
        }
    }

    /// `ggui_list_gadgets`: the packages a contract may name.
    pub(crate) fn gadgets(
        &self,
        caller: &Caller,
        params: OfAppParams,
    ) -> Result<ListGadgetsResult, DiscoveryError> {
        own_app(caller, params)?;
        Ok(ListGadgetsResult {
            gadgets: packages(),
        })
    }

    /// `ggui_list_themes`: what `themeId` may be.
    pub(crate) fn themes(
        &self,
        caller: &Caller,
        params: OfAppParams,
    ) -> Result<ListThemesResult, DiscoveryError> {
        own_app(caller, params)?;
        Ok(ListThemesResult {
            themes: self.themes.rows(),
        })
    }
}

/// Whether the app a request names is the caller's; judged before anything is looked up.
fn own_app(caller: &Caller, params: OfAppParams) -> Result<(), DiscoveryError> {
    match params.app_id {
        Some(app) if app != caller.principal.app.as_str() => Err(DiscoveryError::AppDenied { app }),
        _ => Ok(()),
    }
}

fn specs(contract: &CompiledContract) -> Specs {
    let spec = |name: &str| contract.source().get(name).cloned();
    Specs {
        props_spec: spec("propsSpec"),
        action_spec: spec("actionSpec"),
        stream_spec: spec("streamSpec"),
        context_spec: spec("contextSpec"),
    }
}

/// An id without what a search puts before it.
fn bare(id: &str) -> &str {
    id.strip_prefix(SEARCH_PREFIX).unwrap_or(id)
}

fn told(app: &AppId, row: &Registered) -> StoredBlueprint {
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

fn name(blueprint: &Blueprint) -> String {
    shorten(&blueprint.intent, NAME_CHARS_MAX)
}

fn listed(row: &Registered) -> BlueprintRow {
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

/// The words of a text, small; a name such as `setQuantity` is two.
fn words(text: &str) -> BTreeSet<String> {
    let mut spaced = String::with_capacity(text.len());
    let mut was_small = false;
    for letter in text.chars() {
        if letter.is_uppercase() && was_small {
            spaced.push(' ');
        }
        was_small = letter.is_lowercase();
        spaced.extend(letter.to_lowercase());
    }
    spaced
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Share of the wanted words that a blueprint has, to three decimals; none if it has none.
#[expect(clippy::cast_precision_loss, reason = "words are few")]
fn score(blueprint: &Blueprint, wanted: &BTreeSet<String>) -> Option<f64> {
    let text = format!("{} {}", blueprint.intent, blueprint.contract.summary());
    let own = words(&text);
    // The beginning of a word is enough: `build` finds `builds`.
    let has = |word: &&String| own.iter().any(|own| own.starts_with(word.as_str()));
    let found = wanted.iter().filter(has).count();
    (found > 0).then(|| (found as f64 / wanted.len() as f64 * 1000.0).round() / 1000.0)
}

/// Whether one tool of a contract has both the name and the server that are wanted.
fn has_tool(contract: &CompiledContract, tool: Option<&str>, server: Option<&str>) -> bool {
    if tool.is_none() && server.is_none() {
        return true;
    }
    let capabilities = contract.source().pointer("/agentCapabilities/tools");
    let mut tools = capabilities
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    tools.any(|(name, entry)| {
        let own = entry.pointer("/serverInfo/name").and_then(Value::as_str);
        tool.is_none_or(|tool| tool == name) && server.is_none_or(|server| own == Some(server))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_words() {
        let own: Vec<_> = words("setQuantity(qty, SKU) of Übersicht")
            .into_iter()
            .collect();
        assert_eq!(own, ["of", "qty", "quantity", "set", "sku", "übersicht"]);
    }
}
