//! The tokens of the live channel: how long each is valid, and what it can be exchanged for.

use std::time::Duration;

use jsonwebtoken::{Algorithm, EncodingKey};
use proscenium::config::Config;
use proscenium::{Clock as _, Time};
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::issuer::{AUDIENCE, Files, ISSUER, SECRET, claims, header, signed};
use crate::world::{Shown, World};

fn token(shown: &Shown) -> String {
    shown.slice()["wsToken"].as_str().unwrap().to_owned()
}

async fn refresh(world: &World, envelope: &str) -> Value {
    world
        .tool(
            "ggui_runtime_refresh_ws_token",
            json!({"envelope": envelope}),
        )
        .await
}

#[tokio::test]
async fn a_token_is_refreshed_within_its_window_and_as_long_as_its_session_lives() {
    let long = |config: &mut Config| {
        config.limits.sessions.idle_ttl_s = 100_000;
        config.limits.sessions.life_max_s = 1_000;
    };
    let world = World::start_with(long).await;
    let shown = world.show(basket(), basket_props()).await;
    let first = token(&shown);
    assert_eq!(
        refresh(&world, "nonsense").await["code"],
        "BOOTSTRAP_INVALID"
    );
    // Expired, but within the window; and so on, until the session ends.
    let mut current = first.clone();
    for _ in 0..2 {
        world.clock.advance(Duration::from_secs(355));
        let refreshed = refresh(&world, &current).await;
        assert_eq!(refreshed["ok"], true, "{refreshed}");
        current = refreshed["envelope"].as_str().unwrap().to_owned();
        let path = format!("/api/sessions/{}/state?wsToken={current}", shown.session);
        assert_eq!(world.send(world.get(&path)).await.status, 200);
    }
    assert_eq!(
        refresh(&world, &first).await["code"],
        "REFRESH_WINDOW_CLOSED"
    );
    world.clock.advance(Duration::from_secs(295));
    assert_eq!(
        refresh(&world, &current).await["code"],
        "REFRESH_WINDOW_CLOSED",
        "its session has ended"
    );
}

#[tokio::test]
async fn the_token_for_reconnects_cannot_be_refreshed() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (_browser, ack) = world.browse(&shown).await;
    let kept = ack["payload"]["sessionToken"].as_str().unwrap();
    assert_eq!(refresh(&world, kept).await["code"], "BOOTSTRAP_INVALID");
    world.clock.advance(Duration::from_secs(1_000));
    let path = format!("/api/sessions/{}/state?wsToken={kept}", shown.session);
    assert_eq!(
        world.send(world.get(&path)).await.status,
        200,
        "it opens the fallbacks, too"
    );
}

/// Whether a token opens the socket and the fallbacks, which always agree.
async fn opens(world: &World, shown: &Shown, token: &str) -> bool {
    let mut browser = world.knock(shown).await;
    browser.token = token.to_owned();
    let answer = browser.subscribe(json!({})).await;
    let path = format!("/api/sessions/{}/state?wsToken={token}", shown.session);
    let state = world.send(world.get(&path)).await;
    let is_open = answer["type"] == "ack";
    if is_open {
        assert_eq!(state.status, 200, "{}", state.body);
    } else {
        assert_eq!(answer["payload"]["code"], "BOOTSTRAP_EXPIRED", "{answer}");
        assert_eq!(
            (state.status, &state.body["detail"]),
            (410, &json!("wsToken expired"))
        );
    }
    is_open
}

#[tokio::test]
async fn a_token_opens_for_three_minutes_and_is_exchanged_for_six() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let first = token(&shown);
    world.clock.advance(Duration::from_secs(179));
    assert!(opens(&world, &shown, &first).await);
    world.clock.advance(Duration::from_secs(1));
    assert!(!opens(&world, &shown, &first).await);
    world.clock.advance(Duration::from_secs(180));
    let refreshed = refresh(&world, &first).await;
    let second = refreshed["envelope"].as_str().expect("a token");
    assert!(opens(&world, &shown, second).await);
    world.clock.advance(Duration::from_secs(1));
    let closed = refresh(&world, &first).await;
    assert_eq!(closed["code"], "REFRESH_WINDOW_CLOSED", "{closed}");
    // Reading the state with a valid token does not start a new chain.
    let path = format!("/api/sessions/{}/state?wsToken={second}", shown.session);
    let state = world.send(world.get(&path)).await.body;
    let third = state["ai.ggui/render"]["wsToken"]
        .as_str()
        .expect("a token");
    world.clock.advance(Duration::from_secs(180));
    assert!(!opens(&world, &shown, third).await);
    assert_eq!(refresh(&world, third).await["ok"], true);
}

#[tokio::test]
async fn expiry_does_not_change_when_the_machine_s_clock_is_set() {
    let files = Files::new();
    let secret = files.write("secret", SECRET);
    let world = World::start_with(|config| {
        config.jwt.issuer = ISSUER.to_owned();
        config.jwt.audience = AUDIENCE.to_owned();
        config.jwt.secret_file = secret;
    })
    .await;
    let key = EncodingKey::from_secret(SECRET);
    let held = signed(&header(Algorithm::HS256, None), &claims(&world), &key);
    let world = world.with_bearer(&held);
    let shown = world.show(basket(), basket_props()).await;
    let waiting = world.handshake(basket()).await;
    let now = world.clock.now();
    let day = Duration::from_secs(86_400);
    for shown_now in [now.plus(day), Time(now.0 - 86_400_000)] {
        world.clock.set(shown_now);
        assert!(opens(&world, &shown, &token(&shown)).await);
        // The issuer's times are compared with the machine's clock.
        let mut claims = claims(&world);
        claims["exp"] = (world.clock.wall().as_secs() + 900).into();
        let held = signed(&header(Algorithm::HS256, None), &claims, &key);
        let read = json!({"sessionId": shown.session});
        let params = json!({"name": "ggui_get_session", "arguments": read});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let plain = reqwest::Client::new().post(world.url("/mcp"));
        let asked = plain
            .bearer_auth(held)
            .header("content-type", "application/json");
        let response = world.send(asked.body(body.to_string())).await;
        assert_eq!(response.status, 200, "{}", response.body);
        assert_eq!(
            response.body["result"]["structuredContent"]["id"],
            shown.session
        );
    }
    world.clock.set(now.plus(day));
    assert_eq!(
        world.rpc("ping", json!({})).await.status,
        401,
        "its time is over"
    );
    world.clock.set(now);
    let render = json!({"handshakeId": waiting, "props": basket_props()});
    world.tool("ggui_render", render).await;
    // And no token lives longer because a clock was set back.
    world.clock.set(Time(now.0 - 86_400_000));
    world.clock.advance(Duration::from_secs(180));
    assert!(!opens(&world, &shown, &token(&shown)).await);
}

#[tokio::test]
async fn no_token_outlives_the_longest_life_of_its_session() {
    let world = World::start_with(|config| {
        config.limits.sessions.idle_ttl_s = 100_000;
        config.limits.sessions.life_max_s = 400;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let (_browser, ack) = world.browse(&shown).await;
    let kept = ack["payload"]["sessionToken"].as_str().unwrap().to_owned();
    world.clock.advance(Duration::from_secs(350));
    let refreshed = refresh(&world, &token(&shown)).await;
    assert_eq!(
        refreshed["expiresAt"], "2026-08-23T15:53:20.000Z",
        "the session's end"
    );
    let last = refreshed["envelope"].as_str().unwrap().to_owned();
    world.clock.advance(Duration::from_secs(49));
    assert!(opens(&world, &shown, &kept).await);
    assert!(opens(&world, &shown, &last).await);
    world.clock.advance(Duration::from_secs(1));
    for token in [&kept, &last] {
        assert!(!opens(&world, &shown, token).await);
    }
}
