//! The port of every log, over maps.

use std::sync::Arc;

use async_trait::async_trait;
use dashmap::DashMap;

use super::app::App;
use super::cell::Cell;
use crate::domain::clock::Time;
use crate::domain::event::{Activity, Awaited, Event, Fact};
use crate::domain::handshake::Handshake;
use crate::domain::limits::Limits;
use crate::domain::log::{Page, SessionLog, StoreCounts, Waited};
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::wire::ids::{AppId, HandshakeId, ID_BYTES_MAX, Seq, SessionKey, ShortCode};

/// Everything in maps of this process; a restart forgets it.
pub(crate) struct Memory {
    limits: Limits,
    handshakes: DashMap<(AppId, HandshakeId), Arc<Handshake>>,
    sessions: DashMap<SessionKey, Arc<Cell>>,
    codes: DashMap<ShortCode, SessionKey>,
    apps: DashMap<AppId, Arc<App>>,
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
        Arc::clone(&self.apps.entry(app.clone()).or_default())
    }

    /// Forgets the handshakes of an app that have expired.
    fn forget_expired(&self, app: &AppId, now: Time) {
        self.handshakes.retain(|(of, _), handshake| {
            let stays = of != app || handshake.is_live(now);
            if !stays {
                self.app(app).open_handshakes.give_back();
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
        let mut has_place = app.open_handshakes.take(max);
        if !has_place {
            // What has expired takes no place, swept or not.
            self.forget_expired(&handshake.app, handshake.created_at);
            has_place = app.open_handshakes.take(max);
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
        if !app.sessions.take(max) {
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
            app.sessions.give_back();
            return Err(StoreError::Missing);
        }
        app.open_handshakes.give_back();

        let born = Session::born(key.clone(), now, Arc::clone(&creation));
        let cell = Arc::new(Cell::new(born, app));
        let (written, _) = cell.append(None, facts, &self.limits)?;
        let session = cell.state();
        self.codes.insert(creation.short_code.clone(), key.clone());
        self.sessions.insert(key.clone(), Arc::clone(&cell));
        cell.record_activity(&written, &self.limits);
        Ok(session)
    }

    async fn commit(
        &self,
        key: &SessionKey,
        expected: Seq,
        facts: Vec<Fact>,
    ) -> Result<Seq, StoreError> {
        let cell = self.cell(key)?;
        let (written, head) = cell.append(Some(expected), facts, &self.limits)?;
        cell.record_activity(&written, &self.limits);
        Ok(head)
    }

    async fn session(&self, key: &SessionKey) -> Result<Arc<Session>, StoreError> {
        Ok(self.cell(key)?.state())
    }

    async fn remove(&self, key: &SessionKey, last: Fact) -> Result<(), StoreError> {
        let (_, cell) = self.sessions.remove(key).ok_or(StoreError::Missing)?;
        let (written, _) = cell.append(None, vec![last], &self.limits)?;
        self.codes.remove(&cell.state().creation.short_code);
        self.app(&key.app).sessions.give_back();
        cell.record_activity(&written, &self.limits);
        Ok(())
    }

    fn counts(&self) -> StoreCounts {
        StoreCounts {
            handshakes: self.handshakes.len(),
            sessions: self.sessions.len(),
        }
    }

    fn log_bytes(&self) -> u64 {
        let sessions = self.sessions.iter();
        sessions.map(|cell| cell.kept_bytes() as u64).sum()
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
        Ok(cells.iter().map(|cell| cell.state()).collect())
    }

    async fn read_from(
        &self,
        key: &SessionKey,
        after: Seq,
        events_max: usize,
    ) -> Result<Page, StoreError> {
        Ok(self.cell(key)?.page(after, events_max, &self.limits))
    }

    async fn wait(&self, key: &SessionKey, after: Seq, awaited: Awaited) -> Waited {
        let Ok(cell) = self.cell(key) else {
            return Waited::Gone;
        };
        let notifiers = Arc::clone(&cell.notifiers);
        // Only the notifiers are kept: the cell must be droppable while someone waits.
        drop(cell);
        notifiers.of(awaited).wait(after.0).await
    }

    async fn activity_from(&self, app: &AppId, after: u64) -> (Vec<Activity>, u64) {
        self.app(app).activity_from(after)
    }

    async fn wait_activity(&self, app: &AppId, after: u64) {
        self.app(app).wait_activity(after).await;
    }

    async fn sweep(&self, now: Time) {
        self.handshakes.retain(|(app, _), handshake| {
            let live = handshake.is_live(now);
            if !live && let Some(app) = self.apps.get(app) {
                app.open_handshakes.give_back();
            }
            live
        });
        let limits = &self.limits.sessions;
        self.sessions.retain(|key, cell| {
            let state = cell.state();
            let live = state.is_live(now, limits);
            if !live {
                self.codes.remove(&state.creation.short_code);
                if let Some(app) = self.apps.get(&key.app) {
                    app.sessions.give_back();
                }
            }
            live
        });
    }
}
