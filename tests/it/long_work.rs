//! Long work of one caller waits in a queue of its own and does not delay others.

use std::path::Path;

use futures_util::future::join_all;
use proscenium::keys;
use reqwest::Client;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::world::{Answer, PATIENCE, World, answer};

/// How many drafts of one caller are in flight at a time.
const AT_ONCE: usize = 12;

/// A draft close to the size limit.
fn long_draft() -> Value {
    let schema = |index: usize| {
        let described = format!("{index} {}", "words about it ".repeat(60));
        json!({"schema": {"type": "string", "description": described, "maxLength": index + 1}})
    };
    let properties: Map<_, _> = (0..200)
        .map(|index| (format!("p{index}"), schema(index)))
        .collect();
    json!({
        "intent": "A test",
        "blueprintDraft": {"contract": {"propsSpec": {"properties": properties}}},
    })
}

async fn call(client: &Client, world: &World, key: &str, tool: &str, arguments: Value) -> Answer {
    let params = json!({"name": tool, "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = client.post(world.url("/mcp")).bearer_auth(key).json(&body);
    answer(request).await
}

fn key(file: &Path, app: &str) -> String {
    keys::create(file, app, 1).expect("a key")
}

#[tokio::test(flavor = "multi_thread")]
async fn long_work_of_one_caller_is_queued_and_refused_over_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [greedy, other] = ["one", "two"].map(|app| key(&file, app));
    let world = World::start_with(|config| {
        config.server.keys_file = file;
        config.limits.work.places_max = 2;
        config.limits.work.queue_per_caller_max = 1;
        config.limits.rates.door_per_second = 10_000;
        config.limits.rates.door_burst = 10_000;
    })
    .await;
    let client = Client::new();
    let begun = Instant::now();
    let refused = loop {
        let drafts =
            (0..AT_ONCE).map(|_| call(&client, &world, &greedy, "ggui_handshake", long_draft()));
        let meanwhile = call(&client, &world, &other, "ggui_handshake", long_draft());
        let (answers, served) = tokio::join!(join_all(drafts), meanwhile);
        // Small requests of other callers never have to wait.
        assert!(served.body["error"].is_null(), "{}", served.body);
        let mut refused = answers
            .into_iter()
            .filter(|answer| !answer.body["error"].is_null());
        if let Some(refused) = refused.next() {
            break refused;
        }
        assert!(begun.elapsed() < PATIENCE, "nobody was told to wait");
    };
    let error = &refused.body["error"];
    assert_eq!(refused.status, 200, "{error}");
    assert_eq!(error["code"], -32013, "{error}");
    assert_eq!(error["data"]["code"], "WORK_LIMIT", "{error}");
    assert!(error["data"]["retry"]["after_ms"].is_u64(), "{error}");
    assert!(refused.headers.contains_key("retry-after"));
    // Small work is done at once, however much of the same caller is queued.
    let drafts =
        (0..AT_ONCE).map(|_| call(&client, &world, &greedy, "ggui_handshake", long_draft()));
    let short = call(&client, &world, &greedy, "ggui_list_themes", json!({}));
    let (_, short) = tokio::join!(join_all(drafts), short);
    assert!(short.body["error"].is_null(), "{}", short.body);
}
