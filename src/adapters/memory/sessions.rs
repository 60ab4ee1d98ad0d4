//! Sessions and handshakes in maps of this process.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};

use async_trait::async_trait;
use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use parking_lot::Mutex;
use serde_json::Value;

use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::event::{Event, Record};
use crate::domain::handshake::Handshake;
use crate::domain::store::{Append, Change, Listed, SessionStore, StoreCounts, WriteId};
use crate::domain::store_error::StoreError;
use crate::domain::summary::Summary;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionId, SessionKey, ShortCode};

/// Everything behind one lock: what is done under it is pushing a few pointers, and readers are
/// served from the states above the store.
#[derive(Default)]
pub(crate) struct MemorySessions(Mutex<Data>);

#[derive(Default)]
struct Data {
    handshakes: HashMap<AppId, HashMap<HandshakeId, Open>>,
    sessions: HashMap<AppId, HashMap<SessionId, Log>>,
    codes: HashMap<ShortCode, SessionKey>,
    /// Held by the handshakes and sessions that name them.
    documents: HashMap<DocumentHash, Weak<Value>>,
}

struct Open {
    handshake: Arc<Handshake>,
    _documents: Vec<Document>,
}

struct Log {
    /// With the append that wrote it.
    records: VecDeque<(WriteId, Arc<Record>)>,
    head: Seq,
    expires_at: Time,
    summary: Summary,
    code: Option<ShortCode>,
    _documents: Vec<Document>,
}

impl Data {
    fn log(&self, key: &SessionKey) -> Result<&Log, StoreError> {
        let logs = self.sessions.get(&key.app);
        let log = logs.and_then(|logs| logs.get(&key.session));
        log.ok_or(StoreError::Missing)
    }

    /// Whether a log already has an append; a conflict where it has gone on with another one.
    fn has(&self, append: &Append) -> Result<bool, StoreError> {
        let log = self.log(&append.key)?;
        if log.head == append.expected {
            return Ok(false);
        }
        let first = append.expected.next();
        let is_it = |(id, record): &(WriteId, Arc<Record>)| {
            *id == append.id && record.seq == first && !is_snapshot(record)
        };
        match log.records.iter().any(is_it) {
            true => Ok(true),
            false => Err(StoreError::Conflict),
        }
    }

    /// Keeps documents as long as those live who hold what is given back; equal ones are one.
    fn keep(&mut self, mut documents: Vec<Document>) -> Vec<Document> {
        for document in &mut documents {
            match self.documents.get(&document.hash).and_then(Weak::upgrade) {
                Some(kept) => document.value = kept,
                None => {
                    let held = Arc::downgrade(&document.value);
                    self.documents.insert(document.hash, held);
                }
            }
        }
        documents
    }

    fn append(&mut self, append: Append) {
        let (head, is_end) = (append.head(), append.is_end());
        let logs = self.sessions.get_mut(&append.key.app);
        let Some(log) = logs.and_then(|logs| logs.get_mut(&append.key.session)) else {
            return;
        };
        if let Some(snapshot) = append.snapshot {
            while log
                .records
                .front()
                .is_some_and(|(_, record)| record.seq <= snapshot.seq)
            {
                log.records.pop_front();
            }
            log.records.push_front((append.id, snapshot));
        }
        let records = append.records.into_iter();
        log.records
            .extend(records.map(|record| (append.id, record)));
        log.expires_at = append.expires_at;
        log.summary = append.summary;
        log.head = head;
        if is_end {
            self.forget(&append.key);
        }
    }

    fn forget(&mut self, key: &SessionKey) {
        let logs = self.sessions.get_mut(&key.app);
        if let Some(log) = logs.and_then(|logs| logs.remove(&key.session))
            && let Some(code) = log.code
        {
            self.codes.remove(&code);
        }
    }
}

fn is_snapshot(record: &Record) -> bool {
    matches!(record.fact.event, Event::Snapshot(_))
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
        let documents = data.keep(documents);
        let open = data.handshakes.entry(handshake.app.clone()).or_default();
        if open.len() >= open_max {
            // What has expired takes no place, swept or not.
            open.retain(|_, open| open.handshake.is_live(handshake.created_at));
        }
        if open.len() >= open_max {
            return Err(StoreError::Full {
                what: "open handshakes",
                max: open_max,
                free_at: open.values().map(|open| open.handshake.expires_at).min(),
            });
        }
        let kept = Open {
            handshake: Arc::clone(&handshake),
            _documents: documents,
        };
        open.insert(handshake.id.clone(), kept);
        Ok(())
    }

    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError> {
        let data = self.0.lock();
        let found = data.handshakes.get(app).and_then(|open| open.get(id));
        found
            .map(|open| Arc::clone(&open.handshake))
            .ok_or(StoreError::Missing)
    }

    async fn create(
        &self,
        claim: &HandshakeId,
        now: Time,
        birth: Append,
        documents: Vec<Document>,
        sessions_max: usize,
    ) -> Result<(), StoreError> {
        let mut data = self.0.lock();
        if data.log(&birth.key).is_ok() {
            return data.has(&birth).map(|_| ());
        }
        let app = &birth.key.app;
        if data.sessions.get(app).map_or(0, HashMap::len) >= sessions_max {
            return Err(StoreError::Full {
                what: "sessions",
                max: sessions_max,
                free_at: None,
            });
        }
        let open = data.handshakes.get_mut(app).ok_or(StoreError::Missing)?;
        if !open
            .get(claim)
            .is_some_and(|open| open.handshake.is_live(now))
        {
            return Err(StoreError::Missing);
        }
        open.remove(claim);
        let documents = data.keep(documents);
        let code = birth
            .records
            .iter()
            .find_map(|record| match &record.fact.event {
                Event::Created(creation) => Some(creation.short_code.clone()),
                _ => None,
            });
        if let Some(code) = &code {
            data.codes.insert(code.clone(), birth.key.clone());
        }
        let log = Log {
            records: VecDeque::new(),
            head: birth.expected,
            expires_at: birth.expires_at,
            summary: birth.summary.clone(),
            code,
            _documents: documents,
        };
        let logs = data.sessions.entry(app.clone()).or_default();
        logs.insert(birth.key.session.clone(), log);
        data.append(birth);
        Ok(())
    }

    async fn append(&self, appends: Vec<Append>) -> Result<(), StoreError> {
        let mut data = self.0.lock();
        let has: Result<Vec<_>, _> = appends.iter().map(|append| data.has(append)).collect();
        for (append, has) in appends.into_iter().zip(has?) {
            if !has {
                data.append(append);
            }
        }
        Ok(())
    }

    async fn read(&self, key: &SessionKey, after: Seq) -> Result<Vec<Arc<Record>>, StoreError> {
        let data = self.0.lock();
        let records = data.log(key)?.records.iter().map(|(_, record)| record);
        let is_wanted = |record: &&Arc<Record>| record.seq > after && !is_snapshot(record);
        Ok(records.filter(is_wanted).cloned().collect())
    }

    async fn load(&self, key: &SessionKey) -> Result<Vec<Arc<Record>>, StoreError> {
        let data = self.0.lock();
        let records = data.log(key)?.records.iter();
        Ok(records.map(|(_, record)| Arc::clone(record)).collect())
    }

    async fn document(&self, hash: DocumentHash) -> Result<Arc<Value>, StoreError> {
        let data = self.0.lock();
        let document = data.documents.get(&hash).and_then(Weak::upgrade);
        document.ok_or(StoreError::Missing)
    }

    fn sessions(&self, app: &AppId) -> BoxStream<'_, Result<Listed, StoreError>> {
        let data = self.0.lock();
        let logs = data.sessions.get(app).into_iter().flatten();
        let listed = logs.map(|(session, log)| {
            Ok(Listed {
                session: session.clone(),
                summary: Some(log.summary.clone()),
            })
        });
        stream::iter(listed.collect::<Vec<_>>()).boxed()
    }

    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError> {
        let data = self.0.lock();
        data.codes.get(code).cloned().ok_or(StoreError::Missing)
    }

    async fn counts(&self) -> Result<StoreCounts, StoreError> {
        let data = self.0.lock();
        Ok(StoreCounts {
            handshakes: data.handshakes.values().map(HashMap::len).sum(),
            sessions: data.sessions.values().map(HashMap::len).sum(),
        })
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        let mut data = self.0.lock();
        for open in data.handshakes.values_mut() {
            open.retain(|_, open| open.handshake.is_live(now));
        }
        let Data {
            sessions, codes, ..
        } = &mut *data;
        for logs in sessions.values_mut() {
            logs.retain(|_, log| {
                let is_live = now < log.expires_at;
                if let (false, Some(code)) = (is_live, &log.code) {
                    codes.remove(code);
                }
                is_live
            });
        }
        data.documents
            .retain(|_, document| document.strong_count() > 0);
        Ok(())
    }

    /// Nobody else appends: the process has one handle.
    fn watch(&self) -> BoxStream<'static, Change> {
        stream::pending().boxed()
    }

    fn is_outside_process(&self) -> bool {
        false
    }
}
