//! The MCP endpoint in both eras at the level of HTTP: envelopes, headers, errors, lists.

use rmcp::ServiceExt as _;
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::{Answer, World};

pub(crate) async fn post(world: &World, body: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = world.post("/mcp").body(body.to_owned());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    world.send(request).await
}

pub(crate) fn error(answer: &Answer) -> (u16, i64) {
    (
        answer.status,
        answer.body["error"]["code"].as_i64().expect("an error"),
    )
}

#[tokio::test]
async fn a_known_revision_is_echoed_and_instructions_stand_at_the_top() {
    let world = World::start().await;
    for (asked, given) in [("2024-11-05", "2024-11-05"), ("2030-01-01", "2025-11-25")] {
        let answer = world
            .rpc("initialize", json!({"protocolVersion": asked}))
            .await;
        let result = &answer.body["result"];
        assert_eq!(result["protocolVersion"], given);
        for word in ["ggui_handshake", "ggui_render", "ggui_consume"] {
            assert!(result["instructions"].as_str().unwrap().contains(word));
        }
        let ui = &result["capabilities"]["extensions"]["io.modelcontextprotocol/ui"];
        assert_eq!(ui["mimeTypes"][0], "text/html;profile=mcp-app");
        assert!(answer.headers.get("mcp-session-id").is_none());
        assert!(answer.headers.contains_key("x-request-id"));
    }
}

#[tokio::test]
async fn an_official_client_lists_calls_and_reads_in_both_lifecycles() {
    let world = World::start().await;
    let client = ().serve(StreamableHttpClientTransport::from_uri(world.mcp_url())).await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    let names: std::collections::BTreeSet<_> = tools.iter().map(|tool| &*tool.name).collect();
    assert_eq!(names.len(), tools.len());
    assert!(names.contains("ggui_handshake") && names.contains("ggui_list_themes"));
    for tool in &tools {
        assert!(
            tool.title.is_some() && tool.annotations.is_some(),
            "{}",
            tool.name
        );
        assert!(
            tool.description.is_some() && tool.output_schema.is_some(),
            "{}",
            tool.name
        );
    }
    assert_eq!(client.list_all_resources().await.unwrap().len(), 3);
    assert_eq!(client.list_all_prompts().await.unwrap().len(), 5);
    let verdicts = client
        .complete_prompt_simple("review", "verdict", "acc")
        .await;
    assert_eq!(verdicts.unwrap(), ["accept-reject"]);
    client.cancel().await.unwrap();
    let discovered = world.modern("server/discover", json!({})).await.body["result"].clone();
    assert_eq!(discovered["supportedVersions"][0], "2026-07-28");
    assert_eq!(discovered["resultType"], "complete");
}

#[tokio::test]
async fn lists_have_a_cache_lifetime_on_the_stateless_revision() {
    let world = World::start().await;
    for method in [
        "tools/list",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
        "server/discover",
    ] {
        let result = world.modern(method, json!({})).await.body["result"].clone();
        assert!(
            result["ttlMs"].is_u64() && result["cacheScope"].is_string(),
            "{method}"
        );
        assert_eq!(
            result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"],
            "proscenium"
        );
    }
    let legacy = world.rpc("tools/list", json!({})).await;
    assert!(
        legacy.body["result"]["ttlMs"].is_null() && legacy.body["result"]["resultType"].is_null()
    );
}

#[tokio::test]
async fn every_result_validates_against_the_schema_its_tool_lists() {
    let world = World::start().await;
    let list = world.rpc("tools/list", json!({})).await;
    let tools = list.body["result"]["tools"].as_array().unwrap().clone();
    let check = |name: &str, result: &Value| {
        let tool = tools.iter().find(|tool| tool["name"] == name).unwrap();
        let problems: Vec<_> = jsonschema::validator_for(&tool["outputSchema"])
            .unwrap()
            .iter_errors(&result["structuredContent"])
            .map(|error| error.to_string())
            .collect();
        assert!(problems.is_empty(), "{name}: {problems:?} in {result}");
    };
    let draft = json!({"intent": "A basket", "blueprintDraft": {"contract": basket()}});
    let agreed = world.call("ggui_handshake", draft).await;
    check("ggui_handshake", &agreed);
    let shown = world.show(basket(), basket_props()).await;
    check("ggui_render", &shown.result);
    let session = json!({"sessionId": shown.session});
    let mut merge = session.clone();
    merge["kind"] = "merge".into();
    merge["patch"] = json!({"note": "x"});
    for (name, arguments) in [
        ("ggui_render", json!({"handshakeId": "gone", "props": {}})),
        (
            "ggui_render",
            json!({"handshakeId": agreed["structuredContent"]["handshakeId"], "props": {}}),
        ),
        ("ggui_amend", merge.clone()),
        ("ggui_update", merge),
        (
            "ggui_update",
            json!({"sessionId": shown.session, "kind": "merge"}),
        ),
        ("ggui_consume", session.clone()),
        ("ggui_consume", json!({"sessionId": "gone"})),
        ("ggui_get_session", session.clone()),
        ("ggui_get_session", json!({"sessionId": "gone"})),
        (
            "ggui_emit",
            json!({"sessionId": shown.session, "channel": "c", "payload": 1}),
        ),
        ("ggui_runtime_submit_action", session),
    ] {
        check(name, &world.call(name, arguments).await);
    }
}

#[tokio::test]
async fn a_tool_that_does_not_exist_has_a_number_per_era_and_one_name() {
    let world = World::start().await;
    let params = json!({"name": "ggui_dance", "arguments": {}});
    let legacy = world.rpc("tools/call", params.clone()).await;
    let modern = world.modern("tools/call", params).await;
    assert_eq!(
        (error(&legacy), error(&modern)),
        ((200, -32601), (200, -32602))
    );
    for answer in [legacy, modern] {
        assert_eq!(answer.body["error"]["data"]["code"], "UNKNOWN_TOOL");
        assert_eq!(answer.body["error"]["data"]["retry"]["allowed"], false);
    }
}

#[tokio::test]
async fn all_invalid_arguments_are_named_in_the_format_of_the_era() {
    let world = World::start().await;
    let params = json!({"name": "ggui_consume", "arguments": {"sessionId": 5, "timeout": 26}});
    let legacy = world.rpc("tools/call", params.clone()).await;
    assert_eq!(error(&legacy), (200, -32602));
    let modern = world.modern("tools/call", params).await;
    let result = &modern.body["result"];
    assert_eq!((modern.status, &result["isError"]), (200, &json!(true)));
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("MCP error -32602: "), "{text}");
    assert_eq!(
        result["structuredContent"]["error"]["code"],
        "invalid_arguments"
    );
    for message in [legacy.body["error"]["message"].as_str().unwrap(), text] {
        assert!(message.contains("\n- sessionId: "), "{message}");
        assert!(message.contains("\n- timeout: "), "{message}");
    }
}

#[tokio::test]
async fn a_malformed_message_is_answered_in_json_with_its_id() {
    let world = World::start().await;
    for (body, code, id) in [
        ("{", -32700, Value::Null),
        ("", -32700, Value::Null),
        ("[]", -32600, Value::Null),
        ("{\"id\":7}", -32600, json!(7)),
        (
            r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
            -32600,
            Value::Null,
        ),
        (
            r#"{"jsonrpc":"2.0","id":"a","method":5}"#,
            -32600,
            json!("a"),
        ),
    ] {
        let answer = post(&world, body, &[]).await;
        assert_eq!(
            (error(&answer), &answer.body["id"]),
            ((400, code), &id),
            "{body}"
        );
    }
    let answer = post(&world, r#"{"jsonrpc":"2.0","id":1,"method":"nope"}"#, &[]).await;
    assert_eq!(error(&answer), (200, -32601));
    let answer = post(
        &world,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        &[],
    )
    .await;
    assert_eq!((answer.status, answer.body), (202, json!("")));
}

#[tokio::test]
async fn an_ended_resource_and_a_malformed_uri_have_different_errors() {
    let world = World::start().await;
    let gone = world
        .rpc("resources/read", json!({"uri": "ui://ggui/render/nowhere"}))
        .await;
    assert_eq!(error(&gone), (200, -32006));
    assert_eq!(gone.body["error"]["data"], json!({"code": "NOT_SUPPORTED"}));
    for uri in [
        "ui://ggui/render/",
        "ui://ggui/render//c",
        "file:///etc/passwd",
    ] {
        let malformed = world.rpc("resources/read", json!({"uri": uri})).await;
        assert_eq!(error(&malformed), (200, -32602), "{uri}");
        assert!(malformed.body["error"]["data"]["code"].is_null());
    }
    for uri in ["ui://ggui/render", "ui://ggui/render/rt-000000000000"] {
        let generic = world.rpc("resources/read", json!({"uri": uri})).await;
        let html = generic.body["result"]["contents"][0]["text"]
            .as_str()
            .unwrap();
        assert!(
            !html.contains("<script>globalThis.__GGUI_META__ = "),
            "no slice of anyone's"
        );
    }
}

#[tokio::test]
async fn a_wait_with_a_progress_token_reports_progress_before_its_response() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let request = browser.act("checkout", Value::Null).await;
    browser.answer_to(&request).await;
    let body = json!({
        "jsonrpc": "2.0", "id": 9, "method": "tools/call",
        "params": {
            "name": "ggui_consume",
            "arguments": {"sessionId": shown.session, "timeout": 25},
            "_meta": {"progressToken": "p1"},
        },
    });
    let answer = post(&world, &body.to_string(), &[]).await;
    assert!(
        answer.headers["content-type"]
            .to_str()
            .unwrap()
            .starts_with("text/event-stream")
    );
    let text = answer.body.as_str().unwrap();
    let messages: Vec<Value> = text
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert_eq!(messages[0]["method"], "notifications/progress");
    assert_eq!(messages[0]["params"]["progressToken"], "p1");
    assert_eq!(messages[1]["id"], 9);
    let events = &messages[1]["result"]["structuredContent"]["events"];
    assert_eq!(events[0]["intent"], "checkout");
}

#[tokio::test]
async fn health_and_metrics_answer_without_a_credential() {
    let world = World::start().await;
    for path in [
        "/health/live",
        "/health/ready",
        "/ggui/live",
        "/ggui/health",
    ] {
        assert_eq!(world.send(world.get(path)).await.status, 200, "{path}");
    }
    let shown = world.show(basket(), basket_props()).await;
    let (_browser, _) = world.browse(&shown).await;
    let health = world.send(world.get("/ggui/health")).await.body;
    let tools = world.rpc("tools/list", json!({})).await.body;
    let tools = tools["result"]["tools"].as_array().unwrap().len();
    assert_eq!(
        (&health["status"], &health["tools"]),
        (&json!("ok"), &json!(tools))
    );
    let channel = json!({
        "path": "/ws",
        "subscribers": 1,
        "renders": 1,
        "caps": {"preSubscribeRejections": {"payload": 0, "idle": 0, "connection": 0}},
    });
    assert_eq!(health["channel"], channel);
    let metrics = world.send(world.get("/metrics")).await;
    assert!(
        metrics
            .body
            .as_str()
            .unwrap()
            .contains("proscenium_operations_total")
    );
    let missing = world.send(world.get("/nowhere")).await;
    assert_eq!(
        (missing.status, &missing.body["error"]["code"]),
        (404, &json!("NOT_FOUND"))
    );
    assert_eq!(missing.body["detail"], missing.body["error"]["message"]);
}

#[tokio::test]
async fn the_id_of_a_request_is_echoed_unchanged() {
    let world = World::start().await;
    for id in ["1.50", "\"\\u00e9\"", "12345678901234567890"] {
        for method in ["ping", "nope"] {
            let body = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}"}}"#);
            let answer = world
                .post("/mcp")
                .body(body)
                .send()
                .await
                .expect("an answer");
            let text = answer.text().await.expect("a body");
            assert!(
                text.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"#)),
                "{text}"
            );
        }
    }
}
