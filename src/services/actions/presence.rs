//! Whether agents wait for what people do, and whether those who watch know.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::timeout;

use crate::domain::clock::{Clock, Time};
use crate::domain::event::{Event, Fact};
use crate::domain::operation::Caller;
use crate::domain::presence::{Presence, PresenceStore};
use crate::domain::store_error::StoreError;
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

/// The agents of all sessions. What is not known of them because the store fails counts as nobody:
/// a person's browser then calls for the agent, which is never wrong.
pub(super) struct Presences {
    store: Arc<dyn PresenceStore>,
    clock: Arc<dyn Clock>,
}

impl Presences {
    /// The agents that a store knows.
    pub(super) fn new(store: Arc<dyn PresenceStore>, clock: Arc<dyn Clock>) -> Self {
        Self { store, clock }
    }

    /// Whether an agent waits for this session, or just left and is coming back.
    pub(super) async fn is_present(&self, key: &SessionKey) -> bool {
        let presence = self.store.presence(key).await.unwrap_or_default();
        presence.waiting > 0 || self.left_recently(presence)
    }

    /// Waits a moment for an agent, as the relay does before it answers (tools.md §12.1).
    pub(super) async fn await_one(&self, key: &SessionKey, created_at: Time) -> bool {
        let presence = self.store.presence(key).await.unwrap_or_default();
        let young = self.clock.now().since(created_at) < FIRST_CONSUMER_WITHIN;
        let expected = self.left_recently(presence) || (presence.left_at.is_none() && young);
        let grace = if expected {
            GRACE_EXPECTED
        } else {
            GRACE_UNEXPECTED
        };
        let came = self.store.wait(key, presence.arrivals);
        matches!(timeout(grace, came).await, Ok(Ok(())))
    }

    fn left_recently(&self, presence: Presence) -> bool {
        presence
            .left_at
            .is_some_and(|left| self.clock.now().since(left) < CONSUMER_RETURNS_WITHIN)
    }

    /// An agent waits for as long as the mark lives.
    pub(super) async fn enter<'a>(
        &'a self,
        key: &'a SessionKey,
    ) -> Result<Present<'a>, StoreError> {
        // Made before the store answers: an agent of which the store may know although it has not
        // answered leaves again, else a browser would never call for the next one.
        let present = Present {
            presences: self,
            key,
        };
        self.store.enter(key).await?;
        Ok(present)
    }

    /// Notes what those who watch are told; whether it is news to them.
    pub(super) async fn announce(&self, key: &SessionKey, is_present: bool) -> bool {
        let announced = self.store.announce(key, is_present).await;
        announced.unwrap_or_default()
    }

    /// Sessions whose agent did not come back, which those who watch do not know yet.
    pub(super) async fn absent(&self) -> Vec<SessionKey> {
        let absent = self.store.absent().await.unwrap_or_default();
        let gone = absent
            .into_iter()
            .filter(|(_, presence)| !self.left_recently(*presence));
        gone.map(|(key, _)| key).collect()
    }

    /// Forgets agents that left long ago.
    pub(super) async fn forget(&self) {
        let before = self.clock.now().before(PRESENCE_KEPT);
        // What cannot be forgotten now is forgotten at the next sweep.
        let _ = self.store.forget(before).await;
    }

    /// Sessions whose agents are remembered.
    pub(super) fn count(&self) -> usize {
        self.store.count()
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
        self.presences.store.leave(self.key, now);
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
