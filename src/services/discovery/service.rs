//! Sessions, what renders were made of, gadgets and themes.

use std::cmp::Reverse;
use std::sync::Arc;

use super::super::book::{Blueprints, Book, Contracts};
use super::error::DiscoveryError;
use crate::domain::contract::packages;
use crate::domain::operation::Caller;
use crate::domain::projection::specs;
use crate::domain::session::Session;
use crate::domain::theme::Themes;
use crate::wire::discovery::{
    GetRenderSourceParams, GetRenderSourceResult, ListGadgetsResult, ListSessionsParams,
    ListThemesResult, OfAppParams, RenderSource,
};

/// Sessions listed unless told (tools.md §9.3).
const SESSIONS_DEFAULT: usize = 50;

/// Looks around.
pub(crate) struct Discovery {
    pub(crate) book: Arc<Book>,
    pub(crate) contracts: Arc<Contracts>,
    pub(crate) blueprints: Arc<Blueprints>,
    pub(crate) themes: Themes,
}

impl Discovery {
    /// `ggui_list_sessions`: live ones that the caller may see, newest first.
    pub(crate) async fn sessions(
        &self,
        caller: &Caller,
        params: ListSessionsParams,
    ) -> Result<Vec<Arc<Session>>, DiscoveryError> {
        let seen = self.book.all_seen(&caller.principal).await;
        let mut sessions = seen.map_err(DiscoveryError::Store)?;
        let is_of = |wanted: &Option<String>, own: Option<&str>| {
            wanted.as_deref().is_none_or(|wanted| own == Some(wanted))
        };
        sessions.retain(|session| {
            let host = session.creation.host.as_deref();
            is_of(&params.host_name, host.map(|host| host.host_name.as_str()))
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
        let session = self.book.find(&caller.principal, &id).await?;
        Ok(GetRenderSourceResult {
            blueprint: RenderSource {
                source: session.view.to_json().to_string(),
                contract: specs(&session.contract),
                fixture_props: session.creation.props.clone(),
            },
            session_id: id,
        })
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
