//! What every store of sessions must do with what is appended: write it once, in its place, or not at
//! all.

use std::sync::Arc;

use futures_util::future::join_all;

use super::failing::{Failing, MODES, Mode};
use super::samples::{
    LATE, birth, contract, emitted, handshake, key, next, noted, positions, summary,
};
use super::sessions::{MANY, create, is_unavailable, listed};
use crate::domain::attempt::{Attempt, AttemptId, CameTo};
use crate::domain::clock::Time;
use crate::domain::event::{Record, SessionState};
use crate::domain::store::SessionStore;
use crate::domain::store_error::StoreError;
use crate::wire::ids::{HandshakeId, Seq};

pub(in crate::adapters) async fn an_append_at_another_position_than_the_head_changes_nothing(
    store: Arc<dyn SessionStore>,
) {
    let key = key("a", "s");
    create(&*store, &key).await;
    for expected in [0, 2] {
        let refused = store.append(&next(&key, expected, noted("no"))).await;
        assert_eq!(refused, Err(StoreError::Conflict));
    }
    store.append(&next(&key, 1, noted("yes"))).await.unwrap();
    let again = store.append(&next(&key, 1, noted("yes"))).await;
    assert_eq!(again, Err(StoreError::Conflict));
    let read = store.read(&key, Seq(0)).await.unwrap();
    assert_eq!(positions(&read), [(1, false), (2, false)]);
    assert_eq!(read[1].fact.event, noted("yes"));
    let tail = store.read(&key, Seq(1)).await.unwrap();
    assert_eq!(positions(&tail), [(2, false)]);
    assert!(store.read(&key, Seq(2)).await.unwrap().is_empty());
}

pub(in crate::adapters) async fn an_append_that_is_made_again_is_known_by_its_id_and_written_once<
    S,
>(
    store: Arc<S>,
) where
    S: SessionStore,
{
    let (key, claim) = (key("a", "s"), HandshakeId::from("h"));
    let put = store.put_handshake(handshake("a", "h", 0, LATE.0), vec![contract()], MANY);
    put.await.unwrap();
    let born = birth(&key, LATE);
    for _ in 0..2 {
        let created = store.create(&claim, Time(1), &born, vec![contract()], MANY);
        created.await.unwrap();
    }
    let twin = birth(&key, LATE);
    let twin = store.create(&claim, Time(1), &twin, vec![contract()], MANY);
    assert_eq!(twin.await, Err(StoreError::Conflict));
    let first = next(&key, 1, noted("x"));
    for _ in 0..2 {
        store.append(&first).await.unwrap();
    }
    // Another writer's append is not this one, however equal they are.
    let twin = store.append(&next(&key, 1, noted("x"))).await;
    assert_eq!(twin, Err(StoreError::Conflict));
    let failing = Failing::above(Arc::clone(&store));
    failing.fail(Mode::AfterWrite(1));
    let second = next(&key, 2, noted("y"));
    let doubtful = failing.append(&second).await;
    assert!(is_unavailable(&doubtful));
    // Others may go on before it is made again.
    let third = next(&key, 3, noted("z"));
    store.append(&third).await.unwrap();
    store.append(&first).await.unwrap();
    store.append(&second).await.unwrap();
    let read = store.read(&key, Seq(0)).await.unwrap();
    let once: Vec<_> = (1..=4).map(|seq| (seq, false)).collect();
    assert_eq!(positions(&read), once);
    let listed = listed(&*store, "a").await;
    assert_eq!(listed[0].summary, Some(summary(&key, 4)));
}

pub(in crate::adapters) async fn what_a_call_brought_about_names_it_and_a_racing_copy_is_refused(
    store: Arc<dyn SessionStore>,
) {
    let key = key("a", "s");
    create(&*store, &key).await;
    let attempt = Attempt {
        id: AttemptId::of([b"a", b"agent", b"ggui_emit", b"k", b"{}"]),
        since: Time(0),
    };
    let of_call = || {
        let mut append = next(&key, 1, emitted());
        let record = Arc::make_mut(&mut append.records[0]);
        record.fact.attempt = Some(attempt.id.clone());
        append
    };
    store.append(&of_call()).await.unwrap();
    // The same call at another node, which has read what was there before.
    let copy = store.append(&of_call()).await;
    assert_eq!(copy, Err(StoreError::Conflict));
    let state = async || {
        let read = store.read(&key, Seq(0)).await.unwrap();
        SessionState::fold(&key, &read).unwrap()
    };
    let before = state().await;
    let known = before.attempts.find(Some(&attempt));
    assert_eq!(known, Some(&CameTo::Emitted));
    let mut later = next(&key, 2, noted("later"));
    later.snapshot = Some(Arc::new(Record::snapshot(before.clone())));
    store.append(&later).await.unwrap();
    assert_eq!(state().await.attempts, before.attempts);
}

pub(in crate::adapters) async fn of_racing_appends_each_position_is_written_once(
    store: Arc<dyn SessionStore>,
) {
    let key = key("a", "s");
    create(&*store, &key).await;
    let writers = (0..4).map(|writer| {
        let (store, key) = (Arc::clone(&store), key.clone());
        tokio::spawn(async move {
            let mut written = 0;
            while written < 25 {
                let head = store.read(&key, Seq(0)).await.unwrap().len() as u64;
                let event = noted(&format!("{writer}-{written}"));
                match store.append(&next(&key, head, event)).await {
                    Ok(()) => written += 1,
                    Err(error) => assert_eq!(error, StoreError::Conflict),
                }
                tokio::task::yield_now().await;
            }
        })
    });
    for writer in join_all(writers).await {
        writer.unwrap();
    }
    let read = store.read(&key, Seq(0)).await.unwrap();
    let gap_free: Vec<_> = (1..=101).map(|seq| (seq, false)).collect();
    assert_eq!(positions(&read), gap_free);
}

pub(in crate::adapters) async fn what_is_appended_until_it_is_there_is_there_once_and_in_order<S>(
    store: Arc<S>,
) where
    S: SessionStore,
{
    for (number, mode) in MODES.into_iter().enumerate() {
        let key = key("a", &format!("s-{number}"));
        create(&*store, &key).await;
        let failing = Failing::above(Arc::clone(&store));
        failing.fail(mode);
        let mut head = 1;
        while head < 21 {
            let event = noted(&head.to_string());
            let appended = failing.append(&next(&key, head, event)).await;
            if let Err(StoreError::Unavailable { .. } | StoreError::Conflict) = appended {
                if let Ok(read) = failing.read(&key, Seq(0)).await {
                    head = read.len() as u64;
                }
            } else {
                assert_eq!(appended, Ok(()), "{mode:?}");
                head += 1;
            }
        }
        let read = store.read(&key, Seq(1)).await.unwrap();
        let wanted: Vec<_> = (1..21).map(|head| noted(&head.to_string())).collect();
        let events: Vec<_> = read.iter().map(|record| &record.fact.event).collect();
        assert_eq!(events, wanted.iter().collect::<Vec<_>>(), "{mode:?}");
    }
}
