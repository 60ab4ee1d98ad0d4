//! A server that is killed while many write pages: no page that it acknowledged is missing, and each
//! is found by what it says.

use std::io::Write as _;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinSet;

use super::kept::above;
use crate::chance::Chance;
use crate::node::{Client, assert_sound};

/// How often it is killed by default, which takes seconds.
const ROUNDS: u64 = 5;
const ROUNDS_VARIABLE: &str = "PROSCENIUM_KILLED_ROUNDS";
const SEED_VARIABLE: &str = "PROSCENIUM_KILLED_SEED";
/// Writers, each with pages of its own.
const WRITERS: usize = 6;
/// Pages of a writer.
const PAGES: usize = 4;
/// Pages that were written after which it is killed at the latest.
const STEPS: usize = 60;

fn number(variable: &str, default: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| text.parse().expect("a number"))
}

/// A page of one writer: its version and its word, as they were acknowledged, and the word of a
/// version that was asked for and not acknowledged.
#[derive(Clone, Default)]
struct Written {
    version: i64,
    word: String,
    tried: Option<String>,
    /// The tools whose work beside this version was acknowledged.
    beside: Vec<&'static str>,
}

type Pages = Arc<Mutex<Vec<Written>>>;

/// The text of a page that says a word, with a timeline.
fn content(word: &str, writer: usize) -> String {
    let first = slug(writer, 0);
    format!("It says {word}, and links to [[{first}]].\n---\n- 2026-01-01 — came to {word}\n")
}

/// What is written beside a page that says a word, and said another one before.
fn beside(
    writer: usize,
    page: usize,
    word: &str,
    before: &str,
) -> [(&'static str, serde_json::Value); 3] {
    let slug = slug(writer, page);
    let old: Vec<_> = Some(before)
        .filter(|old| !old.is_empty())
        .into_iter()
        .collect();
    [
        (
            "brain_tags",
            json!({"slug": slug, "add": [word], "remove": old}),
        ),
        (
            "brain_link",
            json!({"from_slug": slug, "to_slug": slug, "relationship": word}),
        ),
        (
            "brain_raw",
            json!({"slug": slug, "source": "word", "data": {"word": word}, "overwrite": true}),
        ),
    ]
}

/// Whether what a tool has acknowledged beside a page is there.
async fn is_beside(client: &Client, tool: &str, slug: &str, word: &str) -> bool {
    match tool {
        "brain_tags" => {
            let tags = client.tool("brain_tags", json!({"slug": slug})).await;
            tags["tags"]
                .as_array()
                .expect("tags")
                .contains(&json!(word))
        }
        "brain_link" => {
            let links = json!({"slug": slug, "limit": 1000});
            let links = client.tool("brain_backlinks", links).await;
            let mut rows = links["links"].as_array().expect("links").iter();
            rows.any(|row| row["relationship"] == word)
        }
        _ => {
            let again = json!({"slug": slug, "source": "word", "data": {}});
            let again = client.keyed(None, "brain_raw", &again).await;
            again.body["error"]["code"] == -32009
        }
    }
}

fn slug(writer: usize, page: usize) -> String {
    format!("own/{writer}/{page}")
}

/// Writes its pages in turn until the server is gone.
async fn write(
    client: Client,
    writer: usize,
    round: u64,
    pages: Pages,
    steps: Arc<watch::Sender<usize>>,
) {
    for count in 0.. {
        let page = count % PAGES;
        let word = format!("w{writer}r{round}c{count}");
        let version = {
            let mut pages = pages.lock().unwrap();
            pages[page].tried = Some(word.clone());
            pages[page].version
        };
        let arguments = json!({
            "slug": slug(writer, page),
            "content": content(&word, writer),
            "expected_version": (version > 0).then_some(version),
        });
        let Some(written) = client.attempt("brain_put", arguments).await else {
            return;
        };
        assert_eq!(written["version"], version + 1);
        let now = Written {
            version: version + 1,
            word: word.clone(),
            tried: None,
            beside: Vec::new(),
        };
        let before = std::mem::replace(&mut pages.lock().unwrap()[page], now);
        for (tool, arguments) in beside(writer, page, &word, &before.word) {
            if client.attempt(tool, arguments).await.is_none() {
                return;
            }
            pages.lock().unwrap()[page].beside.push(tool);
        }
        steps.send_modify(|steps| *steps += 1);
    }
}

/// Compares the pages of a writer with what was acknowledged.
async fn check(client: &Client, writer: usize, pages: &Pages) {
    let known = pages.lock().unwrap().clone();
    for (page, written) in known.into_iter().enumerate() {
        let slug = slug(writer, page);
        let answer = client
            .keyed(None, "brain_get", &json!({"slug": slug}))
            .await;
        let read = &answer.body["result"]["structuredContent"];
        if answer.body["error"]["code"] == -32001 {
            assert_eq!(written.version, 0, "{slug} was acknowledged and is missing");
            continue;
        }
        let version = read["version"].as_i64().expect("a version");
        let content = read["content"].as_str().expect("a text");
        let word = match (&written.tried, version - written.version) {
            (_, 0) => written.word.clone(),
            // It was kept, and nobody heard of it.
            (Some(tried), 1) => tried.clone(),
            _ => panic!(
                "{slug} is at {version}, and {} was acknowledged",
                written.version
            ),
        };
        assert!(
            content.contains(&format!("says {word},")),
            "{slug}: {word} {content}"
        );
        let timeline = client.tool("brain_timeline", json!({"slug": slug})).await;
        let entry = timeline["entries"][0].as_str().expect("an entry");
        assert!(entry.contains(&word), "{slug}: {entry}");
        for tool in &written.beside {
            let is_there = is_beside(client, tool, &slug, &written.word).await;
            assert!(is_there, "{slug}: {tool} of {}", written.word);
        }
        let found = client.tool("brain_search", json!({"query": word})).await;
        assert_eq!(
            found["results"][0]["slug"],
            format!("default::{slug}"),
            "{word}"
        );
        if !written.word.is_empty() && written.word != word {
            let old = client
                .tool("brain_search", json!({"query": written.word}))
                .await;
            assert_eq!(old["results"], json!([]), "{} was replaced", written.word);
        }
        pages.lock().unwrap()[page] = Written {
            version,
            word,
            tried: None,
            beside: Vec::new(),
        };
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_at_any_moment_has_kept_every_page_it_acknowledged() {
    let seed = number(SEED_VARIABLE, u64::from(std::process::id()));
    let _ = writeln!(std::io::stdout(), "PROSCENIUM_KILLED_SEED={seed}");
    let mut chance = Chance(seed);
    let folder = TempDir::new().expect("a folder");
    let writers: Vec<Pages> = (0..WRITERS)
        .map(|_| Arc::new(Mutex::new(vec![Written::default(); PAGES])))
        .collect();
    let mut node = above(folder.path()).await;
    for round in 1..=number(ROUNDS_VARIABLE, ROUNDS) {
        let steps = Arc::new(watch::Sender::new(0));
        let mut writing = JoinSet::new();
        for (writer, pages) in writers.iter().enumerate() {
            let (client, pages) = (node.client.clone(), Arc::clone(pages));
            writing.spawn(write(client, writer, round, pages, Arc::clone(&steps)));
        }
        let end = 1 + chance.below(STEPS);
        let mut counted = steps.subscribe();
        counted
            .wait_for(|steps| *steps >= end)
            .await
            .expect("steps");
        node.kill().await;
        writing.join_all().await;
        node = above(folder.path()).await;
        for (writer, pages) in writers.iter().enumerate() {
            check(&node.client, writer, pages).await;
        }
    }
    node.kill().await;
    assert_sound(folder.path()).await;
}
