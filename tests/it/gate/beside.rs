//! The tools behind the gate beside our own, on `/mcp` and on standard input.

use proscenium::config::McpTools;
use proscenium::keys;
use serde_json::{Value, json};

use super::event_stream::EventStream;
use super::people::Person;
use super::site::{Folder, Site};
use crate::stdio::Peer;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT, prefix: files_, expose: { mode: blocklist, tools: ["debug_*"] } }
governance:
  rules:
    - { match: "admin_*", action: deny, description: "Administrative tools are not permitted" }
    - { match: "delete_*", action: approve }
approval:
  people: {}
"#;

fn names(list: &Value) -> Vec<&str> {
    let tools = list["result"]["tools"].as_array();
    let tools = tools.unwrap_or_else(|| panic!("{list}")).iter();
    tools
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect()
}

#[tokio::test]
async fn tools_behind_the_gate_are_listed_after_our_own_and_called_by_their_names() {
    let site = Site::start(GATE).await;
    let theirs = site.names("tools").await;
    let legacy = site.world.rpc("tools/list", json!({})).await.body;
    let modern = site.world.modern("tools/list", json!({})).await.body;
    for list in [&legacy, &modern] {
        let names = names(list);
        assert!(names.contains(&"ggui_handshake"), "{names:?}");
        assert!(names.ends_with(&theirs.iter().map(String::as_str).collect::<Vec<_>>()));
        assert!(!list.to_string().contains("admin_console"), "{list}");
        assert!(!list.to_string().contains("debug_dump"), "{list}");
    }
    // What is listed may change at any moment.
    assert_eq!(modern["result"]["ttlMs"], 0);
    let call = json!({"name": "files_get_weather", "arguments": {"city": "Bern"}});
    let direct = site.rpc("tools/call", call.clone()).await;
    let called = site.world.rpc("tools/call", call.clone()).await.body;
    assert_eq!(called["result"], direct["result"]);
    let called = site.world.modern("tools/call", call).await.body;
    assert_eq!(
        called["result"]["structuredContent"]["sky"], "clear",
        "{called}"
    );
    assert_eq!(site.folder.calls("get_weather"), 3);
}

#[tokio::test]
async fn errors_are_those_of_the_gate_for_its_tools_and_ours_for_names_that_nobody_has() {
    let site = Site::start(GATE).await;
    for name in [
        "files_admin_console",
        "files_debug_dump",
        "files_forge",
        "files_unfit",
    ] {
        let call = json!({"name": name, "arguments": {}});
        let mut there = site.rpc("tools/call", call.clone()).await;
        let mut here = site.world.rpc("tools/call", call).await.body;
        // Each request has an id of its own.
        for answer in [&mut there, &mut here] {
            answer["error"]["data"]["request_id"].take();
        }
        assert_eq!(here["error"], there["error"], "{name}");
        assert_eq!(here["error"]["data"]["tool_name"], name, "{here}");
        assert_eq!(here["error"]["data"]["surface"], "gate");
    }
    let call = json!({"name": "files_nothing", "arguments": {}});
    let unknown = site.world.rpc("tools/call", call).await.body;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    let message = unknown["error"]["message"].as_str().expect("a message");
    assert!(
        message.starts_with("Unknown tool: files_nothing. Known tools: ggui_"),
        "{message}"
    );
    assert!(!message.contains("admin_console"), "{message}");
}

#[tokio::test]
async fn a_call_beside_our_own_waits_for_a_person_and_is_asked_what_its_source_asks() {
    let folder = Folder::new();
    folder.list_tools(&["delete_file", "ask_name"]);
    let site = Site::start_in(folder, GATE, |_| {}).await;
    let person = Person::at(&site.world.url(""));
    let call = |name: &str, meta: Value| {
        let params = json!({"name": name, "arguments": {}, "_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
        site.world.post("/mcp").body(body.to_string())
    };
    let mut events =
        EventStream::to(call("files_delete_file", json!({"progressToken": "p"}))).await;
    let waits = events.next().await;
    assert_eq!(
        waits["params"]["message"], "Waiting for a person to agree",
        "{waits}"
    );
    person.card().await.approve().await;
    let done = events.next().await;
    assert_eq!(done["result"]["content"][0]["text"], "Done", "{done}");
    let mut events = EventStream::to(call("files_ask_name", json!({}))).await;
    assert_eq!(events.next().await["method"], "notifications/message");
    let asked = events.next().await;
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let reply = json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}});
    let sent = site.world.post("/mcp").body(reply.to_string()).send().await;
    assert_eq!(sent.expect("an answer").status(), 202);
    let heard = events.next().await;
    assert_eq!(heard["result"]["content"][0]["text"], "Heard", "{heard}");
}

#[tokio::test]
async fn the_gate_s_tools_are_left_out_where_the_settings_say_so() {
    let own = |config: &mut proscenium::config::Config| config.server.mcp_tools = McpTools::Ggui;
    let site = Site::start_with(GATE, own).await;
    let list = site.world.rpc("tools/list", json!({})).await.body;
    assert!(!list.to_string().contains("files_"), "{list}");
    let call = json!({"name": "files_get_weather", "arguments": {}});
    let answer = site.world.rpc("tools/call", call).await.body;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    assert_eq!(site.folder.calls("get_weather"), 0);
    // At its own address they are there, under its other name, too.
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    let there = site.world.post("/mcp/v1").body(body.to_string());
    let there: Value = there
        .send()
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON");
    assert!(names(&there).contains(&"files_get_weather"), "{there}");
}

#[tokio::test]
async fn a_credential_that_may_not_use_the_gate_has_our_tools_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let scopes = ["ggui_handshake".to_owned()];
    let secret = keys::create_scoped(&file, "app", 1, &scopes).expect("a key");
    let site = Site::start_with(GATE, |config| config.server.keys_file.clone_from(&file)).await;
    let ask = async |method: &str, params: Value| -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = site.world.post("/mcp").bearer_auth(&secret);
        let answer = request.body(body.to_string()).send().await;
        answer.expect("an answer").json().await.expect("JSON")
    };
    let list = ask("tools/list", json!({})).await;
    assert!(names(&list).contains(&"ggui_handshake"));
    assert!(!list.to_string().contains("files_"), "{list}");
    let answer = ask("tools/call", json!({"name": "files_get_weather"})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    assert_eq!(site.folder.calls("get_weather"), 0);
}

#[tokio::test]
async fn a_client_on_standard_input_has_the_tools_behind_the_gate() {
    let folder = Folder::new();
    let file = folder.write(GATE);
    let file = file.to_str().expect("a path");
    let mut peer = Peer::start(
        &["--listen", "127.0.0.1:0"],
        &[("PROSCENIUM_SERVER_GATE_FILE", file)],
    )
    .await;
    let params = json!({"name": "files_get_weather", "arguments": {}});
    let called = peer.ask(1, "tools/call", params).await;
    assert_eq!(
        called["result"]["structuredContent"]["sky"], "clear",
        "{called}"
    );
    let list = peer.ask(2, "tools/list", json!({})).await;
    assert!(names(&list).contains(&"files_get_weather"), "{list}");
    let params = json!({"name": "files_admin_console", "arguments": {}});
    let denied = peer.ask(3, "tools/call", params).await;
    assert_eq!(denied["error"]["code"], -32003, "{denied}");
    peer.end().await;
}
