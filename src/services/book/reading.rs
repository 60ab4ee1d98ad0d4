//! What is read of sessions: one by its key, all that a principal may see, pages of their logs.

use std::sync::Arc;

use futures_util::StreamExt as _;

use super::entry::{Entry, Page};
use super::error::BookError;
use super::notifiers::Waited;
use super::service::Book;
use crate::domain::activity::Activity;
use crate::domain::clock::Time;
use crate::domain::event::Awaited;
use crate::domain::principal::Principal;
use crate::domain::session::Session;
use crate::domain::store::{Listed, StoreCounts};
use crate::domain::store_error::StoreError;
use crate::domain::summary::Summary;
use crate::wire::ids::{AppId, Epoch, Seq, SessionKey, ShortCode};

impl Book {
    /// A session that is kept, expired or not.
    pub(crate) async fn session(&self, key: &SessionKey) -> Result<Arc<Session>, StoreError> {
        Ok(self.cell(key).await?.session())
    }

    /// A session that is live at this moment; an expired one is missing.
    pub(crate) async fn live(&self, key: &SessionKey) -> Result<Arc<Session>, StoreError> {
        let now = self.clock.now();
        let session = self.session(key).await?;
        if session.is_live(now, &self.limits.sessions) {
            Ok(session)
        } else {
            Err(StoreError::Missing)
        }
    }

    /// A live session that a principal may see; any other is missing.
    pub(crate) async fn seen(
        &self,
        key: &SessionKey,
        by: &Principal,
    ) -> Result<Arc<Session>, StoreError> {
        let now = self.clock.now();
        let session = self.session(key).await?;
        self.check_seen(&session, by, now)?;
        Ok(session)
    }

    /// The same for someone who has seen more of it, at another node, than this one was told of.
    pub(crate) async fn seen_newest(
        &self,
        key: &SessionKey,
        by: &Principal,
    ) -> Result<Arc<Session>, StoreError> {
        if self.store.is_shared() {
            self.kept(key).await?.set_behind();
        }
        self.seen(key, by).await
    }

    /// The same by the name it was asked for.
    pub(crate) async fn find(
        &self,
        by: &Principal,
        session: &str,
    ) -> Result<Arc<Session>, BookError> {
        let key = by.key(session);
        let seen = self.seen(&key, by).await;
        seen.map_err(BookError::on(&key))
    }

    pub(super) fn check_seen(
        &self,
        session: &Session,
        by: &Principal,
        now: Time,
    ) -> Result<(), StoreError> {
        let is_live = session.is_live(now, &self.limits.sessions);
        if is_live && by.sees(&session.creation.owner) {
            Ok(())
        } else {
            Err(StoreError::Missing)
        }
    }

    /// Calls `each` with every live session of its app that a principal may see, in no order, as they
    /// are read. No log is read for it, apart from those to which only an earlier release has appended.
    pub(crate) async fn for_each_seen(
        &self,
        by: &Principal,
        mut each: impl FnMut(SessionKey, Summary),
    ) -> Result<(), StoreError> {
        let mut sessions = self.store.sessions(&by.app);
        while let Some(listed) = sessions.next().await {
            let Listed { session, summary } = listed?;
            let key = SessionKey {
                app: by.app.clone(),
                session,
            };
            let summary = match summary {
                Some(summary) => summary,
                None => match self.load(&key).await {
                    Err(StoreError::Missing) => continue,
                    loaded => loaded?.session().summary(),
                },
            };
            let expires_at = summary.expires_at(&self.limits.sessions);
            if self.clock.now() < expires_at && by.sees(&summary.owner) {
                each(key, summary);
            }
        }
        Ok(())
    }

    /// The names of the sessions of an app that begin with a text, in no order. Some may be of
    /// sessions that are gone.
    #[cfg(feature = "gate")]
    pub(crate) async fn names(
        &self,
        app: &AppId,
        prefix: &str,
    ) -> Result<Vec<crate::wire::ids::SessionId>, StoreError> {
        self.store.session_names(app, prefix).await
    }

    /// A session as it was when an epoch ended, or as it is where that has not ended. What is no
    /// longer in the log is missing.
    pub(crate) async fn at(
        &self,
        key: &SessionKey,
        by: &Principal,
        epoch: Epoch,
    ) -> Result<Arc<Session>, StoreError> {
        let cell = self.cell(key).await?;
        self.check_seen(&cell.session(), by, self.clock.now())?;
        cell.at(epoch).ok_or(StoreError::Missing)
    }

    /// The session a short code opens.
    pub(crate) async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError> {
        self.store.opened_by(code).await
    }

    /// Up to `events_max` events after a cursor.
    pub(crate) async fn page(
        &self,
        key: &SessionKey,
        after: Seq,
        events_max: usize,
    ) -> Result<Page, StoreError> {
        let cell = self.cell(key).await?;
        Ok(cell.page(after, events_max, &self.limits))
    }

    /// A session as it is now, and what is kept of its log after the last event that somebody has
    /// seen: both of the same moment.
    pub(crate) async fn whole(
        &self,
        key: &SessionKey,
        has_seen: impl Fn(&Session, &Entry) -> bool,
    ) -> Result<(Arc<Session>, Page), StoreError> {
        let cell = self.cell(key).await?;
        Ok(cell.whole(has_seen, &self.limits))
    }

    /// Returns once there is what is awaited beyond a cursor, or the session is gone.
    pub(crate) async fn wait(
        &self,
        key: &SessionKey,
        after: Seq,
        awaited: Awaited,
    ) -> Result<Waited, StoreError> {
        // What a session that was just read has missed meanwhile must not be waited for.
        let notifiers = match self.cell(key).await {
            Ok(cell) => Arc::clone(&cell.notifiers),
            Err(StoreError::Missing) => return Ok(Waited::Gone),
            Err(error) => return Err(error),
        };
        // Only the notifiers are kept: the cell must be droppable while someone waits.
        Ok(notifiers.of(awaited).wait(after.0).await)
    }

    /// Rows of an app's activity after a cursor, and the new cursor.
    pub(crate) async fn activity_from(
        &self,
        app: &AppId,
        after: u64,
    ) -> Result<(Vec<Activity>, u64), StoreError> {
        self.activity.store.after(app, after).await
    }

    /// Returns once an app's activity has moved beyond a cursor.
    pub(crate) async fn wait_activity(&self, app: &AppId, after: u64) -> Result<(), StoreError> {
        self.activity.store.wait(app, after).await
    }

    /// What is kept now, of all apps.
    pub(crate) async fn counts(&self) -> Result<StoreCounts, StoreError> {
        self.store.counts().await
    }

    /// Bytes of all logs in memory; each session is looked at for it.
    pub(crate) fn log_bytes(&self) -> u64 {
        self.cells.iter().map(|cell| cell.kept_bytes()).sum()
    }
}
