//! What people may do besides approving and rejecting, where the gate file allows it: change what a
//! tool is given, and approve further calls.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::approvals::GATE;
use super::approvals_kept::{Served, audit, events, folder};
use super::people::{Card, Person};
use super::site::{Folder, Site};
use crate::world::PATIENCE;

fn allowing() -> String {
    GATE.replace("timeout: 5m,", "timeout: 5m, allow: [edit, session],")
}

async fn site() -> (Site, Person) {
    let site = Site::start(&allowing()).await;
    let person = Person::at(&site.world.url(""));
    (site, person)
}

/// What a tool was given, call by call.
fn given(folder: &Folder, tool: &str) -> Vec<Value> {
    let notes = folder.notes();
    let calls = notes.lines().filter(|line| line.contains("\"tools/call\""));
    let calls = calls.map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let of_tool = calls.filter(|call| call["params"]["name"] == tool);
    of_tool
        .map(|call| call["params"]["arguments"].clone())
        .collect()
}

/// Approves further calls of a tool, and opens the card on which that can be stopped.
async fn approve_for_session(site: &Site, person: &Person) -> Card {
    let held = site.call("s_delete_file", json!({"path": "/a"}));
    let decided = async {
        let mut card = person.card().await;
        card.act("approveSession", Value::Null).await;
        card
    };
    let (answer, card) = tokio::join!(held, decided);
    assert_eq!(answer["result"]["content"][0]["text"], "Done", "{answer}");
    card.says("done").await;
    let granted = person.card().await;
    let said = granted.says("granted").await;
    assert_eq!(
        said["message"],
        "Allowed: these calls are made without asking."
    );
    granted
}

/// The call is asked about: there is one more card.
async fn pending(site: &Site, tool: &str) {
    let person = Person::at(&site.world.url(""));
    let cards = person.cards().await.len();
    let more = async { while person.cards().await.len() == cards {} };
    tokio::select! {
        answer = site.call(tool, json!({"path": "/z"})) => panic!("it was made: {answer}"),
        more = timeout(PATIENCE, more) => more.expect("a card in time"),
    }
}

#[tokio::test]
async fn a_person_changes_what_a_tool_is_given_and_everybody_is_told() {
    let folder = folder();
    folder.write(&allowing());
    let server = Served::start(&folder).await;
    let arguments = json!({"path": "/tmp/a", "force": true, "token": "S", "tags": ["x"]});
    let call = || server.call("s_delete_file", arguments.clone());
    assert_eq!(call().await["error"]["data"]["state"], "pending");
    let mut card = server.person().card().await;
    // What is secret, and what no field can hold, stays as it is.
    let editable = &card.props().await["editable"];
    assert_eq!(*editable, json!({"field0": "/tmp/a", "field1": true}));
    let changed = json!({"field0": "/tmp/b", "field1": true});
    card.act("approveChanged", changed).await;
    card.says("approved").await;
    let mut answer = call().await;
    while answer["error"]["data"]["state"] == "pending" {
        answer = call().await;
    }
    assert_eq!(
        answer["result"]["_meta"]["proscenium/changedArguments"],
        json!({"path": "/tmp/b"}),
        "{answer}"
    );
    assert_eq!(
        given(&folder, "delete_file"),
        [json!({"path": "/tmp/b", "force": true, "token": "S", "tags": ["x"]})]
    );
    let said = card.says("done").await;
    assert_eq!(
        said["message"],
        "Approved, and done. Changed: path is \"/tmp/b\"."
    );
    let rows = audit(&folder).await;
    assert_eq!(
        events(&rows),
        ["proposed", "decided", "executed", "returned"]
    );
    let hash = |row: usize| rows[row]["arguments"].as_str().expect("a hash").to_owned();
    assert_ne!(hash(0), hash(2));
    server.stop().await;
}

#[tokio::test]
async fn what_a_person_writes_has_to_fit_the_tool_and_is_asked_for_again_where_it_does_not() {
    let (site, person) = site().await;
    // The tool takes a text.
    let held = site.call("s_delete_file", json!({"city": 7}));
    let decided = async {
        let mut card = person.card().await;
        card.act("approveChanged", json!({"field0": 8})).await;
        let said = async {
            loop {
                let said = card.says("pending").await;
                if !said["note"].is_null() {
                    return said;
                }
            }
        };
        let said = timeout(PATIENCE, said).await.expect("a note in time");
        assert_eq!(
            said["note"],
            "What you wrote does not fit the tool: look at /city."
        );
        assert_eq!(site.folder.calls("delete_file"), 0);
        card.approve().await;
    };
    let (answer, ()) = tokio::join!(held, decided);
    assert!(answer["result"].is_object(), "{answer}");
    assert_eq!(given(&site.folder, "delete_file"), [json!({"city": 7})]);
}

#[tokio::test]
async fn what_a_person_makes_of_a_call_is_for_the_policies_to_permit() {
    let folder = Folder::new();
    folder.put(
        "all.cedar",
        r#"
        permit(principal, action == ThoughtGate::Action::"tools/call", resource)
        when { resource.arguments has count && resource.arguments.count <= 10 };
        @thoughtgate_approval("people")
        permit(principal, action == ThoughtGate::Action::"tools/call", resource)
        when { resource.arguments has count && resource.arguments.count > 10 &&
               resource.arguments.count <= 100 };
        "#,
    );
    let gate = allowing().replace(
        "action: approve, description: \"Deleting",
        "action: policy, policy_id: x, description: \"Deleting",
    ) + "cedar: { policies: [all.cedar] }\n";
    let site = Site::start_in(folder, &gate, |_| {}).await;
    let person = Person::at(&site.world.url(""));
    for (count, code) in [(101, Some(-32003)), (50, None), (5, None)] {
        let held = site.call("s_delete_file", json!({"count": 20}));
        let decided = async {
            let mut card = person.card().await;
            card.act("approveChanged", json!({ "field0": count })).await;
        };
        let (answer, ()) = tokio::join!(held, decided);
        assert_eq!(answer["error"]["code"].as_i64(), code, "{count}: {answer}");
    }
    let made = [json!({"count": 50}), json!({"count": 5})];
    assert_eq!(given(&site.folder, "delete_file"), made);
}

#[tokio::test]
async fn what_the_gate_file_does_not_allow_no_card_takes() {
    let site = Site::start_with(GATE, |config| config.limits.gate.approval_hold_s = 0).await;
    let person = Person::at(&site.world.url(""));
    let call = || site.call("s_delete_file", json!({"path": "/a"}));
    call().await;
    let mut card = person.card().await;
    assert_eq!(card.props().await["editable"], Value::Null);
    for (action, data) in [
        ("approveChanged", json!({"field0": "/b"})),
        ("approveSession", Value::Null),
        ("revoke", Value::Null),
    ] {
        let id = card.browser.act(action, data).await;
        let answer = card.browser.answer_to(&id).await;
        assert_eq!(answer["type"], "error", "{action}: {answer}");
    }
    assert_eq!(call().await["error"]["data"]["state"], "pending");
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn further_calls_are_made_without_asking_until_a_person_stops_them() {
    let (site, person) = site().await;
    let mut granted = approve_for_session(&site, &person).await;
    let props = granted.props().await;
    assert_eq!(props["tool"], "s_delete_file", "{props}");
    assert_eq!(props["requester"], "an agent on this machine");
    assert_eq!(props["since"], "2026-08-23T15:46:40.000Z");
    assert_eq!(props["expiresAt"], "2026-08-23T16:45:40.000Z");
    for path in ["/b", "/c"] {
        let answer = site.call("s_delete_file", json!({ "path": path })).await;
        assert!(answer["result"].is_object(), "{answer}");
    }
    assert_eq!(person.cards().await.len(), 2);
    granted.act("revoke", Value::Null).await;
    granted.says("revoked").await;
    let held = site.call("s_delete_file", json!({"path": "/b"}));
    let decided = async { person.card().await.reject("no more").await };
    let (answer, ()) = tokio::join!(held, decided);
    assert_eq!(answer["error"]["code"], -32007, "{answer}");
    assert_eq!(site.folder.calls("delete_file"), 3);
}

#[tokio::test]
async fn an_agreement_to_further_calls_covers_nothing_that_has_changed() {
    // Another tool.
    let (site, person) = site().await;
    let granted = approve_for_session(&site, &person).await;
    pending(&site, "s_forge").await;
    // The same tool, saying something else of itself.
    let file = site.folder.path("tools.json");
    let tools = std::fs::read_to_string(&file).expect("a file");
    let changed = tools.replace("Does delete_file", "Deletes everything");
    std::fs::write(&file, changed).expect("a file");
    pending(&site, "s_delete_file").await;
    std::fs::write(&file, &tools).expect("a file");
    let answer = site.call("s_delete_file", json!({"path": "/b"})).await;
    assert!(answer["result"].is_object(), "{answer}");
    // Other rules.
    let rules = allowing().replace("\"hang\", action: approve", "\"hang\", action: deny");
    site.folder.write(&rules);
    let read = async { while site.names("tools").await.contains(&"s_hang".to_owned()) {} };
    timeout(PATIENCE, read).await.expect("the rules in time");
    pending(&site, "s_delete_file").await;
    granted.says("withdrawn").await;
    assert_eq!(site.folder.calls("delete_file"), 2);
}

#[tokio::test]
async fn an_agreement_to_further_calls_ends_after_an_hour() {
    let (site, person) = site().await;
    let granted = approve_for_session(&site, &person).await;
    site.world.clock.advance(Duration::from_secs(3_539));
    let answer = site.call("s_delete_file", json!({"path": "/c"})).await;
    assert!(answer["result"].is_object(), "{answer}");
    site.world.clock.advance(Duration::from_secs(1));
    pending(&site, "s_delete_file").await;
    granted.says("expired").await;
    assert_eq!(site.folder.calls("delete_file"), 2);
}

#[tokio::test]
async fn an_agreement_to_further_calls_outlives_a_restart_and_each_call_is_in_the_audit() {
    let folder = folder();
    folder.write(&allowing());
    let server = Served::start(&folder).await;
    let call = async |server: &Served, path: &str| {
        let mut answer = server.call("s_delete_file", json!({ "path": path })).await;
        while answer["error"]["data"]["state"] == "pending" {
            answer = server.call("s_delete_file", json!({ "path": path })).await;
        }
        answer
    };
    server.call("s_delete_file", json!({"path": "/a"})).await;
    let mut card = server.person().card().await;
    card.act("approveSession", Value::Null).await;
    card.says("approved").await;
    assert!(call(&server, "/a").await["result"].is_object());
    card.says("done").await;
    server.stop().await;
    let server = Served::start(&folder).await;
    let answer = call(&server, "/b").await;
    assert!(answer["result"].is_object(), "{answer}");
    let rows = audit(&folder).await;
    assert_eq!(
        events(&rows),
        [
            "proposed", "decided", "granted", "executed", "returned", "executed", "returned"
        ]
    );
    let (granted, last) = (&rows[2], &rows[5]);
    assert_eq!(granted["session"], last["session"]);
    assert_eq!(granted["tool"], "delete_file");
    assert!(last["arguments"].is_string(), "{last}");
    server.stop().await;
}
