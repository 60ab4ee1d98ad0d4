//! An agent in Rust: shows this machine's processor, memory and load as a live UI, and does what
//! its buttons say. Start the server, then: `cargo run --release --example system_monitor [MCP_URL]`

#![expect(clippy::print_stdout, reason = "an agent on a terminal talks to it")]

use std::fmt;
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::ServiceExt as _;
use rmcp::model::{CallToolRequestParams, CallToolResult};
use rmcp::service::Peer;
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Value, json};
use tokio::sync::watch;

type Failure = Box<dyn std::error::Error + Send + Sync>;

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

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let url = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "http://127.0.0.1:6781/mcp".to_owned());
    let transport = StreamableHttpClientTransport::from_uri(url.as_str());
    let client = ().serve(transport).await.map_err(|error| {
        format!("cannot reach {url}: {error}. Is the server running? cargo run --release")
    })?;
    let agent = Agent(client.peer().clone());
    loop {
        let session = agent.show().await?;
        tokio::select! {
            ended = agent.run(&session) => ended?,
            _ = tokio::signal::ctrl_c() => break,
        }
        println!("the session has ended; showing a new one");
    }
    client.cancel().await?;
    Ok(())
}

struct Agent(Peer<RoleClient>);

impl Agent {
    /// Calls a tool; a failed one is an error with the text the server gave.
    async fn call(&self, tool: &'static str, arguments: Value) -> Result<Value, Failure> {
        let mut params = CallToolRequestParams::new(tool);
        params.arguments = arguments.as_object().cloned();
        let result: CallToolResult = self.0.call_tool(params).await?;
        let structured = result.structured_content.unwrap_or_default();
        match result.is_error {
            Some(true) => Err(structured["error"]["message"]
                .as_str()
                .unwrap_or("failed")
                .into()),
            _ => Ok(structured),
        }
    }

    /// Negotiates the contract and renders it.
    async fn show(&self) -> Result<String, Failure> {
        let draft = json!({ "contract": contract() });
        let intent = "System monitor";
        let agreed = self
            .call(
                "ggui_handshake",
                json!({ "intent": intent, "blueprintDraft": draft }),
            )
            .await?;
        let props = json!({
            "host": read("/proc/sys/kernel/hostname").trim(),
            "kernel": read("/proc/sys/kernel/osrelease").trim(),
            "cores": std::thread::available_parallelism().map_or(1, usize::from),
            "state": Pace::default().to_string(),
        });
        let shown = self
            .call(
                "ggui_render",
                json!({ "handshakeId": agreed["handshakeId"], "props": props }),
            )
            .await?;
        println!(
            "showing it at {}",
            shown["viewerUrl"].as_str().unwrap_or_default()
        );
        Ok(shown["sessionId"].as_str().unwrap_or_default().to_owned())
    }

    /// Streams samples and answers clicks until the session ends.
    async fn run(&self, session: &str) -> Result<(), Failure> {
        let (pace, watched) = watch::channel(Pace::default());
        tokio::select! {
            ended = self.stream(session, watched) => ended,
            ended = self.listen(session, pace) => ended,
        }
    }

    async fn stream(&self, session: &str, mut pace: watch::Receiver<Pace>) -> Result<(), Failure> {
        let mut before = CpuTimes::read();
        loop {
            let Pace { seconds, paused } = *pace.borrow_and_update();
            tokio::select! {
                () = tokio::time::sleep(Duration::from_secs(seconds)) => {}
                changed = pace.changed() => {
                    changed?;
                    continue;
                }
            }
            if paused {
                continue;
            }
            let now = CpuTimes::read();
            let samples = [
                (
                    "cpu",
                    json!({ "t": timestamp(), "percent": now.busy_percent_since(&before) }),
                ),
                ("memory", memory()),
                ("load", load()),
            ];
            before = now;
            for (channel, payload) in samples {
                let emit = json!({ "sessionId": session, "channel": channel, "payload": payload });
                if let Err(error) = self.call("ggui_emit", emit).await {
                    return gone_or(error);
                }
            }
        }
    }

    /// Takes clicks and answers each by amending the view.
    async fn listen(&self, session: &str, pace: watch::Sender<Pace>) -> Result<(), Failure> {
        loop {
            let wait = json!({ "sessionId": session, "timeout": 25 });
            let taken = match self.call("ggui_consume", wait).await {
                Ok(taken) => taken,
                Err(error) => return gone_or(error),
            };
            for event in taken["events"].as_array().into_iter().flatten() {
                println!(
                    "the person did: {} {}",
                    event["intent"], event["actionData"]
                );
                pace.send_modify(|pace| match event["intent"].as_str() {
                    Some("pause") => pace.paused = true,
                    Some("resume") => pace.paused = false,
                    _ => pace.seconds = event["actionData"]["seconds"].as_u64().unwrap_or(1),
                });
                let patch = json!({ "state": pace.borrow().to_string() });
                let amend = json!({ "sessionId": session, "kind": "merge", "patch": patch });
                if let Err(error) = self.call("ggui_amend", amend).await {
                    return gone_or(error);
                }
            }
            if taken["status"] == "expired" {
                return Ok(());
            }
        }
    }
}

/// A session that has ended is no failure: the loop in `main` shows a new one.
fn gone_or(error: Failure) -> Result<(), Failure> {
    if error.to_string().contains("GguiSession") {
        Ok(())
    } else {
        Err(error)
    }
}

/// What goes in and out: props once, samples live, three actions.
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
        // Idle and waiting for disks are the fourth and fifth.
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
