//! The build runner: a command with its log and progress live, and buttons to cancel and rerun it.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, interval};

use super::agent::{Agent, Event, Failure, Shown};
use super::process::{Process, Said};

/// How often lines are shown, and how many each time: more than a person reads, and half of what
/// the server accepts.
const TICK: Duration = Duration::from_millis(50);
const LINES_PER_TICK: usize = 50;
/// Events that may wait while another one is handled.
const EVENTS_WAITING: usize = 16;
/// How long each step of a simulated build takes.
const STEP: Duration = Duration::from_millis(350);
/// The steps of a simulated build.
const REHEARSED: [&str; 16] = [
    "libc",
    "memchr",
    "serde",
    "bytes",
    "http",
    "tracing",
    "mio",
    "tokio",
    "hyper",
    "tower",
    "axum",
    "jsonschema",
    "schemars",
    "tungstenite",
    "clap",
    "the stage itself",
];

/// What is run.
pub(crate) enum Work {
    /// A command and its arguments.
    Command(Vec<String>),
    /// Nothing; the steps of a build are only simulated.
    Rehearsal,
}

/// Runs the same work as often as the person likes.
pub(crate) struct Build {
    work: Work,
    folder: PathBuf,
}

/// The outcome of a run, as the person sees it.
enum Outcome {
    Done,
    Cancelled,
    Failed(String),
}

impl Build {
    pub(crate) fn new(work: Work) -> Self {
        Self {
            work,
            folder: std::env::current_dir().unwrap_or_default(),
        }
    }

    /// Negotiates the contract and renders it.
    pub(crate) async fn show(&self, agent: &Agent) -> Result<Shown, Failure> {
        let (command, notice) = match &self.work {
            Work::Command(command) => (command.join(" "), None),
            Work::Rehearsal => (
                "a rehearsal".to_owned(),
                Some(
                    "This is a rehearsal: nothing is run on this machine. \
                     proscenium demo runs cargo check, or the command you give it.",
                ),
            ),
        };
        let props = json!({
            "command": command,
            "folder": self.folder.display().to_string(),
            "state": "Starting",
            "notice": notice,
        });
        agent.show("Build runner", contract(), props).await
    }

    /// Runs the work, and again whenever the person asks for it, until the session ends; with
    /// `once`, until the first run ends.
    pub(crate) async fn run(
        &self,
        agent: &Agent,
        session: &str,
        once: bool,
    ) -> Result<(), Failure> {
        let (out, mut events) = mpsc::channel(EVENTS_WAITING);
        let listening = async {
            loop {
                for event in agent.consume(session).await? {
                    // Code below that uses the process ends only after this.
                    let _ = out.send(event).await;
                }
            }
        };
        let working = async {
            loop {
                self.run_once(agent, session, &mut events).await?;
                if once {
                    return Ok(());
                }
                while let Some(event) = events.recv().await {
                    if event.action == "run" {
                        break;
                    }
                    say(agent, session, "Nothing is running.").await?;
                }
            }
        };
        tokio::select! {
            ended = listening => ended,
            ended = working => ended,
        }
    }

    async fn run_once(
        &self,
        agent: &Agent,
        session: &str,
        events: &mut mpsc::Receiver<Event>,
    ) -> Result<(), Failure> {
        let begun = Instant::now();
        say(agent, session, "Running").await?;
        // The progress is unknown until the command reports it.
        agent.emit(session, "progress", json!({})).await?;
        let outcome = match &self.work {
            Work::Rehearsal => rehearse(agent, session, events).await?,
            Work::Command(command) => match Process::start(command) {
                Ok(process) => perform(agent, session, process, events).await?,
                Err(error) => Outcome::Failed(not_started(command, &error)),
            },
        };
        let seconds = begun.elapsed().as_secs_f64();
        let (text, level) = match outcome {
            Outcome::Done => (format!("Done in {seconds:.1} s"), None),
            Outcome::Cancelled => (format!("Cancelled after {seconds:.1} s"), Some("warn")),
            Outcome::Failed(why) => (format!("Failed after {seconds:.1} s: {why}"), Some("error")),
        };
        agent.emit(session, "log", line(&text, level)).await?;
        if level.is_none() {
            agent
                .emit(session, "progress", json!({ "percent": 100 }))
                .await?;
        }
        say(agent, session, &text).await
    }
}

/// Shows the output of a process until it ends or is cancelled.
async fn perform(
    agent: &Agent,
    session: &str,
    mut process: Process,
    events: &mut mpsc::Receiver<Event>,
) -> Result<Outcome, Failure> {
    let mut ticks = interval(TICK);
    let mut lines = 0;
    loop {
        let said = tokio::select! {
            biased;
            Some(event) = events.recv() => {
                if is_cancel(agent, session, &event).await? {
                    return Ok(kill(process).await);
                }
                continue;
            }
            _ = ticks.tick() => {
                lines = 0;
                continue;
            }
            said = process.next(), if lines < LINES_PER_TICK => said,
        };
        lines += 1;
        match said {
            Some(Said::Line(text)) => {
                agent
                    .emit(session, "log", line(&text, level(&text)))
                    .await?;
            }
            Some(Said::Progress { done, total }) => {
                let percent = percent(done, total);
                agent
                    .emit(session, "progress", json!({ "percent": percent }))
                    .await?;
            }
            None => break,
        }
    }
    // It may have closed its output and still run.
    loop {
        tokio::select! {
            biased;
            Some(event) = events.recv() => {
                if is_cancel(agent, session, &event).await? {
                    return Ok(kill(process).await);
                }
            }
            ended = process.end() => return Ok(match ended {
                Ok(status) if status.success() => Outcome::Done,
                Ok(status) => Outcome::Failed(status.to_string()),
                Err(error) => Outcome::Failed(error.to_string()),
            }),
        }
    }
}

async fn kill(mut process: Process) -> Outcome {
    match process.kill().await {
        Ok(()) => Outcome::Cancelled,
        Err(error) => Outcome::Failed(format!("it could not be cancelled: {error}")),
    }
}

/// Shows the steps of a simulated build.
async fn rehearse(
    agent: &Agent,
    session: &str,
    events: &mut mpsc::Receiver<Event>,
) -> Result<Outcome, Failure> {
    let mut ticks = interval(STEP);
    ticks.tick().await;
    let total = REHEARSED.len() as u64;
    for (done, name) in (1..).zip(REHEARSED) {
        loop {
            tokio::select! {
                biased;
                Some(event) = events.recv() => {
                    if is_cancel(agent, session, &event).await? {
                        return Ok(Outcome::Cancelled);
                    }
                }
                _ = ticks.tick() => break,
            }
        }
        let text = format!("    Checking {name}");
        agent.emit(session, "log", line(&text, None)).await?;
        let percent = percent(done, total);
        agent
            .emit(session, "progress", json!({ "percent": percent }))
            .await?;
    }
    Ok(Outcome::Done)
}

/// Whether the person wants to cancel the run; other events wait until it ends.
async fn is_cancel(agent: &Agent, session: &str, event: &Event) -> Result<bool, Failure> {
    if event.action != "cancel" {
        say(agent, session, "It is running already; cancel it first.").await?;
        return Ok(false);
    }
    say(agent, session, "Cancelling").await?;
    Ok(true)
}

async fn say(agent: &Agent, session: &str, state: &str) -> Result<(), Failure> {
    agent.amend(session, json!({ "state": state })).await
}

/// A message about a command that could not be started.
fn not_started(command: &[String], error: &io::Error) -> String {
    let program = command.first().map_or("", String::as_str);
    match error.kind() {
        io::ErrorKind::NotFound => format!("there is no program named \"{program}\" here."),
        _ => format!("\"{program}\" could not be started: {error}."),
    }
}

/// A line of the log; most lines have no level.
fn line(text: &str, level: Option<&str>) -> Value {
    match level {
        Some(level) => json!({ "line": text, "level": level }),
        None => json!({ "line": text }),
    }
}

/// The level of a line, by its first word.
fn level(text: &str) -> Option<&'static str> {
    let text = text.trim_start();
    let begins = |word: &str| {
        text.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word))
    };
    if begins("error") {
        Some("error")
    } else if begins("warning") {
        Some("warn")
    } else {
        None
    }
}

fn percent(done: u64, total: u64) -> u64 {
    (done.saturating_mul(100) / total.max(1)).min(100)
}

/// The contract: the command as props, its log and progress as channels, and two actions.
fn contract() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "propsSpec": {
            "description": "A command and what it says, as it says it",
            "properties": {
                "command": { "schema": text, "required": true },
                "folder": { "schema": text, "required": true },
                "state": { "schema": text, "required": true },
                "notice": { "schema": { "type": ["string", "null"] } },
            },
        },
        "streamSpec": {
            "progress": {
                "schema": {
                    "type": "object",
                    "properties": { "percent": { "type": "number" } },
                },
                "mode": "replace", "replay": "latest",
            },
            "log": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "line": text,
                        "level": { "type": "string", "enum": ["warn", "error"] },
                    },
                    "required": ["line"],
                },
                "mode": "append", "replay": "all",
            },
        },
        "actionSpec": {
            "run": { "label": "Run again" },
            "cancel": { "label": "Cancel" },
        },
    })
}
