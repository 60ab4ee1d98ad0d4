//! The live channel over plain HTTP, for where no socket gets through: state, events, stream
//! (live-channel.md §12).

use std::convert::Infallible;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, json};
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::lag_timer::LagTimer;
use super::state::Channel;
use crate::domain::credentials::ChannelPass;
use crate::domain::operation::{Answer, Caller, Operation, Signature as _, table};
use crate::domain::principal::Door;
use crate::domain::session::Session;
use crate::services::live::{CursorError, Reader, Reading, Since, Wanted};
use crate::transports::faults::Fault;
use crate::transports::http::{ConnectionCloser, farewell};
use crate::transports::request::{Parameters, text};
use crate::wire::fault::Code;
use crate::wire::frames::{DRAFTS, ServerBody, ServerFrame};
use crate::wire::ids::{Seq, SessionKey};
use crate::wire::runtime::PULL_WAIT_S_MAX;
use crate::wire::slice::SLICE_KEY;

/// Rows of a page unless the client says otherwise.
const ROWS: usize = 100;
/// Most rows of a page.
const ROWS_MAX: usize = 500;
/// How long a client waits before it opens a stream anew.
const RETRY: Duration = Duration::from_millis(3_000);
/// How often a quiet stream shows that it lives; clients give up after twice as long.
const HEARTBEAT: Duration = Duration::from_secs(25);
/// Events that are ahead of their connection.
const EVENTS_AHEAD: usize = 1;
/// Where an event source says how far it got.
pub(crate) const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// `GET /api/sessions//…`: there is no session without a name.
pub(crate) async fn unnamed() -> Response {
    Fault::saying(Code::InvalidParams, "sessionId required").to_rest()
}

/// `GET /api/sessions/{session}/state`: what a mount starts with, and a fresh token.
pub(crate) async fn state(
    State(shared): State<Arc<Channel>>,
    Path(session): Path<String>,
    query: Parameters,
) -> Response {
    match open(&shared, &session, &query).await {
        Ok((pass, session)) => {
            let slice = shared.slices.within(&session, &pass);
            let headers = [(CACHE_CONTROL, HeaderValue::from_static("no-store"))];
            (headers, Json(json!({ SLICE_KEY: slice }))).into_response()
        }
        Err(fault) => fault.to_rest(),
    }
}

/// `GET /api/sessions/{session}/events`: rows of the ledger after a cursor.
pub(crate) async fn events(
    State(shared): State<Arc<Channel>>,
    Path(session): Path<String>,
    query: Parameters,
) -> Response {
    match page(&shared, &session, &query).await {
        Ok(Answer { result, .. }) => {
            let headers = [
                (CACHE_CONTROL, HeaderValue::from_static("no-store")),
                (CONTENT_TYPE, HeaderValue::from_static("application/json")),
            ];
            (headers, result.get().to_owned()).into_response()
        }
        Err(fault) if fault.code() == Code::ReplayHorizonPassed => {
            let current = fault
                .details
                .as_ref()
                .map(|details| &details["currentSequence"]);
            let beside = Map::from_iter([
                ("reason".to_owned(), fault.code().row().word.into()),
                ("currentSequence".to_owned(), json!(current)),
            ]);
            fault.to_rest_beside(beside)
        }
        Err(fault) => fault.to_rest(),
    }
}

async fn page(shared: &Channel, session: &str, query: &Parameters) -> Result<Answer, Fault> {
    let (pass, _) = open(shared, session, query).await?;
    let mut problems = Vec::new();
    let since: Option<u64> = number(query, "sinceSequence", 0, u64::MAX, &mut problems);
    if since.is_none() && problems.is_empty() {
        problems.push("sinceSequence required".to_owned());
    }
    let rows_max = number(query, "limit", 1, ROWS_MAX, &mut problems).unwrap_or(ROWS);
    let wait: u32 = number(query, "wait", 0, PULL_WAIT_S_MAX, &mut problems).unwrap_or(0);
    let (Some(since), true) = (since, problems.is_empty()) else {
        return Err(Fault::saying(
            Code::InvalidSinceSequence,
            problems.join("; "),
        ));
    };
    let arguments = json!({
        "sessionId": session,
        "sinceSequence": since,
        "limit": rows_max,
        "wait": wait,
    });
    let caller = Caller::through(Door::Rest, pass.viewer());
    let operation = Operation::new(caller, table::ReadEvents::NAME, arguments);
    let answered = shared.access.dispatch.run(operation).await;
    let answered = answered
        .map_err(|error| Fault::of_operation(table::ReadEvents::NAME, error).over_http())?;
    Ok(answered.answer)
}

/// `GET /api/sessions/{session}/stream`: every frame a socket would get, one an event.
pub(crate) async fn stream(
    State(shared): State<Arc<Channel>>,
    Path(session): Path<String>,
    query: Parameters,
    connection_closer: Option<Extension<ConnectionCloser>>,
    headers: HeaderMap,
) -> Response {
    let connection_closer = connection_closer.map(|Extension(connection_closer)| connection_closer);
    match follow(shared, &session, &query, &headers, connection_closer).await {
        Ok(response) => response,
        Err(fault) => fault.to_rest(),
    }
}

async fn follow(
    shared: Arc<Channel>,
    session: &str,
    query: &Parameters,
    headers: &HeaderMap,
    connection_closer: Option<ConnectionCloser>,
) -> Result<Response, Fault> {
    let (pass, _) = open(&shared, session, query).await?;
    let mut problems = Vec::new();
    let since: Option<u64> = number(query, "sinceSequence", 0, u64::MAX, &mut problems);
    let from_seq = number(query, "fromSeq", 0, u64::MAX, &mut problems);
    if !problems.is_empty() {
        return Err(Fault::saying(
            Code::InvalidSinceSequence,
            problems.join("; "),
        ));
    }
    // What an event source got last is newer than the address it was opened with.
    let since = text(headers, LAST_EVENT_ID.as_str())
        .and_then(|id| id.parse().ok())
        .or(since);
    let wanted = Wanted {
        from_seq,
        since: since.map(|seq| Since::Position(Seq(seq))),
        observes: query
            .get("observe")
            .is_some_and(|observe| observe == "true"),
    };
    let viewer = pass.viewer();
    let subscription = shared.live.subscribe(&pass.key, &viewer, wanted).await;
    let subscription = subscription.map_err(|error| Fault::from(error).over_http())?;
    let mut opening = vec![Event::default().retry(RETRY)];
    let ack = ServerBody::Ack(Box::new(shared.ack(
        &subscription.session,
        subscription.replay_truncated,
        DRAFTS[0].into(),
        Some(&pass),
    )));
    let frame = ServerFrame {
        body: ack,
        request_id: None,
    };
    opening.push(event(&serde_json::to_vec(&frame).unwrap_or_default(), None));
    if let Some(error) = subscription.cursor_error {
        let at = match error {
            CursorError::Malformed => None,
            CursorError::Passed { current } => Some(current),
        };
        opening.push(event(&Fault::from(error).to_frame(None), at));
    }
    let (sender, receiver) = mpsc::channel(EVENTS_AHEAD);
    let tail = Tail {
        key: pass.key,
        reader: subscription.reader,
        sender,
        connection_closer,
        shared: Arc::clone(&shared),
    };
    // On its own: who does not read must be found out by someone who does not wait for it.
    shared.tasks.spawn(tail.run(opening));
    let events = stream::unfold(receiver, |mut receiver| async {
        let event = receiver.recv().await?;
        Some((Ok::<_, Infallible>(event), receiver))
    });
    let keep_alive = KeepAlive::new().interval(HEARTBEAT).text("hb");
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, "text/event-stream; charset=utf-8"),
        (CACHE_CONTROL, "no-store, no-cache, must-revalidate"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

/// A stream of events, from its ack to the end of its session. It is a few events ahead of its
/// connection: more are read when that has taken those.
struct Tail {
    shared: Arc<Channel>,
    key: SessionKey,
    reader: Reader,
    sender: mpsc::Sender<Event>,
    connection_closer: Option<ConnectionCloser>,
}

/// Why a stream ends before its session.
enum End {
    /// The reader does not keep up. It comes back with its cursor.
    Slow,
    /// The reader is gone, or the server drains.
    Gone,
}

impl Tail {
    async fn run(mut self, opening: Vec<Event>) {
        if let Err(End::Slow) = self.follow(opening).await {
            let event = json!({ "kind": "slow-consumer" });
            self.shared.live.notify_observers(&self.key, event).await;
            // A connection that takes nothing does not learn that its stream has ended.
            if let Some(connection_closer) = &self.connection_closer {
                connection_closer.now();
            }
        }
    }

    async fn follow(&mut self, opening: Vec<Event>) -> Result<(), End> {
        let shared = Arc::clone(&self.shared);
        self.pass_on(opening).await?;
        let mut lag_timer = LagTimer::default();
        loop {
            let reading = tokio::select! {
                biased;
                () = shared.drain.cancelled() => {
                    // Whoever takes nothing is not waited for.
                    let _ = self.sender.try_send(farewell());
                    return Err(End::Gone);
                }
                () = self.sender.closed() => return Err(End::Gone),
                reading = self.reader.next() => reading,
            };
            let Ok(Reading::Frames { frames, behind }) = reading else {
                return Ok(());
            };
            if lag_timer.is_over(behind, &shared.limits.sockets) {
                return Err(End::Slow);
            }
            let events = frames
                .iter()
                .map(|delivery| event(&delivery.frame, delivery.at));
            self.pass_on(events.collect()).await?;
        }
    }

    /// Hands events to the connection, each within the time a write may take.
    async fn pass_on(&self, events: Vec<Event>) -> Result<(), End> {
        let limit = Duration::from_secs(self.shared.limits.sockets.behind_s);
        for event in events {
            match timeout(limit, self.sender.send(event)).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(End::Gone),
                Err(_) => return Err(End::Slow),
            }
        }
        Ok(())
    }
}

/// One frame as an event; its id is the ledger position a client that has it stands at.
fn event(frame: &[u8], at: Option<Seq>) -> Event {
    let event = Event::default().data(String::from_utf8_lossy(frame));
    match at {
        Some(at) => event.id(at.to_string()),
        None => event,
    }
}

/// The gate of all three shared, in the words of live-channel.md §12.1.
async fn open(
    shared: &Channel,
    session: &str,
    query: &Parameters,
) -> Result<(ChannelPass, Arc<Session>), Fault> {
    let token = query
        .get("wsToken")
        .ok_or_else(|| Fault::saying(Code::UnauthenticatedFrame, "wsToken query required"))?;
    let pass = shared.access.credentials.check_channel(token);
    let pass = pass.map_err(|error| Fault::from(error).over_http())?;
    if pass.key.session.as_str() != session {
        return Err(Fault::of(Code::BootstrapSessionMismatch).over_http());
    }
    shared
        .access
        .check_mount(Door::Rest, &pass.viewer(), Some(session))
        .await?;
    let session = shared.live.read(&pass.key).await;
    let session = session.map_err(|error| Fault::from(error).over_http())?;
    Ok((pass, session))
}

/// A number of the query between two bounds, if it is there; anything else is a problem.
fn number<T>(
    query: &Parameters,
    name: &str,
    min: T,
    max: T,
    problems: &mut Vec<String>,
) -> Option<T>
where
    T: FromStr + PartialOrd + Copy + std::fmt::Display,
{
    let given = query.get(name)?;
    let number = given.parse().ok();
    let number = number.filter(|number| (min..=max).contains(number));
    if number.is_none() {
        problems.push(format!("{name} must be an integer from {min} to {max}"));
    }
    number
}
