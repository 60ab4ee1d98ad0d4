//! Sessions, what renders were made of, gadgets and themes.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::super::book::{Blueprints, Book, Contracts};
use super::error::DiscoveryError;
use crate::domain::contract::packages;
use crate::domain::credentials::{ChannelToken, Credentials};
use crate::domain::limits::SessionLimits;
use crate::domain::operation::Caller;
use crate::domain::page::{Filling, newest_first};
use crate::domain::projection::specs;
use crate::domain::summary::Summary;
use crate::domain::theme::Themes;
use crate::wire::discovery::{
    GetRenderSourceParams, GetRenderSourceResult, ListGadgetsResult, ListSessionsParams,
    ListSessionsResult, ListThemesResult, OfAppParams, RenderSource, SessionRow,
};
use crate::wire::ids::SessionKey;
use crate::wire::page::{ListedSession, Page, PageParams};
use crate::wire::tools::SessionStatus;

/// Sessions listed unless told (tools.md §9.3).
const SESSIONS_DEFAULT: usize = 50;

/// Looks around.
pub(crate) struct Discovery {
    pub(crate) book: Arc<Book>,
    pub(crate) contracts: Arc<Contracts>,
    pub(crate) blueprints: Arc<Blueprints>,
    pub(crate) themes: Themes,
    pub(crate) limits: SessionLimits,
    /// Lists of sessions carry tokens.
    pub(crate) credentials: Arc<dyn Credentials>,
}

impl Discovery {
    /// `ggui_list_sessions`: live ones that the caller may see, newest first.
    pub(super) async fn sessions(
        &self,
        caller: &Caller,
        params: ListSessionsParams,
    ) -> Result<ListSessionsResult, DiscoveryError> {
        let limit = params.limit.unwrap_or(SESSIONS_DEFAULT);
        let is_of = |wanted: &Option<String>, own: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| own == Some(wanted))
        };
        let is_wanted = |summary: &Summary| {
            let host = summary.host.as_deref();
            is_of(&params.host_name, host.map(|host| host.host_name.as_str()))
                && is_of(
                    &params.host_session_id,
                    host.map(|host| host.host_session_id.as_str()),
                )
        };
        let mut newest = BTreeMap::new();
        let keep = |key: SessionKey, summary: Summary| {
            if is_wanted(&summary) {
                let place = (Reverse(summary.created_at), key.session.clone());
                newest.insert(place, (key, summary));
            }
            if newest.len() > limit {
                newest.pop_last();
            }
        };
        let walk = self.book.for_each_seen(&caller.principal, keep);
        walk.await.map_err(DiscoveryError::Store)?;
        let scopes = caller.principal.channel_scopes();
        let rows = newest.values().map(|(key, summary)| {
            let holder = caller.principal.person();
            let token = self.credentials.mint_ws(key, scopes.clone(), holder);
            to_row(key, summary, token)
        });
        Ok(ListSessionsResult {
            sessions: rows.collect(),
        })
    }

    /// A page of the live sessions that the caller may see, newest first.
    pub(super) async fn live_sessions(
        &self,
        caller: &Caller,
        params: &PageParams,
    ) -> Result<Page<ListedSession>, DiscoveryError> {
        let mut filling = Filling::new(params);
        let list = |key: SessionKey, summary: Summary| {
            let place = newest_first(summary.created_at.0, key.session.as_str());
            filling.add(place, || to_listed(&key, &summary, &self.limits));
        };
        let walk = self.book.for_each_seen(&caller.principal, list);
        walk.await.map_err(DiscoveryError::Store)?;
        Ok(filling.page())
    }

    /// `ggui_get_render_source`: what a render was made of.
    pub(super) async fn render_source(
        &self,
        caller: &Caller,
        params: GetRenderSourceParams,
    ) -> Result<GetRenderSourceResult, DiscoveryError> {
        let id = params.session_id;
        let session = self.book.find(&caller.principal, &id).await?;
        Ok(GetRenderSourceResult {
            blueprint: RenderSource {
                source: session.view().to_json().to_string(),
                contract: specs(&session.contract),
                fixture_props: session.creation.props.clone(),
            },
            session_id: id,
        })
    }

    /// `ggui_list_gadgets`: the packages a contract may name.
    pub(super) fn gadgets(
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
    pub(super) fn themes(
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

/// One session of the list, with a key to its live channel.
fn to_row(key: &SessionKey, summary: &Summary, token: ChannelToken) -> SessionRow {
    let host = summary.host.as_deref().cloned();
    let (host_name, host_session_id) = host
        .map(|host| (host.host_name, host.host_session_id))
        .unzip();
    SessionRow {
        session_id: key.session.to_string(),
        host_name,
        host_session_id,
        created_at: summary.created_at.to_string(),
        last_activity_at: summary.last_activity_at.to_string(),
        status: SessionStatus::Active,
        ws_token: token.text,
        ws_token_expires_at: token.expires_at.to_string(),
    }
}

fn to_listed(key: &SessionKey, summary: &Summary, limits: &SessionLimits) -> ListedSession {
    ListedSession {
        id: key.session.to_string(),
        app_id: key.app.to_string(),
        intent: summary.intent.to_string(),
        status: "active",
        epoch: summary.epoch.0,
        contract_hash: summary.contract.to_string(),
        pending_actions: summary.pending_actions,
        created_at: summary.created_at.0,
        last_activity_at: summary.last_activity_at.0,
        expires_at: summary.expires_at(limits).0,
    }
}

/// Whether the app a request names is the caller's; judged before anything is looked up.
fn own_app(caller: &Caller, params: OfAppParams) -> Result<(), DiscoveryError> {
    match params.app_id {
        Some(app) if app != caller.principal.app.as_str() => Err(DiscoveryError::AppDenied { app }),
        _ => Ok(()),
    }
}
