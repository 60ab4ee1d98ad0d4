//! The port through which sessions and handshakes are kept. A store knows positions, times of expiry
//! and nothing of what events mean: `services/book` decides, folds, counts and wakes.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use serde_json::Value;

use super::clock::{Ids, Time};
use super::document::{Document, DocumentHash};
use super::event::{Event, Record};
use super::handshake::Handshake;
use super::store_error::StoreError;
use super::summary::Summary;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionId, SessionKey, ShortCode};

/// Names one append: nothing else has ever had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WriteId(pub(crate) u64);

impl WriteId {
    /// A fresh one.
    pub(crate) fn new(ids: &dyn Ids) -> Self {
        let mut bytes = [0; 8];
        ids.fill(&mut bytes);
        Self(u64::from_be_bytes(bytes))
    }
}

/// Gives one name after another, from a place where nobody else gives any: the system is asked for
/// randomness once and not for each append.
#[derive(Debug)]
pub(crate) struct WriteIds(AtomicU64);

impl WriteIds {
    /// Begins at a fresh one.
    pub(crate) fn new(ids: &dyn Ids) -> Self {
        Self(AtomicU64::new(WriteId::new(ids).0))
    }

    /// The next one.
    pub(crate) fn next(&self) -> WriteId {
        WriteId(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

impl fmt::Display for WriteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Records that follow one another in the log of one session.
#[derive(Clone, Debug)]
pub(crate) struct Append {
    /// By this the store knows it again.
    pub(crate) id: WriteId,
    pub(crate) key: SessionKey,
    /// Position of the last record before them.
    pub(crate) expected: Seq,
    /// At least one, without gaps. After a `Deleted` the session is missing.
    pub(crate) records: Vec<Arc<Record>>,
    /// When the session is gone unless more is appended: the store may forget it then.
    pub(crate) expires_at: Time,
    /// A snapshot at an earlier position: all records up to there may be forgotten.
    pub(crate) snapshot: Option<Arc<Record>>,
    /// What lists show of the session from then on.
    pub(crate) summary: Summary,
}

impl Append {
    /// Position of the last record.
    pub(crate) fn head(&self) -> Seq {
        self.records.last().map_or(self.expected, |last| last.seq)
    }

    /// Whether the session is missing afterwards.
    pub(crate) fn is_end(&self) -> bool {
        let last = self.records.last();
        last.is_some_and(|record| record.fact.event == Event::Deleted)
    }

    /// The code that opens the session, where it is begun.
    pub(crate) fn short_code(&self) -> Option<&ShortCode> {
        match &self.records.first()?.fact.event {
            Event::Created(creation) => Some(&creation.short_code),
            _ => None,
        }
    }
}

/// A session in the list of its app.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Listed {
    pub(crate) session: SessionId,
    /// As the last append has left it; none where an earlier release wrote that, which kept only the
    /// log.
    pub(crate) summary: Option<Summary>,
}

/// Word that a session has moved on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) key: SessionKey,
    /// Position of its last record.
    pub(crate) head: Seq,
}

/// What is kept, of all apps: what a server counts of itself.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StoreCounts {
    /// Handshakes, expired ones that were not swept included.
    pub(crate) handshakes: usize,
    /// Sessions, expired ones that were not swept included.
    pub(crate) sessions: usize,
}

/// The log of every session, and the handshakes sessions are born from.
///
/// Every method is asked with the app: another app's thing answers exactly like a missing one. Each
/// may be [`StoreError::Unavailable`]. What a method has acknowledged is kept.
#[async_trait]
pub(crate) trait SessionStore: Send + Sync + 'static {
    /// Keeps a handshake until it is claimed or expires, and the documents it names as long.
    /// `Full` where an app has `open_max` live ones at the moment it is created.
    async fn put_handshake(
        &self,
        handshake: Arc<Handshake>,
        documents: Vec<Document>,
        open_max: usize,
    ) -> Result<(), StoreError>;

    /// A handshake that is kept, expired or not.
    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError>;

    /// Claims a live handshake and begins a log at position zero, both or neither: of racing claims
    /// one wins, the others find the handshake missing. One that was done is acknowledged again. The
    /// documents are kept as long as the session. `Full` where an app has `sessions_max` of them.
    async fn create(
        &self,
        claim: &HandshakeId,
        now: Time,
        birth: &Append,
        documents: Vec<Document>,
        sessions_max: usize,
    ) -> Result<(), StoreError>;

    /// Appends to a log that still stands where it was read. An append that is in the log, known by
    /// its id, is acknowledged again and changes nothing: whoever was not answered makes it once
    /// more to learn what became of it.
    async fn append(&self, append: &Append) -> Result<(), StoreError>;

    /// All records after a position, oldest first. Where some of them are forgotten, a snapshot is
    /// the first and stands for them: from position zero that is all that is kept.
    async fn read(&self, key: &SessionKey, after: Seq) -> Result<Vec<Arc<Record>>, StoreError>;

    /// A document that some handshake or session names.
    async fn document(&self, hash: DocumentHash) -> Result<Arc<Value>, StoreError>;

    /// All sessions of an app that are kept, in no order, as they are read: never all of them in
    /// memory. No log is read for it.
    fn sessions(&self, app: &AppId) -> BoxStream<'_, Result<Listed, StoreError>>;

    /// The names of the sessions of an app that begin with a text, in no order. Some may be of
    /// sessions that are gone.
    async fn session_names(&self, app: &AppId, prefix: &str) -> Result<Vec<SessionId>, StoreError>;

    /// The session a short code opens.
    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError>;

    /// What is kept now, of all apps.
    async fn counts(&self) -> Result<StoreCounts, StoreError>;

    /// Frees what has expired; nothing that is read depends on it.
    async fn sweep(&self, now: Time) -> Result<(), StoreError>;

    /// What others than this handle have appended, where there are others. It is a hint: some may
    /// be missed.
    fn watch(&self) -> BoxStream<'static, Change> {
        stream::pending().boxed()
    }

    /// Whether others than this handle append.
    fn is_shared(&self) -> bool {
        false
    }

    /// Whether what is kept takes memory elsewhere than in this process: a session that nobody uses
    /// need not stay in memory then.
    fn is_outside_process(&self) -> bool {
        true
    }
}
