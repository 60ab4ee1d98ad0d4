//! The system monitor: this machine's processor, memory and load as live charts, and three buttons.

use std::fmt;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::agent::{Agent, Failure, Shown};

/// What the buttons change.
#[derive(Clone, Copy, PartialEq)]
struct Pace {
    seconds: u64,
    paused: bool,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            seconds: 1,
            paused: false,
        }
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self { paused: true, .. } => f.write_str("Paused"),
            Self { seconds: 1, .. } => f.write_str("Sampling every second"),
            Self { seconds, .. } => write!(f, "Sampling every {seconds} seconds"),
        }
    }
}

/// Negotiates the contract and renders it.
pub(crate) async fn show(agent: &Agent) -> Result<Shown, Failure> {
    let can_measure = std::path::Path::new("/proc/stat").exists();
    let props = json!({
        "host": read("/proc/sys/kernel/hostname").trim(),
        "kernel": read("/proc/sys/kernel/osrelease").trim(),
        "cores": std::thread::available_parallelism().map_or(1, usize::from),
        "state": Pace::default().to_string(),
        "warning": (!can_measure)
            .then_some("This system has no /proc, so there is nothing to measure here."),
    });
    agent.show("System monitor", contract(), props).await
}

/// Streams samples and handles clicks until the session ends; with `once`, until the first click is
/// handled.
pub(crate) async fn run(agent: &Agent, session: &str, once: bool) -> Result<(), Failure> {
    let (pace, watched) = watch::channel(Pace::default());
    tokio::select! {
        ended = stream(agent, session, watched) => ended,
        ended = listen(agent, session, pace, once) => ended,
    }
}

async fn stream(
    agent: &Agent,
    session: &str,
    mut pace: watch::Receiver<Pace>,
) -> Result<(), Failure> {
    let mut before = CpuTimes::read();
    loop {
        let Pace { seconds, paused } = *pace.borrow_and_update();
        tokio::select! {
            () = tokio::time::sleep(Duration::from_secs(seconds)) => {}
            changed = pace.changed() => {
                if changed.is_err() {
                    return Ok(());
                }
                continue;
            }
        }
        if paused {
            continue;
        }
        let now = CpuTimes::read();
        let percent = now.busy_percent_since(&before);
        before = now;
        let cpu = json!({ "t": timestamp(), "percent": percent });
        agent.emit(session, "cpu", cpu).await?;
        agent.emit(session, "memory", memory()).await?;
        agent.emit(session, "load", load()).await?;
    }
}

/// Consumes clicks and handles each by changing the props.
async fn listen(
    agent: &Agent,
    session: &str,
    pace: watch::Sender<Pace>,
    once: bool,
) -> Result<(), Failure> {
    loop {
        for event in agent.consume(session).await? {
            pace.send_modify(|pace| match event.action.as_str() {
                "pause" => pace.paused = true,
                "resume" => pace.paused = false,
                _ => pace.seconds = event.data["seconds"].as_u64().unwrap_or(1),
            });
            let state = pace.borrow().to_string();
            agent.amend(session, json!({ "state": state })).await?;
        }
        if once {
            return Ok(());
        }
    }
}

/// The contract: props, samples as a channel, and three actions.
fn contract() -> Value {
    let number = json!({ "type": "number" });
    let sample = |fields: &[&str]| {
        let mut properties = json!({ "t": { "type": "string", "format": "date-time" } });
        for field in fields {
            properties[*field] = number.clone();
        }
        json!({ "type": "object", "properties": properties, "required": ["t"] })
    };
    json!({
        "propsSpec": {
            "description": "Live figures from /proc, sampled by the agent",
            "properties": {
                "host": { "schema": { "type": "string" }, "required": true },
                "kernel": { "schema": { "type": "string" } },
                "cores": { "schema": { "type": "integer" }, "required": true },
                "state": { "schema": { "type": "string" }, "required": true },
                "warning": { "schema": { "type": ["string", "null"] } },
            },
        },
        "streamSpec": {
            "cpu": {
                "schema": sample(&["percent"]), "mode": "append", "replay": "all",
                "description": "Processor",
            },
            "memory": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "usedBytes": number, "totalBytes": number, "percent": number,
                    },
                    "required": ["percent"],
                },
                "mode": "replace", "replay": "latest", "description": "Memory",
            },
            "load": {
                "schema": sample(&["one", "five", "fifteen"]), "mode": "append", "replay": "all",
                "description": "Load average",
            },
        },
        "actionSpec": {
            "pause": { "label": "Pause" },
            "resume": { "label": "Resume" },
            "setInterval": {
                "label": "Change interval",
                "schema": {
                    "type": "object",
                    "properties": {
                        "seconds": { "type": "integer", "enum": [1, 2, 5], "default": 1 },
                    },
                    "required": ["seconds"],
                },
            },
        },
    })
}

/// Time the processors have spent, in ticks since boot.
struct CpuTimes {
    idle: u64,
    total: u64,
}

impl CpuTimes {
    fn read() -> Self {
        let stat = read("/proc/stat");
        let first = stat.lines().next().unwrap_or_default();
        let ticks: Vec<u64> = first
            .split_whitespace()
            .skip(1)
            .filter_map(|word| word.parse().ok())
            .collect();
        // The fourth and fifth fields are idle time and waiting for disks.
        Self {
            idle: ticks.iter().skip(3).take(2).sum(),
            total: ticks.iter().take(8).sum(),
        }
    }

    fn busy_percent_since(&self, before: &Self) -> f64 {
        let total = self.total.saturating_sub(before.total).max(1) as f64;
        let idle = self.idle.saturating_sub(before.idle) as f64;
        rounded(100.0 * (1.0 - idle / total))
    }
}

fn memory() -> Value {
    let info = read("/proc/meminfo");
    let bytes = |name: &str| {
        let line = info
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap_or_default();
        let kib = line.trim_start_matches(':').split_whitespace().next();
        kib.and_then(|word| word.parse::<f64>().ok())
            .unwrap_or_default()
            * 1024.0
    };
    let total = bytes("MemTotal");
    let used = total - bytes("MemAvailable");
    let percent = rounded(100.0 * used / total.max(1.0));
    json!({ "usedBytes": used, "totalBytes": total, "percent": percent })
}

fn load() -> Value {
    let text = read("/proc/loadavg");
    let mut words = text
        .split_whitespace()
        .map(|word| word.parse().unwrap_or(0.0_f64));
    let mut next = || words.next().unwrap_or_default();
    json!({ "t": timestamp(), "one": next(), "five": next(), "fifteen": next() })
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[expect(
    clippy::disallowed_methods,
    reason = "an agent has no clock to be handed"
)]
fn timestamp() -> String {
    jiff::Timestamp::now().to_string()
}
