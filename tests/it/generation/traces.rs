//! What a model took stands in the trace of the request that it was asked for.

use serde_json::{Value, json};

use super::{Reply, Studio, chores, ended};
use crate::traces::Log;

/// On one thread: the subscriber belongs to the thread, and the server runs on it, too.
#[tokio::test]
async fn every_request_to_a_provider_has_a_span_with_its_tokens_and_its_cost() {
    let log = Log::default();
    let _guards = log.listen();
    let replies = [Reply::Status(503, Some("0")), Reply::Says(chores())];
    let studio = Studio::start(replies).await;
    let (_, mut browser) = studio.show().await;
    assert_eq!(ended(&mut browser).await["outcome"], "drawn");
    let asked = log.ended("adapters.model.ask");
    let attempts: Vec<_> = asked
        .iter()
        .map(|(span, _)| {
            let of = |name: &str| span[name].clone();
            let tokens = [of("prompt_tokens"), of("answer_tokens"), of("microdollars")];
            (of("model"), of("attempt"), of("outcome"), tokens)
        })
        .collect();
    let expected = |attempt: u32, outcome: &str, took: [u64; 3]| {
        let took = took.map(Value::from);
        (json!("quick"), json!(attempt), json!(outcome), took)
    };
    assert_eq!(
        attempts,
        [
            expected(1, "unavailable", [0, 0, 0]),
            expected(2, "ok", [1000, 200, 2000]),
        ]
    );
    for (span, around) in &asked {
        assert!(span["elapsed_ms"].is_u64(), "{span}");
        let names = around.as_array().into_iter().flatten();
        let names: Vec<&str> = names.filter_map(|span| span["name"].as_str()).collect();
        for name in [
            "transports.http.answer",
            "services.dispatch.run",
            "services.content.draw",
        ] {
            assert!(names.contains(&name), "{name}: {names:?}");
        }
    }
}
