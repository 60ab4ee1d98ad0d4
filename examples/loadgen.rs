//! Measures a server from outside and, in the same run, a bare axum server beside it; prints both
//! and their ratio. `cargo run --release --example loadgen` starts the release build of proscenium
//! (`cargo build --release` first); `… --example loadgen http://host:port/mcp` measures any server
//! that speaks the protocol. Each server gets one core where `taskset` is there.

#![expect(
    clippy::print_stdout,
    reason = "a tool on a terminal prints its figures"
)]

use std::error::Error;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axum::Json;
use axum::extract::WebSocketUpgrade;
use axum::extract::ws::Message;
use axum::routing::{get, post};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::Instant;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite;

type Failure = Box<dyn Error + Send + Sync>;

/// How long each figure is measured.
const SPAN: Duration = Duration::from_secs(2);
/// How many clicks the latency to a waiting consume is taken from.
const CLICKS: usize = 300;
/// The argument that makes this program the bare server.
const BARE: &str = "--bare";

#[tokio::main]
async fn main() -> Result<(), Failure> {
    match std::env::args().nth(1).as_deref() {
        Some(BARE) => serve_bare().await,
        Some(url) => {
            measure(Server {
                mcp: url.to_owned(),
                process: None,
            })
            .await
        }
        None => {
            let program = std::env::current_exe()?
                .parent()
                .and_then(|examples| examples.parent())
                .map(|profile| profile.join("proscenium"))
                .ok_or("no folder above this program")?;
            let begun = Instant::now();
            let server =
                Server::start(program, &["--unlimited", "--listen", "127.0.0.1:0"], "mcp ")?;
            Http::connect(&server.mcp)
                .await?
                .call(&json!({"method": "ping"}))
                .await?;
            println!(
                "start to first answer  {:>8.1} ms",
                begun.elapsed().as_secs_f64() * 1e3
            );
            println!("idle memory (RSS)      {:>8.1} MB", server.memory_mb());
            measure(server).await
        }
    }
}

/// A server under measurement; it ends with this value.
struct Server {
    mcp: String,
    process: Option<Child>,
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

impl Server {
    /// Starts a program on a core of its own and reads its address from its output.
    fn start(program: PathBuf, arguments: &[&str], mark: &str) -> Result<Self, Failure> {
        let pinned = Command::new("taskset").arg("--version").output().is_ok();
        let mut command = if pinned {
            let mut command = Command::new("taskset");
            command.args(["-c", "0"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        let mut process = command
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let output = process.stdout.take().ok_or("no output")?;
        let lines = std::io::BufRead::lines(std::io::BufReader::new(output));
        for line in lines {
            if let Some(url) = line?.trim().strip_prefix(mark) {
                return Ok(Self {
                    mcp: url.trim().to_owned(),
                    process: Some(process),
                });
            }
        }
        Err("the server told no address; is it built? cargo build --release".into())
    }

    fn memory_mb(&self) -> f64 {
        let id = self.process.as_ref().map_or(0, Child::id);
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap_or_default();
        let kib = line
            .split_whitespace()
            .next()
            .and_then(|word| word.parse::<f64>().ok());
        kib.unwrap_or_default() / 1024.0
    }
}

/// The least an axum server can do: parse JSON and answer it, echo a frame.
async fn serve_bare() -> Result<(), Failure> {
    let echo = async |upgrade: WebSocketUpgrade| {
        upgrade
            .read_buffer_size(4096)
            .write_buffer_size(4096)
            .on_upgrade(async |mut socket| {
                while let Some(Ok(message)) = socket.recv().await {
                    if matches!(message, Message::Text(_)) && socket.send(message).await.is_err() {
                        return;
                    }
                }
            })
    };
    let router = axum::Router::new()
        .route("/mcp", post(async |Json(body): Json<Value>| Json(body)))
        .route("/ws", get(echo));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("bare http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, router).await?;
    Ok(())
}

/// One kept-alive connection that sends JSON-RPC and reads JSON: no more than is needed, so that
/// the client's cost does not hide the server's.
struct Http {
    stream: BufReader<TcpStream>,
    host: String,
    path: String,
}

impl Http {
    async fn connect(url: &str) -> Result<Self, Failure> {
        let rest = url
            .strip_prefix("http://")
            .ok_or("only http:// is measured")?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        let stream = TcpStream::connect(host).await?;
        stream.set_nodelay(true)?;
        let stream = BufReader::new(stream);
        Ok(Self {
            stream,
            host: host.to_owned(),
            path: format!("/{path}"),
        })
    }

    /// The bytes of a request, to be sent many times.
    fn request(&self, message: &Value) -> Vec<u8> {
        let mut message = message.clone();
        message["jsonrpc"] = "2.0".into();
        message["id"] = 1.into();
        let body = message.to_string();
        let head = format!(
            "POST {} HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\ncontent-length: {}\r\n\r\n",
            self.path,
            self.host,
            body.len()
        );
        (head + &body).into_bytes()
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<Vec<u8>, Failure> {
        self.stream.get_mut().write_all(request).await?;
        let (mut line, mut length) = (String::new(), 0);
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err("the server closed the connection".into());
            }
            if line.trim().is_empty() {
                break;
            }
            let (name, value) = line.split_once(':').unwrap_or_default();
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse()?;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok(body)
    }

    async fn call(&mut self, message: &Value) -> Result<Value, Failure> {
        let request = self.request(message);
        let body = self.exchange(&request).await?;
        Ok(serde_json::from_slice(&body)?)
    }

    /// What a tool gave.
    async fn tool(&mut self, name: &str, arguments: Value) -> Result<Value, Failure> {
        let answer = self.call(&tool(name, arguments)).await?;
        let result = &answer["result"];
        if result["isError"] == true || result.is_null() {
            return Err(format!("{name}: {answer}").into());
        }
        Ok(result.clone())
    }

    /// Calls a second, for the same request over and over.
    async fn rate(&mut self, message: &Value) -> Result<f64, Failure> {
        let request = self.request(message);
        let (begun, mut count) = (Instant::now(), 0_u32);
        while begun.elapsed() < SPAN {
            self.exchange(&request).await?;
            count += 1;
        }
        Ok(f64::from(count) / begun.elapsed().as_secs_f64())
    }
}

fn tool(name: &str, arguments: Value) -> Value {
    json!({"method": "tools/call", "params": {"name": name, "arguments": arguments}})
}

fn row(name: &str, ours: f64, bare: f64) {
    println!(
        "{name:<22} {ours:>8.0} /s  {bare:>8.0} /s  {:>5.0} %",
        100.0 * ours / bare
    );
}

/// A contract with a table, two actions and a live channel.
fn contract() -> Value {
    let line = json!({
        "type": "object",
        "properties": {"sku": {"type": "string"}, "qty": {"type": "integer"}},
        "required": ["sku", "qty"],
    });
    json!({
        "propsSpec": {"properties": {
            "items": {"schema": {"type": "array", "items": line}, "required": true},
            "note": {"schema": {"type": "string"}},
        }},
        "actionSpec": {"setQuantity": {"label": "Change", "schema": line}},
        "streamSpec": {"tick": {"schema": {"type": "number"}, "mode": "replace"}},
    })
}

async fn measure(server: Server) -> Result<(), Failure> {
    let bare = Server::start(std::env::current_exe()?, &[BARE], "bare ")?;
    let mut http = Http::connect(&server.mcp).await?;
    let mut bare_http = Http::connect(&bare.mcp).await?;
    let draft = json!({"intent": "A measurement", "blueprintDraft": {"contract": contract()}});
    let props = json!({"items": [{"sku": "A1", "qty": 1}, {"sku": "B2", "qty": 2}]});
    let shown = show(&mut http, &draft, &props).await?;
    let session = shown["structuredContent"]["sessionId"].clone();

    println!(
        "\n{:<22} {:>11}  {:>11}  {:>7}",
        "", "server", "bare axum", "ratio"
    );
    let list = json!({"method": "tools/list"});
    let listed = http.call(&list).await?;
    row(
        "tools/list",
        http.rate(&list).await?,
        bare_http.rate(&listed).await?,
    );
    for (name, arguments) in [
        ("ggui_get_session", json!({"sessionId": session})),
        ("ggui_consume", json!({"sessionId": session, "timeout": 0})),
        (
            "ggui_emit",
            json!({"sessionId": session, "channel": "tick", "payload": 1}),
        ),
        ("ggui_handshake", draft.clone()),
    ] {
        let call = tool(name, arguments);
        // The bare server echoes the answer: as much to parse and write as ours wrote.
        let answer = http.call(&call).await?;
        row(
            name,
            http.rate(&call).await?,
            bare_http.rate(&answer).await?,
        );
    }
    let (begun, mut count) = (Instant::now(), 0_u32);
    while begun.elapsed() < SPAN {
        let patch = json!({"note": format!("change {count}")});
        http.tool(
            "ggui_amend",
            json!({"sessionId": session, "kind": "merge", "patch": patch}),
        )
        .await?;
        count += 1;
    }
    let amends = f64::from(count) / begun.elapsed().as_secs_f64();
    let echo = json!({"params": {"patch": {"note": "change"}}});
    row("ggui_amend", amends, bare_http.rate(&echo).await?);
    let (begun, mut count) = (Instant::now(), 0_u32);
    while begun.elapsed() < SPAN {
        show(&mut http, &draft, &props).await?;
        count += 1;
    }
    let renders = f64::from(count) / begun.elapsed().as_secs_f64();
    row(
        "handshake + render",
        renders,
        bare_http.rate(&shown).await? / 2.0,
    );

    for connections in [1, 64] {
        let ours = actions(&shown, connections).await?;
        let bare = echoes(&bare.mcp, connections).await?;
        row(
            &format!("action to ack, {connections:>2} conn."),
            ours,
            bare,
        );
        // What was clicked is taken, so that the inbox stays small.
        http.tool("ggui_consume", json!({"sessionId": session}))
            .await?;
    }
    let mut latencies = click_to_consume(&server.mcp, &shown).await?;
    latencies.sort_unstable();
    let at = |share: f64| {
        let index = ((latencies.len() - 1) as f64 * share) as usize;
        latencies[index].as_secs_f64() * 1e3
    };
    println!(
        "click to waiting consume  p50 {:.2} ms  p99 {:.2} ms",
        at(0.5),
        at(0.99)
    );
    if server.process.is_some() {
        println!("memory after all of it {:>8.1} MB", server.memory_mb());
    }
    Ok(())
}

async fn show(http: &mut Http, draft: &Value, props: &Value) -> Result<Value, Failure> {
    let agreed = http.tool("ggui_handshake", draft.clone()).await?;
    let id = &agreed["structuredContent"]["handshakeId"];
    http.tool("ggui_render", json!({"handshakeId": id, "props": props}))
        .await
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<TcpStream>>;

async fn subscribe(shown: &Value) -> Result<Socket, Failure> {
    let slice = &shown["_meta"]["ai.ggui/render"];
    let (url, token) = (slice["wsUrl"].as_str(), slice["wsToken"].as_str());
    let (url, token) = url.zip(token).ok_or("the render has no live channel")?;
    let (mut socket, _) = connect_async(format!("{url}?wsToken={token}")).await?;
    let payload = json!({"sessionId": slice["sessionId"], "wsToken": token});
    send(
        &mut socket,
        &json!({"type": "subscribe", "payload": payload}).to_string(),
    )
    .await?;
    receive(&mut socket, "ack").await?;
    Ok(socket)
}

async fn send(socket: &mut Socket, text: &str) -> Result<(), Failure> {
    Ok(socket.send(tungstenite::Message::text(text)).await?)
}

/// The next frame that holds a word; others are passed over.
async fn receive(socket: &mut Socket, word: &str) -> Result<(), Failure> {
    loop {
        match socket.next().await.ok_or("the socket was closed")?? {
            tungstenite::Message::Text(text) if text.contains(word) => return Ok(()),
            tungstenite::Message::Close(frame) => return Err(format!("closed: {frame:?}").into()),
            _ => {}
        }
    }
}

fn action(shown: &Value) -> String {
    let data = json!({"action": "setQuantity", "data": {"sku": "A1", "qty": 3}});
    let session = &shown["structuredContent"]["sessionId"];
    let payload = json!({"sessionId": session, "type": "data:submit", "payload": data});
    json!({"type": "action", "requestId": "act", "payload": payload}).to_string()
}

/// Actions a second over some connections, each waiting for its ack.
async fn actions(shown: &Value, connections: usize) -> Result<f64, Failure> {
    let mut sockets = Vec::new();
    for _ in 0..connections {
        sockets.push(subscribe(shown).await?);
    }
    exchanges(sockets, action(shown), "\"act\"").await
}

/// Echoes a second over some connections to the bare server.
async fn echoes(mcp: &str, connections: usize) -> Result<f64, Failure> {
    let url = mcp.replacen("http", "ws", 1).replace("/mcp", "/ws");
    let mut sockets = Vec::new();
    for _ in 0..connections {
        sockets.push(connect_async(url.as_str()).await?.0);
    }
    let frame = json!({"type": "action", "requestId": "act", "payload": "x".repeat(180)});
    exchanges(sockets, frame.to_string(), "\"act\"").await
}

async fn exchanges(sockets: Vec<Socket>, text: String, word: &'static str) -> Result<f64, Failure> {
    let begun = Instant::now();
    let tasks: Vec<_> = sockets
        .into_iter()
        .map(|mut socket| {
            let text = text.clone();
            tokio::spawn(async move {
                let mut count = 0_u32;
                while begun.elapsed() < SPAN {
                    send(&mut socket, &text).await?;
                    receive(&mut socket, word).await?;
                    count += 1;
                }
                Ok::<_, Failure>(count)
            })
        })
        .collect();
    let mut count = 0;
    for task in tasks {
        count += task.await??;
    }
    Ok(f64::from(count) / begun.elapsed().as_secs_f64())
}

/// How long a click takes to the agent that waits for it.
async fn click_to_consume(mcp: &str, shown: &Value) -> Result<Vec<Duration>, Failure> {
    let mut socket = subscribe(shown).await?;
    let mut http = Http::connect(mcp).await?;
    let session = &shown["structuredContent"]["sessionId"];
    let consume = tool("ggui_consume", json!({"sessionId": session, "timeout": 25}));
    let request = http.request(&consume);
    let text = action(shown);
    let mut latencies = Vec::with_capacity(CLICKS);
    for _ in 0..CLICKS {
        http.stream.get_mut().write_all(&request).await?;
        // The server says on the lifecycle channel that someone waits.
        receive(&mut socket, "consume_polling").await?;
        let clicked = Instant::now();
        send(&mut socket, &text).await?;
        // Only the answer is left to read.
        http.exchange(b"").await?;
        latencies.push(clicked.elapsed());
    }
    Ok(latencies)
}
