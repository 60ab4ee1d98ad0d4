//! What the gate lists, forwards and denies.

use proscenium::keys;
use serde_json::{Value, json};

use super::site::Site;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT, prefix: files_, expose: { mode: blocklist, tools: ["debug_*", "secret:*"] } }
governance:
  rules:
    - { match: "admin_*", action: deny, description: "Administrative tools are not permitted" }
    - { match: "files_wipe_*", action: deny, source: script }
    - { match: "delete_*", action: deny, source: [script] }
    - { match: "secret_*", action: deny }
"#;

/// Names of the program that the gate does not show.
const DENIED: [&str; 6] = [
    "debug_dump",
    "admin_console",
    "wipe_disk",
    "delete_file",
    "secret_plan",
    "secret://",
];

#[tokio::test]
async fn lists_have_every_page_of_a_server_under_its_prefix_and_nothing_that_is_denied() {
    let site = Site::start(GATE).await;
    assert_eq!(
        site.names("tools").await,
        [
            "files_get_weather",
            "files_forge",
            "files_unfit",
            "files_hang",
            "files_die",
            "files_on_page_two"
        ]
    );
    assert_eq!(site.names("prompts").await, ["files_greet"]);
    assert_eq!(site.names("resources").await, ["note://a"]);
    assert_eq!(
        site.names("resources/templates").await,
        ["note://{id}/text"]
    );
    let tools = site.rpc("tools/list", json!({})).await;
    assert_eq!(
        tools["result"]["tools"][0],
        json!({
            "name": "files_get_weather",
            "title": "A tool",
            "description": "Does get_weather",
            "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}},
            "annotations": {"readOnlyHint": true},
        })
    );
}

#[tokio::test]
async fn what_is_denied_is_named_in_no_answer() {
    let site = Site::start(GATE).await;
    let mut answers = Vec::new();
    for method in [
        "initialize",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ] {
        answers.push(site.rpc(method, json!({})).await);
    }
    for name in ["files_nothing", "nothing", "files_", ""] {
        answers.push(site.call(name, json!({})).await);
        answers.push(site.rpc("prompts/get", json!({"name": name})).await);
        answers.push(site.rpc("resources/read", json!({"uri": name})).await);
        let reference = json!({"type": "ref/prompt", "name": name});
        let params = json!({"ref": reference, "argument": {"name": "a", "value": ""}});
        answers.push(site.rpc("completion/complete", params).await);
    }
    for answer in answers {
        for denied in DENIED {
            assert!(!answer.to_string().contains(denied), "{denied}: {answer}");
        }
    }
}

#[tokio::test]
async fn a_call_that_may_pass_reaches_the_server_under_its_own_name_and_its_result_comes_back() {
    let site = Site::start(GATE).await;
    let answer = site
        .call(
            "files_get_weather",
            json!({"city": "Bern", "n": [1, 2.5, null]}),
        )
        .await;
    assert_eq!(
        answer,
        json!({"jsonrpc": "2.0", "id": 7, "result": {
            "content": [{"type": "text", "text": "Sunny"}],
            "structuredContent": {"sky": "clear"},
            "isError": false,
        }})
    );
    let notes = site.folder.notes();
    let call = notes.lines().find(|line| line.contains("tools/call"));
    let call: Value = serde_json::from_str(call.expect("a call")).expect("JSON");
    assert_eq!(call["params"]["name"], "get_weather");
    assert_eq!(
        call["params"]["arguments"],
        json!({"city": "Bern", "n": [1, 2.5, null]})
    );
    let prompt = site
        .rpc("prompts/get", json!({"name": "files_greet"}))
        .await;
    assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "Hello");
    for uri in ["note://a", "note://5/text"] {
        let read = site.rpc("resources/read", json!({"uri": uri})).await;
        assert_eq!(read["result"]["contents"][0]["text"], "A note", "{read}");
    }
    for reference in [
        json!({"type": "ref/prompt", "name": "files_greet"}),
        json!({"type": "ref/resource", "uri": "note://{id}/text"}),
    ] {
        let params = json!({"ref": reference, "argument": {"name": "a", "value": "I"}});
        let completed = site.rpc("completion/complete", params).await;
        assert_eq!(completed["result"]["completion"]["values"], json!(["Ida"]));
    }
}

#[tokio::test]
async fn a_denied_call_is_answered_as_documented_and_reaches_no_server() {
    let site = Site::start(GATE).await;
    let answer = site.call("files_admin_console", json!({})).await;
    assert_eq!(answer["id"], 7);
    assert_eq!(answer["error"]["code"], -32003);
    assert_eq!(answer["error"]["message"], "Policy denied");
    let data = &answer["error"]["data"];
    assert_eq!(data["tool_name"], "files_admin_console");
    assert_eq!(data["reason"], "Administrative tools are not permitted");
    assert_eq!(data["retry"]["allowed"], false);
    for (name, reason) in [
        ("files_debug_dump", "not available"),
        ("files_wipe_disk", "a rule of this gate denies it"),
        ("files_delete_file", "a rule of this gate denies it"),
        // Whether it exists is not told.
        (
            "files_admin_nothing",
            "Administrative tools are not permitted",
        ),
        ("files_debug_nothing", "not available"),
    ] {
        let answer = site.call(name, json!({})).await;
        assert_eq!(answer["error"]["code"], -32003, "{answer}");
        assert_eq!(answer["error"]["data"]["tool_name"], name);
        assert_eq!(answer["error"]["data"]["reason"], reason, "{name}");
        assert!(!answer.to_string().contains('*'), "{answer}");
    }
    let prompt = site
        .rpc("prompts/get", json!({"name": "files_secret_plan"}))
        .await;
    assert_eq!(prompt["error"]["code"], -32003, "{prompt}");
    let read = site
        .rpc("resources/read", json!({"uri": "secret://b"}))
        .await;
    assert_eq!(read["error"]["data"]["tool_name"], "secret://b", "{read}");
    let reference = json!({"type": "ref/resource", "uri": "secret://{id}"});
    let params = json!({"ref": reference, "argument": {"name": "a", "value": ""}});
    let completed = site.rpc("completion/complete", params).await;
    assert_eq!(completed["error"]["code"], -32003, "{completed}");
    for reached in [
        "tools/call",
        "prompts/get",
        "resources/read",
        "completion/complete",
    ] {
        assert!(!site.folder.notes().contains(reached), "{reached}");
    }
}

#[tokio::test]
async fn with_denial_as_the_default_only_what_a_rule_forwards_can_be_used() {
    let gate = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT, expose: { mode: allowlist, tools: ["get_*", "delete_*", "forge"] } }
governance:
  defaults: { action: deny }
  rules:
    - { match: "get_weather", action: forward }
    - { match: "get_*", action: deny, description: "never" }
    - { match: "unfit", action: forward }
    - { match: "delete_*", action: forward, source: other }
  "#;
    let gate = gate.replace(
        "governance:",
        "  - { id: other, kind: mcp, command: [/bin/false], enabled: false }\ngovernance:",
    );
    let site = Site::start(&gate).await;
    assert_eq!(site.names("tools").await, ["get_weather"]);
    for (name, reason) in [
        ("get_nothing", "never"),
        ("forge", "a rule of this gate denies it"),
        ("unfit", "not available"),
        ("delete_file", "a rule of this gate denies it"),
    ] {
        let answer = site.call(name, json!({})).await;
        assert_eq!(answer["error"]["data"]["reason"], reason, "{answer}");
    }
}

#[tokio::test]
async fn a_credential_lists_and_calls_as_far_as_it_reaches() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |trust, scopes: &[&str]| {
        let scopes: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        keys::create_scoped(&file, "app", trust, &scopes).expect("a key")
    };
    let (reader, agent, scoped) = (key(0, &[]), key(1, &[]), key(1, &["gate_read"]));
    let site = Site::start_with(GATE, |config| config.server.keys_file.clone_from(&file)).await;
    let ask = async |secret: Option<&str>, method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = site.post().body(body.to_string());
        let request = match secret {
            Some(secret) => request.bearer_auth(secret),
            None => request,
        };
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        (status, answer.json::<Value>().await.expect("JSON"))
    };
    let weather = json!({"name": "files_get_weather"});
    for (secret, may_call) in [(&reader, false), (&agent, true), (&scoped, false)] {
        let (_, listed) = ask(Some(secret), "tools/list", json!({})).await;
        assert!(listed["result"]["tools"].is_array(), "{listed}");
        let (status, called) = ask(Some(secret), "tools/call", weather.clone()).await;
        assert_eq!(status, 200);
        if may_call {
            assert!(called["result"].is_object(), "{called}");
        } else {
            assert_eq!(called["error"]["code"], -32003, "{called}");
            assert_eq!(called["error"]["data"]["tool_name"], "files_get_weather");
        }
    }
    // A client that knows only the gate's numbers reads no time-out of a server here.
    let (status, refused) = ask(None, "tools/list", json!({})).await;
    assert_eq!(status, 401);
    assert_eq!(refused["error"]["code"], -32600, "{refused}");
}
