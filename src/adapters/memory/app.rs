//! What is counted and told of an app.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use super::notifiers::Notifier;
use crate::domain::event::{Activity, Record};
use crate::wire::ids::SessionId;

/// What is counted and told of an app.
#[derive(Default)]
pub(super) struct App {
    pub(super) open_handshakes: Count,
    pub(super) sessions: Count,
    activity: Mutex<VecDeque<Activity>>,
    /// Rung for the number of rows ever written.
    written: Notifier,
}

impl App {
    /// Writes a row for whatever of this is worth one.
    pub(super) fn record_activity(
        &self,
        session: &SessionId,
        owner: &Arc<str>,
        records: &[Arc<Record>],
        rows_max: usize,
    ) {
        let mut rows = records
            .iter()
            .filter_map(|record| record.activity(session, owner))
            .peekable();
        if rows.peek().is_none() {
            return;
        }
        let mut activity = self.activity.lock();
        let before = activity.len();
        activity.extend(rows);
        let count = activity.len() - before;
        let excess = activity.len().saturating_sub(rows_max);
        activity.drain(..excess);
        // Rung under the lock, so that the count always matches the rows.
        self.written.notify(Some(self.written.at() + count as u64));
    }

    /// Rows after a cursor, and the new cursor.
    pub(super) fn activity_from(&self, after: u64) -> (Vec<Activity>, u64) {
        let activity = self.activity.lock();
        let written = self.written.at();
        let fresh = usize::try_from(written.saturating_sub(after)).unwrap_or(usize::MAX);
        let skip = activity.len().saturating_sub(fresh);
        (activity.iter().skip(skip).cloned().collect(), written)
    }

    /// Returns once there are rows after a cursor.
    pub(super) async fn wait_activity(&self, after: u64) {
        self.written.wait(after).await;
    }
}

/// How many there are, of as many as there may be.
#[derive(Default)]
pub(super) struct Count(AtomicUsize);

impl Count {
    /// Takes one of `max`; false if there is none.
    pub(super) fn take(&self, max: usize) -> bool {
        self.0
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |taken| {
                (taken < max).then_some(taken + 1)
            })
            .is_ok()
    }

    /// Gives one back.
    pub(super) fn give_back(&self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}
