//! Failures of reading a resource.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::World;

#[tokio::test]
async fn a_failed_read_contains_its_code_and_nothing_else_in_both_eras() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let at = |rest: &str| format!("ui://ggui/render/{}{rest}", shown.session);
    let long = format!("x:{}", "y".repeat(4_000));
    for (uri, code, numbers) in [
        (
            "ui://ggui/render/gone".to_owned(),
            json!("NOT_SUPPORTED"),
            [-32006; 2],
        ),
        (
            at("/0123456789abcdef#1"),
            json!("NOT_SUPPORTED"),
            [-32006; 2],
        ),
        (at("#1"), json!("NOT_SUPPORTED"), [-32006; 2]),
        (at("%231"), json!("NOT_SUPPORTED"), [-32006; 2]),
        (at("#01"), json!("NOT_SUPPORTED"), [-32006; 2]),
        // The error for a foreign address has no code of ours.
        ("ui://ggui/renders".to_owned(), Value::Null, [-32602; 2]),
        (long.clone(), Value::Null, [-32602; 2]),
    ] {
        let params = json!({"uri": uri});
        let answers = [
            world.rpc("resources/read", params.clone()).await,
            world.modern("resources/read", params).await,
        ];
        for (answer, number) in answers.iter().zip(numbers) {
            let error = &answer.body["error"];
            assert_eq!(
                (answer.status, &error["code"], &error["data"]["code"]),
                (200, &json!(number), &code),
                "{uri}: {}",
                answer.body
            );
            let message = error["message"].as_str().expect("a text");
            if code.is_null() {
                let is_cut = uri.chars().count() > 2_048;
                let kept = if is_cut { 2_047 } else { 2_048 };
                let shortened: String = uri.chars().take(kept).collect();
                let cut = if is_cut { "…" } else { "" };
                let expected = format!("MCP error -32602: Resource {shortened}{cut} not found");
                assert_eq!(message, expected);
            } else {
                assert_eq!(message, "This server keeps no durable record of renders.");
            }
        }
    }
}
