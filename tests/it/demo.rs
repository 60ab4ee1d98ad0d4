//! `proscenium demo`, and the button that offers it on the empty stage.

use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::chromium::Chromium;
use crate::process::{announced, failed, proscenium, serving_as};
use crate::redis_server::signal;
use crate::world::PATIENCE;

/// The frame the stage shows, of all that it keeps.
const FRAME: Option<&str> = Some("article:not([hidden]) iframe");

/// The intents of all sessions the stage lists, once there are as many as wanted.
async fn on_stage(stage: &str, wanted: usize) -> Vec<String> {
    let all = async {
        loop {
            let sessions = snapshot(stage).await;
            let intents = sessions["sessions"].as_array().expect("sessions");
            if intents.len() >= wanted {
                let intent = |session: &Value| session["intent"].as_str().unwrap().to_owned();
                let mut intents: Vec<String> = intents.iter().map(intent).collect();
                intents.sort();
                return intents;
            }
            tokio::task::yield_now().await;
        }
    };
    timeout(PATIENCE, all).await.expect("the flows in time")
}

/// The first event of the stage's feed.
async fn snapshot(stage: &str) -> Value {
    let feed = reqwest::get(format!("{stage}stage/feed"))
        .await
        .expect("the feed");
    let mut body = feed.bytes_stream();
    let mut text = String::new();
    while let Some(part) = body.next().await {
        text.push_str(&String::from_utf8_lossy(&part.expect("a part")));
        if let Some((event, _)) = text.split_once("\n\n") {
            let data = event.lines().find_map(|line| line.strip_prefix("data: "));
            return serde_json::from_str(data.expect("data")).expect("JSON");
        }
    }
    panic!("the feed ended")
}

const FLOWS: [&str; 4] = [
    "Approve an action",
    "Build runner",
    "Dependency review",
    "System monitor",
];
/// Those, and the agent that wants to delete a file, with the card on which a person is asked.
const ALL_FLOWS: [&str; 6] = [
    "Approve an action",
    "Approve desk_delete_file? debug.log",
    "Build runner",
    "Dependency review",
    "System monitor",
    "Tidy up a folder",
];

#[tokio::test]
async fn the_demo_plays_five_flows_and_asks_about_a_file() {
    let command = [
        "demo",
        "--listen",
        "127.0.0.1:0",
        "--",
        "sh",
        "-c",
        "echo hello",
    ];
    let (_server, mcp) = serving_as(&command).await;
    let stage = mcp.trim_end_matches("mcp");
    assert_eq!(on_stage(stage, 6).await, ALL_FLOWS);
    let page = reqwest::get(stage)
        .await
        .expect("a page")
        .text()
        .await
        .expect("text");
    assert!(
        page.contains("\"demoUrl\":null"),
        "a demo that plays is not offered"
    );
}

#[tokio::test]
async fn the_demo_only_runs_for_this_machine() {
    let (code, lines) = failed(&["demo", "--listen", "0.0.0.0:0"]).await;
    assert_eq!((code, lines.len()), (78, 1), "{lines:?}");
}

#[tokio::test]
async fn only_the_stage_may_start_the_demo_and_it_runs_no_process() {
    let (_server, mcp) = serving_as(&["serve", "--listen", "127.0.0.1:0"]).await;
    let stage = mcp.trim_end_matches("mcp");
    let page = reqwest::get(stage)
        .await
        .expect("a page")
        .text()
        .await
        .expect("text");
    assert!(
        page.contains("\"demoUrl\":\"/stage/demo\""),
        "it is offered"
    );

    let http = reqwest::Client::new();
    let ask = async |origin: Option<&str>, forwarded: bool| {
        let mut request = http
            .post(format!("{stage}stage/demo"))
            .timeout(Duration::from_secs(20));
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        if forwarded {
            request = request.header("x-forwarded-for", "192.0.2.1");
        }
        // The request body does not decide what is run.
        let request = request.json(&json!({"command": ["touch", "owned"]}));
        request.send().await.expect("an answer").status().as_u16()
    };
    let own = stage.trim_end_matches('/');
    assert_eq!(ask(None, false).await, 403);
    assert_eq!(ask(Some("null"), false).await, 403);
    assert_eq!(ask(Some("http://evil.example"), false).await, 403);
    assert_eq!(ask(Some("http://127.0.0.1:1"), false).await, 403);
    assert_eq!(ask(Some(own), true).await, 401);
    assert!(
        snapshot(stage).await["sessions"]
            .as_array()
            .unwrap()
            .is_empty()
    );

    assert_eq!(ask(Some(own), false).await, 202);
    assert_eq!(on_stage(stage, 4).await, FLOWS);
    assert_eq!(
        ask(Some(own), false).await,
        202,
        "a second click changes nothing"
    );
    assert_eq!(on_stage(stage, 4).await.len(), 4);
    let sessions = snapshot(stage).await;
    let build = sessions["sessions"].as_array().unwrap().iter();
    let build = build
        .clone()
        .find(|row| row["intent"] == "Build runner")
        .expect("it");
    let read = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "ggui_get_session", "arguments": {"sessionId": build["sessionId"]},
    }});
    let read = http.post(&mcp).json(&read).send().await.expect("an answer");
    let read: Value = read.json().await.expect("JSON");
    let notice = &read["result"]["structuredContent"]["props"]["notice"];
    assert!(
        notice.as_str().unwrap().contains("nothing is run"),
        "{read}"
    );
}

/// Goes to a session of the stage.
async fn choose(browser: &mut Chromium, title: &str) {
    let row = format!("[data-session-choice][title={}]", json!(title));
    browser.click(None, &row).await;
}

/// Whether there is a file of the demo that puts its own into a folder.
fn has(folder: &Path, file: &str) -> bool {
    let made = std::fs::read_dir(folder).expect("a folder");
    let mut made = made.map(|entry| entry.expect("an entry").path().join("files").join(file));
    made.any(|file| file.exists())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_demo_deletes_a_file_that_a_person_approves_and_keeps_one_that_they_reject() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = proscenium(&["demo", "--listen", "127.0.0.1:0", "--", "true"]);
    command.env("TMPDIR", folder.path());
    let (mut server, mcp) = announced(command).await;
    browser.open(mcp.trim_end_matches("mcp")).await;
    choose(&mut browser, "Tidy up a folder").await;
    browser.see(FRAME, "body", "May I delete debug.log?").await;
    choose(&mut browser, "Approve desk_delete_file? debug.log").await;
    browser
        .see(FRAME, "body", "Deleting cannot be undone.")
        .await;
    assert!(has(folder.path(), "debug.log"));
    browser.click(FRAME, "[data-action='approve']").await;
    browser.see(FRAME, "body", "Approved, and done.").await;
    assert!(!has(folder.path(), "debug.log"));
    choose(&mut browser, "Tidy up a folder").await;
    browser.see(FRAME, "body", "Deleted debug.log.").await;

    let row = "[data-action='delete'][aria-label*='notes.txt']";
    browser.click(FRAME, row).await;
    browser.see(FRAME, "body", "May I delete notes.txt?").await;
    choose(&mut browser, "Approve desk_delete_file? notes.txt").await;
    browser.click(FRAME, "[data-action='reject']").await;
    let reason = "dialog[open] :is(input, textarea)";
    browser.fill(FRAME, reason, "I read them").await;
    let send = "dialog[open] [data-action='reject']";
    browser.click(FRAME, send).await;
    browser
        .see(FRAME, "body", "Rejected: nothing was done.")
        .await;
    choose(&mut browser, "Tidy up a folder").await;
    let kept = "Kept notes.txt, because you rejected it. I read them";
    browser.see(FRAME, "body", kept).await;
    assert!(has(folder.path(), "notes.txt"));
    browser.click(FRAME, "[data-action='restore']").await;
    browser.see(FRAME, "body", "All files are back.").await;
    assert!(has(folder.path(), "debug.log"));
    assert_eq!(browser.problems().await, json!([]));

    signal(&server, "TERM").await;
    let ended = timeout(PATIENCE, server.wait()).await.expect("an end");
    assert!(ended.expect("a status").success());
    let left = std::fs::read_dir(folder.path()).expect("a folder").count();
    assert_eq!(left, 0, "the demo leaves nothing behind");
}
