//! How far a call has come, as its source says it, for whoever made the call.

use serde_json::{Value, json};

use super::event_stream::EventStream;
use super::people::Person;
use super::site::{Folder, Site};

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
    let mut events = EventStream::of(&site, "climb", json!({"progressToken": "p1"})).await;
    assert_step(&events.next().await, 1);
    std::fs::write(site.folder.path("notes.go"), "").expect("a file");
    // Progress grows: what a server says twice is told once.
    assert_step(&events.next().await, 2);
    std::fs::write(site.folder.path("notes.end"), "").expect("a file");
    let answer = events.next().await;
    assert_eq!(answer["id"], 7, "{answer}");
    assert_eq!(answer["result"]["content"][0]["text"], "There");
    // Who does not ask has the answer alone.
    let answer = site.call("climb", json!({})).await;
    assert!(answer["result"].is_object(), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_source_says_just_before_it_answers_is_told_in_its_order_before_the_answer() {
    let folder = Folder::new();
    folder.list_tools(&["narrate"]);
    let site = Site::start_in(folder, GATE, |_| {}).await;
    for _ in 0..20 {
        let mut events = EventStream::of(&site, "narrate", json!({})).await;
        for line in 1..=20 {
            let message = events.next().await;
            assert_eq!(message["method"], "notifications/message", "{message}");
            assert_eq!(message["params"]["data"], line, "{message}");
        }
        let answer = events.next().await;
        assert_eq!(answer["result"]["content"][0]["text"], "Told", "{answer}");
    }
}

#[tokio::test]
async fn a_call_that_a_person_approves_goes_on_telling_how_far_it_has_come() {
    let folder = Folder::new();
    folder.list_tools(&["climb"]);
    let gate = GATE.replace("ask_*", "climb");
    let site = Site::start_in(folder, &gate, |_| {}).await;
    let person = Person::at(&site.world.url(""));
    let mut events = EventStream::of(&site, "climb", json!({"progressToken": "p1"})).await;
    let waits = events.next().await;
    assert_eq!(waits["params"]["message"], "Waiting for a person to agree");
    assert_eq!(waits["params"]["progress"], 0);
    person.card().await.approve().await;
    assert_step(&events.next().await, 1);
}

#[tokio::test]
async fn a_client_that_waits_for_a_person_hears_so_again_and_again() {
    let folder = Folder::new();
    folder.list_tools(&["climb"]);
    let gate = GATE.replace("ask_*", "climb");
    let often = |config: &mut proscenium::config::Config| config.limits.gate.approval_told_s = 1;
    let site = Site::start_in(folder, &gate, often).await;
    let person = Person::at(&site.world.url(""));
    let mut events = EventStream::of(&site, "climb", json!({"progressToken": "p1"})).await;
    let mut before = -1.0;
    for _ in 0..3 {
        let waits = events.next().await;
        assert_eq!(waits["params"]["message"], "Waiting for a person to agree");
        let now = waits["params"]["progress"].as_f64().expect("a number");
        assert!(now > before, "{waits}");
        before = now;
    }
    person.card().await.approve().await;
    let mut step = events.next().await;
    while step["params"]["message"] == "Waiting for a person to agree" {
        step = events.next().await;
    }
    assert_step(&step, 1);
}

#[tokio::test]
async fn a_source_is_told_of_which_trace_a_call_is_a_part() {
    let site = Site::start(GATE).await;
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let parent = format!("00-{trace}-b7ad6b7169203331-01");
    let params = json!({"name": "get_weather", "arguments": {}});
    let body = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params});
    let request = site.post().header("traceparent", parent);
    let answer = request.body(body.to_string()).send().await;
    assert_eq!(answer.expect("an answer").status(), 200);
    let notes = site.folder.notes();
    let call = notes.lines().find(|line| line.contains("tools/call"));
    let call: Value = serde_json::from_str(call.expect("a call")).expect("JSON");
    let traceparent = call["params"]["_meta"]["traceparent"].as_str();
    assert!(
        traceparent
            .expect("a trace")
            .starts_with(&format!("00-{trace}-")),
        "{call}"
    );
}
