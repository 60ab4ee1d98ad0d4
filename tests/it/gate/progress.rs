//! How far a call has come, as its source says it, for whoever made the call.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::people::Person;
use super::site::{Folder, Site};
use crate::world::PATIENCE;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT }
governance:
  rules:
    - { match: "ask_*", action: approve }
approval:
  people: {}
"#;

/// The messages that answer a call whose client asks for progress, as they come.
struct Told {
    response: reqwest::Response,
    text: String,
}

impl Told {
    async fn of(site: &Site, tool: &str) -> Self {
        let meta = json!({"progressToken": "p1"});
        let params = json!({"name": tool, "arguments": {}, "_meta": meta});
        let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
        let response = site.post().body(body.to_string()).send().await;
        let response = response.expect("an answer");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            response,
            text: String::new(),
        }
    }

    async fn next(&mut self) -> Value {
        loop {
            if let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let data = data.map(|data| serde_json::from_str(data).expect("JSON"));
                self.text = rest.to_owned();
                if let Some(message) = data {
                    return message;
                }
                continue;
            }
            let chunk = timeout(PATIENCE, self.response.chunk()).await;
            let chunk = chunk.expect("in time").expect("a stream").expect("more");
            self.text.push_str(&String::from_utf8_lossy(&chunk));
        }
    }
}

fn assert_step(message: &Value, step: u64) {
    assert_eq!(message["method"], "notifications/progress", "{message}");
    let params = &message["params"];
    assert_eq!(params["progressToken"], "p1", "{message}");
    assert_eq!(params["progress"].as_f64(), Some(step as f64), "{message}");
    assert_eq!(params["total"].as_f64(), Some(3.0));
    assert_eq!(params["message"], format!("Step {step}"));
}

#[tokio::test]
async fn a_client_that_asks_is_told_how_far_its_call_has_come_before_it_is_answered() {
    let folder = Folder::new();
    folder.list_tools(&["climb"]);
    let site = Site::start_in(folder, GATE, |_| {}).await;
    let mut told = Told::of(&site, "climb").await;
    assert_step(&told.next().await, 1);
    std::fs::write(site.folder.path("notes.go"), "").expect("a file");
    // Progress grows: what a server says twice is told once.
    assert_step(&told.next().await, 2);
    std::fs::write(site.folder.path("notes.end"), "").expect("a file");
    let answer = told.next().await;
    assert_eq!(answer["id"], 7, "{answer}");
    assert_eq!(answer["result"]["content"][0]["text"], "There");
    // Who does not ask has the answer alone.
    let answer = site.call("climb", json!({})).await;
    assert!(answer["result"].is_object(), "{answer}");
}

#[tokio::test]
async fn a_call_that_a_person_approves_goes_on_telling_how_far_it_has_come() {
    let folder = Folder::new();
    folder.list_tools(&["climb"]);
    let gate = GATE.replace("ask_*", "climb");
    let site = Site::start_in(folder, &gate, |_| {}).await;
    let person = Person::at(&site.world.url(""));
    let mut told = Told::of(&site, "climb").await;
    let waits = told.next().await;
    assert_eq!(waits["params"]["message"], "Waiting for a person to agree");
    assert_eq!(waits["params"]["progress"], 0);
    person.card().await.approve().await;
    assert_step(&told.next().await, 1);
}
