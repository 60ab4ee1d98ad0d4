//! Malformed and hostile input on the live channel, and the responses to it.

use reqwest::Method;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

use crate::contracts::{basket, basket_props, build_log};
use crate::raw::Raw;
use crate::world::{PATIENCE, Shown, World};

/// A socket below the framing, which sends bytes unchanged.
async fn upgraded(world: &World, shown: &Shown) -> Raw {
    let token = shown.slice()["wsToken"].as_str().unwrap();
    let mut raw = Raw::connect(world.address()).await;
    raw.send(format!(
        "GET /ws?wsToken={token} HTTP/1.1\r\nhost: localhost\r\nupgrade: websocket\r\n\
         connection: upgrade\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ))
    .await;
    raw
}

/// A masked frame; the mask is zero, so the payload is unchanged.
fn masked(opcode: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).expect("a short frame");
    assert!(length < 126, "a short frame");
    let mut frame = vec![0x80 | opcode, 0x80 | length, 0, 0, 0, 0];
    frame.extend_from_slice(payload);
    frame
}

#[tokio::test]
async fn a_list_is_not_accepted_as_frame_payload_or_message() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    let token = browser.token.clone();
    let subscribe = json!({"type": "subscribe", "payload": [shown.session, null, token]});
    for text in [r#"["ping",{}]"#, "7", "null", &subscribe.to_string()] {
        browser.send_text(text).await;
        let refused = browser.next().await;
        assert_eq!(
            refused["payload"]["code"], "INVALID_MESSAGE",
            "{text}: {refused}"
        );
        let message = refused["payload"]["message"].as_str().unwrap();
        assert!(message.ends_with("it has to be a JSON object"), "{message}");
    }
    let (mut browser, _) = world.browse(&shown).await;
    let session = &shown.session;
    let host = |context: Value| json!({"sessionId": session, "hostContext": context});
    for (kind, payload) in [
        (
            "action",
            json!([session, "data:submit", {"action": "checkout"}]),
        ),
        (
            "host_context_observed",
            json!([session, {"platform": "web"}]),
        ),
        ("host_context_observed", host(json!([]))),
        (
            "host_context_observed",
            host(json!({"containerDimensions": [480, 320]})),
        ),
        (
            "host_context_observed",
            host(json!({"deviceCapabilities": [true]})),
        ),
        ("channel_subscribe", json!([session, "state"])),
    ] {
        let frame = json!({"type": kind, "requestId": "l", "payload": payload});
        browser.send(frame.clone()).await;
        let refused = browser.answer_to("l").await;
        assert_eq!(refused["payload"]["code"], "INVALID_MESSAGE", "{frame}");
    }
    let consumed = world
        .tool("ggui_consume", json!({"sessionId": session}))
        .await;
    assert_eq!(consumed["events"], json!([]));
    assert!(consumed["client"]["hostContext"].is_null(), "{consumed}");

    let batch = json!([["2.0", 1, "ping"], {"jsonrpc": "2.0", "id": 2, "method": "ping"}]);
    let answer = world.send(world.post("/mcp").body(batch.to_string())).await;
    assert_eq!(answer.body[0]["error"]["code"], -32600, "{}", answer.body);
    assert_eq!(answer.body[1]["result"], json!({}));
}

#[tokio::test]
async fn names_with_a_meaning_in_javascript_are_ordinary_and_the_last_repeated_member_counts() {
    let world = World::start().await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let (mut browser, _) = world.browse(&shown).await;
    for name in [
        "__proto__",
        "constructor",
        "toString",
        "a\u{0}b",
        "\u{202e}",
    ] {
        let request = browser.act(name, json!({})).await;
        let refused = browser.answer_to(&request).await;
        let found = &refused["payload"]["details"]["violations"][0];
        assert_eq!(
            (&found["field"], &found["received"]),
            (&json!("action"), &json!(name))
        );
    }
    let twice = r#"{"action":"nothing","action":"cancel","data":null}"#;
    let frame = format!(
        r#"{{"type":"action","requestId":"t","payload":{{"sessionId":"{}","type":"data:submit","payload":{twice}}}}}"#,
        shown.session
    );
    browser.send_text(&frame).await;
    assert_eq!(browser.answer_to("t").await["type"], "ack");
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let frame = format!(
        r#"{{"type":"action","requestId":"d","payload":{{"sessionId":"{}","type":"data:submit","payload":{{"action":"cancel","data":{deep}}}}}}}"#,
        shown.session
    );
    browser.send_text(&frame).await;
    let refused = browser.answer_to("d").await;
    assert_eq!(refused["payload"]["code"], "INVALID_MESSAGE", "{refused}");
    // A frame's own members must not be repeated, because it would be ambiguous which one counts.
    browser
        .send_text(r#"{"type":"ping","type":"ping","payload":{}}"#)
        .await;
    assert_eq!(
        browser.frame("error").await["payload"]["code"],
        "INVALID_MESSAGE"
    );
}

#[tokio::test]
async fn an_invalid_action_id_is_answered_with_the_reason() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let long = "x".repeat(129);
    for (id, problem) in [
        ("short", "must have 8 to 128 bytes"),
        (&long, "must have 8 to 128 bytes"),
        (
            "seq:12345",
            "must not begin with \"seq:\": such ids are the server's",
        ),
    ] {
        let request = browser.act_as("checkout", Value::Null, Some(id)).await;
        let refused = browser.answer_to(&request).await;
        let found = &refused["payload"]["details"]["violations"][0];
        assert_eq!(
            (&found["field"], &found["message"]),
            (&json!("actionId"), &json!(problem))
        );
    }
    // Anything else in an id is up to the client.
    for id in ["a\u{0}\u{2028}bcdef", "é😀é😀"] {
        let mut seqs = Vec::new();
        for _ in 0..2 {
            let request = browser.act_as("checkout", Value::Null, Some(id)).await;
            let ack = browser.answer_to(&request).await;
            assert_eq!(ack["payload"]["actionId"], id);
            seqs.push(ack["payload"]["sequence"].clone());
        }
        assert_eq!(seqs[0], seqs[1], "accepted once");
    }
}

#[tokio::test]
async fn frames_sent_with_the_subscription_are_answered_after_the_replay() {
    let world = World::start().await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let session = &shown.session;
    for number in 0..200 {
        let item = json!({"line": format!("line {number}"), "level": "info"});
        let emit = json!({"sessionId": session, "channel": "log", "payload": item});
        world.tool("ggui_emit", emit).await;
    }
    let amend = json!({"sessionId": session, "kind": "merge", "patch": {"pipeline": "next"}});
    world.tool("ggui_amend", amend).await;
    // Repeated, because the right order could also come about by chance.
    for _ in 0..20 {
        let mut browser = world.knock(&shown).await;
        let payload = json!({
            "sessionId": session, "appId": "builder", "wsToken": browser.token, "fromSeq": 2,
            "sinceSequence": 1, "supportedVersions": ["draft-2026-08-19"],
        });
        let envelope = json!({"action": "nope", "data": {}});
        let action = json!({"sessionId": session, "type": "data:submit", "payload": envelope});
        let frames = [
            json!({"type": "subscribe", "requestId": "s1", "payload": payload}),
            json!({"type": "action", "requestId": "a1", "payload": action}),
        ];
        browser.send_at_once(&frames).await;
        let mut kinds = Vec::new();
        let refused = loop {
            let frame = browser.next().await;
            if frame["requestId"] == "a1" {
                break frame;
            }
            kinds.push(frame["type"].as_str().unwrap().to_owned());
        };
        kinds.dedup();
        assert_eq!(kinds, ["ack", "render_event", "data"]);
        let details = &refused["payload"]["details"];
        assert_eq!(details["violations"][0]["field"], "action", "{refused}");
    }
}

#[tokio::test]
async fn a_closing_handshake_is_answered_with_the_same_code_and_reason() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (subscribed, _) = world.browse(&shown).await;
    for mut browser in [world.knock(&shown).await, subscribed] {
        let answered = browser.close_with(CloseCode::Normal, "bye").await;
        assert_eq!(answered, Some((1000, "bye".to_owned())));
    }
}

#[tokio::test]
async fn malformed_websocket_frames_end_the_socket_with_a_reason() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let unmasked = [&[0x81, 4][..], b"ping"].concat();
    let reserved = {
        let mut frame = masked(1, b"ping");
        frame[0] |= 0x40;
        frame
    };
    for (sent, code, reason) in [
        (unmasked, 1002, "protocol_error"),
        (reserved, 1002, "protocol_error"),
        (masked(3, b"x"), 1002, "protocol_error"),
        (masked(0, b"x"), 1002, "protocol_error"),
        (masked(1, b"\xff\xfe{"), 1007, "invalid_utf8"),
    ] {
        let mut raw = upgraded(&world, &shown).await;
        raw.send(&sent).await;
        raw.assert_close(code, reason).await;
    }
    // Binary frames that are not UTF-8 are not JSON either.
    let mut raw = upgraded(&world, &shown).await;
    raw.send(masked(2, b"\xff\xfe{")).await;
    raw.send(masked(8, &1000_u16.to_be_bytes())).await;
    let heard = raw.hear_out().await;
    assert!(heard.text.contains("INVALID_JSON"), "{heard:?}");
}

#[tokio::test]
async fn a_client_that_pings_without_reading_is_not_read_any_further() {
    let world = World::start_with(|config| {
        config.limits.sockets.behind_s = 1;
        config.limits.sockets.pre_subscribe_idle_s = 600;
        config.limits.http.write_s = 600;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let mut raw = upgraded(&world, &shown).await;
    let pings = masked(9, &[b'x'; 100]).repeat(1_000);
    let refused = tokio::time::timeout(PATIENCE, async {
        while raw.try_send(&pings).await.is_ok() {}
    });
    refused.await.expect("the server ends what takes nothing");
    while world.gauge("sockets").await > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_address_of_the_channel_explains_itself_without_an_upgrade() {
    let world = World::start().await;
    let refused = world.send(world.get("/ws")).await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.headers["sec-websocket-version"], "13");
    let detail = refused.body["detail"].as_str().unwrap();
    assert!(detail.contains("WebSocket"), "{detail}");
    // The origin is checked first.
    let foreign = world.get("/ws").header("origin", "https://evil.example");
    assert_eq!(world.send(foreign).await.status, 403);
}

#[tokio::test]
async fn pages_of_other_sites_may_send_permitted_requests_and_read_refusals() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let preflight = |path: &str, method: &str, origin: &str| {
        let request = world
            .request(Method::OPTIONS, path)
            .header("origin", origin);
        request.header("access-control-request-method", method)
    };
    let state = format!("/api/sessions/{}/state", shown.session);
    for (path, method, origin, allowed) in [
        (state.as_str(), "GET", "null", "*"),
        (
            "/api/v1/sessions/x",
            "DELETE",
            "http://localhost:3000",
            "http://localhost:3000",
        ),
        (
            "/mcp",
            "POST",
            "http://localhost:3000",
            "http://localhost:3000",
        ),
    ] {
        let answer = world.send(preflight(path, method, origin)).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(
            answer.headers["access-control-allow-origin"], allowed,
            "{path}"
        );
    }
    let stream = preflight(&state, "GET", "null");
    let stream = stream.header("access-control-request-headers", "last-event-id");
    let answer = world.send(stream).await;
    assert_eq!(
        answer.headers["access-control-allow-headers"],
        "last-event-id"
    );
    let refused = world
        .send(world.post(&state).header("origin", "null"))
        .await;
    assert_eq!(refused.status, 405);
    assert_eq!(refused.headers["access-control-allow-origin"], "*");
    // Unknown routes, too.
    let path = format!("/api/sessions/{}/resource", shown.session);
    let missed = world.send(world.get(&path).header("origin", "null")).await;
    assert_eq!(missed.status, 404);
    assert_eq!(missed.headers["access-control-allow-origin"], "*");
}

#[tokio::test]
async fn a_subscription_is_tried_once_and_holds_to_its_session() {
    let world = World::start().await;
    let (shown, other) = (
        world.show(basket(), basket_props()).await,
        world.show(basket(), basket_props()).await,
    );
    let (mut browser, _) = world.browse(&shown).await;
    let theirs = other.slice()["wsToken"].clone();
    for more in [
        json!({}),
        json!({"sessionId": other.session, "wsToken": theirs}),
    ] {
        let mut payload = json!({"sessionId": shown.session, "wsToken": browser.token});
        for (key, value) in more.as_object().unwrap() {
            payload[key] = value.clone();
        }
        browser
            .send(json!({"type": "subscribe", "requestId": "again", "payload": payload}))
            .await;
        let refused = browser.answer_to("again").await;
        assert_eq!(refused["payload"]["code"], "UNAUTHENTICATED");
    }
    let rename = json!({"sessionId": other.session, "kind": "merge", "patch": {"note": "theirs"}});
    world.tool("ggui_amend", rename).await;
    let rename = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": "ours"}});
    world.tool("ggui_amend", rename).await;
    let update = browser.frame("props_update").await;
    assert_eq!(update["payload"]["props"]["note"], "ours");
}
