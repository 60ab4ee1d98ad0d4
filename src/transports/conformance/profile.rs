//! What a conformance suite has changed about a server: sessions under names it has chosen, and the
//! versions they pretend to speak.

use std::sync::Arc;

use dashmap::DashMap;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use crate::domain::clock::{Clock, Ids, Time};
use crate::domain::contract_cache::ContractCache;
use crate::domain::event::{Creation, Event, Fact};
use crate::domain::handshake::Handshake;
use crate::domain::limits::SessionLimits;
use crate::domain::log::{Decision, SessionLog};
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store::StoreError;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{AppId, HandshakeId, SessionKey, ShortCode};
use crate::wire::tools::Variance;

/// What such a session is for.
const INTENT: &str = "A session of a conformance suite";

/// What a suite has asked of this server.
pub(crate) struct Profile {
    log: Arc<dyn SessionLog>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
    limits: SessionLimits,
    /// Apps of the sessions that were made here.
    made: DashMap<String, AppId>,
    /// Versions of the live channel that sessions pretend to speak.
    versions: DashMap<String, Arc<str>>,
    last: Mutex<Option<SessionKey>>,
    contract_cache: ContractCache,
}

/// Why a step was not carried out, for whoever wrote the suite.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) String);

impl Profile {
    /// Nothing asked for yet.
    pub(crate) fn new(
        log: Arc<dyn SessionLog>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn Ids>,
        limits: SessionLimits,
    ) -> Self {
        Self {
            log,
            clock,
            ids,
            limits,
            made: DashMap::new(),
            versions: DashMap::new(),
            last: Mutex::default(),
            contract_cache: ContractCache::default(),
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
        self.log.session(&SessionKey { app, session }).await.ok()
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
        let contract = self.contract_cache.compile(&draft);
        let contract = contract.map_err(|findings| Refused(format!("{findings:?}")))?;
        let (caller, now) = (Caller::server(key.app.clone()), self.clock.now());
        let intent: Arc<str> = INTENT.into();
        let creation = Creation {
            owner: Arc::clone(&caller.principal.name),
            intent: Arc::clone(&intent),
            view: self.contract_cache.view(&contract.contract, &intent),
            contract: Arc::clone(&contract.contract),
            props: None,
            theme: None,
            host: None,
            short_code: ShortCode::new(self.ids.short_code()),
        };
        let handshake = Handshake {
            app: key.app.clone(),
            owner: Arc::clone(&caller.principal.name),
            id: HandshakeId::new(self.ids.uuid()),
            intent,
            contract: contract.contract,
            view: None,
            variance: Variance::default(),
            matched: None,
            force_create: false,
            is_amended: false,
            created_at: now,
            expires_at: Time(u64::MAX),
        };
        let claim = handshake.id.clone();
        let refused = |error: StoreError| Refused(error.to_string());
        self.log.offer(handshake).await.map_err(refused)?;
        // One of an earlier run goes.
        let last = Fact::by(&caller, now, Event::Deleted);
        let _ = self.log.remove(&key, last).await;
        let facts = vec![Fact::by(&caller, now, Event::Created(Arc::new(creation)))];
        let created = self.log.create(&key, &claim, now, facts).await;
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
        let decide = |session: &Session| -> Result<Decision<()>, StoreError> {
            let (mode, replay) = (StreamMode::Append, StreamReplay::All);
            let item = session.emission(channel.into(), mode, replay, payload.clone(), false);
            Ok(Decision {
                facts: vec![Fact::by(&caller, now, Event::Emitted(item))],
                answer: (),
            })
        };
        let limits = &self.limits;
        let sent = self
            .log
            .transact(&key, &caller.principal, now, limits, decide);
        sent.await
            .map(|_| ())
            .map_err(|error: StoreError| Refused(error.to_string()))
    }
}
