//! A changed gate file holds for the next request, as a whole or not at all.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStderr};
use tokio::time::timeout;

use super::site::{Folder, Site};
use crate::process::{failed, proscenium};
use crate::world::PATIENCE;

const GATE: &str = "schema: 1\nsources:\n  - { id: script, kind: mcp, SCRIPT }\n";
const STRICTER: &str = "schema: 1\nsources:\n  - { id: script, kind: mcp, SCRIPT, prefix: x_ }\n\
    governance: { rules: [{ match: \"get_*\", action: deny, description: closed }] }\n";

/// A server in a process of its own, whose log is read.
pub(super) struct Served {
    /// Ends with this.
    _process: Child,
    gate: String,
    log: Lines<BufReader<ChildStderr>>,
}

impl Served {
    pub(super) async fn start(folder: &Folder, gate: &str) -> Self {
        let file = folder.write(gate);
        let file = file.to_str().expect("a path");
        let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0", "--gate", file]);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut process = command.spawn().expect("a server");
        let mut banner = BufReader::new(process.stdout.take().expect("its output")).lines();
        let log = BufReader::new(process.stderr.take().expect("its log")).lines();
        loop {
            let line = timeout(PATIENCE, banner.next_line()).await;
            let line = line.expect("a banner").expect("text");
            let line = line.expect("the address of the gate");
            if let Some(url) = line.trim().strip_prefix("gate ") {
                let gate = url.trim().to_owned();
                return Self {
                    _process: process,
                    gate,
                    log,
                };
            }
        }
    }

    /// Waits until the log says that a file was not read anew, and why.
    pub(super) async fn complaint(&mut self) -> String {
        let found = async {
            loop {
                let line = self.log.next_line().await.expect("text").expect("a log");
                if line.contains("was not read anew") {
                    return line;
                }
            }
        };
        timeout(PATIENCE, found).await.expect("a line in time")
    }

    /// The tools that it lists.
    pub(super) async fn names(&self) -> Vec<String> {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        let http = reqwest::Client::new();
        let answer = http.post(&self.gate).json(&body).send().await;
        let answer: Value = answer.expect("an answer").json().await.expect("JSON");
        let tools = answer["result"]["tools"].as_array();
        let tools = tools.unwrap_or_else(|| panic!("{answer}")).iter();
        tools
            .map(|tool| tool["name"].as_str().expect("a name").to_owned())
            .collect()
    }
}

#[tokio::test]
async fn a_changed_file_changes_the_rules_and_keeps_the_servers() {
    let site = Site::start(GATE).await;
    assert!(
        site.names("tools")
            .await
            .contains(&"get_weather".to_owned())
    );
    site.folder.write(STRICTER);
    let changed = async { while site.names("tools").await[0] != "x_delete_file" {} };
    timeout(PATIENCE, changed).await.expect("a change in time");
    let answer = site.call("x_get_weather", json!({})).await;
    assert_eq!(answer["error"]["data"]["reason"], "closed", "{answer}");
    let answer = site.call("get_weather", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
    let notes = site.folder.notes();
    let starts = notes.lines().filter(|line| line.starts_with("pid "));
    assert_eq!(starts.count(), 1, "it was not started again");
}

#[tokio::test]
async fn a_tool_that_a_server_adds_and_one_it_drops_are_noticed() {
    let site = Site::start(GATE).await;
    assert!(site.names("tools").await.contains(&"forge".to_owned()));
    site.folder.list_tools(&["get_weather", "brand_new"]);
    assert_eq!(
        site.names("tools").await,
        ["get_weather", "brand_new", "on_page_two"]
    );
    let answer = site.call("brand_new", json!({})).await;
    assert_eq!(answer["result"]["content"][0]["text"], "Done", "{answer}");
    let answer = site.call("forge", json!({})).await;
    assert_eq!(answer["error"]["code"], -32601, "{answer}");
}

#[tokio::test]
async fn a_file_in_which_anything_is_wrong_changes_nothing() {
    let folder = Folder::new();
    let mut served = Served::start(&folder, GATE).await;
    folder.write(&STRICTER.replace("schema: 1", "schema: 2\ncolour: red"));
    let complaint = served.complaint().await;
    assert!(
        complaint.contains("schema: 2 is unknown") && complaint.contains("colour"),
        "{complaint}"
    );
    assert_eq!(served.names().await[0], "get_weather");
}

#[tokio::test]
async fn a_file_is_checked_without_starting_anything() {
    let folder = Folder::new();
    let file = folder.write(GATE);
    let path = file.to_str().expect("a path");
    let sound = proscenium(&["gate", "check", path]).output().await;
    assert!(sound.expect("a process").status.success());
    assert_eq!(folder.notes(), "", "it was started");
    folder.write("schema: 3\nsources: [{ id: _a, kind: mcp, url: \"x\" }]\n");
    for arguments in [
        vec!["gate", "check", path],
        vec!["serve", "--listen", "127.0.0.1:0", "--gate", path],
    ] {
        let (code, lines) = failed(&arguments).await;
        let text = lines.join("\n");
        assert_eq!(code, 78, "{arguments:?}: {text}");
        for problem in ["schema: 3 is unknown", "(V-002)", "(V-008)"] {
            assert!(text.contains(problem), "{arguments:?}: {text}");
        }
    }
    let (code, lines) = failed(&["gate", "check", "/nowhere/gate.yaml"]).await;
    assert_eq!(code, 66, "{lines:?}");
}

#[tokio::test]
async fn calls_that_race_with_changed_files_are_made_or_refused_as_one_of_them_says() {
    let site = Site::start(GATE).await;
    let stricter = GATE.to_owned()
        + "governance: { rules: [{ match: \"get_*\", action: deny, description: closed }] }\n";
    let is_over = std::sync::atomic::AtomicBool::new(false);
    let calling = async || {
        let mut made = 0;
        while !is_over.load(std::sync::atomic::Ordering::SeqCst) {
            let answer = site.call("get_weather", json!({})).await;
            if answer["result"].is_object() {
                made += 1;
            } else {
                assert_eq!(answer["error"]["data"]["reason"], "closed", "{answer}");
            }
        }
        made
    };
    let changing = async {
        for _ in 0..2 {
            for (text, is_denied) in [(&*stricter, true), (GATE, false)] {
                site.folder.write(text);
                let holds = async {
                    let listed = async || {
                        site.names("tools")
                            .await
                            .contains(&"get_weather".to_owned())
                    };
                    while listed().await == is_denied {}
                };
                timeout(PATIENCE, holds).await.expect("a change in time");
            }
        }
        is_over.store(true, std::sync::atomic::Ordering::SeqCst);
    };
    let (first, second, ()) = tokio::join!(calling(), calling(), changing);
    assert_eq!(site.folder.calls("get_weather"), first + second);
}
