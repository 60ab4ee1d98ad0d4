//! What the stage lists, and what it is told of as it happens.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use http::HeaderValue;

use crate::domain::event::Activity;
use crate::domain::operation::OperationKind;
use crate::domain::principal::{Door, Principal};
use crate::domain::session::Session;
use crate::domain::size::shorten;
use crate::transports::doors::Doors;
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
    doors: &Doors,
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
        contract_hash: creation.contract.hash().to_owned(),
        frame_url,
        viewer_url: may_act.then(|| doors.site.viewer_url(&creation.short_code)),
    }
}

fn row_for(session: &Session, doors: &Doors, by: &Principal) -> SessionRow {
    let frame_url = format!("/stage/frame/{}", session.key.session);
    let may_act = OperationKind::SubmitAction.is_open_to(by);
    row(session, doors, frame_url, may_act)
}

/// `GET /stage/feed`: a snapshot of the sessions, then everything that happens in them.
pub(crate) async fn feed(State(doors): State<Arc<Doors>>, Reader(principal): Reader) -> Response {
    let follower = Follower {
        doors,
        principal,
        cursor: None,
        pending: Vec::new(),
    };
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
    doors: Arc<Doors>,
    principal: Principal,
    /// Position in the activity; none before the snapshot.
    cursor: Option<u64>,
    /// Events to send, the next one last.
    pending: Vec<Event>,
}

impl Follower {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.pending.pop() {
                return Some(event);
            }
            match self.cursor {
                None => self.snapshot().await,
                Some(cursor) => {
                    tokio::select! {
                        biased;
                        () = self.doors.drain.cancelled() => return None,
                        () = self.doors.auth.expired_or_revoked(self.principal.lease) => return None,
                        () = self.doors.log.wait_activity(&self.principal.app, cursor) => {}
                    }
                    self.follow(cursor).await;
                }
            }
        }
    }

    async fn snapshot(&mut self) {
        let activity = self.rows(0).await;
        let mut sessions = Vec::new();
        for session in self
            .doors
            .live
            .sessions(&self.principal)
            .await
            .unwrap_or_default()
        {
            sessions.push(row_for(&session, &self.doors, &self.principal));
        }
        sessions.sort_by_key(|row| std::cmp::Reverse(row.created_at));
        let snapshot = FeedEvent::Snapshot(Snapshot {
            sessions,
            server: StageServer {
                version: env!("CARGO_PKG_VERSION"),
                mcp_url: self.doors.site.mcp_url(),
            },
        });
        let rows = activity.iter().map(happened);
        self.pending = std::iter::once(encode(&snapshot)).chain(rows).collect();
        self.pending.reverse();
    }

    /// The rows after a cursor that the principal may see; moves the cursor.
    async fn rows(&mut self, after: u64) -> Vec<Activity> {
        let (mut rows, cursor) = self
            .doors
            .log
            .activity_from(&self.principal.app, after)
            .await;
        rows.retain(|row| self.principal.sees(&row.owner));
        self.cursor = Some(cursor);
        rows
    }

    async fn follow(&mut self, after: u64) {
        for row in &self.rows(after).await {
            // The list shows what a session is now: told anew whenever it changed.
            if matches!(&*row.kind, "rendered" | "updated") {
                let read = self
                    .doors
                    .live
                    .read_as(&self.principal, row.session.as_str());
                if let Ok(session) = read.await {
                    let session = row_for(&session, &self.doors, &self.principal);
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
