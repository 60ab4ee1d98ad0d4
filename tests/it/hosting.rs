//! The stage and its element as hosts, tested against the requirements for any host of an app
//! (the host-helper catalogue: handshake, proper refusals, a verbatim relay, a passive slot).

use axum::Router;
use axum::response::Html;
use axum::routing::get;
use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::contracts::{basket, basket_props};
use crate::elsewhere::{listener, serve};
use crate::world::World;

/// How long a refusal may take, in milliseconds.
const REFUSAL_MS: u64 = 2_000;

/// Sends a request to the host of a frame, as its app does; returns the response and its latency.
fn ask(method: &str, params: &Value) -> String {
    format!(
        "new Promise((resolve) => {{ const id = 'h' + Math.random(); const asked = performance.now(); \
         addEventListener('message', ({{data, source}}) => source === parent && data.id === id && \
           resolve({{...data, ms: Math.round(performance.now() - asked)}})); \
         parent.postMessage({{jsonrpc: '2.0', id, method: '{method}', params: {params}}}, '*'); }})"
    )
}

fn initialize() -> String {
    let params = json!({
        "protocolVersion": "2026-01-26",
        "appInfo": {"name": "probe", "version": "1"},
        "appCapabilities": {},
    });
    ask("ui/initialize", &params)
}

/// Incomplete on purpose: the relay has to return the server's own error.
fn probe() -> Value {
    json!({
        "name": "ggui_runtime_submit_action",
        "arguments": {
            "kind": "dispatch",
            "sessionId": "conformance-probe",
            "payload": {},
            "actionId": "probe-1",
            "firedAt": 0,
        },
    })
}

/// What every host must do for its app, whether it relays or not.
async fn is_honest(browser: &mut Chromium, frame: &str) -> Value {
    let answer = browser.evaluate(Some(frame), &initialize()).await;
    let result = &answer["result"];
    assert_eq!(result["protocolVersion"], "2026-01-26", "{answer}");
    for member in ["hostCapabilities", "hostContext", "hostInfo"] {
        assert!(result[member].is_object(), "{member}: {answer}");
    }
    let unknown = browser
        .evaluate(Some(frame), &ask("ui/never-heard-of", &json!({})))
        .await;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    assert!(unknown["ms"].as_u64() < Some(REFUSAL_MS), "{unknown}");
    // The slot only provides room.
    let slot = format!(
        "(() => {{ let root = document; \
           for (const part of {selectors}) {{ const found = root.querySelector(part); root = found.shadowRoot ?? found; }} \
           return [[...root.style], getComputedStyle(root).borderTopWidth]; }})()",
        selectors = json!(frame.split(' ').collect::<Vec<_>>())
    );
    let slot = browser.evaluate(None, &slot).await;
    for property in slot[0].as_array().expect("properties") {
        let allowed = ["height", "block-size", "--paper-height"].map(Value::from);
        assert!(allowed.contains(property), "{slot}");
    }
    assert_eq!(slot[1], "0px", "{slot}");
    result["hostCapabilities"].clone()
}

/// The address of a page on another server that embeds an address.
async fn embedding(world: &World, src: &str) -> String {
    let page = format!(
        "<!doctype html><title>Shop</title><link rel=icon href=data:,><script>states = [];\
         addEventListener('stage-state', ({{detail}}) => states.push([detail.state, detail.reason ?? null]))</script>\
         <script type=module src={}></script><proscenium-stage src='{src}'></proscenium-stage>",
        world.url("/stage/proscenium-stage.js"),
    );
    let pages = Router::new().route("/", get(async move || Html(page)));
    format!("http://{}/", serve(listener().await, pages).await)
}

/// Changes the address of the page's element.
fn embed(src: &str) -> String {
    format!("document.querySelector('proscenium-stage').setAttribute('src', '{src}')")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stage_relays_what_it_says_it_relays_and_hands_answers_on_as_they_are() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    browser.open(&world.stage_url()).await;
    let frame = "iframe";
    browser
        .see(Some(frame), "[data-live='open'] :is(th, td)", "Mug")
        .await;
    let capabilities = is_honest(&mut browser, frame).await;
    assert!(capabilities["serverTools"].is_object(), "{capabilities}");

    // The relay only accepts the session of its frame, so the probe names that one.
    let mut probe = probe();
    probe["arguments"]["sessionId"] = json!(shown.session);
    let relayed = browser
        .evaluate(Some(frame), &ask("tools/call", &probe))
        .await;
    let direct = world.rpc("tools/call", probe.clone()).await;
    assert!(
        relayed["result"]["structuredContent"].is_object(),
        "{relayed}"
    );
    assert_eq!(relayed["result"], direct.body["result"]);

    // The announced theme is the actual one, now and later.
    let listen = "globalThis.heard = new Promise((resolve) => addEventListener('message', ({data}) => \
        data.method === 'ui/notifications/host-context-changed' && resolve(data.params))); true";
    browser.evaluate(Some(frame), listen).await;
    // From the system's theme, which is light here, via light to dark.
    let press = "(() => { const before = document.documentElement.dataset.theme; \
        const button = document.querySelector(\"[aria-label$='theme']\"); \
        button.click(); button.click(); return before; })()";
    let before = browser.evaluate(None, press).await;
    let changed = browser.evaluate(Some(frame), "globalThis.heard").await;
    assert_ne!(changed["theme"], before, "{changed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_element_refuses_requests_that_it_cannot_relay() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let page = embedding(&world, shown.viewer_url()).await;
    browser.open(&page).await;
    let frame = "proscenium-stage iframe";
    browser
        .see(Some(frame), "[data-live='open'] :is(th, td)", "Mug")
        .await;
    let capabilities = is_honest(&mut browser, frame).await;
    assert!(capabilities["serverTools"].is_null(), "{capabilities}");
    let refused = browser
        .evaluate(Some(frame), &ask("tools/call", &probe()))
        .await;
    assert_eq!(refused["error"]["code"], -32601, "{refused}");
    assert!(refused["ms"].as_u64() < Some(REFUSAL_MS), "{refused}");
    // The slot stays in its place and shows a message.
    let stays = browser
        .evaluate(
            Some(frame),
            &ask("ui/request-display-mode", &json!({"mode": "fullscreen"})),
        )
        .await;
    assert_eq!(stays["result"], json!({"mode": "inline"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_address_is_reported_in_a_sentence_and_a_valid_one_after_it_is_shown() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let page = embedding(&world, "http://[").await;
    browser.open(&page).await;
    let sentence = "This interface could not be shown.";
    let failed = "proscenium-stage [part='failed']";
    browser.see(None, failed, sentence).await;
    for none in ["javascript:alert(1)", "http://me:secret@127.0.0.1/r/x"] {
        browser.evaluate(None, &embed(none)).await;
        browser.see(None, failed, sentence).await;
    }
    let states = browser.evaluate(None, "states").await;
    assert_eq!(states, json!(vec![["failed", "INVALID_SRC"]; 3]));

    browser.evaluate(None, &embed(shown.viewer_url())).await;
    browser
        .see(Some("proscenium-stage iframe"), ":is(th, td)", "Mug")
        .await;
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ended_session_is_reported_once_in_one_sentence_where_it_was_embedded() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let page = embedding(&world, shown.viewer_url()).await;
    let gone = world.delete(&format!("/api/v1/sessions/{}", shown.session));
    let gone = gone.header("idempotency-key", "1f0c5b3e-0d7a-4a2f-8f0e-5b7f6c1f9a10");
    assert_eq!(world.send(gone).await.status, 204);
    browser.open(&page).await;
    let failed = "proscenium-stage [part='failed']";
    browser.see(None, failed, "Your session expired.").await;
    // Later messages would have arrived by now.
    let frame = "proscenium-stage iframe";
    let answered = ask("ping", &json!({}));
    browser.evaluate(Some(frame), &answered).await;
    let seen = "[...document.querySelector('proscenium-stage').shadowRoot.querySelectorAll('p, iframe')] \
        .filter((part) => part.checkVisibility()).map((part) => part.textContent)";
    let seen = browser.evaluate(None, seen).await;
    assert_eq!(seen, json!(["Your session expired."]));
    let states = browser.evaluate(None, "states").await;
    assert_eq!(
        states,
        json!([["loading", null], ["failed", "SESSION_NOT_FOUND"]])
    );
}
