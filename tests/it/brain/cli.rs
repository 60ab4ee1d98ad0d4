//! `proscenium brain`: the tools of the page store as verbs, and pages as files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;

use crate::node::{Node, stored};
use crate::process::failed;
use crate::stdio::Peer;

/// What a verb came to.
struct Done {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Done {
    #[track_caller]
    fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{}", self.err);
        serde_json::from_str(&self.out).expect("JSON")
    }
}

/// Runs a verb above a folder of data.
async fn brain(data: &Path, arguments: &[&str], input: &str) -> Done {
    let mut command = stored(data, &[&["brain"], arguments].concat());
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("a process");
    let mut stdin = child.stdin.take().expect("its input");
    // A verb that reads none may have ended before.
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    let output = child.wait_with_output().await.expect("an end");
    Done {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).expect("text"),
        err: String::from_utf8(output.stderr).expect("text"),
    }
}

#[tokio::test]
async fn each_tool_is_a_verb_with_its_arguments() {
    let data = TempDir::new().expect("a folder");
    let data = data.path();
    let made = brain(
        data,
        &["put", "people/ida", "-"],
        "Runs [[companies/acme]].",
    )
    .await;
    assert_eq!(
        (made.code, made.out.as_str()),
        (Some(0), "Created default::people/ida (version 1)\n"),
        "{}",
        made.err
    );
    let made = brain(data, &["put", "companies/acme", "Anvils.", "--json"], "").await;
    assert_eq!(made.json()["version"], 1);
    let read = brain(data, &["get", "people/ida"], "").await;
    assert!(
        read.out.contains("\nRuns [[companies/acme]].\n"),
        "{}",
        read.out
    );
    let arguments = ["put", "people/ida", "Left.", "--expected-version", "1"];
    assert_eq!(brain(data, &arguments, "").await.code, Some(0));
    let found = brain(data, &["search", "anvils", "--limit", "1", "--json"], "").await;
    assert_eq!(
        found.json()["results"][0]["slug"],
        "default::companies/acme"
    );
    let arguments = [
        "tags",
        "people/ida",
        "--add",
        "vip",
        "--add",
        "old",
        "--json",
    ];
    let tags = brain(data, &arguments, "").await;
    assert_eq!(tags.json()["tags"], json!(["old", "vip"]));
    let raw = [
        "raw",
        "people/ida",
        "meeting",
        r#"{"at": "noon"}"#,
        "--json",
    ];
    assert!(brain(data, &raw, "").await.json().is_object());
    let raw = [
        "raw",
        "people/ida",
        "meeting",
        "{}",
        "--overwrite",
        "--json",
    ];
    assert!(brain(data, &raw, "").await.json().is_object());
    let arguments = ["link", "people/ida", "companies/acme", "works_at", "--json"];
    let link = brain(data, &arguments, "").await.json()["id"].to_string();
    let closed = brain(data, &["link-close", &link, "2026-05"], "").await;
    assert_eq!(closed.code, Some(0), "{}", closed.err);
    let listed = brain(data, &["list", "--json"], "").await;
    assert_eq!(listed.json()["pages"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn what_is_refused_is_one_line_and_has_an_exit_code() {
    let data = TempDir::new().expect("a folder");
    let data = data.path();
    let missing = brain(data, &["get", "people/bob"], "").await;
    assert_eq!(
        (missing.code, missing.err.as_str()),
        (Some(1), "proscenium: page not found: people/bob\n")
    );
    assert_eq!(missing.out, "");
    brain(data, &["put", "people/ida", "One."], "").await;
    let stale = brain(data, &["put", "people/ida", "Two.", "--json"], "").await;
    assert_eq!(stale.code, Some(1), "{}", stale.err);
    assert!(stale.err.contains("expected_version"), "{}", stale.err);
    let invalid = brain(data, &["get", "No Slug"], "").await;
    assert_eq!(invalid.code, Some(64), "{}", invalid.err);
    assert!(invalid.err.contains("invalid slug"), "{}", invalid.err);
    for (arguments, word) in [
        (vec!["get"], "<SLUG>"),
        (vec!["gte", "a"], "'gte'"),
        (vec!["list", "--limit", "many"], "'many'"),
        (vec!["raw", "a", "b", "{"], "'{'"),
    ] {
        let wrong = brain(data, &arguments, "").await;
        assert_eq!(wrong.code, Some(64), "{}", wrong.err);
        assert!(wrong.err.contains(word), "{arguments:?}: {}", wrong.err);
    }
}

#[tokio::test]
async fn with_json_an_error_is_its_number_its_message_and_its_data() {
    let data = TempDir::new().expect("a folder");
    let config = data.path().join("config.toml");
    fs::write(&config, "[brain]\ncollections = \"work, personal\"\n").expect("a file");
    let (folder, config) = (data.path(), config.to_str().expect("text"));
    let run = |arguments: &[&str]| {
        let arguments: Vec<_> = arguments.iter().map(|text| (*text).to_owned()).collect();
        async move {
            let mut arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
            arguments.extend(["--config", config]);
            brain(folder, &arguments, "").await
        }
    };
    for slug in ["work::people/alice", "personal::people/alice"] {
        assert_eq!(run(&["put", slug, "Alice."]).await.code, Some(0));
    }
    // A person reads the candidates, and a program has them as a list.
    let refused = run(&["get", "people/alice"]).await;
    assert_eq!(refused.code, Some(1));
    let both = "Candidates: work::people/alice, personal::people/alice.";
    assert!(refused.err.contains(both), "{}", refused.err);
    let error = |done: &Done| {
        assert_eq!(done.out, "");
        let printed: Value = serde_json::from_str(&done.err).expect("one object and nothing else");
        printed["error"].clone()
    };
    let ambiguous = error(&run(&["get", "people/alice", "--json"]).await);
    assert_eq!(ambiguous["code"], -32002);
    let candidates = json!(["work::people/alice", "personal::people/alice"]);
    assert_eq!(ambiguous["data"]["candidates"], candidates);
    let resolved = run(&["get", "work::people/alice", "--json"]).await;
    assert_eq!(resolved.json()["slug"], "work::people/alice");
    let stale = [
        "put",
        "work::people/alice",
        "B.",
        "--expected-version",
        "7",
        "--json",
    ];
    let stale = error(&run(&stale).await);
    assert_eq!(stale["code"], -32009);
    assert_eq!(
        stale["message"],
        "expected_version 7 does not match current 1"
    );
    assert_eq!(stale["data"]["current_version"], 1);
    assert_eq!(stale["data"]["expected_version"], 7);
    let missing = error(&run(&["get", "work::people/bob", "--json"]).await);
    assert_eq!(missing["code"], -32001);
    let invalid = run(&["get", "No Slug", "--json"]).await;
    assert_eq!(
        (invalid.code, error(&invalid)["code"].clone()),
        (Some(64), json!(-32602))
    );
    // What never reached the page store has no number.
    let nowhere = run(&["import", "/nowhere/at/all", "--json"]).await;
    assert_eq!(nowhere.code, Some(66));
    let error = error(&nowhere);
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| text.contains("/nowhere/at/all")),
        "{error}"
    );
    assert!(error.get("code").is_none(), "{error}");
    let none = run(&["--json"]).await;
    assert_eq!(none.code, Some(64), "{}", none.err);
}

/// What a client is told over lines.
async fn asked(peer: &mut Peer, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    peer.ask(7, "tools/call", params).await
}

#[tokio::test]
async fn over_lines_the_page_store_answers_alone_whether_a_server_runs_or_not() {
    let data = TempDir::new().expect("a folder");
    let path = data.path().to_str().expect("text");
    let settings = [("PROSCENIUM_STORE_EPHEMERAL", "false")];
    let arguments = ["brain", "--stdio", "--data", path];
    // It owns the folder, and another one joins it.
    let mut first = Peer::run(&arguments, &settings).await;
    let tools = first.ask(1, "tools/list", json!({})).await;
    let names = tools["result"]["tools"].as_array().expect("tools").iter();
    let names: Vec<_> = names
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names.len(), 17, "{names:?}");
    assert!(
        names.iter().all(|name| name.starts_with("brain_")),
        "{names:?}"
    );
    let put = json!({"slug": "people/alice", "content": "Alice."});
    let made = asked(&mut first, "brain_put", put.clone()).await;
    assert_eq!(made["result"]["structuredContent"]["version"], 1, "{made}");
    let mut second = Peer::run(&arguments, &settings).await;
    let stale = asked(&mut second, "brain_put", put).await;
    assert_eq!(stale["error"]["code"], -32009, "{stale}");
    let unknown = asked(&mut second, "ggui_handshake", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32601, "{unknown}");
    second.end().await;
    first.end().await;
    // A server is joined, and goes on.
    let node = Node::run(stored(data.path(), &["serve", "--listen", "127.0.0.1:0"])).await;
    let mut third = Peer::run(&arguments, &settings).await;
    let read = asked(&mut third, "brain_get", json!({"slug": "people/alice"})).await;
    assert_eq!(read["result"]["structuredContent"]["version"], 1, "{read}");
    third.end().await;
    assert_eq!(node.client.get("/health/live").await.status, 200);
    node.stop().await;
    let (code, lines) = failed(&["brain", "--stdio", "get", "a", "--data", path]).await;
    assert_eq!(code, 64, "{lines:?}");
}

#[tokio::test]
async fn a_verb_joins_the_server_that_owns_the_data() {
    let data = TempDir::new().expect("a folder");
    let mut command = stored(data.path(), &["serve", "--listen", "127.0.0.1:0"]);
    command.env("PROSCENIUM_SERVER_MCP_TOOLS", "ggui+brain");
    let node = Node::run(command).await;
    let made = brain(data.path(), &["put", "people/ida", "Here."], "").await;
    assert_eq!(made.code, Some(0), "{}", made.err);
    // The server has it, and goes on.
    let page = json!({"slug": "people/ida"});
    let page = node.client.tool("brain_get", page).await;
    assert_eq!(page["version"], 1);
    node.stop().await;
    let read = brain(data.path(), &["get", "people/ida"], "").await;
    assert_eq!((read.code, read.out.contains("Here.")), (Some(0), true));
}

#[tokio::test]
async fn pages_that_would_be_gone_with_the_verb_are_refused() {
    // Tests keep nothing unless they name a folder.
    let (code, lines) = failed(&["brain", "put", "people/ida", "Here."]).await;
    assert_eq!(code, 78, "{lines:?}");
    assert!(lines[0].contains("brain.path"), "{lines:?}");
}

/// Every file below a folder, by its path there.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path
                .strip_prefix(folder)
                .expect("below")
                .to_str()
                .expect("text");
            found.insert(name.to_owned(), fs::read(&path).expect("bytes"));
        }
    }
    found
}

#[tokio::test]
async fn what_is_imported_is_exported_byte_by_byte() {
    let (data, from, to) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
    );
    let data = data.path();
    for (name, text) in [
        (
            "people/ida.md",
            "---\nb: 1\ntitle: \"Ida: 1\"\na: 'x'\n# no entry\n---\nRuns it.\n---\n- 2026-04 came",
        ),
        ("people/bo-1.md", "\r\nWindows\r\n---\r\nlines\r\n"),
        ("empty.md", ""),
        ("2026/ümlaut.txt", "no page"),
        ("2026/05_01.md", "\u{feff}Grüße 👋\n\n\n"),
    ] {
        let file = from.path().join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("a file");
    }
    let folder = from.path().to_str().expect("text");
    let imported = brain(data, &["import", folder, "--json"], "").await;
    let counts = json!({"created": 4, "changed": 0, "unchanged": 0, "skipped": 1});
    assert_eq!(imported.json(), counts);
    let target = to.path().join("made/here");
    let exported = brain(
        data,
        &["export", target.to_str().expect("text"), "--json"],
        "",
    )
    .await;
    assert_eq!(exported.json(), json!({"pages": 4}));
    let mut expected = files(from.path());
    expected.remove("2026/ümlaut.txt");
    assert_eq!(files(&target), expected);

    fs::write(from.path().join("empty.md"), "no longer").expect("a file");
    let imported = brain(data, &["import", folder, "--json"], "").await;
    let counts = json!({"created": 0, "changed": 1, "unchanged": 3, "skipped": 1});
    assert_eq!(imported.json(), counts);
}

#[tokio::test]
async fn an_import_names_every_file_that_is_wrong_and_puts_none() {
    let (data, from) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("a folder"),
    );
    for (name, bytes) in [
        ("good.md", b"Good.".as_slice()),
        ("Not Good.md", b"Good."),
        ("bytes.md", b"\xff\xfe"),
    ] {
        fs::write(from.path().join(name), bytes).expect("a file");
    }
    let folder = from.path().to_str().expect("text");
    let refused = brain(data.path(), &["import", folder], "").await;
    assert_eq!(refused.code, Some(66), "{}", refused.err);
    assert_eq!(refused.err.lines().count(), 2, "{}", refused.err);
    for name in ["Not Good.md", "bytes.md"] {
        assert!(refused.err.contains(name), "{}", refused.err);
    }
    let listed = brain(data.path(), &["list", "--json"], "").await;
    assert_eq!(listed.json()["pages"], json!([]));
}
