//! A person in a real browser decides about the calls of an agent.

use serde_json::{Value, json};

use super::approvals::GATE;
use super::site::Site;
use crate::chromium::Chromium;

/// The frame the stage shows.
const FRAME: Option<&str> = Some("iframe");

async fn delete(site: &Site, path: &str) -> Value {
    site.call("s_delete_file", json!({ "path": path })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_approves_on_the_stage_and_sees_what_became_of_it() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let site = Site::start(GATE).await;
    browser.open(&site.world.stage_url()).await;
    browser.see(None, "h1", "The stage is yours").await;
    let decided = async {
        browser.see(FRAME, "body", "s_delete_file").await;
        browser.see(FRAME, "body", "/tmp/report").await;
        browser
            .see(FRAME, "body", "Deleting cannot be undone")
            .await;
        assert_eq!(site.folder.calls("delete_file"), 0);
        browser.click(FRAME, "[data-action='approve']").await;
        browser.see(FRAME, "body", "Approved, and done.").await;
        let buttons = "document.querySelectorAll('[data-action]').length";
        assert_eq!(browser.evaluate(FRAME, buttons).await, json!(0));
    };
    let (answer, ()) = tokio::join!(delete(&site, "/tmp/report"), decided);
    assert_eq!(answer["result"]["content"][0]["text"], "Done", "{answer}");
    assert_eq!(site.folder.calls("delete_file"), 1);
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_rejects_with_a_reason_that_the_agent_reads() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let site = Site::start(GATE).await;
    browser.open(&site.world.stage_url()).await;
    let decided = async {
        browser.see(FRAME, "body", "/tmp/report").await;
        browser.click(FRAME, "[data-action='reject']").await;
        let reason = "dialog[open] :is(input, textarea)";
        browser.fill(FRAME, reason, "still needed").await;
        browser
            .click(FRAME, "dialog[open] [data-action='reject']")
            .await;
        browser
            .see(FRAME, "body", "Rejected: nothing was done.")
            .await;
    };
    let (answer, ()) = tokio::join!(delete(&site, "/tmp/report"), decided);
    assert_eq!(answer["error"]["code"], -32007, "{answer}");
    assert_eq!(answer["error"]["data"]["reason"], "still needed");
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ignored_call_changed_arguments_and_a_second_call_are_questions_of_their_own() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let site = Site::start_with(GATE, |config| config.limits.gate.approval_hold_s = 0).await;
    browser.open(&site.world.stage_url()).await;
    let ignored = delete(&site, "/a").await;
    assert_eq!(ignored["error"]["code"], -32008, "{ignored}");
    browser.see(FRAME, "body", "/a").await;
    // What the person was shown, and nothing else.
    browser.click(FRAME, "[data-action='approve']").await;
    browser
        .see(FRAME, "body", "as soon as the agent asks")
        .await;
    let changed = delete(&site, "/etc/passwd").await;
    assert_eq!(changed["error"]["code"], -32008, "{changed}");
    assert_eq!(site.folder.calls("delete_file"), 0);
    let mut answer = delete(&site, "/a").await;
    while answer["error"]["data"]["state"] == "pending" {
        answer = delete(&site, "/a").await;
    }
    assert!(answer["result"].is_object(), "{answer}");
    let second = delete(&site, "/a").await;
    assert_eq!(second["error"]["data"]["state"], "pending", "{second}");
    assert_eq!(site.folder.calls("delete_file"), 1);
}
