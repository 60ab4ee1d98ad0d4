//! Everything `ggui_get_session` returns, and how events change it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::{Shown, World};

async fn state(world: &World, shown: &Shown) -> Value {
    let read = json!({"sessionId": shown.session});
    world.tool("ggui_get_session", read).await
}

async fn sync(world: &World, shown: &Shown, snapshot: Value) {
    let arguments = json!({"sessionId": shown.session, "appId": "builder", "snapshot": snapshot});
    let synced = world.tool("ggui_runtime_sync_context", arguments).await;
    assert_eq!(synced, json!({"ok": true}));
}

#[tokio::test]
async fn get_session_returns_the_whole_state() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut returned = state(&world, &shown).await;
    let made = returned["createdAt"].as_u64().expect("a time");
    let sequence = returned["eventSequence"].as_u64().expect("a position");
    assert_eq!(
        returned,
        json!({
            "id": shown.session,
            "appId": "builder",
            "eventSequence": sequence,
            "version": 1,
            "epoch": 0,
            "status": "active",
            "intent": "A test",
            "contractHash": "1ce5499e66c2ebfb",
            "props": basket_props(),
            "pendingActions": 0,
            "createdAt": made,
            "lastActivityAt": made,
            "expiresAt": made + 3_600_000,
        })
    );

    world.clock.advance(Duration::from_secs(10));
    let merge =
        |note: &str| json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": note}});
    world.tool("ggui_amend", merge("one")).await;
    world.tool("ggui_update", merge("two")).await;
    let (mut browser, _) = world.browse(&shown).await;
    let request = browser.act("checkout", Value::Null).await;
    assert_eq!(browser.answer_to(&request).await["type"], "ack");
    let later = state(&world, &shown).await;
    let mut props = basket_props();
    props["note"] = json!("two");
    for (member, value) in [
        ("version", json!(3)),
        ("epoch", json!(1)),
        ("props", props),
        ("pendingActions", json!(1)),
        ("lastActivityAt", json!(made + 10_000)),
        ("expiresAt", json!(made + 3_610_000)),
    ] {
        assert_eq!(later[member], value, "{member}");
        returned[member] = value;
    }
    assert!(later["eventSequence"].as_u64() > returned["eventSequence"].as_u64());
    returned["eventSequence"] = later["eventSequence"].clone();
    assert_eq!(later, returned, "nothing else has changed");
}

#[tokio::test]
async fn values_of_context_slots_reach_the_agent_and_the_next_mount() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let before = state(&world, &shown).await;
    assert!(before.get("contextSnapshot").is_none(), "{before}");
    sync(&world, &shown, json!({"coupon": "SUMMER"})).await;
    let returned = state(&world, &shown).await;
    assert_eq!(returned["contextSnapshot"], json!({"coupon": "SUMMER"}));
    for member in ["version", "epoch", "props", "pendingActions"] {
        assert_eq!(returned[member], before[member], "{member}");
    }
    let uri = format!("ui://ggui/render/{}", shown.session);
    let page = world.rpc("resources/read", json!({"uri": uri})).await.body;
    let page = page["result"]["contents"][0]["text"].as_str();
    assert!(page.expect("a page").contains("SUMMER"));
    // A snapshot replaces the previous one.
    sync(&world, &shown, json!({})).await;
    let returned = state(&world, &shown).await;
    assert_eq!(returned["contextSnapshot"], json!({}));
    // An invalid one changes nothing.
    let arguments =
        json!({"sessionId": shown.session, "appId": "builder", "snapshot": {"coupon": 5}});
    let refused = world.tool("ggui_runtime_sync_context", arguments).await;
    assert_eq!(refused["code"], "CONTEXT_SCHEMA_VIOLATION");
    assert_eq!(state(&world, &shown).await, returned);
}

#[tokio::test]
async fn each_window_of_a_session_sees_what_another_one_set_and_sent() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut one, _) = world.browse(&shown).await;
    let mut other = world.knock(&shown).await;
    let ack = other.subscribe(json!({"observe": true})).await;
    assert_eq!(ack["type"], "ack");

    sync(&world, &shown, json!({"coupon": "TEN"})).await;
    let heard = other.frame("observe").await["payload"]["event"].clone();
    let set = json!({"kind": "context-synced", "snapshot": {"coupon": "TEN"}});
    assert_eq!(heard, set);

    let id = "0123456789abcdef";
    let request = one.act_as("checkout", Value::Null, Some(id)).await;
    assert_eq!(one.answer_to(&request).await["type"], "ack");
    let heard = other.frame("observe").await["payload"]["event"].clone();
    let sent = json!({"kind": "action-submitted", "actionId": id, "action": "checkout"});
    assert_eq!(heard, sent);
}
