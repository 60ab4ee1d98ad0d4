//! The live channel without a socket: state, pages, the one-way stream, and the runtime tools.

use std::time::Duration;

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props, build_log};
use crate::event_stream::EventStream;
use crate::world::{PATIENCE, Shown, World};

pub(crate) fn token(shown: &Shown) -> String {
    shown.slice()["wsToken"].as_str().unwrap().to_owned()
}

async fn events(world: &World, shown: &Shown, query: &str) -> (u16, Value) {
    let path = format!(
        "/api/sessions/{}/events?wsToken={}{query}",
        shown.session,
        token(shown)
    );
    let answer = world.send(world.get(&path)).await;
    (answer.status, answer.body)
}

fn kinds(page: &Value) -> Vec<&str> {
    let rows = page["events"].as_array().unwrap();
    rows.iter()
        .map(|row| row["type"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn each_reason_to_refuse_a_fallback_has_its_own_message() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let other = world.show(basket(), basket_props()).await;
    let (mine, theirs) = (token(&shown), token(&other));
    let session = &shown.session;
    for door in ["state", "events", "stream"] {
        let cases = [
            (
                format!("/api/sessions//{door}?wsToken={mine}"),
                400,
                "sessionId required",
            ),
            (
                format!("/api/sessions/{session}/{door}"),
                401,
                "wsToken query required",
            ),
            (
                format!("/api/sessions/{session}/{door}?wsToken=x"),
                401,
                "wsToken invalid",
            ),
            (
                format!("/api/sessions/{session}/{door}?wsToken={theirs}"),
                401,
                "wsToken scope mismatch",
            ),
        ];
        for (path, status, detail) in cases {
            let refused = world.send(world.get(&path).header("origin", "null")).await;
            assert_eq!(
                (refused.status, &refused.body["detail"]),
                (status, &json!(detail))
            );
            assert_eq!(refused.headers["access-control-allow-origin"], "*");
        }
    }
    world.clock.advance(Duration::from_secs(181));
    let (status, body) = events(&world, &shown, "&sinceSequence=0").await;
    assert_eq!((status, &body["detail"]), (410, &json!("wsToken expired")));
    assert_eq!(body["error"]["code"], "GONE");
}

#[tokio::test]
async fn a_fallback_to_a_session_that_has_ended_finds_no_render() {
    let world = World::start_with(|config| config.limits.sessions.idle_ttl_s = 60).await;
    let shown = world.show(basket(), basket_props()).await;
    world.clock.advance(Duration::from_secs(61));
    let (status, body) = events(&world, &shown, "&sinceSequence=0").await;
    assert_eq!((status, &body["detail"]), (404, &json!("render not found")));
}

#[tokio::test]
async fn the_state_is_a_slice_with_a_fresh_token_and_every_address() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    world.clock.advance(Duration::from_secs(170));
    let path = format!(
        "/api/sessions/{}/state?wsToken={}",
        shown.session,
        token(&shown)
    );
    let state = world.send(world.get(&path)).await;
    assert_eq!(state.headers["cache-control"], "no-store");
    let slice = &state.body["ai.ggui/render"];
    assert_eq!(slice["lastSequence"], 4);
    assert_eq!(slice["propsJson"], shown.slice()["propsJson"]);
    for (member, door) in [("pollingUrl", "events"), ("sseUrl", "stream")] {
        let expected = world.url(&format!(
            "/api/sessions/{}/{door}?wsToken={}",
            shown.session,
            slice["wsToken"].as_str().unwrap()
        ));
        assert_eq!(slice[member], expected);
    }
    // The first token has expired by now; the fresh one gives access to the ledger.
    world.clock.advance(Duration::from_secs(20));
    let polling = slice["pollingUrl"].as_str().unwrap();
    let path = polling.strip_prefix(&world.url("")).unwrap();
    let polled = world
        .send(world.get(&format!("{path}&sinceSequence=4")))
        .await;
    assert_eq!((polled.status, &polled.body["events"]), (200, &json!([])));
}

#[tokio::test]
async fn pages_of_the_ledger_hold_everything_once_in_order() {
    let world = World::start().await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let session = &shown.session;
    world
        .tool(
            "ggui_emit",
            json!({"sessionId": session, "channel": "progress", "payload": {"percent": 5}}),
        )
        .await;
    world
        .tool(
            "ggui_amend",
            json!({"sessionId": session, "kind": "merge", "patch": {"pipeline": "next"}}),
        )
        .await;
    let payload = json!({"intent": "cancel", "actionData": null, "uiContext": {}});
    let relayed = json!({
        "kind": "dispatch", "payload": payload, "sessionId": session, "appId": "builder",
        "actionId": "gesture-1", "firedAt": "2026-08-23T10:00:00Z",
    });
    world.tool("ggui_runtime_submit_action", relayed).await;
    world
        .tool("ggui_consume", json!({"sessionId": session}))
        .await;

    let (_, all) = events(&world, &shown, "&sinceSequence=0").await;
    assert_eq!(
        kinds(&all),
        [
            "ui.created",
            "x-data",
            "x-data",
            "x-data",
            "x-data",
            "ui.updated",
            "user.submitted",
            "x-drained"
        ]
    );
    let seqs: Vec<_> = all["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(seqs, (1..=8).collect::<Vec<_>>());
    let row = |index: usize| &all["events"][index]["data"];
    assert_eq!(row(4)["payload"], json!({"percent": 5}));
    assert_eq!(row(4)["seq"], 4);
    assert_eq!(
        row(5),
        &json!({"sessionId": session, "props": {"pipeline": "next"}, "epoch": 0})
    );
    assert_eq!(row(6)["payload"]["action"], "cancel");
    assert_eq!(row(7)["eventIds"], json!(["gesture-1"]));
    assert_eq!(
        (&all["lastSequence"], &all["hasMore"]),
        (&json!(8), &json!(false))
    );

    let (_, first) = events(&world, &shown, "&sinceSequence=0&limit=5").await;
    let (_, rest) = events(&world, &shown, "&sinceSequence=5&limit=5").await;
    assert_eq!(
        (&first["hasMore"], &rest["hasMore"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        [
            first["events"].as_array().unwrap().clone(),
            rest["events"].as_array().unwrap().clone()
        ]
        .concat(),
        *all["events"].as_array().unwrap()
    );
    let pulled = world
        .tool(
            "ggui_runtime_pull",
            json!({"sessionId": session, "sinceSequence": 0}),
        )
        .await;
    assert_eq!(pulled, all, "the relay reads the same ledger");
}

#[tokio::test]
async fn a_cursor_outside_of_the_ledger_is_answered_with_the_current_position() {
    let world = World::start_with(|config| config.limits.log.events_max = 2).await;
    let shown = world.show(basket(), basket_props()).await;
    for since in [0, 1, 5] {
        let (status, body) = events(&world, &shown, &format!("&sinceSequence={since}")).await;
        assert_eq!(status, 410, "{since}");
        assert_eq!(body["reason"], "REPLAY_HORIZON_PASSED");
        assert_eq!(body["currentSequence"], 4);
        let pull = json!({"sessionId": shown.session, "sinceSequence": since});
        let pulled = world.tool("ggui_runtime_pull", pull).await;
        assert_eq!(
            pulled,
            json!({"reason": "REPLAY_HORIZON_PASSED", "currentSequence": 4})
        );
    }
    let (status, body) = events(&world, &shown, "&sinceSequence=2").await;
    assert_eq!((status, kinds(&body).len()), (200, 2));
}

#[tokio::test]
async fn all_parameters_that_are_not_numbers_are_named() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (status, body) = events(&world, &shown, "&sinceSequence=-1&limit=501&wait=x").await;
    assert_eq!(status, 400);
    let detail = body["detail"].as_str().unwrap();
    for name in ["sinceSequence", "limit", "wait"] {
        assert!(detail.contains(name), "{detail}");
    }
    assert_eq!(events(&world, &shown, "").await.0, 400);
}

#[tokio::test]
async fn a_pull_that_waits_is_woken_by_what_happens() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let pull = json!({"sessionId": shown.session, "sinceSequence": 4, "wait": 20});
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": "hi"}});
    let (pulled, _) = tokio::join!(
        world.tool("ggui_runtime_pull", pull),
        world.tool("ggui_amend", amend)
    );
    assert_eq!(kinds(&pulled), ["ui.updated"]);
    assert_eq!(pulled["events"][0]["data"]["props"]["note"], "hi");
}

#[tokio::test]
async fn a_pull_for_an_unknown_session_is_a_session_not_found() {
    let world = World::start().await;
    let result = world
        .call("ggui_runtime_pull", json!({"sessionId": "nobody"}))
        .await;
    assert_eq!(
        result["structuredContent"]["error"]["code"],
        "session_not_found"
    );
}

/// The first events of a stream, with their ids.
async fn read_stream(world: &World, path: &str, count: usize) -> Vec<(Option<u64>, Value)> {
    let mut stream = EventStream::open(world, path).await;
    let mut found = Vec::new();
    while found.len() < count {
        found.push(stream.next().await.expect("one more"));
    }
    found
}

#[tokio::test]
async fn the_stream_carries_what_a_socket_would_with_ids_to_come_back_by() {
    let world = World::start().await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let path = format!(
        "/api/sessions/{}/stream?wsToken={}",
        shown.session,
        token(&shown)
    );
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"pipeline": "next"}});
    let live = async {
        let found = read_stream(&world, &path, 5).await;
        found
            .into_iter()
            .map(|(id, frame)| (id, frame["type"].clone()))
            .collect::<Vec<_>>()
    };
    let emit = async {
        // The item may come before or after the ack: the stream contains it once in either case.
        world
            .tool(
                "ggui_emit",
                json!({"sessionId": shown.session, "channel": "log",
            "payload": {"line": "x", "level": "info"}}),
            )
            .await;
        world.tool("ggui_amend", amend).await;
    };
    let (found, ()) = tokio::join!(live, emit);
    assert_eq!(found[0], (None, json!("ack")));
    assert_eq!(found[1], (None, json!("data")), "the lifecycle is replayed");

    // On a reconnect, the id of the last event takes precedence over the address.
    let path = format!("{path}&sinceSequence=0&fromSeq=0");
    let found = read_stream(&world, &path, 1 + 2 + 4).await;
    let received: Vec<_> = found
        .iter()
        .map(|(id, frame)| (*id, frame["type"].as_str().unwrap()))
        .collect();
    assert_eq!(
        received,
        [
            (None, "ack"),
            (Some(1), "render_event"),
            (Some(6), "render_event"),
            (None, "data"),
            (None, "data"),
            (None, "data"),
            (None, "data"),
        ]
    );
    assert_eq!(found[2].1["payload"]["type"], "ui.updated");
}

#[tokio::test]
async fn a_stream_ends_with_its_session() {
    let world = World::start_with(|config| config.limits.sessions.idle_ttl_s = 1).await;
    let shown = world.show(basket(), basket_props()).await;
    let path = format!(
        "/api/sessions/{}/stream?wsToken={}",
        shown.session,
        token(&shown)
    );
    let response = world.get(&path).send().await.unwrap();
    world.clock.advance(Duration::from_secs(2));
    let text = tokio::time::timeout(PATIENCE, response.text())
        .await
        .expect("it ends")
        .unwrap();
    assert!(text.starts_with("retry: 3000\n\n"), "{text}");
    assert!(text.contains("\"type\":\"ack\""), "{text}");
}
