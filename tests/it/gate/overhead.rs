//! What the gate adds to a call, with a hundred policies and the audit: printed, for the profile that
//! the tests are built with. `cargo test --profile dist --test it overhead -- --nocapture` measures what
//! is shipped.

use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::approvals_kept::{audit, events};
use super::people::Person;
use super::site::Folder;
use crate::elsewhere::{listener, serve};
use crate::node::{Node, stored};
use crate::world::PATIENCE;

const POLICIES: usize = 100;
/// Calls of each sort that are measured, and those before them that fill caches.
const CALLS: usize = 400;
const WARMING: usize = 40;

/// A server with two tools, which counts their calls.
async fn counting(calls: Arc<AtomicUsize>) -> String {
    async fn answer(State(calls): State<Arc<AtomicUsize>>, Json(message): Json<Value>) -> Response {
        let result = match message["method"].as_str() {
            Some("initialize") => json!({"protocolVersion": "2025-06-18",
                "capabilities": {"tools": {}}, "serverInfo": {"name": "c", "version": "1"}}),
            Some("tools/list") => {
                let tools = ["permitted", "granted"];
                let tools =
                    tools.map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
                json!({ "tools": tools })
            }
            Some("tools/call") => {
                calls.fetch_add(1, Ordering::SeqCst);
                json!({"content": [{"type": "text", "text": "Done"}]})
            }
            _ => return http::StatusCode::ACCEPTED.into_response(),
        };
        Json(json!({"jsonrpc": "2.0", "id": message["id"], "result": result})).into_response()
    }
    let routes = Router::new().route("/mcp", post(answer)).with_state(calls);
    format!("http://{}/mcp", serve(listener().await, routes).await)
}

/// A gate whose policies permit both tools, one of them when a person agrees.
fn guarded(folder: &Folder, url: &str) -> String {
    let permit = |at: usize, more: &str| {
        format!(
            "{more} permit(principal, action == ThoughtGate::Action::\"tools/call\", resource) when {{ \
             context.policy_id == \"p{at}\" && resource.arguments has n && resource.arguments.n >= 0 }};\n"
        )
    };
    let mut policies: String = (1..POLICIES).map(|at| permit(at, "")).collect();
    policies.push_str(&permit(POLICIES, "@thoughtgate_approval(\"people\")"));
    folder.put("all.cedar", &policies);
    let file = folder.write(&format!(
        r#"
schema: 1
sources:
  - {{ id: counting, kind: mcp, url: "{url}" }}
governance:
  rules:
    - {{ match: "permitted", action: policy, policy_id: p50 }}
    - {{ match: "granted", action: policy, policy_id: p100 }}
cedar: {{ policies: [all.cedar] }}
approval:
  people: {{ allow: [session] }}
"#
    ));
    file.to_str().expect("a path").to_owned()
}

/// Calls a tool again and again; how long each call took, shortest first.
async fn timed(url: &str, tool: &str) -> Vec<Duration> {
    let http = reqwest::Client::new();
    let mut times = Vec::new();
    for n in 0..WARMING + CALLS {
        let params = json!({"name": tool, "arguments": {"n": n}});
        let body = json!({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params});
        let begun = Instant::now();
        let answer = http.post(url).json(&body).timeout(PATIENCE).send().await;
        let answer: Value = answer.expect("an answer").json().await.expect("JSON");
        times.push(begun.elapsed());
        assert!(answer["result"].is_object(), "{answer}");
    }
    let mut times = times.split_off(WARMING);
    times.sort();
    times
}

#[tokio::test(flavor = "multi_thread")]
async fn every_call_through_a_hundred_policies_is_made_once_and_those_that_were_granted_are_audited()
 {
    let calls = Arc::new(AtomicUsize::new(0));
    let direct = counting(Arc::clone(&calls)).await;
    let folder = Folder::new();
    let file = guarded(&folder, &direct);
    let serve = ["serve", "--listen", "127.0.0.1:0", "--gate", file.as_str()];
    let node = Node::run(stored(&folder.path("data"), &serve)).await;
    let gate = format!("{}/gate", node.client.mcp);

    let params = json!({"name": "granted", "arguments": {"n": 1}});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let held = reqwest::Client::new().post(&gate).json(&body).send();
    let person = Person::at(node.client.mcp.trim_end_matches("/mcp"));
    let agrees = async { person.card().await.act("approveSession", Value::Null).await };
    let (held, ()) = tokio::join!(held, agrees);
    assert_eq!(held.expect("an answer").status(), 200);

    let each = WARMING + CALLS;
    let alone = timed(&direct, "permitted").await;
    for tool in ["permitted", "granted"] {
        let gated = timed(&gate, tool).await;
        let line = [50, 99].map(|percent| {
            let at = CALLS * percent / 100;
            let (alone, gated) = (alone[at].as_secs_f64(), gated[at].as_secs_f64());
            format!("p{percent} {:.2} ms more", (gated - alone) * 1e3)
        });
        // Written past the test harness, which keeps what passing tests print to itself.
        let line = format!("the gate, {tool}: {}\n", line.join(", "));
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
    assert_eq!(calls.load(Ordering::SeqCst), 1 + 3 * each);
    node.stop().await;
    let rows = audit(&folder).await;
    let executed = events(&rows)
        .into_iter()
        .filter(|event| *event == "executed");
    assert_eq!(executed.count(), 1 + each);
}
