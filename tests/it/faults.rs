//! One table of faults: what the server tells of it is what is published.

use serde_json::Value;

use crate::world::World;

/// The published table.
const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/faults.json");
/// Set to write it anew.
const BLESS: &str = "PROSCENIUM_BLESS";

#[tokio::test]
async fn the_published_table_is_the_one_the_server_answers_by() {
    let world = World::start().await;
    let served = world
        .get("/api/mcp-protocol")
        .header("accept", "application/json");
    let served = served
        .send()
        .await
        .expect("an answer")
        .text()
        .await
        .expect("a body");
    if std::env::var_os(BLESS).is_some() {
        std::fs::write(PUBLISHED, &served).expect("the file is written");
    }
    let published = std::fs::read_to_string(PUBLISHED).unwrap_or_default();
    assert!(
        served == published,
        "{PUBLISHED} is out of date; run this test with {BLESS}=1"
    );
}

#[tokio::test]
async fn a_person_gets_pages_and_a_program_gets_json_of_both_addresses() {
    let world = World::start().await;
    for (path, word) in [
        ("/api/mcp-protocol", "error-codes"),
        ("/api/rate-limits", "Retry-After"),
    ] {
        for path in [path.to_owned(), format!("{path}/")] {
            let request = world
                .get(&path)
                .header("accept", "text/html,application/json;q=0.9");
            let page = world.send(request).await;
            let html = page.body.as_str().expect("a page");
            assert!(
                html.starts_with("<!doctype html>") && html.contains(word),
                "{path}"
            );
            assert!(!html.contains("<script"), "{path}");
            let policy = page.headers["content-security-policy"]
                .to_str()
                .expect("text");
            assert!(
                policy.starts_with("default-src 'none'; style-src 'sha256-"),
                "{policy}"
            );
            let request = world.get(&path).header("accept", "application/json");
            let document: Value = world.send(request).await.body;
            assert!(document["faults"].is_array(), "{path}");
        }
    }
}
