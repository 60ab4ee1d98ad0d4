//! What every store of activity lists must do.

use std::pin::pin;
use std::sync::Arc;

use futures_util::FutureExt as _;

use crate::domain::activity::{Activity, ActivityStore};
use crate::domain::clock::Time;
use crate::domain::principal::Door;
use crate::wire::ids::{AppId, Seq};

/// As many rows as anybody may have.
const MANY: usize = 100;

fn row(session: &str, seq: u64) -> Activity {
    Activity {
        session: session.into(),
        owner: "agent".into(),
        seq: Seq(seq),
        at: Time(seq),
        kind: "clicked".into(),
        text: (seq > 1).then(|| "go".to_owned()),
        principal: "person".into(),
        door: Door::Socket,
    }
}

pub(in crate::adapters) async fn rows_are_read_in_their_order_from_a_position_on<S>(store: Arc<S>)
where
    S: ActivityStore,
{
    let app = AppId::from("a");
    assert_eq!(store.after(&app, 0).await, Ok((Vec::new(), 0)));
    let first = [row("s", 1), row("t", 1)];
    store.add(&app, &first, MANY).await.unwrap();
    let (rows, at) = store.after(&app, 0).await.unwrap();
    assert_eq!(rows, first);
    // A row that is there is not added again, whoever was not answered.
    let more = [row("t", 1), row("s", 2)];
    store.add(&app, &more, MANY).await.unwrap();
    let (rows, next) = store.after(&app, at).await.unwrap();
    assert_eq!(rows, [row("s", 2)]);
    assert_eq!(store.after(&app, next).await, Ok((Vec::new(), next)));
    let (other, _) = store.after(&AppId::from("b"), 0).await.unwrap();
    assert!(other.is_empty());
}

pub(in crate::adapters) async fn of_too_many_rows_the_oldest_are_forgotten<S>(store: Arc<S>)
where
    S: ActivityStore,
{
    let (app, other) = (AppId::from("a"), AppId::from("b"));
    store.add(&other, &[row("s", 1)], 3).await.unwrap();
    for seq in [1, 3, 5] {
        let rows = [row("s", seq), row("s", seq + 1)];
        store.add(&app, &rows, 3).await.unwrap();
    }
    let (rows, _) = store.after(&app, 0).await.unwrap();
    assert_eq!(rows, [4, 5, 6].map(|seq| row("s", seq)));
    assert_eq!(store.after(&other, 0).await.unwrap().0.len(), 1);
}

pub(in crate::adapters) async fn who_waits_for_rows_is_woken_by_those_of_the_app<S>(store: Arc<S>)
where
    S: ActivityStore,
{
    let app = AppId::from("a");
    store.add(&app, &[row("s", 1)], MANY).await.unwrap();
    store.wait(&app, 0).await.unwrap();
    let (_, at) = store.after(&app, 0).await.unwrap();
    let mut waits = pin!(store.wait(&app, at));
    assert!(waits.as_mut().now_or_never().is_none());
    store
        .add(&AppId::from("b"), &[row("s", 2)], MANY)
        .await
        .unwrap();
    assert!(waits.as_mut().now_or_never().is_none());
    store.add(&app, &[row("s", 2)], MANY).await.unwrap();
    waits.await.unwrap();
}

/// All of it for the stores of a factory.
macro_rules! activity_store_battery {
    ($fresh:path) => {
        $crate::adapters::battery::store_tests! { $fresh, activity:
            rows_are_read_in_their_order_from_a_position_on
            of_too_many_rows_the_oldest_are_forgotten
            who_waits_for_rows_is_woken_by_those_of_the_app
        }
    };
}

pub(in crate::adapters) use activity_store_battery;
