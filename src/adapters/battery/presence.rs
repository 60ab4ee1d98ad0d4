//! What every store of presence must do.

use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt as _;

use super::failing::{Failing, Mode};
use super::samples::key;
use crate::domain::clock::Time;
use crate::domain::presence::{Presence, PresenceStore};

pub(in crate::adapters) async fn an_agent_is_there_from_its_coming_to_its_leaving(
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

pub(in crate::adapters) async fn a_change_is_announced_once(store: Arc<dyn PresenceStore>) {
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

pub(in crate::adapters) async fn agents_that_left_long_ago_are_forgotten(
    store: Arc<dyn PresenceStore>,
) {
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

pub(in crate::adapters) async fn an_agent_whose_coming_is_not_answered_leaves_without_a_trace<S>(
    store: Arc<S>,
) where
    S: PresenceStore,
{
    let key = key("a", "s");
    let failing = Failing::above(Arc::clone(&store));
    for mode in [Mode::Every, Mode::AfterWrite(1)] {
        failing.fail(mode);
        assert!(failing.enter(&key).await.is_err());
        failing.leave(&key, Time(5));
        assert_eq!(store.presence(&key).await.unwrap().waiting, 0, "{mode:?}");
    }
    failing.fail(Mode::AfterWrite(1));
    assert!(failing.announce(&key, true).await.is_err());
    assert_eq!(store.announce(&key, true).await, Ok(false));
}

/// All of it for the stores of a factory.
macro_rules! presence_store_battery {
    ($fresh:path) => {
        $crate::adapters::battery::store_tests! { $fresh, presence:
            an_agent_is_there_from_its_coming_to_its_leaving
            a_change_is_announced_once
            agents_that_left_long_ago_are_forgotten
            an_agent_whose_coming_is_not_answered_leaves_without_a_trace
        }
    };
}

pub(in crate::adapters) use presence_store_battery;
