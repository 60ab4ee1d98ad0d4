//! What the stage lists, and what it is sent as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use http::HeaderValue;
use tokio::time::sleep;

use super::state::Stage;
use crate::domain::activity::Activity;
use crate::domain::operation::{Signature as _, table};
use crate::domain::principal::{Door, Principal};
use crate::domain::size::shorten;
use crate::domain::store_error::{STORE_WAIT, StoreError};
use crate::domain::summary::Summary;
use crate::transports::faults::Fault;
use crate::transports::http::farewell;
use crate::transports::request::Reader;
use crate::wire::ids::SessionKey;
use crate::wire::stage::{ActivityRow, FeedEvent, Interface, SessionRow, Snapshot, StageServer};
use crate::wire::tools::SessionStatus;

/// How often a quiet feed shows that it lives.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Characters of an intent that make a title.
const TITLE_CHARS_MAX: usize = 80;

/// A session as the stage lists it.
pub(crate) fn row(
    key: &SessionKey,
    summary: &Summary,
    stage: &Stage,
    frame_url: String,
    may_act: bool,
) -> SessionRow {
    SessionRow {
        session_id: key.session.to_string(),
        app_id: key.app.to_string(),
        intent: summary.intent.to_string(),
        title: shorten(summary.intent.trim(), TITLE_CHARS_MAX),
        status: SessionStatus::Active,
        created_at: summary.created_at.0,
        last_activity_at: summary.last_activity_at.0,
        epoch: summary.epoch.0,
        contract_hash: summary.contract.to_string(),
        frame_url,
        viewer_url: may_act.then(|| stage.site.viewer_url(&summary.short_code)),
    }
}

fn row_for(key: &SessionKey, summary: &Summary, stage: &Stage, by: &Principal) -> SessionRow {
    let frame_url = format!("/stage/frame/{}", key.session);
    let may_act = table::SubmitAction::ROW.is_open_to(by);
    row(key, summary, stage, frame_url, may_act)
}

/// `GET /stage/feed`: a snapshot of the sessions, then everything that happens in them.
pub(crate) async fn feed(State(stage): State<Arc<Stage>>, Reader(principal): Reader) -> Response {
    let mut follower = Follower {
        _watching: Watching::begun(&stage.watching),
        stage,
        principal: principal.on_stage(),
        cursor: 0,
        pending: Vec::new(),
        is_over: false,
    };
    if let Err(error) = follower.snapshot().await {
        return Fault::from(error).to_rest();
    }
    let events = stream::unfold(follower, |mut follower| async {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(event), follower))
    });
    let keep_alive = KeepAlive::new().interval(HEARTBEAT).text("hb");
    let mut response = Sse::new(events).keep_alive(keep_alive).into_response();
    response
        .headers_mut()
        .insert("x-accel-buffering", HeaderValue::from_static("no"));
    response
}

/// A reader of the activity a principal may see.
struct Follower {
    stage: Arc<Stage>,
    principal: Principal,
    /// Position in the activity.
    cursor: u64,
    /// Events to send, the next one last.
    pending: Vec<Event>,
    /// Whether it was said that the server ends.
    is_over: bool,
    _watching: Watching,
}

/// Somebody looks at the stage for as long as this lives.
struct Watching(Arc<AtomicUsize>);

impl Watching {
    fn begun(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Follower {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.pending.pop() {
                return Some(event);
            }
            if self.is_over {
                return None;
            }
            let (stage, principal) = (Arc::clone(&self.stage), self.principal.clone());
            tokio::select! {
                biased;
                () = stage.drain.cancelled() => {
                    self.is_over = true;
                    return Some(farewell());
                }
                () = stage.access.credentials.expired_or_revoked(principal.lease) => return None,
                followed = self.follow() => if followed.is_err() {
                    // Whoever follows stays, and catches up.
                    sleep(STORE_WAIT).await;
                }
            }
        }
    }

    async fn snapshot(&mut self) -> Result<(), StoreError> {
        let activity = self.rows().await?;
        let mut sessions = Vec::new();
        let (stage, principal) = (&self.stage, &self.principal);
        let list = |key: SessionKey, summary: Summary| {
            sessions.push(row_for(&key, &summary, stage, principal));
        };
        stage.live.for_each(principal, list).await?;
        sessions.sort_by_key(|row| std::cmp::Reverse(row.created_at));
        let snapshot = FeedEvent::Snapshot(Snapshot {
            sessions,
            server: StageServer {
                version: env!("CARGO_PKG_VERSION"),
                mcp_url: self.stage.site.mcp_url(),
            },
        });
        let rows = activity.iter().map(happened);
        self.pending = std::iter::once(encode(&snapshot)).chain(rows).collect();
        self.pending.reverse();
        Ok(())
    }

    /// The rows after the cursor that the principal may see; moves the cursor.
    async fn rows(&mut self) -> Result<Vec<Activity>, StoreError> {
        let (live, by) = (&self.stage.live, &self.principal);
        let (rows, cursor) = live.activity(by, self.cursor).await?;
        self.cursor = cursor;
        Ok(rows)
    }

    /// Waits for rows, and prepares what is sent of them.
    async fn follow(&mut self) -> Result<(), StoreError> {
        let (live, by) = (&self.stage.live, &self.principal);
        live.wait_activity(by, self.cursor).await?;
        for row in &self.rows().await? {
            // The list shows what a session is now: sent anew whenever it changed.
            if matches!(&*row.kind, "rendered" | "updated") {
                let read = self
                    .stage
                    .live
                    .read_as(&self.principal, row.session.as_str());
                if let Ok(session) = read.await {
                    let (key, summary) = (&session.key, session.summary());
                    let session = row_for(key, &summary, &self.stage, &self.principal);
                    self.pending
                        .push(encode(&FeedEvent::Session(Box::new(session))));
                }
            }
            self.pending.push(happened(row));
        }
        self.pending.reverse();
        Ok(())
    }
}

/// The event of something that happened in a session.
fn happened(row: &Activity) -> Event {
    encode(&FeedEvent::Activity(ActivityRow {
        seq: row.seq.0,
        session_id: row.session.to_string(),
        at: row.at.0,
        kind: row.kind.to_string(),
        text: row.text.clone(),
        by: row.principal.to_string(),
        door: match row.door {
            Door::Mcp => Interface::Mcp,
            Door::Rest => Interface::Rest,
            Door::Server => Interface::Server,
            Door::Socket => Interface::Socket,
        },
    }))
}

fn encode(event: &FeedEvent) -> Event {
    // Keys of our own types are texts: writing them to memory cannot fail.
    let body = serde_json::to_string(event).unwrap_or_default();
    Event::default().event(event.name()).data(body)
}
