//! Failures reported in frames of the live channel.

use std::time::Duration;

use serde_json::{Value, json};

use super::table::Table;
use crate::contracts::{basket, basket_props};
use crate::tool_channels::watched;
use crate::world::{Shown, World};

pub(super) async fn frame_rows(table: &mut Table) {
    let crowded = World::start_with(|config| config.limits.sockets.per_session_max = 0).await;
    let shown = crowded.show(basket(), basket_props()).await;
    let mut one_more = crowded.knock(&shown).await;
    table.frame("SUBSCRIBER_LIMIT", &one_more.subscribe(json!({})).await);
    let world = World::start_with(|config| {
        config.limits.actions.per_second = 1;
        config.limits.actions.burst = 2;
        config.limits.sessions.idle_ttl_s = 100;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let other = world.show(basket(), basket_props()).await;
    for (code, more) in [
        (
            "BOOTSTRAP_SESSION_MISMATCH",
            json!({"sessionId": other.session}),
        ),
        ("BOOTSTRAP_APP_MISMATCH", json!({"appId": "someone"})),
        ("BOOTSTRAP_INVALID", json!({"wsToken": "nonsense"})),
        ("UNAUTHENTICATED", json!({"wsToken": null})),
        ("INVALID_MESSAGE", json!({"fromSeq": "x"})),
        (
            "UPGRADE_REQUIRED",
            json!({"supportedVersions": ["draft-1999-01-01"]}),
        ),
    ] {
        let mut browser = world.knock(&shown).await;
        table.frame(code, &browser.subscribe(more).await);
    }
    let mut early = world.knock(&shown).await;
    early.act("checkout", Value::Null).await;
    table.frame("NOT_SUBSCRIBED", &early.next().await);
    let (mut browser, _) = world.browse(&shown).await;
    for (code, text) in [
        ("INVALID_JSON", "{"),
        ("UNSUPPORTED_MESSAGE", r#"{"type":"dance","payload":{}}"#),
    ] {
        browser.send_text(text).await;
        table.frame(code, &browser.frame("error").await);
    }
    browser.act("nothing", Value::Null).await;
    table.frame("CONTRACT_VIOLATION", &browser.frame("error").await);
    let ours = std::mem::replace(&mut browser.session, other.session.clone());
    browser.act("checkout", Value::Null).await;
    table.frame("SESSION_MISMATCH", &browser.frame("error").await);
    browser.session = ours;
    // Enough actions for one to exceed the rate, however slowly they are read.
    for _ in 0..10 {
        browser.act("checkout", Value::Null).await;
    }
    table.frame("RATE_LIMITED", &browser.frame("error").await);
    let mut late = [world.knock(&other).await, world.knock(&other).await];
    world.clock.advance(Duration::from_secs(101));
    table.frame(
        "CHANNEL_SESSION_NOT_FOUND",
        &late[0].subscribe(json!({})).await,
    );
    world.clock.advance(Duration::from_secs(100));
    table.frame("BOOTSTRAP_EXPIRED", &late[1].subscribe(json!({})).await);
    let mut plain = world.knock_plainly(&shown.session).await;
    let contradicting = json!({"wsToken": null, "appId": "someone"});
    table.frame("APP_MISMATCH", &plain.subscribe(contradicting).await);
    let mut odd = world.knock(&plain_session(&world).await).await;
    let ack = odd.subscribe(json!({"sinceSequence": -1})).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    table.frame("INVALID_SINCE_SEQUENCE", &odd.frame("error").await);
    let own = odd.session.clone();
    for (code, session) in [
        ("CHANNEL_NOT_LOCAL", own.as_str()),
        ("SUBSCRIBE_UNAUTHORIZED", "x"),
    ] {
        let payload = json!({"sessionId": session, "channelName": "c"});
        odd.send(json!({"type": "channel_subscribe", "requestId": "c", "payload": payload}))
            .await;
        table.channel(code, &odd.answer_to("c").await);
    }
    channel_rows(table).await;
    let short = World::start_with(|config| config.limits.log.events_max = 2).await;
    let shown = short.show(basket(), basket_props()).await;
    let path = format!(
        "/api/sessions/{}/events?sinceSequence=0&wsToken={}",
        shown.session,
        shown.slice()["wsToken"].as_str().expect("a token")
    );
    table.rest("REPLAY_HORIZON_PASSED", &short.send(short.get(&path)).await);
    let mut late = short.knock(&shown).await;
    late.subscribe(json!({"sinceSequence": 0})).await;
    table.frame("REPLAY_HORIZON_PASSED", &late.frame("error").await);
}

async fn plain_session(world: &World) -> Shown {
    world.show(basket(), basket_props()).await
}

/// Failures of channels that tools feed.
async fn channel_rows(table: &mut Table) {
    let world = World::start_with(|config| {
        config.server.local_tools = "ggui_get_session,ggui_list_themes".to_owned();
        config.limits.channels.per_socket_max = 1;
    })
    .await;
    let shown = world.show(watched(), json!({"count": 1})).await;
    let (mut browser, _) = world.browse(&shown).await;
    for (code, channel) in [
        ("CHANNEL_UNKNOWN", "c"),
        ("POLL_FAILED", "narrow"),
        ("CHANNEL_LIMIT", "themes"),
    ] {
        let payload = json!({"sessionId": shown.session, "channelName": channel});
        browser
            .send(json!({"type": "channel_subscribe", "payload": payload}))
            .await;
        table.channel(code, &browser.frame("channel_error").await);
    }
}
