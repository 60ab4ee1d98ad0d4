//! What the live channel uses.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use axum::extract::FromRef;
use governor::clock::DefaultClock;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::rejections::Rejections;
use crate::domain::credentials::ChannelPass;
use crate::domain::limits::Limits;
use crate::domain::projection::stored;
use crate::domain::session::Session;
use crate::services::live::Live;
use crate::transports::conformance::Suite;
use crate::transports::http::{Edge, Site};
use crate::transports::pages::Slices;
use crate::transports::request::Access;
use crate::wire::frames::{Ack, AckOf};

/// What sockets and their fallbacks use.
pub(crate) struct Channel {
    pub(crate) access: Access,
    pub(crate) live: Arc<Live>,
    pub(crate) slices: Arc<Slices>,
    pub(crate) site: Site,
    pub(crate) limits: Limits,
    /// What is bounded before a request is looked at.
    pub(crate) edge: Arc<Edge>,
    /// Cancelled when the shutdown begins.
    pub(crate) drain: CancellationToken,
    /// Connections the shutdown waits for.
    pub(crate) tasks: TaskTracker,
    /// Sockets that were ended before they subscribed.
    pub(crate) rejections: Arc<Rejections>,
    /// Counts the frames of every socket: a clock of its own would cost each more than its upgrade.
    pub(crate) rate_clock: DefaultClock,
    /// Sockets that are open.
    pub(crate) sockets: Arc<AtomicUsize>,
    /// What a conformance suite changes about subscriptions.
    pub(crate) suite: Suite,
}

impl Channel {
    /// The ack of a subscription; whoever came by token gets one for coming back.
    pub(crate) fn ack(
        &self,
        session: &Session,
        replay_truncated: bool,
        server_version: Cow<'static, str>,
        by_token: Option<&ChannelPass>,
    ) -> Ack {
        let limits = &self.limits.sessions;
        let ends = session.ends_at(limits);
        let credentials = &self.access.credentials;
        let token = by_token.map(|pass| credentials.mint_session(pass, ends).text);
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

impl FromRef<Arc<Channel>> for Access {
    fn from_ref(channel: &Arc<Channel>) -> Self {
        channel.access.clone()
    }
}
