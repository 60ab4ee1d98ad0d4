//! The one port through which the log of every session is reached.

use std::sync::Arc;

use async_trait::async_trait;

use super::clock::Time;
use super::event::{Activity, Awaited, Fact, Record};
use super::handshake::Handshake;
use super::limits::SessionLimits;
use super::principal::Principal;
use super::session::Session;
use super::store::StoreError;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionKey, ShortCode};

/// A stretch of a session's log.
#[derive(Debug)]
pub(crate) struct Page {
    /// Events after the cursor, oldest first.
    pub(crate) records: Vec<Arc<Record>>,
    /// Position of the last forgotten event: a cursor before it has missed something.
    pub(crate) horizon: Seq,
    /// Position of the last event.
    pub(crate) head: Seq,
    /// Bytes of the log up to there, forgotten ones included.
    pub(crate) head_bytes: u64,
    /// Highest stream position among forgotten items that were to be replayed.
    pub(crate) forgotten_stream_seq: u64,
    /// When the session ends unless something happens.
    pub(crate) expires_at: Time,
}

/// What is kept, of all apps: what a server counts of itself.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StoreCounts {
    /// Handshakes, expired ones that were not swept included.
    pub(crate) handshakes: usize,
    /// Sessions, expired ones that were not swept included.
    pub(crate) sessions: usize,
}

/// Why a wait on a log ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Waited {
    /// The session is no longer kept.
    Gone,
    /// It is there.
    Moved,
}

/// The log of every session, and the handshakes sessions are born from.
///
/// Every method is asked with the app: another app's thing answers exactly like a missing one.
#[async_trait]
pub(crate) trait SessionLog: Send + Sync + 'static {
    /// Keeps a handshake until it is claimed or expires.
    async fn offer(&self, handshake: Handshake) -> Result<(), StoreError>;

    /// A handshake that is kept, expired or not.
    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError>;

    /// Claims a live handshake and creates a session, both or neither: of racing renders one wins.
    async fn create(
        &self,
        key: &SessionKey,
        claim: &HandshakeId,
        now: Time,
        facts: Vec<Fact>,
    ) -> Result<Arc<Session>, StoreError>;

    /// Appends to a log that still stands where it was read, and moves the state with it.
    async fn commit(
        &self,
        key: &SessionKey,
        expected: Seq,
        facts: Vec<Fact>,
    ) -> Result<Seq, StoreError>;

    /// The state of a session that is kept, expired or not.
    async fn session(&self, key: &SessionKey) -> Result<Arc<Session>, StoreError>;

    /// Forgets a session and its log; who waits for it finds it gone. The last fact is for the
    /// activity of the app.
    async fn remove(&self, key: &SessionKey, last: Fact) -> Result<(), StoreError>;

    /// What is kept now, of all apps.
    fn counts(&self) -> StoreCounts;

    /// Bytes of all logs together; each session is looked at for it.
    fn log_bytes(&self) -> u64;

    /// The session a short code opens.
    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError>;

    /// All sessions of an app that are kept, in no order.
    async fn sessions(&self, app: &AppId) -> Result<Vec<Arc<Session>>, StoreError>;

    /// Up to `events_max` events after a cursor.
    async fn read_from(
        &self,
        key: &SessionKey,
        after: Seq,
        events_max: usize,
    ) -> Result<Page, StoreError>;

    /// Returns once there is what is awaited beyond a cursor, or the session is gone.
    async fn wait(&self, key: &SessionKey, after: Seq, awaited: Awaited) -> Waited;

    /// Rows of an app's activity after a cursor, and the new cursor.
    async fn activity_from(&self, app: &AppId, after: u64) -> (Vec<Activity>, u64);

    /// Returns once an app's activity has moved beyond a cursor.
    async fn wait_activity(&self, app: &AppId, after: u64);

    /// Frees what has expired; nothing that is read depends on it.
    async fn sweep(&self, now: Time);
}

/// What a decision comes to: facts to append, and an answer.
pub(crate) struct Decision<T> {
    /// What happened; nothing is appended when it is empty.
    pub(crate) facts: Vec<Fact>,
    /// What the caller is told.
    pub(crate) answer: T,
}

impl dyn SessionLog {
    /// The state of a session that is live at this moment; an expired one is missing.
    pub(crate) async fn live(
        &self,
        key: &SessionKey,
        now: Time,
        limits: &SessionLimits,
    ) -> Result<Arc<Session>, StoreError> {
        let session = self.session(key).await?;
        if session.is_live(now, limits) {
            Ok(session)
        } else {
            Err(StoreError::Missing)
        }
    }

    /// The state of a live session that a principal may see; any other is missing.
    pub(crate) async fn seen(
        &self,
        key: &SessionKey,
        by: &Principal,
        now: Time,
        limits: &SessionLimits,
    ) -> Result<Arc<Session>, StoreError> {
        let session = self.live(key, now, limits).await?;
        if by.sees(&session.creation.owner) {
            Ok(session)
        } else {
            Err(StoreError::Missing)
        }
    }

    /// Reads a live session, decides, appends; again from the start when someone was faster.
    pub(crate) async fn transact<T, E: From<StoreError>>(
        &self,
        key: &SessionKey,
        by: &Principal,
        now: Time,
        limits: &SessionLimits,
        mut decide: impl FnMut(&Session) -> Result<Decision<T>, E>,
    ) -> Result<(T, Seq), E> {
        loop {
            let session = self.seen(key, by, now, limits).await?;
            let expected = session.seq;
            let Decision { facts, answer } = decide(&session)?;
            drop(session);
            if facts.is_empty() {
                return Ok((answer, expected));
            }
            match self.commit(key, expected, facts).await {
                Ok(seq) => return Ok((answer, seq)),
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
