//! What every store of blueprints must do.

use std::sync::Arc;

use serde_json::json;

use super::failing::{Failing, Mode};
use super::samples::{contract, document};
use crate::domain::blueprint::{Blueprint, BlueprintStore, Cost, Registered};
use crate::domain::clock::Time;
use crate::domain::store_error::StoreError;
use crate::wire::ids::AppId;
use crate::wire::remark::{Rating, Remark};
use crate::wire::tools::Variance;

pub(in crate::adapters) fn row(id: &str, key: &str) -> Registered {
    let blueprint = Blueprint {
        id: id.into(),
        contract: contract().hash,
        key: key.to_owned(),
        variance: Variance::default(),
        variant_key: "44136fa355b3678a".to_owned(),
        intent: "A test".into(),
        view: None,
        bytes: 100,
        generated_by: Some("quick".into()),
        cost: Some(Cost {
            rounds: 2,
            tokens: 2_400,
            microdollars: 4_000,
        }),
        choice: Some(json!({"primary": "go"})),
        remarks: vec![Remark {
            rating: Some(Rating::Bad),
            text: Some("Make it a board".to_owned()),
        }],
        created_at: Time(1),
    };
    Registered {
        blueprint: Arc::new(blueprint),
        hits: 0,
        used_at: Time(1),
    }
}

pub(in crate::adapters) async fn a_blueprint_takes_the_place_of_the_one_that_was_looked_at_and_of_no_other(
    store: Arc<dyn BlueprintStore>,
) {
    let app = AppId::from("a");
    let put = |id: &str, replaces: Option<&str>| {
        let replaces = replaces.map(Arc::from);
        let (store, app, row) = (Arc::clone(&store), app.clone(), row(id, "k"));
        async move { store.put(&app, row, vec![contract()], replaces).await }
    };
    assert_eq!(put("one", Some("none")).await, Err(StoreError::Conflict));
    put("one", None).await.unwrap();
    let one = store.find(&app, "k").await;
    assert_eq!(one, Ok(row("one", "k").blueprint));
    for replaces in [None, Some("two")] {
        assert_eq!(put("two", replaces).await, Err(StoreError::Conflict));
    }
    put("two", Some("one")).await.unwrap();
    assert_eq!(
        store.find(&app, "k").await.unwrap(),
        row("two", "k").blueprint
    );
    assert_eq!(store.get(&app, "two").await.unwrap(), row("two", "k"));
    assert_eq!(store.get(&app, "one").await, Err(StoreError::Missing));
    let replaced = store.documents(&app, "one").await;
    assert_eq!(replaced.err(), Some(StoreError::Missing));
    assert_eq!(store.list(&app).await.unwrap(), [row("two", "k")]);
}

pub(in crate::adapters) async fn what_is_removed_or_another_app_s_is_missing(
    store: Arc<dyn BlueprintStore>,
) {
    let (app, other) = (AppId::from("a"), AppId::from("b"));
    let documents = vec![contract(), document(json!({"view": []}))];
    let put = store.put(&app, row("one", "k"), documents.clone(), None);
    put.await.unwrap();
    let kept = store.documents(&app, "one").await.unwrap();
    let texts = |documents: &[crate::domain::document::Document]| -> Vec<_> {
        let texts = documents.iter().map(|document| document.value.to_string());
        texts.collect()
    };
    assert_eq!(texts(&kept), texts(&documents));
    let missing = Err(StoreError::Missing);
    assert_eq!(store.hit(&other, "one", Time(2)).await, missing);
    assert_eq!(store.remove(&other, "one").await, missing);
    assert_eq!(store.find(&other, "k").await, Err(StoreError::Missing));
    assert_eq!(store.get(&other, "one").await, Err(StoreError::Missing));
    assert!(store.list(&other).await.unwrap().is_empty());
    store.hit(&app, "one", Time(2)).await.unwrap();
    let hit = store.get(&app, "one").await.unwrap();
    assert_eq!((hit.hits, hit.used_at), (1, Time(2)));
    assert!(store.find(&app, "k").await.is_ok());
    store.remove(&app, "one").await.unwrap();
    assert_eq!(store.find(&app, "k").await, Err(StoreError::Missing));
    assert_eq!(store.remove(&app, "one").await, missing);
    assert_eq!(store.hit(&app, "one", Time(3)).await, missing);
    assert!(store.list(&app).await.unwrap().is_empty());
}

pub(in crate::adapters) async fn what_is_not_answered_is_done_once_or_not_at_all<S>(store: Arc<S>)
where
    S: BlueprintStore,
{
    let app = AppId::from("a");
    let failing = Failing::above(Arc::clone(&store));
    let put = || failing.put(&app, row("one", "k"), vec![contract()], None);
    failing.fail(Mode::Every);
    assert!(put().await.is_err());
    assert_eq!(store.find(&app, "k").await, Err(StoreError::Missing));
    failing.fail(Mode::AfterWrite(1));
    assert!(put().await.is_err());
    assert_eq!(put().await, Err(StoreError::Conflict));
    assert_eq!(store.list(&app).await.unwrap(), [row("one", "k")]);
    assert!(failing.hit(&app, "one", Time(2)).await.is_err());
    assert_eq!(store.get(&app, "one").await.unwrap().hits, 1);
    failing.fail(Mode::Every);
    assert!(failing.remove(&app, "one").await.is_err());
    assert!(store.get(&app, "one").await.is_ok());
    failing.fail(Mode::AfterWrite(1));
    assert!(failing.remove(&app, "one").await.is_err());
    assert_eq!(failing.remove(&app, "one").await, Err(StoreError::Missing));
}

/// All of it for the stores of a factory.
macro_rules! blueprint_store_battery {
    ($fresh:path) => {
        $crate::adapters::battery::store_tests! { $fresh, blueprints:
            a_blueprint_takes_the_place_of_the_one_that_was_looked_at_and_of_no_other
            what_is_removed_or_another_app_s_is_missing
            what_is_not_answered_is_done_once_or_not_at_all
        }
    };
}

pub(in crate::adapters) use blueprint_store_battery;
