//! Whether agents wait for what people do, and whether those who watch know.

use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use serde_json::json;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::domain::clock::{Clock, Time};
use crate::domain::event::{Event, Fact};
use crate::domain::operation::Caller;
use crate::wire::ids::SessionKey;

/// An agent that left this recently is coming back: its loop is busy with what it took.
const CONSUMER_RETURNS_WITHIN: Duration = Duration::from_secs(10);
/// A session this young may get its first consumer any moment.
const FIRST_CONSUMER_WITHIN: Duration = Duration::from_secs(60);
/// How long a relayed action waits for an agent that is expected (tools.md §12.1).
const GRACE_EXPECTED: Duration = Duration::from_millis(2_000);
/// How long a relayed action waits for an agent that is not.
const GRACE_UNEXPECTED: Duration = Duration::from_millis(150);
/// How long the memory of a consumer that left is kept.
const PRESENCE_KEPT: Duration = Duration::from_secs(60);

/// The agents of all sessions.
pub(super) struct Presences {
    clock: Arc<dyn Clock>,
    of: DashMap<SessionKey, watch::Sender<Presence>>,
}

/// Whether agents wait for a session's actions.
#[derive(Debug, Clone, Copy, Default)]
struct Presence {
    waiting: usize,
    /// How often one came: one that came and left again was there, too.
    arrivals: u64,
    left_at: Option<Time>,
    /// Whether those who watch believe that one waits.
    is_announced: bool,
}

impl Presences {
    /// Nobody yet.
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            of: DashMap::new(),
        }
    }

    /// Whether an agent waits for this session, or just left and is coming back.
    pub(super) fn is_present(&self, key: &SessionKey) -> bool {
        let presence = self.of.get(key).map(|entry| *entry.borrow());
        presence.is_some_and(|presence| presence.waiting > 0 || self.left_recently(presence))
    }

    /// Waits a moment for an agent, as the relay does before it answers (tools.md §12.1).
    pub(super) async fn await_one(&self, key: &SessionKey, created_at: Time) -> bool {
        let mut watched = self.of.entry(key.clone()).or_default().subscribe();
        let presence = *watched.borrow();
        let young = self.clock.now().since(created_at) < FIRST_CONSUMER_WITHIN;
        let expected = self.left_recently(presence) || (presence.left_at.is_none() && young);
        let grace = if expected {
            GRACE_EXPECTED
        } else {
            GRACE_UNEXPECTED
        };
        let came = watched.wait_for(|now| now.waiting > 0 || now.arrivals != presence.arrivals);
        matches!(timeout(grace, came).await, Ok(Ok(_)))
    }

    fn left_recently(&self, presence: Presence) -> bool {
        presence
            .left_at
            .is_some_and(|left| self.clock.now().since(left) < CONSUMER_RETURNS_WITHIN)
    }

    /// An agent waits for as long as the mark lives.
    pub(super) fn enter<'a>(&'a self, key: &'a SessionKey) -> Present<'a> {
        let entry = self.of.entry(key.clone()).or_default();
        entry.send_modify(|presence| {
            presence.waiting += 1;
            presence.arrivals += 1;
        });
        Present {
            presences: self,
            key,
        }
    }

    /// Notes what those who watch are told; whether it is news to them.
    pub(super) fn set_announced(&self, key: &SessionKey, is_present: bool) -> bool {
        let entry = self.of.entry(key.clone()).or_default();
        entry.send_if_modified(|presence| {
            let is_news = presence.is_announced != is_present;
            presence.is_announced = is_present;
            is_news
        })
    }

    /// Sessions whose agent did not come back, which those who watch do not know yet.
    pub(super) fn absent(&self) -> Vec<SessionKey> {
        let gone = self.of.iter().filter(|entry| {
            let presence = *entry.value().borrow();
            presence.is_announced && presence.waiting == 0 && !self.left_recently(presence)
        });
        gone.map(|entry| entry.key().clone()).collect()
    }

    /// Forgets agents that left long ago.
    pub(super) fn forget(&self) {
        let now = self.clock.now();
        self.of.retain(|_, presence| {
            let state = *presence.borrow();
            let left = state
                .left_at
                .is_none_or(|left| now.since(left) > PRESENCE_KEPT);
            presence.receiver_count() > 0 || state.waiting > 0 || !left
        });
    }

    /// Sessions whose agents are remembered.
    pub(super) fn count(&self) -> usize {
        self.of.len()
    }
}

/// Marks an agent as waiting for as long as it lives.
pub(super) struct Present<'a> {
    presences: &'a Presences,
    key: &'a SessionKey,
}

impl Drop for Present<'_> {
    fn drop(&mut self) {
        let now = self.presences.clock.now();
        if let Some(entry) = self.presences.of.get(self.key) {
            entry.send_modify(|presence| {
                presence.waiting = presence.waiting.saturating_sub(1);
                presence.left_at = Some(now);
            });
        }
    }
}

/// What those who watch are told of agents.
pub(super) fn presence_fact(at: Time, key: &SessionKey, is_present: bool) -> Fact {
    let kind = if is_present {
        "consumer-present"
    } else {
        "consumer-absent"
    };
    let caller = Caller::server(key.app.clone());
    Fact::by(&caller, at, Event::Observed(json!({ "kind": kind })))
}
