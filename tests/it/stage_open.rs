//! A real server that opens the stage for a person where an agent renders what nobody watches.

use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::contracts::{basket, basket_props};
use crate::process::{announced, proscenium};
use crate::world::PATIENCE;

/// What a tool of a server that needs no key answers.
async fn tool(mcp: &str, name: &str, arguments: Value) -> Value {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": name, "arguments": arguments}});
    let request = reqwest::Client::new()
        .post(mcp)
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-06-18")
        .json(&call);
    let answer = request.send().await.expect("an answer");
    let answer: Value = answer.json().await.expect("JSON");
    answer["result"]["structuredContent"].clone()
}

#[tokio::test]
async fn a_render_that_nobody_watches_is_opened_in_a_browser() {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = folder.path().join("opened");
    let made = std::process::Command::new("mkfifo").arg(&opened).status();
    assert!(made.expect("mkfifo").success());
    // The browser of this test tells what it was to open.
    let browser = folder.path().join("xdg-open");
    let script = format!("#!/bin/sh\necho \"$1\" > '{}'\n", opened.display());
    std::fs::write(&browser, script).expect("a script");
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&browser, mode).expect("a program");
    let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0"]);
    command
        .env("PATH", format!("{}:/usr/bin:/bin", folder.path().display()))
        .env("DISPLAY", ":0")
        .env("PROSCENIUM_STAGE_OPEN", "once")
        .stdin(Stdio::null());
    let (mut server, mcp) = announced(command).await;
    let draft = json!({"intent": "A basket", "blueprintDraft": {"contract": basket()}});
    let agreed = tool(&mcp, "ggui_handshake", draft).await;
    let render = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
    let rendered = tool(&mcp, "ggui_render", render).await;
    let session = rendered["sessionId"].as_str().expect("a session");
    let address = timeout(PATIENCE, tokio::fs::read_to_string(&opened)).await;
    let address = address.expect("it is opened").expect("an address");
    let base = mcp.strip_suffix("/mcp").expect("the endpoint");
    assert_eq!(address.trim(), format!("{base}/#s={session}"));
    server.kill().await.expect("it ends");
}
