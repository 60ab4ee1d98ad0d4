//! How hostile clients affect others, each bounded in time and number.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

use crate::Failure;
use crate::channel::subscribe;
use crate::http::{Http, draft, show, tool};
use crate::server::Server;

/// Rows of a session's props, 100 KiB together.
const ROWS: usize = 1_040;
/// How often memory is read after the last deletion, and the time between two reads.
const LOOKS: usize = 4;
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Connections on which junk is sent.
const JUNK_CONNECTIONS: usize = 16;
/// Properties of a junk draft, 200 KiB together, which is under the limit of a contract.
const JUNK_PROPERTIES: usize = 900;
/// Time between two small calls, longer than the rate limit demands.
const CALL_EVERY: Duration = Duration::from_millis(20);
/// Connections a hostile client tries to hold.
const HELD: usize = 6_000;
/// Bytes of incomplete headers that each of them sends.
const HALF_SENT: usize = 7_000;
/// Sockets a hostile client opens with forged tokens.
const SOCKETS: usize = 1_000;
/// First responses that are timed meanwhile.
const FIRST_ANSWERS: usize = 200;
/// How long a hostile client waits for a connection.
const PATIENCE: Duration = Duration::from_secs(5);

/// Every row that is wanted.
pub(crate) async fn measure(
    program: &Path,
    wants: impl Fn(&str) -> bool,
    span: Duration,
    sessions: usize,
) -> Result<(), Failure> {
    if wants("memory") {
        memory(program, sessions).await?;
    }
    if wants("junk") {
        junk(program, span).await?;
    }
    if wants("held") {
        held(program).await?;
    }
    Ok(())
}

/// The memory of a server before, with, and after many sessions.
async fn memory(program: &Path, count: usize) -> Result<(), Failure> {
    let arguments = ["--unlimited", "--ephemeral", "--listen", "127.0.0.1:0"];
    let server = Server::start(program.to_owned(), &arguments, "mcp ")?;
    let mut http = Http::connect(&server.mcp).await?;
    show(&mut http).await?;
    let report = |when: &str| {
        let bytes = server.memory().unwrap_or_default();
        println!("{when:<28} {:>8.1} MB", bytes as f64 / 1e6);
    };
    report("memory, idle");
    let rows: Vec<_> = (0..ROWS)
        .map(|row| {
            let name = format!("A product with a plain name of some length, number {row:05}");
            json!({"sku": name, "qty": row})
        })
        .collect();
    let props = json!({"items": rows, "note": ""});
    let mut sessions = Vec::with_capacity(count);
    for _ in 0..count {
        let agreed = http.tool("ggui_handshake", draft()).await?;
        let id = &agreed["structuredContent"]["handshakeId"];
        let render = json!({"handshakeId": id, "props": props});
        let shown = http.tool("ggui_render", render).await?;
        let session = shown["structuredContent"]["sessionId"].as_str();
        sessions.push(session.ok_or("no session")?.to_owned());
    }
    report(&format!("  {count} sessions"));
    for session in &sessions {
        http.delete(session).await?;
    }
    report("  all deleted");
    for look in 1..=LOOKS {
        sleep(LOOK_EVERY).await;
        report(&format!("  {} s later", LOOK_EVERY.as_secs() * look as u64));
    }
    Ok(())
}

/// A server with two keys.
struct Keyed {
    server: Server,
    keys: [String; 2],
    /// Holds the keys file as long as the server runs.
    folder: std::path::PathBuf,
}

impl Drop for Keyed {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn keyed(program: &Path) -> Result<Keyed, Failure> {
    let folder = std::env::temp_dir().join(format!("proscenium-strain-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("keys.toml");
    let file = file.to_str().ok_or("no path")?;
    let create = |app: &str| {
        let mut command = Command::new(program);
        command.args([
            "keys",
            "create",
            "--app",
            app,
            "--trust",
            "1",
            "--keys-file",
            file,
        ]);
        let made = command.output()?;
        Ok::<_, Failure>(String::from_utf8(made.stdout)?.trim().to_owned())
    };
    let keys = [create("one")?, create("two")?];
    let arguments = [
        "serve",
        "--ephemeral",
        "--listen",
        "127.0.0.1:0",
        "--keys-file",
        file,
    ];
    let server = Server::start(program.to_owned(), &arguments, "mcp ")?;
    Ok(Keyed {
        server,
        keys,
        folder,
    })
}

/// A unique draft in which everything is invalid.
fn junk_draft(number: u64) -> Value {
    let schema = json!({
        "type": "strng", "pattern": "(", "minimum": "x", "minLength": -1, "oneOf": [],
        "$ref": "#/nowhere", "required": "a", "items": 3, "enum": {}, "multipleOf": 0,
        "description": "words about it that are of no use to anybody",
    });
    let properties: Map<_, _> = (0..JUNK_PROPERTIES)
        .map(|index| (format!("p{number}x{index}"), json!({"schema": schema})))
        .collect();
    let contract = json!({"propsSpec": {"properties": properties}});
    json!({"intent": "Junk", "blueprintDraft": {"contract": contract}})
}

/// Sends junk as fast as it is answered; returns how much.
async fn send_junk(mut http: Http, from: u64, span: Duration) -> Result<u64, Failure> {
    let (begun, mut count) = (Instant::now(), 0);
    while begun.elapsed() < span {
        let request = http.request(&tool("ggui_handshake", junk_draft(from + count)));
        http.exchange(&request).await?;
        count += 1;
    }
    Ok(count)
}

/// The latency of a small call of one key, alone and while another key sends junk.
async fn junk(program: &Path, span: Duration) -> Result<(), Failure> {
    let keyed = keyed(program)?;
    let [greedy, other] = &keyed.keys;
    let mcp = &keyed.server.mcp;
    let mut http = Http::connect(mcp).await?.with_key(other);
    let shown = show(&mut http).await?;
    let session = &shown["structuredContent"]["sessionId"];
    let request = http.request(&tool("ggui_get_session", json!({"sessionId": session})));
    let mut calls = async |name: &str| -> Result<(), Failure> {
        let mut times = Vec::new();
        let (begun, mut ticks) = (Instant::now(), interval(CALL_EVERY));
        while begun.elapsed() < span {
            ticks.tick().await;
            let sent = Instant::now();
            http.exchange(&request).await?;
            times.push(sent.elapsed());
        }
        report(name, times);
        Ok(())
    };
    calls("small call, alone").await?;
    let mut senders = JoinSet::new();
    for index in 0..JUNK_CONNECTIONS as u64 {
        let http = Http::connect(mcp).await?.with_key(greedy);
        senders.spawn(send_junk(http, index << 32, span));
    }
    calls("  beside junk of another key").await?;
    let mut count = 0;
    while let Some(ended) = senders.join_next().await {
        count += ended??;
    }
    let rate = count as f64 / span.as_secs_f64();
    println!("{:<28} {rate:>8.0} /s answered", "  junk");
    Ok(())
}

/// The latency of a first response for one address, alone and while another address holds
/// connections.
async fn held(program: &Path) -> Result<(), Failure> {
    let keyed = keyed(program)?;
    let [_, key] = &keyed.keys;
    let mcp = &keyed.server.mcp;
    // The measured client uses another address of this machine.
    let elsewhere = mcp.replace("127.0.0.1", "[::1]");
    let mut http = Http::connect(&elsewhere).await?.with_key(key);
    let mut shown = show(&mut http).await?;
    let slice = &mut shown["_meta"]["ai.ggui/render"];
    let socket = keyed.server.socket().replace("127.0.0.1", "[::1]");
    slice["wsUrl"] = socket.into();
    drop(http);
    first_answers("first answer, alone", &elsewhere, &shown).await?;
    let before = keyed.server.memory().unwrap_or_default();
    let connections = hold(mcp).await?;
    let after = keyed.server.memory().unwrap_or_default();
    let megabytes = after.saturating_sub(before) as f64 / 1e6;
    println!(
        "{:<28} {:>8} connections, {megabytes:.1} MB",
        "  a stranger holds",
        connections.len()
    );
    first_answers("  meanwhile, elsewhere", &elsewhere, &shown).await
}

/// Opens connections with incomplete headers, and sockets, until no more are accepted.
async fn hold(mcp: &str) -> Result<Vec<TcpStream>, Failure> {
    let address = mcp.trim_start_matches("http://").trim_end_matches("/mcp");
    for index in 0..SOCKETS {
        let Ok(Ok(mut stream)) = timeout(PATIENCE, TcpStream::connect(address)).await else {
            break;
        };
        let request = format!(
            "GET /ws?wsToken={index} HTTP/1.1\r\nhost: {address}\r\nupgrade: websocket\r\n\
             connection: upgrade\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).await?;
    }
    let half = format!(
        "GET / HTTP/1.1\r\nhost: {address}\r\nx-filler: {}",
        "x".repeat(HALF_SENT)
    );
    let mut held = Vec::new();
    for _ in 0..HELD {
        let Ok(Ok(mut stream)) = timeout(PATIENCE, TcpStream::connect(address)).await else {
            break;
        };
        // A refused connection is closed by now, or soon.
        let _ = stream.write_all(half.as_bytes()).await;
        held.push(stream);
    }
    sleep(Duration::from_secs(1)).await;
    let mut one = [0];
    held.retain(|stream| {
        // Nothing is received on the accepted ones.
        matches!(stream.try_read(&mut one), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    });
    Ok(held)
}

/// Repeats a connection with its first response, and a socket with its ack.
async fn first_answers(name: &str, mcp: &str, shown: &Value) -> Result<(), Failure> {
    let (mut answers, mut acks) = (Vec::new(), Vec::new());
    for _ in 0..FIRST_ANSWERS {
        let begun = Instant::now();
        let mut http = Http::connect(mcp).await?;
        let request = http.request(&json!({"method": "ping"}));
        http.exchange(&request).await?;
        answers.push(begun.elapsed());
        let begun = Instant::now();
        drop(subscribe(shown).await?);
        acks.push(begun.elapsed());
        sleep(CALL_EVERY).await;
    }
    report(name, answers);
    report("    socket and its ack", acks);
    Ok(())
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |percent: usize| {
        let index = times.len().saturating_sub(1) * percent / 100;
        times
            .get(index)
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    };
    let (half, most, all) = (at(50), at(99), at(100));
    println!("{name:<28} p50 {half:>7.2} ms  p99 {most:>7.2} ms  max {all:>7.2} ms");
}
