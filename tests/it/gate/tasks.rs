//! A client of the newer era that knows tasks goes on with something else while a person decides.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::people::Person;
use super::site::{Folder, Site};
use crate::world::PATIENCE;

pub(super) const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT }
governance:
  rules:
    - { match: "ask_*", action: approve }
    - { match: "delete_*", action: approve }
approval:
  people: {}
"#;

async fn start() -> Site {
    let folder = Folder::new();
    folder.list_tools(&["ask_name", "delete_file", "get_weather"]);
    Site::start_in(folder, GATE, |_| {}).await
}

pub(super) fn declares() -> Value {
    json!({"elicitation": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}})
}

/// What a client that declares this is answered.
pub(super) async fn ask(site: &Site, method: &str, declares: Value, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": declares,
    });
    let name = ["name", "taskId"]
        .iter()
        .find_map(|name| params[name].as_str());
    let name = name.unwrap_or_default().to_owned();
    let body = json!({"jsonrpc": "2.0", "id": 9, "method": method, "params": params});
    let request = site.post().header("mcp-protocol-version", "2026-07-28");
    let request = request
        .header("mcp-method", method)
        .header("mcp-name", name);
    let answer = request
        .body(body.to_string())
        .send()
        .await
        .expect("an answer");
    answer.json().await.expect("JSON")
}

pub(super) async fn call(site: &Site, tool: &str) -> Value {
    let params = json!({"name": tool, "arguments": {}});
    ask(site, "tools/call", declares(), params).await["result"].take()
}

/// A task that was begun.
pub(super) async fn begun(site: &Site, tool: &str) -> String {
    let task = call(site, tool).await;
    assert_eq!(task["resultType"], "task", "{task}");
    assert_eq!(task["status"], "working", "{task}");
    let id = task["taskId"].as_str().expect("an id");
    assert!(id.starts_with("tg_"), "{id}");
    id.to_owned()
}

pub(super) async fn get(site: &Site, id: &str) -> Value {
    let answer = ask(site, "tasks/get", declares(), json!({"taskId": id})).await;
    assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    answer["result"].clone()
}

/// The task once it stands so.
pub(super) async fn until(site: &Site, id: &str, status: &str) -> Value {
    let stands = async {
        loop {
            let task = get(site, id).await;
            if task["status"] == status {
                return task;
            }
        }
    };
    timeout(PATIENCE, stands).await.expect("the task in time")
}

#[tokio::test]
async fn a_call_that_waits_for_a_person_is_a_task_and_its_result_is_in_it() {
    let site = start().await;
    let person = Person::at(&site.world.url(""));
    // What nobody has to agree to is answered at once.
    let answered = call(&site, "get_weather").await;
    assert_eq!(answered["resultType"], "complete", "{answered}");
    let id = begun(&site, "delete_file").await;
    assert!(get(&site, &id).await.get("result").is_none());
    assert_eq!(site.folder.calls("delete_file"), 0);
    let mut card = person.card().await;
    card.approve().await;
    let task = until(&site, &id, "completed").await;
    assert_eq!(task["result"]["content"][0]["text"], "Done", "{task}");
    assert_eq!(site.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn a_task_whose_person_refuses_fails_with_the_error_of_the_call() {
    let site = start().await;
    let person = Person::at(&site.world.url(""));
    let id = begun(&site, "delete_file").await;
    let mut card = person.card().await;
    card.reject("not now").await;
    let task = until(&site, &id, "failed").await;
    assert_eq!(task["error"]["code"], -32007, "{task}");
    assert_eq!(task["error"]["data"]["reason"], "not now");
    assert!(task.get("result").is_none());
}

#[tokio::test]
async fn what_a_source_asks_during_a_task_is_answered_by_an_update() {
    let site = start().await;
    let person = Person::at(&site.world.url(""));
    let id = begun(&site, "ask_name").await;
    let mut card = person.card().await;
    card.approve().await;
    let task = until(&site, &id, "input_required").await;
    let asked = &task["inputRequests"]["elicitation"];
    assert_eq!(asked["params"]["message"], "Who?", "{task}");
    let accepted = json!({"action": "accept", "content": {"name": "Ida"}});
    let update = json!({"taskId": id, "inputResponses": {"elicitation": accepted}});
    let updated = ask(&site, "tasks/update", declares(), update).await;
    assert_eq!(updated["result"]["resultType"], "complete", "{updated}");
    let task = until(&site, &id, "completed").await;
    assert_eq!(task["result"]["structuredContent"]["result"], accepted);
}

#[tokio::test]
async fn a_task_that_is_cancelled_stays_so_and_one_that_is_not_there_is_refused() {
    let site = start().await;
    let id = begun(&site, "delete_file").await;
    for _ in 0..2 {
        let answer = ask(&site, "tasks/cancel", declares(), json!({"taskId": id})).await;
        assert_eq!(answer["result"]["resultType"], "complete", "{answer}");
    }
    assert_eq!(get(&site, &id).await["status"], "cancelled");
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        let unknown = json!({"taskId": "tg_000000000000000000000"});
        let answer = ask(&site, method, declares(), unknown.clone()).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
        // Who does not know tasks has none.
        let answer = ask(&site, method, json!({}), unknown).await;
        assert_eq!(answer["error"]["code"], -32021, "{answer}");
    }
    for method in ["tasks/list", "tasks/result"] {
        let answer = ask(&site, method, declares(), json!({"taskId": id})).await;
        assert_eq!(answer["error"]["code"], -32601, "{answer}");
    }
}

#[tokio::test]
async fn a_task_of_another_credential_is_like_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |app| proscenium::keys::create(&file, app, 2).expect("a key");
    let (ours, shared, foreign) = (key("shop"), key("shop"), key("bank"));
    let files = Folder::new();
    files.list_tools(&["delete_file"]);
    let mut site = Site::start_in(files, GATE, |config| config.server.keys_file = file).await;
    site.world.bearer = Some(ours);
    let id = begun(&site, "delete_file").await;
    for other in [shared, foreign] {
        site.world.bearer = Some(other);
        let unknown = json!({"taskId": "tg_000000000000000000000"});
        let missing = ask(&site, "tasks/get", declares(), unknown).await;
        assert_eq!(missing["error"]["code"], -32602, "{missing}");
        let theirs = ask(&site, "tasks/get", declares(), json!({"taskId": id})).await;
        assert_eq!(theirs, missing);
    }
}
