//! One session: its state, the end of its log, and who waits for more.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

use super::app::App;
use super::notifiers::Notifiers;
use crate::domain::event::{Event, Fact, Record};
use crate::domain::limits::Limits;
use crate::domain::log::Page;
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::wire::contract::StreamReplay;
use crate::wire::ids::{Seq, SessionId};

/// One session; dropping it tells everyone who waits that it is gone.
pub(super) struct Cell {
    inner: Mutex<Inner>,
    /// Outlive the cell while someone listens.
    pub(super) notifiers: Arc<Notifiers>,
    app: Arc<App>,
    session: SessionId,
    owner: Arc<str>,
}

struct Inner {
    state: Arc<Session>,
    log: VecDeque<Arc<Record>>,
    /// Bytes of the log that are forgotten.
    forgotten_bytes: u64,
    forgotten_stream_seq: u64,
}

impl Drop for Cell {
    fn drop(&mut self) {
        self.notifiers.close();
    }
}

impl Cell {
    /// A session of an app, with nothing in its log.
    pub(super) fn new(state: Session, app: Arc<App>) -> Self {
        let session = state.key.session.clone();
        let owner = Arc::clone(&state.creation.owner);
        let inner = Inner {
            state: Arc::new(state),
            log: VecDeque::new(),
            forgotten_bytes: 0,
            forgotten_stream_seq: 0,
        };
        Self {
            inner: Mutex::new(inner),
            notifiers: Arc::default(),
            app,
            session,
            owner,
        }
    }

    /// The state as it is now.
    pub(super) fn state(&self) -> Arc<Session> {
        Arc::clone(&self.inner.lock().state)
    }

    /// Appends, if the log still stands at `expected`; gives what was written, and the new head.
    pub(super) fn append(
        &self,
        expected: Option<Seq>,
        facts: Vec<Fact>,
        limits: &Limits,
    ) -> Result<(Vec<Arc<Record>>, Seq), StoreError> {
        let mut inner = self.inner.lock();
        if expected.is_some_and(|expected| expected != inner.state.seq) {
            return Err(StoreError::Conflict);
        }
        let written = inner.append(facts, limits);
        // Rung under the lock, so that positions are never told out of order.
        self.notifiers.notify(&written);
        Ok((written, inner.state.seq))
    }

    /// Writes what was appended into the activity of the app.
    pub(super) fn record_activity(&self, written: &[Arc<Record>], limits: &Limits) {
        let rows_max = limits.log.activity_rows_max;
        self.app
            .record_activity(&self.session, &self.owner, written, rows_max);
    }

    /// Up to `events_max` events after a cursor.
    pub(super) fn page(&self, after: Seq, events_max: usize, limits: &Limits) -> Page {
        let inner = self.inner.lock();
        let head = inner.state.seq;
        let horizon = Seq(head.0 - inner.log.len() as u64);
        let skip = usize::try_from(after.0.saturating_sub(horizon.0)).unwrap_or(usize::MAX);
        let records = inner.log.iter().skip(skip).take(events_max);
        Page {
            records: records.cloned().collect(),
            horizon,
            head,
            head_bytes: inner.state.log_bytes,
            forgotten_stream_seq: inner.forgotten_stream_seq,
            expires_at: inner.state.expires_at(&limits.sessions),
        }
    }

    /// Bytes of the events that are kept.
    pub(super) fn kept_bytes(&self) -> usize {
        self.inner.lock().kept_bytes()
    }
}

impl Inner {
    /// Appends facts, folds them in and forgets what no longer fits.
    fn append(&mut self, facts: Vec<Fact>, limits: &Limits) -> Vec<Arc<Record>> {
        let mut written = Vec::with_capacity(facts.len());
        for fact in facts {
            // Someone may hold the state as it was: then it is copied, which costs next to nothing.
            let state = Arc::make_mut(&mut self.state);
            let record = Arc::new(Record::new(state.seq.next(), state.log_bytes, fact));
            state.apply(&record);
            self.log.push_back(Arc::clone(&record));
            written.push(record);
        }
        while self.log.len() > limits.log.events_max || self.kept_bytes() > limits.log.bytes_max {
            let Some(oldest) = self.log.pop_front() else {
                break;
            };
            self.forgotten_bytes = oldest.ends_at;
            if let Event::Emitted(emission) = &oldest.fact.event
                && emission.replay == StreamReplay::All
            {
                self.forgotten_stream_seq = emission.stream_seq;
            }
        }
        written
    }

    /// Bytes of the events that are kept.
    fn kept_bytes(&self) -> usize {
        let bytes = self.state.log_bytes - self.forgotten_bytes;
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }
}
