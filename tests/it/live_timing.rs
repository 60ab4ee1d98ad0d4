//! Time-outs and intervals of the live channel, as the protocol defines them.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::stopped::Stopped;
use crate::world::{PATIENCE, World};

#[tokio::test]
async fn a_socket_has_thirty_seconds_to_subscribe() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    browser.send(json!({"type": "ping", "payload": {}})).await;
    browser.frame("pong").await;
    let time = Stopped::now();
    time.advance(29_000).await;
    // Frames it sends meanwhile do not extend the time-out.
    for _ in 0..2 {
        browser.send(json!({"type": "ping", "payload": {}})).await;
        browser.frame("pong").await;
        browser
            .send(json!({"type": "subscribe", "payload": {"sessionId": "x"}}))
            .await;
        browser.frame("error").await;
    }
    time.advance(1_001).await;
    let closed = browser.closed().await;
    assert_eq!(closed, (1008, "pre_subscribe_idle_timeout".into()));
    assert!(time.stands(), "too late");
}

#[tokio::test]
async fn a_quiet_stream_sends_a_heartbeat_every_twenty_five_seconds() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let token = shown.slice()["wsToken"].as_str().unwrap();
    let path = format!("/api/sessions/{}/stream?wsToken={token}", shown.session);
    let mut stream = world.get(&path).send().await.unwrap();
    let mut text = String::new();
    let mut read = async |until: &dyn Fn(&str) -> bool| {
        while !until(&text) {
            let chunk = tokio::time::timeout(PATIENCE, stream.chunk()).await;
            let chunk = chunk.expect("more in time").unwrap().expect("more");
            text.push_str(&String::from_utf8_lossy(&chunk));
        }
        text.clone()
    };
    let opened = read(&|text| text.contains("render_started")).await;
    assert!(!opened.contains(": hb"), "{opened}");
    let time = Stopped::now();
    for beats in 1..4 {
        time.advance(25_001).await;
        read(&|text| text.matches(": hb").count() == beats).await;
        assert!(time.stands(), "too late");
    }
    // Events are sent at once, independent of the next heartbeat.
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": "hi"}});
    let amended: Value = world.tool("ggui_amend", amend).await;
    assert_eq!(amended["updated"], true);
    read(&|text| text.contains("props_update")).await;
    assert!(time.stands(), "too late");
}
