//! A store that fails on purpose: before it does what it was asked for, or after. Several handles of
//! one store learn of each other's appends, as several nodes do.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, stream};
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::broadcast::{self, error::RecvError};
use tokio::sync::{RwLock, RwLockWriteGuard};

use crate::domain::activity::{Activity, ActivityStore};
use crate::domain::blueprint::{Blueprint, BlueprintStore, Registered};
use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::event::Record;
use crate::domain::handshake::Handshake;
use crate::domain::presence::{Presence, PresenceStore};
use crate::domain::replayed::{AttemptName, ReplayedAnswer, ReplayedAnswers};
use crate::domain::store::{Append, Change, Listed, SessionStore, StoreCounts};
use crate::domain::store_error::StoreError;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionKey, ShortCode};

/// When it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Never.
    Sound,
    /// Before every call.
    Every,
    /// Before every call that writes: what is kept can be read.
    EveryWrite,
    /// Before every nth call.
    Nth(u64),
    /// After every nth call that writes: it is done, and answered as if it were not known.
    AfterWrite(u64),
    /// The same, and two more calls fail: nobody can look at once what became of it.
    AfterWriteBlind(u64),
}

/// The ways to fail in which a caller who tries again succeeds in the end.
pub(super) const MODES: [Mode; 4] = [
    Mode::Sound,
    Mode::Nth(3),
    Mode::AfterWrite(2),
    Mode::AfterWriteBlind(2),
];

/// A handle of any store, with failures.
pub(crate) struct Failing<S> {
    pub(super) inner: Arc<S>,
    mode: Mutex<Mode>,
    calls: AtomicU64,
    blind: AtomicU64,
    /// Held by each reading of a log.
    reads: RwLock<()>,
    /// Which handle this is, of how many.
    handle: usize,
    handles: Arc<AtomicUsize>,
    /// What each handle has appended.
    changes: broadcast::Sender<(usize, Change)>,
}

impl<S> Failing<S> {
    /// The first handle of a store; it does not fail yet.
    pub(crate) fn new(inner: S) -> Self {
        Self::above(Arc::new(inner))
    }

    /// The same of a store that others hold.
    pub(super) fn above(inner: Arc<S>) -> Self {
        /// More than any test appends before it reads: who reads later than that misses some.
        const CHANGES_KEPT: usize = 1_024;
        Self {
            inner,
            mode: Mutex::new(Mode::Sound),
            calls: AtomicU64::new(0),
            blind: AtomicU64::new(0),
            reads: RwLock::default(),
            handle: 0,
            handles: Arc::new(AtomicUsize::new(1)),
            changes: broadcast::Sender::new(CHANGES_KEPT),
        }
    }

    /// Another handle of the same store, which does not fail yet.
    pub(crate) fn another(&self) -> Self {
        Self {
            handle: self.handles.fetch_add(1, Ordering::SeqCst),
            handles: Arc::clone(&self.handles),
            changes: self.changes.clone(),
            ..Self::above(Arc::clone(&self.inner))
        }
    }

    /// How it fails from now on.
    pub(crate) fn fail(&self, mode: Mode) {
        self.calls.store(0, Ordering::SeqCst);
        self.blind.store(0, Ordering::SeqCst);
        *self.mode.lock() = mode;
    }

    /// How many calls there were since it fails every nth time.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::SeqCst)
    }

    /// Until this is dropped, logs are read and nothing is answered.
    pub(crate) async fn hold_reads(&self) -> RwLockWriteGuard<'_, ()> {
        self.reads.write().await
    }

    fn is_nth(&self, every: u64) -> bool {
        (self.calls.fetch_add(1, Ordering::SeqCst) + 1).is_multiple_of(every)
    }

    fn is_blind(&self) -> bool {
        let left = |left: u64| left.checked_sub(1);
        let order = Ordering::SeqCst;
        self.blind.fetch_update(order, order, left).is_ok()
    }

    /// Before a call that reads.
    fn read(&self) -> Result<(), StoreError> {
        let mode = *self.mode.lock();
        match mode {
            Mode::Every => Err(unavailable()),
            Mode::Nth(every) if self.is_nth(every) => Err(unavailable()),
            Mode::AfterWriteBlind(_) if self.is_blind() => Err(unavailable()),
            _ => Ok(()),
        }
    }

    /// A call that reads.
    pub(super) async fn reading<T>(
        &self,
        call: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        self.read()?;
        call.await
    }

    /// A call that writes.
    pub(super) async fn write<T>(
        &self,
        call: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        let mode = *self.mode.lock();
        match mode {
            Mode::Every | Mode::EveryWrite => Err(unavailable()),
            Mode::Nth(every) if self.is_nth(every) => Err(unavailable()),
            Mode::AfterWriteBlind(_) if self.is_blind() => Err(unavailable()),
            Mode::AfterWrite(every) | Mode::AfterWriteBlind(every) => {
                let done = call.await;
                if done.is_ok() && self.is_nth(every) {
                    self.blind.store(2, Ordering::SeqCst);
                    return Err(unavailable());
                }
                done
            }
            Mode::Sound | Mode::Nth(_) => call.await,
        }
    }
}

fn unavailable() -> StoreError {
    StoreError::unavailable("on purpose")
}

#[async_trait]
impl<S: SessionStore> SessionStore for Failing<S> {
    async fn put_handshake(
        &self,
        handshake: Arc<Handshake>,
        documents: Vec<Document>,
        open_max: usize,
    ) -> Result<(), StoreError> {
        let call = self.inner.put_handshake(handshake, documents, open_max);
        self.write(call).await
    }

    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError> {
        self.read()?;
        self.inner.handshake(app, id).await
    }

    async fn create(
        &self,
        claim: &HandshakeId,
        now: Time,
        birth: &Append,
        documents: Vec<Document>,
        sessions_max: usize,
    ) -> Result<(), StoreError> {
        let call = self
            .inner
            .create(claim, now, birth, documents, sessions_max);
        self.write(call).await
    }

    async fn append(&self, append: &Append) -> Result<(), StoreError> {
        let change = Change {
            key: append.key.clone(),
            head: append.head(),
        };
        let append = async {
            self.inner.append(append).await?;
            // Nobody may watch.
            let _ = self.changes.send((self.handle, change));
            Ok(())
        };
        self.write(append).await
    }

    async fn read(&self, key: &SessionKey, after: Seq) -> Result<Vec<Arc<Record>>, StoreError> {
        self.read()?;
        let read = self.inner.read(key, after).await;
        let _answered = self.reads.read().await;
        read
    }

    async fn document(&self, hash: DocumentHash) -> Result<Arc<Value>, StoreError> {
        self.read()?;
        self.inner.document(hash).await
    }

    fn sessions(&self, app: &AppId) -> BoxStream<'_, Result<Listed, StoreError>> {
        match self.read() {
            Ok(()) => self.inner.sessions(app),
            Err(error) => stream::once(async { Err(error) }).boxed(),
        }
    }

    async fn session_names(
        &self,
        app: &AppId,
        prefix: &str,
    ) -> Result<Vec<crate::wire::ids::SessionId>, StoreError> {
        self.read()?;
        self.inner.session_names(app, prefix).await
    }

    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError> {
        self.read()?;
        self.inner.opened_by(code).await
    }

    async fn counts(&self) -> Result<StoreCounts, StoreError> {
        self.read()?;
        self.inner.counts().await
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        self.read()?;
        self.inner.sweep(now).await
    }

    fn is_shared(&self) -> bool {
        self.handles.load(Ordering::SeqCst) > 1
    }

    fn watch(&self) -> BoxStream<'static, Change> {
        let own = self.handle;
        let changes = stream::unfold(self.changes.subscribe(), async |mut changes| {
            loop {
                match changes.recv().await {
                    Ok(change) => return Some((change, changes)),
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return None,
                }
            }
        });
        let of_others = changes
            .filter_map(move |(handle, change)| async move { (handle != own).then_some(change) });
        of_others.boxed()
    }
}

#[async_trait]
impl<S: BlueprintStore> BlueprintStore for Failing<S> {
    async fn put(
        &self,
        app: &AppId,
        blueprint: Registered,
        documents: Vec<Document>,
        replaces: Option<Arc<str>>,
    ) -> Result<(), StoreError> {
        let call = self.inner.put(app, blueprint, documents, replaces);
        self.write(call).await
    }

    async fn list(&self, app: &AppId) -> Result<Vec<Registered>, StoreError> {
        self.read()?;
        self.inner.list(app).await
    }

    async fn find(&self, app: &AppId, key: &str) -> Result<Arc<Blueprint>, StoreError> {
        self.read()?;
        self.inner.find(app, key).await
    }

    async fn get(&self, app: &AppId, id: &str) -> Result<Registered, StoreError> {
        self.read()?;
        self.inner.get(app, id).await
    }

    async fn documents(&self, app: &AppId, id: &str) -> Result<Vec<Document>, StoreError> {
        self.read()?;
        self.inner.documents(app, id).await
    }

    async fn hit(&self, app: &AppId, id: &str, now: Time) -> Result<(), StoreError> {
        self.write(self.inner.hit(app, id, now)).await
    }

    async fn remove(&self, app: &AppId, id: &str) -> Result<(), StoreError> {
        self.write(self.inner.remove(app, id)).await
    }
}

#[async_trait]
impl<S: ActivityStore> ActivityStore for Failing<S> {
    async fn add(&self, app: &AppId, rows: &[Activity], rows_max: usize) -> Result<(), StoreError> {
        self.write(self.inner.add(app, rows, rows_max)).await
    }

    async fn after(&self, app: &AppId, at: u64) -> Result<(Vec<Activity>, u64), StoreError> {
        self.read()?;
        self.inner.after(app, at).await
    }

    async fn wait(&self, app: &AppId, at: u64) -> Result<(), StoreError> {
        self.read()?;
        self.inner.wait(app, at).await
    }
}

#[async_trait]
impl<S: PresenceStore> PresenceStore for Failing<S> {
    async fn presence(&self, key: &SessionKey) -> Result<Presence, StoreError> {
        self.read()?;
        self.inner.presence(key).await
    }

    async fn wait(&self, key: &SessionKey, arrivals: u64) -> Result<(), StoreError> {
        self.read()?;
        self.inner.wait(key, arrivals).await
    }

    async fn enter(&self, key: &SessionKey) -> Result<(), StoreError> {
        self.write(self.inner.enter(key)).await
    }

    fn leave(&self, key: &SessionKey, at: Time) {
        self.inner.leave(key, at);
    }

    async fn announce(&self, key: &SessionKey, is_present: bool) -> Result<bool, StoreError> {
        self.write(self.inner.announce(key, is_present)).await
    }

    async fn absent(&self) -> Result<Vec<(SessionKey, Presence)>, StoreError> {
        self.read()?;
        self.inner.absent().await
    }

    async fn forget(&self, before: Time) -> Result<(), StoreError> {
        self.write(self.inner.forget(before)).await
    }

    fn count(&self) -> usize {
        self.inner.count()
    }
}

#[async_trait]
impl<S: ReplayedAnswers> ReplayedAnswers for Failing<S> {
    async fn find(
        &self,
        name: &AttemptName,
        now: Time,
    ) -> Result<Option<ReplayedAnswer>, StoreError> {
        self.read()?;
        self.inner.find(name, now).await
    }

    async fn keep(&self, name: AttemptName, answer: ReplayedAnswer) -> Result<(), StoreError> {
        self.write(self.inner.keep(name, answer)).await
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        self.read()?;
        self.inner.sweep(now).await
    }
}
