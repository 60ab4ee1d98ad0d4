//! What a conformance suite has changed about a server: sessions under names it has chosen, and the
//! versions they pretend to speak.

use std::sync::Arc;

use dashmap::DashMap;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::event::{Creation, Event, Fact};
use crate::domain::handshake::{Artist, Handshake, OpenHandshake};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store_error::StoreError;
use crate::services::book::{Book, BookError, Contracts, Decision};
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{AppId, HandshakeId, SessionKey, ShortCode};
use crate::wire::tools::Variance;

/// What such a session is for.
const INTENT: &str = "A session of a conformance suite";
/// Who owns it: no credential has this name, and those of high trust see it.
const OWNER: &str = "suite:";

/// What a suite has asked of this server.
pub(crate) struct Profile {
    book: Arc<Book>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    /// Apps of the sessions that were made here.
    made: DashMap<String, AppId>,
    /// Versions of the live channel that sessions pretend to speak.
    versions: DashMap<String, Arc<str>>,
    last: Mutex<Option<SessionKey>>,
    contracts: Contracts,
}

/// Why a step was not carried out, for whoever wrote the suite.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) String);

impl Profile {
    /// Nothing asked for yet.
    pub(crate) fn new(book: Arc<Book>, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self {
            book,
            clock,
            ids,
            made: DashMap::new(),
            versions: DashMap::new(),
            last: Mutex::default(),
            contracts: Contracts::default(),
        }
    }

    /// Has a session pretend to speak a version.
    pub(crate) fn pretend(&self, session: String, version: &str) {
        self.versions.insert(session, version.into());
    }

    /// A session that was made here.
    pub(crate) async fn session(&self, session: &str) -> Option<Arc<Session>> {
        let app = self.made.get(session).map(|app| app.clone())?;
        let session = session.into();
        self.book.session(&SessionKey { app, session }).await.ok()
    }

    /// The version a session pretends to speak, if it does.
    pub(crate) fn version_of(&self, session: &str) -> Option<Arc<str>> {
        self.versions
            .get(session)
            .map(|version| Arc::clone(&version))
    }

    /// The other app that has a session of this name.
    pub(crate) fn is_elsewhere(&self, key: &SessionKey) -> bool {
        let made = self.made.get(key.session.as_str());
        made.is_some_and(|app| *app != key.app)
    }

    /// Makes the empty session a subscription asked for.
    pub(crate) async fn provision(&self, key: &SessionKey) {
        if let Err(Refused(why)) = self.make(key.clone(), &Map::new()).await {
            tracing::error!(session.key = %key, why, "the suite's session was not made");
        }
    }

    /// Makes a session of this name, in place of an earlier one.
    pub(crate) async fn make(
        &self,
        key: SessionKey,
        actions: &Map<String, Value>,
    ) -> Result<(), Refused> {
        let mut actions = actions.clone();
        for (name, action) in &mut actions {
            // A suite labels nothing.
            if let Value::Object(action) = action {
                action.entry("label").or_insert_with(|| json!(name));
            }
        }
        let draft = if actions.is_empty() {
            json!({})
        } else {
            json!({ "actionSpec": actions })
        };
        let contract = self.contracts.compile(&draft);
        let contract = contract.map_err(|findings| Refused(format!("{findings:?}")))?;
        let (caller, now) = (Caller::server(key.app.clone()), self.clock.now());
        let intent: Arc<str> = INTENT.into();
        let view = self.contracts.view(&contract.contract, &intent);
        let creation = Creation {
            owner: OWNER.into(),
            intent: Arc::clone(&intent),
            variance: Variance::default(),
            view: view.document().hash,
            contract: contract.contract.document().hash,
            props: None,
            theme: None,
            host: None,
            short_code: ShortCode::new(self.ids.short_code()),
            is_reused: false,
        };
        let handshake = Handshake {
            app: key.app.clone(),
            owner: OWNER.into(),
            id: HandshakeId::new(self.ids.uuid()),
            intent,
            contract: contract.contract.document().hash,
            view: None,
            variance: Variance::default(),
            matched: None,
            force_create: false,
            artist: Artist::default(),
            is_amended: false,
            created_at: now,
            expires_at: Time(u64::MAX),
        };
        let claim = handshake.id.clone();
        let open = OpenHandshake {
            handshake: Arc::new(handshake),
            contract: Arc::clone(&contract.contract),
            view: None,
            matched: None,
        };
        let refused = |error: StoreError| Refused(error.to_string());
        self.book.offer(open).await.map_err(refused)?;
        // One of an earlier run goes.
        let end = |_: &Session| -> Result<Decision<()>, BookError> {
            Ok(Decision::of([Fact::by(&caller, now, Event::Deleted)]))
        };
        let _ = self.book.decide(&caller, &key, end).await;
        let facts = vec![Fact::by(&caller, now, Event::Created(Arc::new(creation)))];
        let created = self
            .book
            .create(&key, &claim, facts, contract.contract, view);
        let created = created.await;
        created.map_err(refused)?;
        self.made.insert(key.session.to_string(), key.app.clone());
        *self.last.lock() = Some(key);
        Ok(())
    }

    /// Puts an item on a channel of the session that was made last.
    pub(crate) async fn emit(&self, channel: &str, payload: Value) -> Result<(), Refused> {
        let last = self.last.lock().clone();
        let key = last.ok_or_else(|| Refused("no session was made".to_owned()))?;
        let (caller, now) = (Caller::server(key.app.clone()), self.clock.now());
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            let (mode, replay) = (StreamMode::Append, StreamReplay::All);
            let item = session.emission(channel.into(), mode, replay, payload.clone(), false);
            Ok(Decision::of([Fact::by(&caller, now, Event::Emitted(item))]))
        };
        let sent = self.book.decide(&caller, &key, decide).await;
        sent.map(|_| ()).map_err(|error| Refused(error.to_string()))
    }
}
