//! How events come to a state, and the arithmetic of a session's life.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::attempt::{Attempts, CameTo};
use super::clock::Time;
use super::event::{Creation, Emission, Event, Record, SessionState};
use super::inbox::Inbox;
use super::limits::SessionLimits;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{Epoch, Seq, SessionKey};

/// When a session ends whatever happens.
fn end(created_at: Time, limits: &SessionLimits) -> Time {
    created_at.plus(Duration::from_secs(limits.life_max_s))
}

/// When it ends unless something happens after the last thing that did.
pub(super) fn expiry(created_at: Time, last_activity_at: Time, limits: &SessionLimits) -> Time {
    let idle = last_activity_at.plus(Duration::from_secs(limits.idle_ttl_s));
    idle.min(end(created_at, limits))
}

impl SessionState {
    /// What events come to, oldest first; none without a beginning, which is the creation of the
    /// session or a snapshot of it.
    pub(crate) fn fold<'a>(
        key: &SessionKey,
        records: impl IntoIterator<Item = &'a Arc<Record>>,
    ) -> Option<Self> {
        let mut records = records.into_iter();
        let state = records.find_map(|record| match &record.fact.event {
            Event::Created(creation) => {
                let mut born = Self::born(key.clone(), record.fact.at, Arc::clone(creation));
                born.apply(record);
                Some(born)
            }
            Event::Snapshot(snapshot) => Some(Self::clone(snapshot)),
            _ => None,
        })?;
        Some(state.after(records))
    }

    /// The state after more events, oldest first.
    pub(crate) fn after<'a>(mut self, records: impl IntoIterator<Item = &'a Arc<Record>>) -> Self {
        for record in records {
            self.apply(record);
        }
        self
    }

    /// The session its first event makes.
    fn born(key: SessionKey, at: Time, creation: Arc<Creation>) -> Self {
        Self {
            key,
            seq: Seq::default(),
            log_bytes: 0,
            stream_seq: 0,
            replayed_stream_seq: 0,
            redrawn: None,
            props: creation.props.clone(),
            creation,
            version: 1,
            epoch: Epoch::default(),
            context: None,
            host_context: None,
            auth_requests: Arc::default(),
            inbox: Inbox::default(),
            latest: Arc::default(),
            attempts: Attempts::default(),
            created_at: at,
            last_activity_at: at,
        }
    }

    /// Folds one more event in.
    pub(crate) fn apply(&mut self, record: &Arc<Record>) {
        if let Event::Snapshot(snapshot) = &record.fact.event {
            *self = Self::clone(snapshot);
            return;
        }
        self.seq = record.seq;
        self.log_bytes = record.ends_at;
        if record.fact.event.is_activity() {
            self.last_activity_at = record.fact.at;
        }
        match &record.fact.event {
            Event::ActionsDrained(ids) => self.inbox.drain(ids.len()),
            Event::ActionsSettled(ids) => self.inbox.settle(ids.len()),
            Event::ActionSubmitted(action) => {
                if let Some(answered) = action.answers_auth() {
                    Arc::make_mut(&mut self.auth_requests)
                        .retain(|request| *request.id != *answered);
                }
                self.inbox.accept(Arc::clone(action));
            }
            Event::AuthRequested(request) => {
                Arc::make_mut(&mut self.auth_requests).push(Arc::clone(request));
            }
            Event::ContextSynced(snapshot) => self.context = Some(Arc::clone(snapshot)),
            Event::Created(_) | Event::Deleted | Event::Observed(_) | Event::Snapshot(_) => {}
            Event::Emitted(emission) => {
                self.stream_seq = emission.stream_seq;
                match emission.replay {
                    StreamReplay::All => self.replayed_stream_seq = emission.stream_seq,
                    StreamReplay::Latest => {
                        let channel = Arc::clone(&emission.channel);
                        Arc::make_mut(&mut self.latest).insert(channel, Arc::clone(record));
                    }
                    StreamReplay::None => {}
                }
            }
            Event::HostContextObserved(host) => self.host_context = Some(Arc::clone(host)),
            Event::Redrawn(view) => self.redrawn = Some(view.clone()),
            Event::Updated { props, epoch, .. } => {
                self.props = Some(Arc::clone(props));
                self.version += 1;
                self.epoch = *epoch;
            }
        }
        if let Some(id) = &record.fact.attempt
            && let Some(came_to) = self.came_to(&record.fact.event)
        {
            self.attempts.add(id.clone(), record.fact.at, came_to);
        }
    }

    /// What a call came to that is for this event, which was folded in.
    fn came_to(&self, event: &Event) -> Option<CameTo> {
        match event {
            Event::ActionsDrained(ids) => Some(CameTo::Drained {
                count: ids.len(),
                last: ids.last()?.clone(),
            }),
            Event::Emitted(_) => Some(CameTo::Emitted),
            Event::Updated { epoch, .. } => Some(CameTo::Updated {
                version: self.version,
                epoch: *epoch,
            }),
            _ => None,
        }
    }

    /// The next item of a channel.
    pub(crate) fn emission(
        &self,
        channel: Arc<str>,
        mode: StreamMode,
        replay: StreamReplay,
        payload: Value,
        complete: bool,
    ) -> Emission {
        Emission {
            channel,
            mode,
            payload,
            complete,
            stream_seq: self.stream_seq + 1,
            replay,
        }
    }

    /// When it ends whatever happens.
    pub(crate) fn ends_at(&self, limits: &SessionLimits) -> Time {
        end(self.created_at, limits)
    }

    /// When it ends unless something happens.
    pub(crate) fn expires_at(&self, limits: &SessionLimits) -> Time {
        expiry(self.created_at, self.last_activity_at, limits)
    }

    /// Whether it still lives; judged at the moment of reading, never by the sweeper.
    pub(crate) fn is_live(&self, now: Time, limits: &SessionLimits) -> bool {
        now < self.expires_at(limits)
    }
}
