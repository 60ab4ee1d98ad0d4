//! The task of one socket: until it subscribes, and while it follows its session.

use std::convert::Infallible;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::WebSocket;
use futures_util::StreamExt as _;
use futures_util::stream::SplitStream;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use serde_json::json;
use tokio::time::{Instant, sleep_until, timeout};

use super::feeds::Feeds;
use super::inbound::{echo, inbound, read_frame, unsupported};
use super::lag_timer::LagTimer;
use super::line::{End, Line, Step};
use super::state::Channel;
use super::subscribe::{Accepted, PendingCredential, judge};
use crate::domain::limits::quota;
use crate::domain::operation::Caller;
use crate::domain::places::Place;
use crate::domain::store_error::StoreError;
use crate::services::live::{Reader, Reading, Subscription};
use crate::transports::faults::Fault;
use crate::wire::fault::{Close, Code};
use crate::wire::frames::ServerBody;
use crate::wire::ids::SessionKey;

/// How long a peer may take to answer a close frame.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);

/// What a subscribed socket may do.
pub(super) struct Subscribed {
    pub(super) caller: Caller,
    pub(super) key: SessionKey,
}

/// A subscription, and what it brings.
struct ActiveSubscription {
    subscribed: Subscribed,
    reader: Box<Reader>,
}

/// What a socket comes with, until it has subscribed.
pub(super) struct Arrival {
    /// Who may subscribe on it.
    pub(super) parked: PendingCredential,
    /// One of the places for sockets that have not subscribed, if there was one.
    pub(super) place: Option<Place<IpAddr>>,
}

/// One socket. What it awaits is boxed wherever it would be awaited seldom: room for it would
/// belong to each idle socket for all its life.
pub(super) struct Socket {
    pub(super) shared: Arc<Channel>,
    pub(super) line: Line,
    stream: SplitStream<WebSocket>,
    pub(super) action_rate: DefaultDirectRateLimiter,
}

impl Socket {
    pub(super) fn new(shared: Arc<Channel>, socket: WebSocket) -> Self {
        let (sink, stream) = socket.split();
        let (per_second, burst): (NonZeroU32, NonZeroU32) = quota(
            shared.limits.actions.per_second,
            shared.limits.actions.burst,
        );
        let quota = Quota::per_second(per_second).allow_burst(burst);
        let action_rate = RateLimiter::direct_with_clock(quota, shared.rate_clock.clone());
        let line = Line::new(sink, Duration::from_secs(shared.limits.sockets.behind_s));
        Self {
            shared,
            line,
            stream,
            action_rate,
        }
    }

    /// Serves the socket until it is closed.
    pub(super) async fn run(mut self: Box<Self>, arrival: Box<Arrival>) {
        let end = match Box::pin(self.begin(*arrival)).await {
            Ok(active) => Box::pin(self.live(active)).await,
            Err(end) => end,
        };
        Box::pin(self.end(end)).await;
    }

    async fn begin(&mut self, arrival: Arrival) -> Step<Box<ActiveSubscription>> {
        // Held until it has subscribed.
        let Some(_place) = arrival.place else {
            return Err(End::Close(Close::PreSubscribeCeiling));
        };
        self.until_subscribed(arrival.parked).await
    }

    async fn live(&mut self, active: Box<ActiveSubscription>) -> End {
        let ActiveSubscription { subscribed, reader } = *active;
        let end = match self.follow(&subscribed, reader).await {
            Ok(never) => match never {},
            Err(end) => end,
        };
        if let End::Close(Close::SlowConsumer) = end {
            let event = json!({ "kind": "slow-consumer" });
            Box::pin(self.shared.live.notify_observers(&subscribed.key, event)).await;
        }
        end
    }

    async fn end(&mut self, end: End) {
        let closing = async {
            match end {
                End::Close(close) => {
                    self.shared.rejections.count(close);
                    self.line.send_close(close).await;
                    // The peer's answer ends the stream; without one the time does.
                    while let Some(Ok(_)) = self.stream.next().await {}
                }
                End::Left => self.line.answer_close().await,
                End::Gone => {}
            }
        };
        let _ = timeout(CLOSE_TIMEOUT, closing).await;
    }

    /// Hands out what is owed from before the snapshot: what the peer sent meanwhile comes after it
    /// (live-channel.md §3.3).
    async fn replay(&mut self, reader: &mut Reader) -> Step<()> {
        while let Some(deliveries) = reader.owed() {
            let frames = deliveries.into_iter().map(|delivery| delivery.frame);
            self.line.send_all(frames.collect()).await?;
        }
        Ok(())
    }

    /// Passes frames both ways until either side ends.
    async fn follow(
        &mut self,
        subscribed: &Subscribed,
        mut reader: Box<Reader>,
    ) -> Step<Infallible> {
        Box::pin(self.replay(&mut reader)).await?;
        // Kept over the rounds: a frame that comes in must not make the reader begin again.
        let mut readings = Box::pin(reader.readings());
        let mut lag_timer = LagTimer::default();
        let mut feeds = Feeds::default();
        let shared = Arc::clone(&self.shared);
        let mut draining = pin!(shared.drain.cancelled());
        let mut expired_or_revoked = pin!(
            shared
                .access
                .credentials
                .expired_or_revoked(subscribed.caller.principal.lease)
        );
        loop {
            // Unbiased: a peer that never stops talking must not keep its own frames from it.
            tokio::select! {
                () = &mut draining => return Err(End::Close(Close::ServiceRestart)),
                () = &mut expired_or_revoked => return Err(End::Close(Close::CredentialLapsed)),
                message = self.stream.next() => {
                    match inbound(message)? {
                        Some(text) => Box::pin(self.answer(&text, subscribed, &mut feeds)).await?,
                        None => Box::pin(self.line.flush()).await?,
                    }
                }
                Some(reading) = readings.next() => {
                    Box::pin(self.pass_on(reading, &mut lag_timer)).await?;
                }
                Some(frame) = feeds.next() => Box::pin(self.line.send_all(vec![frame])).await?,
            }
        }
    }

    /// Everything up to an accepted subscription, within its time and size.
    async fn until_subscribed(
        &mut self,
        mut parked: PendingCredential,
    ) -> Step<Box<ActiveSubscription>> {
        let limits = self.shared.limits.sockets.clone();
        let deadline = Instant::now() + Duration::from_secs(limits.pre_subscribe_idle_s);
        let shared = Arc::clone(&self.shared);
        let mut expired_or_revoked =
            pin!(shared.access.credentials.expired_or_revoked(parked.lease()));
        loop {
            let message = tokio::select! {
                biased;
                () = shared.drain.cancelled() => return Err(End::Close(Close::ServiceRestart)),
                () = &mut expired_or_revoked => return Err(End::Close(Close::CredentialLapsed)),
                () = sleep_until(deadline) => {
                    return Err(End::Close(Close::PreSubscribeIdleTimeout));
                }
                message = self.stream.next() => message,
            };
            let Some(text) = inbound(message)? else {
                self.line.flush().await?;
                continue;
            };
            if text.len() > limits.pre_subscribe_bytes_max {
                return Err(End::Close(Close::PreSubscribePayloadExceeded));
            }
            let frame = match read_frame(&text) {
                Ok(frame) => frame,
                Err(fault) => {
                    self.line.refuse(&fault, None).await?;
                    continue;
                }
            };
            let request_id = echo(&frame);
            match &*frame.kind {
                "ping" => self.line.pong(request_id).await?,
                "subscribe" => {
                    let spent = std::mem::replace(&mut parked, PendingCredential::Used);
                    match judge(&self.shared, spent, frame.payload).await {
                        Ok(accepted) => return self.accept(accepted, request_id).await,
                        Err(fault) => {
                            self.line.refuse(&fault, request_id).await?;
                            if fault.code() == Code::UpgradeRequired {
                                return Err(End::Close(Close::UpgradeRequired));
                            }
                        }
                    }
                }
                "channel_unsubscribe" => {}
                "action" | "host_context_observed" | "channel_subscribe" => {
                    self.line
                        .refuse(&Fault::of(Code::NotSubscribed), request_id)
                        .await?;
                }
                kind => self.line.refuse(&unsupported(kind), request_id).await?,
            }
        }
    }

    async fn accept(
        &mut self,
        accepted: Accepted,
        request_id: Option<&str>,
    ) -> Step<Box<ActiveSubscription>> {
        let Accepted {
            caller,
            key,
            subscription,
            server_version,
            by_token,
        } = accepted;
        let Subscription {
            session,
            replay_truncated,
            cursor_error,
            reader,
        } = subscription;
        let ack = self.shared.ack(
            &session,
            replay_truncated,
            server_version,
            by_token.as_ref(),
        );
        drop(session);
        self.line
            .reply(ServerBody::Ack(Box::new(ack)), request_id)
            .await?;
        if let Some(error) = cursor_error {
            // The subscription stands all the same (live-channel.md §5.3).
            self.line.refuse(&error.into(), request_id).await?;
        }
        Ok(Box::new(ActiveSubscription {
            subscribed: Subscribed { caller, key },
            reader: Box::new(reader),
        }))
    }

    /// Sends what the reader found; one that stays far behind is told to come back.
    async fn pass_on(
        &mut self,
        reading: Result<Reading, StoreError>,
        lag_timer: &mut LagTimer,
    ) -> Step<()> {
        match reading {
            Ok(Reading::Frames { frames, behind }) => {
                let frames = frames.into_iter().map(|delivery| delivery.frame);
                self.line.send_all(frames.collect()).await?;
                if lag_timer.is_over(behind, &self.shared.limits.sockets) {
                    return Err(End::Close(Close::SlowConsumer));
                }
                Ok(())
            }
            Ok(Reading::Ended) => Err(End::Close(Close::SessionExpired)),
            Err(_) => Err(End::Close(Close::ServiceRestart)),
        }
    }
}
