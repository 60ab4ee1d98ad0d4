//! Memory growth: subscribers of one session, idle connections, stored sessions, and actions in a
//! long run.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Failure;
use crate::bench::{Bench, Rate};
use crate::channel::{Socket, action, drain, exchange, open, receive, subscribe};
use crate::http::{Http, show, tool};
use crate::server::Server;

/// Subscribers of one session.
const AUDIENCES: [usize; 2] = [100, 1_000];
/// Connections that do nothing.
const IDLE: usize = 10_000;
/// How many of them subscribe to the same session.
const IDLE_PER_SESSION: usize = 100;
/// Sessions without subscribers.
const STORED: usize = 10_000;
/// Connections of the long run, each with its own session.
const RUNNERS: u64 = 16;
/// Number of actions after which a runner's agent consumes them.
const TAKEN_EVERY: u64 = 64;
/// Connections opened at once.
const OPENING: usize = 32;

/// Measures every row of growth.
pub(crate) async fn measure(bench: &Bench, actions: u64) -> Result<(), Failure> {
    // This comes first: memory that other rows free would hide what sessions take.
    if bench.wants("stored session") {
        stored(bench).await?;
    }
    if bench.wants("idle connection") {
        idle(bench).await?;
    }
    for audience in AUDIENCES {
        let name = format!("fan-out, {audience:>4} subscr.");
        if bench.wants(&name) {
            fan_out(bench, &name, audience).await?;
        }
    }
    if bench.wants("actions") {
        endure(bench, actions).await?;
    }
    Ok(())
}

/// Sends one item to all subscribers, and the next one when all have received it.
async fn fan_out(bench: &Bench, name: &str, audience: usize) -> Result<(), Failure> {
    let mut http = Http::connect(&bench.server.mcp).await?;
    let shown = show(&mut http).await?;
    let session = &shown["structuredContent"]["sessionId"];
    let emit = json!({"sessionId": session, "channel": "tick", "payload": 1});
    let emit = http.request(&tool("ggui_emit", emit));
    let sockets = gather(audience, |_| subscribe(&shown)).await?;
    let work = publish_to_all(bench.span, &mut http, &emit, sockets, "\"tick\"");
    let ours = Rate::of(&bench.server, work).await?;

    let mut http = Http::connect(&format!("{}/publish", bench.bare.mcp)).await?;
    let frame = json!({"type": "data", "payload": {
        "sessionId": session, "channel": "tick", "mode": "replace", "payload": 1, "seq": 1,
    }});
    let publish = http.request(&frame);
    let url = format!("{}/hear", bench.bare.socket());
    let sockets = gather(audience, |_| open(&url)).await?;
    let work = publish_to_all(bench.span, &mut http, &publish, sockets, "\"tick\"");
    let bare = Rate::of(&bench.bare, work).await?;
    bench.row(name, &ours, &bare);
    Ok(())
}

/// Opens many connections, some of them concurrently.
async fn gather<F>(count: usize, opened: impl Fn(usize) -> F) -> Result<Vec<Socket>, Failure>
where
    F: Future<Output = Result<Socket, Failure>>,
{
    let opened = stream::iter((0..count).map(opened));
    opened.buffer_unordered(OPENING).try_collect().await
}

/// Returns how many frames were received.
async fn publish_to_all(
    span: Duration,
    http: &mut Http,
    request: &[u8],
    sockets: Vec<Socket>,
    word: &'static str,
) -> Result<u64, Failure> {
    let audience = sockets.len() as u64;
    let (heard, all) = (Arc::new(AtomicU64::new(0)), Arc::new(Notify::new()));
    let mut listeners = JoinSet::new();
    for mut socket in sockets {
        let (heard, all) = (Arc::clone(&heard), Arc::clone(&all));
        listeners.spawn(async move {
            while receive(&mut socket, word).await.is_ok() {
                if (heard.fetch_add(1, Ordering::Relaxed) + 1).is_multiple_of(audience) {
                    all.notify_one();
                }
            }
        });
    }
    let begun = Instant::now();
    while begun.elapsed() < span {
        http.exchange(request).await?;
        tokio::select! {
            () = all.notified() => {}
            _ = listeners.join_next() => return Err("a listener was cut off".into()),
        }
    }
    Ok(heard.load(Ordering::Relaxed))
}

/// The memory of a connection that is subscribed to an inactive session.
async fn idle(bench: &Bench) -> Result<(), Failure> {
    let mut http = Http::connect(&bench.server.mcp).await?;
    let mut shown = Vec::new();
    for _ in 0..IDLE / IDLE_PER_SESSION {
        shown.push(show(&mut http).await?);
    }
    let before = bench.server.memory();
    let sockets = gather(IDLE, |index| subscribe(&shown[index % shown.len()])).await?;
    each("idle connection", &bench.server, before, sockets.len());
    drop(sockets);
    let url = bench.bare.socket();
    let before = bench.bare.memory();
    let sockets = gather(IDLE, |_| open(&url)).await?;
    each("  beside: bare", &bench.bare, before, sockets.len());
    Ok(())
}

/// The memory of a session without subscribers.
async fn stored(bench: &Bench) -> Result<(), Failure> {
    let mut http = Http::connect(&bench.server.mcp).await?;
    show(&mut http).await?;
    let before = bench.server.memory();
    for _ in 0..STORED {
        show(&mut http).await?;
    }
    each("stored session", &bench.server, before, STORED);
    Ok(())
}

fn each(name: &str, server: &Server, before: Option<u64>, count: usize) {
    if let Some((before, after)) = before.zip(server.memory()) {
        let kib = after.saturating_sub(before) as f64 / count as f64 / 1024.0;
        println!("{name:<24} {kib:>8.1} KiB each of {count}");
    }
}

/// Many actions, each acknowledged and consumed: memory after a tenth of them and after all.
async fn endure(bench: &Bench, actions: u64) -> Result<(), Failure> {
    let mut runners = Vec::new();
    for _ in 0..RUNNERS {
        let mut http = Http::connect(&bench.server.mcp).await?;
        let shown = show(&mut http).await?;
        let socket = subscribe(&shown).await?;
        runners.push((http, shown, socket));
    }
    let mut after_tenth = None;
    let mut done = 0;
    for part in [actions / 10, actions - actions / 10] {
        let begun = Instant::now();
        let mut running = JoinSet::new();
        for runner in std::mem::take(&mut runners) {
            running.spawn(run(runner, part / RUNNERS));
        }
        while let Some(ended) = running.join_next().await {
            runners.push(ended??);
        }
        done += part / RUNNERS * RUNNERS;
        let rate = part as f64 / begun.elapsed().as_secs_f64();
        println!("actions, {done:>10}     {rate:>8.0} /s");
        if let Some(memory) = bench.server.memory() {
            let first = *after_tenth.get_or_insert(memory);
            let ratio = memory as f64 / first as f64;
            println!(
                "  memory                {:>8.1} MB  {ratio:>5.2} of the first",
                memory as f64 / 1e6
            );
        }
    }
    Ok(())
}

type Runner = (Http, Value, Socket);

async fn run((mut http, shown, mut socket): Runner, count: u64) -> Result<Runner, Failure> {
    let text = action(&shown);
    for index in 1..=count {
        exchange(&mut socket, &text).await?;
        if index.is_multiple_of(TAKEN_EVERY) {
            drain(&mut http, &shown).await?;
        }
    }
    Ok((http, shown, socket))
}
