//! Sessions above any store, where the questions of cards stay in this process: they are stored only
//! once a person agrees.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use parking_lot::Mutex;
use serde_json::Value;

use crate::domain::brain::without_question;
use crate::domain::clock::Time;
use crate::domain::document::{Document, DocumentHash};
use crate::domain::event::{Creation, Event, Fact, Record};
use crate::domain::handshake::Handshake;
use crate::domain::store::{Append, Change, Listed, SessionStore, StoreCounts};
use crate::domain::store_error::StoreError;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionId, SessionKey, ShortCode};

/// A store whose records lack what people have not agreed to.
pub(crate) struct PrivateQuestions {
    store: Arc<dyn SessionStore>,
    /// The props of cards as they are shown, and until when.
    shown: Mutex<HashMap<SessionKey, (Arc<Value>, Time)>>,
}

impl PrivateQuestions {
    pub(crate) fn new(store: Arc<dyn SessionStore>) -> Self {
        Self {
            store,
            shown: Mutex::default(),
        }
    }

    /// An append as it is stored.
    fn stored(&self, append: &Append) -> Option<Append> {
        let created = append.records.iter().find_map(|record| creation(record));
        if let Some(props) = created.and_then(|creation| creation.props.as_ref()) {
            let stored = Arc::new(without_question(&append.key.session, props)?);
            let shown = (Arc::clone(props), append.expires_at);
            self.shown.lock().insert(append.key.clone(), shown);
            let records = append.records.iter();
            return Some(Append {
                records: records.map(|record| with_props(record, &stored)).collect(),
                snapshot: None,
                ..append.clone()
            });
        }
        let mut shown = self.shown.lock();
        let (_, expires_at) = shown.get_mut(&append.key)?;
        *expires_at = append.expires_at;
        if append.is_end() {
            shown.remove(&append.key);
        }
        // A snapshot would hold the props.
        Some(Append {
            snapshot: None,
            ..append.clone()
        })
    }
}

fn creation(record: &Record) -> Option<&Creation> {
    match &record.fact.event {
        Event::Created(creation) => Some(creation),
        _ => None,
    }
}

/// A record with other props, where it has any.
fn with_props(record: &Arc<Record>, props: &Arc<Value>) -> Arc<Record> {
    let Some(creation) = creation(record) else {
        return Arc::clone(record);
    };
    let creation = Creation {
        props: Some(Arc::clone(props)),
        ..creation.clone()
    };
    Arc::new(Record {
        fact: Fact {
            event: Event::Created(Arc::new(creation)),
            ..record.fact.clone()
        },
        ..Record::clone(record)
    })
}

#[async_trait]
impl SessionStore for PrivateQuestions {
    async fn put_handshake(
        &self,
        handshake: Arc<Handshake>,
        documents: Vec<Document>,
        open_max: usize,
    ) -> Result<(), StoreError> {
        self.store
            .put_handshake(handshake, documents, open_max)
            .await
    }

    async fn handshake(&self, app: &AppId, id: &HandshakeId) -> Result<Arc<Handshake>, StoreError> {
        self.store.handshake(app, id).await
    }

    async fn create(
        &self,
        claim: &HandshakeId,
        now: Time,
        birth: &Append,
        documents: Vec<Document>,
        sessions_max: usize,
    ) -> Result<(), StoreError> {
        let stored = self.stored(birth);
        let birth = stored.as_ref().unwrap_or(birth);
        self.store
            .create(claim, now, birth, documents, sessions_max)
            .await
    }

    async fn append(&self, append: &Append) -> Result<(), StoreError> {
        let stored = self.stored(append);
        self.store.append(stored.as_ref().unwrap_or(append)).await
    }

    async fn read(&self, key: &SessionKey, after: Seq) -> Result<Vec<Arc<Record>>, StoreError> {
        let records = self.store.read(key, after).await?;
        let shown = self
            .shown
            .lock()
            .get(key)
            .map(|(props, _)| Arc::clone(props));
        Ok(match shown {
            Some(props) => {
                let records = records.iter();
                records.map(|record| with_props(record, &props)).collect()
            }
            None => records,
        })
    }

    async fn document(&self, hash: DocumentHash) -> Result<Arc<Value>, StoreError> {
        self.store.document(hash).await
    }

    fn sessions(&self, app: &AppId) -> BoxStream<'_, Result<Listed, StoreError>> {
        self.store.sessions(app)
    }

    async fn session_names(&self, app: &AppId, prefix: &str) -> Result<Vec<SessionId>, StoreError> {
        self.store.session_names(app, prefix).await
    }

    async fn opened_by(&self, code: &ShortCode) -> Result<SessionKey, StoreError> {
        self.store.opened_by(code).await
    }

    async fn counts(&self) -> Result<StoreCounts, StoreError> {
        self.store.counts().await
    }

    async fn sweep(&self, now: Time) -> Result<(), StoreError> {
        let is_live = |(_, expires_at): &mut (Arc<Value>, Time)| *expires_at > now;
        self.shown.lock().retain(|_, shown| is_live(shown));
        self.store.sweep(now).await
    }

    fn watch(&self) -> BoxStream<'static, Change> {
        self.store.watch()
    }

    fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    fn is_outside_process(&self) -> bool {
        self.store.is_outside_process()
    }
}
