//! A session for tests of the book, above the store in memory.

use std::sync::Arc;

use serde_json::{Value, json};

use super::decision::Decision;
use super::error::BookError;
use super::service::Book;
use crate::adapters::battery::Failing;
use crate::adapters::memory::{MemoryActivity, MemorySessions};
use crate::adapters::system::SystemIds;
use crate::domain::action::{Action, Gesture};
use crate::domain::clock::{ManualClock, Time};
use crate::domain::contract::CompiledContract;
use crate::domain::event::{Creation, Event, Fact};
use crate::domain::handshake::{Artist, Handshake, OpenHandshake};
use crate::domain::limits::Limits;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{Epoch, HandshakeId, SessionKey, ShortCode};
use crate::wire::tools::Variance;

/// When everything happens.
pub(super) const NOW: Time = Time(1_787_500_000_000);

/// A session above a store that might as well be outside this process.
pub(super) struct Fixture {
    pub(super) store: Arc<Failing<MemorySessions>>,
    pub(super) limits: Limits,
    pub(super) book: Arc<Book>,
    pub(super) key: SessionKey,
    pub(super) caller: Caller,
}

impl Fixture {
    /// A session that was just rendered.
    pub(super) async fn new(limits: Limits) -> Self {
        let store = Arc::new(Failing::new(MemorySessions::default()));
        let caller = Caller::server("a".into());
        let session = Self {
            book: book(&store, &limits),
            key: caller.principal.key("s"),
            store,
            limits,
            caller,
        };
        session.render("s").await;
        session
    }

    /// Negotiates what [`Self::render`] renders.
    pub(super) async fn offer(&self, id: &HandshakeId) -> Arc<CompiledContract> {
        let draft = json!({"actionSpec": {"go": {"label": "Go"}}});
        let contract = self.book.contracts().compile(&draft).ok().unwrap().contract;
        let handshake = Handshake {
            app: "a".into(),
            owner: Arc::clone(&self.caller.principal.name),
            id: id.clone(),
            intent: "A test".into(),
            contract: contract.document().hash,
            view: None,
            variance: Variance::default(),
            matched: None,
            force_create: false,
            artist: Artist::default(),
            is_amended: false,
            created_at: NOW,
            expires_at: Time(u64::MAX),
        };
        let open = OpenHandshake {
            handshake: Arc::new(handshake),
            contract: Arc::clone(&contract),
            view: None,
            matched: None,
        };
        self.book.offer(open).await.unwrap();
        contract
    }

    /// One more session.
    pub(super) async fn render(&self, name: &str) -> SessionKey {
        let id = HandshakeId::from(name);
        let contract = self.offer(&id).await;
        let view = self.book.contracts().view(&contract, &"A test".into());
        let creation = Creation {
            owner: Arc::clone(&self.caller.principal.name),
            intent: "A test".into(),
            contract: contract.document().hash,
            variance: Variance::default(),
            view: view.document().hash,
            props: Some(Arc::new(json!({"note": 0}))),
            theme: None,
            host: None,
            short_code: ShortCode::from(name),
            is_reused: false,
        };
        let key = self.caller.principal.key(name);
        let event = Event::Created(Arc::new(creation));
        let facts = vec![Fact::by(&self.caller, NOW, event)];
        let created = self.book.create(&key, &id, facts, contract, view).await;
        created.unwrap();
        key
    }

    pub(super) async fn add(&self, event: impl Fn(&Session) -> Event) {
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            Ok(Decision::of([Fact::by(&self.caller, NOW, event(session))]))
        };
        let added = self.book.decide(&self.caller, &self.key, decide).await;
        added.unwrap();
    }

    pub(super) async fn click(&self, id: &str) {
        let action = click(id);
        self.add(|_| Event::ActionSubmitted(Arc::clone(&action)))
            .await;
    }

    pub(super) async fn update(&self, note: u64) {
        self.add(|session| Event::Updated {
            props: Arc::new(json!({"note": note})),
            epoch: session.epoch.next(),
            reminted: true,
        })
        .await;
    }

    pub(super) async fn emit(&self, channel: &str, replay: StreamReplay) {
        let mode = StreamMode::Append;
        self.add(|session| {
            Event::Emitted(session.emission(channel.into(), mode, replay, json!({"x": 1}), false))
        })
        .await;
    }

    pub(super) async fn at(&self, epoch: u64) -> Arc<Session> {
        let by = &self.caller.principal;
        let at = self.book.at(&self.key, by, Epoch(epoch)).await;
        at.unwrap()
    }
}

/// What a person does.
pub(super) fn click(id: &str) -> Arc<Action> {
    let gesture = Arc::new(Gesture {
        value: json!({"action": "go"}),
        ui_context: Value::Null,
        fired_at: NOW.to_string(),
    });
    Arc::new(Action {
        id: id.into(),
        gesture,
    })
}

/// Another book above a store.
pub(super) fn book(store: &Arc<Failing<MemorySessions>>, limits: &Limits) -> Arc<Book> {
    let clock = Arc::new(ManualClock::at(NOW));
    let store = Arc::clone(store);
    let activity = Arc::new(MemoryActivity::default());
    let journal = Arc::new(());
    Book::new(
        store,
        activity,
        journal,
        clock,
        Arc::new(SystemIds),
        limits.clone(),
    )
}
