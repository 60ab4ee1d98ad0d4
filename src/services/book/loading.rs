//! Readings of sessions that are under way, so that nobody begins another one of the same.

use std::sync::Arc;

use dashmap::DashMap;
use tokio::sync::OnceCell;

use super::cell::Cell;
use crate::domain::store_error::StoreError;
use crate::wire::ids::SessionKey;

/// What becomes of a reading.
type Outcome = OnceCell<Result<Arc<Cell>, StoreError>>;

/// What is read now, with its outcome for all who wait for it.
pub(super) type Loading = DashMap<SessionKey, Arc<Outcome>>;

/// Somebody who reads a session, or waits for who does. Whoever is first to have the outcome, or to
/// give up, takes the note of it away: the others have it all the same.
pub(super) struct Reading<'a> {
    pub(super) outcome: Arc<Outcome>,
    loading: &'a Loading,
    key: &'a SessionKey,
}

impl<'a> Reading<'a> {
    /// A reading of a session, the one that is under way where there is one.
    pub(super) fn of(loading: &'a Loading, key: &'a SessionKey) -> Self {
        Self {
            outcome: Arc::clone(&loading.entry(key.clone()).or_default()),
            loading,
            key,
        }
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        let is_this = |_: &_, other: &_| Arc::ptr_eq(other, &self.outcome);
        self.loading.remove_if(self.key, is_this);
    }
}
