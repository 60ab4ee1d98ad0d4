//! Sessions that leave memory: they come back as they were, and who waits is woken, however often they
//! leave meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use tokio::task::yield_now;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::decision::Decision;
use super::error::BookError;
use super::fixture::{Fixture, NOW, book, click};
use super::notifiers::Waited;
use super::service::Book;
use crate::adapters::battery::Mode;
use crate::domain::clock::Time;
use crate::domain::event::{Awaited, Event, Fact};
use crate::domain::limits::Limits;
use crate::domain::operation::Caller;
use crate::domain::session::Session;
use crate::wire::ids::{HandshakeId, Seq, SessionKey};

/// When nothing was used for a long time.
const LATER: Time = Time(NOW.0 + 1_000_000);

#[tokio::test]
async fn what_nobody_uses_leaves_and_comes_back_as_it_was() {
    let session = Fixture::new(Limits::default()).await;
    session.click("gesture-1").await;
    session.update(1).await;
    let before = session.book.session(&session.key).await.unwrap();
    let state = before.state.clone();
    drop(before);
    session.book.evict_idle(NOW);
    assert_eq!(session.book.cells.len(), 1, "it was used just now");
    session.book.evict_idle(LATER);
    assert!(session.book.cells.is_empty());
    let after = session.book.session(&session.key).await.unwrap();
    assert_eq!(after.state, state);
}

#[tokio::test]
async fn what_many_ask_for_at_once_is_read_once() {
    let session = Fixture::new(Limits::default()).await;
    session.click("gesture-1").await;
    session.book.evict_idle(LATER);
    session.store.fail(Mode::Nth(u64::MAX));
    let held = session.store.hold_reads().await;
    let asked = (0..20).map(|_| session.book.session(&session.key));
    let mut asked = Box::pin(join_all(asked));
    assert!(asked.as_mut().now_or_never().is_none());
    while session.store.calls() == 0 {
        yield_now().await;
    }
    // One who gives up leaves nothing behind, and takes nothing from the others.
    let gives_up = Box::pin(session.book.kept(&session.key)).now_or_never();
    assert!(gives_up.is_none());
    drop(held);
    for read in asked.await {
        assert_eq!(read.unwrap().seq, Seq(2));
    }
    assert!(session.book.loading.is_empty());
    // Its log, its contract, its view, and what was written while they were read.
    assert_eq!(session.store.calls(), 4);
}

#[tokio::test]
async fn what_someone_waits_on_stays() {
    let session = Fixture::new(Limits::default()).await;
    let mut wait = Box::pin(session.book.wait(&session.key, Seq(1), Awaited::Any));
    assert!(wait.as_mut().now_or_never().is_none());
    session.book.evict_idle(LATER);
    assert_eq!(session.book.cells.len(), 1);
    drop(wait);
    session.book.evict_idle(LATER);
    assert!(session.book.cells.is_empty());
}

#[tokio::test]
async fn who_begins_to_wait_after_it_left_is_not_left_waiting() {
    let session = Fixture::new(Limits::default()).await;
    let seen = session.book.session(&session.key).await.unwrap().seq;
    session.click("gesture-1").await;
    session.book.evict_idle(LATER);
    for awaited in [Awaited::Action, Awaited::Any] {
        let wait = session.book.wait(&session.key, seen, awaited);
        let waited = timeout(PATIENCE, wait).await;
        assert_eq!(waited, Ok(Ok(Waited::Moved)), "{awaited:?}");
        session.book.evict_idle(LATER);
    }
}

#[tokio::test]
async fn no_more_stay_than_may_and_the_ones_used_last_stay_longest() {
    let mut limits = Limits::default();
    limits.sessions.in_memory_max = 16;
    let session = Fixture::new(limits).await;
    let wait = session.book.wait(&session.key, Seq(1), Awaited::Any);
    let mut wait = Box::pin(wait);
    assert!(wait.as_mut().now_or_never().is_none());
    for number in 0..100 {
        session.render(&format!("s-{number}")).await;
        assert!(session.book.cells.len() <= 19, "{number}");
    }
    let is_there = |name: &str| {
        let key = session.caller.principal.key(name);
        session.book.cells.contains_key(&key)
    };
    assert!(is_there("s"), "it is waited on");
    assert!(is_there("s-99"));
    let cells = session.book.cells.len();
    let mut listed = 0;
    let by = &session.caller.principal;
    let walk = session.book.for_each_seen(by, |_, _| listed += 1);
    walk.await.unwrap();
    assert_eq!((listed, session.book.cells.len()), (101, cells));
}

#[tokio::test]
async fn a_handshake_that_left_can_be_read_again() {
    let session = Fixture::new(Limits::default()).await;
    let id = HandshakeId::from("open");
    let contract = session.offer(&id).await;
    session.book.evict_idle(LATER);
    assert!(session.book.handshakes.is_empty());
    let read = session.book.handshake(&"a".into(), &id).await.unwrap();
    assert_eq!(read.contract.source(), contract.source());
}

/// How many click, how often, on each of two nodes.
const WRITERS: usize = 2;
const CLICKS: usize = 150;
const ALL: usize = 2 * WRITERS * CLICKS;
/// How long all of it may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

async fn write(book: Arc<Book>, caller: Caller, key: SessionKey, writer: usize) {
    for number in 0..CLICKS {
        let action = click(&format!("{writer}-{number:03}"));
        let decide = |_: &Session| -> Result<Decision<()>, BookError> {
            let event = Event::ActionSubmitted(Arc::clone(&action));
            Ok(Decision::of([Fact::by(&caller, NOW, event)]))
        };
        book.decide(&caller, &key, decide).await.unwrap();
        yield_now().await;
    }
}

/// Takes all actions, each once, in the order they were given.
async fn consume(book: Arc<Book>, caller: Caller, key: SessionKey) -> Vec<String> {
    let mut taken = Vec::new();
    while taken.len() < ALL {
        let decide = |session: &Session| -> Result<Decision<_>, BookError> {
            let given = session.inbox.hand_out(None, &book.limits.actions);
            let fresh = given.ok().unwrap().fresh;
            let ids: Vec<_> = fresh.iter().map(|action| action.id.clone()).collect();
            let drained = Event::ActionsDrained(ids.clone().into());
            let facts = (!ids.is_empty()).then(|| Fact::by(&caller, NOW, drained));
            Ok(Decision {
                facts: facts.into_iter().collect(),
                answer: ids,
            })
        };
        let (ids, seq) = book.decide(&caller, &key, decide).await.unwrap();
        taken.extend(ids.iter().map(ToString::to_string));
        if ids.is_empty() {
            let waited = book.wait(&key, seq, Awaited::Action).await;
            assert_eq!(waited, Ok(Waited::Moved));
        }
    }
    taken
}

/// Follows the log until every action was seen.
async fn read(book: Arc<Book>, key: SessionKey) -> Vec<String> {
    let (mut cursor, mut seen) = (Seq(0), Vec::new());
    while seen.len() < ALL {
        let page = book.page(&key, cursor, 7).await.unwrap();
        for entry in &page.entries {
            assert_eq!(entry.seq, cursor.next());
            cursor = entry.seq;
            if let Event::ActionSubmitted(action) = &entry.fact.event {
                seen.push(action.id.to_string());
            }
        }
        if page.entries.is_empty() {
            let waited = book.wait(&key, cursor, Awaited::Any).await;
            assert_eq!(waited, Ok(Waited::Moved));
        }
    }
    seen
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn on_two_nodes_whose_sessions_leave_all_the_time_nothing_is_lost_or_doubled_and_all_are_woken()
 {
    let session = Fixture::new(Limits::default()).await;
    let another = Arc::new(session.store.another());
    let nodes = [Arc::clone(&session.book), book(&another, &session.limits)];
    let (over, left) = (
        Arc::new(AtomicBool::new(false)),
        Arc::new(AtomicUsize::new(0)),
    );
    let drain = CancellationToken::new();
    let mut background = Vec::new();
    for node in &nodes {
        background.push(tokio::spawn(Arc::clone(node).follow(drain.clone())));
        let (node, over, left) = (Arc::clone(node), Arc::clone(&over), Arc::clone(&left));
        background.push(tokio::spawn(async move {
            while !over.load(Ordering::SeqCst) {
                let before = node.cells.len();
                node.evict_idle(LATER);
                left.fetch_add(before.saturating_sub(node.cells.len()), Ordering::SeqCst);
                yield_now().await;
            }
        }));
    }
    let (caller, key) = (&session.caller, &session.key);
    let writers = (0..2 * WRITERS).map(|writer| {
        let node = Arc::clone(&nodes[writer % 2]);
        tokio::spawn(write(node, caller.clone(), key.clone(), writer))
    });
    let writers: Vec<_> = writers.collect();
    let consumer = consume(Arc::clone(&nodes[0]), caller.clone(), key.clone());
    let consumer = tokio::spawn(consumer);
    let readers = nodes
        .each_ref()
        .map(|node| tokio::spawn(read(Arc::clone(node), key.clone())));
    let all = async {
        join_all(writers).await.into_iter().for_each(Result::unwrap);
        let [one, other] = readers;
        let taken = consumer.await.unwrap();
        (taken, one.await.unwrap(), other.await.unwrap())
    };
    // Whoever is not woken would wait for ever.
    let (taken, one, other) = timeout(PATIENCE, all).await.unwrap();
    over.store(true, Ordering::SeqCst);
    drain.cancel();
    join_all(background)
        .await
        .into_iter()
        .for_each(Result::unwrap);
    assert_eq!(one, taken);
    assert_eq!(other, taken);
    for writer in 0..2 * WRITERS {
        let of_writer = format!("{writer}-");
        let its = taken.iter().filter(|id| id.starts_with(&of_writer));
        let wanted: Vec<_> = (0..CLICKS)
            .map(|number| format!("{writer}-{number:03}"))
            .collect();
        assert_eq!(its.collect::<Vec<_>>(), wanted.iter().collect::<Vec<_>>());
    }
    assert!(left.load(Ordering::SeqCst) > 0, "nothing ever left");
}
