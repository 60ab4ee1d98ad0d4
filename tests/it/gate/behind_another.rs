//! A gate behind another one, which is spoken to in the newer era: tasks, changes of its lists and of
//! what somebody follows go through both.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::listened::{denying, listen};
use super::people::Person;
use super::site::{Folder, Site};
use super::tasks::{GATE, ask, begun, call, declares, get, until};
use crate::world::{PATIENCE, World};

/// A gate, and the one in front of it, which believes a list until it hears that there is another.
async fn start(gate: &str) -> (Site, Site) {
    let folder = Folder::new();
    folder.list_tools(&["ask_name", "delete_file", "get_weather"]);
    let inner = Site::start_in(folder, gate, |_| {}).await;
    let url = inner.world.url("/mcp/gate");
    let gate = format!("schema: 1\nsources:\n  - {{ id: inner, kind: mcp, url: \"{url}\" }}\n");
    let folder = Folder::new();
    let file = folder.write(&gate);
    let world = World::start_with(|config| {
        config.server.gate_file = file;
        config.limits.gate.list_ttl_s = 3_600;
        config.limits.gate.list_wait_ms = 60_000;
    });
    let world = world.await;
    (inner, Site { folder, world })
}

/// The task once this holds of it.
async fn once(site: &Site, id: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let stands = async {
        loop {
            let task = get(site, id).await;
            if holds(&task) {
                return task;
            }
        }
    };
    timeout(PATIENCE, stands).await.expect("the task in time")
}

#[tokio::test]
async fn a_task_of_a_server_is_a_task_of_the_gate_and_says_what_it_waits_for() {
    let (inner, outer) = start(GATE).await;
    let person = Person::at(&inner.world.url(""));
    let id = begun(&outer, "delete_file").await;
    let mut card = person.card().await;
    let waits = once(&outer, &id, |task| task["statusMessage"].is_string()).await;
    assert_eq!(waits["statusMessage"], "Waiting for a person to agree");
    card.approve().await;
    let task = until(&outer, &id, "completed").await;
    assert_eq!(
        task["result"],
        json!({"content": [{"type": "text", "text": "Done"}], "resultType": "complete",
            "_meta": task["result"]["_meta"]})
    );
    assert_eq!(inner.folder.calls("delete_file"), 1);
    let id = begun(&outer, "delete_file").await;
    person.card().await.reject("not now").await;
    let task = until(&outer, &id, "failed").await;
    // Its number is its own: this gate has refused nothing.
    assert_eq!(task["error"]["code"], -32002, "{task}");
    assert_eq!(task["error"]["data"]["upstream"]["code"], -32007);
    assert_eq!(inner.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn what_a_task_of_a_server_asks_is_answered_through_the_gate() {
    let (inner, outer) = start(GATE).await;
    let person = Person::at(&inner.world.url(""));
    let id = begun(&outer, "ask_name").await;
    person.card().await.approve().await;
    let task = until(&outer, &id, "input_required").await;
    let asked = &task["inputRequests"]["elicitation"];
    assert_eq!(asked["params"]["message"], "Who?", "{task}");
    let accepted = json!({"action": "accept", "content": {"name": "Ida"}});
    let update = json!({"taskId": id, "inputResponses": {"elicitation": accepted}});
    ask(&outer, "tasks/update", declares(), update).await;
    let task = until(&outer, &id, "completed").await;
    assert_eq!(task["result"]["structuredContent"]["result"], accepted);
}

#[tokio::test]
async fn a_client_that_knows_no_tasks_waits_for_the_result() {
    let (inner, outer) = start(GATE).await;
    let person = Person::at(&inner.world.url(""));
    let params = json!({"name": "delete_file", "arguments": {}});
    let (answer, ()) = tokio::join!(ask(&outer, "tools/call", json!({}), params), async {
        person.card().await.approve().await;
    });
    assert_eq!(answer["result"]["content"][0]["text"], "Done", "{answer}");
    let answered = call(&outer, "get_weather").await;
    assert_eq!(answered["resultType"], "complete", "{answered}");
}

#[tokio::test]
async fn changes_of_lists_and_resources_are_heard_through_the_gate() {
    let plain = "schema: 1\nsources:\n  - { id: script, kind: mcp, SCRIPT }\n";
    let (inner, outer) = start(plain).await;
    assert_eq!(outer.names("tools").await.len(), 4);
    let wanted = json!({"toolsListChanged": true, "resourceSubscriptions": ["note://a"]});
    let mut events = listen(&outer, wanted.clone()).await;
    let acknowledged = events.next().await;
    assert_eq!(acknowledged["params"]["notifications"], wanted);
    inner.folder.put("notes.updated.1", "");
    let updated = events.next().await;
    assert_eq!(updated["method"], "notifications/resources/updated");
    assert_eq!(updated["params"]["uri"], "note://a");
    inner.folder.write(&denying("delete_*"));
    let changed = events.next().await;
    assert_eq!(changed["method"], "notifications/tools/list_changed");
    assert_eq!(outer.names("tools").await.len(), 3);
}
