//! Handshakes and sessions in this process: the default.

use std::collections::VecDeque;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use async_trait::async_trait;
use dashmap::DashMap;
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};

use crate::domain::clock::Time;
use crate::domain::event::{Activity, Awaited, Event, Fact, Record};
use crate::domain::handshake::Handshake;
use crate::domain::limits::Limits;
use crate::domain::log::{Census, Page, SessionLog, Waited};
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::wire::contract::StreamReplay;
use crate::wire::ids::{AppId, HandshakeId, ID_BYTES_MAX, Seq, SessionId, SessionKey, ShortCode};

/// Everything in maps of this process; a restart forgets it.
pub(crate) struct Memory {
    limits: Limits,
    handshakes: DashMap<(AppId, HandshakeId), Arc<Handshake>>,
    sessions: DashMap<SessionKey, Arc<Cell>>,
    codes: DashMap<ShortCode, SessionKey>,
    apps: DashMap<AppId, Arc<App>>,
}

/// What is counted and told per app.
struct App {
    open_handshakes: AtomicUsize,
    sessions: AtomicUsize,
    activity: Mutex<VecDeque<Activity>>,
    /// Number of rows ever written; wakes those who wait for the next.
    written: watch::Sender<u64>,
}

/// One session; dropping it tells everyone who waits that it is gone.
struct Cell {
    inner: Mutex<Inner>,
    bells: Arc<Bells>,
}

impl Drop for Cell {
    fn drop(&mut self) {
        self.bells.ring_for_the_last_time();
    }
}

/// What wakes those who wait on a session: one bell for each thing that is awaited, so that a
/// click wakes no browser and an item no agent.
#[derive(Default)]
struct Bells {
    action: Bell,
    any: Bell,
    frame: Bell,
}

#[derive(Default)]
struct Bell {
    /// Position of the last event it was rung for; [`GONE`] for ever after the session's end.
    at: AtomicU64,
    rung: Notify,
}

/// No log grows that far.
const GONE: u64 = u64::MAX;

impl Bells {
    fn ring(&self, records: &[Arc<Record>]) {
        let last = |is_awaited: fn(&Event) -> bool| {
            let mut latest_first = records.iter().rev();
            let found = latest_first.find(|record| is_awaited(&record.fact.event));
            found.map(|record| record.seq)
        };
        self.any.ring(last(|_| true));
        self.frame
            .ring(last(|event| event.wakes() == Some(Awaited::Frame)));
        self.action
            .ring(last(|event| event.wakes() == Some(Awaited::Action)));
    }

    fn ring_for_the_last_time(&self) {
        for bell in [&self.action, &self.any, &self.frame] {
            bell.ring(Some(Seq(GONE)));
        }
    }

    fn of(&self, awaited: Awaited) -> &Bell {
        match awaited {
            Awaited::Action => &self.action,
            Awaited::Any => &self.any,
            Awaited::Frame => &self.frame,
        }
    }
}

impl Bell {
    fn ring(&self, at: Option<Seq>) {
        if let Some(at) = at {
            self.at.store(at.0, Ordering::SeqCst);
            self.rung.notify_waiters();
        }
    }

    async fn wait(&self, after: Seq) -> Waited {
        loop {
            let mut rung = pin!(self.rung.notified());
            // Listening before looking: what is rung in between is heard.
            rung.as_mut().enable();
            match self.at.load(Ordering::SeqCst) {
                GONE => return Waited::Gone,
                at if at > after.0 => return Waited::Moved,
                _ => rung.await,
            }
        }
    }
}

struct Inner {
    state: Arc<Session>,
    log: VecDeque<Arc<Record>>,
    /// Bytes of the log that are forgotten.
    forgotten_bytes: u64,
    forgotten_stream_seq: u64,
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

impl App {
    fn new() -> Self {
        Self {
            open_handshakes: AtomicUsize::new(0),
            sessions: AtomicUsize::new(0),
            activity: Mutex::default(),
            written: watch::Sender::new(0),
        }
    }

    fn tell(
        &self,
        session: &SessionId,
        owner: &Arc<str>,
        records: &[Arc<Record>],
        rows_max: usize,
    ) {
        let rows: Vec<_> = records
            .iter()
            .filter_map(|record| record.activity(session, owner))
            .collect();
        if rows.is_empty() {
            return;
        }
        let mut activity = self.activity.lock();
        let count = rows.len();
        activity.extend(rows);
        let excess = activity.len().saturating_sub(rows_max);
        activity.drain(..excess);
        // Counted under the lock, so that the count always matches the rows.
        self.written.send_modify(|written| *written += count as u64);
    }
}

/// Takes one of `max` places; false if there is none.
fn take_place(places: &AtomicUsize, max: usize) -> bool {
    places
        .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |taken| {
            (taken < max).then_some(taken + 1)
        })
        .is_ok()
}

impl Memory {
    /// An empty store.
    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            limits,
            handshakes: DashMap::new(),
            sessions: DashMap::new(),
            codes: DashMap::new(),
            apps: DashMap::new(),
        }
    }

    fn app(&self, app: &AppId) -> Arc<App> {
        if let Some(found) = self.apps.get(app) {
            return Arc::clone(&found);
        }
        Arc::clone(
            &self
                .apps
                .entry(app.clone())
                .or_insert_with(|| Arc::new(App::new())),
        )
    }

    /// Forgets the handshakes of an app that have expired.
    fn forget_expired(&self, app: &AppId, now: Time) {
        self.handshakes.retain(|(of, _), handshake| {
            let stays = of != app || handshake.is_live(now);
            if !stays {
                self.app(app).open_handshakes.fetch_sub(1, Ordering::SeqCst);
            }
            stays
        });
    }

    /// The session's cell, cloned out so that no lock of the map outlives the call.
    fn cell(&self, key: &SessionKey) -> Result<Arc<Cell>, StoreError> {
        if key.session.as_str().len() > ID_BYTES_MAX {
            return Err(StoreError::Missing);
        }
        self.sessions
            .get(key)
            .map(|cell| Arc::clone(&cell))
            .ok_or(StoreError::Missing)
    }
}

#[async_trait]
impl SessionLog for Memory {
    async fn offer(&self, handshake: Handshake) -> Result<(), StoreError> {
        let max = self.limits.handshakes.open_max;
        let app = self.app(&handshake.app);
        let mut has_place = take_place(&app.open_handshakes, max);
        if !has_place {
            // What has expired takes no place, swept or not.
            self.forget_expired(&handshake.app, handshake.created_at);
            has_place = take_place(&app.open_handshakes, max);
        }
        if !has_place {
            let open = self.handshakes.iter();
            let of_app = open.filter(|entry| entry.key().0 == handshake.app);
            return Err(StoreError::Full {
                what: "open handshakes",
                max,
                free_at: of_app.map(|entry| entry.expires_at).min(),
            });
        }
        let key = (handshake.app.clone(), handshake.id.clone());
        self.handshakes.insert(key, Arc::new(handshake));
        Ok(())
    }

    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError> {
        let found = self.handshakes.get(&(app.clone(), id.clone()));
        found
            .map(|handshake| Arc::clone(&handshake))
            .ok_or(StoreError::Missing)
    }

    async fn create(
        &self,
        key: &SessionKey,
        claim: &HandshakeId,
        now: Time,
        facts: Vec<Fact>,
    ) -> Result<Arc<Session>, StoreError> {
        let creation = facts.iter().find_map(|fact| match &fact.event {
            Event::Created(creation) => Some(Arc::clone(creation)),
            _ => None,
        });
        let creation = creation.ok_or(StoreError::Missing)?;
        let app = self.app(&key.app);
        let max = self.limits.sessions.per_app_max;
        if !take_place(&app.sessions, max) {
            return Err(StoreError::Full {
                what: "sessions",
                max,
                free_at: None,
            });
        }
        let claimed = self
            .handshakes
            .remove_if(&(key.app.clone(), claim.clone()), |_, handshake| {
                handshake.is_live(now)
            });
        if claimed.is_none() {
            app.sessions.fetch_sub(1, Ordering::SeqCst);
            return Err(StoreError::Missing);
        }
        app.open_handshakes.fetch_sub(1, Ordering::SeqCst);

        let mut inner = Inner {
            state: Arc::new(Session::born(key.clone(), now, Arc::clone(&creation))),
            log: VecDeque::new(),
            forgotten_bytes: 0,
            forgotten_stream_seq: 0,
        };
        let written = inner.append(facts, &self.limits);
        let session = Arc::clone(&inner.state);
        let bells = Arc::new(Bells::default());
        bells.ring(&written);
        let cell = Cell {
            inner: Mutex::new(inner),
            bells,
        };
        self.codes.insert(creation.short_code.clone(), key.clone());
        self.sessions.insert(key.clone(), Arc::new(cell));
        app.tell(
            &key.session,
            &creation.owner,
            &written,
            self.limits.log.activity_rows_max,
        );
        Ok(session)
    }

    async fn commit(
        &self,
        key: &SessionKey,
        expected: Seq,
        facts: Vec<Fact>,
    ) -> Result<Seq, StoreError> {
        let cell = self.cell(key)?;
        let (written, head, owner) = {
            let mut inner = cell.inner.lock();
            if inner.state.seq != expected {
                return Err(StoreError::Conflict);
            }
            let written = inner.append(facts, &self.limits);
            let head = inner.state.seq;
            // Rung under the lock, so that positions are never told out of order.
            cell.bells.ring(&written);
            (written, head, Arc::clone(&inner.state.creation.owner))
        };
        let rows_max = self.limits.log.activity_rows_max;
        self.app(&key.app)
            .tell(&key.session, &owner, &written, rows_max);
        Ok(head)
    }

    async fn session(&self, key: &SessionKey) -> Result<Arc<Session>, StoreError> {
        Ok(Arc::clone(&self.cell(key)?.inner.lock().state))
    }

    async fn remove(&self, key: &SessionKey, last: Fact) -> Result<(), StoreError> {
        let (_, cell) = self.sessions.remove(key).ok_or(StoreError::Missing)?;
        let (creation, record) = {
            let mut inner = cell.inner.lock();
            let written = inner.append(vec![last], &self.limits);
            (Arc::clone(&inner.state.creation), written)
        };
        self.codes.remove(&creation.short_code);
        let app = self.app(&key.app);
        app.sessions.fetch_sub(1, Ordering::SeqCst);
        let rows_max = self.limits.log.activity_rows_max;
        app.tell(&key.session, &creation.owner, &record, rows_max);
        Ok(())
    }

    fn census(&self) -> Census {
        let sessions = self.sessions.iter();
        let log_bytes = sessions.map(|cell| cell.inner.lock().kept_bytes() as u64);
        Census {
            handshakes: self.handshakes.len(),
            sessions: self.sessions.len(),
            log_bytes: log_bytes.sum(),
        }
    }

    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError> {
        self.codes
            .get(code)
            .map(|key| key.clone())
            .ok_or(StoreError::Missing)
    }

    async fn sessions(&self, app: &AppId) -> Result<Vec<Arc<Session>>, StoreError> {
        let cells: Vec<_> = self
            .sessions
            .iter()
            .filter(|entry| entry.key().app == *app)
            .map(|entry| Arc::clone(entry.value()))
            .collect();
        Ok(cells
            .iter()
            .map(|cell| Arc::clone(&cell.inner.lock().state))
            .collect())
    }

    async fn read_from(
        &self,
        key: &SessionKey,
        after: Seq,
        events_max: usize,
    ) -> Result<Page, StoreError> {
        let cell = self.cell(key)?;
        let inner = cell.inner.lock();
        let head = inner.state.seq;
        let horizon = Seq(head.0 - inner.log.len() as u64);
        let skip = usize::try_from(after.0.saturating_sub(horizon.0)).unwrap_or(usize::MAX);
        Ok(Page {
            records: inner
                .log
                .iter()
                .skip(skip)
                .take(events_max)
                .cloned()
                .collect(),
            horizon,
            head,
            head_bytes: inner.state.log_bytes,
            forgotten_stream_seq: inner.forgotten_stream_seq,
            expires_at: inner.state.expires_at(&self.limits.sessions),
        })
    }

    async fn wait(&self, key: &SessionKey, after: Seq, awaited: Awaited) -> Waited {
        let Ok(cell) = self.cell(key) else {
            return Waited::Gone;
        };
        let bells = Arc::clone(&cell.bells);
        // Only the bells are kept: the cell must be droppable while someone waits.
        drop(cell);
        bells.of(awaited).wait(after).await
    }

    async fn activity_from(&self, app: &AppId, after: u64) -> (Vec<Activity>, u64) {
        let app = self.app(app);
        let activity = app.activity.lock();
        let written = *app.written.borrow();
        let fresh = usize::try_from(written.saturating_sub(after)).unwrap_or(usize::MAX);
        let skip = activity.len().saturating_sub(fresh);
        (activity.iter().skip(skip).cloned().collect(), written)
    }

    async fn wait_activity(&self, app: &AppId, after: u64) {
        let mut written = self.app(app).written.subscribe();
        // The app's cell outlives every waiter: apps are never dropped.
        let _ = written.wait_for(|written| *written > after).await;
    }

    async fn sweep(&self, now: Time) {
        self.handshakes.retain(|(app, _), handshake| {
            let live = handshake.is_live(now);
            if !live && let Some(app) = self.apps.get(app) {
                app.open_handshakes.fetch_sub(1, Ordering::SeqCst);
            }
            live
        });
        let limits = &self.limits.sessions;
        self.sessions.retain(|key, cell| {
            let inner = cell.inner.lock();
            let live = inner.state.is_live(now, limits);
            if !live {
                self.codes.remove(&inner.state.creation.short_code);
                if let Some(app) = self.apps.get(&key.app) {
                    app.sessions.fetch_sub(1, Ordering::SeqCst);
                }
            }
            live
        });
    }
}
