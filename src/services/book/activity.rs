//! What the activity list of an app shows: a row for whatever is worth one.

use std::collections::VecDeque;

use parking_lot::Mutex;

use super::entry::Entry;
use super::notifiers::Notifier;
use crate::domain::activity::Activity;
use crate::domain::session::Session;

/// The newest rows of an app.
#[derive(Default)]
pub(super) struct AppActivity {
    rows: Mutex<VecDeque<Activity>>,
    /// Announces the number of rows ever written.
    written: Notifier,
}

impl AppActivity {
    /// Writes a row for whatever of this is worth one.
    pub(super) fn record<'a>(
        &self,
        session: &Session,
        entries: impl IntoIterator<Item = &'a Entry>,
        rows_max: usize,
    ) {
        let (id, owner) = (&session.key.session, &session.creation.owner);
        let mut fresh = entries
            .into_iter()
            .filter_map(|entry| entry.activity(id, owner))
            .peekable();
        if fresh.peek().is_none() {
            return;
        }
        let mut rows = self.rows.lock();
        let before = rows.len();
        rows.extend(fresh);
        let count = rows.len() - before;
        let excess = rows.len().saturating_sub(rows_max);
        rows.drain(..excess);
        // Under the lock, so that the count always matches the rows.
        self.written.notify(Some(self.written.at() + count as u64));
    }

    /// Rows after a cursor, and the new cursor.
    pub(super) fn after(&self, cursor: u64) -> (Vec<Activity>, u64) {
        let rows = self.rows.lock();
        let written = self.written.at();
        let fresh = usize::try_from(written.saturating_sub(cursor)).unwrap_or(usize::MAX);
        let skip = rows.len().saturating_sub(fresh);
        (rows.iter().skip(skip).cloned().collect(), written)
    }

    /// Returns once there are rows after a cursor.
    pub(super) async fn wait(&self, cursor: u64) {
        self.written.wait(cursor).await;
    }
}
