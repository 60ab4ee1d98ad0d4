//! The server's use of the machine: memory, open files, and the addresses of `localhost`.

use std::process::Stdio;

use reqwest::Client;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::timeout;

use crate::chromium::Chromium;
use crate::contracts::{basket, basket_props};
use crate::node::{Node, parts, stored};
use crate::process::{proscenium, remove_settings, serving};
use crate::world::{PATIENCE, World, answer};

/// Numbers in a list that is rendered repeatedly: each takes a few bytes to send, and many to hold.
const NUMBERS: usize = 100_000;
/// How many of the lists certainly exceed the memory limit.
const LISTS_MAX: usize = 100;

async fn call(client: &Client, mcp: &str, tool: &str, arguments: Value) -> (Value, bool) {
    let params = json!({"name": tool, "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let answer = answer(client.post(mcp).json(&body)).await;
    let waits = answer.headers.contains_key("retry-after");
    (answer.body, waits)
}

/// Renders one more large list; returns the failure if it was refused.
async fn show(client: &Client, mcp: &str) -> Result<String, (Value, bool)> {
    let schema = json!({"type": "array", "items": {"type": "integer"}});
    let contract = json!({"propsSpec": {"properties": {"numbers": {"schema": schema}}}});
    let draft = json!({"intent": "A test", "blueprintDraft": {"contract": contract}});
    let (agreed, waits) = call(client, mcp, "ggui_handshake", draft).await;
    let Some(id) = agreed["result"]["structuredContent"]["handshakeId"].as_str() else {
        return Err((agreed, waits));
    };
    let props = json!({"numbers": vec![7; NUMBERS]});
    let render = json!({"handshakeId": id, "props": props});
    let (shown, waits) = call(client, mcp, "ggui_render", render).await;
    let session = shown["result"]["structuredContent"]["sessionId"].as_str();
    session.map(str::to_owned).ok_or((shown.clone(), waits))
}

#[tokio::test]
async fn beyond_its_memory_nothing_is_added_and_what_is_deleted_makes_room_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("proscenium.toml");
    std::fs::write(&file, "[memory]\nbytes_max = 150000000\n").expect("a file");
    let (mut child, mcp) = serving(&["--config", file.to_str().expect("a path")]).await;
    let client = Client::new();
    let mut sessions = Vec::new();
    let (refused, waits) = loop {
        match show(&client, &mcp).await {
            Ok(session) => sessions.push(session),
            Err(refused) => break refused,
        }
        assert!(sessions.len() < LISTS_MAX, "nothing is ever refused");
    };
    let error = &refused["error"];
    assert_eq!(error["code"], -32013, "{error}");
    assert_eq!(error["data"]["code"], "MEMORY_LIMIT", "{error}");
    assert!(error["data"]["retry"]["after_ms"].is_u64(), "{error}");
    assert!(waits, "the answer says when to come back");

    let first = json!({"sessionId": sessions[0], "kind": "merge", "patch": {"numbers": [8]}});
    let (changed, _) = call(&client, &mcp, "ggui_amend", first).await;
    assert_eq!(
        changed["error"]["data"]["code"], "MEMORY_LIMIT",
        "{changed}"
    );
    for (tool, arguments) in [
        ("ggui_get_session", json!({"sessionId": sessions[0]})),
        (
            "ggui_consume",
            json!({"sessionId": sessions[0], "timeout": 0}),
        ),
        ("ggui_list_sessions", json!({})),
    ] {
        let (read, _) = call(&client, &mcp, tool, arguments).await;
        assert!(read["error"].is_null(), "{tool}: {}", read["error"]);
        assert!(read["result"]["isError"].is_null(), "{tool}");
    }
    for session in sessions {
        let path = mcp.replace("/mcp", &format!("/api/v1/sessions/{session}"));
        let gone = client.delete(path).send().await.expect("an answer");
        assert!(gone.status().is_success(), "{}", gone.status());
    }
    let again = timeout(PATIENCE, async {
        // A caller that sends so many requests may hit a rate limit, too.
        while let Err((refused, _)) = show(&client, &mcp).await {
            assert_eq!(refused["error"]["code"], -32013, "{refused}");
        }
    });
    again.await.expect("what was deleted makes room");
    child.kill().await.expect("an end");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn beyond_its_memory_rest_answers_503_and_an_action_is_refused_with_a_wait() {
    let folder = tempfile::tempdir().expect("a folder");
    let node = Node::start(folder.path()).await;
    let (session, token) = parts(&node.client.show().await);
    node.stop().await;
    let mut command = stored(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    command.env("PROSCENIUM_MEMORY_BYTES_MAX", "1");
    let node = Node::run(command).await;
    // What is there is read on; nothing is added to it.
    let mut browser = node.client.knock(&session, &token).await;
    assert_eq!(browser.subscribe(json!({})).await["type"], "ack");
    let clicked = browser
        .act("setQuantity", json!({"sku": "A1", "qty": 3}))
        .await;
    let refused = browser.answer_to(&clicked).await;
    assert_eq!(refused["type"], "error", "{refused}");
    assert_eq!(refused["payload"]["code"], "RATE_LIMITED", "{refused}");
    let peek = json!({"sessionId": session, "timeout": 0});
    let peeked = node.client.tool("ggui_consume", peek).await;
    assert_eq!(peeked["events"], json!([]), "{peeked}");
    let memory = json!({"content": "Tea is served at four."});
    let memories = node.client.url("/api/v1/memories");
    let refused = answer(Client::new().post(memories).json(&memory)).await;
    assert_eq!(refused.status, 503, "{}", refused.body);
    assert!(refused.headers.contains_key("retry-after"));
    assert_eq!(refused.body["error"]["code"], "UNAVAILABLE");
    assert_eq!(node.client.get("/api/v1/memories").await.status, 200);
    node.stop().await;
}

/// A port that is already bound on this machine's other loopback address.
async fn taken_elsewhere() -> (TcpListener, u16) {
    loop {
        let taken = TcpListener::bind("[::1]:0").await.expect("a port");
        let port = taken.local_addr().expect("its address").port();
        if TcpListener::bind(("127.0.0.1", port)).await.is_ok() {
            return (taken, port);
        }
    }
}

/// The address of a render's frame, and the policy of the page around it.
async fn framed(world: &World) -> (String, String) {
    let shown = world.show(basket(), basket_props()).await;
    let code = shown.viewer_url().rsplit_once("/r/").expect("a code").1;
    let page = world.send(world.get(&format!("/r/{code}"))).await;
    let frame = world.send(world.get(&format!("/r/{code}/frame"))).await;
    assert_eq!(frame.status, 303, "{}", frame.body);
    let header = |text: &reqwest::header::HeaderValue| text.to_str().expect("text").to_owned();
    (
        header(&frame.headers["location"]),
        header(&page.headers["content-security-policy"]),
    )
}

#[tokio::test]
async fn a_process_on_the_other_address_of_localhost_gets_no_frames_and_no_tokens() {
    let (_taken, port) = taken_elsewhere().await;
    let listen = format!("127.0.0.1:{port}");
    let world = World::start_with(|config| config.server.listen = listen.clone()).await;
    let (frame, policy) = framed(&world).await;
    assert!(
        frame.starts_with(&format!("http://{listen}/frame/")),
        "{frame}"
    );
    let frames = policy
        .split(';')
        .find(|part| part.trim().starts_with("frame-src"));
    let frames = frames.expect("whose frames the page holds");
    assert!(!frames.contains("localhost"), "{policy}");
    // The guest has an origin of its own all the same.
    let path = frame
        .strip_prefix(&format!("http://{listen}"))
        .expect("a path");
    let guest = world.send(world.get(path)).await;
    let policy = guest.headers["content-security-policy"]
        .to_str()
        .expect("text");
    assert!(
        policy.contains("sandbox allow-scripts allow-forms;"),
        "{policy}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_other_name_a_frame_is_drawn_all_the_same() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (_taken, port) = taken_elsewhere().await;
    let listen = format!("127.0.0.1:{port}");
    let world = World::start_with(|config| config.server.listen = listen).await;
    world.show(basket(), basket_props()).await;
    browser.open(&world.stage_url()).await;
    browser.see(Some("iframe"), ":is(th, td)", "Mug").await;
}

#[tokio::test]
async fn a_loopback_server_listens_on_both_addresses() {
    let world = World::start().await;
    let port = world.address().port();
    let (frame, _) = framed(&world).await;
    assert!(
        frame.starts_with(&format!("http://localhost:{port}/frame/")),
        "{frame}"
    );
    for name in ["[::1]", "127.0.0.1"] {
        let alive = reqwest::get(format!("http://{name}:{port}/health/live")).await;
        assert_eq!(alive.expect("an answer").status(), 200, "{name}");
        assert!(
            TcpListener::bind(format!("{name}:{port}")).await.is_err(),
            "{name}"
        );
    }
}

/// Starts a server and returns what it prints before it serves, and its log.
async fn banner(mut command: Command) -> (Child, String, Lines<BufReader<ChildStderr>>) {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("a server");
    let log = BufReader::new(child.stderr.take().expect("its log")).lines();
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let mut printed = String::new();
    let read = timeout(PATIENCE, async {
        while let Ok(Some(line)) = lines.next_line().await {
            let is_last = line.is_empty() && printed.contains("connect");
            printed.push_str(&line);
            printed.push('\n');
            if is_last {
                return;
            }
        }
    });
    read.await.expect("a banner");
    assert!(
        printed.contains("connect"),
        "{printed}{:?}",
        child.try_wait()
    );
    (child, printed, log)
}

#[tokio::test]
async fn the_banner_warns_about_a_process_that_could_be_mistaken_for_the_server() {
    let (_taken, port) = taken_elsewhere().await;
    let listen = format!("127.0.0.1:{port}");
    let (mut child, printed, _) = banner(proscenium(&["serve", "--listen", &listen])).await;
    assert!(
        printed.contains(&format!("[::1]:{port} cannot be listened on")),
        "{printed}"
    );
    assert!(
        printed.contains(&format!("framed from http://{listen}")),
        "{printed}"
    );
    child.kill().await.expect("an end");
    let (mut child, printed, _) = banner(proscenium(&["serve", "--listen", "127.0.0.1:0"])).await;
    assert!(!printed.contains("note"), "{printed}");
    child.kill().await.expect("an end");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_limit_of_open_files_is_raised_and_said_or_a_warning_is_printed() {
    let program = env!("CARGO_BIN_EXE_proscenium");
    let under = |limit: &str| {
        let mut command = Command::new("sh");
        let script = format!("{limit} && exec '{program}' serve --listen 127.0.0.1:0");
        command.args(["-c", &script]).kill_on_drop(true);
        remove_settings(&mut command);
        command.env("PROSCENIUM_STORE_EPHEMERAL", "true");
        command.env("PROSCENIUM_HTTP_CONNECTIONS_MAX", "1000");
        command
    };
    let (child, printed, mut log) = banner(under("ulimit -Sn 400")).await;
    assert!(!printed.contains("files may be open"), "{printed}");
    let said = timeout(PATIENCE, async {
        while let Some(line) = log.next_line().await.expect("a text") {
            if line.contains("as many files may be open as connections need") {
                return line;
            }
        }
        panic!("the log does not say so")
    });
    let said = said.await.expect("a line in time");
    assert!(said.contains("files=1256"), "{said}");
    let process = child.id().expect("a process");
    let limits = std::fs::read_to_string(format!("/proc/{process}/limits")).expect("limits");
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max open files"));
    let soft = line.and_then(|line| line.split_whitespace().nth(3));
    let soft: u64 = soft.and_then(|soft| soft.parse().ok()).expect("a number");
    assert!(soft >= 1_000, "{limits}");
    let (_child, printed, _) = banner(under("ulimit -Sn 400 && ulimit -Hn 500")).await;
    assert!(
        printed.contains("500 files may be open at a time"),
        "{printed}"
    );
}
