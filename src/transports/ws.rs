//! The live channel: one task per socket, bounded on every side (live-channel §1, §2).

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use bytes::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use governor::clock::Clock as _;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use http::header::HOST;
use http::{HeaderMap, HeaderValue, Uri};
use metrics::{counter, gauge};
use serde::de::DeserializeOwned;
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, sleep_until, timeout};

use super::doors::Doors;
use super::extract::{principal, text};
use super::fault::Fault;
use crate::domain::limits::quota;
use crate::domain::operation::Caller;
use crate::domain::principal::{Door, Principal};
use crate::domain::store::StoreError;
use crate::services::actions::Submission;
use crate::services::live::{Reader, Reading, Subscription, stored};
use crate::wire::fault::{Close, Code};
use crate::wire::frames::{
    Ack, AckOf, ActionEnvelope, ClientFrame, DRAFTS, ServerBody, ServerFrame, Subscribe,
};
use crate::wire::ids::{SessionId, SessionKey};

/// Read and write buffers of a socket: the library's 128 KiB would cost more than all the rest.
const BUFFER_BYTES: usize = 4 << 10;
/// The one kind of action there is.
const SUBMIT: &str = "data:submit";

/// `GET /ws`. A token in the address is judged at `subscribe`: a browser cannot read a refused
/// upgrade (ruling 13). Anything else has to be a credential, from a page that may use it.
pub(super) async fn upgrade(
    State(doors): State<Arc<Doors>>,
    headers: HeaderMap,
    uri: Uri,
    upgrade: WebSocketUpgrade,
) -> Response {
    let has_token = uri
        .query()
        .unwrap_or_default()
        .split('&')
        .any(|pair| pair.split('=').next() == Some("wsToken"));
    let parked = if has_token {
        Parked::Token
    } else {
        let host = text(&headers, HOST.as_str());
        let origin = headers.get(http::header::ORIGIN).map(HeaderValue::to_str);
        match origin {
            Some(Ok(origin)) if doors.site.allows_origin(origin, host) => {}
            Some(_) => return Fault::of(Code::InvalidOrigin).to_rest(),
            None => {}
        }
        match principal(&doors.auth, &headers) {
            Ok(principal) => Parked::Principal(principal),
            Err(fault) => return fault.to_rest(),
        }
    };
    let limits = &doors.limits.sockets;
    let place = Arc::clone(&doors.pre_subscribe).try_acquire_owned().ok();
    upgrade
        .read_buffer_size(BUFFER_BYTES)
        .write_buffer_size(BUFFER_BYTES)
        .max_message_size(limits.frame_bytes_max)
        .max_frame_size(limits.frame_bytes_max)
        .on_upgrade(move |socket| {
            let tasks = doors.tasks.token();
            async move {
                let _counted = Counted::new();
                Socket::new(doors, socket).run(parked, place).await;
                drop(tasks);
            }
        })
}

/// Counts a socket for as long as it lives.
struct Counted;

impl Counted {
    fn new() -> Self {
        gauge!("proscenium_sockets").increment(1);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        gauge!("proscenium_sockets").decrement(1);
    }
}

/// What a socket has shown before it subscribes.
enum Parked {
    /// A credential; good for one attempt.
    Principal(Principal),
    /// The promise of a token in the subscription; good for one attempt.
    Token,
    /// Nothing any more.
    Spent,
}

/// A subscribed socket's rights and cursor.
struct Subscribed {
    caller: Caller,
    key: SessionKey,
    reader: Reader,
    behind_since: Option<Instant>,
}

struct Socket {
    doors: Arc<Doors>,
    sink: SplitSink<WebSocket, Message>,
    stream: SplitStream<WebSocket>,
    action_rate: DefaultDirectRateLimiter,
}

/// Why a socket's task ends.
enum End {
    /// With a close frame of ours.
    Close(Close),
    /// The peer is gone.
    Gone,
}

type Step<T> = Result<T, End>;

impl Socket {
    fn new(doors: Arc<Doors>, socket: WebSocket) -> Self {
        let (sink, stream) = socket.split();
        let (per_second, burst): (NonZeroU32, NonZeroU32) =
            quota(doors.limits.actions.per_second, doors.limits.actions.burst);
        let action_rate = RateLimiter::direct(Quota::per_second(per_second).allow_burst(burst));
        Self {
            doors,
            sink,
            stream,
            action_rate,
        }
    }

    async fn run(mut self, parked: Parked, place: Option<OwnedSemaphorePermit>) {
        let end = match place {
            None => End::Close(Close::PreSubscribeCeiling),
            Some(place) => match self.live(parked, place).await {
                Ok(()) => End::Gone,
                Err(end) => end,
            },
        };
        if let End::Close(close) = end {
            let (code, reason) = close.wire();
            counter!("proscenium_socket_closes_total", "reason" => reason).increment(1);
            let frame = CloseFrame {
                code,
                reason: Utf8Bytes::from_static(reason),
            };
            let patience = Duration::from_secs(self.doors.limits.sockets.behind_s);
            let farewell = async {
                let _ = self.sink.send(Message::Close(Some(frame))).await;
                // The peer's answer ends the stream; without one the time does.
                while let Some(Ok(_)) = self.stream.next().await {}
            };
            let _ = timeout(patience.min(Duration::from_secs(2)), farewell).await;
        }
    }

    async fn live(&mut self, parked: Parked, place: OwnedSemaphorePermit) -> Step<()> {
        let mut subscribed = self.until_subscribed(parked).await?;
        drop(place);
        let drain = self.doors.drain.clone();
        loop {
            tokio::select! {
                biased;
                () = drain.cancelled() => return Err(End::Close(Close::ServiceRestart)),
                message = self.stream.next() => {
                    if let Some(text) = inbound(message)? {
                        self.answer(&text, &mut subscribed).await?;
                    }
                }
                reading = subscribed.reader.next() => {
                    self.pass_on(reading, &mut subscribed.behind_since).await?;
                }
            }
        }
    }

    /// Everything up to an accepted subscription, within its time and size.
    async fn until_subscribed(&mut self, mut parked: Parked) -> Step<Subscribed> {
        let limits = self.doors.limits.sockets.clone();
        let deadline = Instant::now() + Duration::from_secs(limits.pre_subscribe_idle_s);
        let drain = self.doors.drain.clone();
        loop {
            let message = tokio::select! {
                biased;
                () = drain.cancelled() => return Err(End::Close(Close::ServiceRestart)),
                () = sleep_until(deadline) => {
                    return Err(End::Close(Close::PreSubscribeIdleTimeout));
                }
                message = self.stream.next() => message,
            };
            let Some(text) = inbound(message)? else {
                continue;
            };
            if text.len() > limits.pre_subscribe_bytes_max {
                return Err(End::Close(Close::PreSubscribePayloadExceeded));
            }
            let frame = match read_frame(&text) {
                Ok(frame) => frame,
                Err(fault) => {
                    self.refuse(&fault, None).await?;
                    continue;
                }
            };
            let request_id = echo(&frame);
            match frame.kind.as_str() {
                "ping" => self.pong(request_id).await?,
                "subscribe" => {
                    let spent = std::mem::replace(&mut parked, Parked::Spent);
                    match self.subscribe(spent, frame.payload).await {
                        Ok(accepted) => return self.accept(accepted, request_id).await,
                        Err(fault) => {
                            self.refuse(&fault, request_id).await?;
                            if fault.code() == Code::UpgradeRequired {
                                return Err(End::Close(Close::UpgradeRequired));
                            }
                        }
                    }
                }
                "action" | "host_context_observed" | "channel_subscribe" => {
                    self.refuse(&Fault::of(Code::NotSubscribed), request_id)
                        .await?;
                }
                kind => self.refuse(&unsupported(kind), request_id).await?,
            }
        }
    }

    /// Judges a subscription in the order of live-channel §2.2.
    async fn subscribe(
        &self,
        parked: Parked,
        payload: Option<&RawValue>,
    ) -> Result<Accepted, Fault> {
        let asked: Subscribe = read_payload(payload)?;
        if matches!(parked, Parked::Spent) {
            return Err(Fault::of(Code::UnauthenticatedFrame));
        }
        let server_version = common_draft(asked.supported_versions.as_deref())?;
        let (key, principal, by_token) = match (parked, &asked.ws_token) {
            (_, Some(token)) => {
                let key = self.doors.auth.check_channel(token)?;
                if key.session.as_str() != asked.session_id {
                    return Err(Fault::of(Code::BootstrapSessionMismatch));
                }
                if asked
                    .app_id
                    .as_deref()
                    .is_some_and(|app| app != key.app.as_str())
                {
                    return Err(Fault::of(Code::BootstrapAppMismatch));
                }
                let viewer = Principal::viewer(key.app.clone());
                (key, viewer, true)
            }
            (Parked::Principal(principal), None) => {
                if asked
                    .app_id
                    .as_deref()
                    .is_some_and(|app| app != principal.app.as_str())
                {
                    return Err(Fault::of(Code::AppMismatch));
                }
                let session = SessionId::from(asked.session_id.as_str());
                (
                    SessionKey {
                        app: principal.app.clone(),
                        session,
                    },
                    principal,
                    false,
                )
            }
            (Parked::Token | Parked::Spent, None) => {
                return Err(Fault::of(Code::UnauthenticatedFrame));
            }
        };
        let subscription = self
            .doors
            .live
            .subscribe(&key, &principal, asked.from_seq, asked.observe)
            .await;
        let subscription = subscription.map_err(|error| match error {
            StoreError::Missing => Fault::of(Code::SessionNotFoundFrame),
            StoreError::Conflict | StoreError::Full { .. } => Fault::of(Code::InternalFrame),
        })?;
        let caller = Caller {
            principal,
            door: Door::Socket,
        };
        Ok(Accepted {
            caller,
            key,
            subscription,
            server_version,
            by_token,
        })
    }

    async fn accept(&mut self, accepted: Accepted, request_id: Option<&str>) -> Step<Subscribed> {
        let Accepted {
            caller,
            key,
            subscription,
            server_version,
            by_token,
        } = accepted;
        let Subscription {
            session,
            replay,
            replay_truncated,
            reader,
        } = subscription;
        let limits = &self.doors.limits.sessions;
        let session_token = by_token.then(|| {
            self.doors
                .auth
                .mint_session(&key, session.created_at.plus(life(limits)))
                .text
        });
        let ack = Ack {
            sequence: session.seq.0,
            timestamp: self.doors.live.clock.now().0,
            of: AckOf::Subscribe {
                session: Box::new(stored(&session, limits)),
                stream_seq: session.stream_seq,
                server_version,
                replay_truncated,
                session_token,
            },
        };
        drop(session);
        self.reply(ServerBody::Ack(Box::new(ack)), request_id)
            .await?;
        self.send_all(replay).await?;
        Ok(Subscribed {
            caller,
            key,
            reader,
            behind_since: None,
        })
    }

    /// Answers a frame of a subscribed socket.
    async fn answer(&mut self, text: &str, subscribed: &mut Subscribed) -> Step<()> {
        let frame = match read_frame(text) {
            Ok(frame) => frame,
            Err(fault) => return self.refuse(&fault, None).await,
        };
        let request_id = echo(&frame);
        match frame.kind.as_str() {
            "action" => match self.act(frame.payload, subscribed).await {
                Ok(ack) => self.reply(ServerBody::Ack(Box::new(ack)), request_id).await,
                Err(fault) => self.refuse(&fault, request_id).await,
            },
            "ping" => self.pong(request_id).await,
            // One socket, one subscription.
            "subscribe" => {
                self.refuse(&Fault::of(Code::UnauthenticatedFrame), request_id)
                    .await
            }
            kind => self.refuse(&unsupported(kind), request_id).await,
        }
    }

    async fn act(&self, payload: Option<&RawValue>, subscribed: &Subscribed) -> Result<Ack, Fault> {
        if let Err(wait) = self.action_rate.check() {
            let wait = wait.wait_time_from(self.action_rate.clock().now());
            return Err(Fault::too_fast(Code::RateLimitedFrame, wait));
        }
        let mut envelope: ActionEnvelope = read_payload(payload)?;
        if envelope.session_id != subscribed.key.session.as_str() {
            return Err(Fault::of(Code::SessionMismatch));
        }
        if envelope.kind != SUBMIT {
            let message = format!("payload.type must be \"{SUBMIT}\"");
            return Err(Fault::saying(Code::InvalidMessage, message));
        }
        let ui_context = envelope
            .payload
            .get_mut("uiContext")
            .map(serde_json::Value::take);
        let submission = Submission {
            session: subscribed.key.session.clone(),
            value: envelope.payload,
            ui_context: ui_context.unwrap_or_else(|| json!({})),
            id: envelope.action_id,
            fired_at: envelope.fired_at,
        };
        let submitted = self
            .doors
            .dispatch
            .submit(&subscribed.caller, submission)
            .await;
        let (submitted, consumer_present) = submitted.map_err(Fault::in_frame)?;
        Ok(Ack {
            sequence: submitted.seq.0,
            timestamp: self.doors.live.clock.now().0,
            of: AckOf::Action {
                action_id: submitted.id.as_str().into(),
                consumer_present,
            },
        })
    }

    /// Sends what the reader found; one that stays far behind is told to come back (ruling 29).
    async fn pass_on(
        &mut self,
        reading: Result<Reading, StoreError>,
        behind_since: &mut Option<Instant>,
    ) -> Step<()> {
        let limits = &self.doors.limits.sockets;
        let (frames_max, patience) = (
            limits.behind_frames_max,
            Duration::from_secs(limits.behind_s),
        );
        match reading {
            Ok(Reading::Frames { frames, behind }) => {
                self.send_all(frames).await?;
                if behind <= frames_max {
                    *behind_since = None;
                } else if behind_since.get_or_insert_with(Instant::now).elapsed() > patience {
                    return Err(End::Close(Close::SlowConsumer));
                }
                Ok(())
            }
            Ok(Reading::Ended) => Err(End::Close(Close::SessionExpired)),
            Err(_) => Err(End::Close(Close::ServiceRestart)),
        }
    }

    async fn pong(&mut self, request_id: Option<&str>) -> Step<()> {
        self.reply(ServerBody::Pong {}, request_id).await
    }

    async fn refuse(&mut self, fault: &Fault, request_id: Option<&str>) -> Step<()> {
        self.send_all(vec![fault.to_frame(request_id).into()]).await
    }

    async fn reply(&mut self, body: ServerBody<'_>, request_id: Option<&str>) -> Step<()> {
        let frame = ServerFrame { body, request_id };
        // Keys of our own types are texts: writing them to memory cannot fail.
        self.send_all(vec![serde_json::to_vec(&frame).unwrap_or_default().into()])
            .await
    }

    /// Writes frames and flushes once; a write that takes too long ends the socket.
    async fn send_all(&mut self, frames: Vec<Bytes>) -> Step<()> {
        let patience = Duration::from_secs(self.doors.limits.sockets.behind_s);
        let write = async {
            for frame in frames {
                // Frames are our own JSON.
                if let Ok(text) = Utf8Bytes::try_from(frame) {
                    self.sink.feed(Message::Text(text)).await?;
                }
            }
            self.sink.flush().await
        };
        match timeout(patience, write).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => Err(End::Close(Close::SlowConsumer)),
        }
    }
}

/// A subscription that was found good.
struct Accepted {
    caller: Caller,
    key: SessionKey,
    subscription: Subscription,
    server_version: &'static str,
    /// Whether it came by token: then reconnects get one of their own.
    by_token: bool,
}

fn life(limits: &crate::domain::limits::SessionLimits) -> Duration {
    Duration::from_secs(limits.life_max_s)
}

/// The text of a message, if it has one; binary is read as UTF-8 (§1.1).
fn inbound(message: Option<Result<Message, axum::Error>>) -> Step<Option<Utf8Bytes>> {
    match message {
        Some(Ok(Message::Text(text))) => Ok(Some(text)),
        // What is not UTF-8 is no JSON either, and is answered as such.
        Some(Ok(Message::Binary(bytes))) => {
            Ok(Some(Utf8Bytes::try_from(bytes).unwrap_or_default()))
        }
        Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(None),
        Some(Ok(Message::Close(_)) | Err(_)) | None => Err(End::Gone),
    }
}

fn read_frame(text: &str) -> Result<ClientFrame<'_>, Fault> {
    serde_json::from_str::<&RawValue>(text).map_err(|_| Fault::of(Code::InvalidJson))?;
    serde_json::from_str(text).map_err(|error| {
        Fault::saying(
            Code::InvalidMessage,
            format!("the frame is not a message: {error}"),
        )
    })
}

fn read_payload<T: DeserializeOwned>(payload: Option<&RawValue>) -> Result<T, Fault> {
    let payload = payload.map_or("{}", RawValue::get);
    serde_json::from_str(payload)
        .map_err(|error| Fault::saying(Code::InvalidMessage, format!("payload: {error}")))
}

/// The request id to echo: only one that says something.
fn echo<'a>(frame: &'a ClientFrame<'_>) -> Option<&'a str> {
    frame.request_id.as_deref().filter(|id| !id.is_empty())
}

fn unsupported(kind: &str) -> Fault {
    /// Characters of an unknown type that are repeated to its sender.
    const KIND_CHARS_MAX: usize = 60;
    let kind = crate::domain::event::shorten(kind, KIND_CHARS_MAX);
    Fault::saying(
        Code::UnsupportedMessage,
        format!("Unsupported message type: {kind}"),
    )
}

/// The highest draft both sides speak (ruling 18); a client that names none takes ours.
fn common_draft(offered: Option<&[String]>) -> Result<&'static str, Fault> {
    let offered = offered.unwrap_or_default();
    let common = DRAFTS
        .iter()
        .find(|draft| offered.iter().any(|offer| offer == *draft));
    match common {
        _ if offered.is_empty() => Ok(DRAFTS[0]),
        Some(draft) => Ok(draft),
        None => Err(Fault::of(Code::UpgradeRequired).with(json!({
            "serverVersion": DRAFTS[0],
            "clientSupportedVersions": offered,
            "policy": "reject",
        }))),
    }
}
