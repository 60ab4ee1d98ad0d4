//! The cases of the protocol's `resources/read` catalogue that need no durable store, under their
//! original names: this server keeps renders in memory only, and answers all of them alike.

use proscenium::keys;
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::{Answer, Shown, World};

/// A server with an owner, and the secret of a caller in another app.
async fn stage() -> (tempfile::TempDir, World, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys.toml");
    let owner = keys::create(&file, "owner", 1).unwrap();
    let other = keys::create(&file, "other", 3).unwrap();
    let world = World::start_with(|config| config.server.keys_file = file.clone()).await;
    (folder, world.with_bearer(&owner), other)
}

async fn read(world: &World, uri: &str) -> Answer {
    world.rpc("resources/read", json!({"uri": uri})).await
}

async fn read_as(world: &World, secret: &str, uri: &str) -> Value {
    let params = json!({"uri": uri});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": params});
    let request = reqwest::Client::new().post(world.mcp_url());
    let request = request.header("content-type", "application/json");
    let request = request.bearer_auth(secret).body(body.to_string());
    world.send(request).await.body
}

fn uri_of(shown: &Shown) -> String {
    format!("ui://ggui/render/{}", shown.session)
}

fn is_not_supported(error: &Value) {
    assert_eq!(error["code"], -32006, "{error}");
    assert_eq!(error["data"], json!({"code": "NOT_SUPPORTED"}), "{error}");
}

/// Checks that a refusal and a miss are the same error, which contains neither id.
async fn fuses(world: &World, other: &str, shown: &Shown) {
    let missing = "ui://ggui/render/00000000-0000-4000-8000-000000000000";
    let refused = read_as(world, other, &uri_of(shown)).await["error"].clone();
    let missed = read_as(world, other, missing).await["error"].clone();
    is_not_supported(&refused);
    assert_eq!(refused, missed);
    assert!(!refused.to_string().contains(&shown.session), "{refused}");
}

#[tokio::test]
async fn read_on_a_substrate_less_server_answers_not_supported() {
    let (_folder, world, _) = stage().await;
    let missed = read(&world, "ui://ggui/render/nowhere").await;
    is_not_supported(&missed.body["error"]);
}

#[tokio::test]
async fn substrate_less_fusion_of_refusal_and_miss() {
    let (_folder, world, other) = stage().await;
    let shown = world.show(basket(), basket_props()).await;
    fuses(&world, &other, &shown).await;
}

#[tokio::test]
async fn all_ephemeral_substrate_fuses_like_none() {
    let (_folder, world, other) = stage().await;
    let shown = world.show(basket(), basket_props()).await;
    // An expired session answers its owner in the same way.
    world.clock.advance(std::time::Duration::from_secs(3_601));
    is_not_supported(&read(&world, &uri_of(&shown)).await.body["error"]);
    fuses(&world, &other, &shown).await;
}

#[tokio::test]
async fn malformed_locator_stays_outside_the_typed_set() {
    let (_folder, world, _) = stage().await;
    for uri in ["ui://ggui/render/", "ui://ggui/render//fedcba9876543210"] {
        let answer = read(&world, uri).await;
        let error = &answer.body["error"];
        assert!(error["code"].is_number(), "{uri}: {}", answer.body);
        assert!(error["data"]["code"].is_null(), "{uri}: {error}");
    }
}

#[tokio::test]
async fn live_row_read_returns_mount_material() {
    let (_folder, world, _) = stage().await;
    let shown = world.show(basket(), basket_props()).await;
    // Under the key of another blueprint, too: the session is what is mounted.
    for key in ["", "/0123456789abcdef", "/another", "/0123456789abcdef#0"] {
        let answer = read(&world, &format!("{}{key}", uri_of(&shown))).await;
        let html = answer.body["result"]["contents"][0]["text"].as_str();
        let html = html.unwrap_or_else(|| panic!("{key}: {}", answer.body));
        let (_, meta) = html.split_once("globalThis.__GGUI_META__ = ").unwrap();
        let (meta, _) = meta.split_once(";</script>").unwrap();
        let meta: Value = serde_json::from_str(meta).unwrap();
        let slice = &meta["ai.ggui/render"];
        assert_eq!(slice["sessionId"], shown.session.as_str());
        assert!(
            slice["wsUrl"].is_string() && slice["wsToken"].is_string(),
            "{slice}"
        );
    }
}
