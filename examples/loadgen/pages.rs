//! What stored pages cost: a start above them, a query, and a word that was just written.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use crate::Failure;
use crate::http::Http;
use crate::server::Server;
use crate::start::{memory_of, ms, started};

/// Connections that write pages: enough that they share commits.
const WRITING: usize = 64;
/// Questions of a figure.
const ASKED: usize = 300;
/// Words that texts are made of, of three parts each: 4,096.
const PARTS: [&str; 16] = [
    "ar", "bel", "con", "dra", "es", "fin", "gor", "hul", "im", "jat", "kel", "lun", "mar", "nor",
    "os", "pan",
];
/// Words of a page: some paragraphs.
const WORDS: usize = 150;

/// A row for each number of pages. All of them are written over the wire first.
pub(crate) async fn measure(program: &Path, counts: &[usize]) -> Result<(), Failure> {
    println!(
        "{:>9}{:>12}{:>12}{:>12}{:>18}{:>18}{:>12}",
        "pages", "written at", "start", "first page", "search p50, p95", "query p50, p95", "RSS"
    );
    for count in counts {
        let folder = std::env::temp_dir().join(format!("proscenium-pages-{}", std::process::id()));
        let outcome = row(program, &folder, *count).await;
        std::fs::remove_dir_all(&folder)?;
        outcome?;
    }
    println!("start: from the process to the first answer; first page: from there to its text");
    println!("search: words of three pages; query: the same, words and likeness together");
    Ok(())
}

async fn row(program: &Path, folder: &Path, count: usize) -> Result<(), Failure> {
    let begun = Instant::now();
    let server = started(program, folder)?;
    write(&server, count).await?;
    let rate = count as f64 / begun.elapsed().as_secs_f64();
    drop(server);
    let begun = Instant::now();
    let server = started(program, folder)?;
    let mut http = Http::connect(&brain(&server)).await?;
    http.call(&json!({"method": "ping"})).await?;
    let start = begun.elapsed();
    http.tool("brain_get", json!({"slug": slug(count / 2)}))
        .await?;
    let first = begun.elapsed() - start;
    let by_words = asked(&mut http, "brain_search", count).await?;
    let fused = asked(&mut http, "brain_query", count).await?;
    // A word that no other page has is found by the next request.
    let new = json!({"slug": "new/page", "content": "The xylophonist has arrived."});
    http.tool("brain_put", new).await?;
    let found = http
        .tool("brain_search", json!({"query": "xylophonist"}))
        .await?;
    if !found.to_string().contains("new/page") {
        return Err(format!("a new page is not found: {found}").into());
    }
    println!(
        "{count:>9}{rate:>10.0}/s{:>9.1} ms{:>9.1} ms{:>18}{:>18}{:>9.1} MB",
        ms(start),
        ms(first),
        percentiles(by_words),
        percentiles(fused),
        memory_of(&server)?,
    );
    Ok(())
}

/// Writes pages over several connections.
async fn write(server: &Server, count: usize) -> Result<(), Failure> {
    let next = Arc::new(AtomicUsize::new(0));
    let mut writing = JoinSet::new();
    for _ in 0..WRITING {
        let (mut http, next) = (Http::connect(&brain(server)).await?, Arc::clone(&next));
        writing.spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    return Ok::<_, Failure>(());
                }
                let put = json!({"slug": slug(number), "content": text(number)});
                http.tool("brain_put", put).await?;
            }
        });
    }
    while let Some(written) = writing.join_next().await {
        written??;
    }
    Ok(())
}

/// How long each of many questions takes, in ascending order.
async fn asked(http: &mut Http, tool: &str, count: usize) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::with_capacity(ASKED);
    for question in 0..ASKED {
        let words: Vec<_> = (0..3)
            .map(|word| at(question * count / ASKED, word * 7))
            .collect();
        let begun = Instant::now();
        let found = http.tool(tool, json!({"query": words.join(" ")})).await?;
        times.push(begun.elapsed());
        if found["content"] == Value::Null {
            return Err(found.to_string().into());
        }
    }
    times.sort_unstable();
    Ok(times)
}

fn percentiles(times: Vec<Duration>) -> String {
    let at = |share: usize| ms(times[(times.len() - 1) * share / 100]);
    format!("{:.1}, {:.1} ms", at(50), at(95))
}

fn brain(server: &Server) -> String {
    format!("{}/brain", server.mcp)
}

fn slug(number: usize) -> String {
    format!("notes/{}/page-{number}", number % 100)
}

fn text(number: usize) -> String {
    let words: Vec<_> = (0..WORDS).map(|word| at(number, word)).collect();
    format!("---\ntitle: Page {number}\n---\n{}.\n", words.join(" "))
}

/// The word of a page at a place: some stand in many pages, most in few.
fn at(page: usize, place: usize) -> String {
    let mixed = (page * 2_654_435_761 + place * 40_503) >> 7;
    let of = |part: usize| PARTS[mixed / part % PARTS.len()];
    match place % 3 {
        0 => format!("{}{}", of(1), of(16)),
        _ => format!("{}{}{}", of(1), of(16), of(256)),
    }
}
