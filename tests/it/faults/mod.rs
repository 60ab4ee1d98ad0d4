//! Every row of the published fault table that can be triggered is provoked over the wire, and the
//! response is compared with the row.

mod brain;
mod door;
mod envelope;
mod frames;
mod table;
mod tools;

use serde_json::Value;

use crate::world::World;
use table::Table;

/// The published table.
const PUBLISHED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/schemas/faults.json");
/// Set to write the table again.
const BLESS: &str = "PROSCENIUM_BLESS";

#[tokio::test]
async fn the_published_table_is_the_server_s_table() {
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

/// Close codes without a trigger, and why.
const UNTRIGGERED: &[(&str, &str)] = &[
    (
        "INTERNAL_FRAME",
        "a store that breaks; the one in memory does not",
    ),
    (
        "STORE_UNAVAILABLE",
        "a store that does not answer: the tests of the store provoke it at every door",
    ),
    (
        "WORK_LIMIT",
        "only where several threads work at once: long_work provokes it",
    ),
    (
        "MISSING_CLIENT_CAPABILITY",
        "only the fixtures of the conformance suite need one",
    ),
    (
        "APP_NOT_FOUND",
        "needs a principal that sees every app; there is none",
    ),
    (
        "PRODUCTION_FAILED",
        "needs a provider of models: generation provokes it",
    ),
    (
        "GENERATION_QUOTA_EXCEEDED",
        "needs a provider of models: generation provokes it",
    ),
    (
        "APP_LIMIT_EXCEEDED",
        "apps are made by whoever writes the keys file",
    ),
    ("SERVER_GONE", "on standard output only: stdio provokes it"),
    (
        "RESOURCE_NOT_FOUND",
        "nothing durable is kept: RESOURCE_NOT_SUPPORTED says so",
    ),
    (
        "BRAIN_INTERNAL_ERROR",
        "failures of the page store are BRAIN_INTERNAL",
    ),
    (
        "BRAIN_INTERNAL",
        "a database that fails: the tests of the page store break one",
    ),
    (
        "BRAIN_FULL",
        "a result without a number: the tests of the page store provoke it",
    ),
    ("TRUST_INSUFFICIENT", "no address of this kind yet"),
    ("CONFLICT", "no address of this kind yet"),
    ("GONE", "no address of this kind yet"),
    ("NOT_IMPLEMENTED", "no address of this kind yet"),
];
/// Surfaces that this release only reserves.
const RESERVED: [&str; 1] = ["gate"];

#[tokio::test]
async fn every_failure_that_can_be_provoked_is_answered_as_the_table_says_in_both_eras() {
    let mut table = Table::read();
    let world = World::start().await;
    envelope::envelope_rows(&mut table, &world).await;
    envelope::bare_rows(&mut table, &world).await;
    tools::tool_rows(&mut table, &world).await;
    tools::retry_rows(&mut table, &world).await;
    tools::mount_rows(&mut table).await;
    tools::limit_rows(&mut table).await;
    door::door_rows(&mut table).await;
    door::broken_rows(&mut table).await;
    frames::frame_rows(&mut table).await;
    brain::brain_rows(&mut table).await;
    for row in &table.rows {
        let code = row["code"].as_str().expect("a code");
        let is_reserved = RESERVED.iter().any(|surface| row["surface"] == *surface);
        let is_untriggered = UNTRIGGERED.iter().any(|(known, _)| *known == code);
        let is_seen = table.seen.contains(code);
        assert!(
            [is_reserved, is_untriggered, is_seen]
                .into_iter()
                .filter(|is| *is)
                .count()
                == 1,
            "{code}: provoke it here, or say in UNTRIGGERED why not (seen {is_seen}, untriggered \
             {is_untriggered})"
        );
    }
}
