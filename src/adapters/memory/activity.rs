//! What happened in the sessions of each app, in a ring of this process.

use std::collections::{HashMap, VecDeque};
use std::pin::pin;

use async_trait::async_trait;
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::domain::activity::{Activity, ActivityStore};
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;

/// The lists of all apps.
#[derive(Default)]
pub(crate) struct MemoryActivity {
    lists: Mutex<HashMap<AppId, List>>,
    grown: Notify,
}

#[derive(Default)]
struct List {
    rows: VecDeque<Activity>,
    /// How many there ever were, which is the position of the last.
    count: u64,
}

#[async_trait]
impl ActivityStore for MemoryActivity {
    async fn add(&self, app: &AppId, rows: &[Activity], rows_max: usize) -> Result<(), StoreError> {
        let mut lists = self.lists.lock();
        let list = lists.entry(app.clone()).or_default();
        for row in rows {
            if !list.rows.contains(row) {
                list.rows.push_back(row.clone());
                list.count += 1;
            }
        }
        let excess = list.rows.len().saturating_sub(rows_max);
        list.rows.drain(..excess);
        drop(lists);
        self.grown.notify_waiters();
        Ok(())
    }

    async fn after(&self, app: &AppId, at: u64) -> Result<(Vec<Activity>, u64), StoreError> {
        let lists = self.lists.lock();
        let Some(list) = lists.get(app) else {
            return Ok((Vec::new(), at));
        };
        let fresh = usize::try_from(list.count.saturating_sub(at)).unwrap_or(usize::MAX);
        let skip = list.rows.len().saturating_sub(fresh);
        Ok((list.rows.iter().skip(skip).cloned().collect(), list.count))
    }

    async fn wait(&self, app: &AppId, at: u64) -> Result<(), StoreError> {
        loop {
            let mut grown = pin!(self.grown.notified());
            // Listening before looking: what comes in between is not missed.
            grown.as_mut().enable();
            let count = self.lists.lock().get(app).map_or(0, |list| list.count);
            if count > at {
                return Ok(());
            }
            grown.await;
        }
    }
}
