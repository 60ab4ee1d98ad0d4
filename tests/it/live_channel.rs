//! The live channel: who may subscribe, what is replayed to a late subscriber, and how sockets end.

use std::time::Duration;

use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use crate::contracts::{basket, basket_props, build_log};
use crate::world::World;

#[tokio::test]
async fn a_subscription_is_answered_with_the_session_as_it_stands() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    let offered = json!(["draft-2026-06-11", "draft-1999-01-01"]);
    let ack = browser
        .subscribe(json!({"supportedVersions": offered, "appId": "builder"}))
        .await;
    assert_eq!(ack["requestId"], "sub");
    let payload = &ack["payload"];
    assert_eq!(payload["serverVersion"], "draft-2026-06-11");
    assert_eq!(payload["session"]["id"], shown.session.as_str());
    assert_eq!(payload["session"]["props"], basket_props());
    assert_eq!(payload["session"]["contentType"], "application/a2ui+json");
    assert_eq!(payload["session"]["view"]["version"], "v0.9");
    assert_eq!(payload["sequence"], payload["session"]["eventSequence"]);
    // The lifecycle of the render is replayed to every subscriber.
    let kinds = [
        browser.next().await,
        browser.next().await,
        browser.next().await,
    ]
    .map(|frame| {
        frame["payload"]["payload"]["kind"]
            .as_str()
            .unwrap()
            .to_owned()
    });
    assert_eq!(
        kinds,
        ["handshake_started", "handshake_completed", "render_started"]
    );
}

#[tokio::test]
async fn a_subscription_is_refused_for_each_reason_with_its_own_code() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let other = world.show(basket(), basket_props()).await;
    let cases = [
        (
            json!({"sessionId": other.session}),
            "BOOTSTRAP_SESSION_MISMATCH",
        ),
        (json!({"appId": "someone"}), "BOOTSTRAP_APP_MISMATCH"),
        (json!({"wsToken": "nonsense"}), "BOOTSTRAP_INVALID"),
        (json!({"wsToken": null}), "UNAUTHENTICATED"),
        (json!({"fromSeq": "x"}), "INVALID_MESSAGE"),
    ];
    for (more, code) in cases {
        let mut browser = world.knock(&shown).await;
        let refused = browser.subscribe(more.clone()).await;
        assert_eq!(refused["payload"]["code"], code, "{more}: {refused}");
    }
    let mut late = world.knock(&shown).await;
    world.clock.advance(Duration::from_secs(181));
    assert_eq!(
        late.subscribe(json!({})).await["payload"]["code"],
        "BOOTSTRAP_EXPIRED"
    );
    let again = late.subscribe(json!({})).await;
    assert_eq!(
        again["payload"]["code"], "UNAUTHENTICATED",
        "one socket, one attempt"
    );
}

#[tokio::test]
async fn without_a_common_draft_the_socket_is_closed_after_an_error() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    let refused = browser
        .subscribe(json!({"supportedVersions": ["draft-1999-01-01"]}))
        .await;
    assert_eq!(refused["payload"]["code"], "UPGRADE_REQUIRED");
    assert_eq!(
        refused["payload"]["details"]["serverVersion"],
        "draft-2026-08-19"
    );
    assert_eq!(browser.closed().await.1, "upgrade_required");
}

#[tokio::test]
async fn a_late_subscriber_gets_what_each_channel_replays() {
    let world = World::start().await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    for number in 0..3 {
        let log = json!({"line": format!("line {number}"), "level": "info"});
        for (channel, payload) in [("log", log), ("progress", json!({"percent": number}))] {
            let emit = json!({"sessionId": shown.session, "channel": channel, "payload": payload});
            world.tool("ggui_emit", emit).await;
        }
    }
    let mut browser = world.knock(&shown).await;
    let ack = browser.subscribe(json!({"fromSeq": 0})).await;
    assert_eq!(ack["payload"]["streamSeq"], 9);
    let mut replayed = Vec::new();
    for _ in 0..7 {
        let frame = browser.next().await;
        let payload = &frame["payload"];
        replayed.push((payload["seq"].as_u64().unwrap(), payload["channel"].clone()));
    }
    // Three lifecycle items, three lines, the last progress, in one order.
    assert!(replayed.is_sorted_by_key(|(seq, _)| *seq), "{replayed:?}");
    let of = |name: &str| {
        replayed
            .iter()
            .filter(|(_, channel)| channel == name)
            .count()
    };
    assert_eq!(
        (of("_ggui:lifecycle"), of("log"), of("progress")),
        (3, 3, 1)
    );
    assert_eq!(replayed.last().unwrap().0, 9);
}

#[tokio::test]
async fn the_token_of_the_ack_reopens_the_channel_when_the_first_has_expired() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (browser, ack) = world.browse(&shown).await;
    drop(browser);
    world.clock.advance(Duration::from_secs(1_000));
    let mut browser = world.knock(&shown).await;
    browser.token = ack["payload"]["sessionToken"].as_str().unwrap().to_owned();
    assert_eq!(browser.subscribe(json!({})).await["type"], "ack");
}

#[tokio::test]
async fn a_ws_token_opens_the_channel_and_nothing_else() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let token = shown.slice()["wsToken"].as_str().unwrap().to_owned();
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let request = world.post("/mcp").bearer_auth(token).body(body.to_string());
    let refused = world.send(request).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (401, &json!(-32001))
    );
}

#[tokio::test]
async fn malformed_frames_are_answered_and_leave_the_socket_open() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    let mut sent = async |text: &str| {
        browser.send_text(text).await;
        browser.next().await["payload"]["code"].clone()
    };
    assert_eq!(sent("{").await, "INVALID_JSON");
    assert_eq!(sent("[]").await, "INVALID_MESSAGE");
    assert_eq!(sent(r#"{"payload":{}}"#).await, "INVALID_MESSAGE");
    assert_eq!(
        sent(r#"{"type":"dance","payload":{}}"#).await,
        "UNSUPPORTED_MESSAGE"
    );
    assert_eq!(
        sent(r#"{"type":"action","payload":{}}"#).await,
        "NOT_SUBSCRIBED"
    );
    browser
        .send(json!({"type": "ping", "payload": {}, "requestId": "p"}))
        .await;
    let pong = browser.next().await;
    assert_eq!(
        (&pong["type"], &pong["requestId"]),
        (&json!("pong"), &json!("p"))
    );
    assert_eq!(browser.subscribe(json!({})).await["type"], "ack");
    let foreign = json!({"sessionId": "x", "type": "data:submit", "payload": {"action": "a"}});
    browser
        .send(json!({"type": "action", "requestId": "a", "payload": foreign}))
        .await;
    assert_eq!(
        browser.answer_to("a").await["payload"]["code"],
        "SESSION_MISMATCH"
    );
}

#[tokio::test]
async fn a_frame_too_large_before_the_subscription_ends_the_socket() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    browser
        .send(json!({"type": "ping", "payload": {"x": "x".repeat(70_000)}}))
        .await;
    assert_eq!(
        browser.closed().await,
        (1009, "pre_subscribe_payload_exceeded".into())
    );
}

#[tokio::test]
async fn a_socket_that_never_subscribes_is_ended() {
    let world = World::start_with(|config| config.limits.sockets.pre_subscribe_idle_s = 0).await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    assert_eq!(
        browser.closed().await,
        (1008, "pre_subscribe_idle_timeout".into())
    );
}

#[tokio::test]
async fn actions_beyond_the_rate_are_refused_and_the_socket_stays() {
    let world = World::start_with(|config| {
        config.limits.actions.per_second = 1;
        config.limits.actions.burst = 1;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let first = browser.act("checkout", Value::Null).await;
    // Enough actions for one to exceed the rate, however slowly they are read.
    for _ in 0..10 {
        browser.act("checkout", Value::Null).await;
    }
    assert_eq!(browser.answer_to(&first).await["type"], "ack");
    let refused = browser.frame("error").await;
    assert_eq!(refused["payload"]["code"], "RATE_LIMITED", "{refused}");
    browser.send(json!({"type": "ping", "payload": {}})).await;
    browser.frame("pong").await;
}

#[tokio::test]
async fn an_upgrade_without_token_needs_a_page_that_may_use_the_caller_s_credentials() {
    let world = World::start().await;
    let address = world.url("/ws").replacen("http", "ws", 1);
    let mut request = address.as_str().into_client_request().unwrap();
    request
        .headers_mut()
        .insert("origin", "https://evil.example".parse().unwrap());
    assert!(connect_async(request).await.is_err());
    // A sandboxed frame has no origin, so its token decides.
    let shown = world.show(basket(), basket_props()).await;
    let token = shown.slice()["wsToken"].as_str().unwrap();
    let with_token = format!("{address}?wsToken={token}");
    let mut request = with_token.as_str().into_client_request().unwrap();
    request
        .headers_mut()
        .insert("origin", "null".parse().unwrap());
    assert!(connect_async(request).await.is_ok());
    assert!(
        connect_async(address.as_str()).await.is_ok(),
        "no page at all: the dev identity"
    );
}

#[tokio::test]
async fn a_shutdown_answers_held_consumes_and_tells_sockets_to_come_back() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {
            "name": "ggui_consume",
            "arguments": {"sessionId": shown.session, "timeout": 25},
        },
    });
    let held = tokio::spawn(world.post("/mcp").body(body.to_string()).send());
    loop {
        let data = browser.frame("data").await;
        if data["payload"]["payload"]["kind"] == "consume_polling" {
            break;
        }
    }
    let (_, closed) = tokio::join!(world.stop(), browser.closed());
    assert_eq!(closed, (1012, "service_restart".into()));
    let answer: Value = held.await.unwrap().unwrap().json().await.unwrap();
    let expected = json!({"events": [], "status": "active"});
    assert_eq!(answer["result"]["structuredContent"], expected);
}
