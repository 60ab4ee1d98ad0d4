//! What the gate answers when a server behind it fails, or a request is wrong.

use std::net::TcpListener;

use serde_json::{Value, json};

use super::site::Site;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT }
"#;

#[tokio::test]
async fn a_server_that_is_not_there_is_told_without_its_address() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("its address").port();
    drop(free);
    let site = Site::start(&format!(
        "schema: 1\nsources:\n  - {{ id: gone, kind: mcp, url: \"http://127.0.0.1:{port}/mcp\" }}\n  \
         - {{ id: away, kind: mcp, command: [/nowhere/program], prefix: away_ }}\n"
    ))
    .await;
    for answer in [
        site.call("anything", json!({})).await,
        site.call("away_x", json!({})).await,
        site.rpc("tools/list", json!({})).await,
    ] {
        assert_eq!(answer["error"]["code"], -32000, "{answer}");
        assert_eq!(answer["error"]["data"]["retry"]["allowed"], false);
        for secret in [&port.to_string(), "nowhere", "gone"] {
            assert!(!answer.to_string().contains(secret), "{answer}");
        }
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_in_time_is_a_timeout_and_hears_of_it() {
    let gate = GATE.replace("SCRIPT", "SCRIPT, timeout: 700ms");
    let site = Site::start(&gate).await;
    // On a slow machine it may not even be connected in time.
    let mut answer = Value::Null;
    while site.folder.calls("hang") == 0 {
        answer = site.call("hang", json!({})).await;
    }
    assert_eq!(answer["error"]["code"], -32001, "{answer}");
    assert_eq!(answer["error"]["data"]["retry"]["allowed"], true);
    site.folder.noted("notifications/cancelled").await;
}

#[tokio::test]
async fn an_upstream_cannot_say_what_only_the_gate_says() {
    let site = Site::start(GATE).await;
    let answer = site.call("forge", json!({})).await;
    let error = &answer["error"];
    assert_eq!(error["code"], -32002, "{answer}");
    assert_eq!(error["data"]["upstream"], json!({"code": -32003}));
    assert!(error["data"]["reason"].is_null());
    assert!(!answer.to_string().contains("10.0.0.1"), "{answer}");
    // The numbers that every server shares pass, with their words.
    let answer = site.call("unfit", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(answer["error"]["message"], "city is missing");
}

#[tokio::test]
async fn a_server_that_ends_in_a_call_is_told_and_started_again() {
    let site = Site::start(GATE).await;
    let answer = site.call("die", json!({})).await;
    assert_eq!(answer["error"]["code"], -32000, "{answer}");
    let answer = site.call("get_weather", json!({})).await;
    assert_eq!(
        answer["result"]["structuredContent"]["sky"], "clear",
        "{answer}"
    );
    assert_eq!(site.folder.calls("die"), 1);
}

#[tokio::test]
async fn more_requests_than_a_server_may_have_are_refused_with_a_wait() {
    let site = Site::start_with(GATE, |config| {
        config.limits.gate.requests_per_server_max = 1;
    })
    .await;
    site.names("tools").await;
    let first = site.call("hang", json!({}));
    let second = async {
        site.folder.noted("\"hang\"").await;
        site.call("get_weather", json!({})).await
    };
    let answer = tokio::select! {
        _ = first => panic!("it hangs"),
        answer = second => answer,
    };
    assert_eq!(answer["error"]["code"], -32009, "{answer}");
    assert_eq!(answer["error"]["data"]["retry"]["after_ms"], 1_000);
    // Whoever goes away takes the request back.
    site.folder.noted("notifications/cancelled").await;
}

#[tokio::test]
async fn a_call_that_is_taken_back_by_its_id_ends_here_and_there() {
    let site = Site::start(GATE).await;
    let held = site.call("hang", json!({}));
    let cancel = async {
        site.folder.noted("\"hang\"").await;
        let body = json!({"jsonrpc": "2.0", "method": "notifications/cancelled",
            "params": {"requestId": 7}});
        let sent = site.post().body(body.to_string()).send().await;
        assert_eq!(sent.expect("an answer").status(), 202);
    };
    let (answer, ()) = tokio::join!(held, cancel);
    assert_eq!(answer["error"]["code"], -32600, "{answer}");
    site.folder.noted("notifications/cancelled").await;
}

#[tokio::test]
async fn a_call_with_a_key_reaches_the_server_once() {
    let site = Site::start(GATE).await;
    let params = json!({"name": "get_weather", "arguments": {}, "_meta": {"idempotencyKey": "k1"}});
    let first = site.rpc("tools/call", params.clone()).await;
    let second = site.rpc("tools/call", params).await;
    assert_eq!(first, second);
    assert_eq!(site.folder.calls("get_weather"), 1);
}

#[tokio::test]
async fn requests_that_are_wrong_are_answered_in_the_gate_s_own_numbers() {
    let site = Site::start(GATE).await;
    for (method, params, code) in [
        ("tools/call", json!({"name": "nothing"}), -32601),
        ("tools/call", json!({"name": 5}), -32602),
        (
            "tools/call",
            json!({"name": "get_weather", "arguments": [1]}),
            -32602,
        ),
        ("tools/list", json!({"cursor": "x"}), -32602),
        ("prompts/get", json!({"name": "nothing"}), -32602),
        ("prompts/get", json!({}), -32602),
        ("resources/read", json!({"uri": "nothing://"}), -32602),
        ("completion/complete", json!({"ref": {"type": "x"}}), -32602),
        ("subscriptions/listen", json!({}), -32601),
        ("nothing", json!({}), -32601),
    ] {
        let answer = site.rpc(method, params).await;
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert_eq!(answer["error"]["data"]["surface"], "gate", "{answer}");
    }
    let ask = async |request: reqwest::RequestBuilder| {
        let answer = request.send().await.expect("an answer");
        let status = answer.status().as_u16();
        let body: Value = answer.json().await.expect("JSON");
        (status, body["error"]["code"].clone())
    };
    let post = || site.post();
    assert_eq!(ask(post().body("{")).await, (400, json!(-32700)));
    assert_eq!(ask(post().body("{}")).await, (400, json!(-32600)));
    let get = site.world.get("/mcp/gate");
    assert_eq!(ask(get).await, (405, json!(-32600)));
    // Numbers of the protocol itself stay what every client knows them as.
    let newer = post().header("mcp-protocol-version", "2099-01-01");
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    assert_eq!(
        ask(newer.body(ping.to_string())).await,
        (400, json!(-32022))
    );
}
