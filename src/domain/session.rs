//! The session: the fold of its events, and the arithmetic of its life.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::clock::Time;
use super::event::{AuthRequest, Creation, EVENT_SCHEMA, Emission, Event, Record};
use super::inbox::Inbox;
use super::limits::SessionLimits;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::host::HostContext;
use crate::wire::ids::{Epoch, Seq, SessionKey};

/// A session as its log has made it: a few counters and shared parts, so that a copy for those who
/// hold the state of a moment costs the same however much has happened.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    /// Whose, and which.
    pub(crate) key: SessionKey,
    /// Position of the last event folded in.
    pub(crate) seq: Seq,
    /// Bytes of the log up to there, forgotten ones included.
    pub(crate) log_bytes: u64,
    /// Stream position of the last item.
    pub(crate) stream_seq: u64,
    /// What it was made of.
    pub(crate) creation: Arc<Creation>,
    /// The props it shows; none without a propsSpec.
    pub(crate) props: Option<Arc<Value>>,
    /// How often the props were written: 1 at birth; what `expectedVersion` is held against.
    pub(crate) version: u64,
    /// Version of its history.
    pub(crate) epoch: Epoch,
    /// What the context slots hold, as a mount told last; none before the first told.
    pub(crate) context: Option<Arc<Value>>,
    /// The host around it, as a mount told last.
    pub(crate) host_context: Option<Arc<HostContext>>,
    /// Consents that are waited for, oldest first.
    pub(crate) auth_requests: Arc<Vec<Arc<AuthRequest>>>,
    /// What people did and no agent has taken yet, or may have missed; always as it is now.
    pub(crate) inbox: Inbox,
    /// The last item of each channel that replays it; outlives the log's horizon.
    pub(crate) latest: Arc<BTreeMap<Arc<str>, Arc<Record>>>,
    /// When it was rendered.
    pub(crate) created_at: Time,
    /// When something last happened.
    pub(crate) last_activity_at: Time,
}

impl Session {
    /// The session its first event makes.
    pub(crate) fn born(key: SessionKey, at: Time, creation: Arc<Creation>) -> Self {
        Self {
            key,
            seq: Seq::default(),
            log_bytes: 0,
            stream_seq: 0,
            props: creation.props.clone(),
            creation,
            version: 1,
            epoch: Epoch::default(),
            context: None,
            host_context: None,
            auth_requests: Arc::default(),
            inbox: Inbox::default(),
            latest: Arc::default(),
            created_at: at,
            last_activity_at: at,
        }
    }

    /// Folds one more event in.
    pub(crate) fn apply(&mut self, record: &Arc<Record>) {
        debug_assert!(
            record.schema <= EVENT_SCHEMA,
            "stores bring old events up to date"
        );
        self.seq = record.seq;
        self.log_bytes = record.ends_at;
        if !matches!(record.fact.event, Event::Observed(_)) {
            // What was refused must not keep a session alive.
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
            Event::Created(_) | Event::Deleted | Event::Observed(_) => {}
            Event::Emitted(emission) => {
                self.stream_seq = emission.stream_seq;
                if emission.replay == StreamReplay::Latest {
                    Arc::make_mut(&mut self.latest)
                        .insert(Arc::clone(&emission.channel), Arc::clone(record));
                }
            }
            Event::HostContextObserved(host) => self.host_context = Some(Arc::clone(host)),
            Event::Updated { props, epoch, .. } => {
                self.props = Some(Arc::clone(props));
                self.version += 1;
                self.epoch = *epoch;
            }
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
        self.created_at.plus(Duration::from_secs(limits.life_max_s))
    }

    /// When it ends unless something happens.
    pub(crate) fn expires_at(&self, limits: &SessionLimits) -> Time {
        let idle = self
            .last_activity_at
            .plus(Duration::from_secs(limits.idle_ttl_s));
        idle.min(self.ends_at(limits))
    }

    /// Whether it still lives; judged at the moment of reading, never by the sweeper.
    pub(crate) fn is_live(&self, now: Time, limits: &SessionLimits) -> bool {
        now < self.expires_at(limits)
    }
}
