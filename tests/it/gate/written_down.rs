//! What becomes of approvals is written into pages.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::approvals::GATE;
use super::people::Person;
use super::site::Site;
use crate::brain::Pages;
use crate::brain::journal::{at_once, listed, page_with};
use crate::world::PATIENCE;

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
    let during = |session: &str| json!({"proscenium/sessionId": session});
    let call = json!({"name": "s_delete_file", "arguments": {"path": "/tmp/secret-plan"},
        "_meta": during(&shown.session)});
    let call = site.rpc("tools/call", call);
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
    let links = &links["structuredContent"]["links"];
    assert_eq!(links.as_array().map(Vec::len), Some(1), "{links}");
    let from = format!("default::approvals/{card}");
    assert_eq!(links[0]["from_slug"], from.as_str(), "{links}");
    // The cards themselves are no sessions of agents.
    listed(&pages, "sessions", 1).await;
}

#[tokio::test]
async fn a_session_that_is_not_the_caller_s_own_is_linked_by_nobody() {
    const PERSON: [&str; 3] = ["ggui:person", "ggui:read", "ggui_runtime_submit_action"];
    let keys = tempfile::tempdir().expect("a folder");
    let file = keys.path().join("keys.toml");
    let key = |app: &str, trust, scopes: &[&str]| {
        let scopes: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        proscenium::keys::create_scoped(&file, app, trust, &scopes).expect("a key")
    };
    let (mine, another) = (key("shop", 1, &[]), key("shop", 1, &[]));
    let (theirs, person) = (key("other", 3, &[]), key("shop", 2, &PERSON));
    let mut site = Site::start_with(GATE, |config| {
        at_once(config);
        config.server.keys_file = file.clone();
    })
    .await;
    // One session of each agent, in which a person has done something.
    let mut sessions = Vec::new();
    for key in [&mine, &another, &theirs] {
        let contract = json!({"actionSpec": {"tidyUp": {"label": "Tidy up"}}});
        site.world = site.world.with_bearer(key);
        let shown = site.world.show(contract, json!({})).await;
        let (mut browser, _) = site.world.browse(&shown).await;
        let id = browser.act("tidyUp", Value::Null).await;
        browser.answer_to(&id).await;
        sessions.push(shown.session);
    }
    sessions.push("s-none".to_owned());
    site.world = site.world.with_bearer(&mine);
    let decider = Person::at(&site.world.url("")).with_key(&person);
    for (place, session) in sessions.iter().enumerate() {
        let arguments = json!({"path": format!("/tmp/{place}")});
        let call = json!({"name": "s_delete_file", "arguments": arguments,
            "_meta": {"proscenium/sessionId": session}});
        let call = site.rpc("tools/call", call);
        let decided = async {
            let mut card = decider.card().await;
            card.approve().await;
            card.session
        };
        let (answer, card) = tokio::join!(call, decided);
        assert!(answer["result"].is_object(), "{answer}");
        let slug = format!("/api/v1/memories/approvals%2F{card}");
        let written = async {
            loop {
                let page = site.world.get(&slug);
                let text = site.world.send(page).await.body["content"].to_string();
                if text.contains("called") {
                    return text;
                }
            }
        };
        let text = timeout(PATIENCE, written).await.expect("a page");
        let is_linked = text.contains(&format!("[[sessions/{session}"));
        assert_eq!(is_linked, place == 0, "{session}: {text}");
        assert_eq!(text.contains("[[sessions/"), place == 0, "{text}");
    }
}

#[tokio::test]
async fn a_name_of_a_session_that_is_none_is_refused_before_anybody_is_asked() {
    let site = Site::start_with(GATE, at_once).await;
    for session in [json!(""), json!(7), json!("x".repeat(257))] {
        let call = json!({"name": "s_delete_file", "arguments": {},
            "_meta": {"proscenium/sessionId": session}});
        let refused = site.rpc("tools/call", call).await;
        assert_eq!(refused["error"]["code"], -32602, "{refused}");
        let message = refused["error"]["message"].as_str().expect("a text");
        assert!(
            message.contains("params._meta.proscenium/sessionId"),
            "{message}"
        );
    }
    assert!(Person::at(&site.world.url("")).cards().await.is_empty());
}
