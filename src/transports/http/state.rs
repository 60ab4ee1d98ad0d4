//! What the HTTP edge uses: before a request reaches a handler, and for pages about the server.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use axum::extract::FromRef;
use metrics_exporter_prometheus::PrometheusHandle;
use tokio_util::sync::CancellationToken;

use super::edge::Edge;
use super::request_limiter::RequestLimiter;
use super::site::Site;
use crate::domain::clock::Ids;
use crate::domain::limits::Limits;
use crate::services::live::Live;
use crate::transports::live::Rejections;
use crate::transports::mcp::Held;
use crate::transports::request::Access;

/// What the HTTP edge uses.
pub(crate) struct Front {
    pub(crate) access: Access,
    pub(crate) live: Arc<Live>,
    pub(crate) site: Site,
    pub(crate) limits: Limits,
    /// What is bounded before a request is looked at.
    pub(crate) edge: Arc<Edge>,
    pub(crate) ids: Arc<dyn Ids>,
    /// Cancelled when the shutdown begins.
    pub(crate) drain: CancellationToken,
    /// Counts requests; nobody does where everybody is on this machine.
    pub(crate) request_limiter: Option<RequestLimiter>,
    /// Whether every answer is a line of the log.
    pub(crate) access_log: bool,
    pub(crate) metrics: PrometheusHandle,
    /// Whether whoever reaches the server may read them.
    pub(crate) metrics_open: bool,
    /// Sockets that are open.
    pub(crate) sockets: Arc<AtomicUsize>,
    /// Sockets that were ended before they subscribed.
    pub(crate) rejections: Arc<Rejections>,
    /// Calls that are held.
    pub(crate) held: Held,
}

impl FromRef<Arc<Front>> for Access {
    fn from_ref(front: &Arc<Front>) -> Self {
        front.access.clone()
    }
}
