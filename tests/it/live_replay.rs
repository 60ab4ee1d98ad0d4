//! Subscribers that fall behind or reconnect, and what is replayed to them.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::browser::Browser;
use crate::contracts::{basket, basket_props, build_log};
use crate::world::{PATIENCE, Shown, World};

/// Emits many items in one request, so that subscribers can read only after all of them.
async fn burst(world: &World, shown: &Shown, line: &str) {
    let call = |id: u32| {
        let item = json!({"line": line, "level": "info"});
        let emit = json!({"sessionId": shown.session, "channel": "log", "payload": item});
        let params = json!({"name": "ggui_emit", "arguments": emit});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    };
    let batch: Value = (0..50).map(call).collect();
    let answer = world.send(world.post("/mcp").body(batch.to_string())).await;
    assert_eq!(
        answer.body[49]["result"]["structuredContent"]["accepted"],
        true
    );
}

/// Emits bursts until a future is ready.
async fn until<T>(world: &World, shown: &Shown, line: &str, finds: impl Future<Output = T>) -> T {
    let is_found = AtomicBool::new(false);
    let bursts = async {
        while !is_found.load(Ordering::SeqCst) {
            burst(world, shown, line).await;
        }
    };
    let found = async {
        let found = finds.await;
        is_found.store(true, Ordering::SeqCst);
        found
    };
    let both = async { tokio::join!(found, bursts).0 };
    tokio::time::timeout(PATIENCE, both)
        .await
        .expect("it is found in time")
}

/// The positions of the items received up to a known last one.
async fn positions(browser: &mut Browser, last: u64) -> Vec<u64> {
    let mut found = Vec::new();
    while found.last() != Some(&last) {
        let item = browser.frame("data").await;
        found.push(item["payload"]["seq"].as_u64().unwrap());
    }
    found
}

/// Reads items up to the last one; returns code and reason if the socket was closed before.
async fn follow(
    browser: &mut Browser,
    seen: &mut Vec<u64>,
    last: Option<u64>,
) -> Option<(u16, String)> {
    loop {
        match browser.next_or_close().await {
            Ok(frame) if frame["type"] == "data" => {
                seen.push(frame["payload"]["seq"].as_u64().unwrap());
                if last.is_some() && seen.last() == last.as_ref() {
                    return None;
                }
            }
            Ok(_) => {}
            Err(close) => return close,
        }
    }
}

#[tokio::test]
async fn a_slow_reader_is_asked_to_reconnect_and_then_misses_nothing() {
    let world = World::start_with(|config| {
        config.server.unlimited = true;
        config.limits.log.bytes_max = 1 << 30;
        config.limits.log.events_max = 1 << 20;
        config.limits.sockets.behind_frames_max = 0;
        config.limits.sockets.behind_bytes_max = 0;
        config.limits.sockets.behind_s = 0;
    })
    .await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let mut slow = world.knock(&shown).await;
    slow.subscribe(json!({"fromSeq": 3})).await;
    let mut seen = vec![3];
    // More at once than a reader may be behind.
    let line = "x".repeat(8_000);
    let closed = until(&world, &shown, &line, follow(&mut slow, &mut seen, None)).await;
    assert_eq!(closed, Some((1013, "slow_consumer".to_owned())));
    // It reconnects as often as necessary.
    loop {
        let mut again = world.knock(&shown).await;
        let ack = again.subscribe(json!({"fromSeq": seen.last()})).await;
        assert!(ack["payload"]["replayTruncated"].is_null(), "{ack}");
        let last = ack["payload"]["streamSeq"].as_u64().unwrap();
        if seen.last() == Some(&last) || follow(&mut again, &mut seen, Some(last)).await.is_none() {
            assert_eq!(seen, (3..=last).collect::<Vec<_>>());
            return;
        }
    }
}

#[tokio::test]
async fn a_reader_behind_the_kept_events_gets_the_whole_session_and_continues_from_there() {
    let world = World::start_with(|config| {
        config.server.unlimited = true;
        config.limits.log.events_max = 4;
    })
    .await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let (mut browser, _) = world.browse(&shown).await;
    let received = until(&world, &shown, "x", browser.frame("render")).await;
    let session = &received["payload"]["session"];
    assert_eq!(session["id"], shown.session.as_str());
    assert_eq!(session["props"], json!({"pipeline": "main"}));
    assert_eq!(session["view"]["version"], "v0.9");
    // The items that are still kept follow: all but the first event of the session are items.
    let last = session["eventSequence"].as_u64().unwrap() - 1;
    let kept = positions(&mut browser, last).await;
    assert_eq!(kept, (last - 3..=last).collect::<Vec<_>>());
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"pipeline": "next"}});
    world.tool("ggui_amend", amend).await;
    let received = browser.frame("props_update").await;
    assert_eq!(received["payload"]["props"]["pipeline"], "next");
}

#[tokio::test]
async fn a_reader_that_missed_nothing_is_not_given_the_whole_session_however_much_others_click() {
    let world = World::start_with(|config| config.limits.log.events_max = 4).await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut watcher, _) = world.browse(&shown).await;
    let (mut clicker, _) = world.browse(&shown).await;
    for quantity in 0..20 {
        let data = json!({"sku": "A1", "qty": quantity});
        let request = clicker.act("setQuantity", data).await;
        assert_eq!(clicker.answer_to(&request).await["type"], "ack");
    }
    let patch = json!({"currency": "USD"});
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": patch});
    world.tool("ggui_amend", amend).await;
    let mut received = watcher.next().await;
    while received["type"] == "data" {
        // How the render went.
        received = watcher.next().await;
    }
    assert_eq!(received["type"], "props_update", "{received}");
}

#[tokio::test]
async fn an_ack_says_if_items_of_the_replay_were_dropped() {
    let world = World::start_with(|config| config.limits.log.events_max = 6).await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    for number in 0..8 {
        let item = json!({"line": format!("line {number}"), "level": "info"});
        let emit = json!({"sessionId": shown.session, "channel": "log", "payload": item});
        world.tool("ggui_emit", emit).await;
    }
    // Eleven items were emitted, of which six are kept.
    for (from, is_truncated, kept) in [
        (json!(0), json!(true), 6..12),
        (json!(4), json!(true), 6..12),
        (json!(5), Value::Null, 6..12),
        (json!(9), Value::Null, 10..12),
    ] {
        let mut browser = world.knock(&shown).await;
        let ack = browser.subscribe(json!({"fromSeq": from})).await;
        assert_eq!(ack["payload"]["replayTruncated"], is_truncated, "{from}");
        let found = positions(&mut browser, 11).await;
        assert_eq!(found, kept.collect::<Vec<u64>>(), "{from}");
    }
    // A subscriber without a cursor does not get what channels without replay carried.
    let (mut fresh, ack) = world.browse(&shown).await;
    assert!(ack["payload"]["replayTruncated"].is_null());
    fresh.send(json!({"type": "ping", "payload": {}})).await;
    assert_eq!(fresh.next().await["type"], "pong");
}

#[tokio::test]
async fn every_change_of_a_session_is_a_row_of_its_ledger() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, ack) = world.browse(&shown).await;
    let session = &shown.session;
    let since = ack["payload"]["sequence"].clone();
    let host = json!({"sessionId": session, "hostContext": {"platform": "web"}});
    browser
        .send(json!({"type": "host_context_observed", "payload": host}))
        .await;
    let refused = browser.act("nothing", Value::Null).await;
    browser.answer_to(&refused).await;
    let snapshot = json!({"sessionId": session, "appId": "builder", "snapshot": {"coupon": "MAY"}});
    world.tool("ggui_runtime_sync_context", snapshot).await;
    let ask = json!({"sessionId": session, "provider": "mail", "authUrl": "https://auth.example/"});
    world.tool("ggui_request_auth", ask).await;
    let mut props = basket_props();
    props["note"] = "new".into();
    let update = json!({"sessionId": session, "kind": "replace", "props": props});
    world.tool("ggui_update", update).await;
    let pull = json!({"sessionId": session, "sinceSequence": since});
    let page = world.tool("ggui_runtime_pull", pull).await;
    let received = |row: &Value| (row["type"].clone(), row["data"].clone());
    let rows: Vec<_> = page["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(received)
        .collect();
    let kinds: Vec<_> = rows
        .iter()
        .map(|(kind, _)| kind.as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "x-host-context",
            "x-observed",
            "x-context",
            "x-observed",
            "ui.updated"
        ]
    );
    assert_eq!(rows[0].1, json!({"hostContext": {"platform": "web"}}));
    assert_eq!(rows[1].1["kind"], "contract-violation");
    assert_eq!(rows[2].1, json!({"snapshot": {"coupon": "MAY"}}));
    assert_eq!(rows[3].1["kind"], "auth-required");
    assert_eq!(rows[4].1["epoch"], 1);
}

#[tokio::test]
async fn an_ack_of_an_action_says_whether_an_agent_waits_for_it() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let request = browser.act("checkout", Value::Null).await;
    let ack = browser.answer_to(&request).await;
    assert_eq!(ack["payload"]["consumerPresent"], false, "{ack}");
    let consume = async |timeout: u64| {
        let consume = json!({"sessionId": shown.session, "timeout": timeout});
        world.tool("ggui_consume", consume).await
    };
    assert_eq!(consume(0).await["events"].as_array().unwrap().len(), 1);
    let waited = async {
        loop {
            let step = browser.frame("data").await;
            if step["payload"]["payload"]["kind"] == "consume_polling" {
                break;
            }
        }
        let request = browser.act("checkout", Value::Null).await;
        browser.answer_to(&request).await
    };
    let (consumed, ack) = tokio::join!(consume(25), waited);
    assert_eq!(ack["payload"]["consumerPresent"], true, "{ack}");
    assert_eq!(
        consumed["events"][0]["actionId"],
        ack["payload"]["actionId"]
    );
}
