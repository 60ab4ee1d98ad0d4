//! What the book promises of every session, above the store in memory.

use std::sync::Arc;

use futures_util::FutureExt as _;
use serde_json::{Value, json};

use super::contracts::Contracts;
use super::decision::Decision;
use super::entry::Page;
use super::error::BookError;
use super::service::Book;
use crate::adapters::memory::MemorySessions;
use crate::domain::action::{Action, Gesture};
use crate::domain::clock::{ManualClock, Time};
use crate::domain::event::{Creation, Event, Fact};
use crate::domain::handshake::{Handshake, OpenHandshake};
use crate::domain::limits::Limits;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::domain::store::SessionStore as _;
use crate::wire::contract::{StreamMode, StreamReplay};
use crate::wire::ids::{Epoch, HandshakeId, Seq, SessionKey, ShortCode};
use crate::wire::tools::Variance;

const NOW: Time = Time(1_787_500_000_000);

struct Fixture {
    store: Arc<MemorySessions>,
    limits: Limits,
    book: Book,
    key: SessionKey,
    caller: Caller,
}

impl Fixture {
    /// A session that was just rendered.
    async fn new(limits: Limits) -> Self {
        let store = Arc::new(MemorySessions::default());
        let book = book(&store, &limits);
        let caller = Caller::server("a".into());
        let owner = Arc::clone(&caller.principal.name);
        let contracts = Contracts::default();
        let contract = contracts.compile(&json!({"actionSpec": {"go": {"label": "Go"}}}));
        let contract = contract.ok().unwrap().contract;
        let view = contracts.view(&contract, &"A test".into());
        let id = HandshakeId::from("h");
        let handshake = Handshake {
            app: "a".into(),
            owner: Arc::clone(&owner),
            id: id.clone(),
            intent: "A test".into(),
            contract: contract.document().hash,
            view: None,
            variance: Variance::default(),
            matched: None,
            force_create: false,
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
        book.offer(open).await.unwrap();
        let creation = Creation {
            owner,
            intent: "A test".into(),
            contract: contract.document().hash,
            view: view.document().hash,
            props: Some(Arc::new(json!({"note": 0}))),
            theme: None,
            host: None,
            short_code: ShortCode::from("code"),
        };
        let key = caller.principal.key("s");
        let facts = vec![Fact::by(&caller, NOW, Event::Created(Arc::new(creation)))];
        let created = book.create(&key, &id, facts, contract, view).await;
        created.unwrap();
        Self {
            store,
            limits,
            book,
            key,
            caller,
        }
    }

    async fn add(&self, event: impl Fn(&Session) -> Event) {
        let decide = |session: &Session| -> Result<Decision<()>, BookError> {
            Ok(Decision::of([Fact::by(&self.caller, NOW, event(session))]))
        };
        let added = self.book.decide(&self.caller, &self.key, decide).await;
        added.unwrap();
    }

    async fn click(&self, id: &str) {
        let gesture = Arc::new(Gesture {
            value: json!({"action": "go"}),
            ui_context: Value::Null,
            fired_at: NOW.to_string(),
        });
        let action = Arc::new(Action {
            id: id.into(),
            gesture,
        });
        self.add(|_| Event::ActionSubmitted(Arc::clone(&action)))
            .await;
    }

    async fn update(&self, note: u64) {
        self.add(|session| Event::Updated {
            props: Arc::new(json!({"note": note})),
            epoch: session.epoch.next(),
            reminted: true,
        })
        .await;
    }

    async fn emit(&self, channel: &str, replay: StreamReplay) {
        let mode = StreamMode::Append;
        self.add(|session| {
            Event::Emitted(session.emission(channel.into(), mode, replay, json!({"x": 1}), false))
        })
        .await;
    }

    async fn at(&self, epoch: u64) -> Arc<Session> {
        let by = &self.caller.principal;
        let at = self.book.at(&self.key, by, Epoch(epoch)).await;
        at.unwrap()
    }
}

fn book(store: &Arc<MemorySessions>, limits: &Limits) -> Book {
    let clock = Arc::new(ManualClock::at(NOW));
    let store = Arc::clone(store);
    Book::new(store, clock, limits.clone())
}

#[tokio::test]
async fn an_old_epoch_shows_the_inbox_the_position_and_the_props_of_then() {
    let session = Fixture::new(Limits::default()).await;
    session.click("gesture-1").await;
    session.update(1).await;
    session.click("gesture-2").await;
    let drained =
        |_: &Session| Event::ActionsDrained(Box::new(["gesture-1".into(), "gesture-2".into()]));
    session.add(drained).await;
    session.update(2).await;
    for (epoch, seq, note, waiting, has_second) in
        [(0, 2, 0, 1, false), (1, 5, 1, 0, true), (2, 6, 2, 0, true)]
    {
        let then = session.at(epoch).await;
        assert_eq!(then.epoch, Epoch(epoch));
        assert_eq!(then.seq, Seq(seq), "epoch {epoch}");
        assert_eq!(then.props.as_deref(), Some(&json!({"note": note})));
        assert_eq!(then.inbox.waiting().0, waiting, "epoch {epoch}");
        assert_eq!(then.inbox.has_seen(&"gesture-2".into()), has_second);
    }
}

#[tokio::test]
async fn a_session_that_outgrew_its_log_is_read_again_as_it_was() {
    let mut limits = Limits::default();
    limits.log.events_max = 8;
    let session = Fixture::new(limits).await;
    session.emit("kept", StreamReplay::Latest).await;
    for number in 0..50 {
        session.click(&format!("gesture-{number}")).await;
        session.emit("all", StreamReplay::All).await;
        session.update(number).await;
    }
    let stored = session.store.load(&session.key).await;
    let stored = stored.unwrap();
    assert!(stored.len() < 14, "{} records are kept", stored.len());
    let again = book(&session.store, &session.limits);
    let (before, after) = (
        session.book.session(&session.key).await.unwrap(),
        again.session(&session.key).await.unwrap(),
    );
    assert_eq!(before.state, after.state);
    assert_eq!(before.contract.source(), after.contract.source());
    assert_eq!(before.view, after.view);
    let page = |book: &Book| {
        let page = book.page(&session.key, Seq::default(), usize::MAX);
        page.now_or_never().unwrap().unwrap()
    };
    let (before, after) = (page(&session.book), page(&again));
    assert_eq!(before.entries.len(), 8);
    let seqs = |page: &Page| -> Vec<Seq> { page.entries.iter().map(|entry| entry.seq).collect() };
    assert_eq!(seqs(&before), seqs(&after));
    assert_eq!(
        (
            before.horizon,
            before.forgotten_stream_seq,
            before.head_bytes
        ),
        (after.horizon, after.forgotten_stream_seq, after.head_bytes)
    );
}

#[tokio::test]
async fn a_frame_is_encoded_once_for_all_who_read_it() {
    let session = Fixture::new(Limits::default()).await;
    session.emit("all", StreamReplay::All).await;
    let mut frames = Vec::new();
    for _ in 0..2 {
        let page = session.book.page(&session.key, Seq(1), usize::MAX).await;
        frames.push(page.unwrap().entries[0].frames(&session.key)[0].clone());
    }
    assert_eq!(frames[0].as_ptr(), frames[1].as_ptr());
}
