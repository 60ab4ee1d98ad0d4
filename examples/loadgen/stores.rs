//! What keeping everything costs: the same calls on servers that keep it in memory, on disk and in
//! Redis, and on three servers above one Redis.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::future::try_join_all;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::Failure;
use crate::channel::{Socket, action, drain, exchange, receive, subscribe};
use crate::http::{Http, draft, show, tool};
use crate::server::Server;
use crate::start::{memory_of, ms};

/// Connections of each figure: a lone caller, and as many as share a commit.
const CONNECTIONS: [usize; 2] = [1, 64];
/// Sockets that are sent each item.
const WATCHERS: usize = 100;
/// Servers above one Redis, beside one.
const NODES: usize = 3;
/// What is called.
const CALLS: [Call; 7] = [
    Call::Handshake,
    Call::Show,
    Call::Update,
    Call::Emit,
    Call::Consume,
    Call::Act,
    Call::ActOnOne,
];

#[derive(Clone, Copy, PartialEq)]
enum Call {
    Handshake,
    Show,
    Update,
    Emit,
    Consume,
    Act,
    /// All connections act on one session, whose actions follow one another.
    ActOnOne,
}

impl Call {
    fn name(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Show => "handshake + render",
            Self::Update => "update",
            Self::Emit => "emit",
            Self::Consume => "action + consume",
            Self::Act => "action to ack",
            Self::ActOnOne => "action to ack, one session",
        }
    }
}

/// How fast a server answered.
struct Figure {
    per_second: f64,
    half: Duration,
    most: Duration,
}

/// One caller with a session to work on.
struct Caller {
    http: Http,
    socket: Socket,
    shown: Value,
    count: u64,
}

/// A row for each call and number of connections, with a figure for each way to keep everything.
pub(crate) async fn measure(
    program: &Path,
    wants: impl Fn(&str) -> bool,
    span: Duration,
) -> Result<(), Failure> {
    let folder = std::env::temp_dir().join(format!("proscenium-stores-{}", std::process::id()));
    let kinds = ["memory", "normal", "full", "redis"];
    let redis = Redis::start(&folder.join("redis"))?;
    let servers = kinds.map(|kind| start(program, &folder.join(kind), kind));
    let servers: Result<Vec<_>, _> = servers.into_iter().collect();
    let mut servers = servers?;
    println!(
        "{:<32}{:^32}{:^32}{:^32}{:^32}",
        "", "memory", "SQLite, normal", "SQLite, full", "Redis, everysec"
    );
    for call in CALLS {
        for connections in CONNECTIONS {
            let name = format!("{}, {connections:>2} conn.", call.name());
            if !wants(&name) || call == Call::ActOnOne && connections == 1 {
                continue;
            }
            let mut row = format!("{name:<34}");
            for server in &servers {
                row += &figure(&[server], call, connections, span).await?.column();
            }
            println!("{row}");
        }
    }
    let name = format!("item to {WATCHERS} sockets");
    if wants(&name) {
        let mut row = format!("{name:<34}");
        for server in &servers {
            row += &fan_out(server, span).await?.column();
        }
        println!("{row}");
    }
    let mut row = format!("{:<34}", "memory after all of it (RSS)");
    for server in &servers {
        row += &format!("{:>8.0} MB{:<21}", memory_of(server)?, "");
    }
    println!("{row}");
    println!(
        "\n{:<32}{:^32}{:^32}",
        "", "Redis, one server", "Redis, three servers"
    );
    let mut nodes = vec![servers.pop().ok_or("no server above Redis")?];
    for _ in 1..NODES {
        nodes.push(start(program, &folder.join("redis"), "redis")?);
    }
    let all: Vec<_> = nodes.iter().collect();
    for call in CALLS {
        let name = format!("{}, servers", call.name());
        if wants(&name) && call != Call::ActOnOne {
            let one = figure(&all[..1], call, CONNECTIONS[1], span).await?;
            let three = figure(&all, call, CONNECTIONS[1], span).await?;
            println!("{name:<34}{}{}", one.column(), three.column());
        }
    }
    println!(
        "each: calls (or items received) per second, half of them within, 99 % of them within"
    );
    drop((servers, nodes));
    drop(redis);
    Ok(std::fs::remove_dir_all(folder)?)
}

impl Figure {
    /// Of latencies, each of which stands for so many.
    fn of(mut latencies: Vec<Duration>, each: usize, span: Duration) -> Result<Self, Failure> {
        latencies.sort_unstable();
        let last = latencies
            .len()
            .checked_sub(1)
            .ok_or("nothing was answered")?;
        Ok(Self {
            per_second: (latencies.len() * each) as f64 / span.as_secs_f64(),
            half: latencies[last / 2],
            most: latencies[last * 99 / 100],
        })
    }

    fn column(&self) -> String {
        let (half, most) = (ms(self.half), ms(self.most));
        format!("{:>8.0} /s {half:>6.2} {most:>6.2} ms   ", self.per_second)
    }
}

/// How fast many who watch one session are sent each item.
async fn fan_out(server: &Server, span: Duration) -> Result<Figure, Failure> {
    let mut http = Http::connect(&server.mcp).await?;
    let shown = show(&mut http).await?;
    let mut sockets = try_join_all((0..WATCHERS).map(|_| subscribe(&shown))).await?;
    let session = &shown["structuredContent"]["sessionId"];
    let (begun, mut latencies) = (Instant::now(), Vec::new());
    while begun.elapsed() < span {
        let count = latencies.len();
        let item = json!({"sessionId": session, "channel": "tick", "payload": count});
        let called = Instant::now();
        http.tool("ggui_emit", item).await?;
        let mark = format!("\"payload\":{count}");
        try_join_all(sockets.iter_mut().map(|socket| receive(socket, &mark))).await?;
        latencies.push(called.elapsed());
    }
    Figure::of(latencies, WATCHERS, begun.elapsed())
}

/// A Redis that saves about every second, as most do.
struct Redis(Child);

impl Redis {
    fn start(folder: &Path) -> Result<Self, Failure> {
        std::fs::create_dir_all(folder)?;
        let mut process = Command::new("redis-server")
            .current_dir(folder)
            .args(["--port", "0", "--unixsocket", "redis.sock", "--save", ""])
            .args(["--appendonly", "yes", "--appendfsync", "everysec"])
            .stdout(Stdio::piped())
            .spawn()?;
        let output = process.stdout.take().ok_or("no output")?;
        let mut lines = BufReader::new(output).lines();
        let is_ready = lines.any(|line| line.is_ok_and(|line| line.contains("eady to accept")));
        // It writes on, and must not end because nobody reads.
        std::thread::spawn(move || lines.for_each(drop));
        if is_ready {
            Ok(Self(process))
        } else {
            Err("redis-server does not start".into())
        }
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server that keeps everything in one way.
fn start(program: &Path, folder: &Path, kind: &str) -> Result<Server, Failure> {
    std::fs::create_dir_all(folder)?;
    let config = folder.join("proscenium.toml");
    let store = match kind {
        "memory" => "ephemeral = true".to_owned(),
        "redis" => format!("url = \"redis+unix://{}/redis.sock\"", folder.display()),
        durability => format!("data = {folder:?}\ndurability = {durability:?}"),
    };
    std::fs::write(&config, format!("[store]\n{store}\n"))?;
    let config = config.to_string_lossy();
    let arguments = [
        "--unlimited",
        "--listen",
        "127.0.0.1:0",
        "--config",
        &config,
    ];
    Server::start(program.to_owned(), &arguments, "mcp ")
}

/// How fast servers answer, each of which has its part of the connections.
async fn figure(
    servers: &[&Server],
    call: Call,
    connections: usize,
    span: Duration,
) -> Result<Figure, Failure> {
    let mut first = Http::connect(&servers[0].mcp).await?;
    let shared = &show(&mut first).await?;
    let callers = (0..connections).map(|number| async move {
        let mut http = Http::connect(&servers[number % servers.len()].mcp).await?;
        let shown = match call {
            Call::ActOnOne => shared.clone(),
            _ => show(&mut http).await?,
        };
        let socket = subscribe(&shown).await?;
        Ok::<_, Failure>(Caller {
            http,
            socket,
            shown,
            count: 0,
        })
    });
    let callers = try_join_all(callers).await?;
    let begun = Instant::now();
    let tasks = callers.into_iter().map(|mut caller| {
        tokio::spawn(async move {
            let mut latencies = Vec::new();
            while begun.elapsed() < span {
                let called = Instant::now();
                caller.call(call).await?;
                latencies.push(called.elapsed());
            }
            Ok::<_, Failure>(latencies)
        })
    });
    let mut latencies = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        latencies.extend(task.await??);
    }
    let took = begun.elapsed();
    drain(&mut first, shared).await?;
    Figure::of(latencies, 1, took)
}

impl Caller {
    async fn call(&mut self, call: Call) -> Result<(), Failure> {
        let session = &self.shown["structuredContent"]["sessionId"];
        self.count += 1;
        let message = match call {
            Call::Handshake => tool("ggui_handshake", draft()),
            Call::Show => {
                show(&mut self.http).await?;
                return Ok(());
            }
            Call::Update => {
                let patch = json!({"note": format!("note {}", self.count)});
                let change = json!({"sessionId": session, "kind": "merge", "patch": patch});
                tool("ggui_update", change)
            }
            Call::Emit => {
                let item = json!({"sessionId": session, "channel": "tick", "payload": self.count});
                tool("ggui_emit", item)
            }
            Call::Consume => {
                exchange(&mut self.socket, &action(&self.shown)).await?;
                tool("ggui_consume", json!({"sessionId": session, "timeout": 0}))
            }
            Call::Act | Call::ActOnOne => {
                return exchange(&mut self.socket, &action(&self.shown)).await;
            }
        };
        let answer = self.http.call(&message).await?;
        if answer["result"]["isError"] == true || answer["result"].is_null() {
            return Err(answer.to_string().into());
        }
        Ok(())
    }
}
