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
}

type Pages = Arc<Mutex<Vec<Written>>>;

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
            "content": format!("It says {word}, and links to [[{}]].", slug(writer, 0)),
            "expected_version": (version > 0).then_some(version),
        });
        let Some(written) = client.attempt("brain_put", arguments).await else {
            return;
        };
        assert_eq!(written["version"], version + 1);
        pages.lock().unwrap()[page] = Written {
            version: version + 1,
            word,
            tried: None,
        };
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
