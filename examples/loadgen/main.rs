//! Measures a server from outside and, in the same run, a bare axum server beside it; prints both,
//! their ratio, and the processor time of one call. With `taskset`, each server has a core of its
//! own
//! and the client has the others.

#![expect(
    clippy::print_stdout,
    reason = "a tool on a terminal prints its figures"
)]

mod bare;
mod bench;
mod calls;
mod channel;
mod growth;
mod http;
mod model;
mod pages;
mod server;
mod start;
mod stores;
mod strain;

use std::error::Error;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use serde_json::json;
use tokio::time::Instant;

use bench::Bench;
use http::Http;
use server::Server;

type Failure = Box<dyn Error + Send + Sync>;

const EXAMPLES: &str = "Examples:
  cargo build --profile dist && cargo run --profile dist --example loadgen
  cargo run --profile dist --example loadgen -- --only get_session --seconds 10
  cargo run --profile dist --example loadgen -- --growth --actions 2000000
  cargo run --profile dist --example loadgen -- --strain --seconds 10
  cargo run --profile dist --example loadgen -- --stores
  cargo run --profile dist --example loadgen -- --start 10000,100000
  cargo run --profile dist --example loadgen -- --pages 10000,50000
  cargo run --profile dist --example loadgen -- --model
  cargo run --profile dist --example loadgen -- http://127.0.0.1:6781/mcp";

/// Measures a server that speaks the ggui protocol, beside a bare one.
#[derive(Parser)]
#[command(after_help = EXAMPLES)]
struct Arguments {
    /// MCP address of the server; without it the build of proscenium beside this program is started
    url: Option<String>,
    /// Measure only rows whose name has this in it
    #[arg(long, value_name = "WORDS")]
    only: Option<String>,
    /// How long each figure is measured
    #[arg(long, value_name = "N", default_value_t = 2.0)]
    seconds: f64,
    /// Measure what grows instead: subscribers, idle connections, stored sessions, actions
    #[arg(long)]
    growth: bool,
    /// Actions of the long run of `--growth`
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    actions: u64,
    /// Measure what greedy callers and strangers cost others instead: memory after a peak, the time
    /// of a small call beside junk drafts, and of a first answer beside connections that are held
    #[arg(long, conflicts_with_all = ["growth", "url"])]
    strain: bool,
    /// Measure what it costs to keep everything outside the process instead: calls by one and by 64
    /// connections, and items to many sockets, on a server in memory, on SQLite with either
    /// durability, and on a Redis; then calls on three servers above one Redis beside one
    #[arg(long, conflicts_with_all = ["growth", "url", "strain"])]
    stores: bool,
    /// Measure what stored sessions cost a server that starts above them instead: a data folder is
    /// filled with so many of them, several numbers one after the other; then start, memory, a list
    #[arg(long, value_name = "N,N", value_delimiter = ',', num_args = 0..,
        default_missing_values = ["10000", "100000"],
        conflicts_with_all = ["growth", "url", "strain", "stores"])]
    start: Vec<usize>,
    /// Measure what stored pages cost instead: so many are written, several numbers one after the
    /// other; then start, a page, searches and queries, and a word that was just written
    #[arg(long, value_name = "N,N", value_delimiter = ',', num_args = 0..,
        default_missing_values = ["10000", "50000"],
        conflicts_with_all = ["growth", "url", "strain", "stores", "start"])]
    pages: Vec<usize>,
    /// Measure what a model costs those who do not wait for it instead: renders on a server without
    /// one, and on one whose provider never answers
    #[arg(long, conflicts_with_all = ["growth", "url", "strain", "stores", "start", "pages"])]
    model: bool,
    /// Sessions that are deleted in `--strain`: 700 KiB of memory each
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    sessions: usize,
    /// Be the bare server
    #[arg(long, hide = true)]
    bare: bool,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse();
    if arguments.bare {
        return bare::serve().await;
    }
    server::leave_first_core();
    let wants = |name: &str| {
        arguments
            .only
            .as_ref()
            .is_none_or(|only| name.contains(only))
    };
    let span = Duration::try_from_secs_f64(arguments.seconds)?;
    if arguments.stores {
        return stores::measure(&program()?, wants, span).await;
    }
    if !arguments.start.is_empty() {
        return start::measure(&program()?, &arguments.start).await;
    }
    if !arguments.pages.is_empty() {
        return pages::measure(&program()?, &arguments.pages).await;
    }
    if arguments.model {
        return model::measure(&program()?).await;
    }
    if arguments.strain {
        return strain::measure(&program()?, wants, span, arguments.sessions).await;
    }
    let server = match arguments.url {
        Some(url) => Server::at(url),
        None => started().await?,
    };
    let bench = Bench {
        bare: Server::start(std::env::current_exe()?, &["--bare"], "bare ")?,
        server,
        span,
        only: arguments.only,
    };
    println!("\n{}", bench::HEADINGS);
    if arguments.growth {
        growth::measure(&bench, arguments.actions).await?;
    } else {
        calls::measure(&bench).await?;
        channel::measure(&bench).await?;
    }
    if let Some(memory) = bench.server.memory() {
        println!("memory after all of it  {:>8.1} MB", memory as f64 / 1e6);
    }
    Ok(())
}

/// The server of the same build as this program.
async fn started() -> Result<Server, Failure> {
    let begun = Instant::now();
    let server = start(program()?)?;
    let mut http = Http::connect(&server.mcp).await?;
    http.call(&json!({"method": "ping"})).await?;
    let first_answer = begun.elapsed().as_secs_f64() * 1e3;
    println!("start to first answer   {first_answer:>8.1} ms");
    if let Some(memory) = server.memory() {
        println!("idle memory (RSS)       {:>8.1} MB", memory as f64 / 1e6);
    }
    Ok(server)
}

/// Where that server is.
fn program() -> Result<PathBuf, Failure> {
    let program = std::env::current_exe()?
        .parent()
        .and_then(|examples| examples.parent())
        .map(|profile| profile.join("proscenium"));
    Ok(program.ok_or("no folder above this program")?)
}

fn start(program: PathBuf) -> Result<Server, Failure> {
    let arguments = ["--unlimited", "--ephemeral", "--listen", "127.0.0.1:0"];
    Server::start(program, &arguments, "mcp ")
}
