//! The live channel as a person experiences it: interrupted, blocked, and back again.

use std::time::Duration;

use serde_json::json;

use crate::chromium::{Chromium, next_event};
use crate::contracts::build_log;
use crate::world::{Shown, World};

/// The frame the stage shows.
const FRAME: Option<&str> = Some("iframe");

async fn log_line(world: &World, shown: &Shown, line: &str) {
    let item = json!({
        "sessionId": shown.session,
        "channel": "log",
        "payload": {"line": line, "level": "info"},
    });
    world.tool("ggui_emit", item).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_made_while_the_socket_is_away_arrives_once_and_the_picture_catches_up() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, shown) = World::with_basket().await;
    browser.open_over_network(&world.stage_url()).await;
    browser.see(FRAME, "[data-live='open']", "Mug").await;
    browser.block(&["socket", "stream", "events"]).await;
    browser.see(FRAME, "[role='status']", "Reconnecting…").await;
    browser.fill(FRAME, "[data-row='A1'] input", "3").await;
    browser
        .click(FRAME, "[data-row='A1'] [data-action='setQuantity']")
        .await;
    let event = next_event(&world, &shown.session).await;
    assert_eq!(event["actionData"], json!({"sku": "A1", "qty": 3}));
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": "Saved"}});
    world.tool("ggui_amend", amend).await;

    browser.unblock(&["socket", "stream", "events"]).await;
    browser
        .see(FRAME, "[data-component='Notice']", "Saved")
        .await;
    let peek = json!({"sessionId": shown.session, "timeout": 0});
    let again = world.tool("ggui_consume", peek).await;
    assert_eq!(again["events"], json!([]), "the click arrived twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn items_emitted_while_the_socket_was_closed_all_arrive_once() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = world
        .show(build_log(), json!({"pipeline": "release"}))
        .await;
    browser.open_over_network(&world.stage_url()).await;
    browser.see(FRAME, "[data-live='open']", "").await;
    log_line(&world, &shown, "first line").await;
    browser.see(FRAME, "[role='log']", "first line").await;
    // The close code of a restarting server: the guest reconnects at once, without a message.
    browser.cut(1012).await;
    log_line(&world, &shown, "second line").await;
    log_line(&world, &shown, "third line").await;
    browser.see(FRAME, "[role='log']", "third line").await;
    let shown_lines = browser
        .evaluate(
            FRAME,
            "document.querySelector(\"[role='log']\").innerText.match(/\\w+ line/g)",
        )
        .await;
    assert_eq!(
        shown_lines,
        json!(["first line", "second line", "third line"])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_without_a_socket_uses_the_other_transports_and_returns_to_the_socket() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = world
        .show(build_log(), json!({"pipeline": "release"}))
        .await;
    log_line(&world, &shown, "early line").await;
    for (blocked, transport) in [
        (&["socket", "stream", "events"][..], "relay"),
        (&["socket", "stream"], "poll"),
        (&["socket"], "sse"),
    ] {
        browser.unblock(&["socket", "stream", "events"]).await;
        browser.block(blocked).await;
        browser.open_over_network(&world.stage_url()).await;
        // The page's initial state is shown before any transport is open.
        browser.see(FRAME, "h1, h2", "").await;
        let open = format!("[data-live='open'][data-transport='{transport}']");
        browser.see(FRAME, &open, "early line").await;
        log_line(&world, &shown, &format!("{transport} line")).await;
        browser
            .see(FRAME, "[role='log']", &format!("{transport} line"))
            .await;
    }
    log_line(&world, &shown, "last line").await;
    browser.unblock(&["socket"]).await;
    browser
        .see(
            FRAME,
            "[data-live='open'][data-transport='ws']",
            "last line",
        )
        .await;
    log_line(&world, &shown, "socket line").await;
    browser.see(FRAME, "[role='log']", "socket line").await;
    let lines = browser
        .evaluate(
            FRAME,
            "document.querySelector(\"[role='log']\").innerText.match(/\\w+ line/g)",
        )
        .await;
    let expected = [
        "early line",
        "relay line",
        "poll line",
        "sse line",
        "last line",
        "socket line",
    ];
    assert_eq!(lines, json!(expected), "each once, in their order");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_ends_is_renewed_and_a_session_that_ends_says_so() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = world
        .show(build_log(), json!({"pipeline": "release"}))
        .await;
    browser.block(&["socket", "stream"]).await;
    browser.open_over_network(&world.stage_url()).await;
    browser
        .see(FRAME, "[data-live='open'][data-transport='poll']", "")
        .await;
    world.clock.advance(Duration::from_secs(200));
    log_line(&world, &shown, "later line").await;
    browser.see(FRAME, "[role='log']", "later line").await;
    world.clock.advance(Duration::from_secs(25 * 3600));
    browser
        .see(FRAME, "[role='status']", "Your session expired.")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_fed_by_a_tool_is_polled_through_the_host_while_the_socket_is_away() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start_with(|config| {
        config.server.local_tools = "ggui_get_session".to_owned();
        // The server answers only the first poll; what comes later came through the host.
        config.limits.channels.interval_default_ms = 60_000;
    })
    .await;
    let tool = json!({
        "toolInfo": {"description": "The session", "inputSchema": {"type": "object"}},
        "usage": "Feeds the channel",
        "example": {"input": {}, "output": {}},
    });
    let schema = json!({
        "type": "object",
        "additionalProperties": true,
    });
    let contract = json!({
        "propsSpec": {"properties": {"title": {"schema": {"type": "string"}}}},
        "streamSpec": {
            "state": {"schema": schema, "mode": "replace", "source": {"tool": "ggui_get_session"}},
        },
        "agentCapabilities": {"tools": {"ggui_get_session": tool}},
    });
    let shown = world.show(contract, json!({"title": "Watched"})).await;
    let seen = "[data-component='Values']";
    let amend = async |title: &str| {
        let patch = json!({"title": title});
        let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": patch});
        world.tool("ggui_amend", amend).await;
    };
    browser.open_over_network(&world.stage_url()).await;
    browser.see(FRAME, seen, "Watched").await;
    amend("Once").await;
    browser.block(&["socket", "stream", "events"]).await;
    browser.see(FRAME, seen, "Once").await;
    amend("Twice").await;
    browser.unblock(&["socket", "stream", "events"]).await;
    browser.see(FRAME, seen, "Twice").await;
}
