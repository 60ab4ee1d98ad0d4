//! `proscenium stdio` as a client uses it: a real process, with messages as lines.

mod joined;

use std::process::Stdio;

use rmcp::ServiceExt as _;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::time::timeout;

use crate::contracts;
use crate::process::proscenium;
use crate::world::PATIENCE;

/// A process that exchanges messages as lines.
pub(crate) struct Peer {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    /// The address of the stage, from stderr.
    stage: String,
}

impl Peer {
    pub(crate) async fn start(arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        Self::run(&[&["stdio"], arguments].concat(), settings).await
    }

    /// The same of any verb that exchanges lines.
    pub(crate) async fn run(arguments: &[&str], settings: &[(&str, &str)]) -> Self {
        let mut command = proscenium(arguments);
        command
            .envs(settings.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("a process");
        let output = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut said = BufReader::new(child.stderr.take().expect("its log")).lines();
        let stage = timeout(PATIENCE, async {
            while let Some(line) = said.next_line().await.expect("text") {
                if let Some((_, stage)) = line.split_once("the stage is at ") {
                    return stage.to_owned();
                }
            }
            panic!("it does not say where the stage is")
        });
        let stage = stage.await.expect("a stage in time");
        // The log is read continuously, because its pipe would fill up otherwise.
        tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
        Self {
            input: child.stdin.take(),
            child,
            output,
            stage,
        }
    }

    async fn send_text(&mut self, line: &str) {
        let input = self.input.as_mut().expect("an input");
        input.write_all(line.as_bytes()).await.expect("a line");
        input.write_all(b"\n").await.expect("its end");
        input.flush().await.expect("all of it");
    }

    pub(crate) async fn send(&mut self, message: Value) {
        self.send_text(&message.to_string()).await;
    }

    /// The next line, which is always a message.
    pub(crate) async fn next(&mut self) -> Value {
        let line = timeout(PATIENCE, self.output.next_line()).await;
        let line = line.expect("a line in time").expect("text");
        let message: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let mut parts = message.as_array().into_iter().flatten();
        assert!(
            message["jsonrpc"] == "2.0" || parts.all(|part| part["jsonrpc"] == "2.0"),
            "{message}"
        );
        message
    }

    pub(crate) async fn ask(&mut self, id: u64, method: &str, params: Value) -> Value {
        self.send(json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        let answer = self.next().await;
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    async fn tool(&mut self, id: u64, name: &str, arguments: Value) -> Value {
        let params = json!({"name": name, "arguments": arguments});
        let answer = self.ask(id, "tools/call", params).await;
        answer["result"]["structuredContent"].clone()
    }

    /// Renders a session and returns its id.
    async fn show(&mut self) -> String {
        let draft = json!({"contract": contracts::basket()});
        let arguments = json!({"intent": "A test", "blueprintDraft": draft});
        let agreed = self.tool(1001, "ggui_handshake", arguments).await;
        let arguments =
            json!({"handshakeId": agreed["handshakeId"], "props": contracts::basket_props()});
        let shown = self.tool(1002, "ggui_render", arguments).await;
        shown["sessionId"].as_str().expect("a session").to_owned()
    }

    /// Returns once this many calls are pending at the server.
    async fn until_held(&self, count: usize) {
        let line = format!("\nproscenium_held_calls {count}\n");
        let metrics = format!("{}metrics", self.stage);
        let counted = timeout(PATIENCE, async {
            loop {
                let page = reqwest::get(&metrics).await.expect("an answer");
                if page.text().await.expect("a page").contains(&line) {
                    return;
                }
            }
        });
        counted.await.expect("so many in time");
    }

    /// Submits an action; returns the ids of the actions an agent then consumes.
    async fn click(&mut self, session: &str, id: &str) -> Vec<String> {
        let click = json!({
            "kind": "dispatch",
            "payload": {"intent": "checkout", "actionData": null, "uiContext": {}},
            "sessionId": session, "appId": "builder", "actionId": id,
            "firedAt": "2026-08-23T10:00:00.000Z",
        });
        let accepted = self.tool(1101, "ggui_runtime_submit_action", click).await;
        assert_eq!(accepted["ok"], true, "{accepted}");
        let look = json!({"sessionId": session});
        let taken = self.tool(1102, "ggui_consume", look).await;
        let ids = taken["events"].as_array().expect("events").iter();
        ids.map(|event| event["actionId"].as_str().expect("an id").to_owned())
            .collect()
    }

    /// Closes the input and returns what was still received.
    pub(crate) async fn end(mut self) -> String {
        drop(self.input.take());
        let mut rest = String::new();
        let mut output = self.output.into_inner();
        let read = timeout(PATIENCE, output.read_to_string(&mut rest));
        read.await.expect("an end in time").expect("text");
        let status = timeout(PATIENCE, self.child.wait()).await.expect("an end");
        assert!(status.expect("a status").success());
        rest
    }
}

/// Where one listens that joins no other.
pub(crate) const OWN: [&str; 2] = ["--listen", "127.0.0.1:0"];

#[tokio::test]
async fn a_client_that_only_starts_processes_has_tools_and_a_stage_until_its_input_ends() {
    let mut peer = Peer::start(&OWN, &[]).await;
    let hello = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    });
    let answer = peer.ask(1, "initialize", hello).await;
    assert_eq!(answer["result"]["protocolVersion"], "2025-11-25");
    // Notifications and empty lines get no response: the next line answers the request after them.
    peer.send(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
        .await;
    peer.send_text("").await;
    let tools = peer.ask(2, "tools/list", json!({})).await;
    assert!(tools["result"]["tools"].as_array().expect("tools").len() >= 7);
    let session = peer.show().await;
    let page = reqwest::get(&peer.stage).await.expect("a stage");
    assert_eq!(page.status(), 200);
    let read = peer
        .tool(3, "ggui_get_session", json!({"sessionId": session}))
        .await;
    assert_eq!(read["status"], "active", "{read}");
    assert_eq!(peer.end().await, "");
}

#[tokio::test]
async fn a_line_is_answered_by_the_rules_of_the_era_it_names() {
    let mut peer = Peer::start(&OWN, &[]).await;
    let meta = |version: &str| {
        json!({
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
        })
    };
    let unknown = json!({"name": "nope", "arguments": {}});
    let legacy = peer.ask(1, "tools/call", unknown.clone()).await;
    assert_eq!(legacy["error"]["code"], -32601);
    let mut modern = unknown;
    modern["_meta"] = meta("2026-07-28");
    let modern = peer.ask(2, "tools/call", modern).await;
    assert_eq!(modern["error"]["code"], -32602);
    let found = peer
        .ask(3, "server/discover", json!({"_meta": meta("2026-07-28")}))
        .await;
    assert_eq!(found["result"]["resultType"], "complete");
    let future = peer
        .ask(4, "tools/list", json!({"_meta": meta("2099-01-01")}))
        .await;
    assert_eq!(future["error"]["code"], -32022);
    peer.send(json!([
        {"jsonrpc": "2.0", "id": 5, "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 6, "method": "ping", "params": {"_meta": meta("2026-07-28")}},
    ]))
    .await;
    let batch = peer.next().await;
    assert_eq!(batch[0], json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
    assert_eq!(batch[1]["error"]["code"], -32600);
    assert_eq!(batch.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn changes_are_notified_between_responses_until_the_subscription_is_cancelled() {
    let mut peer = Peer::start(&OWN, &[]).await;
    let session = peer.show().await;
    let uri = format!("ui://ggui/render/{session}");
    let params = json!({
        "notifications": {"resourceSubscriptions": [uri]},
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        },
    });
    peer.send(
        json!({"jsonrpc": "2.0", "id": 7, "method": "subscriptions/listen", "params": params}),
    )
    .await;
    let notice = peer.next().await;
    assert_eq!(notice["method"], "notifications/subscriptions/acknowledged");
    let key = "io.modelcontextprotocol/subscriptionId";
    assert_eq!(notice["params"]["_meta"][key], 7, "{notice}");
    let amend = |note: &str| {
        let patch = json!({"sessionId": session, "kind": "merge", "patch": {"note": note}});
        json!({"name": "ggui_amend", "arguments": patch})
    };
    peer.send(json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": amend("x")}))
        .await;
    // In either order.
    let both = [peer.next().await, peer.next().await];
    let notice = both.iter().find(|message| message["id"].is_null());
    let notice = notice.expect("word of the change");
    assert_eq!(notice["method"], "notifications/resources/updated");
    assert_eq!(
        (&notice["params"]["uri"], &notice["params"]["_meta"][key]),
        (&json!(uri), &json!(7))
    );
    peer.send(json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7},
    }))
    .await;
    let amended = peer.ask(9, "tools/call", amend("y")).await;
    assert_eq!(amended["result"]["structuredContent"]["updated"], true);
    assert_eq!(peer.end().await, "", "nothing more is told");
}

#[tokio::test]
async fn a_subscription_is_told_of_changes_between_responses_until_it_is_ended() {
    let mut peer = Peer::start(&OWN, &[]).await;
    let session = peer.show().await;
    let uri = json!({"uri": format!("ui://ggui/render/{session}")});
    let begun = peer.ask(7, "resources/subscribe", uri.clone()).await;
    assert_eq!(begun["result"], json!({}), "{begun}");
    let amend = |note: &str| {
        let patch = json!({"sessionId": session, "kind": "merge", "patch": {"note": note}});
        json!({"name": "ggui_amend", "arguments": patch})
    };
    peer.send(json!({"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": amend("x")}))
        .await;
    // In either order.
    let both = [peer.next().await, peer.next().await];
    let notice = both.iter().find(|message| message["id"].is_null());
    let notice = notice.expect("word of the change");
    assert_eq!(notice["method"], "notifications/resources/updated");
    assert_eq!(notice["params"], uri);
    let ended = peer.ask(9, "resources/unsubscribe", uri).await;
    assert_eq!(ended["result"], json!({}));
    let amended = peer.ask(10, "tools/call", amend("y")).await;
    assert_eq!(amended["result"]["structuredContent"]["updated"], true);
    assert_eq!(peer.end().await, "", "nothing more is told");
}

#[tokio::test]
async fn a_malformed_or_too_long_line_is_answered_and_the_next_one_is_read() {
    let mut peer = Peer::start(&OWN, &[("PROSCENIUM_STDIO_LINE_BYTES_MAX", "1000")]).await;
    peer.send_text("{nope").await;
    let refused = peer.next().await;
    assert_eq!(
        (&refused["error"]["code"], &refused["id"]),
        (&json!(-32700), &Value::Null)
    );
    for length in [1001, 5_000, 200_000] {
        let long = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#,
            "x".repeat(length)
        );
        peer.send_text(&long).await;
        let refused = peer.next().await;
        assert_eq!(
            refused["error"]["data"]["code"], "PAYLOAD_TOO_LARGE",
            "{refused}"
        );
        assert_eq!(refused["id"], Value::Null);
        let answer = peer.ask(2, "ping", json!({})).await;
        assert_eq!(answer["result"], json!({}));
    }
}

#[tokio::test]
async fn a_wait_for_the_person_does_not_block_and_can_be_cancelled() {
    let mut peer = Peer::start(&OWN, &[("PROSCENIUM_STDIO_OPEN_MAX", "1")]).await;
    waits_and_cancels(&mut peer).await;
    let answer = peer.ask(13, "ping", json!({})).await;
    assert_eq!(answer["result"], json!({}), "its place is free again");
}

/// Starts a wait that reports progress, exceeds the limit of open requests where there is one, and
/// cancels the wait.
async fn waits_and_cancels(peer: &mut Peer) {
    let session = peer.show().await;
    let params = json!({
        "name": "ggui_consume",
        "arguments": {"sessionId": session, "timeout": 25},
        "_meta": {"progressToken": "t"},
    });
    peer.send(json!({"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": params}))
        .await;
    let notice = peer.next().await;
    assert_eq!(notice["method"], "notifications/progress", "{notice}");
    let answer = peer.ask(11, "ping", json!({})).await;
    let is_expected = answer["error"]["code"] == -32013 || answer["result"] == json!({});
    assert!(is_expected, "{answer}");
    let taken_back = |id: u64| {
        let params = json!({"requestId": id});
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
    };
    peer.send(taken_back(10)).await;
    peer.until_held(0).await;
    assert_eq!(peer.click(&session, "gesture-1").await, ["gesture-1"]);

    // The same for one request of a batch.
    let params =
        json!({"name": "ggui_consume", "arguments": {"sessionId": session, "timeout": 25}});
    let wait = json!({"jsonrpc": "2.0", "id": 20, "method": "tools/call", "params": params});
    let ping = json!({"jsonrpc": "2.0", "id": 21, "method": "ping"});
    peer.send(json!([wait, ping])).await;
    peer.until_held(1).await;
    peer.send(json!([taken_back(20)])).await;
    let answers = peer.next().await;
    let given = &answers[0]["result"]["structuredContent"];
    assert_eq!(given["events"], json!([]), "{answers}");
    assert_eq!(peer.click(&session, "gesture-2").await, ["gesture-2"]);
}

#[tokio::test]
async fn the_end_of_the_input_cancels_waits_and_answers_the_rest() {
    let mut peer = Peer::start(&OWN, &[]).await;
    let session = peer.show().await;
    let params =
        json!({"name": "ggui_consume", "arguments": {"sessionId": session, "timeout": 25}});
    peer.send(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}))
        .await;
    peer.send(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))
        .await;
    let rest = peer.end().await;
    let lines: Vec<Value> = rest
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 1, "{rest}");
    assert_eq!(lines[0]["id"], 2);
}

#[tokio::test]
async fn the_official_client_starts_it_as_a_process() {
    let command = proscenium(&["stdio", "--listen", "127.0.0.1:0"]);
    let (transport, _) = TokioChildProcess::builder(command)
        .stderr(Stdio::null())
        .spawn()
        .expect("a process");
    let client = ().serve(transport).await.expect("a session");
    let tools = client.list_all_tools().await.expect("tools");
    assert!(tools.iter().any(|tool| tool.name == "ggui_render"));
    let gone = json!({"sessionId": "nobody"});
    let mut params = CallToolRequestParams::new("ggui_get_session");
    params.arguments = gone.as_object().cloned();
    let result = client.call_tool(params).await.expect("a result");
    assert_eq!(result.is_error, Some(true));
    client.cancel().await.expect("an end");
}
