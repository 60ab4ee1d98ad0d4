//! While the store does not answer, mounts, agents on other transports and whoever acts on a socket
//! that is open are told when to come back.

use reqwest::Method;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, duplex, split};

use super::world::{
    Faulty, Server, Shown, answer_to, assert_frame_says_wait, assert_says_wait, click, send,
};
use crate::adapters::battery::Mode;
use crate::wire::fault::{Code, Endpoint, Era};

/// Room for the lines of a client that speaks over standard input and output.
const LINES_BYTES: usize = 64 * 1_024;

/// A server above a store that does not answer, to which nothing of the session is known yet.
async fn without_store(stores: &Faulty) -> (Server, Shown) {
    let shown = stores.server().await.show().await;
    let server = stores.server().await;
    stores.fail(Mode::Every);
    (server, shown)
}

fn token(shown: &Shown) -> &str {
    let token = &shown.result["_meta"]["ai.ggui/render"]["wsToken"];
    token.as_str().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn addresses_with_a_token_of_the_live_channel_say_when_to_come_back() {
    let stores = Faulty::new();
    let (server, shown) = without_store(&stores).await;
    let (session, token) = (&shown.session, token(&shown));
    for path in [
        format!("/api/sessions/{session}/state?wsToken={token}"),
        format!("/api/sessions/{session}/events?wsToken={token}&sinceSequence=0"),
        format!("/api/sessions/{session}/stream?wsToken={token}"),
        format!("/frame/{session}?wsToken={token}"),
        format!("/stage/explain/{session}"),
    ] {
        let answer = server.request(Method::GET, &path, None).await;
        let (status, wait) = (answer.status, answer.wait);
        assert_eq!((status, wait), (503, 1), "{path}: {}", answer.body);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tools_of_the_shown_ui_say_when_to_come_back() {
    let stores = Faulty::new();
    let (server, shown) = without_store(&stores).await;
    let session = &shown.session;
    let pull = json!({"sessionId": session, "sinceSequence": 0});
    assert_says_wait(&server.call("ggui_runtime_pull", pull).await, "pull");
    let synced = json!({"sessionId": session, "appId": "builder", "snapshot": {}});
    let relayed = json!({
        "sessionId": session, "appId": "builder", "kind": "dispatch",
        "actionId": "relayed-1", "firedAt": "2026-08-23T15:46:40.000Z",
        "payload": {"intent": "go", "actionData": null, "uiContext": {}},
    });
    for (tool, arguments) in [
        ("ggui_runtime_sync_context", synced),
        (
            "ggui_runtime_refresh_ws_token",
            json!({"envelope": token(&shown)}),
        ),
        ("ggui_runtime_submit_action", relayed),
    ] {
        let answer = server.call(tool, arguments).await;
        let result = &answer.body["result"]["structuredContent"];
        let failure = (&result["ok"], &result["code"]);
        assert_eq!(
            failure,
            (&json!(false), &json!("RATE_LIMITED")),
            "{tool}: {}",
            answer.body
        );
        let message = result["message"].as_str().unwrap();
        assert!(message.contains("1000ms"), "{tool}: {message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn consents_blueprints_and_subscriptions_say_when_to_come_back() {
    let stores = Faulty::new();
    let first = stores.server().await;
    let shown = first.show().await;
    let stored = first
        .insist("ggui_search_blueprints", json!({"query": "test"}))
        .await;
    let blueprint = stored["results"][0]["id"].as_str().unwrap().to_owned();
    let server = stores.server().await;
    stores.fail(Mode::Every);
    let session = &shown.session;
    let consent = json!({
        "sessionId": session, "provider": "calendar", "authUrl": "https://calendar.example/consent",
    });
    let blueprint_of = json!({"blueprintId": blueprint});
    for (tool, arguments) in [
        ("ggui_request_auth", consent),
        ("ggui_render_blueprint", blueprint_of),
    ] {
        assert_says_wait(&server.call(tool, arguments).await, tool);
    }
    let path = format!("/api/v1/blueprints/{blueprint}");
    let answer = server.request(Method::GET, &path, None).await;
    assert_eq!((answer.status, answer.wait), (503, 1), "{}", answer.body);
    let uri = format!("ui://ggui/render/{session}");
    let listen = json!({"notifications": {"resourceSubscriptions": [uri]}});
    let refused = server.modern("subscriptions/listen", listen).await;
    let text = refused.body.to_string();
    assert!(text.contains("STORE_UNAVAILABLE"), "{text}");
    assert!(text.contains("retry after 1000ms"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_action_on_an_open_socket_is_told_to_wait_and_then_accepted() {
    let stores = Faulty::new();
    let server = stores.server().await;
    let shown = server.show().await;
    let (mut socket, ack) = server.subscribe(&shown).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    stores.fail(Mode::Every);
    let payload = json!({
        "sessionId": shown.session, "type": "data:submit",
        "payload": {"action": "go", "data": null}, "actionId": "gesture-1",
    });
    let frame = json!({"type": "action", "requestId": "refused", "payload": payload});
    send(&mut socket, &frame).await;
    assert_frame_says_wait(&answer_to(&mut socket, "refused").await);
    stores.fail(Mode::Sound);
    click(&mut socket, &shown, "gesture-1").await;
    let given = server
        .insist("ggui_consume", json!({"sessionId": shown.session}))
        .await;
    assert_eq!(given["events"].as_array().map(Vec::len), Some(1), "{given}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_over_standard_input_and_output_is_told_to_wait() {
    let stores = Faulty::new();
    let (server, shown) = without_store(&stores).await;
    let (client, served) = duplex(LINES_BYTES);
    let (reader, writer) = split(served);
    let attached = server.running.attach(None, reader, writer).await;
    tokio::spawn(attached.unwrap());
    let (answers, mut questions) = split(client);
    let params = json!({"name": "ggui_get_session", "arguments": {"sessionId": shown.session}});
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let line = format!("{call}\n");
    questions.write_all(line.as_bytes()).await.unwrap();
    let answer = BufReader::new(answers).lines().next_line().await.unwrap();
    let answer: Value = serde_json::from_str(&answer.unwrap()).unwrap();
    let number = Code::StoreUnavailable.number(Era::Legacy, Endpoint::Mcp);
    assert_eq!(answer["error"]["code"], json!(number), "{answer}");
    assert_eq!(answer["error"]["data"]["code"], "STORE_UNAVAILABLE");
    assert_eq!(answer["error"]["data"]["retry"]["after_ms"], 1_000);
}
