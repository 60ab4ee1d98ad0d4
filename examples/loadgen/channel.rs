//! The live channel: actions and their acks, and the latency of clicks to a waiting agent.

use std::time::Duration;

use futures_util::future::try_join_all;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::{self, Utf8Bytes};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::Failure;
use crate::bench::{Bench, Rate};
use crate::http::{Http, show, tool};

/// How many clicks the latency is measured with.
const CLICKS: usize = 300;
/// Identifies the response to an action.
const MARK: &str = "\"act\"";

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Measures one and many connections, and the latency of clicks.
pub(crate) async fn measure(bench: &Bench) -> Result<(), Failure> {
    let mut http = Http::connect(&bench.server.mcp).await?;
    let shown = show(&mut http).await?;
    for connections in [1, 64] {
        let name = format!("action to ack, {connections:>2} conn.");
        if bench.wants(&name) {
            let sockets = try_join_all((0..connections).map(|_| subscribe(&shown))).await?;
            let work = exchanges(bench.span, sockets, action(&shown));
            let ours = Rate::of(&bench.server, work).await?;
            let url = bench.bare.socket();
            let sockets = try_join_all((0..connections).map(|_| open(&url))).await?;
            let frame = json!({"requestId": "act", "payload": "x".repeat(200)}).to_string();
            let echoed = Rate::of(&bench.bare, exchanges(bench.span, sockets, frame)).await?;
            bench.row(&name, &ours, &echoed);
            // Actions are consumed, so that the inbox stays small.
            drain(&mut http, &shown).await?;
        }
    }
    if bench.wants("click to waiting consume") {
        let mut latencies = click_to_consume(&mut http, &shown).await?;
        latencies.sort_unstable();
        let at = |percent: usize| {
            let index = (latencies.len() - 1) * percent / 100;
            latencies[index].as_secs_f64() * 1e3
        };
        let (half, most) = (at(50), at(99));
        println!("click to waiting consume  p50 {half:.2} ms  p99 {most:.2} ms");
    }
    Ok(())
}

/// A socket without any subscription.
pub(crate) async fn open(url: &str) -> Result<Socket, Failure> {
    Ok(connect_async(url).await?.0)
}

/// A socket that is subscribed to a session.
pub(crate) async fn subscribe(shown: &Value) -> Result<Socket, Failure> {
    let slice = &shown["_meta"]["ai.ggui/render"];
    let (url, token) = (slice["wsUrl"].as_str(), slice["wsToken"].as_str());
    let (url, token) = url.zip(token).ok_or("the render has no live channel")?;
    let mut socket = open(&format!("{url}?wsToken={token}")).await?;
    let payload = json!({"sessionId": slice["sessionId"], "wsToken": token});
    let frame = json!({"type": "subscribe", "payload": payload}).to_string();
    send(&mut socket, &frame).await?;
    receive(&mut socket, "ack").await?;
    Ok(socket)
}

async fn send(socket: &mut Socket, text: &str) -> Result<(), Failure> {
    Ok(socket.send(tungstenite::Message::text(text)).await?)
}

/// Receives frames until one contains a text, and gives that one.
pub(crate) async fn receive(socket: &mut Socket, wanted: &str) -> Result<Utf8Bytes, Failure> {
    loop {
        match socket.next().await.ok_or("the socket was closed")?? {
            tungstenite::Message::Text(text) if text.contains(wanted) => return Ok(text),
            tungstenite::Message::Close(frame) => return Err(format!("closed: {frame:?}").into()),
            _ => {}
        }
    }
}

/// The frame of an action on what is shown.
pub(crate) fn action(shown: &Value) -> String {
    let data = json!({"action": "setQuantity", "data": {"sku": "A1", "qty": 3}});
    let session = &shown["structuredContent"]["sessionId"];
    let payload = json!({"sessionId": session, "type": "data:submit", "payload": data});
    json!({"type": "action", "requestId": "act", "payload": payload}).to_string()
}

/// Consumes every pending action.
pub(crate) async fn drain(http: &mut Http, shown: &Value) -> Result<(), Failure> {
    let session = &shown["structuredContent"]["sessionId"];
    http.tool("ggui_consume", json!({"sessionId": session, "timeout": 0}))
        .await?;
    Ok(())
}

/// One action, and its ack; a refusal is a failure.
pub(crate) async fn exchange(socket: &mut Socket, text: &str) -> Result<(), Failure> {
    send(socket, text).await?;
    let reply = receive(socket, MARK).await?;
    match reply.contains("\"error\"") {
        true => Err(reply.as_str().into()),
        false => Ok(()),
    }
}

/// Sends actions on several connections, each waiting for its ack; returns how many.
async fn exchanges(span: Duration, sockets: Vec<Socket>, text: String) -> Result<u64, Failure> {
    let begun = Instant::now();
    let tasks: Vec<_> = sockets
        .into_iter()
        .map(|mut socket| {
            let text = text.clone();
            tokio::spawn(async move {
                let mut count = 0;
                while begun.elapsed() < span {
                    exchange(&mut socket, &text).await?;
                    count += 1;
                }
                Ok::<u64, Failure>(count)
            })
        })
        .collect();
    let mut count = 0;
    for task in tasks {
        count += task.await??;
    }
    Ok(count)
}

/// How long a click takes to reach an agent that waits for it.
async fn click_to_consume(http: &mut Http, shown: &Value) -> Result<Vec<Duration>, Failure> {
    let mut socket = subscribe(shown).await?;
    let session = &shown["structuredContent"]["sessionId"];
    let consume = tool("ggui_consume", json!({"sessionId": session, "timeout": 25}));
    let request = http.request(&consume);
    let text = action(shown);
    let mut latencies = Vec::with_capacity(CLICKS);
    for _ in 0..CLICKS {
        http.send(&request).await?;
        // The server reports on the lifecycle channel that an agent is waiting.
        receive(&mut socket, "consume_polling").await?;
        let clicked = Instant::now();
        send(&mut socket, &text).await?;
        http.receive().await?;
        latencies.push(clicked.elapsed());
    }
    Ok(latencies)
}
