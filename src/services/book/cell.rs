//! One session in memory: its state, the end of its log, and who waits for more.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::MutexGuard;

use super::entry::{Entry, Page};
use super::notifiers::Notifiers;
use crate::domain::clock::Time;
use crate::domain::event::{Awaited, Event, Fact, Record, SessionState};
use crate::domain::limits::{Limits, LogLimits};
use crate::domain::session::Session;
use crate::domain::store::{Append, WriteId};
use crate::wire::ids::{Epoch, Seq, SessionKey};

/// The part of a log's bounds that is forgotten before the store is told of it: a snapshot costs as
/// much as the state is large.
const SNAPSHOT_PART: u64 = 4;

/// One session.
pub(super) struct Cell {
    pub(super) key: SessionKey,
    inner: Mutex<Inner>,
    /// Held by whoever decides and appends: one after the other, in the order they came.
    turn: tokio::sync::Mutex<()>,
    /// How often it was learned that the store may hold more than this.
    noticed: AtomicU64,
    /// Up to which of these times the store was read since.
    caught_up: AtomicU64,
    /// When someone last asked for it, as a [`Time`].
    used_at: AtomicU64,
    /// Held by those who listen.
    pub(super) notifiers: Arc<Notifiers>,
}

struct Inner {
    session: Arc<Session>,
    log: VecDeque<Arc<Entry>>,
    /// The state at the horizon of the log, once something is forgotten.
    base: Option<Box<SessionState>>,
    /// Position of the last forgotten event that every browser is told of.
    frame_horizon: Seq,
    /// Position and bytes of the last base that the store was given.
    stored_base: (Seq, u64),
}

impl Cell {
    /// A session with all that is kept of its log.
    pub(super) fn new(session: Session, records: Vec<Arc<Record>>, limits: &LogLimits) -> Self {
        let mut base = None;
        let mut log = VecDeque::with_capacity(records.len());
        for record in records {
            match &record.fact.event {
                Event::Snapshot(state) => base = Some(Box::new(SessionState::clone(state))),
                _ => log.push_back(Arc::new(Entry::new(record))),
            }
        }
        let stored_base = base.as_ref().map(|base| (base.seq, base.log_bytes));
        let key = session.key.clone();
        let mut inner = Inner {
            session: Arc::new(session),
            log,
            // Nobody knows what was forgotten before it was read.
            frame_horizon: stored_base.unwrap_or_default().0,
            base,
            stored_base: stored_base.unwrap_or_default(),
        };
        inner.forget(limits);
        let notifiers = Notifiers::default();
        inner.notify(&notifiers);
        Self {
            key,
            inner: Mutex::new(inner),
            turn: tokio::sync::Mutex::default(),
            noticed: AtomicU64::default(),
            caught_up: AtomicU64::default(),
            used_at: AtomicU64::default(),
            notifiers: Arc::new(notifiers),
        }
    }

    /// Someone asks for it.
    pub(super) fn touch(&self, now: Time) {
        self.used_at.store(now.0, Ordering::Relaxed);
    }

    /// When someone last asked for it.
    pub(super) fn used_at(&self) -> Time {
        Time(self.used_at.load(Ordering::Relaxed))
    }

    /// Whether nobody but the map of all cells holds it, nobody waits on it, and the outcome of all
    /// writes is known.
    pub(super) fn is_unused(self: &Arc<Self>) -> bool {
        Arc::strong_count(self) == 1 && Arc::strong_count(&self.notifiers) == 1 && !self.is_behind()
    }

    /// The session as it is now.
    pub(super) fn session(&self) -> Arc<Session> {
        Arc::clone(&self.inner.lock().session)
    }

    /// Position of its last event.
    pub(super) fn head(&self) -> Seq {
        self.inner.lock().session.seq
    }

    /// Waits for the turn to decide.
    pub(super) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }

    /// Notes that the store may hold more than this.
    pub(super) fn set_behind(&self) {
        self.noticed.fetch_add(1, Ordering::SeqCst);
    }

    /// Whether the store may hold more than this: also while it is being read, until that is taken in.
    pub(super) fn is_behind(&self) -> bool {
        !self.has_caught_up(self.noticed())
    }

    /// How often it was learned until now that the store may hold more than this.
    pub(super) fn noticed(&self) -> u64 {
        self.noticed.load(Ordering::SeqCst)
    }

    /// Whether the store was read after it was learned so many times.
    pub(super) fn has_caught_up(&self, noticed: u64) -> bool {
        self.caught_up.load(Ordering::SeqCst) >= noticed
    }

    /// What the store held after it was learned so many times is taken in.
    pub(super) fn caught_up(&self, noticed: u64) {
        self.caught_up.fetch_max(noticed, Ordering::SeqCst);
    }

    /// Facts as the records that would follow now.
    pub(super) fn prepare(&self, id: WriteId, facts: Vec<Fact>, limits: &Limits) -> Append {
        let inner = self.inner.lock();
        let session = &inner.session;
        let records = Record::following(session.seq, session.log_bytes, facts);
        let summary = session.summary().after(&records);
        Append {
            id,
            key: self.key.clone(),
            expected: session.seq,
            expires_at: summary.expires_at(&limits.sessions),
            records,
            snapshot: inner.snapshot(&limits.log),
            summary,
        }
    }

    /// Folds in what follows, and wakes who waits for it; gives what is new here.
    pub(super) fn apply(&self, records: &[Arc<Record>], limits: &LogLimits) -> Vec<Arc<Entry>> {
        let mut inner = self.inner.lock();
        let head = inner.session.seq;
        let fresh = records.iter().filter(|record| record.seq > head);
        let fresh: Vec<_> = fresh
            .map(|record| Arc::new(Entry::new(Arc::clone(record))))
            .collect();
        // Someone may hold the session as it was: then it is copied, which costs next to nothing.
        let session = Arc::make_mut(&mut inner.session);
        for entry in &fresh {
            session.state.apply(entry.record());
        }
        inner.log.extend(fresh.iter().cloned());
        inner.forget(limits);
        // Under the lock, so that positions are never announced out of order.
        self.notifiers.notify(&fresh);
        fresh
    }

    /// The store was given the state up to here.
    pub(super) fn snapshot_stored(&self, snapshot: &Record) {
        self.inner.lock().stored_base = (snapshot.seq, snapshot.ends_at);
    }

    /// Takes over another reading of the same session, which has gone further.
    pub(super) fn replace(&self, other: Self) {
        let mut inner = self.inner.lock();
        *inner = other.inner.into_inner();
        inner.notify(&self.notifiers);
    }

    /// Up to `events_max` events after a cursor.
    pub(super) fn page(&self, after: Seq, events_max: usize, limits: &Limits) -> Page {
        self.inner.lock().page(after, events_max, limits)
    }

    /// The session as it is now, and what is kept of its log after the last event that somebody has
    /// seen: whoever comes back pays for what was missed, not for the length of the log.
    pub(super) fn whole(
        &self,
        has_seen: impl Fn(&Session, &Entry) -> bool,
        limits: &Limits,
    ) -> (Arc<Session>, Page) {
        let inner = self.inner.lock();
        let session = Arc::clone(&inner.session);
        let last_seen = inner.log.iter().rfind(|entry| has_seen(&session, entry));
        let after = last_seen.map_or(Seq::default(), |entry| entry.seq);
        let page = inner.page(after, usize::MAX, limits);
        (session, page)
    }

    /// The session as it was when an epoch ended, or as it is where that has not ended; none where
    /// the epoch is not there yet, or nothing is kept of what was written in it.
    pub(super) fn at(&self, epoch: Epoch) -> Option<Arc<Session>> {
        let inner = self.inner.lock();
        let session = &inner.session;
        if epoch >= session.epoch {
            return (epoch == session.epoch).then(|| Arc::clone(session));
        }
        let last = inner
            .log
            .iter()
            .rposition(|entry| match &entry.fact.event {
                Event::Updated { epoch: of, .. } => *of == epoch,
                Event::Created(_) => epoch == Epoch::default(),
                _ => false,
            })?;
        // What came after it and before the next epoch belongs to it.
        let opens_next = |entry: &Arc<Entry>| matches!(&entry.fact.event, Event::Updated { epoch: of, .. } if *of > epoch);
        let after = inner.log.iter().skip(last).position(opens_next);
        let end = after.map_or(inner.log.len(), |after| last + after);
        let records = inner.log.iter().take(end).map(|entry| entry.record());
        let state = match &inner.base {
            None => SessionState::fold(&self.key, records)?,
            Some(base) => SessionState::clone(base).after(records),
        };
        Some(Arc::new(Session {
            state,
            ..Session::clone(session)
        }))
    }

    /// Bytes of the events that are kept.
    pub(super) fn kept_bytes(&self) -> u64 {
        self.inner.lock().kept_bytes()
    }
}

impl Inner {
    fn page(&self, after: Seq, events_max: usize, limits: &Limits) -> Page {
        let (horizon, state) = (self.horizon(), &self.session.state);
        let skip = usize::try_from(after.0.saturating_sub(horizon.0)).unwrap_or(usize::MAX);
        let entries = self.log.iter().skip(skip).take(events_max);
        Page {
            entries: entries.cloned().collect(),
            horizon,
            frame_horizon: self.frame_horizon,
            head: state.seq,
            head_bytes: state.log_bytes,
            forgotten_stream_seq: self
                .base
                .as_ref()
                .map_or(0, |base| base.replayed_stream_seq),
            expires_at: state.expires_at(&limits.sessions),
        }
    }

    /// Announces all there is: nobody can know what of the forgotten someone waits for.
    fn notify(&self, notifiers: &Notifiers) {
        notifiers.notify_forgotten(self.horizon());
        let log: Vec<_> = self.log.iter().cloned().collect();
        notifiers.notify(&log);
    }

    /// Forgets what no longer fits.
    fn forget(&mut self, limits: &LogLimits) {
        let bytes_max = limits.bytes_max as u64;
        while self.log.len() > limits.events_max || self.kept_bytes() > bytes_max {
            let Some(oldest) = self.log.pop_front() else {
                break;
            };
            if oldest.fact.event.wakes(Awaited::Frame) {
                self.frame_horizon = oldest.seq;
            }
            match &mut self.base {
                Some(base) => base.apply(oldest.record()),
                None => {
                    let base = SessionState::fold(&self.session.key, [oldest.record()]);
                    self.base = base.map(Box::new);
                }
            }
        }
    }

    /// The state at the horizon, where enough is forgotten that the store should know.
    fn snapshot(&self, limits: &LogLimits) -> Option<Arc<Record>> {
        let base = self.base.as_ref()?;
        let (seq, bytes) = self.stored_base;
        let events_max = limits.events_max as u64 / SNAPSHOT_PART;
        let bytes_max = limits.bytes_max as u64 / SNAPSHOT_PART;
        let is_due = base.seq.0 > seq.0 + events_max || base.log_bytes > bytes + bytes_max;
        is_due.then(|| Arc::new(Record::snapshot(SessionState::clone(base))))
    }

    fn horizon(&self) -> Seq {
        self.base.as_ref().map_or(Seq::default(), |base| base.seq)
    }

    /// Bytes of the events that are kept.
    fn kept_bytes(&self) -> u64 {
        let forgotten = self.base.as_ref().map_or(0, |base| base.log_bytes);
        self.session.log_bytes - forgotten
    }
}
