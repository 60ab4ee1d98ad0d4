//! Clicks that stand for approvals: what the stage has asked about passes once, and nothing else does.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::approvals_kept::audit;
use super::approvals_seen::{FRAME, cabinet, has};
use super::deciders::Office;
use super::people::Person;
use super::site::{Folder, Site};
use crate::chromium::{Chromium, next_event};
use crate::world::PATIENCE;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT, prefix: s_ }
governance:
  rules:
    - { match: "delete_*", action: approve, approval: people, description: "Deleting cannot be undone" }
    - { match: "hang", action: approve, approval: people }
    - { match: "wipe_*", action: approve, approval: elsewhere }
approval:
  people: { redact_fields: [card.number] }
  elsewhere: { destination: { type: stage, app: other } }
"#;

/// The tools of an agent, as a contract declares them.
fn declared(tools: &[&str]) -> Value {
    let tools = tools.iter().map(|tool| {
        let said = json!({
            "toolInfo": {"inputSchema": {"type": "object"}},
            "usage": "When asked",
            "example": {"input": {}, "output": {}},
        });
        ((*tool).to_owned(), said)
    });
    json!({ "tools": tools.collect::<serde_json::Map<_, _>>() })
}

/// A page on which files are deleted, and the like.
fn contract() -> Value {
    let file = json!({"type": "object", "properties": {"path": {"type": "string"}},
        "required": ["path"]});
    let action = |confirm: bool, tool: &str| json!({"label": "Delete", "confirm": confirm, "nextStep": tool, "schema": file});
    json!({
        "propsSpec": {"properties": {"title": {"schema": {"type": "string"}}}},
        "actionSpec": {
            "remove": action(true, "s_delete_file"),
            "casual": action(false, "s_delete_file"),
            "wipe": action(true, "s_wipe_disk"),
            "look": action(true, "s_get_weather"),
            "away": {"label": "Away", "confirm": true, "schema": file},
        },
        "agentCapabilities": declared(&["s_delete_file", "s_wipe_disk", "s_get_weather"]),
    })
}

fn click(action: &str, path: &str) -> Value {
    json!({"action": action, "data": {"path": path}})
}

/// The person clicks, reads what the stage asks, and says yes.
async fn agree(person: &Person, session: &str, path: &str) -> Value {
    let mut said = click("remove", path);
    let answer = person.confirm(session, said.clone()).await;
    assert_eq!(answer["isApproved"], false, "{answer}");
    said["agreed"] = answer["question"]["id"].clone();
    let answer = person.confirm(session, said).await;
    assert_eq!(answer, json!({"isApproved": true}));
    answer
}

/// A server whose calls are answered at once, a page of an agent, and a person.
async fn shown() -> (Site, Person, String) {
    shown_in(Folder::new()).await
}

async fn shown_in(folder: Folder) -> (Site, Person, String) {
    let data = folder.path("data");
    let site = Site::start_in(folder, GATE, |config| {
        config.limits.gate.approval_hold_s = 0;
        config.store.ephemeral = false;
        config.store.data = data;
    });
    let site = site.await;
    let page = site.world.show(contract(), json!({"title": "Files"})).await;
    let person = Person::at(&site.world.url(""));
    (site, person, page.session)
}

fn assert_pending(answer: &Value) {
    assert_eq!(answer["error"]["data"]["state"], "pending", "{answer}");
}

/// The result of a call that is approved; one that is answered at once is made again for it.
async fn made(site: &Site, tool: &str, arguments: &Value) -> Value {
    let made = async {
        loop {
            let answer = site.call(tool, arguments.clone()).await;
            if answer["error"]["data"]["state"] != "pending" {
                return answer;
            }
        }
    };
    timeout(PATIENCE, made).await.expect("a result in time")
}

fn assert_nothing(answer: &Value) {
    assert_eq!(*answer, json!({"isApproved": false}));
}

#[tokio::test]
async fn a_call_that_a_person_has_agreed_to_by_a_click_passes_once() {
    let (site, person, session) = shown().await;
    let answer = person.confirm(&session, click("remove", "/a")).await;
    let question = &answer["question"];
    assert_eq!(question["tool"], "s_delete_file", "{answer}");
    assert_eq!(question["server"], "script");
    assert_eq!(question["requester"], "an agent on this machine");
    assert_eq!(question["why"], "Deleting cannot be undone");
    assert_eq!(
        question["arguments"],
        json!([{"name": "path", "value": "/a"}])
    );
    assert!(person.cards().await.is_empty(), "nobody has agreed");
    agree(&person, &session, "/a").await;
    // Neither another tool nor other arguments are what they have agreed to.
    assert_pending(&site.call("s_hang", json!({"path": "/a"})).await);
    assert_pending(&site.call("s_delete_file", json!({"path": "/b"})).await);
    let more = json!({"path": "/a", "force": true});
    assert_pending(&site.call("s_delete_file", more).await);
    assert_eq!(site.folder.calls("delete_file"), 0);
    let made = made(&site, "s_delete_file", &json!({"path": "/a"})).await;
    assert_eq!(made["result"]["content"][0]["text"], "Done", "{made}");
    // It is good once.
    assert_pending(&site.call("s_delete_file", json!({"path": "/a"})).await);
    assert_eq!(site.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn a_click_that_the_stage_has_not_asked_about_approves_nothing() {
    let (site, person, session) = shown().await;
    // They were asked, and said nothing; or yes to another call, or to what nobody has asked.
    let other = person.confirm(&session, click("remove", "/b")).await;
    for agreed in [
        Value::Null,
        other["question"]["id"].clone(),
        json!("yes"),
        json!("approval-"),
    ] {
        let mut said = click("remove", "/a");
        said["agreed"] = agreed;
        let answer = person.confirm(&session, said).await;
        assert_eq!(answer["isApproved"], false, "{answer}");
        assert!(answer["question"].is_object());
    }
    // The click itself reaches the agent, and allows nothing.
    let action = json!({
        "sessionId": session, "appId": "builder", "kind": "dispatch", "actionId": "gesture-12345",
        "firedAt": "2026-08-23T15:46:40.000Z",
        "payload": {"intent": "remove", "actionData": {"path": "/a"}, "uiContext": {}},
    });
    let done = site.world.tool("ggui_runtime_submit_action", action).await;
    assert_eq!(done["ok"], true, "{done}");
    assert_pending(&site.call("s_delete_file", json!({"path": "/a"})).await);
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn nobody_is_asked_ahead_about_what_a_click_cannot_allow() {
    let (site, person, session) = shown().await;
    for said in [
        // The contract does not want it to be confirmed, or names no tool.
        click("casual", "/a"),
        click("away", "/a"),
        // Nobody has to agree to it, or people elsewhere have to.
        click("look", "/a"),
        click("wipe", "/a"),
        // It does not fit the contract.
        click("remove_all", "/a"),
        json!({"action": "remove", "data": {"path": 7}}),
        json!({"action": "remove"}),
    ] {
        assert_nothing(&person.confirm(&session, said).await);
    }
    assert_nothing(
        &person
            .confirm("session-unknown", click("remove", "/a"))
            .await,
    );
    // Cards are answered as cards.
    assert_pending(&site.call("s_delete_file", json!({"path": "/a"})).await);
    let card = person.cards().await.remove(0);
    let approve = json!({"action": "approve", "data": null});
    assert_nothing(&person.confirm(&card, approve).await);
    assert_pending(&site.call("s_delete_file", json!({"path": "/a"})).await);
}

#[tokio::test]
async fn a_yes_that_is_older_than_five_minutes_approves_nothing() {
    let (site, person, session) = shown().await;
    agree(&person, &session, "/a").await;
    site.world.clock.advance(Duration::from_secs(300));
    assert_pending(&site.call("s_delete_file", json!({"path": "/a"})).await);
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn a_yes_answers_a_call_that_waits_already() {
    let (site, person, session) = shown().await;
    assert_pending(&site.call("s_delete_file", json!({"path": "/a"})).await);
    agree(&person, &session, "/a").await;
    assert_eq!(person.cards().await.len(), 1);
    let made = made(&site, "s_delete_file", &json!({"path": "/a"})).await;
    assert!(made["result"].is_object(), "{made}");
    assert_eq!(site.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn no_agent_says_yes_and_a_yes_is_for_the_agent_of_the_page_alone() {
    let office = Office::open().await;
    let [owner, other] = [&office.agents[0], &office.agents[1]];
    let tool = async |tool: &str, arguments: Value| {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = office.rpc("/mcp", owner, "tools/call", params).await;
        answer.body["result"]["structuredContent"].clone()
    };
    let draft = json!({"contract": contract()});
    let agreed = json!({"intent": "Files", "blueprintDraft": draft});
    let id = tool("ggui_handshake", agreed).await["handshakeId"].clone();
    let rendered = json!({"handshakeId": id, "props": {"title": "Files"}});
    let session = tool("ggui_render", rendered).await["sessionId"].clone();
    let session = session.as_str().expect("a session");
    let person = office.person();
    let mut said = click("remove", "/a");
    let answer = person.confirm(session, said.clone()).await;
    said["agreed"] = answer["question"]["id"].clone();
    assert!(said["agreed"].is_string(), "{answer}");
    for key in &office.agents {
        let agent = Person::at(&office.world.url("")).with_key(key);
        let answer = agent.confirm(session, said.clone()).await;
        assert_ne!(answer["isApproved"], true, "{answer}");
        assert!(answer["question"].is_null(), "{answer}");
    }
    assert_pending(&office.call(owner).await);
    let answer = person.confirm(session, said).await;
    assert_eq!(answer, json!({"isApproved": true}));
    assert_pending(&office.call(other).await);
    assert_eq!(office.folder.calls("delete_file"), 0);
    let mut made = office.call(owner).await;
    while made["error"]["data"]["state"] == "pending" {
        made = office.call(owner).await;
    }
    assert!(made["result"].is_object(), "{made}");
    assert_eq!(office.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn the_audit_names_the_click_the_session_and_the_person() {
    let (site, person, session) = shown().await;
    agree(&person, &session, "/a").await;
    made(&site, "s_delete_file", &json!({"path": "/a"})).await;
    let rows = audit(&site.folder).await;
    let events: Vec<_> = rows.iter().map(|row| row["event"].as_str()).collect();
    let all = ["proposed", "decided", "executed", "returned"];
    assert_eq!(events, all.map(Some), "{rows:?}");
    assert_eq!(rows[0]["during"], session);
    assert_eq!(rows[0]["click"], "remove");
    assert_eq!(rows[0]["caller"], "builder");
    assert_eq!(rows[1]["state"], "approved");
    assert_eq!(rows[1]["by"], "viewer");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_clicks_is_asked_by_the_stage_and_the_agent_deletes_without_a_second_question() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let folder = cabinet(&["a.txt"]);
    let gate = super::approvals_seen::GATE;
    let site = Site::start_in(folder, gate, |config| {
        config.limits.gate.approval_hold_s = 0;
    });
    let site = site.await;
    let file = json!({"type": "object", "properties": {"file": {"const": "a.txt"}},
        "required": ["file"]});
    let contract = json!({
        "propsSpec": {"properties": {"title": {"schema": {"type": "string"}}}},
        "actionSpec": {"remove": {"label": "Delete a.txt", "confirm": true,
            "nextStep": "files_remove_file", "schema": file}},
        "agentCapabilities": declared(&["files_remove_file"]),
    });
    let page = site.world.show(contract, json!({"title": "Files"})).await;
    browser.open(&site.world.stage_url()).await;
    let remove = "[data-action='remove']";
    browser.click(FRAME, remove).await;
    let question = "dialog[open]";
    browser
        .see(None, question, "Approve files_remove_file?")
        .await;
    browser.see(None, question, "a.txt").await;
    browser
        .see(None, question, "an agent on this machine")
        .await;
    let yes = format!("{question} [data-approve]");
    browser.click(None, &yes).await;
    let event = next_event(&site.world, &page.session).await;
    assert_eq!(event["intent"], "remove", "{event}");
    let made = made(&site, "files_remove_file", &event["actionData"]).await;
    assert_eq!(made["result"]["content"][0]["text"], "Removed", "{made}");
    assert!(!has(&site.folder, "a.txt"));
    let again = site
        .call("files_remove_file", event["actionData"].clone())
        .await;
    assert_pending(&again);
    assert_eq!(site.folder.calls("remove_file"), 1);
    assert_eq!(browser.problems().await, json!([]));
}
