//! What leaves memory: sessions that nobody uses, where the store keeps them outside this process.
//! Whoever asks for one brings it back.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::service::Book;
use crate::domain::clock::Time;
use crate::wire::ids::SessionKey;

/// The part of the bound that is freed at once: looking through all sessions is worth it then.
const FREED_PART: usize = 8;

impl Book {
    /// Lets sessions and handshakes leave that were not used for some time.
    pub(super) fn evict_idle(&self, now: Time) {
        if !self.store.is_outside_process() {
            return;
        }
        let idle = Duration::from_secs(self.limits.sessions.in_memory_idle_s);
        let before = now.before(idle);
        self.handshakes.retain(|_, open| open.created_at > before);
        for (used_at, key) in self.unused() {
            if used_at <= before {
                self.evict(&key);
            }
        }
        // Who kept others from leaving may be gone.
        self.room.store(0, Ordering::Relaxed);
    }

    /// Makes room where too many sessions are in memory: those leave first that were not used for
    /// the longest time.
    pub(super) fn make_room(&self) {
        let max = self.limits.sessions.in_memory_max;
        let count = self.cells.len();
        if count <= self.room.load(Ordering::Relaxed).max(max) || !self.store.is_outside_process() {
            return;
        }
        let part = max / FREED_PART;
        let mut unused = self.unused();
        unused.sort_unstable_by_key(|(used_at, _)| *used_at);
        for (_, key) in unused.iter().take(count - max + part) {
            self.evict(key);
        }
        // Where many cannot leave, it is not tried again for each one that comes.
        self.room.store(self.cells.len() + part, Ordering::Relaxed);
    }

    /// The sessions that may leave, and when they were used.
    fn unused(&self) -> Vec<(Time, SessionKey)> {
        let unused = self.cells.iter().filter(|cell| cell.is_unused());
        unused
            .map(|cell| (cell.used_at(), cell.key().clone()))
            .collect()
    }

    /// Lets a session leave, unless someone has begun to use it.
    fn evict(&self, key: &SessionKey) {
        // Whoever uses it has taken it out of the map, which is locked for this.
        self.cells.remove_if(key, |_, cell| cell.is_unused());
    }
}
