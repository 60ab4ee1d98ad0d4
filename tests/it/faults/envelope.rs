//! Failures of the JSON-RPC envelope, and of malformed HTTP.

use serde_json::{Value, json};

use super::table::Table;
use crate::raw::Raw;
use crate::world::{Answer, World};

/// The same call of a tool in both eras.
pub(super) async fn both(world: &World, tool: &str, arguments: Value) -> [Answer; 2] {
    let params = json!({"name": tool, "arguments": arguments});
    let legacy = world.rpc("tools/call", params.clone()).await;
    [legacy, world.modern("tools/call", params).await]
}

pub(super) const ERAS: [&str; 2] = ["legacy", "modern"];
pub(super) const PING: &str = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
pub(super) const VERSION: (&str, &str) = ("mcp-protocol-version", "2026-07-28");

pub(super) async fn envelope_rows(table: &mut Table, world: &World) {
    for (code, body) in [("PARSE_ERROR", "{"), ("INVALID_REQUEST", "{}")] {
        let plain = world.send(world.post("/mcp").body(body)).await;
        table.rpc(code, "legacy", &plain);
        let modern = world.post("/mcp").header(VERSION.0, VERSION.1);
        table.rpc(code, "modern", &world.send(modern.body(body)).await);
    }
    for (code, method, params) in [
        ("METHOD_NOT_FOUND", "nope", json!({})),
        ("INVALID_PARAMS", "tools/call", json!({"arguments": {}})),
    ] {
        table.rpc(code, "legacy", &world.rpc(method, params.clone()).await);
        table.rpc(code, "modern", &world.modern(method, params).await);
    }
    let unfit = both(world, "ggui_consume", json!({"sessionId": 5})).await;
    table.rpc("INVALID_ARGUMENTS", "legacy", &unfit[0]);
    table.tool("INVALID_ARGUMENTS", &unfit[1]);
    for era in ERAS {
        // An unsupported version belongs to no era, so both have the same response.
        let old = world.post("/mcp").header(VERSION.0, "1999-01-01");
        let refused = world.send(old.body(PING)).await;
        table.rpc("UNSUPPORTED_PROTOCOL_VERSION", era, &refused);
    }
    let params = json!({"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": params});
    let bare = world
        .post("/mcp")
        .header(VERSION.0, VERSION.1)
        .body(body.to_string());
    table.rpc("HEADER_MISMATCH", "modern", &world.send(bare).await);
    for (code, uri) in [
        ("RESOURCE_MALFORMED", "file:///etc/passwd"),
        ("RESOURCE_NOT_SUPPORTED", "ui://ggui/render/nowhere"),
    ] {
        let params = json!({"uri": uri});
        table.rpc(
            code,
            "legacy",
            &world.rpc("resources/read", params.clone()).await,
        );
        table.rpc(
            code,
            "modern",
            &world.modern("resources/read", params).await,
        );
    }
}

/// Failures that the HTTP library itself would answer without a body.
pub(super) async fn bare_rows(table: &mut Table, world: &World) {
    let long = format!(
        "GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "a".repeat(66_000)
    );
    let large = format!("GET / HTTP/1.1\r\nx-large: {}\r\n\r\n", "a".repeat(200_000));
    for (code, request) in [
        ("BAD_REQUEST", "no HTTP\r\n\r\n"),
        ("ADDRESS_TOO_LONG", &long),
        ("HEADERS_TOO_LARGE", &large),
    ] {
        let mut raw = Raw::connect(world.address()).await;
        raw.send(request).await;
        let heard = raw.hear_out().await;
        let row = table.row(code);
        assert_eq!(row["status"], heard.status(), "{code}: {heard:?}");
        let body: Value = serde_json::from_str(heard.body()).expect("JSON");
        assert_eq!(
            body["error"]["code"],
            Table::status_code_name(&row),
            "{code}: {body}"
        );
        assert_eq!(body["detail"], body["error"]["message"], "{code}: {body}");
        assert!(heard.header("x-request-id").is_some(), "{heard:?}");
    }
}
