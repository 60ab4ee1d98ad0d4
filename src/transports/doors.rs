//! What every door needs: the services, the limits, and the addresses.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use metrics_exporter_prometheus::PrometheusHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::mcp::Held;
use crate::domain::clock::Ids;
use crate::domain::limits::Limits;
use crate::domain::log::SessionLog;
use crate::domain::operation::OperationKind;
use crate::domain::places::Places;
use crate::domain::principal::Principal;
use crate::domain::projection::stored;
use crate::domain::session::Session;
use crate::services::auth::{Auth, ChannelPass};
use crate::services::dispatch::Dispatch;
use crate::services::live::Live;
use crate::services::versions::Versions;
use crate::transports::conformance::Suite;
use crate::transports::faults::Fault;
use crate::transports::http::{Edge, RequestLimiter, Site};
use crate::transports::live::Rejections;
#[cfg(feature = "demo")]
use crate::transports::pages::Offer;
use crate::transports::pages::shell;
use crate::wire::frames::{Ack, AckOf};
use crate::wire::ids::AppId;
use crate::wire::slice::Slice;

/// Everything the doors need.
pub(crate) struct Doors {
    pub(crate) auth: Arc<Auth>,
    /// Counts requests at the door; nobody does where everybody is on this machine.
    pub(crate) request_limiter: Option<RequestLimiter>,
    /// Whether every answer is a line of the log.
    pub(crate) access_log: bool,
    pub(crate) dispatch: Arc<Dispatch>,
    pub(crate) live: Arc<Live>,
    pub(crate) versions: Versions,
    pub(crate) log: Arc<dyn SessionLog>,
    pub(crate) ids: Arc<dyn Ids>,
    pub(crate) limits: Limits,
    /// Tools that feed channels of UIs through their sockets.
    pub(crate) local_tools: Vec<OperationKind>,
    pub(crate) site: Site,
    /// Cancelled when the shutdown begins.
    pub(crate) drain: CancellationToken,
    /// Connections the shutdown waits for.
    pub(crate) tasks: TaskTracker,
    pub(crate) metrics: PrometheusHandle,
    /// Whether whoever reaches the server may read them.
    pub(crate) metrics_open: bool,
    /// Sockets that were ended before they subscribed.
    pub(crate) rejections: Rejections,
    /// Calls that are held, to be taken back.
    pub(crate) held: Held,
    /// Whether arguments that do not fit are the result of their tool in the legacy era, too.
    pub(crate) unfit_is_result: bool,
    /// Sockets that are open.
    pub(crate) sockets: Arc<AtomicUsize>,
    /// Places for streams of `subscriptions/listen`, per app.
    pub(crate) listeners: Arc<Places<AppId>>,
    /// What is bounded before a request is looked at.
    pub(crate) edge: Arc<Edge>,
    #[cfg(feature = "demo")]
    pub(crate) offer: Offer,
    /// What a conformance suite has changed.
    pub(crate) suite: Suite,
}

impl Doors {
    /// What a mount of a session starts with; its token is minted anew every time, and opens what
    /// whoever asks for it may do.
    pub(super) fn slice(&self, session: &Session, by: &Principal) -> Slice {
        let token = self.auth.mint_ws(&session.key, by.channel_scopes());
        shell::slice(session, &token, by, &self.site, &self.local_tools)
    }

    /// The same for whoever holds a token already: the new one belongs to the same chain.
    pub(super) fn slice_within(&self, session: &Session, pass: &ChannelPass) -> Slice {
        let ends = session.ends_at(&self.limits.sessions);
        let token = self.auth.renew(pass, ends);
        shell::slice(
            session,
            &token,
            &pass.viewer(),
            &self.site,
            &self.local_tools,
        )
    }

    /// Whether a session may be read: whichever way, it takes what `ggui_get_session` takes.
    pub(super) fn may_read(&self, principal: &Principal) -> Result<(), Fault> {
        let kind = OperationKind::GetSession;
        let reached = self.dispatch.reaches(principal, kind);
        reached.map_err(|error| Fault::in_tool(kind.tool(), error))
    }

    /// The ack of a subscription; whoever came by token gets one for coming back.
    pub(super) fn ack(
        &self,
        session: &Session,
        replay_truncated: bool,
        server_version: Cow<'static, str>,
        by_token: Option<&ChannelPass>,
    ) -> Ack {
        let limits = &self.limits.sessions;
        let ends = session.ends_at(limits);
        let token = by_token.map(|pass| self.auth.mint_session(pass, ends).text);
        Ack {
            sequence: session.seq.0,
            timestamp: self.live.clock.now().0,
            of: AckOf::Subscribe {
                session: Box::new(stored(session, limits)),
                stream_seq: session.stream_seq,
                server_version,
                replay_truncated,
                session_token: token,
            },
        }
    }
}
