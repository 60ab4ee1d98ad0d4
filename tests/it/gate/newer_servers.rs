//! Servers that speak only the revision without `initialize`: what they ask of their clients in headers
//! and capabilities, and tasks of theirs.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use http::{HeaderMap, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;

use super::servers::served;
use super::site::Site;
use super::tasks::{ask, begun, declares, get};

/// The methods that were asked for, and the task each was about.
type Asked = Arc<watch::Sender<Vec<(String, Value)>>>;

async fn answer(
    State(asked): State<Asked>,
    headers: HeaderMap,
    Json(message): Json<Value>,
) -> Response {
    let id = message["id"].clone();
    let refuse = |status: StatusCode, error: Value| {
        let refused = Json(json!({"jsonrpc": "2.0", "id": id, "error": error}));
        (status, refused).into_response()
    };
    let version = headers.get("mcp-protocol-version");
    if version.is_none_or(|version| version != "2026-07-28") {
        let error = json!({"code": -32022, "message": "Unsupported protocol version",
            "data": {"supported": ["2026-07-28"]}});
        return refuse(StatusCode::BAD_REQUEST, error);
    }
    let method = message["method"].as_str().unwrap_or_default();
    let params = &message["params"];
    asked.send_modify(|asked| asked.push((method.to_owned(), params["taskId"].clone())));
    let about = json!({"name": "modern", "version": "1"});
    let text = |text: &str| json!({"content": [{"type": "text", "text": text}]});
    let task = json!({"taskId": "t-1", "status": "working", "createdAt": "2026-11-26T00:00:00Z",
        "lastUpdatedAt": "2026-11-26T00:00:00Z", "ttlMs": 60_000, "pollIntervalMs": 100});
    let mut result = match (method, params["name"].as_str().unwrap_or_default()) {
        ("server/discover", _) => json!({"supportedVersions": ["2026-07-28"],
            "capabilities": {"tools": {}}, "serverInfo": about, "ttlMs": 0, "cacheScope": "private"}),
        ("tools/list", _) => {
            let region = json!({"type": "object", "properties": {
                "region": {"type": "string", "x-mcp-header": "Region"}}});
            let plain = json!({"type": "object"});
            json!({"tools": [{"name": "say", "inputSchema": plain},
                {"name": "regional", "inputSchema": region},
                {"name": "photograph", "inputSchema": plain},
                {"name": "dig", "inputSchema": plain}],
                "ttlMs": 60_000, "cacheScope": "public"})
        }
        ("tools/call", "say") => text("said"),
        ("tools/call", "regional") => {
            let region = headers.get("mcp-param-region");
            text(region.map_or("", |region| region.to_str().expect("text")))
        }
        ("tools/call", "photograph") => {
            let data = json!({"requiredCapabilities": {"sampling": {}, "camera": {}}});
            let error = json!({"code": -32021, "message": "at http://10.0.0.1", "data": data});
            return refuse(StatusCode::BAD_REQUEST, error);
        }
        ("tools/call", "dig") | ("tasks/get", _) => task,
        ("tasks/cancel", _) => json!({}),
        _ => {
            let error = json!({"code": -32601, "message": "Method not found"});
            return refuse(StatusCode::NOT_FOUND, error);
        }
    };
    let kind = if params["name"] == "dig" {
        "task"
    } else {
        "complete"
    };
    result["resultType"] = kind.into();
    result["_meta"] = json!({"io.modelcontextprotocol/serverInfo": about});
    Json(json!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
}

/// A gate before such a server, and what that is asked for.
async fn start() -> (Site, Asked) {
    let asked = Asked::default();
    let routes = Router::new().route("/mcp", post(answer));
    let url = served(routes.with_state(Arc::clone(&asked))).await;
    let gate = format!("schema: 1\nsources:\n  - {{ id: modern, kind: mcp, url: \"{url}\" }}\n");
    (Site::start(&gate).await, asked)
}

#[tokio::test]
async fn a_server_of_the_newer_era_alone_is_spoken_to_in_it() {
    let (site, _) = start().await;
    // What belongs to that connection is not handed on.
    let listed = site.rpc("tools/list", json!({})).await;
    let say = json!({"name": "say", "inputSchema": {"type": "object"}});
    assert_eq!(listed["result"]["tools"][0], say);
    let members = listed["result"].as_object().expect("an object");
    assert_eq!(members.len(), 1, "{listed}");
    let answer = site.call("say", json!({})).await;
    assert_eq!(
        answer["result"],
        json!({"content": [{"type": "text", "text": "said"}]})
    );
}

#[tokio::test]
async fn an_argument_that_a_server_wants_in_a_header_is_sent_there() {
    let (site, _) = start().await;
    let answer = site.call("regional", json!({"region": "eu-west"})).await;
    assert_eq!(
        answer["result"]["content"][0]["text"], "eu-west",
        "{answer}"
    );
}

#[tokio::test]
async fn a_caller_hears_which_capability_a_server_needs_and_nothing_else() {
    let (site, _) = start().await;
    let params = json!({"name": "photograph", "arguments": {}});
    let answer = ask(&site, "tools/call", json!({}), params).await;
    assert_eq!(answer["error"]["code"], -32021, "{answer}");
    let needed = json!({"sampling": {}});
    assert_eq!(answer["error"]["data"]["requiredCapabilities"], needed);
    assert!(!answer.to_string().contains("10.0.0.1"), "{answer}");
    // In the older era an error is no failure of the transport.
    let answer = site.call("photograph", json!({})).await;
    assert_eq!(answer["error"]["code"], -32021, "{answer}");
}

#[tokio::test]
async fn a_task_that_is_cancelled_is_cancelled_at_its_server() {
    let (site, asked) = start().await;
    let id = begun(&site, "dig").await;
    let mut asked = asked.subscribe();
    let looked = ("tasks/get".to_owned(), json!("t-1"));
    asked
        .wait_for(|asked| asked.contains(&looked))
        .await
        .expect("a look");
    ask(&site, "tasks/cancel", declares(), json!({"taskId": id})).await;
    assert_eq!(get(&site, &id).await["status"], "cancelled");
    let cancelled = ("tasks/cancel".to_owned(), json!("t-1"));
    asked
        .wait_for(|asked| asked.contains(&cancelled))
        .await
        .expect("a cancellation");
}
