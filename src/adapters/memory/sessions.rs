//! Sessions and handshakes in maps of this process.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use parking_lot::Mutex;
use serde_json::Value;

use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::event::{Event, Record};
use crate::domain::handshake::Handshake;
use crate::domain::store::{Append, Listed, SessionStore, StoreCounts, WriteId};
use crate::domain::store_error::StoreError;
use crate::domain::summary::Summary;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionId, SessionKey, ShortCode};

/// Everything behind one lock: what is done under it is pushing a few pointers, and readers are
/// served from the states above the store.
#[derive(Default)]
pub(crate) struct MemorySessions(Mutex<Data>);

#[derive(Default)]
struct Data {
    apps: HashMap<AppId, AppData>,
    /// Also of sessions that are gone, until the next sweep.
    codes: HashMap<ShortCode, SessionKey>,
}

#[derive(Default)]
struct AppData {
    /// With the documents they name.
    handshakes: HashMap<HandshakeId, (Arc<Handshake>, Vec<Document>)>,
    sessions: HashMap<SessionId, Log>,
}

struct Log {
    /// Each with the append that wrote it; never empty.
    records: Vec<(WriteId, Arc<Record>)>,
    expires_at: Time,
    summary: Summary,
    documents: Vec<Document>,
}

impl Log {
    /// Whether it already has an append; a conflict where it has gone on with another one.
    fn has(&self, append: &Append) -> Result<bool, StoreError> {
        let mut latest_first = self.records.iter().rev();
        let is_last = |(_, last): &(WriteId, Arc<Record>)| last.seq == append.expected;
        if latest_first.clone().next().is_some_and(is_last) {
            return Ok(false);
        }
        let first = append.expected.next();
        let found = latest_first.find(|(_, record)| record.seq == first);
        match found {
            Some((id, record)) if *id == append.id && !is_snapshot(record) => Ok(true),
            _ => Err(StoreError::Conflict),
        }
    }
}

fn is_snapshot(record: &Record) -> bool {
    matches!(record.fact.event, Event::Snapshot(_))
}

fn named(id: WriteId, records: &[Arc<Record>]) -> impl Iterator<Item = (WriteId, Arc<Record>)> {
    records.iter().map(move |record| (id, Arc::clone(record)))
}

impl Data {
    fn log(&self, key: &SessionKey) -> Result<&Log, StoreError> {
        let app = self.apps.get(&key.app);
        let log = app.and_then(|app| app.sessions.get(&key.session));
        log.ok_or(StoreError::Missing)
    }
}

#[async_trait]
impl SessionStore for MemorySessions {
    async fn put_handshake(
        &self,
        handshake: Arc<Handshake>,
        documents: Vec<Document>,
        open_max: usize,
    ) -> Result<(), StoreError> {
        let mut data = self.0.lock();
        let open = &mut data
            .apps
            .entry(handshake.app.clone())
            .or_default()
            .handshakes;
        if open.len() >= open_max {
            // What has expired takes no place, swept or not.
            open.retain(|_, (open, _)| open.is_live(handshake.created_at));
        }
        if open.len() >= open_max {
            let free_at = open.values().map(|(open, _)| open.expires_at).min();
            return Err(StoreError::too_many_handshakes(open_max, free_at));
        }
        open.insert(handshake.id.clone(), (handshake, documents));
        Ok(())
    }

    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError> {
        let data = self.0.lock();
        let found = data.apps.get(app).and_then(|app| app.handshakes.get(id));
        found
            .map(|(open, _)| Arc::clone(open))
            .ok_or(StoreError::Missing)
    }

    async fn create(
        &self,
        claim: &HandshakeId,
        now: Time,
        birth: &Append,
        documents: Vec<Document>,
        sessions_max: usize,
    ) -> Result<(), StoreError> {
        let mut data = self.0.lock();
        let Data { apps, codes } = &mut *data;
        let app = apps.get_mut(&birth.key.app).ok_or(StoreError::Missing)?;
        if let Some(log) = app.sessions.get(&birth.key.session) {
            return log.has(birth).map(|_| ());
        }
        if app.sessions.len() >= sessions_max {
            return Err(StoreError::too_many_sessions(sessions_max));
        }
        let open = app.handshakes.get(claim);
        if !open.is_some_and(|(open, _)| open.is_live(now)) {
            return Err(StoreError::Missing);
        }
        app.handshakes.remove(claim);
        if let Some(code) = birth.short_code() {
            codes.insert(code.clone(), birth.key.clone());
        }
        let log = Log {
            records: named(birth.id, &birth.records).collect(),
            expires_at: birth.expires_at,
            summary: birth.summary.clone(),
            documents,
        };
        app.sessions.insert(birth.key.session.clone(), log);
        Ok(())
    }

    async fn append(&self, append: &Append) -> Result<(), StoreError> {
        let mut data = self.0.lock();
        let sessions = data.apps.get_mut(&append.key.app);
        let sessions = &mut sessions.ok_or(StoreError::Missing)?.sessions;
        let log = sessions.get_mut(&append.key.session);
        let log = log.ok_or(StoreError::Missing)?;
        if log.has(append)? {
            return Ok(());
        }
        if append.is_end() {
            sessions.remove(&append.key.session);
            return Ok(());
        }
        if let Some(snapshot) = &append.snapshot {
            log.records.retain(|(_, record)| record.seq > snapshot.seq);
            log.records.insert(0, (append.id, Arc::clone(snapshot)));
        }
        log.records.extend(named(append.id, &append.records));
        log.expires_at = append.expires_at;
        log.summary = append.summary.clone();
        Ok(())
    }

    async fn read(&self, key: &SessionKey, after: Seq) -> Result<Vec<Arc<Record>>, StoreError> {
        let data = self.0.lock();
        let records = data.log(key)?.records.iter().map(|(_, record)| record);
        let later = records.filter(|record| record.seq > after);
        Ok(later.cloned().collect())
    }

    async fn document(&self, hash: DocumentHash) -> Result<Arc<Value>, StoreError> {
        // Nobody asks as long as a compiled contract is held, so that no index is kept for it.
        let data = self.0.lock();
        let handshakes = data.apps.values().flat_map(|app| app.handshakes.values());
        let sessions = data.apps.values().flat_map(|app| app.sessions.values());
        let of_handshakes = handshakes.flat_map(|(_, documents)| documents);
        let mut documents = of_handshakes.chain(sessions.flat_map(|log| &log.documents));
        let found = documents.find(|document| document.hash == hash);
        found
            .map(|document| Arc::clone(&document.value))
            .ok_or(StoreError::Missing)
    }

    fn sessions(&self, app: &AppId) -> BoxStream<'_, Result<Listed, StoreError>> {
        let data = self.0.lock();
        let sessions = data.apps.get(app).into_iter().flat_map(|app| &app.sessions);
        let listed = sessions.map(|(session, log)| {
            Ok(Listed {
                session: session.clone(),
                summary: Some(log.summary.clone()),
            })
        });
        stream::iter(listed.collect::<Vec<_>>()).boxed()
    }

    async fn session_names(&self, app: &AppId, prefix: &str) -> Result<Vec<SessionId>, StoreError> {
        let data = self.0.lock();
        let sessions = data.apps.get(app).into_iter().flat_map(|app| &app.sessions);
        let names = sessions.map(|(session, _)| session);
        let names = names.filter(|name| name.as_str().starts_with(prefix));
        Ok(names.cloned().collect())
    }

    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError> {
        let data = self.0.lock();
        let key = data.codes.get(code).ok_or(StoreError::Missing)?;
        data.log(key).map(|_| key.clone())
    }

    async fn counts(&self) -> Result<StoreCounts, StoreError> {
        let data = self.0.lock();
        Ok(StoreCounts {
            handshakes: data.apps.values().map(|app| app.handshakes.len()).sum(),
            sessions: data.apps.values().map(|app| app.sessions.len()).sum(),
        })
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        let mut data = self.0.lock();
        data.apps.retain(|_, app| {
            app.handshakes.retain(|_, (open, _)| open.is_live(now));
            app.sessions.retain(|_, log| now < log.expires_at);
            !app.handshakes.is_empty() || !app.sessions.is_empty()
        });
        let Data { apps, codes } = &mut *data;
        codes.retain(|_, key| {
            let app = apps.get(&key.app);
            app.is_some_and(|app| app.sessions.contains_key(&key.session))
        });
        Ok(())
    }

    fn is_outside_process(&self) -> bool {
        false
    }
}
