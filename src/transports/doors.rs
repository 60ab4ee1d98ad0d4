//! What every door needs: the services, the limits, and the addresses.

use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::shell;
use super::site::Site;
use crate::domain::clock::Ids;
use crate::domain::limits::Limits;
use crate::domain::log::SessionLog;
use crate::domain::session::Session;
use crate::services::auth::Auth;
use crate::services::dispatch::Dispatch;
use crate::services::live::Live;
use crate::wire::slice::Slice;

/// Everything the doors need.
pub(crate) struct Doors {
    pub(crate) auth: Auth,
    pub(crate) dispatch: Arc<Dispatch>,
    pub(crate) live: Live,
    pub(crate) log: Arc<dyn SessionLog>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) limits: Limits,
    pub(crate) site: Site,
    /// Cancelled when the shutdown begins.
    pub(crate) drain: CancellationToken,
    /// Connections the shutdown waits for.
    pub(crate) tasks: TaskTracker,
    pub(crate) metrics: PrometheusHandle,
    /// Places for sockets that have not subscribed yet.
    pub(crate) pre_subscribe: Arc<Semaphore>,
}

impl Doors {
    /// What a mount of a session starts with; its token is minted anew every time.
    pub(super) fn slice(&self, session: &Session) -> Slice {
        shell::slice(session, &self.auth.mint_ws(&session.key), &self.site)
    }
}
