//! Servers of every sort behind the gate: over HTTP, in either era, slow, and forgetful.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};
use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::time::timeout;

use super::site::Site;
use crate::world::{PATIENCE, World};

/// A server with sessions, each of which it forgets after it has answered three requests in it.
async fn forgetful(sessions: Arc<AtomicUsize>) -> String {
    async fn answer(
        State((sessions, asked)): State<(Arc<AtomicUsize>, Arc<AtomicUsize>)>,
        headers: http::HeaderMap,
        Json(message): Json<Value>,
    ) -> Response {
        let id = message["id"].clone();
        let reply = |result: Value| Json(json!({"jsonrpc": "2.0", "id": id, "result": result}));
        if message["method"] == "initialize" {
            let session = sessions.fetch_add(1, Ordering::SeqCst) + 1;
            asked.store(0, Ordering::SeqCst);
            let result = json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                "serverInfo": {"name": "forgetful", "version": "1"}});
            return ([("mcp-session-id", session.to_string())], reply(result)).into_response();
        }
        let session = headers.get("mcp-session-id");
        let session = session.and_then(|session| session.to_str().ok());
        let is_known = session == Some(&sessions.load(Ordering::SeqCst).to_string());
        if !is_known || asked.fetch_add(1, Ordering::SeqCst) >= 3 {
            return http::StatusCode::NOT_FOUND.into_response();
        }
        match message["method"].as_str() {
            Some("tools/list") => {
                let tool = json!({"name": "remember", "inputSchema": {"type": "object"}});
                reply(json!({"tools": [tool]})).into_response()
            }
            Some("tools/call") => {
                reply(json!({"content": [{"type": "text", "text": "I do"}]})).into_response()
            }
            _ => http::StatusCode::ACCEPTED.into_response(),
        }
    }
    let routes = Router::new()
        .route("/mcp", post(answer))
        .with_state((sessions, Arc::default()));
    served(routes).await
}

/// Serves routes at a free port.
pub(super) async fn served(routes: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address");
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("http://{address}/mcp")
}

/// A server that answers a call with the status that its tool is named after.
async fn failing() -> String {
    served(Router::new().route(
        "/mcp",
        post(|Json(message): Json<Value>| async move {
            let id = message["id"].clone();
            let reply = |result: Value| {
                Json(json!({"jsonrpc": "2.0", "id": id, "result": result})).into_response()
            };
            let named = message["params"]["name"].as_str().unwrap_or_default();
            match (message["method"].as_str(), named) {
                (Some("initialize"), _) => reply(json!({"protocolVersion": "2025-06-18",
                    "capabilities": {"tools": {}}, "serverInfo": {"name": "f", "version": "1"}})),
                (Some("tools/list"), _) => {
                    let names = ["302", "401", "404", "429", "500", "503", "page", "five"];
                    let tools = names.map(|name| json!({"name": name, "inputSchema": {}}));
                    reply(json!({"tools": tools}))
                }
                (Some("tools/call"), "page") => {
                    axum::response::Html("<p>http://10.0.0.1/</p>").into_response()
                }
                (Some("tools/call"), "five") => reply(json!(5)),
                (Some("tools/call"), status) => {
                    let status: u16 = status.parse().expect("a status");
                    let status = http::StatusCode::from_u16(status).expect("a status");
                    let elsewhere = [("location", "http://10.0.0.1/")];
                    (status, elsewhere, "see http://10.0.0.1/").into_response()
                }
                _ => http::StatusCode::ACCEPTED.into_response(),
            }
        }),
    ))
    .await
}

#[tokio::test]
async fn a_server_that_answers_with_no_result_is_told_by_the_number_that_fits() {
    let url = failing().await;
    let site = Site::start(&format!(
        "schema: 1\nsources:\n  - {{ id: failing, kind: mcp, url: \"{url}\" }}\n"
    ))
    .await;
    for (tool, code) in [
        ("302", -32002),
        ("401", -32002),
        ("404", -32002),
        ("429", -32009),
        ("500", -32002),
        ("503", -32013),
        ("page", -32002),
        ("five", -32002),
    ] {
        let answer = site.call(tool, json!({})).await;
        assert_eq!(answer["error"]["code"], code, "{tool}: {answer}");
        assert_eq!(answer["error"]["data"]["tool_name"], tool);
        assert!(!answer.to_string().contains("10.0.0.1"), "{answer}");
    }
}

#[tokio::test]
async fn a_server_that_forgets_its_session_is_asked_again_in_a_new_one() {
    let sessions = Arc::new(AtomicUsize::new(0));
    let url = forgetful(Arc::clone(&sessions)).await;
    let site = Site::start(&format!(
        "schema: 1\nsources:\n  - {{ id: forgetful, kind: mcp, url: \"{url}\" }}\n"
    ))
    .await;
    for _ in 0..10 {
        let answer = site.call("remember", json!({})).await;
        assert_eq!(answer["result"]["content"][0]["text"], "I do", "{answer}");
    }
    assert!(sessions.load(Ordering::SeqCst) > 1);
}

#[tokio::test]
async fn servers_over_http_and_on_pipes_stand_behind_one_gate() {
    let other = World::start().await;
    let site = Site::start(&format!(
        "schema: 1\nsources:\n  - {{ id: script, kind: mcp, SCRIPT }}\n  \
         - {{ id: other, kind: mcp, url: \"{}\", prefix: ui. }}\n",
        other.mcp_url()
    ))
    .await;
    let names = site.names("tools").await;
    assert!(names.contains(&"get_weather".to_owned()), "{names:?}");
    assert!(names.contains(&"ui.ggui_handshake".to_owned()), "{names:?}");
    let draft = json!({"intent": "A test", "blueprintDraft": {"contract": {}}});
    let agreed = site.call("ui.ggui_handshake", draft).await;
    let id = &agreed["result"]["structuredContent"]["handshakeId"];
    assert!(id.is_string(), "{agreed}");
    // The official client, in the older era.
    let url = site.world.url("/mcp/gate");
    let client = ().serve(StreamableHttpClientTransport::from_uri(url));
    let client = client.await.expect("a connection");
    let tools = client.list_all_tools().await.expect("tools");
    assert_eq!(tools.len(), names.len());
    let call = CallToolRequestParams::new("get_weather");
    let result = client.call_tool(call).await.expect("a result");
    assert_eq!(result.structured_content, Some(json!({"sky": "clear"})));
    let _ = client.cancel().await;
    // And a request of the newer one.
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let body =
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}});
    let request = site.post().body(body.to_string());
    let request = request
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", "tools/list");
    let listed: Value = request
        .send()
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON");
    let result = &listed["result"];
    assert_eq!(result["resultType"], "complete", "{listed}");
    assert_eq!(
        (&result["ttlMs"], &result["cacheScope"]),
        (&json!(0), &json!("private"))
    );
    assert_eq!(result["tools"].as_array().map(Vec::len), Some(names.len()));
}

#[tokio::test]
async fn a_server_that_hangs_keeps_no_list_and_no_call_of_the_others_waiting() {
    // It would be waited for ten minutes, which is longer than this test may take.
    let site = Site::start_with(
        "schema: 1\nsources:\n  - { id: silent, kind: mcp, command: [/bin/cat], timeout: 10m }\n  \
         - { id: script, kind: mcp, SCRIPT }\n",
        |config| config.limits.gate.list_wait_ms = 300,
    )
    .await;
    let listed = async {
        while !site
            .names("tools")
            .await
            .contains(&"get_weather".to_owned())
        {}
    };
    timeout(PATIENCE, listed).await.expect("a list in time");
    let answer = site.call("get_weather", json!({})).await;
    assert_eq!(
        answer["result"]["structuredContent"]["sky"], "clear",
        "{answer}"
    );
    let listed = async { while site.names("prompts").await != ["greet", "secret_plan"] {} };
    timeout(PATIENCE, listed).await.expect("a list in time");
}

#[tokio::test]
async fn of_two_servers_with_a_tool_of_one_name_the_first_is_listed_and_called() {
    let site = Site::start(
        "schema: 1\nsources:\n  - { id: one, kind: mcp, SCRIPT }\n  \
         - { id: two, kind: mcp, command: [/bin/sh, -c, \"exit 1\"] }\n  \
         - { id: three, kind: mcp, SCRIPT, timeout: 1m }\n",
    )
    .await;
    let names = site.names("tools").await;
    assert_eq!(
        names.iter().filter(|name| *name == "get_weather").count(),
        1
    );
    let answer = site.call("get_weather", json!({})).await;
    assert!(answer["result"].is_object(), "{answer}");
    assert_eq!(site.folder.calls("get_weather"), 1);
}
