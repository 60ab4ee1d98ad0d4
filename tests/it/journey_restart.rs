//! A person at a page whose server is killed and started again: nothing they did is lost.

use serde_json::json;
use tempfile::TempDir;

use crate::chromium::Chromium;
use crate::node::{Node, parts, stored};

/// The frame the stage shows.
const FRAME: Option<&str> = Some("article:not([hidden]) iframe");
/// Whether what was typed stands where it was typed.
const TYPED: &str = "new Promise((done) => { const look = () => \
    document.querySelector('[data-row=B2] input')?.value === '7' ? done(true) \
    : setTimeout(look, 20); look(); })";

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_and_what_was_clicked_without_a_server_outlive_its_restart() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let (session, _) = parts(&node.client.show().await);
    let stage = node.client.url("/");
    browser.open(&stage).await;
    browser.see(FRAME, "[data-live='open']", "Mug").await;
    browser.fill(FRAME, "[data-row='B2'] input", "7").await;

    node.kill().await;
    browser.see(FRAME, "[role='status']", "Reconnecting…").await;
    browser.fill(FRAME, "[data-row='A1'] input", "3").await;
    browser
        .click(FRAME, "[data-row='A1'] [data-action='setQuantity']")
        .await;
    browser
        .see(FRAME, "[data-row='A1']", "Waiting for the connection…")
        .await;

    let address = stage.trim_start_matches("http://").replace('/', "");
    let node = Node::run(stored(folder.path(), &["serve", "--listen", &address])).await;
    let take = json!({"sessionId": session, "timeout": 25});
    let taken = node.client.tool("ggui_consume", take).await;
    let events = taken["events"].as_array().expect("events");
    assert_eq!(events.len(), 1, "{taken}");
    assert_eq!(events[0]["actionData"], json!({"sku": "A1", "qty": 3}));
    browser.see(FRAME, "[data-live='open']", "Mug").await;
    let peek = json!({"sessionId": session, "timeout": 0});
    let again = node.client.tool("ggui_consume", peek).await;
    assert_eq!(again["events"], json!([]), "the click arrived twice");

    assert_eq!(browser.evaluate(FRAME, TYPED).await, true);
    browser.reload().await;
    browser.see(FRAME, "[data-live='open']", "Mug").await;
    assert_eq!(browser.evaluate(FRAME, TYPED).await, true);
    node.stop().await;
}
