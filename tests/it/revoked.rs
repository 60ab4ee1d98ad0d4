//! What happens to connections, pending calls and shown sessions when a key is revoked.

use std::path::{Path, PathBuf};

use proscenium::keys;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::contracts::{basket, basket_props};
use crate::event_stream::EventStream;
use crate::world::{PATIENCE, Shown, World};

/// Two keys of one app: one that will be revoked, and one that stays.
struct TwoKeys {
    _folder: tempfile::TempDir,
    file: PathBuf,
    gone: String,
    stays: String,
}

impl TwoKeys {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys.toml");
        let made = || keys::create(&file, "ours", 2).expect("a key");
        let (gone, stays) = (made(), made());
        Self {
            _folder: folder,
            file,
            gone,
            stays,
        }
    }

    async fn world(&self) -> World {
        let file = self.file.clone();
        World::start_with(|config| config.server.keys_file = file).await
    }

    /// Revokes the first key; the server has noticed when its sockets say so.
    fn revoke(&self) {
        revoke_first(&self.file);
    }
}

fn revoke_first(file: &Path) {
    let listed = keys::list(file).expect("keys");
    keys::revoke(file, &listed[0].id).expect("a revoked key");
}

/// Reads a stream until it ends.
async fn until_its_end(feed: reqwest::Response) {
    let text = timeout(PATIENCE, feed.text()).await;
    text.expect("an end").expect("a text");
}

#[tokio::test]
async fn connections_of_a_key_are_closed_when_it_is_revoked() {
    let keys = TwoKeys::new();
    let world = keys.world().await.with_bearer(&keys.stays);
    let shown = world.show(basket(), basket_props()).await;
    let feed = reqwest::Client::new().get(world.url("/stage/feed"));
    let feed = feed.bearer_auth(&keys.gone).send().await.expect("a feed");
    let mut sockets = Vec::new();
    for secret in [&keys.gone, &keys.stays] {
        let mut socket = world.knock_as(&shown.session, secret).await;
        assert_eq!(socket.subscribe(json!({})).await["type"], "ack");
        sockets.push(socket);
    }
    // One that has not subscribed yet.
    let mut early = world.knock_as(&shown.session, &keys.gone).await;
    let uri = shown.result["structuredContent"]["resourceUri"].clone();
    let world = world.with_bearer(&keys.gone);
    let mut listening = EventStream::listening(&world, json!([uri])).await;
    let (_, opened) = listening.next().await.expect("a message");
    assert_eq!(opened["method"], "notifications/subscriptions/acknowledged");
    let world = world.with_bearer(&keys.stays);
    let (mut viewer, _) = world.browse(&shown).await;

    keys.revoke();
    for socket in [&mut sockets[0], &mut early] {
        let closed = socket.closed().await;
        assert_eq!(closed, (1008, "credential_lapsed".into()));
    }
    until_its_end(feed).await;
    let (_, last) = listening.next().await.expect("the answer");
    assert!(last["result"].is_object(), "{last}");
    assert!(listening.next().await.is_none());
    for socket in [&mut sockets[1], &mut viewer] {
        socket.send(json!({"type": "ping", "payload": {}})).await;
        socket.frame("pong").await;
    }
}

#[tokio::test]
async fn connections_of_a_key_are_closed_when_its_rights_are_reduced() {
    let keys = TwoKeys::new();
    let world = keys.world().await.with_bearer(&keys.stays);
    let shown = world.show(basket(), basket_props()).await;
    let mut sockets = Vec::new();
    for secret in [&keys.gone, &keys.stays] {
        let mut socket = world.knock_as(&shown.session, secret).await;
        assert_eq!(socket.subscribe(json!({})).await["type"], "ack");
        sockets.push(socket);
    }
    let text = std::fs::read_to_string(&keys.file).expect("a file");
    let narrowed = text.replacen("trust = 2", "trust = 2\nscopes = [\"ggui:read\"]", 1);
    std::fs::write(&keys.file, narrowed).expect("a file");
    let closed = sockets[0].closed().await;
    assert_eq!(closed, (1008, "credential_lapsed".into()));
    sockets[1]
        .send(json!({"type": "ping", "payload": {}}))
        .await;
    sockets[1].frame("pong").await;
    // The key can connect again with its new rights.
    let mut again = world.knock_as(&shown.session, &keys.gone).await;
    assert_eq!(again.subscribe(json!({})).await["type"], "ack");
    let id = again.act("checkout", Value::Null).await;
    let refused = again.answer_to(&id).await;
    assert_eq!(refused["payload"]["code"], "UNAUTHENTICATED", "{refused}");
}

#[tokio::test]
async fn pending_calls_of_a_revoked_key_end_at_once_and_consume_nothing() {
    let keys = TwoKeys::new();
    let world = keys.world().await.with_bearer(&keys.gone);
    let shown = world.show(basket(), basket_props()).await;
    let mut observer = world.knock(&shown).await;
    observer.subscribe(json!({"observe": true})).await;
    let consume = json!({"sessionId": shown.session, "timeout": 25});
    let consuming = tokio::spawn(world.calling("ggui_consume", consume.clone()));
    while observer.frame("observe").await["payload"]["event"]["kind"] != "consumer-present" {}
    let mut pull = json!({"sessionId": shown.session, "sinceSequence": 0});
    let so_far = world.tool("ggui_runtime_pull", pull.clone()).await;
    (pull["sinceSequence"], pull["wait"]) = (so_far["lastSequence"].clone(), 20.into());
    let pulling = tokio::spawn(world.calling("ggui_runtime_pull", pull));
    // A waiting pull counts as a reader.
    while world.gauge("readers").await < 2 {
        tokio::task::yield_now().await;
    }
    keys.revoke();
    for held in [consuming, pulling] {
        let refused = held.await.expect("an answer");
        assert_eq!(refused.status, 401, "{}", refused.body);
        assert_eq!(refused.body["error"]["code"], -32001, "{}", refused.body);
    }
    // What the person does next is available to the next agent.
    let id = observer.act("checkout", Value::Null).await;
    assert_eq!(observer.answer_to(&id).await["type"], "ack");
    let world = world.with_bearer(&keys.stays);
    let taken = world.tool("ggui_consume", consume).await;
    assert_eq!(taken["events"][0]["intent"], "checkout", "{taken}");
}

/// The status and the new token of a state read with a token.
async fn state(world: &World, shown: &Shown, token: &str) -> (u16, String) {
    let path = format!("/api/sessions/{}/state?wsToken={token}", shown.session);
    let answer = world.send(world.get(&path)).await;
    let next = &answer.body["ai.ggui/render"]["wsToken"];
    (answer.status, next.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn links_and_tokens_of_a_person_belong_to_the_session_and_not_to_the_key() {
    let keys = TwoKeys::new();
    let world = keys.world().await.with_bearer(&keys.gone);
    let shown = world.show(basket(), basket_props()).await;
    let mut agent = world.knock_as(&shown.session, &keys.gone).await;
    agent.subscribe(json!({})).await;
    let (mut person, _) = world.browse(&shown).await;
    keys.revoke();
    assert_eq!(agent.closed().await.1, "credential_lapsed");

    let id = person.act("checkout", Value::Null).await;
    assert_eq!(person.answer_to(&id).await["type"], "ack");
    let first = shown.slice()["wsToken"].as_str().expect("a token");
    let (status, renewed) = state(&world, &shown, first).await;
    assert_eq!(status, 200);
    let (_, path) = shown.viewer_url().split_at(world.url("").len());
    assert_eq!(world.send(world.get(path)).await.status, 200);

    // Deleting the session invalidates all of them.
    let world = world.with_bearer(&keys.stays);
    let session = format!("/api/v1/sessions/{}", shown.session);
    assert_eq!(world.send(world.delete(&session)).await.status, 204);
    assert_eq!(person.closed().await, (1008, "session_expired".into()));
    assert_eq!(state(&world, &shown, &renewed).await.0, 404);
    assert_eq!(world.send(world.get(path)).await.status, 404);
}
