//! What happened, on its way to the activity lists: written a little later than the events themselves,
//! many rows at once, so that no call waits for it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::entry::Entry;
use crate::domain::activity::{Activity, ActivityStore};
use crate::domain::session::Session;
use crate::domain::store_error::{STORE_WAIT, StoreError};
use crate::wire::ids::AppId;

/// How long rows are gathered: short enough that a person sees at once what happens, long enough that
/// a busy server writes twenty times a second and not for each event.
const GATHERED_FOR: Duration = Duration::from_millis(50);

/// The activity lists of all apps, and the rows that are not there yet.
pub(super) struct ActivityLists {
    pub(super) store: Arc<dyn ActivityStore>,
    rows_max: usize,
    waiting: Mutex<HashMap<AppId, Vec<Activity>>>,
    come: Notify,
}

impl ActivityLists {
    /// Lists of so many rows each.
    pub(super) fn new(store: Arc<dyn ActivityStore>, rows_max: usize) -> Self {
        Self {
            store,
            rows_max,
            waiting: Mutex::default(),
            come: Notify::new(),
        }
    }

    /// Makes a row of whatever is worth one.
    pub(super) fn record(&self, session: &Session, entries: &[Arc<Entry>]) {
        let (id, owner) = (&session.key.session, &session.creation.owner);
        let rows = entries.iter().filter_map(|entry| entry.activity(id, owner));
        let mut rows = rows.peekable();
        if rows.peek().is_none() {
            return;
        }
        let mut waiting = self.waiting.lock();
        let of_app = waiting.entry(session.key.app.clone()).or_default();
        of_app.extend(rows);
        // Twice as many before they are cut: cutting moves all that stay.
        if of_app.len() > 2 * self.rows_max {
            of_app.drain(..of_app.len() - self.rows_max);
        }
        drop(waiting);
        self.come.notify_one();
    }

    /// Writes rows as they come, until the server drains.
    pub(super) async fn write(&self, drain: &CancellationToken) {
        loop {
            tokio::select! {
                () = drain.cancelled() => return,
                () = self.come.notified() => {}
            }
            let pause = match self.write_waiting().await {
                Ok(()) => GATHERED_FOR,
                Err(_) => STORE_WAIT,
            };
            tokio::select! {
                () = drain.cancelled() => return,
                () = sleep(pause) => {}
            }
        }
    }

    /// Writes all rows that wait. Those that cannot be written wait on.
    pub(super) async fn write_waiting(&self) -> Result<(), StoreError> {
        let waiting = std::mem::take(&mut *self.waiting.lock());
        let mut outcome = Ok(());
        for (app, mut rows) in waiting {
            rows.drain(..rows.len().saturating_sub(self.rows_max));
            let added = match &outcome {
                Ok(()) => self.store.add(&app, &rows, self.rows_max).await,
                // What does not answer is not asked again for each app.
                failed => failed.clone(),
            };
            if let Err(error) = added {
                let mut waiting = self.waiting.lock();
                let newer = waiting.remove(&app).unwrap_or_default();
                rows.extend(newer);
                waiting.insert(app, rows);
                drop(waiting);
                self.come.notify_one();
                outcome = Err(error);
            }
        }
        outcome
    }
}
