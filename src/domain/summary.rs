//! What lists show of a session: kept beside its log, so that a list need not read logs.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::clock::Time;
use super::event::{Event, Record, SessionState};
use super::fold::expiry;
use super::limits::SessionLimits;
use crate::wire::discovery::HostSession;
use crate::wire::ids::{Epoch, ShortCode};

/// A session as it is listed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    /// Who rendered it.
    pub(crate) owner: Arc<str>,
    /// What it is for.
    pub(crate) intent: Arc<str>,
    /// The identity of its contract, 16 hex digits.
    pub(crate) contract: Arc<str>,
    /// What opens it in a browser.
    pub(crate) short_code: ShortCode,
    /// The host that shows it, where the host has said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) host: Option<Arc<HostSession>>,
    /// Version of its history.
    pub(crate) epoch: Epoch,
    /// Actions that no agent has taken.
    pub(crate) pending_actions: u64,
    /// When it was rendered.
    pub(crate) created_at: Time,
    /// When something last happened.
    pub(crate) last_activity_at: Time,
}

impl Summary {
    /// What a list shows of a state, whose contract has this identity.
    pub(crate) fn of(state: &SessionState, contract: &str) -> Self {
        let creation = &state.creation;
        Self {
            owner: Arc::clone(&creation.owner),
            intent: Arc::clone(&creation.intent),
            contract: contract.into(),
            short_code: creation.short_code.clone(),
            host: creation.host.clone(),
            epoch: state.epoch,
            pending_actions: state.inbox.waiting().0 as u64,
            created_at: state.created_at,
            last_activity_at: state.last_activity_at,
        }
    }

    /// The same after more events, oldest first: of each only what a list shows is folded in.
    pub(crate) fn after(mut self, records: &[Arc<Record>]) -> Self {
        for record in records {
            if record.fact.event.is_activity() {
                self.last_activity_at = record.fact.at;
            }
            match &record.fact.event {
                Event::ActionSubmitted(_) => self.pending_actions += 1,
                Event::ActionsDrained(ids) => {
                    self.pending_actions = self.pending_actions.saturating_sub(ids.len() as u64);
                }
                Event::Updated { epoch, .. } => self.epoch = *epoch,
                _ => {}
            }
        }
        self
    }

    /// When the session ends unless something happens.
    pub(crate) fn expires_at(&self, limits: &SessionLimits) -> Time {
        expiry(self.created_at, self.last_activity_at, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::ids::SessionKey;

    #[test]
    fn a_summary_follows_events_as_the_state_does() {
        let text = include_str!("../../tests/events/schema-1.jsonl");
        let records = text.lines().map(|line| Record::from_json(line).unwrap());
        let is_snapshot = |record: &Record| matches!(record.fact.event, Event::Snapshot(_));
        let records = records.filter(|record| !is_snapshot(record)).map(Arc::new);
        let records: Vec<_> = records.collect();
        let key = SessionKey {
            app: "shop".into(),
            session: "s".into(),
        };
        let state = |count: usize| SessionState::fold(&key, &records[..count]).unwrap();
        let born = Summary::of(&state(1), "0123456789abcdef");
        let limits = SessionLimits::default();
        let mut pending = Vec::new();
        for count in 1..=records.len() {
            let summary = born.clone().after(&records[1..count]);
            assert_eq!(summary, Summary::of(&state(count), "0123456789abcdef"));
            assert_eq!(
                summary.expires_at(&limits),
                state(count).expires_at(&limits)
            );
            pending.push(summary.pending_actions);
        }
        assert!(pending.contains(&0) && pending.contains(&2), "{pending:?}");
    }
}
