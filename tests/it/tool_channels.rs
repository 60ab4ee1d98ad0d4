//! Channels whose contract names a tool of this server, which is polled over the socket of a
//! subscriber.

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::stopped::Stopped;
use crate::world::{Shown, World};

/// The tools that feed channels in these tests.
const LOCAL: &str = "ggui_get_session, ggui_list_themes";

/// One channel of each kind: fed by a local tool, by a local tool whose result does not fit, by a
/// tool that is not local, by another server's tool, and by no tool.
pub(crate) fn watched() -> Value {
    let tool = |name: &str| {
        json!({
            "toolInfo": {"description": name, "inputSchema": {"type": "object"}},
            "usage": "Feeds a channel",
            "example": {"input": {}, "output": {}},
        })
    };
    let fed = |tool: &str, schema: Value| json!({"schema": schema, "mode": "replace", "source": {"tool": tool, "args": {}}});
    let open = json!({"type": "object", "additionalProperties": true});
    let closed = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    json!({
        "propsSpec": {"properties": {"count": {"schema": {"type": "integer"}, "required": true}}},
        "streamSpec": {
            "state": fed("ggui_get_session", open.clone()),
            "themes": fed("ggui_list_themes", open.clone()),
            "narrow": fed("ggui_get_session", closed),
            "sources": fed("ggui_get_render_source", open.clone()),
            "deals": fed("crm_deals", open.clone()),
            "log": {"schema": {"type": "string"}},
        },
        "agentCapabilities": {"tools": {
            "ggui_get_session": tool("The session"),
            "ggui_list_themes": tool("The themes"),
            "ggui_get_render_source": tool("The source"),
            "crm_deals": tool("The deals"),
        }},
    })
}

async fn feeding() -> World {
    World::start_with(|config| {
        config.server.local_tools = LOCAL.to_owned();
        config.limits.channels.interval_min_ms = 1;
    })
    .await
}

async fn show(world: &World) -> Shown {
    world.show(watched(), json!({"count": 1})).await
}

async fn ask(browser: &mut Browser, channel: &str, more: Value) {
    let mut payload =
        json!({"sessionId": browser.session, "appId": "builder", "channelName": channel});
    for (key, value) in more.as_object().into_iter().flatten() {
        payload[key] = value.clone();
    }
    let frame = json!({"type": "channel_subscribe", "requestId": "c", "payload": payload});
    browser.send(frame).await;
}

/// The next frame that is not an item, because the lifecycle of the render comes as items.
async fn next(browser: &mut Browser) -> Value {
    loop {
        let frame = browser.next().await;
        if frame["type"] != "data" {
            return frame;
        }
    }
}

async fn fed(browser: &mut Browser, channel: &str) -> Value {
    loop {
        let payload = browser.frame("channel_payload").await["payload"].clone();
        if payload["channelName"] == channel {
            return payload;
        }
    }
}

#[tokio::test]
async fn a_channel_is_fed_at_once_and_then_again_and_again_with_what_the_tool_gives() {
    let world = feeding().await;
    let shown = show(&world).await;
    assert_eq!(
        shown.slice()["streamWebSocketLocalTools"],
        json!(["ggui_get_session", "ggui_list_themes"])
    );
    assert_eq!(
        shown.slice()["toolChannels"][0],
        json!({"name": "state", "tool": "ggui_get_session", "args": {}, "mode": "replace"})
    );
    let (mut browser, _) = world.browse(&shown).await;
    ask(&mut browser, "state", json!({"pollIntervalMs": 1})).await;
    let first = next(&mut browser).await;
    assert_eq!(first["type"], "channel_payload", "{first}");
    assert!(first["requestId"].is_null(), "nothing answers the wish");
    let expected = world
        .tool("ggui_get_session", json!({"sessionId": shown.session}))
        .await;
    assert_eq!(
        first["payload"],
        json!({
            "sessionId": shown.session, "appId": "builder", "channelName": "state", "seq": 1,
            "ts": "2026-08-23T15:46:40.000Z", "mode": "replace", "payload": expected,
        })
    );
    let amend = json!({"sessionId": shown.session, "kind": "replace", "props": {"count": 2}});
    world.tool("ggui_amend", amend).await;
    let mut last = 1;
    loop {
        let next = fed(&mut browser, "state").await;
        assert_eq!(next["seq"], last + 1);
        last += 1;
        if next["payload"]["props"]["count"] == 2 {
            break;
        }
    }
}

#[tokio::test]
async fn a_channel_subscribed_again_starts_again_and_an_unsubscribed_one_is_silent() {
    let world = feeding().await;
    let shown = show(&world).await;
    let (mut browser, _) = world.browse(&shown).await;
    ask(&mut browser, "state", json!({"pollIntervalMs": 1})).await;
    while fed(&mut browser, "state").await["seq"] != 3 {}
    // With a longer interval only the first response arrives.
    ask(&mut browser, "state", json!({"pollIntervalMs": 60_000})).await;
    while fed(&mut browser, "state").await["seq"] != 1 {}
    ask(&mut browser, "themes", json!({"pollIntervalMs": 1})).await;
    while fed(&mut browser, "themes").await["seq"] != 2 {}
    let payload = json!({"sessionId": shown.session, "appId": "builder", "channelName": "themes"});
    for payload in [
        json!({"sessionId": "x", "channelName": "state"}),
        json!({}),
        payload,
    ] {
        browser
            .send(json!({"type": "channel_unsubscribe", "requestId": "u", "payload": payload}))
            .await;
    }
    browser
        .send(json!({"type": "ping", "payload": {}, "requestId": "p"}))
        .await;
    loop {
        let frame = next(&mut browser).await;
        assert_ne!(frame["requestId"], "u", "{frame}");
        if frame["type"] == "pong" {
            break;
        }
    }
    browser.send(json!({"type": "ping", "payload": {}})).await;
    assert_eq!(
        next(&mut browser).await["type"],
        "pong",
        "nothing is fed now"
    );
}

#[tokio::test]
async fn a_subscription_is_refused_for_the_first_reason_in_the_protocol_s_order() {
    let world = feeding().await;
    let shown = show(&world).await;
    let (mut browser, _) = world.browse(&shown).await;
    let other = show(&world).await;
    for (channel, more, code) in [
        ("log", json!({"sessionId": "x"}), "SUBSCRIBE_UNAUTHORIZED"),
        ("log", json!({}), "CHANNEL_UNKNOWN"),
        ("nothing", json!({}), "CHANNEL_UNKNOWN"),
        ("deals", json!({}), "CHANNEL_NOT_LOCAL"),
        ("sources", json!({}), "CHANNEL_NOT_LOCAL"),
        // The token's holder may read the whole app, but the person only this one session.
        (
            "state",
            json!({"args": {"sessionId": other.session}}),
            "SUBSCRIBE_UNAUTHORIZED",
        ),
    ] {
        ask(&mut browser, channel, more).await;
        let refused = next(&mut browser).await;
        assert_eq!(refused["type"], "channel_error", "{refused}");
        assert_eq!(refused["requestId"], "c");
        assert_eq!(refused["payload"]["code"], code, "{channel}");
        assert_eq!(refused["payload"]["channelName"], channel);
    }
    ask(
        &mut browser,
        "state",
        json!({"args": {"x": "y".repeat(5_000)}}),
    )
    .await;
    assert_eq!(
        next(&mut browser).await["payload"]["code"],
        "INVALID_MESSAGE"
    );
    ask(&mut browser, "state", json!({"pollIntervalMs": -1})).await;
    assert_eq!(
        next(&mut browser).await["payload"]["code"],
        "INVALID_MESSAGE"
    );
}

#[tokio::test]
async fn a_failed_poll_is_reported_and_repeated() {
    let world = feeding().await;
    let shown = show(&world).await;
    let (mut browser, _) = world.browse(&shown).await;
    ask(&mut browser, "narrow", json!({"pollIntervalMs": 1})).await;
    for _ in 0..2 {
        let refused = browser.frame("channel_error").await;
        assert_eq!(refused["payload"]["code"], "POLL_FAILED");
        let violations = &refused["payload"]["details"]["violations"];
        assert!(violations[0]["field"].is_string(), "{refused}");
    }
    let (mut browser, _) = world.browse(&shown).await;
    let foreign = json!({"pollIntervalMs": 1, "args": {"appId": "someone"}});
    ask(&mut browser, "themes", foreign).await;
    for _ in 0..2 {
        let refused = browser.frame("channel_error").await;
        assert_eq!(refused["payload"]["code"], "POLL_FAILED");
    }
    ask(
        &mut browser,
        "themes",
        json!({"args": {"appId": "builder"}}),
    )
    .await;
    assert_eq!(fed(&mut browser, "themes").await["seq"], 1);
}

#[tokio::test]
async fn the_channels_of_a_socket_are_limited_and_an_unsubscribed_one_makes_room() {
    let world = World::start_with(|config| {
        config.server.local_tools = LOCAL.to_owned();
        config.limits.channels.per_socket_max = 1;
    })
    .await;
    let shown = show(&world).await;
    let (mut browser, _) = world.browse(&shown).await;
    ask(&mut browser, "state", json!({})).await;
    fed(&mut browser, "state").await;
    ask(&mut browser, "themes", json!({})).await;
    let refused = browser.frame("channel_error").await;
    assert_eq!(refused["payload"]["code"], "CHANNEL_LIMIT");
    ask(&mut browser, "state", json!({})).await;
    assert_eq!(fed(&mut browser, "state").await["seq"], 1);
    let payload = json!({"sessionId": shown.session, "appId": "builder", "channelName": "state"});
    browser
        .send(json!({"type": "channel_unsubscribe", "payload": payload}))
        .await;
    ask(&mut browser, "themes", json!({})).await;
    assert_eq!(fed(&mut browser, "themes").await["seq"], 1);
}

#[tokio::test]
async fn a_server_without_local_tools_refuses_and_lists_none() {
    let world = World::start().await;
    let shown = show(&world).await;
    assert!(shown.slice()["streamWebSocketLocalTools"].is_null());
    let (mut browser, _) = world.browse(&shown).await;
    for channel in ["state", "nothing"] {
        ask(&mut browser, channel, json!({})).await;
        let refused = browser.frame("channel_error").await;
        assert_eq!(refused["payload"]["code"], "CHANNEL_NOT_LOCAL");
    }
    let log = json!({"streamSpec": {"log": {"schema": {"type": "string"}}}});
    let world = feeding().await;
    let shown = world.show(log, json!({})).await;
    assert!(shown.slice()["streamWebSocketLocalTools"].is_null());
    assert!(shown.slice()["toolChannels"].is_null());
}

/// Whether nothing was received: the pong is the next frame.
async fn is_silent(browser: &mut Browser) -> bool {
    browser.send(json!({"type": "ping", "payload": {}})).await;
    next(browser).await["type"] == "pong"
}

#[tokio::test]
async fn a_channel_is_polled_every_ten_seconds_or_at_the_requested_interval_between_one_and_sixty()
{
    let world = World::start_with(|config| config.server.local_tools = LOCAL.to_owned()).await;
    let shown = show(&world).await;
    let (mut browser, _) = world.browse(&shown).await;
    let time = Stopped::now();
    for (asked, every) in [
        (json!({"pollIntervalMs": 0}), 1_000),
        (json!({"pollIntervalMs": 999}), 1_000),
        (json!({"pollIntervalMs": 1_500}), 1_500),
        (json!({}), 10_000),
        (json!({"pollIntervalMs": 59_999}), 59_999),
        (json!({"pollIntervalMs": u64::MAX}), 60_000),
    ] {
        ask(&mut browser, "themes", asked.clone()).await;
        // Timers have a resolution of a millisecond, so the first expires a little later.
        assert!(is_silent(&mut browser).await, "{asked}");
        time.advance(1).await;
        assert_eq!(fed(&mut browser, "themes").await["seq"], 1, "{asked}");
        for seq in 2..4 {
            // In two steps, because a single one of sixty seconds would trigger other time-outs.
            for step in [every / 2, every - every / 2 - 2] {
                time.advance(step).await;
                assert!(is_silent(&mut browser).await, "{asked}: too early");
            }
            time.advance(2).await;
            assert_eq!(fed(&mut browser, "themes").await["seq"], seq, "{asked}");
            assert!(time.stands(), "{asked}: too late");
        }
    }
}
