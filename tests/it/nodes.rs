//! Several servers above one Redis: any of them serves any session, and none that fails takes
//! anything with it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::node::{Client, parts};
use crate::process::failed;
use crate::redis_server::{RedisServer, signal};
use crate::world::PATIENCE;

/// Longer than the lease of a node lasts.
const LEASE_LAPSES: Duration = Duration::from_secs(6);

/// An action, made again as often as it takes; whether it was acknowledged before the socket ended.
async fn click(browser: &mut Browser, id: &str) -> bool {
    loop {
        let data = json!({"sku": "A1", "qty": 3});
        let request = browser.act_as("setQuantity", data, Some(id)).await;
        loop {
            let Ok(frame) = browser.next_or_close().await else {
                return false;
            };
            if frame["requestId"] != request.as_str() {
                continue;
            }
            if frame["type"] == "ack" {
                return true;
            }
            assert_eq!(frame["payload"]["code"], "RATE_LIMITED", "{frame}");
            break;
        }
    }
}

/// The ids of the actions that an agent is given within a time.
async fn consumed(client: &Client, session: &str, seconds: u64) -> Vec<String> {
    let arguments = json!({"sessionId": session, "timeout": seconds});
    let given = client.tool("ggui_consume", arguments).await;
    let events = given["events"].as_array().expect("events").iter();
    let id = |event: &Value| event["actionId"].as_str().expect("an id").to_owned();
    events.map(id).collect()
}

/// A call that is made again for as long as the answer says that the store is away.
async fn insist(client: &Client, key: Option<&str>, tool: &str, arguments: Value) -> Value {
    loop {
        let body = client.keyed(key, tool, &arguments).await.body;
        if body["error"].is_null() {
            return body["result"].clone();
        }
        assert_eq!(body["error"]["code"], -32013, "{body}");
    }
}

async fn subscribed(client: &Client, session: &str, token: &str) -> Browser {
    let mut browser = client.knock(session, token).await;
    let ack = browser.subscribe(json!({})).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    browser
}

fn note(session: &str, text: &str) -> Value {
    json!({"sessionId": session, "kind": "merge", "patch": {"note": text}})
}

/// The next picture that shows a note.
async fn shows(browser: &mut Browser, text: &str) {
    loop {
        let frame = browser.frame("props_update").await;
        if frame["payload"]["props"]["note"] == text {
            return;
        }
    }
}

#[tokio::test]
async fn any_node_serves_any_session_and_wakes_those_who_wait_at_another() {
    let redis = RedisServer::start().await;
    let (one, two, three) = (redis.node().await, redis.node().await, redis.node().await);
    let handshake = one.client.handshake(basket()).await;
    let arguments = json!({"handshakeId": handshake, "props": basket_props()});
    let rendered = insist(&two.client, None, "ggui_render", arguments.clone()).await;
    let (id, token) = parts(&rendered);
    // A handshake is claimed once, wherever.
    let again = three.client.keyed(None, "ggui_render", &arguments).await;
    assert_eq!(again.body["result"]["isError"], true, "{}", again.body);
    let mut browser = subscribed(&three.client, &id, &token).await;
    assert!(click(&mut browser, "gesture-1").await);
    assert_eq!(consumed(&one.client, &id, 20).await, ["gesture-1"]);
    // Waiting at one node, clicked at another.
    let waits = consumed(&two.client, &id, 20);
    let clicks = async {
        assert!(click(&mut browser, "gesture-2").await);
    };
    let (given, ()) = tokio::join!(waits, clicks);
    assert_eq!(given, ["gesture-2"]);
    insist(
        &one.client,
        None,
        "ggui_update",
        note(&id, "From the first"),
    )
    .await;
    shows(&mut browser, "From the first").await;
    // A call that was answered at one node is answered alike at another.
    let key = Some("0b3f3a52-3f0e-4d0e-9a2b-6f1f6f0f1a11");
    let update = note(&id, "Once");
    let first = insist(&one.client, key, "ggui_update", update.clone()).await;
    let second = insist(&three.client, key, "ggui_update", update).await;
    assert_eq!(second["structuredContent"], first["structuredContent"]);
    assert_eq!(second["_meta"]["idempotentReplay"], true, "{second}");
}

#[tokio::test]
async fn lists_and_activity_are_the_app_s_and_the_same_at_every_node() {
    let redis = RedisServer::start().await;
    let (one, two) = (redis.node().await, redis.node().await);
    let (id, token) = parts(&one.client.show().await);
    let mut feed = two.client.feed().await;
    let (_, shown) = feed.next().await.expect("a snapshot");
    assert_eq!(shown["sessions"][0]["sessionId"], id, "{shown}");
    let mut browser = subscribed(&two.client, &id, &token).await;
    assert!(click(&mut browser, "gesture-1").await);
    // A list at the other node, which has never read the session's log since.
    let listed = one.client.get("/api/v1/sessions").await.body;
    assert_eq!(listed["data"][0]["pendingActions"], 1, "{listed}");
    insist(&one.client, None, "ggui_update", note(&id, "Seen")).await;
    assert_eq!(consumed(&one.client, &id, 0).await, ["gesture-1"]);
    let listed = two.client.get("/api/v1/sessions").await.body;
    assert_eq!(listed["data"][0]["pendingActions"], 0, "{listed}");
    assert_eq!(listed["data"][0]["epoch"], 1, "{listed}");
    // What happened at one node is told at another as it happens, and to whoever comes later.
    let mut late = one.client.feed().await;
    for feed in [&mut feed, &mut late] {
        let mut kinds = Vec::new();
        while kinds.len() < 4 {
            let (_, row) = feed.next().await.expect("a row");
            kinds.extend(row["kind"].as_str().map(str::to_owned));
        }
        // Each node writes its rows a little later, so that those of several may change places.
        kinds.sort_unstable();
        assert_eq!(kinds, ["clicked", "consumed", "rendered", "updated"]);
    }
}

/// How many nodes are killed, one after the other.
fn kills() -> usize {
    let given = std::env::var("PROSCENIUM_NODES_KILLED").ok();
    given.map_or(1, |given| given.parse().expect("a number"))
}

#[tokio::test]
async fn when_a_node_is_killed_its_clients_go_on_at_another_and_nothing_is_lost_or_doubled() {
    let redis = RedisServer::start().await;
    let mut nodes = [redis.node().await, redis.node().await, redis.node().await];
    for _ in 0..kills() {
        let [one, two, three] = nodes;
        let (id, token) = parts(&one.client.show().await);
        let mut at_one = subscribed(&one.client, &id, &token).await;
        let mut at_two = subscribed(&two.client, &id, &token).await;
        let mut acknowledged = Vec::new();
        for number in 0..20 {
            let name = format!("gesture-{number}");
            let browser = if number % 2 == 0 {
                &mut at_one
            } else {
                &mut at_two
            };
            assert!(click(browser, &name).await);
            acknowledged.push(name);
        }
        // One more is on its way when the node ends: it may be written, or not.
        let data = json!({"sku": "A1", "qty": 3});
        at_one.act_as("setQuantity", data, Some("gesture-20")).await;
        one.kill().await;
        let mut resumed = subscribed(&three.client, &id, &token).await;
        for name in ["gesture-19", "gesture-20", "gesture-21"] {
            assert!(click(&mut resumed, name).await);
        }
        acknowledged.extend(["gesture-20", "gesture-21"].map(str::to_owned));
        assert_eq!(consumed(&two.client, &id, 0).await, acknowledged);
        let arguments = json!({"sessionId": id, "timeout": 0});
        let more = three.client.tool("ggui_consume", arguments).await;
        assert_eq!(more["events"].as_array().map(Vec::len), Some(0), "{more}");
        nodes = [two, three, redis.node().await];
    }
}

#[tokio::test]
async fn a_stopped_node_that_wakes_up_appends_nothing_of_what_it_had_in_hand() {
    let redis = RedisServer::start().await;
    let (one, two) = (redis.node().await, redis.node().await);
    let (id, token) = parts(&one.client.show().await);
    signal(&one.child, "STOP").await;
    let client = one.client.clone();
    let update = note(&id, "Too late");
    let mut stale = Box::pin(client.keyed(None, "ggui_update", &update));
    assert!(timeout(LEASE_LAPSES, &mut stale).await.is_err());
    signal(&one.child, "CONT").await;
    let refused = stale.await.body;
    assert_eq!(refused["error"]["code"], -32013, "{refused}");
    let shown = two
        .client
        .tool("ggui_get_session", json!({"sessionId": id}))
        .await;
    assert!(!shown.to_string().contains("Too late"), "{shown}");
    // What it is asked from then on it does.
    insist(&one.client, None, "ggui_update", note(&id, "In time")).await;
    let mut browser = subscribed(&two.client, &id, &token).await;
    insist(&one.client, None, "ggui_update", note(&id, "Again")).await;
    shows(&mut browser, "Again").await;
}

#[tokio::test]
async fn while_the_store_is_away_calls_are_put_off_and_sockets_stay_and_catch_up() {
    let mut redis = RedisServer::start().await;
    let (one, two) = (redis.node().await, redis.node().await);
    let (id, token) = parts(&one.client.show().await);
    let mut browser = subscribed(&two.client, &id, &token).await;
    redis.signal("STOP").await;
    let update = note(&id, "While it is away");
    let put_off = one.client.keyed(None, "ggui_update", &update).await.body;
    assert_eq!(put_off["error"]["code"], -32013, "{put_off}");
    let unread = one.client.get("/api/v1/blueprints").await;
    assert_eq!(unread.status, 503, "{}", unread.body);
    redis.signal("CONT").await;
    insist(&one.client, None, "ggui_update", note(&id, "After a pause")).await;
    shows(&mut browser, "After a pause").await;
    redis.restart().await;
    insist(
        &one.client,
        None,
        "ggui_update",
        note(&id, "After a restart"),
    )
    .await;
    shows(&mut browser, "After a restart").await;
    assert!(click(&mut browser, "gesture-1").await);
    assert_eq!(consumed(&one.client, &id, 20).await, ["gesture-1"]);
}

/// The texts that a browser is sent up to a known last one.
async fn ticks(browser: &mut Browser, last: &str) -> Vec<Value> {
    let mut ticks = Vec::new();
    loop {
        let item = browser.frame("data").await["payload"].clone();
        if item["channel"] == "tick" {
            ticks.push(item["payload"].clone());
        }
        if item["payload"] == last {
            return ticks;
        }
    }
}

#[tokio::test]
async fn who_learns_late_of_a_loss_is_sent_everything_that_was_written_since() {
    let mut redis = RedisServer::start().await;
    let (one, two) = (redis.node().await, redis.node().await);
    let (id, token) = one.client.show_ticking().await;
    let mut browser = subscribed(&two.client, &id, &token).await;
    let emit = async |text: &str| {
        let item = json!({"sessionId": id, "channel": "tick", "payload": text});
        insist(&one.client, None, "ggui_emit", item).await;
    };
    emit("kept").await;
    assert_eq!(ticks(&mut browser, "kept").await, ["kept"]);
    let copy = redis.copy().await;
    emit("lost").await;
    assert_eq!(ticks(&mut browser, "lost").await, ["lost"]);
    signal(&two.child, "STOP").await;
    redis.go_back_to(&copy).await;
    emit("first").await;
    emit("second").await;
    signal(&two.child, "CONT").await;
    emit("third").await;
    let since = ticks(&mut browser, "third").await;
    assert_eq!(since, ["first", "second", "third"]);
}

#[tokio::test]
async fn a_store_that_was_emptied_ends_its_sessions_and_the_loss_is_counted() {
    let redis = RedisServer::start().await;
    let node = redis.node().await;
    let (id, token) = parts(&node.client.show().await);
    let mut browser = subscribed(&node.client, &id, &token).await;
    redis.ask(&["FLUSHALL"]).await;
    // Whoever follows it is told that it is gone.
    while browser.next_or_close().await.is_ok() {}
    let gone = node
        .client
        .keyed(None, "ggui_update", &note(&id, "x"))
        .await;
    assert_eq!(gone.body["result"]["isError"], true, "{}", gone.body);
    let metrics = node.client.get("/metrics").await.body;
    let metrics = metrics.as_str().expect("a page");
    let counted = "proscenium_store_losses_total{what=\"all\"} 1";
    assert!(metrics.contains(counted), "{metrics}");
    // What is made from now on is kept.
    let (id, _) = parts(&node.client.show().await);
    insist(&node.client, None, "ggui_update", note(&id, "y")).await;
}

/// How many losses of one kind a server has counted, as its page of metrics has it.
async fn has_counted(client: &Client, what: &str, count: u64) -> bool {
    let metrics = client.get("/metrics").await.body;
    let line = format!("proscenium_store_losses_total{{what=\"{what}\"}} {count}");
    metrics.as_str().expect("a page").contains(&line)
}

#[tokio::test]
async fn a_session_that_is_lost_whole_ends_and_is_counted_and_one_that_was_deleted_is_not() {
    let mut redis = RedisServer::start().await;
    let (one, two) = (redis.node().await, redis.node().await);
    let (kept, _) = parts(&one.client.show().await);
    let copy = redis.copy().await;
    let (lost, token) = parts(&one.client.show().await);
    let mut follower = subscribed(&two.client, &lost, &token).await;
    let (deleted, token) = parts(&one.client.show().await);
    let mut other = subscribed(&two.client, &deleted, &token).await;
    let path = format!("/api/v1/sessions/{deleted}");
    let answer = reqwest::Client::new().delete(one.client.url(&path)).send();
    assert_eq!(answer.await.expect("an answer").status(), 204);
    while other.next_or_close().await.is_ok() {}
    redis.go_back_to(&copy).await;
    while follower.next_or_close().await.is_ok() {}
    // Whoever follows it may be told before it is counted.
    let counted = async { while !has_counted(&two.client, "session", 1).await {} };
    timeout(PATIENCE, counted).await.expect("a count");
    insist(&two.client, None, "ggui_update", note(&kept, "Still there")).await;
}

/// Whether a person who acts is told that an agent waits.
async fn is_agent_there(browser: &mut Browser) -> Value {
    let request = browser.act("checkout", Value::Null).await;
    browser.answer_to(&request).await["payload"]["consumerPresent"].clone()
}

#[tokio::test]
async fn an_agent_that_waits_at_a_server_counts_as_gone_when_that_has_ended() {
    let redis = RedisServer::start().await;
    let (one, two) = (redis.node().await, redis.node().await);
    let (id, token) = parts(&one.client.show().await);
    let mut browser = subscribed(&two.client, &id, &token).await;
    let arguments = json!({"sessionId": id, "timeout": 25});
    let wait = |key: &'static str| {
        let (client, arguments) = (one.client.clone(), arguments.clone());
        tokio::spawn(async move { client.try_keyed(key, "ggui_consume", &arguments).await })
    };
    let taken = wait("first");
    while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
    assert_eq!(is_agent_there(&mut browser).await, true);
    assert!(taken.await.expect("an end").is_some());
    let cut_off = wait("second");
    while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
    one.kill().await;
    assert!(cut_off.await.expect("an end").is_none());
    // Its lease lapses, and others learn of that with the next beat.
    redis.ask(&["BLPOP", "nothing", "8"]).await;
    assert_eq!(is_agent_there(&mut browser).await, false);
}

#[tokio::test]
async fn a_store_that_is_not_there_or_lets_nobody_in_is_said_in_one_line() {
    let redis = RedisServer::start_with(&["--requirepass", "secret"]).await;
    for (url, word) in [
        ("redis://127.0.0.1:1", "refused"),
        (redis.url().as_str(), "uthentication"),
    ] {
        let (exit, lines) = failed(&["serve", "--listen", "127.0.0.1:0", "--store", url]).await;
        assert_eq!((exit, lines.len()), (69, 1), "{lines:?}");
        assert!(lines[0].contains("store.url"), "{lines:?}");
        assert!(lines[0].contains(word), "{lines:?}");
    }
    let (exit, lines) = failed(&["serve", "--store", "http://:secret@127.0.0.1"]).await;
    assert_eq!(exit, 78, "{lines:?}");
    assert!(!lines.concat().contains("secret"), "{lines:?}");
}

#[tokio::test]
async fn a_store_in_which_a_newer_release_keeps_events_is_refused_at_start() {
    let redis = RedisServer::start().await;
    redis.node().await.stop().await;
    redis.ask(&["SET", "proscenium:{*}:events", "99"]).await;
    let url = redis.url();
    let (exit, lines) = failed(&["serve", "--listen", "127.0.0.1:0", "--store", &url]).await;
    assert_eq!((exit, lines.len()), (69, 1), "{lines:?}");
    assert!(lines[0].contains("newer release"), "{lines:?}");
}
