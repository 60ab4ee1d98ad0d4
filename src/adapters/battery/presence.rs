//! What every store of presence must do.

use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt as _;

use super::samples::key;
use crate::domain::clock::Time;
use crate::domain::presence::{Presence, PresenceStore};

pub(super) async fn an_agent_is_there_from_its_coming_to_its_leaving(
    store: Arc<dyn PresenceStore>,
) {
    let key = key("a", "s");
    assert_eq!(store.presence(&key).await, Ok(Presence::default()));
    let mut waits = pin!(store.wait(&key, 0));
    assert!(waits.as_mut().now_or_never().is_none());
    store.enter(&key).await.unwrap();
    store.enter(&key).await.unwrap();
    waits.await.unwrap();
    store.leave(&key, Time(5));
    store.leave(&key, Time(6));
    let left = store.presence(&key).await.unwrap();
    assert_eq!((left.waiting, left.left_at), (0, Some(Time(6))));
    // One that came and left again was there, too.
    store.wait(&key, left.arrivals - 1).await.unwrap();
    let next = store.wait(&key, left.arrivals).now_or_never();
    assert!(next.is_none());
}

pub(super) async fn those_who_watch_are_told_once(store: Arc<dyn PresenceStore>) {
    let key = key("a", "s");
    store.enter(&key).await.unwrap();
    assert_eq!(store.announce(&key, true).await, Ok(true));
    assert_eq!(store.announce(&key, true).await, Ok(false));
    assert!(store.absent().await.unwrap().is_empty());
    store.leave(&key, Time(5));
    let absent = store.absent().await.unwrap();
    let keys: Vec<_> = absent.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, [&key]);
    assert_eq!(store.announce(&key, false).await, Ok(true));
    assert!(store.absent().await.unwrap().is_empty());
}

pub(super) async fn agents_that_left_long_ago_are_forgotten(store: Arc<dyn PresenceStore>) {
    let (gone, here) = (key("a", "s1"), key("a", "s2"));
    for key in [&gone, &here] {
        store.enter(key).await.unwrap();
    }
    store.leave(&gone, Time(5));
    store.forget(Time(5)).await.unwrap();
    assert_eq!(store.count(), 2);
    store.forget(Time(6)).await.unwrap();
    assert_eq!(store.count(), 1);
    assert_eq!(store.presence(&gone).await, Ok(Presence::default()));
    assert_eq!(store.presence(&here).await.unwrap().waiting, 1);
}

macro_rules! presence_store_battery {
    ($factory:expr; $($check:ident)*) => {
        $(#[tokio::test]
        async fn $check() {
            super::$check(Arc::new($factory)).await;
        })*
    };
    ($factory:expr) => {
        presence_store_battery! { $factory;
            an_agent_is_there_from_its_coming_to_its_leaving
            those_who_watch_are_told_once
            agents_that_left_long_ago_are_forgotten
        }
    };
}

mod memory {
    use std::sync::Arc;

    use crate::adapters::memory::MemoryPresence;

    presence_store_battery!(MemoryPresence::default());
}
