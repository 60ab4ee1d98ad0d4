//! What the stage lists, and what it is sent as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use http::HeaderValue;

use super::state::Stage;
use crate::domain::activity::Activity;
use crate::domain::operation::{Signature as _, table};
use crate::domain::principal::{Door, Principal};
use crate::domain::session::Session;
use crate::domain::size::shorten;
use crate::domain::store_error::StoreError;
use crate::transports::faults::Fault;
use crate::transports::request::Reader;
use crate::wire::stage::{ActivityRow, FeedEvent, Interface, SessionRow, Snapshot, StageServer};
use crate::wire::tools::SessionStatus;

/// How often a quiet feed shows that it lives.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// Characters of an intent that make a title.
const TITLE_CHARS_MAX: usize = 80;

/// A session as the stage lists it.
pub(crate) fn row(
    session: &Session,
    stage: &Stage,
    frame_url: String,
    may_act: bool,
) -> SessionRow {
    let creation = &session.creation;
    SessionRow {
        session_id: session.key.session.to_string(),
        app_id: session.key.app.to_string(),
        intent: creation.intent.to_string(),
        title: shorten(creation.intent.trim(), TITLE_CHARS_MAX),
        status: SessionStatus::Active,
        created_at: session.created_at.0,
        last_activity_at: session.last_activity_at.0,
        epoch: session.epoch.0,
        contract_hash: session.contract.hash().to_owned(),
        frame_url,
        viewer_url: may_act.then(|| stage.site.viewer_url(&creation.short_code)),
    }
}

fn row_for(session: &Session, stage: &Stage, by: &Principal) -> SessionRow {
    let frame_url = format!("/stage/frame/{}", session.key.session);
    let may_act = table::SubmitAction::ROW.is_open_to(by);
    row(session, stage, frame_url, may_act)
}

/// `GET /stage/feed`: a snapshot of the sessions, then everything that happens in them.
pub(crate) async fn feed(State(stage): State<Arc<Stage>>, Reader(principal): Reader) -> Response {
    let mut follower = Follower {
        stage,
        principal: principal.on_stage(),
        cursor: 0,
        pending: Vec::new(),
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
}

impl Follower {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.pending.pop() {
                return Some(event);
            }
            let cursor = self.cursor;
            tokio::select! {
                biased;
                () = self.stage.drain.cancelled() => return None,
                () = self.stage.access.credentials.expired_or_revoked(self.principal.lease) => return None,
                () = self.stage.live.wait_activity(&self.principal, cursor) => {}
            }
            self.follow(cursor).await;
        }
    }

    async fn snapshot(&mut self) -> Result<(), StoreError> {
        let activity = self.rows(0);
        let mut sessions = Vec::new();
        let (stage, principal) = (&self.stage, &self.principal);
        let list = |session: Arc<Session>| sessions.push(row_for(&session, stage, principal));
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

    /// The rows after a cursor that the principal may see; moves the cursor.
    fn rows(&mut self, after: u64) -> Vec<Activity> {
        let (rows, cursor) = self.stage.live.activity(&self.principal, after);
        self.cursor = cursor;
        rows
    }

    async fn follow(&mut self, after: u64) {
        for row in &self.rows(after) {
            // The list shows what a session is now: sent anew whenever it changed.
            if matches!(&*row.kind, "rendered" | "updated") {
                let read = self
                    .stage
                    .live
                    .read_as(&self.principal, row.session.as_str());
                if let Ok(session) = read.await {
                    let session = row_for(&session, &self.stage, &self.principal);
                    self.pending
                        .push(encode(&FeedEvent::Session(Box::new(session))));
                }
            }
            self.pending.push(happened(row));
        }
        self.pending.reverse();
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
