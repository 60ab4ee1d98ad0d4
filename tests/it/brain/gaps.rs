//! Questions without an answer: noted by themselves, ended by what answers them, and never kept in
//! words.

use std::fs;
use std::path::Path;

use proscenium::config::JournalDepth;
use serde_json::{Value, json};
use tokio::time::timeout;

use super::Pages;
use super::journal::{at_once, listed};
use super::kept::above;
use crate::contracts::{basket, basket_props};
use crate::world::PATIENCE;

async fn gaps(pages: &Pages, arguments: Value) -> Vec<Value> {
    let listed = pages.json("brain_gaps", arguments).await;
    listed.as_array().expect("rows").clone()
}

#[tokio::test]
async fn brain_gaps_lists_open_ones_unless_told_and_at_most_a_thousand() {
    let pages = Pages::start_with(|config| config.server.unlimited = true).await;
    pages.put("people/ida", "Ida.").await;
    let about = json!({"query": "how old is she", "slug": "people/ida"});
    pages.call("brain_gap", about).await;
    for number in 0..1_001 {
        pages
            .call("brain_gap", json!({"query": format!("question {number}")}))
            .await;
    }
    assert_eq!(gaps(&pages, json!({"limit": 2_000})).await.len(), 1_000);
    // What is written about a page answers what was asked about it.
    let change = json!({"slug": "people/ida", "content": "Ida is 40.", "expected_version": 1});
    pages.call("brain_put", change).await;
    let stats = pages.json("brain_stats", json!({})).await;
    assert_eq!(stats["gap_count"], 1_001);
    let newest = |rows: &[Value]| rows[0]["id"].as_i64();
    let open = gaps(&pages, json!({"limit": 1_000, "resolved": false})).await;
    let all = gaps(&pages, json!({"limit": 1_000, "resolved": true})).await;
    assert_eq!(newest(&open), newest(&all));
    assert!(open.iter().all(|row| row["resolved_at"].is_null()));
}

#[tokio::test]
async fn a_gap_ends_when_its_page_or_a_page_of_its_name_is_written_and_opens_when_asked_again() {
    let pages = Pages::start().await;
    pages.put("people/ida", "Ida.").await;
    let about = json!({"query": "how old is she", "slug": "people/ida"});
    pages.call("brain_gap", about.clone()).await;
    pages.call("brain_gap", json!({"query": "Oolong"})).await;
    pages
        .call("brain_gap", json!({"query": "something else"}))
        .await;
    let change = json!({"slug": "people/ida", "content": "Ida is 40.", "expected_version": 1});
    pages.call("brain_put", change).await;
    pages
        .put("notes/oolong", "---\ntitle: Oolong\n---\nHalf black.")
        .await;
    let open = gaps(&pages, json!({})).await;
    assert_eq!(open.len(), 1, "{open:?}");
    let all = gaps(&pages, json!({"resolved": true})).await;
    assert_eq!(all.len(), 3);
    let by: Vec<_> = all
        .iter()
        .map(|row| row["resolved_by_slug"].clone())
        .collect();
    assert_eq!(
        by,
        [
            Value::Null,
            json!("default::notes/oolong"),
            json!("default::people/ida")
        ]
    );
    assert!(all[1]["resolved_at"].is_string(), "{}", all[1]);
    pages.call("brain_gap", about).await;
    assert_eq!(gaps(&pages, json!({})).await.len(), 2);
}

#[tokio::test]
async fn a_weak_brain_query_notes_a_gap_and_a_strong_one_ends_it() {
    let pages = Pages::start().await;
    pages
        .put("notes/tea", "Green tea steeps at eighty degrees.")
        .await;
    let ask = |query: &'static str| pages.json("brain_query", json!({"query": query}));
    // What has all the words is an answer, and so is what is named.
    ask("green tea").await;
    ask("notes/tea").await;
    ask(" ").await;
    assert_eq!(gaps(&pages, json!({})).await, [] as [Value; 0]);
    for _ in 0..2 {
        ask("quarterly submarine premium").await;
    }
    let open = gaps(&pages, json!({})).await;
    assert_eq!(open.len(), 1, "{open:?}");
    assert_eq!(open[0]["sensitivity"], "internal");
    let confidence = open[0]["confidence_score"].as_f64().expect("a number");
    assert!((0.0..0.3).contains(&confidence), "{confidence}");
    assert!(!json!(open).to_string().contains("submarine"));
    pages
        .put(
            "notes/sea",
            "The quarterly premium of the submarine is due.",
        )
        .await;
    ask("quarterly submarine premium").await;
    assert_eq!(gaps(&pages, json!({})).await, [] as [Value; 0]);
    let all = gaps(&pages, json!({"resolved": true})).await;
    assert_eq!(all[0]["resolved_by_slug"], "default::notes/sea");
    // A search by words notes nothing.
    pages
        .json("brain_search", json!({"query": "nobody wrote this"}))
        .await;
    assert_eq!(gaps(&pages, json!({})).await, [] as [Value; 0]);
}

/// Whether a word stands in any file of a folder or of those below it.
fn holds(folder: &Path, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(holds(&path, word));
            continue;
        }
        // A socket or a lock that cannot be read holds no text.
        let bytes = fs::read(&path).unwrap_or_default();
        if bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes())
        {
            found.push(path.display().to_string());
        }
    }
    found
}

#[tokio::test]
async fn a_question_is_in_no_file_of_the_data_before_a_person_agrees() {
    let folder = tempfile::tempdir().expect("a folder");
    let node = above(folder.path()).await;
    let gap =
        json!({"query": "Does the zebrafish sleep?", "context": "zebrafish again", "share": true});
    let asked = node.client.tool("brain_gap", gap.clone()).await;
    assert!(asked["asked"].is_string(), "{asked}");
    node.client
        .tool("brain_query", json!({"query": "zebrafish at night"}))
        .await;
    // The card has it all the same.
    let url = node.client.url("");
    let card = super::consent::open(&url, asked["asked"].as_str().expect("a session"));
    assert_eq!(card.await.props["question"], "Does the zebrafish sleep?");
    assert_eq!(holds(folder.path(), "zebrafish"), [""; 0]);
    node.stop().await;
    assert_eq!(holds(folder.path(), "zebrafish"), [""; 0]);
    // A card whose question is gone shares nothing as it was written.
    let node = above(folder.path()).await;
    let session = asked["asked"].as_str().expect("a session");
    let mut card = super::consent::open(&node.client.url(""), session).await;
    assert_eq!(card.props["question"], "");
    card.decide("share", Value::Null, "failed").await;
    // Asked again, it is kept once a person agrees.
    let asked = node.client.tool("brain_gap", gap).await;
    let session = asked["asked"].as_str().expect("a session");
    let mut card = super::consent::open(&node.client.url(""), session).await;
    card.decide("share", Value::Null, "shared").await;
    assert!(!holds(folder.path(), "zebrafish").is_empty());
    node.stop().await;
}

/// The open gaps, once there are so many.
async fn open_gaps(pages: &Pages, count: usize) -> Vec<Value> {
    let look = async {
        loop {
            let open = gaps(pages, json!({})).await;
            if open.len() == count {
                return open;
            }
        }
    };
    timeout(PATIENCE, look).await.expect("so many gaps")
}

async fn negotiate(pages: &Pages, intent: &str) -> Value {
    let draft = json!({"intent": intent, "blueprintDraft": {"contract": basket()}});
    pages.0.tool("ggui_handshake", draft).await
}

async fn render(pages: &Pages, agreed: &Value) {
    let render = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
    pages.0.tool("ggui_render", render).await;
}

#[tokio::test]
async fn a_handshake_that_is_like_nothing_before_is_a_gap_until_it_is_rendered() {
    let pages = Pages::start_with(at_once).await;
    let agreed = negotiate(&pages, "Weigh the zebrafish").await;
    let open = open_gaps(&pages, 1).await;
    let hash = open[0]["query_hash"].as_str().expect("a hash");
    assert_eq!(hash.len(), 64, "{hash}");
    assert_eq!(open[0]["sensitivity"], "internal");
    assert!(!json!(open).to_string().contains("zebrafish"), "{open:?}");
    // The same again is the same gap.
    negotiate(&pages, "Weigh the zebrafish").await;
    render(&pages, &agreed).await;
    open_gaps(&pages, 0).await;
    let all = gaps(&pages, json!({"resolved": true})).await;
    assert_eq!(all.len(), 1, "{all:?}");
    let blueprint = listed(&pages, "blueprints", 1).await.remove(0);
    assert_eq!(all[0]["resolved_by_slug"], blueprint["slug"]);
    // What is there is no gap any more, whether the same contract or the same words.
    negotiate(&pages, "Weigh the zebrafish").await;
    let mut stricter = basket();
    stricter["actionSpec"]["setQuantity"]["schema"]["properties"]["qty"]["minimum"] = 0.into();
    let draft = json!({"intent": "Weigh it", "blueprintDraft": {"contract": stricter}});
    pages.0.tool("ggui_handshake", draft).await;
    // It would be written before this.
    pages
        .0
        .show(json!({"actionSpec": {"go": {"label": "Go"}}}), json!({}))
        .await;
    listed(&pages, "blueprints", 2).await;
    assert_eq!(gaps(&pages, json!({})).await, [] as [Value; 0]);
}

#[tokio::test]
async fn a_handshake_that_is_rendered_soon_leaves_no_gap_and_one_that_is_not_keeps_no_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.db");
    let start = || {
        Pages::start_with(|config| {
            config.brain.path = file.clone();
            config.limits.pages.recall_ms_max = u64::MAX;
        })
    };
    let pages = start().await;
    negotiate(&pages, "Weigh the zebrafish").await;
    let agreed = negotiate(&pages, "Feed the axolotl").await;
    render(&pages, &agreed).await;
    // It writes what waits.
    pages.0.stop().await;
    assert_eq!(holds(folder.path(), "zebrafish"), [""; 0]);
    let pages = start().await;
    let all = gaps(&pages, json!({"resolved": true})).await;
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0]["resolved_at"].is_null(), "{all:?}");
    // The question itself is the same gap, and so is what is shown for it later.
    pages
        .call("brain_gap", json!({"query": "Weigh the zebrafish"}))
        .await;
    assert_eq!(gaps(&pages, json!({})).await.len(), 1);
    let mut other = basket();
    other["streamSpec"] = json!({"log": {"schema": {"type": "string"}}});
    let draft = json!({"intent": "Weigh the zebrafish", "blueprintDraft": {"contract": other}});
    let agreed = pages.0.tool("ggui_handshake", draft).await;
    render(&pages, &agreed).await;
    pages.0.stop().await;
    let pages = start().await;
    assert_eq!(gaps(&pages, json!({})).await, [] as [Value; 0]);
}

#[tokio::test]
async fn handshakes_leave_no_gap_where_nothing_is_journalled() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.db");
    let start = || {
        Pages::start_with(|config| {
            at_once(config);
            config.brain.path = file.clone();
            config.brain.journal = JournalDepth::Off;
        })
    };
    let pages = start().await;
    negotiate(&pages, "Weigh the zebrafish").await;
    pages.0.stop().await;
    let pages = start().await;
    assert_eq!(
        gaps(&pages, json!({"resolved": true})).await,
        [] as [Value; 0]
    );
}
