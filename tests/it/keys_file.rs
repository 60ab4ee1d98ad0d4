//! The keys file: created, listed and revoked on the command line, and reloaded by a running
//! server.

use std::path::Path;

use proscenium::keys::{self, KeysError};
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::process::proscenium;
use crate::world::{PATIENCE, World};

/// The output of a command and its exit code.
async fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = timeout(PATIENCE, proscenium(arguments).output()).await;
    let output = output.expect("an end").expect("a process");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let code = output.status.code().expect("a code");
    (code, text(output.stdout), text(output.stderr))
}

/// The status of a ping with a secret.
async fn ping(world: &World, secret: &str) -> u16 {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let request = world.post("/mcp").bearer_auth(secret).body(body);
    world.send(request).await.status
}

/// Repeats a request until its status changes: the server reloads the file by itself.
async fn becomes(world: &World, secret: &str, status: u16) {
    let asked = timeout(PATIENCE, async {
        while ping(world, secret).await != status {
            tokio::task::yield_now().await;
        }
    });
    asked.await.expect("the server notices");
}

async fn world_of(file: &Path) -> World {
    World::start_with(|config| {
        config.server.keys_file = file.to_owned();
        // These tests poll until the change is noticed.
        config.limits.rates.door_burst = u32::MAX;
    })
    .await
}

#[tokio::test]
async fn keys_are_listed_without_their_secrets_and_revoked_by_their_ids() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let file = file.to_str().expect("a path");
    let create = ["keys", "create", "--keys-file", file, "--app"];
    let (code, secret, _) = run(&[&create[..], &["ours", "--trust", "2"]].concat()).await;
    assert_eq!(code, 0);
    let scoped = ["theirs", "--scope", "ggui_consume", "--scope", "ggui:read"];
    let (code, _, _) = run(&[&create[..], &scoped].concat()).await;
    assert_eq!(code, 0);

    let (code, table, _) = run(&["keys", "list", "--keys-file", file]).await;
    assert_eq!((code, table.lines().count()), (0, 3), "{table}");
    assert!(!table.contains(secret.trim()), "{table}");
    let (_, listed, _) = run(&["keys", "list", "--json", "--keys-file", file]).await;
    let listed: Value = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(listed[0]["app"], "ours");
    assert_eq!(listed[0]["trust"], 2);
    assert_eq!(listed[1]["scopes"], json!(["ggui_consume", "ggui:read"]));
    assert!(!listed.to_string().contains("sha256"), "{listed}");

    let id = listed[0]["id"].as_str().expect("an id");
    let revoke = ["keys", "revoke", "--keys-file", file];
    assert_eq!(run(&[&revoke[..], &[id]].concat()).await.0, 0);
    let (code, _, stderr) = run(&[&revoke[..], &[id]].concat()).await;
    assert_eq!((code, stderr.lines().count()), (64, 1), "{stderr}");
    assert!(stderr.contains("keys list"), "{stderr}");
    let (_, table, _) = run(&["keys", "list", "--keys-file", file]).await;
    assert_eq!(table.lines().count(), 2, "{table}");
}

#[tokio::test]
async fn all_problems_of_a_key_are_reported_at_once_and_none_is_created() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let scopes = ["ggui_rendr".to_owned()];
    let Err(KeysError::Invalid(problems)) = keys::create_scoped(&file, "our app", 9, &scopes)
    else {
        panic!("made")
    };
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(problems[2].contains("ggui_render"), "{problems:?}");
    assert!(keys::revoke(&file, "key_0").is_err());
    assert!(!file.exists());
}

#[test]
fn keys_that_are_made_at_the_same_time_are_all_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| keys::create(&file, "ours", 1).expect("a key"));
        }
    });
    assert_eq!(keys::list(&file).expect("keys").len(), 16);
}

#[tokio::test]
async fn a_running_server_notices_keys_that_are_made_and_revoked() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let first = keys::create(&file, "ours", 1).expect("a key");
    let world = world_of(&file).await;
    assert_eq!(ping(&world, &first).await, 200);
    let second = keys::create(&file, "ours", 1).expect("a key");
    becomes(&world, &second, 200).await;
    let listed = keys::list(&file).expect("keys");
    keys::revoke(&file, &listed[0].id).expect("a revoked key");
    becomes(&world, &first, 401).await;
    assert_eq!(ping(&world, &second).await, 200);
    // A malformed file changes nothing; the next valid one does.
    std::fs::write(&file, "[[key]]\nid = ").expect("half a file");
    let beside = folder.path().join("next.toml");
    let third = keys::create(&beside, "ours", 1).expect("a key");
    assert_eq!(ping(&world, &second).await, 200);
    std::fs::rename(&beside, &file).expect("a file moved in place");
    becomes(&world, &third, 200).await;
    assert_eq!(ping(&world, &second).await, 401);
    // The last key can be revoked, too: then no caller is accepted.
    let listed = keys::list(&file).expect("keys");
    keys::revoke(&file, &listed[0].id).expect("a revoked key");
    becomes(&world, &third, 401).await;
}

#[tokio::test]
async fn a_key_may_only_call_what_its_scopes_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let made = |scopes: &[&str]| {
        let scopes: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        keys::create_scoped(&file, "ours", 2, &scopes).expect("a key")
    };
    let reader = made(&["ggui:read"]);
    let drafter = made(&["ggui_handshake"]);
    let writer = made(&["ggui:write"]);
    let world = world_of(&file).await.with_bearer(&writer);
    let shown = world.show(json!({}), json!({})).await;
    let read = json!({"name": "ggui_get_session", "arguments": {"sessionId": shown.session}});
    let draft = json!({"intent": "One", "blueprintDraft": {"contract": {}}});
    let draft = json!({"name": "ggui_handshake", "arguments": draft});
    let mut world = world;
    for (secret, may_read, may_draft) in [
        (&reader, true, false),
        (&drafter, false, true),
        (&writer, true, true),
    ] {
        world = world.with_bearer(secret);
        for (params, may) in [(&read, may_read), (&draft, may_draft)] {
            let error = world.rpc("tools/call", params.clone()).await.body["error"].clone();
            if may {
                assert!(error.is_null(), "{error}");
            } else {
                assert_eq!(error["code"], -32005, "{error}");
                assert_eq!(error["data"]["required_scopes"][0], params["name"]);
            }
        }
    }
}
