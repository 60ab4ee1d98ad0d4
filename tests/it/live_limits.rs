//! The limits for subscribers of a session, and how each is reported.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proscenium::keys;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;

use crate::contracts::{basket, basket_props, build_log};
use crate::raw::Raw;
use crate::world::{Shown, World};

fn stream_path(shown: &Shown) -> String {
    let token = shown.slice()["wsToken"].as_str().unwrap();
    format!("/api/sessions/{}/stream?wsToken={token}", shown.session)
}

#[tokio::test]
async fn a_session_has_a_limited_number_of_readers_over_all_transports() {
    let world = World::start_with(|config| config.limits.sockets.per_session_max = 2).await;
    let shown = world.show(basket(), basket_props()).await;
    let (first, _) = world.browse(&shown).await;
    let second = world.get(&stream_path(&shown)).send().await.unwrap();
    assert_eq!(world.gauge("readers").await, 2);

    let mut third = world.knock(&shown).await;
    let refused = third.subscribe(json!({})).await;
    assert_eq!(refused["payload"]["code"], "SUBSCRIBER_LIMIT", "{refused}");
    let refused = world.send(world.get(&stream_path(&shown))).await;
    assert_eq!(refused.status, 429, "{}", refused.body);
    assert_eq!(refused.body["error"]["code"], "RATE_LIMITED");
    assert_eq!(refused.headers["retry-after"], "10");
    let mut pull = json!({"sessionId": shown.session, "sinceSequence": 5, "wait": 20});
    let params = json!({"name": "ggui_runtime_pull", "arguments": pull});
    let refused = world.rpc("tools/call", params).await;
    assert_eq!(refused.body["error"]["code"], -32013, "{}", refused.body);
    // A pull without waiting is no reader, and another session has a limit of its own.
    pull["wait"] = 0.into();
    world.tool("ggui_runtime_pull", pull).await;
    let other = world.show(basket(), basket_props()).await;
    world.browse(&other).await;

    drop((first, second));
    while world.gauge("readers").await > 0 {
        tokio::task::yield_now().await;
    }
    world.browse(&shown).await;
}

#[tokio::test]
async fn a_frame_that_is_too_large_ends_the_socket_with_its_close_code() {
    let world = World::start_with(|config| config.limits.sockets.frame_bytes_max = 10_000).await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    browser.act("checkout", json!("x".repeat(20_000))).await;
    assert_eq!(browser.closed().await, (1009, "frame_too_large".into()));
}

#[tokio::test]
async fn the_number_of_unsubscribed_sockets_is_limited() {
    let world = World::start_with(|config| config.limits.sockets.pre_subscribe_max = 1).await;
    let shown = world.show(basket(), basket_props()).await;
    let mut first = world.knock(&shown).await;
    let mut second = world.knock(&shown).await;
    assert_eq!(
        second.closed().await,
        (1013, "pre_subscribe_connection_ceiling".into())
    );
    let health = world.send(world.get("/ggui/health")).await.body;
    let rejected = &health["channel"]["caps"]["preSubscribeRejections"];
    assert_eq!(*rejected, json!({"payload": 0, "idle": 0, "connection": 1}));
    // A refused subscription does not free the place; an accepted one does.
    first.subscribe(json!({"sessionId": "elsewhere"})).await;
    let mut third = world.knock(&shown).await;
    assert_eq!(third.closed().await.0, 1013);
    first.ended_by_client().await;
    loop {
        let mut next = world.knock(&shown).await;
        next.send(json!({"type": "ping", "payload": {}})).await;
        if next.next_or_close().await.is_ok() {
            assert_eq!(next.subscribe(json!({})).await["type"], "ack");
            // A subscribed socket is no longer counted.
            assert_eq!(world.browse(&shown).await.1["type"], "ack");
            return;
        }
    }
}

#[tokio::test]
async fn a_credential_may_be_in_the_address_of_an_upgrade() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let secret = keys::create(&file, "ours", 1).unwrap();
    let world = World::start_with(|config| config.server.keys_file = file.clone()).await;
    let address = world.url("/ws").replacen("http", "ws", 1);
    assert!(
        connect_async(format!("{address}?token={secret}"))
            .await
            .is_ok()
    );
    for query in ["", "?token=", "?token=pk_other"] {
        let refused = connect_async(format!("{address}{query}")).await;
        let message = refused.expect_err("a refusal").to_string();
        assert!(message.contains("401"), "{query}: {message}");
    }
}

#[tokio::test]
async fn a_stream_that_is_not_read_ends_like_a_socket_and_observers_see_it() {
    let world = World::start_with(|config| {
        config.server.unlimited = true;
        config.limits.sockets.behind_s = 1;
        config.limits.http.write_s = 600;
    })
    .await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let mut slow = Raw::connect(world.address()).await;
    let path = stream_path(&shown);
    slow.send(format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n"))
        .await;
    let mut observer = world.knock(&shown).await;
    observer.subscribe(json!({"observe": true})).await;
    let is_reported = AtomicBool::new(false);
    let emits = async {
        let line = "x".repeat(60 << 10);
        while !is_reported.load(Ordering::SeqCst) {
            let item = json!({"line": line, "level": "info"});
            let emit = json!({"sessionId": shown.session, "channel": "log", "payload": item});
            world.tool("ggui_emit", emit).await;
        }
    };
    let watches = async {
        loop {
            let frame = observer.frame("observe").await;
            if frame["payload"]["event"]["kind"] == "slow-consumer" {
                is_reported.store(true, Ordering::SeqCst);
                return;
            }
        }
    };
    tokio::join!(emits, watches);
    // When it reads again, it receives what was on its way, and the end.
    assert!(slow.hear(crate::world::PATIENCE).await.closed);
}

#[tokio::test]
async fn a_deleted_session_is_a_row_of_the_activity_and_ends_for_all_subscribers() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let path = format!("/api/v1/sessions/{}", shown.session);
    assert_eq!(world.send(world.delete(&path)).await.status, 204);
    assert_eq!(browser.closed().await, (1008, "session_expired".into()));
    let mut feed = world.get("/stage/feed").send().await.unwrap();
    let mut text = String::new();
    let row = loop {
        let found = text.lines().find_map(|line| {
            let row: Value = serde_json::from_str(line.strip_prefix("data: ")?).ok()?;
            (row["kind"] == "deleted").then_some(row)
        });
        if let Some(row) = found {
            break row;
        }
        let chunk = tokio::time::timeout(Duration::from_secs(20), feed.chunk()).await;
        text.push_str(&String::from_utf8_lossy(&chunk.unwrap().unwrap().unwrap()));
    };
    assert_eq!(
        (&row["sessionId"], &row["by"], &row["door"]),
        (&json!(shown.session), &json!("builder"), &json!("rest"))
    );
    for gauge in ["sessions", "log_bytes", "handshakes"] {
        assert_eq!(world.gauge(gauge).await, 0, "{gauge}");
    }
}

#[tokio::test]
async fn reports_of_a_mount_are_limited_as_configured_and_all_problems_are_reported() {
    let world = World::start_with(|config| {
        let mounts = &mut config.limits.mounts;
        mounts.slots_max = 1;
        mounts.slot_bytes_max = 6;
        mounts.snapshot_bytes_max = 10;
        mounts.host_bytes_max = 100;
        mounts.consents_max = 1;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let snapshot = json!({"coupon": "SUMMER TIME", "size": "L"});
    let arguments = json!({"sessionId": shown.session, "appId": "builder", "snapshot": snapshot});
    let refused = world.tool("ggui_runtime_sync_context", arguments).await;
    assert_eq!(refused["code"], "CONTEXT_TOO_LARGE");
    let message = refused["message"].as_str().expect("a message");
    for problem in [
        "2 slots, 1 at most",
        "coupon: 13 bytes, 6 at most",
        "13 bytes in all slots, 10 at most",
    ] {
        assert!(message.contains(problem), "{message}");
    }

    let (mut browser, _) = world.browse(&shown).await;
    let host = json!({"locale": "en-US", "timeZone": "America/Los_Angeles"});
    let report = json!({"sessionId": shown.session, "hostContext": host});
    let frame = json!({"type": "host_context_observed", "requestId": "h", "payload": report});
    browser.send(frame).await;
    let refused = browser.answer_to("h").await;
    assert_eq!(
        refused["payload"],
        json!({"code": "INVALID_MESSAGE", "message": "payload: at most 100 bytes"})
    );
    let envelope = json!({"action": "checkout", "data": null, "uiContext": {"coupon": "MAYBE"}});
    let payload = json!({"sessionId": shown.session, "type": "data:submit", "payload": envelope});
    browser
        .send(json!({"type": "action", "requestId": "a", "payload": payload}))
        .await;
    let violations = browser.answer_to("a").await["payload"]["details"]["violations"].clone();
    assert_eq!(violations[0]["field"], "uiContext", "{violations}");

    let ask = json!({
        "sessionId": shown.session, "provider": "calendar",
        "authUrl": "https://auth.example/consent",
    });
    world.tool("ggui_request_auth", ask.clone()).await;
    let params = json!({"name": "ggui_request_auth", "arguments": ask});
    let refused = world.rpc("tools/call", params).await;
    assert_eq!(
        refused.body["error"]["data"]["code"], "RATE_LIMIT_EXCEEDED",
        "{}",
        refused.body
    );
}

#[tokio::test]
async fn observers_see_refused_subscriptions_at_a_limited_rate() {
    let world = World::start_with(|config| {
        config.limits.reports.observed_per_second = 1;
        config.limits.reports.observed_burst = 2;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let mut observer = world.knock(&shown).await;
    let ack = observer.subscribe(json!({"observe": true})).await;
    let before = ack["payload"]["sequence"].as_u64().unwrap();
    let mut stranger = world.knock(&shown).await;
    let attempts = 500;
    for _ in 0..attempts {
        let refused = stranger.subscribe(json!({"sessionId": "elsewhere"})).await;
        assert_eq!(refused["type"], "error");
    }
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": "after"}});
    world.tool("ggui_amend", amend).await;
    let mut observed = 0;
    loop {
        let frame = observer.next().await;
        match frame["type"].as_str().unwrap() {
            "observe" => observed += 1,
            "props_update" => break,
            _ => {}
        }
    }
    // One more for each second that a slow machine takes for all this.
    assert!((2..attempts / 5).contains(&observed), "{observed}");
    let (_, ack) = world.browse(&shown).await;
    let grown = ack["payload"]["sequence"].as_u64().unwrap() - before;
    assert_eq!(
        grown,
        observed + 1,
        "refusals that are not observed are not kept either"
    );
}
