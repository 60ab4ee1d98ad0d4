//! What every store of replayed answers must do.

use std::sync::Arc;

use serde_json::json;
use serde_json::value::to_raw_value;

use super::failing::{Failing, MODES};
use crate::domain::clock::Time;
use crate::domain::limits::IdempotencyLimits;
use crate::domain::operation::{Answer, Hint, IdempotencyKey};
use crate::domain::replayed::{AttemptName, ReplayedAnswer, ReplayedAnswers};

/// Bytes of a large answer, of which [`limits`] leaves room for two.
const LARGE: usize = 40_000;

/// The bounds a factory gives its stores.
pub(in crate::adapters) fn limits() -> IdempotencyLimits {
    IdempotencyLimits {
        results_max: 3,
        bytes_max: 100_000,
        ttl_s: 60,
        ..IdempotencyLimits::default()
    }
}

pub(in crate::adapters) fn name(key: &str) -> AttemptName {
    AttemptName {
        app: "a".into(),
        principal: "agent".into(),
        operation: "ggui_render".into(),
        key: IdempotencyKey::new(key).unwrap(),
    }
}

pub(in crate::adapters) fn answer(text: &str, at: u64) -> ReplayedAnswer {
    let hint = Hint {
        link: Some("https://example.org/".to_owned()),
        then: "Wait".to_owned(),
        comes_first: false,
    };
    ReplayedAnswer {
        digest: [7; 32],
        answer: Answer {
            result: to_raw_value(&json!({ "text": text })).unwrap().into(),
            mounts: None,
            hint: Some(hint),
        },
        at: Time(at),
    }
}

/// The texts that are found under names.
async fn found(store: &dyn ReplayedAnswers, keys: &[&str], now: u64) -> Vec<Option<String>> {
    let mut texts = Vec::new();
    for key in keys {
        let found = store.find(&name(key), Time(now)).await.unwrap();
        texts.push(found.map(|found| found.answer.result.get().to_owned()));
    }
    texts
}

fn text(text: &str) -> Option<String> {
    Some(json!({ "text": text }).to_string())
}

pub(in crate::adapters) async fn an_answer_is_found_as_it_was_and_under_its_whole_name_only(
    store: Arc<dyn ReplayedAnswers>,
) {
    let kept = answer("x", 5);
    store.keep(name("k"), kept.clone()).await.unwrap();
    let found = store.find(&name("k"), Time(6)).await.unwrap().unwrap();
    assert_eq!((found.digest, found.at), (kept.digest, kept.at));
    assert_eq!(found.answer.result.get(), kept.answer.result.get());
    assert_eq!(found.answer.mounts, kept.answer.mounts);
    assert_eq!(found.answer.hint, kept.answer.hint);
    let others = [
        name("other"),
        AttemptName {
            app: "b".into(),
            ..name("k")
        },
        AttemptName {
            principal: "another".into(),
            ..name("k")
        },
        AttemptName {
            operation: "ggui_update".into(),
            ..name("k")
        },
    ];
    for other in others {
        assert!(store.find(&other, Time(6)).await.unwrap().is_none());
    }
}

pub(in crate::adapters) async fn an_answer_is_found_until_its_time_is_over_swept_or_not(
    store: Arc<dyn ReplayedAnswers>,
) {
    store.keep(name("k"), answer("x", 5)).await.unwrap();
    for (now, expected) in [(60_004, text("x")), (60_005, None)] {
        assert_eq!(
            found(&*store, &["k"], now).await,
            std::slice::from_ref(&expected)
        );
        store.sweep(Time(now)).await.unwrap();
        assert_eq!(found(&*store, &["k"], now).await, [expected]);
    }
}

pub(in crate::adapters) async fn where_there_is_no_room_the_oldest_answers_go(
    store: Arc<dyn ReplayedAnswers>,
) {
    for (at, key) in ["1", "2", "3", "4"].into_iter().enumerate() {
        let kept = store.keep(name(key), answer(key, at as u64));
        kept.await.unwrap();
    }
    let all = found(&*store, &["1", "2", "3", "4"], 5).await;
    assert_eq!(all, [None, text("2"), text("3"), text("4")]);
    let large = "x".repeat(LARGE);
    for key in ["5", "6", "7"] {
        store.keep(name(key), answer(&large, 5)).await.unwrap();
    }
    let all = found(&*store, &["3", "4", "5", "6", "7"], 5).await;
    assert_eq!(all, [None, None, None, text(&large), text(&large)]);
    // What is larger than all of the room is not kept, and takes nobody's place.
    let huge = "x".repeat(3 * LARGE);
    store.keep(name("8"), answer(&huge, 5)).await.unwrap();
    let all = found(&*store, &["6", "7", "8"], 5).await;
    assert_eq!(all, [text(&large), text(&large), None]);
}

pub(in crate::adapters) async fn an_answer_that_is_kept_again_takes_one_place<S>(store: Arc<S>)
where
    S: ReplayedAnswers,
{
    let failing = Failing::above(Arc::clone(&store));
    for (round, mode) in MODES.into_iter().enumerate() {
        failing.fail(mode);
        for key in ["1", "2", "3"] {
            let text = format!("{round}-{key}");
            while failing
                .keep(name(key), answer(&text, round as u64))
                .await
                .is_err()
            {}
        }
    }
    let round = MODES.len() - 1;
    let all = found(&*store, &["1", "2", "3"], 5).await;
    let latest = ["1", "2", "3"].map(|key| text(&format!("{round}-{key}")));
    assert_eq!(all, latest);
    // As many go as have to, however often the others were kept.
    for key in ["4", "5"] {
        store.keep(name(key), answer(key, 5)).await.unwrap();
    }
    let all = found(&*store, &["1", "2", "3", "4", "5"], 5).await;
    let [_, _, third] = latest;
    assert_eq!(all, [None, None, third, text("4"), text("5")]);
}

/// All of it for the stores of a factory, which are bounded by [`limits`].
macro_rules! replayed_answers_battery {
    ($fresh:path) => {
        $crate::adapters::battery::store_tests! { $fresh, answers:
            an_answer_is_found_as_it_was_and_under_its_whole_name_only
            an_answer_is_found_until_its_time_is_over_swept_or_not
            where_there_is_no_room_the_oldest_answers_go
            an_answer_that_is_kept_again_takes_one_place
        }
    };
}

pub(in crate::adapters) use replayed_answers_battery;
