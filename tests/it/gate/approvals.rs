//! Calls that a person has to agree to: approved, refused, ignored, made again.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::people::Person;
use super::site::Site;
use crate::world::PATIENCE;

pub(super) const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT, prefix: s_ }
governance:
  rules:
    - { match: "delete_*", action: approve, description: "Deleting cannot be undone" }
    - { match: "hang", action: approve }
    - { match: "forge", action: approve }
    - { match: "greet", action: approve }
approval:
  people: { timeout: 5m, redact_fields: [card.number] }
"#;

/// A gate that answers at once while nobody has decided.
async fn hasty() -> (Site, Person) {
    let site = Site::start_with(GATE, |config| config.limits.gate.approval_hold_s = 0).await;
    let person = Person::at(&site.world.url(""));
    (site, person)
}

/// A gate whose calls wait.
async fn patient() -> (Site, Person) {
    let site = Site::start(GATE).await;
    let person = Person::at(&site.world.url(""));
    (site, person)
}

fn assert_pending(answer: &Value) {
    assert_eq!(answer["error"]["code"], -32008, "{answer}");
    assert_eq!(answer["error"]["data"]["state"], "pending", "{answer}");
    assert_eq!(answer["error"]["data"]["resubmit"], true);
    let card = answer["error"]["data"]["viewerUrl"].as_str();
    assert!(
        card.is_some_and(|card| card.contains("/#s=approval-")),
        "{answer}"
    );
    assert_eq!(answer["error"]["data"]["tool_name"], "s_delete_file");
}

#[tokio::test]
async fn a_call_that_a_person_approves_is_made_once_as_it_was_asked() {
    let (site, person) = patient().await;
    let arguments = json!({"path": "/tmp/a", "force": [true, 2.5]});
    let held = site.call("s_delete_file", arguments.clone());
    let decided = async {
        let mut card = person.card().await;
        assert_eq!(site.folder.calls("delete_file"), 0, "nobody has decided");
        let props = card.props().await;
        assert_eq!(props["tool"], "s_delete_file", "{props}");
        assert_eq!(props["server"], "script");
        assert_eq!(props["requester"], "an agent on this machine");
        assert_eq!(props["why"], "Deleting cannot be undone");
        assert_eq!(
            props["arguments"],
            json!([{"name": "path", "value": "/tmp/a"}, {"name": "force", "value": "[true,2.5]"}])
        );
        assert_eq!(props["expiresAt"], "2026-08-23T15:51:40.000Z");
        card.approve().await;
        card
    };
    let (answer, card) = tokio::join!(held, decided);
    assert_eq!(answer["result"]["content"][0]["text"], "Done", "{answer}");
    assert_eq!(site.folder.calls("delete_file"), 1);
    let notes = site.folder.notes();
    let call = notes.lines().find(|line| line.contains("tools/call"));
    let call: Value = serde_json::from_str(call.expect("a call")).expect("JSON");
    assert_eq!(call["params"]["arguments"], arguments);
    let said = card.says("done").await;
    assert_eq!(said["message"], "Approved, and done.");
    // A second call is another question.
    let again = site.call("s_delete_file", arguments);
    let second = async {
        let mut card = person.card().await;
        card.reject("once is enough").await;
    };
    let (answer, ()) = tokio::join!(again, second);
    assert_eq!(answer["error"]["code"], -32007, "{answer}");
    assert_eq!(site.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn a_call_that_a_person_rejects_is_not_made_and_is_told_why() {
    let (site, person) = patient().await;
    let held = site.call("s_delete_file", json!({"path": "/a"}));
    let decided = async {
        let mut card = person.card().await;
        card.reject("not this file").await;
        card
    };
    let (answer, card) = tokio::join!(held, decided);
    let error = &answer["error"];
    assert_eq!(error["code"], -32007, "{answer}");
    assert_eq!(
        error["message"],
        "Approval rejected for tool 's_delete_file'"
    );
    assert_eq!(error["data"]["tool_name"], "s_delete_file");
    assert_eq!(error["data"]["reason"], "not this file");
    assert_eq!(error["data"]["retry"]["allowed"], false);
    assert_eq!(card.says("rejected").await["note"], "not this file");
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn a_call_that_nobody_decides_on_is_answered_with_a_handle_and_joined_by_the_same_call() {
    let (site, person) = hasty().await;
    let arguments = json!({"path": "/a", "n": 1});
    let first = site.call("s_delete_file", arguments).await;
    assert_pending(&first);
    let handle = first["error"]["data"]["task_id"]
        .as_str()
        .expect("a handle");
    assert!(handle.starts_with("tg_") && handle.len() == 24, "{handle}");
    // The order of members makes no other call; another value does.
    let same = site
        .call("s_delete_file", json!({"n": 1, "path": "/a"}))
        .await;
    assert_eq!(same["error"]["data"]["task_id"], handle);
    assert_eq!(person.cards().await.len(), 1);
    let other = site
        .call("s_delete_file", json!({"path": "/b", "n": 1}))
        .await;
    assert_ne!(other["error"]["data"]["task_id"], handle);
    assert_eq!(person.cards().await.len(), 2);
    // In five minutes it is too late.
    site.world.clock.advance(Duration::from_secs(299));
    assert_pending(
        &site
            .call("s_delete_file", json!({"path": "/a", "n": 1}))
            .await,
    );
    site.world.clock.advance(Duration::from_secs(1));
    let mut card = person.card().await;
    card.approve().await;
    card.says("expired").await;
    let late = site
        .call("s_delete_file", json!({"path": "/a", "n": 1}))
        .await;
    assert_eq!(late["error"]["code"], -32008, "{late}");
    // It says so once; after that it is another question.
    assert_eq!(late["error"]["data"]["state"], "expired", "{late}");
    let other = site
        .call("s_delete_file", json!({"path": "/a", "n": 1}))
        .await;
    assert_pending(&other);
    assert_eq!(site.folder.calls("delete_file"), 0);
    assert!(person.cards().await.contains(&card.session));
}

#[tokio::test]
async fn an_approval_that_comes_while_nobody_waits_is_good_for_the_same_call_alone() {
    let (site, person) = hasty().await;
    let call = |path: &str| site.call("s_delete_file", json!({ "path": path }));
    assert_pending(&call("/a").await);
    let mut card = person.card().await;
    card.approve().await;
    card.says("approved").await;
    // Other arguments are another question.
    assert_pending(&call("/b").await);
    assert_eq!(site.folder.calls("delete_file"), 0);
    let mut answer = call("/a").await;
    // Nobody is waited for: the call may still be under way.
    while answer["error"]["data"]["state"] == "pending" {
        answer = call("/a").await;
    }
    assert_eq!(answer["result"]["content"][0]["text"], "Done", "{answer}");
    assert_eq!(site.folder.calls("delete_file"), 1);
    card.says("done").await;
    // It was good once.
    assert_pending(&call("/a").await);
    assert_eq!(site.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn a_rejection_that_comes_while_nobody_waits_is_told_to_the_same_call_once() {
    let (site, person) = hasty().await;
    let call = || site.call("s_delete_file", json!({"path": "/a"}));
    assert_pending(&call().await);
    let mut card = person.card().await;
    card.reject("not this file").await;
    card.says("rejected").await;
    let rejected = call().await;
    assert_eq!(rejected["error"]["code"], -32007, "{rejected}");
    assert_eq!(rejected["error"]["data"]["reason"], "not this file");
    assert_pending(&call().await);
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn an_approval_is_good_for_five_minutes() {
    let (site, person) = hasty().await;
    let call = || site.call("s_delete_file", json!({"path": "/a"}));
    assert_pending(&call().await);
    let mut card = person.card().await;
    card.approve().await;
    card.says("approved").await;
    site.world.clock.advance(Duration::from_secs(300));
    let answer = call().await;
    assert_eq!(answer["error"]["code"], -32008, "{answer}");
    card.says("expired").await;
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn what_was_approved_is_not_done_once_the_rules_or_the_tool_have_changed() {
    let (site, person) = hasty().await;
    let call = || site.call("s_delete_file", json!({"path": "/a"}));
    // Another description of the tool is another question.
    assert_pending(&call().await);
    let mut card = person.card().await;
    card.approve().await;
    card.says("approved").await;
    let file = site.folder.path("tools.json");
    let tools = std::fs::read_to_string(&file).expect("a file");
    let changed = tools.replace("Does delete_file", "Deletes everything");
    std::fs::write(&file, changed).expect("a file");
    assert_pending(&call().await);
    let mut second = person.card().await;
    assert_ne!(second.session, card.session);
    second.approve().await;
    second.says("approved").await;
    // So is another version of the rules.
    let stricter = GATE.replace("\"hang\", action: approve", "\"hang\", action: deny");
    site.folder.write(&stricter);
    let read = async { while site.names("tools").await.contains(&"s_hang".to_owned()) {} };
    timeout(PATIENCE, read).await.expect("the rules in time");
    assert_pending(&call().await);
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn a_call_that_waits_is_not_made_where_a_rule_denies_it_meanwhile() {
    let (site, person) = patient().await;
    let held = site.call("s_delete_file", json!({"path": "/a"}));
    let decided = async {
        let mut card = person.card().await;
        let denied = GATE.replace(
            "action: approve, description: \"Deleting",
            "action: deny, description: \"Deleting",
        );
        site.folder.write(&denied);
        let read = async {
            while site
                .names("tools")
                .await
                .contains(&"s_delete_file".to_owned())
            {}
        };
        timeout(PATIENCE, read).await.expect("the rules in time");
        card.approve().await;
        card
    };
    let (answer, card) = tokio::join!(held, decided);
    assert_eq!(answer["error"]["code"], -32003, "{answer}");
    let reason = answer["error"]["data"]["reason"]
        .as_str()
        .expect("a reason");
    assert!(
        reason.contains("have changed since a person was asked"),
        "{reason}"
    );
    card.says("withdrawn").await;
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn what_a_server_says_of_a_failed_call_reaches_its_caller_and_not_the_card() {
    let (site, person) = patient().await;
    let held = site.call("s_forge", json!({}));
    let decided = async {
        let mut card = person.card().await;
        card.approve().await;
        card
    };
    let (answer, card) = tokio::join!(held, decided);
    assert_eq!(answer["error"]["code"], -32002, "{answer}");
    let said = card.says("failed").await;
    assert!(!said.to_string().contains("10.0.0.1"), "{said}");
}

#[tokio::test]
async fn a_caller_that_goes_away_while_its_call_is_made_finds_the_result_when_it_comes_back() {
    let gate = GATE.replace("SCRIPT,", "SCRIPT, timeout: 2s,");
    let site = Site::start(&gate).await;
    let person = Person::at(&site.world.url(""));
    let held = site.call("s_hang", json!({}));
    let decided = async {
        person.card().await.approve().await;
        site.folder.noted("\"hang\"").await;
    };
    tokio::select! {
        answer = held => panic!("it hangs: {answer}"),
        () = decided => {}
    }
    // It was not taken back: it ends by itself, and is not made again.
    let answer = site.call("s_hang", json!({})).await;
    assert_eq!(answer["error"]["code"], -32001, "{answer}");
    assert_eq!(site.folder.calls("hang"), 1);
    assert_eq!(person.cards().await.len(), 1);
    let card = person.open(&person.cards().await[0]).await;
    card.says("unknown").await;
}

#[tokio::test]
async fn a_caller_and_a_gate_have_only_so_many_approvals_open() {
    let limited = |per_caller, all| {
        Site::start_with(GATE, move |config| {
            config.limits.gate.approval_hold_s = 0;
            config.limits.gate.approvals_per_caller_max = per_caller;
            config.limits.gate.approvals_max = all;
        })
    };
    for (site, code, after) in [
        (limited(2, 10).await, -32009, json!(60_000)),
        (limited(10, 2).await, -32013, Value::Null),
    ] {
        for path in ["/a", "/b", "/a"] {
            assert_pending(&site.call("s_delete_file", json!({ "path": path })).await);
        }
        let answer = site.call("s_delete_file", json!({"path": "/c"})).await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
        if !after.is_null() {
            assert_eq!(answer["error"]["data"]["retry"]["after_ms"], after);
        }
        assert_eq!(Person::at(&site.world.url("")).cards().await.len(), 2);
    }
}

#[tokio::test]
async fn a_call_that_waits_says_so_to_a_client_that_asks_for_progress() {
    let (site, _) = hasty().await;
    let meta = json!({"progressToken": "p1"});
    let params = json!({"name": "s_delete_file", "arguments": {}, "_meta": meta});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let answer = site.post().body(body.to_string()).send().await;
    let text = answer.expect("an answer").text().await.expect("a stream");
    let lines = text.lines().filter_map(|line| line.strip_prefix("data: "));
    let messages: Vec<Value> = lines
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(messages[0]["method"], "notifications/progress", "{text}");
    assert_eq!(messages[0]["params"]["progressToken"], "p1");
    assert_pending(&messages[1]);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn beyond_the_memory_of_the_process_nobody_new_is_asked_and_calls_go_on() {
    let site = Site::start_with(GATE, |config| {
        config.limits.gate.approval_hold_s = 0;
        config.limits.memory.bytes_max = 1;
    })
    .await;
    let answer = site.call("s_delete_file", json!({"path": "/a"})).await;
    let error = &answer["error"];
    assert_eq!(error["code"], -32013, "{answer}");
    assert_eq!(error["data"]["code"], "GATE_UNAVAILABLE", "{answer}");
    assert_eq!(error["data"]["tool_name"], "s_delete_file", "{answer}");
    assert_eq!(error["data"]["retry"]["allowed"], true, "{answer}");
    let reason = error["data"]["reason"].as_str().expect("a reason");
    assert!(reason.contains("as much as it may"), "{answer}");
    let cards = Person::at(&site.world.url("")).cards().await;
    assert!(cards.is_empty(), "{cards:?}");
    assert_eq!(site.folder.calls("delete_file"), 0);
    let weather = site.call("s_get_weather", json!({})).await;
    assert_eq!(
        weather["result"]["content"][0]["text"], "Sunny",
        "{weather}"
    );
}
