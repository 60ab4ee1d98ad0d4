//! Snapshots of context slots that mounts report without a socket.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::live_fallbacks::token;
use crate::world::World;

#[tokio::test]
async fn a_snapshot_of_the_slots_seeds_the_next_mount() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let sync = async |app: &str, session: &str, snapshot: Value| {
        let arguments = json!({"sessionId": session, "appId": app, "snapshot": snapshot});
        world.tool("ggui_runtime_sync_context", arguments).await
    };
    assert_eq!(
        sync("builder", &shown.session, json!({"coupon": "MAY"})).await,
        json!({"ok": true})
    );
    let path = format!(
        "/api/sessions/{}/state?wsToken={}",
        shown.session,
        token(&shown)
    );
    let state = world.send(world.get(&path)).await.body;
    assert_eq!(state["ai.ggui/render"]["contextSlots"][0]["default"], "MAY");

    let refused = [
        (
            sync("someone", &shown.session, json!({})).await,
            "TENANT_MISMATCH",
        ),
        (
            sync("builder", "nobody", json!({})).await,
            "SESSION_NOT_FOUND",
        ),
        (
            sync("builder", &shown.session, json!({"coupon": 5, "size": "L"})).await,
            "CONTEXT_SCHEMA_VIOLATION",
        ),
        (
            sync(
                "builder",
                &shown.session,
                json!({"size": "x".repeat(20_000)}),
            )
            .await,
            "CONTEXT_TOO_LARGE",
        ),
    ];
    for (result, code) in refused {
        assert_eq!(
            (&result["ok"], &result["code"]),
            (&json!(false), &json!(code)),
            "{result}"
        );
    }
    let both = sync("builder", &shown.session, json!({"coupon": 5, "size": "L"})).await;
    let message = both["message"].as_str().unwrap();
    assert!(
        message.contains("coupon.value: must be string"),
        "{message}"
    );
    assert!(message.contains("Unknown slot 'size'"), "{message}");
}

#[tokio::test]
async fn the_rate_of_reports_is_limited() {
    let world = World::start_with(|config| {
        config.limits.reports.per_second = 1;
        config.limits.reports.burst = 1;
    })
    .await;
    let report =
        json!({"sessionId": "any", "events": [{"at": 1, "kind": "boot", "detail": "line\nbreak"}]});
    assert_eq!(
        world.tool("ggui_runtime_telemetry", report.clone()).await,
        json!({"ok": true})
    );
    let refused = world.one_too_many("ggui_runtime_telemetry", &report);
    assert_eq!(refused.await.body["error"]["code"], -32013);
}
