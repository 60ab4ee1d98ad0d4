//! Another app's thing answers exactly like a missing thing.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::World;

/// Two keys of two apps, and a file that holds them.
fn keys() -> (tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secrets =
        ["ours", "theirs"].map(|app| proscenium::keys::create(&file, app, 1).expect("a key"));
    (folder, secrets)
}

/// A world whose keys stand in a file.
async fn world_of(folder: &tempfile::TempDir) -> World {
    let file = folder.path().join("keys.toml");
    World::start_with(|config| config.server.keys_file = file).await
}

/// An answer without what differs from call to call.
fn comparable(mut result: Value, id: &str) -> String {
    result["structuredContent"]["_latency_ms"] = 0.into();
    for block in result["content"].as_array_mut().into_iter().flatten() {
        if let Ok(mut envelope) = serde_json::from_str::<Value>(block["text"].as_str().unwrap()) {
            envelope["_latency_ms"] = 0.into();
            block["text"] = envelope.to_string().into();
        }
    }
    result.to_string().replace(id, "<id>")
}

#[tokio::test]
async fn a_foreign_session_and_handshake_answer_like_random_ids_everywhere() {
    let (folder, [ours, theirs]) = keys();
    let world = world_of(&folder).await;
    let world = world.with_bearer(&ours);
    let shown = world.show(basket(), basket_props()).await;
    let handshake = world.handshake(basket()).await;
    let stranger = world.with_bearer(&theirs);
    const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";
    let calls = |session: &str, handshake: &str| {
        [
            (
                "ggui_render",
                json!({"handshakeId": handshake, "props": basket_props()}),
            ),
            ("ggui_get_session", json!({"sessionId": session})),
            ("ggui_consume", json!({"sessionId": session})),
            (
                "ggui_update",
                json!({"sessionId": session, "kind": "merge", "patch": {}}),
            ),
            (
                "ggui_amend",
                json!({"sessionId": session, "kind": "merge", "patch": {}}),
            ),
            (
                "ggui_emit",
                json!({"sessionId": session, "channel": "c", "payload": 1}),
            ),
            (
                "ggui_runtime_submit_action",
                json!({
                    "kind": "dispatch",
                    "payload": {"intent": "checkout", "actionData": null, "uiContext": {}},
                    "sessionId": session,
                    "appId": "ours",
                    "actionId": "gesture-1",
                    "firedAt": "now",
                }),
            ),
        ]
    };
    let foreign = calls(&shown.session, &handshake);
    for ((tool, theirs), (_, missing)) in foreign.into_iter().zip(calls(NOWHERE, NOWHERE)) {
        let id = if tool == "ggui_render" {
            &handshake
        } else {
            &shown.session
        };
        let foreign = comparable(stranger.call(tool, theirs).await, id);
        let missing = comparable(stranger.call(tool, missing).await, NOWHERE);
        assert_eq!(foreign, missing, "{tool}");
    }
    let read = async |id: &str| {
        let answer = stranger.rpc(
            "resources/read",
            json!({"uri": format!("ui://ggui/render/{id}")}),
        );
        answer.await.body["error"].to_string()
    };
    assert_eq!(read(&shown.session).await, read(NOWHERE).await);
    let frame = async |id: &str| {
        let answer = stranger
            .send(stranger.get(&format!("/stage/frame/{id}")))
            .await;
        (answer.status, answer.body.to_string())
    };
    assert_eq!(frame(&shown.session).await, frame(NOWHERE).await);
}

#[tokio::test]
async fn without_a_key_nothing_opens_and_a_key_opens_its_own_app_only() {
    let (folder, [ours, _]) = keys();
    let world = world_of(&folder).await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let refused = world.send(world.post("/mcp").body(ping.clone())).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (401, &json!(-32001))
    );
    assert_eq!(refused.headers["www-authenticate"], "Bearer realm=\"mcp\"");
    for path in ["/", "/stage/feed"] {
        assert_eq!(world.send(world.get(path)).await.status, 401, "{path}");
    }
    let world = world.with_bearer(&ours);
    let at = async |path: &str| {
        let answer = world.send(world.post(path).body(ping.clone())).await;
        (answer.status, answer.body.to_string())
    };
    assert_eq!(at("/mcp").await.0, 200);
    assert_eq!(at("/apps/ours/mcp").await.0, 200);
    assert_eq!(at("/apps/theirs/mcp").await, at("/apps/nobody/mcp").await);
    assert_eq!(at("/apps/theirs/mcp").await.0, 403);
}

#[tokio::test]
async fn a_key_sees_its_own_sessions_and_one_of_more_trust_those_of_its_app() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [owner, peer, chief, reader] =
        [1, 1, 2, 0].map(|trust| proscenium::keys::create(&file, "ours", trust).expect("a key"));
    let world = world_of(&folder).await.with_bearer(&owner);
    let shown = world.show(basket(), basket_props()).await;
    let read = json!({"sessionId": shown.session});
    let world = world.with_bearer(&peer);
    let missing = world.call("ggui_get_session", read.clone()).await;
    assert_eq!(
        missing["structuredContent"]["error"]["code"],
        "session_not_found"
    );
    let world = world.with_bearer(&chief);
    world.tool("ggui_get_session", read.clone()).await;
    let world = world.with_bearer(&reader);
    let params = json!({"name": "ggui_amend", "arguments": {}});
    let refused = world.rpc("tools/call", params).await.body["error"].clone();
    assert_eq!(
        (&refused["code"], &refused["data"]["code"]),
        (&json!(-32005), &json!("CAPABILITY_DENIED"))
    );
    assert_eq!(refused["data"]["required_level"], 1);
}
