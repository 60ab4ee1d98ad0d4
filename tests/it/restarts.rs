//! Everything that was acknowledged goes on after a restart: sessions, handshakes, blueprints,
//! answers, links and tokens.

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;

use crate::browser::Browser;
use crate::contracts::{basket, basket_props, build_log};
use crate::node::{Node, parts};
use crate::process::proscenium;

async fn emit(node: &Node, session: &str, number: u64) {
    let payload = json!({"percent": number});
    let arguments = json!({"sessionId": session, "channel": "progress", "payload": payload});
    node.client.tool("ggui_emit", arguments).await;
}

async fn click(browser: &mut Browser, id: &str) {
    let data = json!({"sku": "A1", "qty": 3});
    let request = browser.act_as("setQuantity", data, Some(id)).await;
    let answer = browser.answer_to(&request).await;
    assert_eq!(answer["type"], "ack", "{answer}");
}

/// The ids of the actions that an agent is given.
async fn consumed(node: &Node, session: &str) -> Vec<Value> {
    let arguments = json!({"sessionId": session, "timeout": 0});
    let given = node.client.tool("ggui_consume", arguments).await;
    let events = given["events"].as_array().expect("events").iter();
    events.map(|event| event["actionId"].clone()).collect()
}

/// A session with the latency left out, which differs from call to call.
async fn session(node: &Node, session: &str) -> Value {
    let mut found = node
        .client
        .tool("ggui_get_session", json!({"sessionId": session}))
        .await;
    found["_latency_ms"].take();
    found
}

#[tokio::test]
async fn sessions_inbox_handshakes_blueprints_answers_links_and_tokens_outlive_a_kill() {
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let shown = node.client.show().await;
    let (id, token) = parts(&shown);
    let unused = node.client.handshake(basket()).await;
    let mut browser = node.client.knock(&id, &token).await;
    browser.subscribe(json!({})).await;
    click(&mut browser, "gesture-1").await;
    assert_eq!(consumed(&node, &id).await, ["gesture-1"]);
    click(&mut browser, "gesture-2").await;
    let change = json!({"sessionId": id, "kind": "merge", "patch": {"note": "Saved"}});
    let key = Some("7c0a1f0e-5a52-4c5b-8b63-1d3d9a1f2b3c");
    let first = node.client.keyed(key, "ggui_update", &change).await.body;
    let before = session(&node, &id).await;
    let blueprints = node.client.get("/api/v1/blueprints").await.body;
    node.kill().await;

    let node = Node::start(folder.path()).await;
    assert_eq!(session(&node, &id).await, before);
    assert_eq!(node.client.get("/api/v1/blueprints").await.body, blueprints);
    // The same call again has its answer, and no second effect.
    let again = node.client.keyed(key, "ggui_update", &change).await.body;
    let [given, repeated] = [&first, &again].map(|body| &body["result"]["structuredContent"]);
    assert_eq!(repeated, given);
    assert_eq!(
        again["result"]["_meta"]["idempotentReplay"], true,
        "{again}"
    );
    assert_eq!(session(&node, &id).await, before);
    // The same click again is the same; the one that no agent has taken waits.
    let mut browser = node.client.knock(&id, &token).await;
    let ack = browser.subscribe(json!({})).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    click(&mut browser, "gesture-1").await;
    assert_eq!(consumed(&node, &id).await, ["gesture-2"]);
    let arguments = json!({"handshakeId": unused, "props": basket_props()});
    node.client.tool("ggui_render", arguments).await;
    let viewer = shown["structuredContent"]["viewerUrl"].as_str();
    let (_, code) = viewer.expect("a link").rsplit_once("/r/").expect("a code");
    let page = node.client.get(&format!("/r/{code}")).await;
    assert_eq!(page.status, 200, "{}", page.body);
    node.stop().await;
}

/// The next rows of the stage's activity list: kind and session of each.
async fn happened(node: &Node, count: usize) -> Vec<(String, String)> {
    let mut feed = node.client.feed().await;
    let (_, first) = feed.next().await.expect("a snapshot");
    assert!(first["sessions"].is_array(), "{first}");
    let mut rows = Vec::new();
    while rows.len() < count {
        let (_, row) = feed.next().await.expect("a row");
        let text = |name: &str| row[name].as_str().map(str::to_owned);
        rows.extend(text("kind").zip(text("sessionId")));
    }
    rows
}

#[tokio::test]
async fn the_stage_lists_after_a_restart_what_happened_before_it() {
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let (id, token) = parts(&node.client.show().await);
    let mut browser = node.client.knock(&id, &token).await;
    browser.subscribe(json!({})).await;
    click(&mut browser, "gesture-1").await;
    let change = json!({"sessionId": id, "kind": "merge", "patch": {"note": "Saved"}});
    node.client.tool("ggui_update", change).await;
    let before = happened(&node, 3).await;
    let wanted = ["rendered", "clicked", "updated"].map(|kind| (kind.to_owned(), id.clone()));
    assert_eq!(before, wanted);
    // What happened just before the end is in the list, too.
    assert_eq!(consumed(&node, &id).await, ["gesture-1"]);
    node.stop().await;
    let node = Node::start(folder.path()).await;
    let after = happened(&node, 4).await;
    assert_eq!(after[..3], wanted);
    assert_eq!(after[3].0, "consumed");
    node.stop().await;
}

#[tokio::test]
async fn a_guest_resumes_from_its_last_position_without_a_gap() {
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let shown = node
        .client
        .show_as(build_log(), json!({"pipeline": "release"}));
    let (id, token) = parts(&shown.await);
    let line = async |node: &Node, line: String| {
        let payload = json!({"line": line, "level": "info"});
        let arguments = json!({"sessionId": id, "channel": "log", "payload": payload});
        node.client.tool("ggui_emit", arguments).await;
    };
    let mut browser = node.client.knock(&id, &token).await;
    browser.subscribe(json!({})).await;
    let mut seen = Vec::new();
    for number in 0..10 {
        line(&node, format!("line {number}")).await;
        if number < 5 {
            seen.push(browser.frame("data").await["payload"].clone());
        }
    }
    emit(&node, &id, 50).await;
    node.stop().await;

    let node = Node::start(folder.path()).await;
    line(&node, "line 10".to_owned()).await;
    let mut browser = node.client.knock(&id, &token).await;
    let from = seen.last().expect("an item")["seq"].clone();
    browser.subscribe(json!({"fromSeq": from})).await;
    while seen
        .last()
        .is_none_or(|item| item["payload"]["line"] != "line 10")
    {
        seen.push(browser.frame("data").await["payload"].clone());
    }
    let lines = seen.iter().filter(|item| item["channel"] == "log");
    let lines: Vec<_> = lines.map(|item| item["payload"]["line"].clone()).collect();
    let all: Vec<_> = (0..=10)
        .map(|number| json!(format!("line {number}")))
        .collect();
    assert_eq!(lines, all);
    let first = seen[0]["seq"].as_u64().expect("a position");
    let positions: Vec<_> = seen.iter().map(|item| item["seq"].clone()).collect();
    let gap_free: Vec<_> = (first..).take(seen.len()).map(|seq| json!(seq)).collect();
    assert_eq!(positions, gap_free);
    node.stop().await;
}

#[tokio::test]
async fn the_data_lies_in_the_platform_s_folder_which_nobody_else_may_open() {
    let home = TempDir::new().expect("a folder");
    let data = home.path().join("data");
    let settings = |command: &mut Command| {
        command.env_remove("PROSCENIUM_STORE_EPHEMERAL");
        command.env("XDG_DATA_HOME", &data);
    };
    let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0"]);
    settings(&mut command);
    let node = Node::run(command).await;
    let (id, _) = parts(&node.client.show().await);
    node.stop().await;
    let mut path = proscenium(&["data", "path"]);
    settings(&mut path);
    let printed = path.output().await.expect("a process").stdout;
    let folder = data.join("proscenium");
    assert_eq!(
        String::from_utf8_lossy(&printed).trim(),
        folder.to_str().unwrap()
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &std::path::Path| {
            let found = std::fs::metadata(path).expect("a file");
            found.permissions().mode() & 0o777
        };
        assert_eq!(mode(&folder), 0o700);
        for file in std::fs::read_dir(&folder).expect("files") {
            let file = file.expect("a file").path();
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
    }
    let node = Node::start(&folder).await;
    session(&node, &id).await;
    node.stop().await;
}

#[tokio::test]
async fn what_is_ephemeral_leaves_no_file() {
    let home = TempDir::new().expect("a folder");
    let mut command = proscenium(&["serve", "--ephemeral", "--listen", "127.0.0.1:0"]);
    command.env_remove("PROSCENIUM_STORE_EPHEMERAL");
    command.env("XDG_DATA_HOME", home.path());
    let node = Node::run(command).await;
    node.client.show().await;
    node.stop().await;
    assert_eq!(std::fs::read_dir(home.path()).expect("a folder").count(), 0);
}

#[tokio::test]
async fn streams_of_a_server_that_is_stopped_end_with_a_reason_and_when_to_come_back() {
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let (id, token) = parts(&node.client.show().await);
    let stream = format!("/api/sessions/{id}/stream?wsToken={token}");
    let mut open = Vec::new();
    for path in [stream.as_str(), "/stage/feed"] {
        let response = reqwest::get(node.client.url(path)).await;
        open.push(response.expect("an answer"));
    }
    node.stop().await;
    for response in open {
        let text = response.text().await.expect("an end in order");
        let last = text.trim_end().rsplit("\n\n").next().expect("an event");
        assert!(
            last.contains("retry:") && last.contains("1000") && last.contains("the server ends"),
            "{text}"
        );
    }
}
