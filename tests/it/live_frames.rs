//! Frames of the live channel for other things than props and items.

use std::time::Duration;

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::world::{Shown, World};

async fn observer(world: &World, shown: &Shown) -> Browser {
    let mut browser = world.knock(shown).await;
    let ack = browser.subscribe(json!({"observe": true})).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    browser
}

async fn observed(browser: &mut Browser, kind: &str) -> Value {
    loop {
        let event = browser.frame("observe").await["payload"]["event"].clone();
        if event["kind"] == kind {
            return event;
        }
    }
}

#[tokio::test]
async fn a_mount_s_report_about_its_host_reaches_the_agent_and_later_mounts() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let host = json!({
        "availableDisplayModes": ["inline", "fullscreen"], "currentDisplayMode": "inline",
        "containerDimensions": {"maxWidth": 480, "height": 320}, "platform": "web",
        "deviceCapabilities": {"touch": false, "hover": true},
        "locale": "en-US", "timeZone": "America/Los_Angeles",
    });
    let frame = |session: &str, host: &Value| {
        json!({
            "type": "host_context_observed", "requestId": "h",
            "payload": {"sessionId": session, "hostContext": host},
        })
    };
    browser.send(frame(&shown.session, &host)).await;
    browser.send(json!({"type": "ping", "payload": {}})).await;
    // Frames are handled in order, so the pong shows that the earlier ones have no response.
    loop {
        let next = browser.next().await;
        assert_ne!(next["type"], "error", "{next}");
        if next["type"] == "pong" {
            break;
        }
    }
    let consumed = world
        .tool("ggui_consume", json!({"sessionId": shown.session}))
        .await;
    assert_eq!(consumed["client"]["hostContext"], host);
    let (_, ack) = world.browse(&shown).await;
    assert_eq!(ack["payload"]["session"]["hostContext"], host);

    let refused = [
        (frame("x", &host), "SESSION_MISMATCH"),
        (
            frame(&shown.session, &json!({"theme": "dark"})),
            "INVALID_MESSAGE",
        ),
        (
            frame(&shown.session, &json!({"platform": "toaster"})),
            "INVALID_MESSAGE",
        ),
        (
            frame(&shown.session, &json!({"locale": "x".repeat(5_000)})),
            "INVALID_MESSAGE",
        ),
    ];
    for (frame, code) in refused {
        browser.send(frame).await;
        assert_eq!(browser.answer_to("h").await["payload"]["code"], code);
    }
}

#[tokio::test]
async fn an_unusable_cursor_is_refused_after_the_ack_and_the_subscription_stays() {
    let world = World::start_with(|config| config.limits.log.events_max = 2).await;
    let shown = world.show(basket(), basket_props()).await;
    for (since, code) in [
        (json!(-1), "INVALID_SINCE_SEQUENCE"),
        (json!("four"), "INVALID_SINCE_SEQUENCE"),
        (json!(1), "REPLAY_HORIZON_PASSED"),
        (json!(99), "REPLAY_HORIZON_PASSED"),
    ] {
        let mut browser = world.knock(&shown).await;
        let ack = browser.subscribe(json!({"sinceSequence": since})).await;
        assert_eq!(ack["type"], "ack");
        let refused = browser.next().await;
        assert_eq!(refused["payload"]["code"], code, "{since}");
        if code == "REPLAY_HORIZON_PASSED" {
            assert_eq!(refused["payload"]["details"]["currentSequence"], 4);
        }
        browser.send(json!({"type": "ping", "payload": {}})).await;
        browser.frame("pong").await;
    }
}

#[tokio::test]
async fn observers_see_that_an_agent_waits_and_that_it_did_not_come_back() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = observer(&world, &shown).await;
    let consume = json!({"sessionId": shown.session, "timeout": 1});
    let (_, event) = tokio::join!(
        world.tool("ggui_consume", consume),
        observed(&mut browser, "consumer-present")
    );
    assert_eq!(event, json!({"kind": "consumer-present"}));
    world.clock.advance(Duration::from_secs(30));
    observed(&mut browser, "consumer-absent").await;
}

#[tokio::test]
async fn observers_see_refused_subscriptions_and_others_do_not() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = observer(&world, &shown).await;
    let (mut other, _) = world.browse(&shown).await;
    let mut outdated = world.knock(&shown).await;
    outdated
        .subscribe(json!({"supportedVersions": ["draft-1999-01-01"]}))
        .await;
    let event = observed(&mut browser, "schema-version-mismatch").await;
    assert_eq!(event["acceptedVersions"], json!(["draft-1999-01-01"]));
    assert_eq!(event["observedBy"], "server");
    let mut astray = world.knock(&shown).await;
    astray.subscribe(json!({"sessionId": "elsewhere"})).await;
    let event = observed(&mut browser, "subscribe-failed").await;
    assert_eq!(event["reason"], "BOOTSTRAP_SESSION_MISMATCH");
    other.send(json!({"type": "ping", "payload": {}})).await;
    loop {
        let frame = other.next().await;
        assert_ne!(frame["type"], "observe", "{frame}");
        if frame["type"] == "pong" {
            break;
        }
    }
}

#[tokio::test]
async fn observers_are_notified_before_a_session_ends() {
    let world = World::start_with(|config| config.limits.sessions.idle_ttl_s = 50).await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = observer(&world, &shown).await;
    let event = observed(&mut browser, "session-expiring").await;
    assert_eq!(event["expiresAt"], "2026-08-23T15:47:30.000Z");
}

#[tokio::test]
async fn a_person_is_asked_for_consent_and_the_answer_comes_through_consume() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = observer(&world, &shown).await;
    let ask = json!({
        "sessionId": shown.session, "provider": "calendar",
        "authUrl": "https://auth.example/consent", "displayName": "Calendar",
    });
    let id = world.tool("ggui_request_auth", ask.clone()).await["authRequestId"].clone();
    let event = observed(&mut browser, "auth-required").await;
    assert_eq!(event["authUrl"], "https://auth.example/consent");
    assert_eq!(event["authRequestId"], id);
    // A mount that comes later receives the request, too.
    let mut late = observer(&world, &shown).await;
    assert_eq!(observed(&mut late, "auth-required").await, event);

    let stray = json!({"authRequestId": "nothing", "outcome": "maybe"});
    let refused = browser.act("_ggui:auth", stray).await;
    let violations = browser.answer_to(&refused).await["payload"]["details"]["violations"].clone();
    assert_eq!(violations.as_array().unwrap().len(), 2, "{violations}");
    let answer = json!({"authRequestId": id, "outcome": "completed"});
    let sent = browser.act("_ggui:auth", answer.clone()).await;
    assert_eq!(browser.answer_to(&sent).await["type"], "ack");
    let consume = json!({"sessionId": shown.session});
    let row = world.tool("ggui_consume", consume).await["events"][0].clone();
    assert_eq!(
        (&row["intent"], &row["actionData"]),
        (&json!("_ggui:auth"), &answer)
    );
    let again = browser.act("_ggui:auth", answer).await;
    let refused = browser.answer_to(&again).await;
    assert_eq!(
        refused["payload"]["code"], "CONTRACT_VIOLATION",
        "answered once"
    );

    let mut insecure = ask;
    insecure["authUrl"] = "http://auth.example".into();
    let params = json!({"name": "ggui_request_auth", "arguments": insecure});
    let refused = world.rpc("tools/call", params).await;
    assert_eq!(refused.body["error"]["code"], -32602);
}
