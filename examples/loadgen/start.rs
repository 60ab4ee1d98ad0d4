//! What stored sessions cost a server that starts above them: its start, its memory, and a list.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Failure;
use crate::http::{Http, show};
use crate::server::Server;

/// Connections that fill a folder: enough that they share commits.
const FILLING: usize = 64;
/// The list that is read.
const LISTED: &str = "/api/v1/sessions?limit=50";

/// A row for each number of sessions. All of them are rendered over the wire first.
pub(crate) async fn measure(program: &Path, counts: &[usize]) -> Result<(), Failure> {
    println!(
        "{:>9}{:>12}{:>12}{:>12}{:>12}{:>12}{:>14}{:>12}{:>12}",
        "sessions", "filled at", "RSS", "folder", "start", "RSS", "first list", "list", "RSS"
    );
    for count in counts {
        let folder = std::env::temp_dir().join(format!("proscenium-start-{}", std::process::id()));
        let outcome = row(program, &folder, *count).await;
        std::fs::remove_dir_all(&folder)?;
        outcome?;
    }
    println!(
        "RSS: after they were rendered, above them, and after the lists; start: from the process to \
         the first answer; list: the newest 50 of all"
    );
    Ok(())
}

async fn row(program: &Path, folder: &Path, count: usize) -> Result<(), Failure> {
    let begun = Instant::now();
    let server = started(program, folder)?;
    fill(&server, count).await?;
    let rate = count as f64 / begun.elapsed().as_secs_f64();
    let filled = memory_of(&server)?;
    // It is killed: what it has acknowledged is there all the same.
    drop(server);
    let begun = Instant::now();
    let server = started(program, folder)?;
    let mut http = Http::connect(&server.mcp).await?;
    http.call(&json!({"method": "ping"})).await?;
    let start = begun.elapsed();
    let memory = memory_of(&server)?;
    let first = list(&mut http).await?;
    let again = list(&mut http).await?;
    println!(
        "{count:>9}{rate:>10.0}/s{filled:>9.1} MB{:>9.0} MB{:>9.1} ms{memory:>9.1} MB{:>11.1} ms{:>9.1} ms{:>9.1} MB",
        bytes_in(folder)? as f64 / 1e6,
        ms(start),
        ms(first),
        ms(again),
        memory_of(&server)?,
    );
    Ok(())
}

pub(crate) fn started(program: &Path, folder: &Path) -> Result<Server, Failure> {
    let data = folder.to_string_lossy();
    let listen = ["--listen", "127.0.0.1:0"];
    let arguments = [&["--unlimited", "--data", &data], &listen[..]].concat();
    Server::start(program.to_owned(), &arguments, "mcp ")
}

/// Renders sessions over several connections.
async fn fill(server: &Server, count: usize) -> Result<(), Failure> {
    let left = Arc::new(AtomicUsize::new(count));
    let mut filling = JoinSet::new();
    for _ in 0..FILLING {
        let (mut http, left) = (Http::connect(&server.mcp).await?, Arc::clone(&left));
        filling.spawn(async move {
            let order = Ordering::Relaxed;
            while left
                .fetch_update(order, order, |left| left.checked_sub(1))
                .is_ok()
            {
                show(&mut http).await?;
            }
            Ok::<_, Failure>(())
        });
    }
    while let Some(filled) = filling.join_next().await {
        filled??;
    }
    Ok(())
}

/// How long one list takes.
async fn list(http: &mut Http) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let answer: Value = serde_json::from_slice(&http.get(LISTED).await?)?;
    let took = begun.elapsed();
    match answer["data"].as_array() {
        Some(rows) if !rows.is_empty() => Ok(took),
        _ => Err(answer.to_string().into()),
    }
}

fn bytes_in(folder: &Path) -> Result<u64, Failure> {
    let mut bytes = 0;
    for file in std::fs::read_dir(folder)? {
        bytes += file?.metadata()?.len();
    }
    Ok(bytes)
}

pub(crate) fn memory_of(server: &Server) -> Result<f64, Failure> {
    let bytes = server.memory().ok_or("its memory is unknown here")?;
    Ok(bytes as f64 / 1e6)
}

pub(crate) fn ms(span: Duration) -> f64 {
    span.as_secs_f64() * 1e3
}
