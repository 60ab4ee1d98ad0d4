//! What hosts read of a render: its current state, earlier epochs, and notifications of changes.

use std::time::Duration;

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::event_stream::EventStream;
use crate::world::{Shown, World};

async fn read(world: &World, uri: &str) -> Value {
    let legacy = world.rpc("resources/read", json!({"uri": uri})).await.body;
    let modern = world.modern("resources/read", json!({"uri": uri})).await;
    let code = |body: &Value| body["error"]["data"]["code"].clone();
    assert_eq!(code(&legacy), code(&modern.body), "{uri}");
    legacy
}

/// The slice of the page that is read.
async fn slice(world: &World, uri: &str) -> Value {
    let body = read(world, uri).await;
    let page = body["result"]["contents"][0]["text"].as_str();
    let page = page.unwrap_or_else(|| panic!("{uri}: {body}"));
    let (_, meta) = page
        .split_once("globalThis.__GGUI_META__ = ")
        .expect("meta");
    let (meta, _) = meta.split_once(";</script>").expect("its end");
    let meta: Value = serde_json::from_str(meta).expect("JSON");
    meta["ai.ggui/render"].clone()
}

fn note(slice: &Value) -> Value {
    let props = slice["propsJson"].as_str().expect("props");
    let props: Value = serde_json::from_str(props).expect("JSON");
    props["note"].clone()
}

async fn change(world: &World, shown: &Shown, tool: &str, note: &str) -> Value {
    let patch = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": note}});
    world.tool(tool, patch).await
}

#[tokio::test]
async fn a_pinned_epoch_shows_what_it_ended_with_and_never_changes() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let bare = format!("ui://ggui/render/{}", shown.session);
    let whole = shown.result["structuredContent"]["resourceUri"].clone();
    let whole = whole.as_str().expect("a uri");
    let before = slice(&world, &format!("{bare}#0")).await;
    assert_eq!(
        (&note(&before), &before["epoch"]),
        (&Value::Null, &json!(0))
    );
    change(&world, &shown, "ggui_amend", "first").await;
    let first = change(&world, &shown, "ggui_update", "second").await;
    change(&world, &shown, "ggui_update", "third").await;
    change(&world, &shown, "ggui_amend", "fourth").await;
    assert_eq!(first["resourceUri"], json!(format!("{whole}#1")));
    for (uri, epoch, text) in [
        (format!("{bare}#0"), 0, "first"),
        (format!("{bare}%230"), 0, "first"),
        (format!("{whole}#0"), 0, "first"),
        (format!("{whole}#1"), 1, "second"),
        (format!("{whole}#2"), 2, "fourth"),
        (bare.clone(), 2, "fourth"),
    ] {
        let read = slice(&world, &uri).await;
        assert_eq!(
            (&note(&read), &read["epoch"]),
            (&json!(text), &json!(epoch)),
            "{uri}"
        );
        // A mount of a pinned page stays with its epoch when there is a newer one.
        assert_eq!(read["pinned"] == true, uri != bare, "{uri}");
        assert!(read["wsToken"].is_string(), "{uri}");
    }
    let earlier = slice(&world, &format!("{bare}#0")).await["propsJson"].clone();
    change(&world, &shown, "ggui_update", "fifth").await;
    assert_eq!(
        slice(&world, &format!("{bare}#0")).await["propsJson"],
        earlier
    );
    assert_eq!(note(&slice(&world, &format!("{bare}#2")).await), "fourth");
}

#[tokio::test]
async fn an_epoch_that_is_no_longer_known_or_not_yet_there_answers_like_a_miss() {
    let world = World::start_with(|config| config.limits.log.events_max = 5).await;
    let shown = world.show(basket(), basket_props()).await;
    for text in ["first", "second"] {
        change(&world, &shown, "ggui_update", text).await;
    }
    let bare = format!("ui://ggui/render/{}", shown.session);
    // Four events at the beginning and two updates: one is dropped.
    assert_eq!(note(&slice(&world, &format!("{bare}#1")).await), "first");
    let miss = read(&world, "ui://ggui/render/gone").await;
    assert_eq!(miss["error"]["data"]["code"], "NOT_SUPPORTED");
    for uri in ["#0", "#3", "#99999999999999999999", "/0123456789abcdef#9"] {
        let body = read(&world, &format!("{bare}{uri}")).await;
        assert_eq!(body["error"], miss["error"], "{uri}");
    }
}

async fn next(stream: &mut EventStream) -> Value {
    let (_, message) = stream.next().await.expect("a message");
    let meta = match message.get("result") {
        Some(result) => &result["_meta"],
        None => &message["params"]["_meta"],
    };
    assert_eq!(
        meta["io.modelcontextprotocol/subscriptionId"], "sub-7",
        "{message}"
    );
    message
}

#[tokio::test]
async fn a_stream_notifies_of_each_change_of_its_uris_and_of_their_end() {
    let world = World::start().await;
    let (one, other) = (
        world.show(basket(), basket_props()).await,
        world.show(basket(), basket_props()).await,
    );
    let bare = |shown: &Shown| format!("ui://ggui/render/{}", shown.session);
    let whole = one.result["structuredContent"]["resourceUri"].clone();
    let pinned = format!("{}#0", bare(&one));
    let asked = json!([
        whole,
        bare(&other),
        pinned,
        "ui://ggui/render/gone",
        "ui://ggui/render",
        bare(&other)
    ]);
    let mut stream = EventStream::listening(&world, asked).await;
    let first = next(&mut stream).await;
    assert_eq!(first["method"], "notifications/subscriptions/acknowledged");
    let honoured = &first["params"]["notifications"];
    assert!(
        honoured.get("promptsListChanged").is_none(),
        "prompts never change"
    );
    let honoured = honoured["resourceSubscriptions"].as_array().expect("uris");
    assert_eq!(
        honoured.len(),
        2,
        "what cannot change, or is not there, is left out"
    );
    for (shown, uri, tool) in [
        (&one, whole.clone(), "ggui_update"),
        (&other, json!(bare(&other)), "ggui_amend"),
        (&one, whole.clone(), "ggui_amend"),
    ] {
        change(&world, shown, tool, tool).await;
        let notification = next(&mut stream).await;
        assert_eq!(notification["method"], "notifications/resources/updated");
        assert_eq!(notification["params"]["uri"], uri);
        // An update without a change sends no notification.
        change(&world, shown, tool, tool).await;
    }
    for shown in [&one, &other] {
        let ended = world.delete(&format!("/api/v1/sessions/{}", shown.session));
        assert_eq!(world.send(ended).await.status, 204);
        assert_eq!(
            next(&mut stream).await["method"],
            "notifications/resources/updated"
        );
    }
    let last = next(&mut stream).await;
    assert_eq!(
        (&last["id"], &last["result"]["resultType"]),
        (&json!("sub-7"), &json!("complete"))
    );
    assert!(
        stream.next().await.is_none(),
        "there is nothing left to notify of"
    );
}

#[tokio::test]
async fn a_stream_ends_with_its_result_when_the_server_does() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut streams = [
        EventStream::listening(
            &world,
            json!([format!("ui://ggui/render/{}", shown.session)]),
        )
        .await,
        EventStream::listening(&world, json!([])).await,
    ];
    for stream in &mut streams {
        next(stream).await;
    }
    let stopped = tokio::spawn(world.stop());
    for stream in &mut streams {
        assert_eq!(next(stream).await["result"]["resultType"], "complete");
    }
    tokio::time::timeout(Duration::from_secs(10), stopped)
        .await
        .expect("in time")
        .expect("an end");
}

#[tokio::test]
async fn the_streams_of_an_app_are_limited_and_one_that_ends_makes_room_for_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let one = proscenium::keys::create(&file, "one", 1).expect("a key");
    let other = proscenium::keys::create(&file, "other", 1).expect("a key");
    let world = World::start_with(|config| {
        config.server.keys_file = file;
        config.limits.http.listen_streams_per_app_max = 2;
    });
    let mut world = world.await.with_bearer(&one);
    let mut streams = vec![
        EventStream::listening(&world, json!([])).await,
        EventStream::listening(&world, json!([])).await,
    ];
    let filter = json!({"notifications": {}});
    let refused = world.modern("subscriptions/listen", filter.clone()).await;
    let error = &refused.body["error"];
    assert_eq!(
        (refused.status, &error["code"], &error["data"]["code"]),
        (200, &json!(-32013), &json!("RATE_LIMIT_EXCEEDED"))
    );
    let message = error["message"].as_str().expect("a text");
    assert!(
        message.starts_with("2 streams of subscriptions/listen are open"),
        "{message}"
    );
    assert!(refused.headers.contains_key("retry-after"));
    // Another app has streams of its own; a refused stream takes no place.
    world = world.with_bearer(&other);
    let mut elsewhere = EventStream::listening(&world, json!([])).await;
    next(&mut elsewhere).await;
    world = world.with_bearer(&one);
    next(&mut streams[0]).await;
    streams.truncate(1);
    // The server notices later that nobody reads any more.
    let again = async {
        loop {
            let params = filter.clone();
            let asked = world.modern("subscriptions/listen", params);
            // An open stream has no end to wait for.
            match tokio::time::timeout(Duration::from_secs(2), asked).await {
                Ok(refused) => assert_eq!(refused.body["error"]["code"], -32013),
                Err(_) => break,
            }
        }
    };
    let again = tokio::time::timeout(Duration::from_secs(60), again).await;
    again.expect("a place in time");
}

#[tokio::test]
async fn an_invalid_subscription_is_answered_with_every_problem_and_each_era_has_its_own() {
    let world = World::start_with(|config| config.limits.http.listen_uris_max = 2).await;
    let discovered = world.modern("server/discover", json!({})).await.body;
    assert_eq!(
        discovered["result"]["capabilities"]["resources"]["subscribe"],
        true
    );
    for (params, problems) in [
        (json!({}), vec!["- params.notifications: must be object"]),
        (
            json!({"notifications": {"toolsListChanged": 1, "resourceSubscriptions": ["x", 2]}}),
            vec![
                "- params.notifications.toolsListChanged: must be boolean",
                "- params.notifications.resourceSubscriptions[1]: must be string",
            ],
        ),
        (
            json!({"notifications": {"resourceSubscriptions": ["a", "b", "c"]}}),
            vec!["- params.notifications.resourceSubscriptions: must NOT have more than 2 items"],
        ),
    ] {
        let refused = world.modern("subscriptions/listen", params).await;
        assert_eq!(
            (refused.status, &refused.body["error"]["code"]),
            (400, &json!(-32602))
        );
        let message = refused.body["error"]["message"].as_str().expect("a text");
        for problem in problems {
            assert!(message.contains(problem), "{message}");
        }
    }
    let filter = json!({"notifications": {}});
    let refused = world.rpc("subscriptions/listen", filter).await;
    assert_eq!(refused.body["error"]["code"], -32601);
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        let refused = world.modern(method, json!({"uri": "ui://ggui/render"}));
        assert_eq!(refused.await.body["error"]["code"], -32601, "{method}");
    }
}
