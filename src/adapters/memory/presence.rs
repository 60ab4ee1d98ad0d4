//! Agents that wait at this process.

use async_trait::async_trait;
use dashmap::DashMap;
use tokio::sync::watch;

use crate::domain::clock::Time;
use crate::domain::presence::{Presence, PresenceStore};
use crate::domain::store_error::StoreError;
use crate::wire::ids::SessionKey;

/// The agents of all sessions.
#[derive(Default)]
pub(crate) struct MemoryPresence(DashMap<SessionKey, watch::Sender<Presence>>);

#[async_trait]
impl PresenceStore for MemoryPresence {
    async fn presence(&self, key: &SessionKey) -> Result<Presence, StoreError> {
        let known = self.0.get(key).map(|entry| *entry.borrow());
        Ok(known.unwrap_or_default())
    }

    async fn wait(&self, key: &SessionKey, arrivals: u64) -> Result<(), StoreError> {
        let mut watched = self.0.entry(key.clone()).or_default().subscribe();
        let came = watched.wait_for(|now| now.waiting > 0 || now.arrivals != arrivals);
        // The sender stays as long as someone is subscribed.
        let _ = came.await;
        Ok(())
    }

    async fn enter(&self, key: &SessionKey) -> Result<(), StoreError> {
        let entry = self.0.entry(key.clone()).or_default();
        entry.send_modify(|presence| {
            presence.waiting += 1;
            presence.arrivals += 1;
        });
        Ok(())
    }

    fn leave(&self, key: &SessionKey, at: Time) {
        if let Some(entry) = self.0.get(key) {
            entry.send_modify(|presence| {
                presence.waiting = presence.waiting.saturating_sub(1);
                presence.left_at = Some(at);
            });
        }
    }

    async fn announce(&self, key: &SessionKey, is_present: bool) -> Result<bool, StoreError> {
        let entry = self.0.entry(key.clone()).or_default();
        Ok(entry.send_if_modified(|presence| {
            let is_news = presence.is_announced != is_present;
            presence.is_announced = is_present;
            is_news
        }))
    }

    async fn absent(&self) -> Result<Vec<(SessionKey, Presence)>, StoreError> {
        let all = self.0.iter().map(|entry| {
            let presence = *entry.value().borrow();
            (entry.key().clone(), presence)
        });
        let is_absent = |presence: &Presence| presence.is_announced && presence.waiting == 0;
        Ok(all.filter(|(_, presence)| is_absent(presence)).collect())
    }

    async fn forget(&self, before: Time) -> Result<(), StoreError> {
        self.0.retain(|_, presence| {
            let state = *presence.borrow();
            let left = state.left_at.is_none_or(|left| left < before);
            presence.receiver_count() > 0 || state.waiting > 0 || !left
        });
        Ok(())
    }

    fn count(&self) -> usize {
        self.0.len()
    }
}
