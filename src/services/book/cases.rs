//! What the book promises of every session, above the store in memory.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use serde_json::json;
use tokio::time::timeout;

use super::decision::Decision;
use super::entry::Page;
use super::error::BookError;
use super::fixture::{Fixture, book};
use super::service::Book;
use crate::adapters::battery::Failing;
use crate::adapters::memory::MemorySessions;
use crate::domain::event::Event;
use crate::domain::limits::Limits;
use crate::domain::session::Session;
use crate::domain::store::SessionStore as _;
use crate::domain::store_error::StoreError;
use crate::wire::contract::StreamReplay;
use crate::wire::ids::{ActionId, Epoch, Seq};

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
    let stored = session.store.read(&session.key, Seq::default()).await;
    let stored = stored.unwrap();
    assert!(stored.len() < 14, "{} records are kept", stored.len());
    let again = book(&session.store, &session.limits);
    let (before, after) = (
        session.book.session(&session.key).await.unwrap(),
        again.session(&session.key).await.unwrap(),
    );
    assert_eq!(before.state, after.state);
    assert_eq!(before.contract.source(), after.contract.source());
    assert_eq!(before.view(), after.view());
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

#[tokio::test]
async fn a_reader_that_is_not_polled_keeps_nobody_from_deciding() {
    let session = Fixture::new(Limits::default()).await;
    let cell = session.book.kept(&session.key).await.unwrap();
    let turn = cell.turn().await;
    cell.set_behind();
    let mut reader = Box::pin(session.book.page(&session.key, Seq::default(), 1));
    assert!(reader.as_mut().now_or_never().is_none(), "someone decides");
    drop(turn);
    // As a socket does: it answers a frame, and goes on reading afterwards.
    let answered = timeout(Duration::from_secs(30), session.click("gesture")).await;
    assert!(answered.is_ok());
    assert_eq!(reader.await.unwrap().entries.len(), 1);
}

#[tokio::test]
async fn nothing_is_refused_that_another_node_has_made_right() {
    let session = Fixture::new(Limits::default()).await;
    let another = Arc::new(session.store.another());
    let other = book(&another, &session.limits);
    let id = ActionId::from("gesture-1");
    let confirm = |session: &Session| match session.inbox.has_seen(&id) {
        true => Ok(Decision::of([])),
        false => Err(BookError::Store(StoreError::Conflict)),
    };
    let refused = other.decide(&session.caller, &session.key, confirm).await;
    assert!(refused.is_err(), "it was never given");
    // Nobody tells the other node.
    session.click("gesture-1").await;
    let decided = other.decide(&session.caller, &session.key, confirm).await;
    assert_eq!(decided.unwrap().1, Seq(2));
}

/// Two books above one store, of which the other knows that it is behind.
async fn one_behind() -> (Fixture, Arc<Failing<MemorySessions>>, Arc<Book>) {
    let session = Fixture::new(Limits::default()).await;
    let another = Arc::new(session.store.another());
    let other = book(&another, &session.limits);
    other.session(&session.key).await.unwrap();
    session.click("gesture-1").await;
    other.kept(&session.key).await.unwrap().set_behind();
    (session, another, other)
}

/// Decides on nothing, which takes the newest state as any decision does.
async fn look(book: &Book, session: &Fixture) -> Seq {
    let nothing = |_: &Session| Ok::<_, BookError>(Decision::of([]));
    let looked = book.decide(&session.caller, &session.key, nothing).await;
    looked.unwrap().1
}

#[tokio::test]
async fn while_a_session_is_being_read_nobody_is_shown_it_as_it_was() {
    let (session, store, other) = one_behind().await;
    let held = store.hold_reads().await;
    let mut reading = Box::pin(look(&other, &session));
    assert!(reading.as_mut().now_or_never().is_none());
    let mut shown = Box::pin(other.page(&session.key, Seq::default(), usize::MAX));
    let early = shown.as_mut().now_or_never();
    assert!(early.is_none(), "{early:?}");
    drop(held);
    assert_eq!(reading.await, Seq(2));
    assert_eq!(shown.await.unwrap().head, Seq(2));
}

#[tokio::test]
async fn a_reading_that_is_given_up_is_made_again_by_the_next() {
    let (session, store, other) = one_behind().await;
    let held = store.hold_reads().await;
    // A caller that hangs up meanwhile.
    assert!(look(&other, &session).now_or_never().is_none());
    drop(held);
    assert_eq!(look(&other, &session).await, Seq(2));
}

#[tokio::test]
async fn what_is_noticed_while_a_session_is_being_read_is_read_as_well() {
    let (session, store, other) = one_behind().await;
    let held = store.hold_reads().await;
    let mut reading = Box::pin(look(&other, &session));
    assert!(reading.as_mut().now_or_never().is_none());
    // The store was read already.
    session.click("gesture-2").await;
    other.kept(&session.key).await.unwrap().set_behind();
    drop(held);
    assert_eq!(reading.await, Seq(2));
    assert_eq!(look(&other, &session).await, Seq(3));
}
