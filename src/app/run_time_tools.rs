//! Tools that are registered while the server runs: clients that listen are notified, and find them.

use std::sync::Arc;

use futures_util::StreamExt as _;
use reqwest::{Client, Response};
use serde_json::{Value, json};

use super::compose::App;
use super::running::Running;
use crate::config::Config;
use crate::domain::operation::{Handlers, Registration, table};
use crate::services::dispatch::DispatchError;
use crate::wire::discovery::ListThemesResult;

/// A tool of a source that the table does not know.
fn upstream_tool() -> Registration<DispatchError> {
    let handlers = Handlers::<(), DispatchError, DispatchError>::of(&Arc::new(()));
    let handlers = handlers.on::<table::ListThemes>(|(), _, _| {
        Box::pin(async { Ok(ListThemesResult { themes: Vec::new() }.into()) })
    });
    let registration = handlers.into_registrations().pop().unwrap();
    Registration {
        name: "upstream_tool".into(),
        ..registration
    }
}

async fn post(running: &Running, method: &str, mut params: Value) -> Response {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let body = json!({"jsonrpc": "2.0", "id": "one", "method": method, "params": params});
    let request = Client::new()
        .post(running.mcp_url())
        .header("content-type", "application/json")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2026-07-28")
        .header("mcp-method", method)
        .body(body.to_string());
    request.send().await.unwrap()
}

async fn result(running: &Running, method: &str) -> Value {
    let text = post(running, method, json!({})).await.text().await.unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["result"].take()
}

#[tokio::test]
async fn clients_that_listen_are_notified_of_a_tool_that_comes_while_the_server_runs() {
    let mut config = Config::default();
    config.server.listen = "127.0.0.1:0".to_owned();
    config.store.ephemeral = true;
    let running = App::new(config).start().await.unwrap();
    let discovered = result(&running, "server/discover").await;
    assert_eq!(discovered["capabilities"]["tools"]["listChanged"], true);
    let filter = json!({"notifications": {"toolsListChanged": true}});
    let mut chunks = post(&running, "subscriptions/listen", filter)
        .await
        .bytes_stream();
    let mut text = String::new();
    while !text.contains("acknowledged") {
        let chunk = chunks.next().await.unwrap().unwrap();
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    assert!(text.contains(r#""toolsListChanged":true"#), "{text}");
    assert!(!text.contains("list_changed"), "{text}");
    let registry = &running.mcp.access.dispatch.registry;
    registry.register(vec![upstream_tool()]);
    while !text.contains("notifications/tools/list_changed") {
        let chunk = chunks.next().await.unwrap().unwrap();
        text.push_str(std::str::from_utf8(&chunk).unwrap());
    }
    let listed = result(&running, "tools/list").await;
    let mut tools = listed["tools"].as_array().unwrap().iter();
    assert!(tools.any(|tool| tool["name"] == "upstream_tool"));
}
