//! Thousands of mutated requests: the server must not break, must answer as documented, and must
//! not
//! grow. The seed is printed, and repeats the run.

mod corpus;
mod mutate;
mod verdict;

use std::io::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};

use crate::chance::Chance;
use crate::contracts::build_log;
use crate::process::serving;
use crate::stranger::{Things, frame};
use crate::world::answer;
use corpus::Ask;
use verdict::{Heard, Table};

const SEED_VARIABLE: &str = "PROSCENIUM_MUTANTS_SEED";
const COUNT_VARIABLE: &str = "PROSCENIUM_MUTANTS";
/// Requests of a run by default.
const COUNT: u64 = 5_000;
/// Requests at a time; most of a run is spent on those that the server waits for.
const AT_A_TIME: usize = 32;
/// One request in this many is a frame of the live channel.
const FRAME_IN: u64 = 10;
/// How long a response may take: the longest wait of a tool, and a slow machine.
const HANG: Duration = Duration::from_secs(60);
/// How often opening a socket is tried.
const OPENINGS: usize = 5;
/// The share of responses that may report a limit, in percent.
const LIMITED_PERCENT: u64 = 10;
/// How much more a server may hold at the end than after a fifth of the run, in KiB: an allocator
/// does not return memory at once, and stored things have limits of their own.
const GROWTH_KIB: u64 = 48 << 10;
/// Limits under which unfinished requests end soon, and stored things expire soon.
const CONFIG: &str = "
[http]
header_read_s = 1
body_read_s = 1
[handshakes]
ttl_s = 5
open_max = 100000
[limits]
making_per_second = 100000
making_burst = 100000
using_per_second = 100000
using_burst = 100000
";

fn number(variable: &str, default: u64) -> u64 {
    let given = std::env::var(variable).ok();
    given.map_or(default, |text| text.parse().expect("a number"))
}

/// A separate server, and the requests to it.
struct Target {
    address: SocketAddr,
    asks: Vec<Ask>,
    frames: Vec<Value>,
    session: String,
    table: Table,
    seed: u64,
}

impl Target {
    /// Sends one mutant; returns whether the response reported a limit, or what is wrong with it.
    async fn check(&self, number: u64) -> Result<bool, String> {
        let mut chance = Chance(
            self.seed
                .wrapping_add(number.wrapping_mul(0x1234_5678_9abc_def1)),
        );
        if chance.one_in(FRAME_IN) {
            return self.send_frame(&mut chance).await;
        }
        let ask = chance.pick(&self.asks).clone();
        let request = match chance.below(3) {
            0 => mutate::by_bytes(ask.bytes(), &mut chance),
            1 => mutate::by_bytes(mutate::by_schema(ask, &mut chance), &mut chance),
            _ => mutate::by_schema(ask, &mut chance),
        };
        let shown = || String::from_utf8_lossy(&request).into_owned();
        let heard = timeout(HANG, self.exchange(&request)).await;
        let Some(heard) = heard.map_err(|_| format!("no end to\n{}", shown()))? else {
            // An incomplete request gets no response.
            return Ok(false);
        };
        let verdict = self.table.http(&heard);
        verdict.map_err(|why| {
            let body = String::from_utf8_lossy(&heard.body);
            let (status, headers) = (heard.status, &heard.headers);
            format!("{why}: {status} {headers:?}\n{body:.2000}\nto\n{}", shown())
        })
    }

    async fn exchange(&self, request: &[u8]) -> Option<Heard> {
        let is_head = request.starts_with(b"HEAD ");
        let mut stream = TcpStream::connect(self.address)
            .await
            .expect("a connection");
        // A server that refused the request may have closed the connection.
        let _ = stream.write_all(request).await;
        let mut bytes = Vec::new();
        loop {
            let mut buffer = [0; 16 << 10];
            let count = stream.read(&mut buffer).await.unwrap_or_default();
            bytes.extend_from_slice(&buffer[..count]);
            let heard = Heard::of(&bytes, count == 0, is_head);
            if heard.is_some() || count == 0 {
                return heard;
            }
        }
    }

    async fn send_frame(&self, chance: &mut Chance) -> Result<bool, String> {
        let mut sent = chance.pick(&self.frames).clone();
        let message = if chance.one_in(3) {
            let bytes = mutate::by_bytes(sent.to_string().into_bytes(), chance);
            String::from_utf8(bytes)
                .map_or_else(|error| Message::binary(error.into_bytes()), Message::text)
        } else {
            for _ in 0..=chance.below(2) {
                mutate::json_value(&mut sent, chance);
            }
            Message::text(sent.to_string())
        };
        let subscribe = frame("subscribe", &self.session).expect("a frame");
        let first = chance
            .one_in(2)
            .then(|| Message::text(subscribe.to_string()));
        let last = json!({"type": "ping", "requestId": "the last", "payload": {}});
        let outcome = self.talk(first, message.clone(), Message::text(last.to_string()));
        let outcome = timeout(HANG, outcome).await;
        let outcome = outcome.unwrap_or_else(|_| Err("no end".to_owned()));
        outcome.map_err(|why| format!("{why}, to the frame {message:?}"))
    }

    /// Opens a socket. On a stalled machine the time-out for headers can pass before they are sent,
    /// so it is tried a few times.
    async fn socket(&self) -> Result<WebSocketStream<TcpStream>, String> {
        let mut refusal = String::new();
        for _ in 0..OPENINGS {
            let stream = TcpStream::connect(self.address)
                .await
                .expect("a connection");
            match client_async(format!("ws://{}/ws", self.address), stream).await {
                Ok((socket, _)) => return Ok(socket),
                Err(error) => refusal = error.to_string(),
            }
        }
        Err(refusal)
    }

    /// Sends frames on a new socket, until the last is answered or the socket is closed.
    async fn talk(
        &self,
        first: Option<Message>,
        odd: Message,
        last: Message,
    ) -> Result<bool, String> {
        let mut socket = self.socket().await?;
        for message in first.into_iter().chain([odd, last]) {
            // The reason why a socket closed early is read below.
            let _ = socket.send(message).await;
        }
        let mut is_limited = false;
        while let Some(Ok(message)) = socket.next().await {
            match message {
                Message::Text(text) => {
                    let frame: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
                    is_limited |= self.table.frame(&frame)?;
                    if frame["requestId"] == "the last" {
                        return Ok(is_limited);
                    }
                }
                Message::Close(Some(close)) => {
                    return self.table.close(close.code.into(), &close.reason);
                }
                _ => {}
            }
        }
        Err("a socket that ended without a word".to_owned())
    }
}

/// What a process holds: KiB of memory, and open files.
fn held(pid: u32) -> (u64, usize) {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("its status");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let memory = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    let files = std::fs::read_dir(format!("/proc/{pid}/fd")).expect("its files");
    (memory.expect("a number"), files.count())
}

/// The number of rows of the metrics, and those that report a fault of the server.
async fn metrics(origin: &str) -> (usize, Vec<String>) {
    let read = reqwest::Client::new().get(format!("{origin}/metrics"));
    let body = answer(read).await.body;
    let rows: Vec<_> = body
        .as_str()
        .expect("text")
        .lines()
        .map(str::to_owned)
        .collect();
    let is_broken = |row: &String| row.contains("status=\"5") || row.contains("INTERNAL");
    (rows.len(), rows.into_iter().filter(is_broken).collect())
}

/// A session and everything that belongs to it, on a new server.
async fn target(mcp: &str, seed: u64) -> Target {
    let ask = async |method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = reqwest::Client::new().post(mcp).json(&body);
        answer(request).await.body["result"].clone()
    };
    let call = async |tool: &str, arguments: Value| {
        ask("tools/call", json!({"name": tool, "arguments": arguments})).await
    };
    let draft = json!({"intent": "A build", "blueprintDraft": {"contract": build_log()}});
    let agreed = call("ggui_handshake", draft).await["structuredContent"].clone();
    let props = json!({"pipeline": "main"});
    let render = json!({"handshakeId": agreed["handshakeId"], "props": props});
    let shown = call("ggui_render", render).await;
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let things = Things {
        session: text(&shown["structuredContent"]["sessionId"]),
        blueprint: text(&shown["structuredContent"]["blueprintId"]),
        token: text(&shown["_meta"]["ai.ggui/render"]["wsToken"]),
        ..Things::nowhere()
    };
    let tools = ask("tools/list", json!({})).await["tools"].clone();
    let address = mcp.trim_start_matches("http://").trim_end_matches("/mcp");
    Target {
        address: address.parse().expect("an address"),
        asks: corpus::requests(&tools, &things),
        frames: corpus::frames(&things),
        session: things.session,
        table: Table::read(),
        seed,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_mutated_request_breaks_hangs_or_grows_the_server_or_gets_an_undocumented_response() {
    let seed = number(SEED_VARIABLE, u64::from(std::process::id()));
    let count = number(COUNT_VARIABLE, COUNT);
    let mut report = format!("mutants: {SEED_VARIABLE}={seed} {COUNT_VARIABLE}={count}\n");
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("proscenium.toml");
    std::fs::write(&config, CONFIG).expect("a file");
    let (mut server, mcp) = serving(&["--config", config.to_str().expect("a path")]).await;
    let pid = server.id().expect("a process");
    let target = Arc::new(target(&mcp, seed).await);
    let origin = format!("http://{}", target.address);

    let (mut limited, mut wrong) = (0, Vec::new());
    let (mut early, mut first_rows) = ((0, 0), 0);
    for part in [0..count / 5, count / 5..count] {
        if part.start > 0 {
            early = held(pid);
            first_rows = metrics(&origin).await.0;
        }
        let next = Arc::new(AtomicU64::new(part.start));
        let workers = (0..AT_A_TIME).map(|_| {
            let (target, next, end) = (Arc::clone(&target), Arc::clone(&next), part.end);
            tokio::spawn(async move {
                let (mut limited, mut wrong) = (0, Vec::new());
                loop {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    if number >= end {
                        return (limited, wrong);
                    }
                    match target.check(number).await {
                        Ok(is_limited) => limited += u64::from(is_limited),
                        Err(why) => wrong.push(format!("mutant {number}: {why}")),
                    }
                }
            })
        });
        for worker in workers.collect::<Vec<_>>() {
            let (of_one, why) = worker.await.expect("a worker");
            limited += of_one;
            wrong.extend(why);
        }
    }
    let late = held(pid);
    let (rows, broken) = metrics(&origin).await;
    report += &format!(
        "mutants: {limited} of {count} reported a limit; {} and then {} KiB, {} and then {} files, \
         {first_rows} and then {rows} rows of metrics\n",
        early.0, late.0, early.1, late.1
    );
    let _ = std::io::stderr().write_all(report.as_bytes());
    let shown = wrong
        .iter()
        .take(5)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n\n");
    assert!(
        wrong.is_empty(),
        "{report}{} are wrong:\n{shown}",
        wrong.len()
    );
    assert!(
        server.try_wait().expect("a process").is_none(),
        "{report}it ended"
    );
    assert!(broken.is_empty(), "{report}{broken:#?}");
    assert!(limited * 100 <= count * LIMITED_PERCENT, "{report}");
    // Labels come from closed lists, so new ones after a fifth of the run are rare.
    assert!(rows <= 2 * first_rows, "{report}");
    assert!(late.0 <= early.0 + GROWTH_KIB, "{report}");
    // Connections of the last few requests may still be closing.
    assert!(late.1 <= early.1 + AT_A_TIME, "{report}");
}
