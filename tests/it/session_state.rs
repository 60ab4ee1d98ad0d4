//! All that `ggui_get_session` tells of a session, as what happens in it changes it.

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
async fn a_session_tells_its_whole_state() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut told = state(&world, &shown).await;
    let made = told["createdAt"].as_u64().expect("a time");
    let sequence = told["eventSequence"].as_u64().expect("a position");
    assert_eq!(
        told,
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
        told[member] = value;
    }
    assert!(later["eventSequence"].as_u64() > told["eventSequence"].as_u64());
    told["eventSequence"] = later["eventSequence"].clone();
    assert_eq!(later, told, "nothing else has changed");
}

#[tokio::test]
async fn what_context_slots_hold_is_told_to_the_agent_and_to_the_next_mount() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let before = state(&world, &shown).await;
    assert!(before.get("contextSnapshot").is_none(), "{before}");
    sync(&world, &shown, json!({"coupon": "SUMMER"})).await;
    let told = state(&world, &shown).await;
    assert_eq!(told["contextSnapshot"], json!({"coupon": "SUMMER"}));
    for member in ["version", "epoch", "props", "pendingActions"] {
        assert_eq!(told[member], before[member], "{member}");
    }
    let uri = format!("ui://ggui/render/{}", shown.session);
    let page = world.rpc("resources/read", json!({"uri": uri})).await.body;
    let page = page["result"]["contents"][0]["text"].as_str();
    assert!(page.expect("a page").contains("SUMMER"));
    // A snapshot takes the place of the one before.
    sync(&world, &shown, json!({})).await;
    let told = state(&world, &shown).await;
    assert_eq!(told["contextSnapshot"], json!({}));
    // One that does not fit changes nothing.
    let arguments =
        json!({"sessionId": shown.session, "appId": "builder", "snapshot": {"coupon": 5}});
    let refused = world.tool("ggui_runtime_sync_context", arguments).await;
    assert_eq!(refused["code"], "CONTEXT_SCHEMA_VIOLATION");
    assert_eq!(state(&world, &shown).await, told);
}

#[tokio::test]
async fn each_window_of_a_session_hears_what_another_set_and_sent() {
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
