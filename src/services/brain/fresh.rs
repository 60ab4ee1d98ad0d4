//! What was found a moment ago: it is not looked for again while this server writes no page.

use std::collections::HashMap;
use std::hash::Hash;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::domain::brain::{Precedent, Preference};
use crate::wire::ids::AppId;

/// How long what was found counts: what other processes write is seen that much later.
const FRESH_FOR: Duration = Duration::from_secs(1);
/// What is remembered at once: contracts and purposes of a busy second. Beyond it all is looked for
/// again.
const ENTRIES_MAX: usize = 1_024;

/// What handshakes were told a moment ago.
#[derive(Default)]
pub(crate) struct Recalled {
    /// By app, shape and intent.
    pub(super) precedents: Fresh<(AppId, String, String), Vec<Precedent>>,
    pub(super) preferences: Fresh<AppId, Vec<Preference>>,
}

/// What was found, when, and after how many writes of this server.
pub(crate) struct Fresh<K, V>(Mutex<HashMap<K, (Instant, u64, V)>>);

impl<K, V> Default for Fresh<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Eq + Hash, V: Clone> Fresh<K, V> {
    /// What was found of this, if it still counts after so many writes.
    pub(super) fn get(&self, of: &K, writes: u64) -> Option<V> {
        let held = self.0.lock();
        let (at, after, value) = held.get(of)?;
        (*after == writes && at.elapsed() < FRESH_FOR).then(|| value.clone())
    }

    /// Remembers what was found of this, looked for after so many writes.
    pub(super) fn keep(&self, of: K, writes: u64, value: V) {
        let mut held = self.0.lock();
        if held.len() >= ENTRIES_MAX {
            held.clear();
        }
        held.insert(of, (Instant::now(), writes, value));
    }
}
