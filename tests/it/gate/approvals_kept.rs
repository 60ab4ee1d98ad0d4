//! Approvals outlive their server, leave a trace of what was done, and none of what is secret.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use super::approvals::GATE;
use super::people::Person;
use super::site::Folder;
use crate::node::stored;
use crate::process::{failed, proscenium};
use crate::world::PATIENCE;

/// A server as a process, with a gate and a data folder.
pub(super) struct Served {
    child: Child,
    base: String,
    log: tokio::task::JoinHandle<String>,
    http: reqwest::Client,
}

impl Served {
    pub(super) async fn start(folder: &Folder) -> Self {
        Self::start_with(folder, &[]).await
    }

    /// The same with other limits of the gate.
    pub(super) async fn start_with(folder: &Folder, limits: &[(&str, &str)]) -> Self {
        let file = folder.path("gate.yaml");
        let file = file.to_str().expect("a path");
        let serve = ["serve", "--listen", "127.0.0.1:0", "--gate", file];
        let mut command = stored(&folder.path("data"), &serve);
        for (name, value) in [
            ("LOGGING_FORMAT", "json"),
            ("LOGGING_LEVEL", "trace"),
            ("LOGGING_ACCESS", "true"),
            ("GATE_LIST_WAIT_MS", "60000"),
            ("GATE_LIST_TTL_S", "0"),
            ("GATE_APPROVAL_HOLD_S", "0"),
        ] {
            command.env(format!("PROSCENIUM_{name}"), value);
        }
        for (name, value) in limits {
            command.env(format!("PROSCENIUM_GATE_{name}"), value);
        }
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("a server");
        let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut errors = child.stderr.take().expect("its log");
        let log = tokio::spawn(async move {
            let mut log = Vec::new();
            errors.read_to_end(&mut log).await.expect("a log");
            String::from_utf8_lossy(&log).into_owned()
        });
        let found = timeout(PATIENCE, async {
            while let Ok(Some(line)) = lines.next_line().await {
                if let Some(url) = line.trim().strip_prefix("mcp ") {
                    return url.trim().trim_end_matches("/mcp").to_owned();
                }
            }
            panic!("no address in the banner")
        });
        Self {
            child,
            base: found.await.expect("a banner"),
            log,
            http: reqwest::Client::new(),
        }
    }

    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.rpc("tools/call", params).await
    }

    /// Lists the tools.
    pub(super) async fn list(&self) -> Value {
        self.rpc("tools/list", json!({})).await
    }

    async fn rpc(&self, method: &str, params: Value) -> Value {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = self.http.post(format!("{}/mcp/gate", self.base));
        let answer = request.json(&body).timeout(PATIENCE).send().await;
        answer.expect("an answer").json().await.expect("JSON")
    }

    pub(super) fn person(&self) -> Person {
        Person::at(&self.base)
    }

    /// Where the stage is.
    pub(super) fn stage_url(&self) -> String {
        format!("{}/", self.base)
    }

    /// Kills it, as a crash would; what it has logged.
    pub(super) async fn kill(mut self) -> String {
        self.child.kill().await.expect("an end");
        self.log.await.expect("a log")
    }

    /// Ends it in order.
    pub(super) async fn stop(mut self) {
        let process = self.child.id().expect("a process").to_string();
        let sent = Command::new("kill").args(["-TERM", &process]).status();
        assert!(sent.await.expect("kill").success());
        let status = timeout(PATIENCE, self.child.wait()).await;
        assert!(status.expect("an end").expect("a status").success());
    }
}

/// What `proscenium gate audit` prints, a row a line.
pub(super) async fn audit(folder: &Folder) -> Vec<Value> {
    let data = folder.path("data");
    let data = data.to_str().expect("a path");
    let output = proscenium(&["gate", "audit", "--data", data]).output();
    let output = timeout(PATIENCE, output).await.expect("an end");
    let output = output.expect("a process");
    let text = String::from_utf8(output.stdout).expect("text");
    let failed = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{failed}");
    let rows = text.lines();
    rows.map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

pub(super) fn folder() -> Folder {
    let folder = Folder::new();
    folder.write(GATE);
    folder
}

pub(super) fn events(rows: &[Value]) -> Vec<&str> {
    let events = rows.iter();
    events
        .map(|row| row["event"].as_str().expect("an event"))
        .collect()
}

#[tokio::test]
async fn a_card_outlives_a_kill_and_is_answered_after_it() {
    let folder = folder();
    let server = Served::start(&folder).await;
    let arguments = json!({"path": "/a"});
    let first = server.call("s_delete_file", arguments.clone()).await;
    assert_eq!(first["error"]["data"]["state"], "pending", "{first}");
    let session = server.person().card().await.session;
    server.kill().await;
    let server = Served::start(&folder).await;
    let person = server.person();
    assert_eq!(person.cards().await, std::slice::from_ref(&session));
    let mut card = person.open(&session).await;
    card.approve().await;
    // Whether the agent is there or not.
    card.says("approved").await;
    server.kill().await;
    let server = Served::start(&folder).await;
    let mut answer = server.call("s_delete_file", arguments.clone()).await;
    while answer["error"]["data"]["state"] == "pending" {
        answer = server.call("s_delete_file", arguments.clone()).await;
    }
    assert_eq!(answer["result"]["content"][0]["text"], "Done", "{answer}");
    assert_eq!(folder.calls("delete_file"), 1);
    let card = server.person().open(&session).await;
    card.says("done").await;
    let rows = audit(&folder).await;
    assert_eq!(
        events(&rows),
        ["proposed", "decided", "executed", "returned"]
    );
    assert_eq!(rows[0]["tool"], "delete_file");
    assert_eq!(rows[0]["source"], "script");
    assert_eq!(rows[0]["caller"], "builder");
    assert_eq!(rows[1]["state"], "approved");
    assert_eq!(rows[3]["state"], "done");
    assert!(rows.iter().all(|row| row["session"] == session.as_str()));
    assert_eq!(rows[3]["previous"], rows[2]["hash"]);
    // The approval was good once, after a restart, too.
    server.stop().await;
    let server = Served::start(&folder).await;
    let again = server.call("s_delete_file", arguments).await;
    assert_eq!(again["error"]["data"]["state"], "pending", "{again}");
    assert_eq!(folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn a_call_in_the_middle_of_which_the_server_dies_is_told_as_unknown_and_not_made_again() {
    let folder = folder();
    let server = Served::start(&folder).await;
    server.call("s_hang", json!({})).await;
    let mut card = server.person().card().await;
    card.approve().await;
    card.says("approved").await;
    let held = server.call("s_hang", json!({}));
    let begun = folder.noted("\"hang\"");
    tokio::select! {
        answer = held => assert_eq!(answer["error"]["data"]["state"], "pending", "{answer}"),
        () = begun => {}
    }
    folder.noted("\"hang\"").await;
    let session = card.session.clone();
    server.kill().await;
    let server = Served::start(&folder).await;
    let card = server.person().open(&session).await;
    card.says("unknown").await;
    let calls = folder.calls("hang");
    assert_eq!(calls, 1);
    assert_eq!(events(&audit(&folder).await)[2..], ["executed", "returned"]);
    // The same call is another question.
    let answer = server.call("s_hang", json!({})).await;
    assert_eq!(answer["error"]["data"]["state"], "pending", "{answer}");
    assert_eq!(folder.calls("hang"), calls);
    assert_eq!(server.person().cards().await.len(), 2);
}

#[tokio::test]
async fn an_audit_that_somebody_changed_is_found_out_and_nothing_is_asked_on_top_of_it() {
    let folder = folder();
    let server = Served::start(&folder).await;
    for path in ["/a", "/b"] {
        server.call("s_delete_file", json!({ "path": path })).await;
    }
    server.stop().await;
    assert_eq!(events(&audit(&folder).await), ["proposed", "proposed"]);
    let file = folder.path("data").join("gate-audit.jsonl");
    let text = std::fs::read_to_string(&file).expect("a file");
    let changed = text.replacen("delete_file", "create_file", 1);
    std::fs::write(&file, changed).expect("a file");
    let data = folder.path("data");
    let data = data.to_str().expect("a path");
    let (code, lines) = failed(&["gate", "audit", "--data", data]).await;
    assert_eq!(code, 66, "{lines:?}");
    assert!(
        lines[0].contains("row 1 is not as it was written"),
        "{lines:?}"
    );
    let gate = folder.path("gate.yaml");
    let gate = gate.to_str().expect("a path");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--gate", gate];
    let mut command = stored(&folder.path("data"), &serve);
    let output = timeout(PATIENCE, command.output()).await.expect("an end");
    let output = output.expect("a process");
    assert_eq!(output.status.code(), Some(66));
}

#[tokio::test]
async fn a_secret_in_arguments_is_in_no_log_card_audit_row_or_error() {
    const CANARY: &str = "canary-5f3c9a7e";
    let folder = folder();
    let server = Served::start(&folder).await;
    let arguments = json!({
        "path": "/a",
        "password": CANARY,
        "card": {"number": CANARY},
        "headers": [{"Authorization": CANARY}],
        "api_key": {"deep": [CANARY]},
    });
    let mut outputs = Vec::new();
    let person = server.person();
    for (tool, decision) in [
        ("s_delete_file", "approve"),
        ("s_delete_file", "reject"),
        ("s_forge", "approve"),
    ] {
        outputs.push(server.call(tool, arguments.clone()).await);
        let mut card = person.card().await;
        outputs.push(card.props().await);
        assert!(
            outputs[outputs.len() - 1]
                .to_string()
                .contains("[REDACTED]")
        );
        if decision == "approve" {
            card.approve().await;
            card.says("approved").await;
            while outputs[outputs.len() - 1]["error"]["data"]["state"] == "pending"
                || outputs[outputs.len() - 1]["jsonrpc"].is_null()
            {
                outputs.push(server.call(tool, arguments.clone()).await);
            }
        } else {
            card.reject("no").await;
            outputs.push(card.says("rejected").await);
        }
        let path = format!(
            "/api/sessions/{}/events?wsToken={}&sinceSequence=0",
            card.session, card.token
        );
        let ledger = person.get(&path).send().await.expect("an answer");
        outputs.push(ledger.json().await.expect("JSON"));
    }
    outputs.extend(audit(&folder).await);
    let calls = folder.notes();
    assert!(calls.contains(CANARY), "the tool itself gets it");
    let log = server.kill().await;
    assert!(log.len() > 1_000, "it logs");
    assert!(!log.contains(CANARY), "in the log");
    for output in outputs {
        assert!(!output.to_string().contains(CANARY), "{output}");
    }
    for file in std::fs::read_dir(folder.path("data")).expect("a folder") {
        let file = file.expect("a file").path();
        let bytes = std::fs::read(&file).expect("a file");
        let found = bytes
            .windows(CANARY.len())
            .any(|part| part == CANARY.as_bytes());
        assert!(!found, "{}", file.display());
    }
}
