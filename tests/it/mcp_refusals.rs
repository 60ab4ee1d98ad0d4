//! What the MCP endpoint refuses before there is a message to answer.

use serde_json::{Value, json};

use crate::mcp_edge::{error, post};
use crate::world::World;

#[tokio::test]
async fn only_the_revision_that_has_batches_may_send_one() {
    let world = World::start().await;
    let ping = |id| json!({"jsonrpc": "2.0", "id": id, "method": "ping"});
    let batch = json!([ping(1), {"jsonrpc": "2.0", "method": "x"}, ping(2), 5]).to_string();
    let answer = post(&world, &batch, &[]).await;
    let answers = answer.body.as_array().unwrap();
    assert_eq!(answers.len(), 3, "{answers:?}");
    assert_eq!(answers[2]["error"]["code"], -32600);
    let refused = post(&world, &batch, &[("mcp-protocol-version", "2025-06-18")]).await;
    assert_eq!(error(&refused), (400, -32600));
    let long = Value::Array(vec![ping(1); 51]).to_string();
    assert_eq!(error(&post(&world, &long, &[]).await), (400, -32600));
}

#[tokio::test]
async fn requests_are_refused_before_their_body_is_read() {
    let world = World::start().await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for (headers, expected) in [
        (vec![("accept", "text/html")], (406, -32000)),
        (vec![("host", "evil.example")], (403, -32000)),
        (vec![("origin", "https://evil.example")], (403, -32000)),
        (vec![("origin", "null")], (403, -32000)),
        (vec![("authorization", "Basic dXNlcjp4")], (401, -32001)),
        (vec![("x-forwarded-for", "10.0.0.1")], (401, -32001)),
    ] {
        let answer = post(&world, ping, &headers).await;
        assert_eq!(error(&answer), expected, "{headers:?}");
        assert_eq!(answer.body["id"], Value::Null);
    }
    let text = world.send(world.get("/mcp")).await;
    assert_eq!(
        (text.status, &text.body["error"]["code"]),
        (405, &json!(-32000))
    );
    // `Accept` is interpreted leniently: one type, any type, or none.
    for accept in ["application/json", "text/event-stream", "*/*"] {
        assert_eq!(
            post(&world, ping, &[("accept", accept)]).await.status,
            200,
            "{accept}"
        );
    }
    assert_eq!(
        post(&world, ping, &[("authorization", "Bearer dev")])
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn an_unsupported_revision_is_refused_with_the_supported_ones() {
    let world = World::start().await;
    let ping = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;
    let answer = post(&world, ping, &[("mcp-protocol-version", "1999-01-01")]).await;
    assert_eq!(error(&answer), (400, -32022));
    assert_eq!(
        answer.body["id"], "p",
        "the body was read: its id is echoed"
    );
    let supported = answer.body["error"]["data"]["supported"]
        .as_array()
        .unwrap();
    assert!(supported.contains(&json!("2026-07-28")) && supported.contains(&json!("2025-11-25")));
}

#[tokio::test]
async fn a_body_that_is_too_large_or_of_another_type_is_refused_in_json() {
    let world = World::start_with(|config| config.limits.http.body_bytes_max = 100).await;
    let long = json!({"jsonrpc": "2.0", "id": 1, "method": "x".repeat(100)}).to_string();
    assert_eq!(error(&post(&world, &long, &[]).await), (413, -32000));
    let form = reqwest::Client::new()
        .post(world.url("/mcp"))
        .header("content-type", "application/x-www-form-urlencoded")
        .body("a=b");
    assert_eq!(error(&world.send(form).await), (415, -32000));
}

#[tokio::test]
async fn headers_and_body_have_to_agree_on_the_stateless_revision() {
    let world = World::start().await;
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = |meta: &Value| {
        let params = json!({"name": "ggui_get_session", "arguments": {}, "_meta": meta});
        json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
    };
    const VERSION: (&str, &str) = ("mcp-protocol-version", "2026-07-28");
    const METHOD: (&str, &str) = ("mcp-method", "tools/call");
    const NAME: (&str, &str) = ("mcp-name", "ggui_get_session");
    for (meta, headers, expected) in [
        (&json!({}), vec![VERSION, METHOD, NAME], (400, -32602)),
        (&meta, vec![VERSION, NAME], (400, -32020)),
        (
            &meta,
            vec![VERSION, ("mcp-method", "tools/list"), NAME],
            (400, -32020),
        ),
        (&meta, vec![VERSION, METHOD], (400, -32020)),
        (&meta, vec![METHOD, NAME], (400, -32020)),
    ] {
        let answer = post(&world, &call(meta), &headers).await;
        assert_eq!(error(&answer), expected, "{headers:?}");
        assert_eq!(answer.body["id"], 1, "the body was read: its id is echoed");
    }
    let encoded = ("mcp-name", "=?base64?Z2d1aV9nZXRfc2Vzc2lvbg==?=");
    let answer = post(&world, &call(&meta), &[VERSION, METHOD, encoded]).await;
    assert_eq!(answer.status, 200);
    for method in ["initialize", "ping"] {
        assert_eq!(error(&world.modern(method, json!({})).await), (404, -32601));
    }
}
