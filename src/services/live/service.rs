//! Following a session: who may, from which snapshot on, and what those who watch are told.

use std::sync::Arc;

use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::super::book::{Book, BookError, Decision};
use super::error::{CursorError, LiveError};
use super::owed::{Owed, Since, Wanted, is_within, ledger_owed};
use super::reader::Reader;
use crate::domain::activity::Activity;
use crate::domain::brain::PageFeeds;
use crate::domain::clock::Clock;
use crate::domain::event::{Event, Fact};
use crate::domain::limits::{Limits, SessionLimits, quota};
use crate::domain::operation::Caller;
use crate::domain::places::{Place, Places};
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::domain::store::StoreCounts;
use crate::domain::store_error::StoreError;
use crate::domain::summary::Summary;
use crate::wire::ids::{SessionKey, ShortCode};

/// Lets browsers follow sessions.
pub(crate) struct Live {
    pub(super) book: Arc<Book>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) limits: SessionLimits,
    /// Cancelled when the server drains: held pages are then answered at once.
    pub(super) drain: CancellationToken,
    /// Feeds channels of what is watched.
    pub(super) feeds: Arc<dyn PageFeeds>,
    pub(super) followers: Arc<Places<SessionKey>>,
    observed_rate: DefaultKeyedRateLimiter<SessionKey>,
}

/// A session to be followed from a snapshot on.
pub(crate) struct Subscription {
    pub(crate) session: Arc<Session>,
    /// Whether some of the stream it is owed is forgotten.
    pub(crate) replay_truncated: bool,
    /// Why it gets no ledger, where it asked for one.
    pub(crate) cursor_error: Option<CursorError>,
    /// What it is owed, and what comes after the snapshot.
    pub(crate) reader: Reader,
}

impl Live {
    /// The use cases over the book.
    pub(crate) fn new(
        book: Arc<Book>,
        clock: Arc<dyn Clock>,
        limits: &Limits,
        drain: CancellationToken,
        feeds: Arc<dyn PageFeeds>,
    ) -> Self {
        let reports = &limits.reports;
        let (per_second, burst) = quota(reports.observed_per_second, reports.observed_burst);
        Self {
            book,
            clock,
            limits: limits.sessions.clone(),
            drain,
            feeds,
            followers: Arc::new(Places::new(limits.sockets.per_session_max)),
            observed_rate: RateLimiter::keyed(Quota::per_second(per_second).allow_burst(burst)),
        }
    }

    /// Tells those who watch a session what the server saw. Only so often: what strangers bring
    /// about must not push a session's history out of its log.
    pub(crate) async fn notify_observers(&self, key: &SessionKey, event: Value) {
        if self.observed_rate.check_key(key).is_err() {
            return;
        }
        let caller = Caller::server(key.app.clone());
        let now = self.clock.now();
        let decide = |_: &Session| -> Result<Decision<()>, BookError> {
            let event = Event::Observed(event.clone());
            Ok(Decision::of([Fact::by(&caller, now, event)]))
        };
        // A session that is gone has nobody left who watches.
        let _ = self.book.decide(&caller, key, decide).await;
    }

    /// Frees what rates remember of sessions that are quiet.
    pub(crate) fn sweep(&self) {
        self.observed_rate.retain_recent();
    }

    /// A session that is live now, for whoever was handed the key to it.
    pub(crate) async fn read(&self, key: &SessionKey) -> Result<Arc<Session>, StoreError> {
        self.book.live(key).await
    }

    /// A session that is live now, for whoever was handed a link to it.
    pub(crate) async fn opened_by(&self, code: &ShortCode) -> Result<Arc<Session>, StoreError> {
        let key = self.book.opened_by(code).await?;
        self.read(&key).await
    }

    /// What happened in the sessions of an app after a position, as far as a principal may see it,
    /// and the position after it.
    pub(crate) async fn activity(
        &self,
        by: &Principal,
        after: u64,
    ) -> Result<(Vec<Activity>, u64), StoreError> {
        let (mut rows, head) = self.book.activity_from(&by.app, after).await?;
        rows.retain(|row| by.sees(&row.owner));
        Ok((rows, head))
    }

    /// Returns once something has happened in the sessions of an app after a position.
    pub(crate) async fn wait_activity(&self, by: &Principal, after: u64) -> Result<(), StoreError> {
        self.book.wait_activity(&by.app, after).await
    }

    /// What is kept, of all apps.
    pub(crate) async fn counts(&self) -> Result<StoreCounts, StoreError> {
        self.book.counts().await
    }

    /// Bytes of the events that sessions keep.
    pub(crate) fn log_bytes(&self) -> u64 {
        self.book.log_bytes()
    }

    /// A session that is live now and the principal's to see.
    pub(crate) async fn read_as(
        &self,
        principal: &Principal,
        session: &str,
    ) -> Result<Arc<Session>, StoreError> {
        let key = principal.key(session);
        self.book.seen(&key, principal).await
    }

    /// Calls `each` with every session that is live now and the principal's to see, in no order.
    pub(crate) async fn for_each(
        &self,
        principal: &Principal,
        each: impl FnMut(SessionKey, Summary),
    ) -> Result<(), StoreError> {
        self.book.for_each_seen(principal, each).await
    }

    /// A place among those who follow a session, whichever way.
    pub(super) fn enter(&self, key: &SessionKey) -> Result<Place<SessionKey>, LiveError> {
        let place = self.followers.enter(key);
        place.map_err(|full| LiveError::Full { max: full.max() })
    }

    /// How many follow sessions now.
    pub(crate) fn following(&self) -> usize {
        self.followers.count()
    }

    /// Opens a session for a reader that has seen what it says.
    pub(crate) async fn subscribe(
        &self,
        key: &SessionKey,
        by: &Principal,
        wanted: Wanted,
    ) -> Result<Subscription, LiveError> {
        // Whoever comes from another node has seen what this one may not have been told of.
        self.book.seen_newest(key, by).await?;
        let place = self.enter(key)?;
        let (session, page) = self
            .book
            .whole(key, |session, entry| wanted.has_seen(session, entry))
            .await?;
        let (rows, cursor_error) = match wanted.since {
            None => (Vec::new(), None),
            Some(Since::Malformed) => (Vec::new(), Some(CursorError::Malformed)),
            Some(Since::Position(after)) if !is_within(after, &page) => {
                let current = session.seq;
                (Vec::new(), Some(CursorError::Passed { current }))
            }
            Some(Since::Position(after)) => (ledger_owed(&page, after, session.seq), None),
        };
        let owed = Owed::new(&session, rows, &page, &wanted);
        Ok(Subscription {
            replay_truncated: wanted
                .from_seq
                .is_some_and(|from| from < page.forgotten_stream_seq),
            cursor_error,
            reader: Reader {
                book: Arc::clone(&self.book),
                clock: Arc::clone(&self.clock),
                limits: self.limits.clone(),
                key: key.clone(),
                cursor: session.seq,
                cursor_bytes: session.log_bytes,
                stream_cursor: session.stream_seq,
                observes: wanted.observes,
                announced_end: None,
                owed: Some(Box::new(owed)),
                _place: place,
                // Of a snapshot: what is told from now on comes after it.
                _watch: Arc::clone(&self.feeds).watch(&session),
            },
            session,
        })
    }
}
