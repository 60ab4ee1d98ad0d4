//! What policies decide: by who calls, what with, and when; and what nobody is told of it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use super::people::Person;
use super::site::{Folder, Site};
use crate::world::PATIENCE;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT, prefix: s_ }
governance:
  defaults: { action: forward }
  rules:
    - { match: "delete_*", action: policy, policy_id: deleting, description: "Not with these arguments" }
    - { match: "get_*", action: policy, policy_id: reading }
    - { match: "admin_*", action: policy, policy_id: secret_policy }
    - { match: "wipe_*", action: policy, policy_id: wiping, approval: ops }
    - { match: "greet", action: policy, policy_id: words }
    - { match: "secret*", action: policy, policy_id: words }
    - { match: "note://*", action: policy, policy_id: words }
cedar: { policies: [deleting.cedar, others.cedar] }
approval:
  ops: { timeout: 30m }
"#;

const DELETING: &str = r#"
@id("few")
permit(principal, action == ThoughtGate::Action::"tools/call", resource)
when {
  context.policy_id == "deleting" && resource.arguments has count && resource.arguments.count <= 10
};

@id("many") @thoughtgate_approval("ops")
permit(principal, action == ThoughtGate::Action::"tools/call", resource)
when {
  context.policy_id == "deleting" && resource.arguments has count &&
  resource.arguments.count > 10 && resource.arguments.count <= 100
};

@id("never-system") @reason("System files stay")
forbid(principal, action == ThoughtGate::Action::"tools/call", resource)
when { resource.arguments has file.path && resource.arguments.file.path like "/etc/*" };
"#;

const OTHERS: &str = r#"
permit(principal == ThoughtGate::App::"builder", action, resource)
when { context.policy_id == "reading" && context.source_id == "script" && principal.trust == 3 };

@id("evening") @reason("Closed from four o'clock")
forbid(principal, action, resource)
when { ["reading", "wiping"].contains(context.policy_id) && context.time.hour >= 16 };

permit(principal, action, resource) when { context.policy_id == "wiping" };

permit(principal, action == ThoughtGate::Action::"tools/call", resource)
when {
  context.policy_id == "secret_policy" && principal.trust > 3 &&
  resource.arguments has password && resource.arguments.password == "swordfish"
};

permit(principal, action == ThoughtGate::Action::"mcp/method", resource)
when {
  resource.method == "prompts/get" && resource.name == "greet" ||
  resource.method == "resources/read" && resource.server == "script" && resource.name like "note://*"
};
"#;

fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("deleting.cedar", DELETING);
    folder.put("others.cedar", OTHERS);
    folder
}

async fn hasty() -> Site {
    Site::start_in(folder(), GATE, |config| {
        config.limits.gate.approval_hold_s = 0;
    })
    .await
}

/// Every word of the policies that no answer may have.
const WORDS: [&str; 8] = [
    "policy_id",
    "deleting",
    "few",
    "never-system",
    "secret_policy",
    "swordfish",
    "permit(",
    ".cedar",
];

fn assert_denied(answer: &Value, reason: &str) {
    let tool = &answer["error"]["data"]["tool_name"];
    let expected = json!({"jsonrpc": "2.0", "id": 7, "error": {
        "code": -32003, "message": "Policy denied", "data": {
            "tool_name": tool, "reason": reason, "surface": "gate", "code": "GATE_POLICY_DENIED",
            "retry": {"allowed": false, "hint": "never"},
        },
    }});
    assert_eq!(*answer, expected);
}

#[tokio::test]
async fn a_call_is_made_where_a_policy_permits_what_it_is_given_and_no_other() {
    let site = hasty().await;
    for count in [json!(10), json!(10.0), json!(-3), json!(0)] {
        let answer = site.call("s_delete_file", json!({"count": count})).await;
        assert!(answer["result"].is_object(), "{count}: {answer}");
    }
    assert_eq!(site.folder.calls("delete_file"), 4);
    for count in [
        json!(101),
        json!("9"),
        json!("x"),
        json!(null),
        json!(true),
        json!([1]),
        json!({"a": 1}),
        json!(1e30),
        json!(u64::MAX),
    ] {
        let answer = site.call("s_delete_file", json!({"count": count})).await;
        assert_denied(&answer, "Not with these arguments");
    }
    let answer = site.call("s_delete_file", json!({})).await;
    assert_denied(&answer, "Not with these arguments");
    // Also where no policy looks at it.
    for arguments in [json!({"count": 9.5}), json!({"count": 1, "other": [0.5]})] {
        let answer = site.call("s_delete_file", arguments).await;
        let reason = "its arguments hold a number that is not whole, and policies know none";
        assert_denied(&answer, reason);
    }
    assert_eq!(site.folder.calls("delete_file"), 4);
}

#[tokio::test]
async fn a_policy_that_forbids_wins_over_one_that_permits_and_says_why() {
    let site = hasty().await;
    let call = |path: &str| site.call("s_delete_file", json!({"count": 1, "file": {"path": path}}));
    assert!(call("/tmp/a").await["result"].is_object());
    assert_denied(&call("/etc/passwd").await, "System files stay");
    assert_eq!(site.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn a_policy_that_cannot_be_evaluated_denies_whatever_others_permit() {
    let site = hasty().await;
    // `few` permits it, and `never-system` compares a number with a pattern.
    let arguments = json!({"count": 1, "file": {"path": 5}});
    let answer = site.call("s_delete_file", arguments).await;
    assert_denied(&answer, "Not with these arguments");
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn arguments_that_policies_do_not_look_at_are_denied() {
    let site = hasty().await;
    let deep = (0..70).fold(json!(1), |inner, _| json!({ "a": inner }));
    let answer = site
        .call("s_delete_file", json!({"count": 1, "deep": deep}))
        .await;
    assert_denied(
        &answer,
        "its arguments are nested deeper than 64 levels, and policies do not look deeper",
    );
    let large = json!({"count": 1, "ids": vec![0; 10_000]});
    assert_denied(
        &site.call("s_delete_file", large).await,
        "its arguments hold more than 10000 values, and policies look at no more",
    );
    assert_eq!(site.folder.calls("delete_file"), 0);
}

#[tokio::test]
async fn what_policies_deny_whatever_it_is_given_is_in_no_list_completion_or_lookup() {
    let site = hasty().await;
    let names = site.names("tools").await;
    for shown in ["s_delete_file", "s_get_weather", "s_wipe_disk", "s_forge"] {
        assert!(names.contains(&shown.to_owned()), "{shown}: {names:?}");
    }
    assert!(!names.contains(&"s_admin_console".to_owned()), "{names:?}");
    assert_eq!(site.names("prompts").await, ["s_greet"]);
    assert_eq!(site.names("resources").await, ["note://a"]);
    assert_eq!(
        site.names("resources/templates").await,
        ["note://{id}/text"]
    );
    let complete = |reference: Value| {
        let params = json!({"ref": reference, "argument": {"name": "a", "value": "I"}});
        site.rpc("completion/complete", params)
    };
    let open = [
        site.rpc("prompts/get", json!({"name": "s_greet"})).await,
        site.rpc("resources/read", json!({"uri": "note://a"})).await,
        complete(json!({"type": "ref/prompt", "name": "s_greet"})).await,
        complete(json!({"type": "ref/resource", "uri": "note://{id}/text"})).await,
    ];
    for answer in open {
        assert!(answer["result"].is_object(), "{answer}");
    }
    let swordfish = json!({"password": "swordfish"});
    let denied = [
        site.call("s_admin_console", swordfish).await,
        site.rpc("prompts/get", json!({"name": "s_secret_plan"}))
            .await,
        site.rpc("resources/read", json!({"uri": "secret://b"}))
            .await,
        complete(json!({"type": "ref/prompt", "name": "s_secret_plan"})).await,
        complete(json!({"type": "ref/resource", "uri": "secret://{id}"})).await,
    ];
    for answer in denied {
        assert_denied(&answer, "the policies of this gate do not permit it");
        for word in WORDS {
            assert!(!answer.to_string().contains(word), "{word}: {answer}");
        }
    }
    let notes = site.folder.notes();
    assert!(
        !notes.contains("secret_plan") && !notes.contains("secret://"),
        "{notes}"
    );
}

#[tokio::test]
async fn a_policy_about_the_hour_holds_for_lists_and_calls_from_that_moment() {
    let site = hasty().await;
    let weather = || site.call("s_get_weather", json!({}));
    assert!(weather().await["result"].is_object());
    // It is 15:46:40.
    site.world.clock.advance(Duration::from_secs(799));
    assert!(weather().await["result"].is_object());
    site.world.clock.advance(Duration::from_secs(1));
    assert_denied(&weather().await, "Closed from four o'clock");
    let names = site.names("tools").await;
    assert!(!names.contains(&"s_get_weather".to_owned()), "{names:?}");
}

#[tokio::test]
async fn a_person_is_asked_where_the_rule_or_the_policy_that_permits_says_so() {
    let site = hasty().await;
    let person = Person::at(&site.world.url(""));
    for (tool, arguments) in [
        ("s_delete_file", json!({"count": 11})),
        ("s_wipe_disk", json!({})),
    ] {
        let call = || site.call(tool, arguments.clone());
        let answer = call().await;
        assert_eq!(answer["error"]["data"]["state"], "pending", "{answer}");
        let mut card = person.card().await;
        card.approve().await;
        card.says("approved").await;
        let mut answer = call().await;
        while answer["error"]["data"]["state"] == "pending" {
            answer = call().await;
        }
        assert!(answer["result"].is_object(), "{answer}");
    }
    assert_eq!(site.folder.calls("delete_file"), 1);
    assert_eq!(site.folder.calls("wipe_disk"), 1);
}

#[tokio::test]
async fn what_a_person_has_approved_is_not_done_once_the_policies_deny_it() {
    let site = Site::start_in(folder(), GATE, |_| {}).await;
    let person = Person::at(&site.world.url(""));
    let held = site.call("s_wipe_disk", json!({}));
    let decided = async {
        let mut card = person.card().await;
        // A quarter past four.
        site.world.clock.advance(Duration::from_secs(1_700));
        card.approve().await;
        card
    };
    let (answer, card) = tokio::join!(held, decided);
    assert_denied(
        &answer,
        "the rules or the tool have changed since a person was asked; call it again",
    );
    card.says("withdrawn").await;
    assert_eq!(site.folder.calls("wipe_disk"), 0);
}

#[tokio::test]
async fn what_a_person_has_approved_is_another_question_under_other_policies() {
    let site = hasty().await;
    let person = Person::at(&site.world.url(""));
    let call = || site.call("s_wipe_disk", json!({}));
    let first = call().await;
    let mut card = person.card().await;
    card.approve().await;
    card.says("approved").await;
    let more = "forbid(principal, action, resource) when { context.policy_id == \"reading\" };";
    site.folder
        .put("others.cedar", &format!("{OTHERS}\n{more}"));
    let weather = "s_get_weather".to_owned();
    let changed = async { while site.names("tools").await.contains(&weather) {} };
    timeout(PATIENCE, changed).await.expect("a change in time");
    let second = call().await;
    assert_eq!(second["error"]["data"]["state"], "pending", "{second}");
    let handle = |answer: &Value| answer["error"]["data"]["task_id"].clone();
    assert_ne!(handle(&first), handle(&second));
    assert_eq!(site.folder.calls("wipe_disk"), 0);
}

#[tokio::test]
async fn callers_see_and_use_what_policies_permit_to_each() {
    let keys = tempfile::tempdir().expect("a folder");
    let file = keys.path().join("keys.toml");
    let key = |app: &str, trust, scopes: &[&str]| {
        let scopes: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        proscenium::keys::create_scoped(&file, app, trust, &scopes).expect("a key")
    };
    let trusted = key("shop", 2, &[]);
    let scoped = key("shop", 1, &["gate_read", "gate_call", "ggui_update"]);
    let plain = key("shop", 1, &[]);
    let other = key("another", 2, &[]);
    let folder = Folder::new();
    folder.put(
        "all.cedar",
        r#"
        permit(principal == ThoughtGate::App::"shop", action, resource)
        when { principal.trust >= 2 && principal.namespace == "shop" };
        permit(principal in ThoughtGate::Role::"ggui_update", action, resource)
        when { resource.name == "get_weather" && principal.service_account != "" };
        "#,
    );
    let gate = "schema: 1\nsources:\n  - { id: script, kind: mcp, SCRIPT }\ngovernance:\n  \
        rules: [{ match: \"*\", action: policy, policy_id: all }]\ncedar: { policies: [all.cedar] }\n";
    let site = Site::start_in(folder, gate, |config| config.server.keys_file = file).await;
    let ask = async |key: &str, method: &str, params: Value| -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
        let request = site.post().bearer_auth(key).body(body.to_string());
        let answer = request.send().await.expect("an answer");
        answer.json().await.expect("JSON")
    };
    for (key, sees, may) in [
        (&trusted, 10, true),
        (&scoped, 1, true),
        (&plain, 0, false),
        (&other, 0, false),
    ] {
        let listed = ask(key, "tools/list", json!({})).await;
        let tools = listed["result"]["tools"].as_array().map(Vec::len);
        assert_eq!(tools, Some(sees), "{listed}");
        let params = json!({"name": "get_weather", "arguments": {}});
        let called = ask(key, "tools/call", params).await;
        assert_eq!(called["result"].is_object(), may, "{called}");
    }
}
