//! The stage and its element in a real browser: sharing, signing in, and pages of other servers.

use std::time::Duration;

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::json;

use crate::chromium::{Chromium, next_event};
use crate::contracts::{basket, basket_props};
use crate::elsewhere::{listener, serve};
use crate::world::World;

/// The frame the stage shows.
const FRAME: Option<&str> = Some("iframe");
/// The frame inside the element.
const ELEMENT: Option<&str> = Some("proscenium-stage iframe");

/// An `observe` message from a frame to its host.
fn observe(event: &str) -> String {
    format!("parent.postMessage({{type: 'ggui:observe', event: {event}}}, '*')")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_shared_as_text_and_as_a_code_to_scan_by_keyboard_alone() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, shown) = World::with_basket().await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    browser
        .evaluate(None, "document.querySelector('.s-menu summary').focus()")
        .await;
    for key in ["Enter", "Tab", "Enter"] {
        browser.key(key).await;
    }
    let address = "dialog[open] .s-address";
    browser.see(None, address, shown.viewer_url()).await;
    browser.see(None, "dialog[open] svg[role='img']", "").await;
    browser.key("Escape").await;
    // The dialog is closed, and the focus is back where it was.
    let back = "body:not(:has(dialog)) .s-menu summary:focus";
    browser.see(None, back, "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn from_the_smallest_phone_to_a_wide_screen_nothing_has_to_be_scrolled_sideways() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    for _ in 0..3 {
        world.show(basket(), basket_props()).await;
    }
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let long = "x".repeat(60);
    let event = format!("{{kind: 'auth-required', authUrl: 'https://{long}.example/'}}");
    browser.evaluate(FRAME, &observe(&event)).await;
    for layout in ["One at a time", "Side by side"] {
        browser
            .click(None, &format!("[aria-label='{layout}']"))
            .await;
        for width in [320, 360, 768, 1024, 1440, 1920] {
            browser.resize(width, 800).await;
            for panel in ["stage", "activity"] {
                let press = format!(
                    "document.querySelector('.s-tabs button:nth-child({})').click()",
                    if panel == "stage" { 1 } else { 2 }
                );
                browser.evaluate(None, &press).await;
                assert!(!browser.overflows().await, "{layout}, {width} px, {panel}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stage_is_accessible_whether_nothing_one_thing_or_fifty_are_on_it() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let mut sessions = 0;
    for wanted in [0, 1, 50] {
        while sessions < wanted {
            world.show(basket(), basket_props()).await;
            sessions += 1;
        }
        browser.open_to_inspect(&world.stage_url()).await;
        if wanted == 0 {
            browser.see(None, "h1", "The stage is yours").await;
        } else {
            browser.see(FRAME, ":is(th, td)", "Mug").await;
        }
        for width in [1280, 390] {
            browser.resize(width, 800).await;
            let found = browser.inaccessible().await;
            assert_eq!(found, json!([]), "{wanted} sessions, {width} px");
        }
        if wanted == 50 {
            let grid = "[aria-label='Side by side']";
            browser.click(None, grid).await;
            browser.see(None, ".s-grid .s-frame-head", "A test").await;
            assert_eq!(browser.inaccessible().await, json!([]), "side by side");
            // Frames out of sight are not loaded.
            let frames = "document.querySelectorAll('iframe[loading=lazy]').length";
            assert_eq!(browser.evaluate(None, frames).await, 50);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_event_of_a_frame_is_a_row_in_plain_language() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, _) = World::with_basket().await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let rows = [
        ("contract-violation", "Not accepted"),
        ("subscribe-failed", "Reconnecting"),
        ("schema-version-mismatch", "Needs a newer viewer"),
        ("auth-required", "Sign-in needed"),
        ("slow-consumer", "Too slow for the live data"),
        ("consumer-present", "Agent is waiting"),
        ("consumer-absent", "Agent is busy elsewhere"),
        ("session-expiring", "Ends soon"),
        ("transport-fallback", "Connected another way"),
        ("replay-truncated", "Older live data is no longer kept"),
        ("component-failed", "A part could not be shown"),
        ("channel-transport-picked", "Live data connected"),
        (
            "channel-transport-fallback",
            "Live data connected another way",
        ),
        (
            "channel-transport-resubscribed",
            "Live data connected again",
        ),
        ("channel-poll-degraded", "Live data is slow"),
        ("channel-poll-recovered", "Live data is back"),
        ("relay-incapability", "This host passes nothing on"),
        ("ui-feedback", "Feedback"),
        ("x-made-up_yesterday", "X made up yesterday"),
    ];
    for (kind, _) in rows {
        let event = format!("{{kind: '{kind}', message: 'what was said of {kind}'}}");
        browser.evaluate(FRAME, &observe(&event)).await;
    }
    for (kind, words) in rows {
        let row = format!("[data-kind='{kind}'] strong");
        browser.see(None, &row, words).await;
    }
    let said = format!("[data-kind='{}']", rows[0].0);
    browser.see(None, &said, "what was said of").await;
    // A connection that was lost and restored is one row.
    browser
        .evaluate(FRAME, &observe("{kind: 'subscribe-recovered'}"))
        .await;
    browser
        .see(None, "[data-kind='subscribe-recovered']", "Connected again")
        .await;
    let lost = "document.querySelectorAll(\"[data-kind='subscribe-failed']\").length";
    assert_eq!(browser.evaluate(None, lost).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stage_can_be_used_with_the_keyboard_only() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let first = world.show(basket(), basket_props()).await;
    // The stage shows the newest session.
    world.clock.advance(Duration::from_secs(1));
    world.show(basket(), basket_props()).await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let choice = format!("[data-session-choice='{}']", first.session);
    for (target, seen) in [
        (
            choice.as_str(),
            "[data-session-choice][aria-current='true']:focus-visible",
        ),
        ("[aria-label='Side by side']", ".s-grid .s-frame-head"),
        (
            "[aria-label='One at a time']",
            "[aria-label='One at a time'][aria-pressed='true']",
        ),
    ] {
        reach(&mut browser, target).await;
        browser.key("Enter").await;
        browser.see(None, seen, "").await;
    }
    reach(&mut browser, "[type=search]").await;
    browser.key("z").await;
    browser.see(None, ".s-list", "No session matches.").await;
}

/// Presses Tab until keys arrive at the target. Where the focus comes out of a frame, its document
/// knows before the browser does: a key may still go to the frame, so a key that does nothing says
/// where they arrive.
async fn reach(browser: &mut Chromium, target: &str) {
    let listen = "globalThis.pressed ??= [], onkeydown = ({target}) => (pressed[0] = target)";
    browser.evaluate(None, listen).await;
    let arrived = format!("pressed.pop()?.matches({}) ?? false", json!(target));
    for _ in 0..80 {
        browser.key("Shift").await;
        if browser.evaluate(None, &arrived).await == true {
            return;
        }
        browser.key("Tab").await;
    }
    panic!("Tab never reaches {target}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_needs_a_sign_in_gets_a_button_with_the_host_that_is_really_opened() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, _) = World::with_basket().await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let events = [
        "{kind: 'auth-required', provider: 'Example', authUrl: 'https://id.example/login?a=1'}",
        "{kind: 'auth-required', provider: 'Trap', authUrl: 'https://good.example@evil.example/'}",
        "{kind: 'auth-required', provider: 'Plain', authUrl: 'http://id.example/'}",
        "{kind: 'auth-required', provider: 'Script', authUrl: 'javascript:alert(1)'}",
        "{kind: 'never-heard-of', message: 'and still a row'}",
    ];
    for event in events {
        browser.evaluate(FRAME, &observe(event)).await;
    }
    browser
        .see(None, "[data-kind='never-heard-of']", "Never heard of")
        .await;
    browser
        .see(
            None,
            "[data-kind='auth-required']",
            "Sign in to Example (id.example)",
        )
        .await;
    let links = browser
        .evaluate(
            None,
            "[...document.querySelectorAll('.s-activity a')]\
             .map((link) => [link.href, link.target, link.rel])",
        )
        .await;
    let expected = json!([[
        "https://id.example/login?a=1",
        "_blank",
        "noopener noreferrer"
    ]]);
    assert_eq!(
        links, expected,
        "only https, without a name before the host"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_element_shows_a_render_on_a_page_of_another_server_and_fires_events() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, shown) = World::with_basket().await;
    let page = format!(
        "<!doctype html><title>Shop</title><script type=module src={module}></script><script>\
         reported = []; for (const name of ['stage-state', 'stage-observe', 'stage-rings'])\
         addEventListener(name, ({{type, detail}}) => reported.push([type, detail?.state ?? detail?.kind ?? null]));\
         </script><proscenium-stage label=Basket src={viewer}></proscenium-stage>",
        module = world.url("/stage/proscenium-stage.js"),
        viewer = shown.viewer_url(),
    );
    let other = Router::new().route("/", get(async move || Html(page)));
    let address = serve(listener().await, other).await;

    browser.open(&format!("http://{address}/")).await;
    browser
        .see(ELEMENT, "[data-live='open'] :is(th, td)", "Mug")
        .await;
    browser.fill(ELEMENT, "[data-row='A1'] input", "4").await;
    let change = "[data-row='A1'] [data-action='setQuantity']";
    browser.click(ELEMENT, change).await;
    browser.see(ELEMENT, "[data-row='A1']", "Sent").await;
    browser
        .evaluate(ELEMENT, &observe("{kind: 'never-heard-of'}"))
        .await;
    let event = next_event(&world, &shown.session).await;
    assert_eq!(event["actionData"], json!({"sku": "A1", "qty": 4}));
    browser.see(ELEMENT, "[data-row='A1']", "Received").await;
    // It is only shown for some seconds, so the listener has to be installed before.
    let listen = "const hear = () => (globalThis.heard ||= /Answered/.test(document.body.textContent)); \
         void new MutationObserver(hear).observe(document.body, { subtree: true, childList: true, characterData: true })";
    browser.evaluate(ELEMENT, listen).await;
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": "Saved"}});
    world.tool("ggui_amend", amend).await;
    let heard = "new Promise((done) => { \
         const look = () => (globalThis.heard ? done(true) : setTimeout(look, 50)); look(); })";
    assert_eq!(browser.evaluate(ELEMENT, heard).await, true);
    let reported = browser.evaluate(None, "reported").await;
    let expected = [["stage-state", "loading"], ["stage-state", "ready"]];
    let reported = reported.as_array().unwrap();
    assert_eq!(
        reported[..2],
        expected.map(|pair| json!(pair)),
        "{reported:?}"
    );
    assert!(
        reported.contains(&json!(["stage-rings", null])),
        "{reported:?}"
    );
    assert!(
        reported.contains(&json!(["stage-observe", "never-heard-of"])),
        "{reported:?}"
    );

    let types = world.send(world.get("/stage/proscenium-stage.d.ts")).await;
    assert!(
        types
            .body
            .as_str()
            .unwrap()
            .contains("type ObservabilityEvent")
    );
}
