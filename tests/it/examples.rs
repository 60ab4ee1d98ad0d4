//! The example agents against a real server, with a person played over the live channel.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use crate::browser::Browser;
use crate::world::{PATIENCE, Shown, World};

/// A running example.
struct Example {
    child: Child,
    said: Lines<BufReader<ChildStdout>>,
}

/// The examples are built beside the tests.
fn built(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    let profile = test.ancestors().nth(2).expect("the folder of the profile");
    let example = profile.join("examples").join(name);
    assert!(
        example.exists(),
        "`cargo test --test it` builds no examples: run `cargo build --examples` first"
    );
    example
}

impl Example {
    fn start(name: &str, arguments: &[&str], folder: &Path) -> Self {
        let mut child = Command::new(built(name))
            .args(arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("an example");
        let said = BufReader::new(child.stdout.take().expect("its output")).lines();
        Self { child, said }
    }

    /// Opens the link that the agent prints, as the person.
    async fn person(&mut self, world: &World) -> (Browser, Value) {
        let line = timeout(PATIENCE, self.said.next_line()).await;
        let line = line
            .expect("a link in time")
            .expect("text")
            .expect("a line");
        let link = line
            .strip_prefix("showing it at ")
            .expect("a link")
            .to_owned();
        let page = link
            .strip_prefix(&world.url(""))
            .expect("a page of this server");
        let frame = world.send(world.get(&format!("{page}/frame"))).await;
        let location = frame.headers["location"]
            .to_str()
            .expect("an address")
            .to_owned();
        let (path, token) = location.split_once("?wsToken=").expect("a token");
        let session = path.rsplit('/').next().expect("a session");
        let ws = world.url("/ws").replacen("http", "ws", 1);
        let shown = Shown {
            session: session.to_owned(),
            result: json!({"_meta": {"ai.ggui/render": {"wsUrl": ws, "wsToken": token}}}),
        };
        // The replay contains what was emitted before the person came.
        let mut browser = world.knock(&shown).await;
        let ack = browser.subscribe(json!({"fromSeq": 0})).await;
        assert_eq!(ack["type"], "ack", "{ack}");
        (browser, ack)
    }

    async fn ends_well(mut self) {
        let status = timeout(PATIENCE, self.child.wait())
            .await
            .expect("an end in time");
        assert!(status.expect("a status").success());
    }
}

/// The props once they satisfy a condition.
async fn props(browser: &mut Browser, is: impl Fn(&Value) -> bool) -> Value {
    loop {
        let frame = browser.frame("props_update").await;
        if is(&frame["payload"]["props"]) {
            return frame["payload"]["props"].clone();
        }
    }
}

/// The log lines up to the first that contains a text.
async fn lines(browser: &mut Browser, end: &str) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let frame = browser.frame("data").await;
        if frame["payload"]["channel"] == "log" {
            let line = frame["payload"]["payload"]["line"]
                .as_str()
                .unwrap()
                .to_owned();
            let is_end = line.contains(end);
            lines.push(line);
            if is_end {
                return lines;
            }
        }
    }
}

#[tokio::test]
async fn every_example_explains_itself() {
    for name in ["system_monitor", "dependency_review", "build_runner"] {
        let help = Command::new(built(name)).arg("--help").output().await;
        let help = String::from_utf8(help.expect("an example").stdout).expect("text");
        assert!(
            help.contains("Examples:") && help.contains("--once"),
            "{help}"
        );
    }
}

#[tokio::test]
async fn the_system_monitor_streams_and_answers_a_click() {
    let world = World::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [&world.mcp_url(), "--once"];
    let mut example = Example::start("system_monitor", &arguments, folder.path());
    let (mut person, ack) = example.person(&world).await;
    assert_eq!(
        ack["payload"]["session"]["props"]["state"],
        "Sampling every second"
    );
    let sample = person.frame("data").await;
    assert!(sample["payload"]["payload"].is_object(), "{sample}");
    person.act("pause", Value::Null).await;
    props(&mut person, |props| props["state"] == "Paused").await;
    example.ends_well().await;
}

const LOCKFILE: &str = r#"
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["rand 0.8.5", "rand 0.9.0", "zero"]

[[package]]
name = "rand"
version = "0.8.5"
source = "registry+https://example.org/index"

[[package]]
name = "rand"
version = "0.9.0"
source = "git+https://example.org/rand"

[[package]]
name = "zero"
version = "1.0.0"
source = "registry+https://example.org/index"
"#;

#[tokio::test]
async fn a_dependency_review_ends_in_a_file_that_the_page_names() {
    let world = World::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("Cargo.lock"), LOCKFILE).expect("a lock file");
    let earlier = folder.path().join("dependency-review.md");
    std::fs::write(&earlier, "an earlier review").expect("a file");
    let arguments = [&world.mcp_url(), "--once"];
    let mut example = Example::start("dependency_review", &arguments, folder.path());
    let (mut person, ack) = example.person(&world).await;
    let shown = &ack["payload"]["session"]["props"];
    assert_eq!(
        (&shown["packages"], &shown["duplicated"]),
        (&json!(4), &json!(2))
    );
    assert_eq!(shown["dependencies"][0]["finding"], "2 versions", "{shown}");
    assert_eq!(shown["dependencies"][0]["usedBy"], 1);

    person.act("mark", json!({"id": "rand 0.8.5"})).await;
    let marked = props(&mut person, |props| props["marked"] == 1).await;
    assert_eq!(marked["dependencies"][0]["marked"], true);
    let note = "Only one of the two, please.";
    person
        .act("submitReview", json!({"verdict": "reject", "note": note}))
        .await;
    let written = props(&mut person, |props| {
        props["state"]
            .as_str()
            .is_some_and(|state| state.contains("written"))
    });
    let state = written.await["state"].as_str().expect("a state").to_owned();
    let path = folder.path().join("dependency-review-2.md");
    assert!(state.contains(path.to_str().expect("a path")), "{state}");
    let text = std::fs::read_to_string(path).expect("the review");
    assert!(
        text.contains("- rand 0.8.5 (registry, used by 1, 2 versions)"),
        "{text}"
    );
    assert!(
        text.contains("Verdict: reject") && text.contains(note),
        "{text}"
    );
    assert_eq!(
        std::fs::read_to_string(earlier).expect("it"),
        "an earlier review"
    );
    example.ends_well().await;
}

#[tokio::test]
async fn a_review_without_a_lock_file_says_so_in_its_page() {
    let world = World::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let arguments = [world.mcp_url()];
    let mut example = Example::start(
        "dependency_review",
        &arguments.each_ref().map(String::as_str),
        folder.path(),
    );
    let (_person, ack) = example.person(&world).await;
    let warning = ack["payload"]["session"]["props"]["warning"]
        .as_str()
        .expect("a warning");
    assert!(warning.contains("Cargo.lock cannot be read"), "{warning}");
}

#[tokio::test]
async fn a_build_that_is_cancelled_leaves_no_process_and_can_be_run_again() {
    let world = World::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    // The shell starts a child of its own: cancelling has to reach that one, too.
    let script = "echo begun; sleep 60 & echo child $!; echo 'error: red' >&2; wait";
    let url = world.mcp_url();
    let arguments = [url.as_str(), "--", "sh", "-c", script];
    let mut example = Example::start("build_runner", &arguments, folder.path());
    let (mut person, _) = example.person(&world).await;
    for _ in 0..2 {
        let said = lines(&mut person, "child ").await;
        let child: u32 = said
            .last()
            .and_then(|line| line.split_once(' '))
            .expect("it")
            .1
            .parse()
            .unwrap();
        assert!(is_running(child));
        person.act("cancel", Value::Null).await;
        lines(&mut person, "Cancelled after").await;
        // The processes that the signal reaches end a moment later.
        let gone = tokio::time::timeout(PATIENCE, async {
            while is_running(child) {
                tokio::task::yield_now().await;
            }
        });
        gone.await.expect("the child of the command is gone, too");
        person.act("run", Value::Null).await;
    }
    lines(&mut person, "child ").await;
    person.act("cancel", Value::Null).await;
    lines(&mut person, "Cancelled after").await;
}

#[tokio::test]
async fn a_build_shows_how_it_ended() {
    let world = World::start().await;
    let folder = tempfile::tempdir().expect("a folder");
    let url = world.mcp_url();
    for (command, end) in [
        (["sh", "-c", "echo fine"].as_slice(), "Done in"),
        (&["sh", "-c", "echo 'error: no'; exit 3"], "exit status: 3"),
        (
            &["no-such-program"],
            "there is no program named \"no-such-program\"",
        ),
    ] {
        let arguments: Vec<&str> = [url.as_str(), "--once", "--"]
            .into_iter()
            .chain(command.iter().copied())
            .collect();
        let mut example = Example::start("build_runner", &arguments, folder.path());
        let (mut person, _) = example.person(&world).await;
        lines(&mut person, end).await;
        example.ends_well().await;
    }
}

/// Whether a process exists and is not merely waiting to be reaped.
fn is_running(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status
        .rsplit(')')
        .next()
        .is_some_and(|rest| !matches!(rest.split_whitespace().next(), None | Some("Z" | "X")))
}
