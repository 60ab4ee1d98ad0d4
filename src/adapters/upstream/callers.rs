//! Connections of callers to one server: each has its own, so that what the server asks on it is for
//! this caller and no other.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex as Lock;
use tokio::sync::Mutex;
use tokio::time::{Instant, sleep_until};

use super::connect::Link;
use crate::domain::gate::{Abilities, Requester, UpstreamError};
use crate::wire::ids::AppId;

/// Whose connection, and what they can be asked on it.
type Owner = (AppId, String, Abilities);

/// A connection, which is made when it is first needed, and again when it was lost.
#[derive(Default)]
pub(super) struct Slot {
    /// Locked while the connection is made: whoever comes meanwhile waits for the same.
    pub(super) link: Mutex<Option<Arc<Link>>>,
    /// When it was needed last.
    used: Lock<Option<Instant>>,
}

impl Slot {
    /// Since when nobody needs it; none while somebody does.
    fn idle_since(self: &Arc<Self>) -> Option<Instant> {
        // One is the map's.
        let is_idle = Arc::strong_count(self) == 1;
        self.used.lock().filter(|_| is_idle)
    }
}

type Slots = Lock<HashMap<Owner, Arc<Slot>>>;

/// The connections of all callers to one server.
pub(super) struct Callers {
    slots: Arc<Slots>,
    max: usize,
    idle: Duration,
}

/// A connection that is needed.
pub(super) struct Used(pub(super) Arc<Slot>);

impl Drop for Used {
    fn drop(&mut self) {
        *self.0.used.lock() = Some(Instant::now());
    }
}

impl Callers {
    /// So many connections at once, each of which ends when nobody has needed it for so long.
    pub(super) fn new(max: usize, idle: Duration) -> Self {
        Self {
            slots: Arc::default(),
            max,
            idle,
        }
    }

    /// The connection of a caller.
    ///
    /// # Errors
    /// As many as may be are needed this moment.
    pub(super) fn of(&self, requester: &dyn Requester) -> Result<Used, UpstreamError> {
        let (app, name) = requester.caller();
        let owner = (app.clone(), name.to_owned(), requester.abilities());
        let mut slots = self.slots.lock();
        if let Some(slot) = slots.get(&owner) {
            return Ok(Used(Arc::clone(slot)));
        }
        if slots.len() >= self.max {
            let idle = slots
                .iter()
                .filter_map(|(owner, slot)| Some((slot.idle_since()?, owner)));
            let longest = idle.min_by_key(|(since, _)| *since);
            let longest = longest.map(|(_, owner)| owner.clone());
            slots.remove(&longest.ok_or(UpstreamError::Busy)?);
        }
        let slot = Arc::<Slot>::default();
        slots.insert(owner.clone(), Arc::clone(&slot));
        tokio::spawn(end_idle(Arc::downgrade(&self.slots), owner, self.idle));
        Ok(Used(slot))
    }
}

/// Ends a connection when nobody has needed it for long.
async fn end_idle(slots: Weak<Slots>, owner: Owner, idle: Duration) {
    loop {
        let until = {
            let Some(slots) = slots.upgrade() else {
                return;
            };
            let mut slots = slots.lock();
            let Some(slot) = slots.get(&owner) else {
                return;
            };
            let until = slot.idle_since().unwrap_or_else(Instant::now) + idle;
            if until <= Instant::now() {
                slots.remove(&owner);
                return;
            }
            until
        };
        sleep_until(until).await;
    }
}
