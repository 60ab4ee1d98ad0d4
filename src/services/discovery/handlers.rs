//! What is looked for, registered by name.

use std::future::ready;
use std::sync::Arc;

use super::error::DiscoveryError;
use super::service::Discovery;
use crate::domain::operation::{Handlers, Registration, table};
use crate::domain::page::{newest_first, page};
use crate::wire::runtime::RuntimeResult;

impl Discovery {
    /// What this service does.
    pub(crate) fn handlers<F>(self: &Arc<Self>) -> Vec<Registration<F>>
    where
        F: From<serde_json::Error> + From<DiscoveryError> + Send + 'static,
    {
        Handlers::<_, DiscoveryError, F>::of(self)
            .on::<table::GetRenderSource>(|discovery, caller, params| {
                Box::pin(async move { Ok(discovery.render_source(caller, params).await?.into()) })
            })
            .on::<table::ListSessions>(|discovery, caller, params| {
                Box::pin(async move { Ok(discovery.sessions(caller, params).await?.into()) })
            })
            .on::<table::ListLiveSessions>(|discovery, caller, params| {
                Box::pin(async move { Ok(discovery.live_sessions(caller, &params).await?.into()) })
            })
            .on::<table::ListGadgets>(|discovery, caller, params| {
                Box::pin(ready(discovery.gadgets(caller, params).map(Into::into)))
            })
            .on::<table::ListThemes>(|discovery, caller, params| {
                Box::pin(ready(discovery.themes(caller, params).map(Into::into)))
            })
            .on::<table::SearchBlueprints>(|discovery, caller, params| {
                Box::pin(async move { Ok(discovery.search(caller, params).await?.into()) })
            })
            .on::<table::ListFeaturedBlueprints>(|discovery, caller, _| {
                Box::pin(async move { Ok(discovery.featured(caller).await?.into()) })
            })
            .on::<table::RenderBlueprint>(|discovery, caller, params| {
                Box::pin(async move { Ok(discovery.blueprint(caller, params).await?.into()) })
            })
            .on::<table::ValidateBlueprint>(|discovery, _, params| {
                Box::pin(async move { Ok(discovery.validate(params).into()) })
            })
            .on::<table::ListBlueprints>(|discovery, caller, params| {
                Box::pin(async move {
                    let rows = discovery.stored(caller).await?.into_iter();
                    let rows = rows.map(|row| (newest_first(row.created_at, &row.id), row));
                    Ok(page(rows, &params).into())
                })
            })
            .on::<table::GetBlueprint>(|discovery, caller, params| {
                Box::pin(async move { Ok(discovery.detail(caller, &params).await?.into()) })
            })
            .on::<table::DeleteBlueprint>(|discovery, caller, params| {
                Box::pin(async move {
                    discovery.delete(caller, params).await?;
                    Ok(RuntimeResult::done().into())
                })
            })
            .into_registrations()
    }
}
