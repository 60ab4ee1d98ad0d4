//! A real browser for a test, driven by `web-host/tests/e2e/driver.mjs`.

use std::path::Path;
use std::process::Stdio;
use std::sync::OnceLock;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use crate::installed::Needed;
use crate::left_out;
use crate::world::World;

/// Set to `none` to skip the tests that need a browser.
const BROWSER: &str = "PROSCENIUM_TEST_BROWSER";
/// Set to `true` where every test has to run.
const CI: &str = "CI";

/// How long a browser command may take; the driver's own time-outs are shorter.
const PATIENCE: Duration = Duration::from_secs(120);

/// One page of one browser.
pub(crate) struct Chromium {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    _process: Child,
}

impl Chromium {
    /// Starts a browser; `None` if the tests that need one are skipped.
    pub(crate) async fn start() -> Option<Self> {
        if !is_there() {
            return None;
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut process = Command::new("node")
            .arg(root.join("web-host/tests/e2e/driver.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("node");
        let input = process.stdin.take().expect("its input");
        let output = BufReader::new(process.stdout.take().expect("its output")).lines();
        Some(Self {
            input,
            output,
            _process: process,
        })
    }

    async fn run(&mut self, command: Value) -> Value {
        self.input
            .write_all(format!("{command}\n").as_bytes())
            .await
            .expect("a command is sent");
        let line = timeout(PATIENCE, self.output.next_line())
            .await
            .unwrap_or_else(|_| panic!("{command}: the browser does not answer"))
            .expect("an answer")
            .expect("the driver lives");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        assert!(answer["error"].is_null(), "{command}: {answer}");
        answer["ok"].clone()
    }

    /// Opens an address.
    pub(crate) async fn open(&mut self, url: &str) {
        let status = self.run(json!({"verb": "open", "url": url})).await;
        assert_eq!(status, 200, "{url}");
    }

    /// Opens an address behind a proxy that adds a credential to every request.
    pub(crate) async fn open_with_key(&mut self, url: &str, key: &str) {
        let headers = json!({"authorization": format!("Bearer {key}")});
        let command = json!({"verb": "open", "url": url, "headers": headers});
        assert_eq!(self.run(command).await, 200, "{url}");
    }

    /// Opens an address over a network that can be interrupted.
    pub(crate) async fn open_over_network(&mut self, url: &str) {
        let command = json!({"verb": "open", "url": url, "network": true});
        assert_eq!(self.run(command).await, 200, "{url}");
    }

    /// Makes transports of the live channel (`socket`, `stream`, `events`) unreachable.
    pub(crate) async fn block(&mut self, names: &[&str]) {
        self.run(json!({"verb": "block", "names": names})).await;
    }

    /// Makes them reachable again.
    pub(crate) async fn unblock(&mut self, names: &[&str]) {
        self.run(json!({"verb": "unblock", "names": names})).await;
    }

    /// Closes every socket with a code.
    pub(crate) async fn cut(&mut self, code: u16) {
        self.run(json!({"verb": "cut", "code": code})).await;
    }

    /// The result of a script in a document.
    pub(crate) async fn evaluate(&mut self, frame: Option<&str>, code: &str) -> Value {
        self.run(json!({"verb": "evaluate", "frame": frame, "code": code}))
            .await
    }

    /// Starts recording the tasks on the main threads of all pages.
    pub(crate) async fn watch(&mut self) {
        self.run(json!({"verb": "watch"})).await;
    }

    /// The recording: how many tasks there were, and how many of them were long.
    pub(crate) async fn watched(&mut self) -> Value {
        self.run(json!({"verb": "watched"})).await
    }

    /// Loads the page again.
    pub(crate) async fn reload(&mut self) {
        self.run(json!({"verb": "reload"})).await;
    }

    /// Shows the page in its print layout.
    pub(crate) async fn print(&mut self) {
        self.run(json!({"verb": "print"})).await;
    }

    /// Presses a key.
    pub(crate) async fn key(&mut self, key: &str) {
        self.run(json!({"verb": "key", "key": key})).await;
    }

    /// Opens an address with the viewport of a phone in dark mode.
    pub(crate) async fn open_on_phone(&mut self, url: &str) {
        let command = json!({
            "verb": "open", "url": url, "width": 360, "height": 780, "scheme": "dark",
        });
        assert_eq!(self.run(command).await, 200, "{url}");
    }

    /// Opens an address without its content security policy, so that a test script may inspect the
    /// page.
    pub(crate) async fn open_to_inspect(&mut self, url: &str) {
        let command = json!({"verb": "open", "url": url, "bypass": true});
        assert_eq!(self.run(command).await, 200, "{url}");
    }

    /// The accessibility problems of the page in light and dark mode.
    pub(crate) async fn inaccessible(&mut self) -> Value {
        let mut found = Vec::new();
        for scheme in ["light", "dark"] {
            let violations = self.run(json!({"verb": "axe", "scheme": scheme})).await;
            found.extend(violations.as_array().cloned().unwrap_or_default());
        }
        found.into()
    }

    pub(crate) async fn click(&mut self, frame: Option<&str>, selector: &str) {
        self.run(json!({"verb": "click", "frame": frame, "selector": selector}))
            .await;
    }

    pub(crate) async fn fill(&mut self, frame: Option<&str>, selector: &str, value: &str) {
        let command = json!({"verb": "fill", "frame": frame, "selector": selector, "value": value});
        self.run(command).await;
    }

    /// Drags an element onto another one with the pointer.
    pub(crate) async fn drag(&mut self, frame: Option<&str>, selector: &str, target: &str) {
        let command =
            json!({"verb": "drag", "frame": frame, "selector": selector, "target": target});
        self.run(command).await;
    }

    /// Chooses an option of a menu.
    pub(crate) async fn choose(&mut self, frame: Option<&str>, selector: &str, value: &str) {
        let command =
            json!({"verb": "choose", "frame": frame, "selector": selector, "value": value});
        self.run(command).await;
    }

    /// Waits until an element shows a text.
    pub(crate) async fn see(&mut self, frame: Option<&str>, selector: &str, text: &str) {
        let command = json!({"verb": "see", "frame": frame, "selector": selector, "text": text});
        self.run(command).await;
    }

    /// Leaves a mark in a document that a reload would remove.
    pub(crate) async fn mark(&mut self, frame: Option<&str>) {
        self.run(json!({"verb": "mark", "frame": frame, "selector": "body"}))
            .await;
    }

    /// Whether a document is the one that was marked.
    pub(crate) async fn is_kept(&mut self, frame: Option<&str>) -> bool {
        self.run(json!({"verb": "isKept", "frame": frame, "selector": "body"}))
            .await
            == true
    }

    /// Gives the page another size.
    pub(crate) async fn resize(&mut self, width: u32, height: u32) {
        self.run(json!({"verb": "resize", "width": width, "height": height}))
            .await;
    }

    /// Whether the page can be scrolled sideways.
    pub(crate) async fn overflows(&mut self) -> bool {
        self.run(json!({"verb": "overflows"})).await == true
    }

    /// Errors and policy violations that the browser reported.
    pub(crate) async fn problems(&mut self) -> Value {
        self.run(json!({"verb": "problems"})).await
    }
}

/// How often an agent polls for an action before it counts as lost.
const PATIENT: usize = 4;

/// The one event an agent gets next, however slow the machine is.
pub(crate) async fn next_event(world: &World, session: &str) -> Value {
    next_of(session, async |wait| world.tool("ggui_consume", wait).await).await
}

/// As [`next_event`], for an agent that consumes in its own way.
pub(crate) async fn next_of(session: &str, consume: impl AsyncFn(Value) -> Value) -> Value {
    let wait = json!({"sessionId": session, "timeout": 25});
    // The person may be slow, so the agent asks again.
    for _ in 0..PATIENT {
        let consumed = consume(wait.clone()).await;
        match consumed["events"].as_array().map(Vec::as_slice) {
            Some([]) => {}
            Some([event]) => return event.clone(),
            _ => panic!("{consumed}"),
        }
    }
    panic!("nothing came")
}

/// Whether there is a browser. What is missing is installed, and the test fails if that is
/// impossible. The variable can skip these tests, except with `CI=true`; they are counted.
pub(crate) fn is_there() -> bool {
    static IS_THERE: OnceLock<Result<(), String>> = OnceLock::new();
    let is_ci = std::env::var(CI).is_ok_and(|value| value == "true");
    if !is_ci && std::env::var(BROWSER).is_ok_and(|value| value == "none") {
        left_out::note(&format!("it needs a browser, and {BROWSER}=none"));
        return false;
    }
    if let Err(why) = IS_THERE.get_or_init(|| NEEDED.iter().try_for_each(Needed::install)) {
        panic!("{why}\n{BROWSER}=none runs the other tests without a browser");
    }
    true
}

/// Chromium with fonts for every script, and its driver.
const NEEDED: &[Needed] = &[
    Needed {
        path: "/usr/bin/chromium",
        commands: &[
            &["apt-get", "update"],
            &[
                "apt-get",
                "install",
                "--yes",
                "--no-install-recommends",
                "chromium",
                "fonts-noto-core",
            ],
        ],
    },
    Needed {
        path: "web-host/node_modules/playwright-core",
        commands: &[&[
            "npm",
            "--prefix",
            "web-host",
            "ci",
            "--no-audit",
            "--no-fund",
        ]],
    },
];
