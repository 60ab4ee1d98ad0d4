//! What every store of sessions must do.

use std::sync::Arc;

use futures_util::TryStreamExt as _;
use futures_util::future::join_all;
use serde_json::json;

use super::failing::{Failing, Mode};
use super::samples::{
    LATE, birth, contract, document, handshake, key, next, noted, positions, summary,
};
use crate::domain::clock::Time;
use crate::domain::event::{Event, Record, SessionState};
use crate::domain::store::{Listed, SessionStore};
use crate::domain::store_error::StoreError;
use crate::wire::ids::{AppId, HandshakeId, Seq, SessionKey, ShortCode};

/// As many as anybody may have.
pub(super) const MANY: usize = 1_000;

/// A session with its creation in its log.
pub(super) async fn create(store: &dyn SessionStore, key: &SessionKey) {
    let id = format!("h-{}", key.session);
    let open = handshake(key.app.as_str(), &id, 0, LATE.0);
    let put = store.put_handshake(open, vec![contract()], MANY).await;
    put.unwrap();
    let birth = birth(key, LATE);
    let claim = HandshakeId::from(id.as_str());
    let created = store.create(&claim, Time(1), &birth, vec![contract()], MANY);
    created.await.unwrap();
}

/// All sessions of an app.
pub(super) async fn listed(store: &dyn SessionStore, app: &str) -> Vec<Listed> {
    let listed = store.sessions(&AppId::from(app)).try_collect();
    listed.await.unwrap()
}

pub(in crate::adapters) async fn of_racing_claims_one_wins_and_the_others_create_nothing(
    store: Arc<dyn SessionStore>,
) {
    let put = store.put_handshake(handshake("a", "h", 0, 10), vec![contract()], MANY);
    put.await.unwrap();
    let claim = HandshakeId::from("h");
    let attempts = (0..8).map(|number| {
        let (store, claim) = (Arc::clone(&store), claim.clone());
        async move {
            let key = key("a", &format!("s-{number}"));
            let birth = birth(&key, LATE);
            store
                .create(&claim, Time(1), &birth, vec![contract()], MANY)
                .await
        }
    });
    let results = join_all(attempts).await;
    let won = results.iter().filter(|result| result.is_ok()).count();
    let missing = Err(StoreError::Missing);
    let lost = results.iter().filter(|result| **result == missing).count();
    assert_eq!((won, lost), (1, 7));
    assert_eq!(listed(&*store, "a").await.len(), 1);
    let gone = store.handshake(&AppId::from("a"), &claim).await;
    assert_eq!(gone.err(), Some(StoreError::Missing));
}

pub(in crate::adapters) async fn a_refused_claim_leaves_the_handshake_and_no_session(
    store: Arc<dyn SessionStore>,
) {
    let (app, claim) = (AppId::from("a"), HandshakeId::from("h"));
    let put = store.put_handshake(handshake("a", "h", 0, 10), vec![contract()], MANY);
    put.await.unwrap();
    let [own, other] = ["a", "b"].map(|app| birth(&key(app, "s"), LATE));
    let expired = store.create(&claim, Time(10), &own, vec![], MANY);
    assert_eq!(expired.await, Err(StoreError::Missing));
    let foreign = store.create(&claim, Time(1), &other, vec![], MANY);
    assert_eq!(foreign.await, Err(StoreError::Missing));
    let full = store.create(&claim, Time(1), &own, vec![], 0);
    assert!(matches!(full.await, Err(StoreError::Full { max: 0, .. })));
    assert!(listed(&*store, "a").await.is_empty());
    assert!(store.handshake(&app, &claim).await.is_ok());
}

pub(in crate::adapters) async fn only_live_handshakes_take_a_place(store: Arc<dyn SessionStore>) {
    for (id, created_at, expires_at) in [("h1", 0, 10), ("h2", 1, 20)] {
        let open = handshake("a", id, created_at, expires_at);
        store
            .put_handshake(open, vec![contract()], 2)
            .await
            .unwrap();
    }
    let third = |created_at| handshake("a", "h3", created_at, 30);
    let full = store.put_handshake(third(5), vec![contract()], 2).await;
    let Err(StoreError::Full { free_at, max, .. }) = full else {
        panic!("{full:?}");
    };
    assert_eq!((free_at, max), (Some(Time(10)), 2));
    let other = handshake("b", "h3", 5, 30);
    store
        .put_handshake(other, vec![contract()], 2)
        .await
        .unwrap();
    let later = store.put_handshake(third(10), vec![contract()], 2);
    later.await.unwrap();
}

pub(in crate::adapters) async fn a_list_shows_what_the_last_append_of_each_session_has_left(
    store: Arc<dyn SessionStore>,
) {
    for (name, head) in [("s1", 1), ("s2", 4)] {
        let key = key("a", name);
        create(&*store, &key).await;
        for expected in 1..head {
            let append = next(&key, expected, noted("x"));
            store.append(&append).await.unwrap();
        }
    }
    create(&*store, &key("b", "s3")).await;
    let refused = store.append(&next(&key("a", "s2"), 9, noted("x"))).await;
    assert_eq!(refused, Err(StoreError::Conflict));
    let mut found = listed(&*store, "a").await;
    found.sort_by(|one, other| one.session.cmp(&other.session));
    let wanted = [("s1", 1), ("s2", 4)].map(|(name, head)| Listed {
        session: name.into(),
        summary: Some(summary(&key("a", name), head)),
    });
    assert_eq!(found, wanted);
}

pub(in crate::adapters) async fn names_are_found_by_how_they_begin_in_one_app(
    store: Arc<dyn SessionStore>,
) {
    for (app, name) in [
        ("a", "ask-1-x"),
        ("a", "ask-1-y"),
        ("a", "ask-2-z"),
        ("a", "as"),
        ("a", "ask-1"),
        ("b", "ask-1-w"),
    ] {
        create(&*store, &key(app, name)).await;
    }
    let mut found = store.session_names(&"a".into(), "ask-1-").await.unwrap();
    found.sort();
    assert_eq!(found, ["ask-1-x".into(), "ask-1-y".into()]);
    let none = store.session_names(&"a".into(), "ask-3-").await;
    assert_eq!(none.unwrap(), []);
}

pub(in crate::adapters) async fn a_snapshot_takes_the_place_of_what_came_before_it(
    store: Arc<dyn SessionStore>,
) {
    let key = key("a", "s");
    create(&*store, &key).await;
    for at in 1..4 {
        store.append(&next(&key, at, noted("x"))).await.unwrap();
    }
    let whole = store.read(&key, Seq(0)).await.unwrap();
    assert_eq!(
        positions(&whole),
        [(1, false), (2, false), (3, false), (4, false)]
    );
    let state = SessionState::fold(&key, &whole[..2]).unwrap();
    let mut append = next(&key, 4, noted("x"));
    append.snapshot = Some(Arc::new(Record::snapshot(state)));
    store.append(&append).await.unwrap();
    let shorter = store.read(&key, Seq(0)).await.unwrap();
    let kept = [(2, true), (3, false), (4, false), (5, false)];
    assert_eq!(positions(&shorter), kept);
    assert_eq!(
        SessionState::fold(&key, &shorter).map(|state| state.seq),
        Some(Seq(5))
    );
    // Whoever misses something of it is given the snapshot first, and nobody else is.
    let behind = store.read(&key, Seq(1)).await.unwrap();
    assert_eq!(positions(&behind), kept);
    let follows = store.read(&key, Seq(2)).await.unwrap();
    assert_eq!(positions(&follows), kept[1..]);
}

pub(in crate::adapters) async fn what_is_deleted_or_another_app_s_is_missing(
    store: Arc<dyn SessionStore>,
) {
    let key_a = key("a", "s");
    create(&*store, &key_a).await;
    let code = ShortCode::from("s");
    assert_eq!(store.opened_by(&code).await.unwrap(), key_a);
    let foreign = key("b", "s");
    assert_eq!(
        store.read(&foreign, Seq(0)).await.err(),
        Some(StoreError::Missing)
    );
    let other = store.append(&next(&foreign, 1, noted("x"))).await;
    assert_eq!(other, Err(StoreError::Missing));
    let end = next(&key_a, 1, Event::Deleted);
    store.append(&end).await.unwrap();
    assert_eq!(
        store.read(&key_a, Seq(0)).await.err(),
        Some(StoreError::Missing)
    );
    let after = store.append(&next(&key_a, 2, noted("x"))).await;
    assert_eq!(after, Err(StoreError::Missing));
    assert_eq!(store.opened_by(&code).await, Err(StoreError::Missing));
    assert!(listed(&*store, "a").await.is_empty());
}

pub(in crate::adapters) async fn what_has_expired_is_swept_and_nothing_else(
    store: Arc<dyn SessionStore>,
) {
    let (short, long) = (key("a", "s1"), key("a", "s2"));
    create(&*store, &short).await;
    create(&*store, &long).await;
    let mut append = next(&short, 1, noted("x"));
    append.expires_at = Time(50);
    store.append(&append).await.unwrap();
    let put = store.put_handshake(handshake("a", "h", 0, 50), vec![contract()], MANY);
    put.await.unwrap();
    store.sweep(Time(49)).await.unwrap();
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.handshakes, counts.sessions), (1, 2));
    store.sweep(Time(50)).await.unwrap();
    let counts = store.counts().await.unwrap();
    assert_eq!((counts.handshakes, counts.sessions), (0, 1));
    assert_eq!(
        store.read(&short, Seq(0)).await.err(),
        Some(StoreError::Missing)
    );
    let code = store.opened_by(&ShortCode::from("s1")).await;
    assert_eq!(code, Err(StoreError::Missing));
    assert!(store.read(&long, Seq(0)).await.is_ok());
}

pub(in crate::adapters) async fn a_document_is_kept_as_long_as_something_names_it(
    store: Arc<dyn SessionStore>,
) {
    let (first, second) = (document(json!({"b": 1, "a": 2})), document(json!({})));
    let put = store.put_handshake(handshake("a", "h", 0, 10), vec![first.clone()], MANY);
    put.await.unwrap();
    let kept = store.document(first.hash).await.unwrap();
    assert_eq!(kept.to_string(), first.value.to_string(), "byte by byte");
    // Equal documents are one, and each that names it keeps it.
    let again = document(json!({"b": 1, "a": 2}));
    let (key, claim) = (key("a", "s"), HandshakeId::from("h"));
    let birth = birth(&key, LATE);
    let documents = vec![again, second.clone()];
    let created = store.create(&claim, Time(1), &birth, documents, MANY);
    created.await.unwrap();
    drop(kept);
    store.sweep(Time(20)).await.unwrap();
    for hash in [first.hash, second.hash] {
        assert!(store.document(hash).await.is_ok());
    }
    let unknown = store.document(document(json!(7)).hash).await;
    assert_eq!(unknown.err(), Some(StoreError::Missing));
}

pub(in crate::adapters) async fn what_is_not_answered_is_done_as_a_whole_or_not_at_all<S>(
    store: Arc<S>,
) where
    S: SessionStore,
{
    let (app, claim) = (AppId::from("a"), HandshakeId::from("h"));
    let failing = Failing::above(Arc::clone(&store));
    let offer = || failing.put_handshake(handshake("a", "h", 0, 10), vec![contract()], 1);
    let create = |id: &str| {
        let (failing, claim, birth) = (&failing, &claim, birth(&key("a", id), LATE));
        async move {
            let created = failing.create(claim, Time(1), &birth, vec![contract()], 1);
            created.await
        }
    };
    failing.fail(Mode::Every);
    assert!(is_unavailable(&offer().await));
    let none = store.handshake(&app, &claim).await;
    assert_eq!(none.err(), Some(StoreError::Missing));
    failing.fail(Mode::AfterWrite(1));
    assert!(is_unavailable(&offer().await));
    assert!(store.handshake(&app, &claim).await.is_ok());
    failing.fail(Mode::Every);
    assert!(is_unavailable(&create("s").await));
    assert!(store.handshake(&app, &claim).await.is_ok());
    assert!(listed(&*store, "a").await.is_empty());
    failing.fail(Mode::AfterWrite(1));
    assert!(is_unavailable(&create("s").await));
    let load = store.read(&key("a", "s"), Seq(0)).await.unwrap();
    assert_eq!(positions(&load), [(1, false)]);
    // The claim is taken: no second session comes of it.
    failing.fail(Mode::Sound);
    assert!(create("again").await.is_err());
    assert_eq!(listed(&*store, "a").await.len(), 1);
}

pub(super) fn is_unavailable<T>(result: &Result<T, StoreError>) -> bool {
    matches!(result, Err(StoreError::Unavailable { .. }))
}

/// All of it for the stores of a factory.
macro_rules! session_store_battery {
    ($fresh:path) => {
        $crate::adapters::battery::store_tests! { $fresh, sessions:
            of_racing_claims_one_wins_and_the_others_create_nothing
            a_refused_claim_leaves_the_handshake_and_no_session
            only_live_handshakes_take_a_place
            a_list_shows_what_the_last_append_of_each_session_has_left
            a_snapshot_takes_the_place_of_what_came_before_it
            what_is_deleted_or_another_app_s_is_missing
            what_has_expired_is_swept_and_nothing_else
            a_document_is_kept_as_long_as_something_names_it
            what_is_not_answered_is_done_as_a_whole_or_not_at_all
            names_are_found_by_how_they_begin_in_one_app
        }
        $crate::adapters::battery::store_tests! { $fresh, appends:
            an_append_at_another_position_than_the_head_changes_nothing
            an_append_that_is_made_again_is_known_by_its_id_and_written_once
            of_racing_appends_each_position_is_written_once
            what_a_call_brought_about_names_it_and_a_racing_copy_is_refused
            what_is_appended_until_it_is_there_is_there_once_and_in_order
        }
    };
}

pub(in crate::adapters) use session_store_battery;
