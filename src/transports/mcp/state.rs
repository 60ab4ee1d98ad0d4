//! What the MCP edge uses.

use std::sync::Arc;

use axum::extract::FromRef;
use tokio_util::sync::CancellationToken;

#[cfg(feature = "gate")]
use super::exchange::Exchanges;
use super::held::Held;
use super::lists::Lists;
use crate::domain::limits::HttpLimits;
use crate::domain::places::Places;
use crate::services::live::Live;
use crate::transports::http::{Edge, Site};
use crate::transports::pages::Slices;
use crate::transports::request::Access;
use crate::wire::fault::Endpoint;
use crate::wire::ids::AppId;

/// What the MCP edge uses.
pub(crate) struct Mcp {
    /// Whose registry of error numbers it answers with, and whose tools it has.
    pub(crate) endpoint: Endpoint,
    pub(crate) access: Access,
    pub(crate) live: Arc<Live>,
    pub(crate) slices: Arc<Slices>,
    pub(crate) site: Site,
    pub(crate) http: HttpLimits,
    /// What is bounded before a request is looked at.
    pub(crate) edge: Arc<Edge>,
    /// Cancelled when the shutdown begins.
    pub(crate) drain: CancellationToken,
    /// Lists of tools that were written.
    pub(crate) lists: Lists,
    /// Calls that are held, to be taken back.
    pub(crate) held: Held,
    /// Whether tools behind the gate are called here.
    #[cfg(feature = "gate")]
    pub(crate) has_gate: bool,
    /// What is kept of requests whose callers are told and asked things.
    #[cfg(feature = "gate")]
    pub(crate) exchanges: Arc<Exchanges>,
    /// Places for streams of `subscriptions/listen`, per app.
    pub(crate) listeners: Arc<Places<AppId>>,
    /// Whether arguments that do not fit are the result of their tool in the legacy era, too.
    pub(crate) unfit_is_result: bool,
}

impl FromRef<Arc<Mcp>> for Access {
    fn from_ref(mcp: &Arc<Mcp>) -> Self {
        mcp.access.clone()
    }
}
