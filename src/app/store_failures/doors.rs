//! While the store does not answer, every door says when to come back.

use reqwest::Method;
use serde_json::json;

use super::world::{Faulty, assert_frame_says_wait, assert_says_wait, click, draft};
use crate::adapters::battery::Mode;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_store_does_not_answer_every_door_says_when_to_come_back() {
    let stores = Faulty::new();
    let first = stores.server().await;
    let shown = first.show().await;
    let unused = first
        .call("ggui_handshake", draft("Another test"))
        .await
        .body;
    let unused = &unused["result"]["structuredContent"]["handshakeId"];
    let viewer = shown.result["structuredContent"]["viewerUrl"].as_str();
    let viewer = viewer.unwrap().split('/').next_back().unwrap().to_owned();
    // Another one, to which nothing is known yet.
    let server = stores.server().await;
    stores.fail(Mode::Every);
    let session = &shown.session;
    // What is in memory can be read, until nobody knows what became of a write.
    for tool in ["ggui_get_session", "ggui_consume"] {
        first.insist(tool, json!({"sessionId": session})).await;
    }
    for (tool, arguments) in [
        ("ggui_handshake", draft("Another test")),
        ("ggui_render", json!({"handshakeId": unused, "props": {}})),
        (
            "ggui_update",
            json!({"sessionId": session, "kind": "replace", "props": {"note": "x"}}),
        ),
        (
            "ggui_amend",
            json!({"sessionId": session, "kind": "replace", "props": {"note": "x"}}),
        ),
        (
            "ggui_emit",
            json!({"sessionId": session, "channel": "log", "payload": "x"}),
        ),
        ("ggui_consume", json!({"sessionId": session})),
        ("ggui_consume", json!({"sessionId": session, "timeout": 5})),
        ("ggui_get_session", json!({"sessionId": session})),
        ("ggui_list_sessions", json!({})),
        ("ggui_search_blueprints", json!({"query": "test"})),
        ("ggui_list_featured_blueprints", json!({})),
        ("ggui_get_render_source", json!({"sessionId": session})),
    ] {
        for server in [&first, &server] {
            let answer = server.call(tool, arguments.clone()).await;
            assert_says_wait(&answer, tool);
        }
    }
    let uri = format!("ui://ggui/render/{session}");
    let read = server.rpc("resources/read", json!({"uri": uri})).await;
    assert_says_wait(&read, "resources/read");
    for (method, path) in [
        (Method::GET, format!("/api/v1/sessions/{session}")),
        (Method::GET, "/api/v1/sessions".to_owned()),
        (Method::DELETE, format!("/api/v1/sessions/{session}")),
        (Method::GET, "/api/v1/blueprints".to_owned()),
        (Method::GET, "/stage/feed".to_owned()),
        (Method::GET, format!("/stage/frame/{session}")),
        (Method::GET, format!("/r/{viewer}")),
        (Method::GET, "/health/ready".to_owned()),
    ] {
        let answer = server.request(method, &path, None).await;
        assert_eq!(
            (answer.status, answer.wait),
            (503, 1),
            "{path}: {}",
            answer.body
        );
    }
    let (_, refused) = server.subscribe(&shown).await;
    assert_frame_says_wait(&refused);
    // And all of it works again, with nothing to be started anew.
    stores.fail(Mode::Sound);
    let (mut socket, ack) = server.subscribe(&shown).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    click(&mut socket, &shown, "gesture-1").await;
    let ready = server.request(Method::GET, "/health/ready", None).await;
    assert_eq!(ready.status, 200, "{}", ready.body);
}
