//! A server as a process of its own that keeps its data in a folder: it can be killed and started
//! again.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::event_stream::EventStream;
use crate::process::{announced, proscenium};
use crate::redis_server::signal;
use crate::world::{Answer, PATIENCE, answer};

/// How long a client waits before it asks another server: longer than any call of a test takes on a
/// busy machine.
const ANSWERED_WITHIN: Duration = Duration::from_secs(20);

/// A process that serves.
pub(crate) struct Node {
    pub(crate) child: Child,
    pub(crate) client: Client,
    /// Where its data lies, if that is to be sound whenever it stops.
    folder: Option<PathBuf>,
}

/// What talks to it; it stays when the process is gone.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) mcp: String,
    http: reqwest::Client,
}

/// The program with its data in a folder.
pub(crate) fn stored(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = proscenium(arguments);
    command.env_remove("PROSCENIUM_STORE_EPHEMERAL");
    command.arg("--data").arg(folder);
    command
}

impl Node {
    pub(crate) async fn start(folder: &Path) -> Self {
        let mut node = Self::run(stored(folder, &["serve", "--listen", "127.0.0.1:0"])).await;
        node.folder = Some(folder.to_owned());
        node
    }

    /// The server that a command starts.
    pub(crate) async fn run(command: Command) -> Self {
        let (child, mcp) = announced(command).await;
        let http = reqwest::Client::new();
        Self {
            child,
            client: Client { mcp, http },
            folder: None,
        }
    }

    pub(crate) fn process(&self) -> String {
        self.child.id().expect("a process").to_string()
    }

    /// Sends it a signal.
    pub(crate) async fn signal(&self, name: &str) {
        signal(&self.child, name).await;
    }

    /// Kills it, as a crash would.
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.expect("an end");
    }

    /// Ends it in order. It fails where its sessions differ from what their stored events come to.
    pub(crate) async fn stop(mut self) {
        self.signal("TERM").await;
        let status = timeout(PATIENCE, self.child.wait()).await;
        assert!(status.expect("an end").expect("a status").success());
        if let Some(folder) = &self.folder {
            assert_sound(folder).await;
        }
    }
}

/// Reads everything in a folder, and folds every session of it.
pub(crate) async fn assert_sound(folder: &Path) {
    let checked = stored(folder, &["data", "check"]).output().await;
    let checked = checked.expect("a process");
    let text = String::from_utf8_lossy(&checked.stderr);
    assert!(checked.status.success(), "{text}");
}

impl Client {
    pub(crate) fn url(&self, path: &str) -> String {
        self.mcp.replace("/mcp", path)
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        answer(self.http.get(self.url(path))).await
    }

    /// What the stage is sent: its sessions, then a row for whatever happened.
    pub(crate) async fn feed(&self) -> EventStream {
        let response = self.http.get(self.url("/stage/feed")).send().await;
        EventStream::of(response.expect("an answer"))
    }

    /// A tool call, with an idempotency key where one is given.
    pub(crate) async fn keyed(&self, key: Option<&str>, tool: &str, arguments: &Value) -> Answer {
        let mut request = self.http.post(&self.mcp).json(&body(tool, arguments));
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        answer(request).await
    }

    /// The structured result of a tool that must succeed.
    pub(crate) async fn tool(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.keyed(None, tool, &arguments).await;
        let result = &answer.body["result"];
        let is_ok = answer.body["error"].is_null() && result["isError"] != true;
        assert!(is_ok, "{tool}: {}", answer.body);
        result["structuredContent"].clone()
    }

    /// The structured result of a tool, where the server lives long enough to give it.
    pub(crate) async fn attempt(&self, tool: &str, arguments: Value) -> Option<Value> {
        let request = self.http.post(&self.mcp).json(&body(tool, &arguments));
        let response = request.timeout(PATIENCE).send().await.ok()?;
        let answer: Value = response.json().await.ok()?;
        let result = &answer["result"];
        let is_ok = answer["error"].is_null() && result["isError"] != true;
        assert!(is_ok, "{tool}: {answer}");
        Some(result["structuredContent"].clone())
    }

    /// Negotiates a contract and returns the handshake's id.
    pub(crate) async fn handshake(&self, contract: Value) -> Value {
        let draft = json!({ "contract": contract });
        let arguments = json!({"intent": "A test", "blueprintDraft": draft});
        self.tool("ggui_handshake", arguments).await["handshakeId"].clone()
    }

    /// The basket, rendered: the whole result.
    pub(crate) async fn show(&self) -> Value {
        self.show_as(basket(), basket_props()).await
    }

    /// The same with another contract.
    pub(crate) async fn show_as(&self, contract: Value, props: Value) -> Value {
        let handshake = self.handshake(contract).await;
        let arguments = json!({"handshakeId": handshake, "props": props});
        let rendered = self.keyed(None, "ggui_render", &arguments).await.body;
        assert!(rendered["error"].is_null(), "{rendered}");
        rendered["result"].clone()
    }

    /// The basket with a channel `tick` of texts, of which all are replayed: its session, and a token
    /// that opens it as long as it lives.
    pub(crate) async fn show_ticking(&self) -> (String, String) {
        let mut contract = basket();
        contract["streamSpec"] = json!({"tick": {"schema": {"type": "string"}, "replay": "all"}});
        let (id, token) = parts(&self.show_as(contract, basket_props()).await);
        let mut browser = self.knock(&id, &token).await;
        let ack = browser.subscribe(json!({})).await;
        let token = ack["payload"]["sessionToken"].as_str();
        (id, token.unwrap_or_else(|| panic!("{ack}")).to_owned())
    }

    /// A browser with a token, which is not subscribed yet.
    pub(crate) async fn knock(&self, session: &str, token: &str) -> Browser {
        let url = self.url("/ws").replacen("http", "ws", 1);
        let socket = connect_async(format!("{url}?wsToken={token}")).await;
        Browser::on(socket.expect("a socket").0, session, token)
    }

    /// The same, where the server is there.
    pub(crate) async fn try_knock(&self, session: &str, token: &str) -> Option<Browser> {
        let url = self.url("/ws").replacen("http", "ws", 1);
        let opened = connect_async(format!("{url}?wsToken={token}"));
        // A server that is stopped takes connections and answers nothing.
        let socket = timeout(ANSWERED_WITHIN, opened).await.ok()?;
        Some(Browser::on(socket.ok()?.0, session, token))
    }

    /// The answer of a call, where the server gives one in time.
    pub(crate) async fn try_keyed(
        &self,
        key: &str,
        tool: &str,
        arguments: &Value,
    ) -> Option<Value> {
        let request = self.http.post(&self.mcp).json(&body(tool, arguments));
        let request = request
            .header("idempotency-key", key)
            .timeout(ANSWERED_WITHIN);
        request.send().await.ok()?.json().await.ok()
    }

    /// The ledger of a session after a position.
    pub(crate) async fn ledger(&self, session: &str, token: &str, after: u64) -> Vec<Value> {
        let (mut rows, mut after) = (Vec::new(), after);
        loop {
            let path = format!(
                "/api/sessions/{session}/events?wsToken={token}&limit=500&sinceSequence={after}"
            );
            let page = self.get(&path).await.body;
            let more = page["events"].as_array();
            rows.extend(more.unwrap_or_else(|| panic!("{page}")).iter().cloned());
            if page["hasMore"] != true {
                return rows;
            }
            let last = rows.last().and_then(|row| row["seq"].as_u64());
            after = last.expect("a position");
        }
    }
}

fn body(tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
}

/// The session of a render, and the token of its live channel.
pub(crate) fn parts(shown: &Value) -> (String, String) {
    let slice = &shown["_meta"]["ai.ggui/render"];
    let text = |name: &str| slice[name].as_str().expect("a text").to_owned();
    (text("sessionId"), text("wsToken"))
}
