//! What becomes of approvals is written into pages.

use serde_json::{Value, json};

use super::approvals::GATE;
use super::people::Person;
use super::site::Site;
use crate::brain::Pages;
use crate::brain::journal::{at_once, listed, page_with};

#[tokio::test]
async fn an_approval_is_a_page_that_says_who_decided_and_in_which_session_it_was_asked_for() {
    let site = Site::start_with(GATE, at_once).await;
    let contract = json!({"actionSpec": {"tidyUp": {"label": "Tidy up"}}});
    let shown = site.world.show(contract, json!({})).await;
    let (mut browser, _) = site.world.browse(&shown).await;
    let id = browser.act("tidyUp", Value::Null).await;
    browser.answer_to(&id).await;
    let person = Person::at(&site.world.url(""));
    let decided = async {
        let mut card = person.card().await;
        card.approve().await;
        card.session
    };
    let call = site.call("s_delete_file", json!({"path": "/tmp/secret-plan"}));
    let (answer, card) = tokio::join!(call, decided);
    assert!(answer["result"].is_object(), "{answer}");
    let rejected = async {
        let mut card = person.card().await;
        card.reject("still needed").await;
        card.session
    };
    let call = site.call("s_delete_file", json!({"path": "/tmp/b"}));
    let (_, second) = tokio::join!(call, rejected);
    let Site {
        folder: _folder,
        world,
    } = site;
    let pages = Pages(world);
    let parts = [
        "state: done",
        "tool: delete_file",
        "source: script",
        "called",
    ];
    let page = page_with(&pages, &format!("approvals/{card}"), &parts).await;
    let text = page["content"].as_str().expect("a text");
    // Who decided, and never what the tool was given.
    assert!(text.contains("approved by viewer"), "{text}");
    assert!(!text.contains("secret-plan"), "{text}");
    let parts = ["state: rejected", "rejected by viewer: still needed"];
    page_with(&pages, &format!("approvals/{second}"), &parts).await;
    listed(&pages, "approvals", 2).await;
    let session = format!("sessions/{}", shown.session);
    page_with(&pages, &session, &["did tidyUp"]).await;
    let links = pages
        .call("brain_backlinks", json!({"slug": session}))
        .await;
    let links = links["structuredContent"].to_string();
    assert!(links.contains(&format!("approvals/{card}")), "{links}");
    // The cards themselves are no sessions of agents.
    listed(&pages, "sessions", 1).await;
}
