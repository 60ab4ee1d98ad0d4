//! Safe retries: a lost response is sent again, and nothing happens twice.

use std::time::Duration;

use proscenium::config::Config;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::world::{Answer, PATIENCE, World};

const DAY: Duration = Duration::from_secs(86_400);

/// The body of a tool call.
fn body(tool: &str, arguments: &Value) -> String {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).to_string()
}

/// A call with a key in the header.
pub(crate) async fn keyed(world: &World, key: &str, tool: &str, arguments: &Value) -> Answer {
    let request = world.post("/mcp").header("idempotency-key", key);
    world.send(request.body(body(tool, arguments))).await
}

/// The structured result of a tool, also of a failed one.
pub(crate) fn structure(answer: &Answer) -> &Value {
    assert!(answer.body["error"].is_null(), "{}", answer.body);
    &answer.body["result"]["structuredContent"]
}

/// A connection on which a call with a key was sent, and nothing was read.
pub(crate) async fn asked(world: &World, key: &str, tool: &str, arguments: &Value) -> TcpStream {
    let body = body(tool, arguments);
    let address = world.url("").replace("http://", "");
    let mut stream = TcpStream::connect(&address).await.expect("a connection");
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\ncontent-type: application/json\r\n\
         idempotency-key: {key}\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream
        .write_all(request.as_bytes())
        .await
        .expect("a request is written");
    stream
}

/// Waits until the response begins, and closes the connection there: the rest of it is lost.
pub(crate) async fn cut(mut stream: TcpStream) {
    let mut first = [0];
    let read = timeout(PATIENCE, stream.read_exact(&mut first)).await;
    read.expect("an answer in time").expect("a first byte");
    stream
        .set_zero_linger()
        .expect("a connection that can be cut");
}

/// Waits until a browser is notified that an agent is waiting.
async fn polling(browser: &mut Browser) {
    while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
}

#[tokio::test]
async fn a_render_whose_answer_was_lost_is_answered_again_with_the_same_session() {
    let world = World::start().await;
    let handshake = world.handshake(basket()).await;
    let arguments = json!({"handshakeId": handshake, "props": basket_props()});
    cut(asked(&world, "lost", "ggui_render", &arguments).await).await;
    let again = keyed(&world, "lost", "ggui_render", &arguments).await;
    let once_more = keyed(&world, "lost", "ggui_render", &arguments).await;
    let session = &structure(&again)["sessionId"];
    assert!(session.is_string(), "{}", again.body);
    assert_eq!(structure(&again), structure(&once_more));
    // Without the key, the handshake is used up as usual.
    let result = world.call("ggui_render", arguments).await;
    assert_eq!(
        result["structuredContent"]["error"]["code"],
        "handshake_not_found"
    );
    let read = json!({"sessionId": session});
    world.tool("ggui_get_session", read).await;
}

#[tokio::test]
async fn a_replayed_render_carries_a_token_of_its_own_for_what_is_shown_now() {
    let world = World::start().await;
    let handshake = world.handshake(basket()).await;
    let arguments = json!({"handshakeId": handshake, "props": basket_props()});
    let first = keyed(&world, "k", "ggui_render", &arguments).await;
    let session = structure(&first)["sessionId"].clone();
    let change = json!({"sessionId": session, "kind": "merge", "patch": {"note": "Sold out"}});
    world.call("ggui_amend", change).await;
    let again = keyed(&world, "k", "ggui_render", &arguments).await;
    let [first, again] = [first, again].map(|answer| answer.body["result"].clone());
    assert_eq!(first["structuredContent"], again["structuredContent"]);
    assert_eq!(first["content"], again["content"]);
    let [before, now] = [&first, &again].map(|result| &result["_meta"]["ai.ggui/render"]);
    assert_ne!(before["wsToken"], now["wsToken"]);
    assert!(now["wsToken"].is_string() && before["sessionId"] == now["sessionId"]);
    assert_eq!(first["_meta"]["idempotentReplay"], Value::Null);
    assert_eq!(again["_meta"]["idempotentReplay"], true);
    assert!(again["_meta"]["_latency_ms"].is_u64());
}

#[tokio::test]
async fn a_consume_whose_answer_was_lost_is_answered_again_with_the_same_events() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let arguments = json!({"sessionId": shown.session, "timeout": 20});
    let waiting = asked(&world, "clicks", "ggui_consume", &arguments).await;
    browser.act("checkout", Value::Null).await;
    cut(waiting).await;
    let again = keyed(&world, "clicks", "ggui_consume", &arguments).await;
    let events = structure(&again)["events"].clone();
    assert_eq!(events[0]["intent"], "checkout", "{}", again.body);
    assert_eq!(events.as_array().map(Vec::len), Some(1));
    // What was returned twice was consumed once.
    let empty = json!({"sessionId": shown.session});
    let next = keyed(&world, "next", "ggui_consume", &empty).await;
    assert_eq!(structure(&next)["events"], json!([]));
}

#[tokio::test]
async fn a_second_attempt_waits_for_the_first_and_takes_over_when_that_one_is_cut() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let arguments = json!({"sessionId": shown.session, "timeout": 8});
    let first = asked(&world, "k", "ggui_consume", &arguments).await;
    polling(&mut browser).await;
    let second = asked(&world, "k", "ggui_consume", &arguments).await;
    drop(first);
    // The second call polls once the first one is gone.
    polling(&mut browser).await;
    browser.act("checkout", Value::Null).await;
    cut(second).await;
    let again = keyed(&world, "k", "ggui_consume", &arguments).await;
    assert_eq!(structure(&again)["events"][0]["intent"], "checkout");
}

#[tokio::test]
async fn two_attempts_at_once_are_one_operation() {
    let world = World::start().await;
    let handshake = world.handshake(basket()).await;
    let arguments = json!({"handshakeId": handshake, "props": basket_props()});
    let attempts = (0..8).map(|_| keyed(&world, "k", "ggui_render", &arguments));
    let answers = futures_util::future::join_all(attempts).await;
    let first = structure(&answers[0]);
    assert!(first["sessionId"].is_string(), "{first}");
    for answer in &answers {
        assert_eq!(structure(answer), first);
    }
}

#[tokio::test]
async fn a_key_used_with_other_arguments_is_refused_and_the_order_of_members_is_no_difference() {
    let world = World::start().await;
    let draft = |intent: &str| json!({"intent": intent, "blueprintDraft": {"contract": {}}});
    let first = keyed(&world, "k", "ggui_handshake", &draft("One")).await;
    let turned = json!({"blueprintDraft": {"contract": {}}, "intent": "One"});
    let again = keyed(&world, "k", "ggui_handshake", &turned).await;
    assert_eq!(structure(&first), structure(&again));
    let other = keyed(&world, "k", "ggui_handshake", &draft("Two")).await;
    assert_eq!(other.body["result"]["isError"], true);
    let error = &structure(&other)["error"];
    assert_eq!(error["code"], "idempotency_key_reused");
    assert_eq!(error["details"]["status"], "INVALID_ARGUMENTS");
    assert_eq!(error["details"]["reason"], "idempotency_key_reused");
    // The same key for another tool is another attempt.
    let shown = world.show(basket(), basket_props()).await;
    let read = json!({"sessionId": shown.session});
    let consumed = keyed(&world, "k", "ggui_consume", &read).await;
    assert_eq!(structure(&consumed)["status"], "active");
}

#[tokio::test]
async fn a_key_of_a_failed_attempt_can_be_used_again() {
    let world = World::start().await;
    let handshake = world.handshake(basket()).await;
    let unfit = json!({"handshakeId": handshake, "props": {"items": "none"}});
    let refused = keyed(&world, "k", "ggui_render", &unfit).await;
    assert_eq!(structure(&refused)["error"]["code"], "contract_violation");
    let mended = json!({"handshakeId": handshake, "props": basket_props()});
    let shown = keyed(&world, "k", "ggui_render", &mended).await;
    assert!(structure(&shown)["sessionId"].is_string(), "{}", shown.body);
}

#[tokio::test]
async fn a_wait_for_the_first_attempt_ends_in_a_conflict() {
    let world = World::start_with(|config| config.limits.idempotency.wait_s = 0).await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let arguments = json!({"sessionId": shown.session, "timeout": 20});
    let first = asked(&world, "k", "ggui_consume", &arguments).await;
    polling(&mut browser).await;
    let second = keyed(&world, "k", "ggui_consume", &arguments).await;
    let error = &structure(&second)["error"];
    assert_eq!(error["code"], "idempotency_in_progress");
    assert_eq!(error["details"]["status"], "CONFLICT");
    assert_eq!(error["details"]["retry_after_ms"], 1_000);
    drop(first);
}

#[tokio::test]
async fn a_key_may_be_in_the_meta_of_a_call_in_both_eras() {
    let world = World::start().await;
    let arguments = json!({"intent": "One", "blueprintDraft": {"contract": {}}});
    let meta = json!({"idempotencyKey": "k"});
    let params = json!({"name": "ggui_handshake", "arguments": arguments, "_meta": meta});
    let first = world.rpc("tools/call", params.clone()).await;
    let again = world.rpc("tools/call", params.clone()).await;
    let in_header = keyed(&world, "k", "ggui_handshake", &arguments).await;
    assert_eq!(structure(&first), structure(&again));
    assert_eq!(structure(&first), structure(&in_header));
    let request = world.post("/mcp").header("idempotency-key", "other");
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let torn = world.send(request.body(call.to_string())).await;
    assert_eq!(structure(&torn)["error"]["code"], "idempotency_key_invalid");
}

#[tokio::test]
async fn an_invalid_key_is_refused_and_a_batch_ignores_the_header() {
    let world = World::start().await;
    let arguments = json!({"intent": "One", "blueprintDraft": {"contract": {}}});
    let long = "x".repeat(256);
    for (key, word) in [("  ", "blank"), (long.as_str(), "255")] {
        let refused = keyed(&world, key, "ggui_handshake", &arguments).await;
        let error = &structure(&refused)["error"];
        assert_eq!(error["code"], "idempotency_key_invalid");
        assert_eq!(error["details"]["status"], "BAD_REQUEST");
        let message = error["message"].as_str().unwrap();
        assert!(message.contains(word), "{message}");
    }
    let params = json!({"name": "ggui_handshake", "arguments": arguments});
    let meta = json!({"idempotencyKey": 7});
    let mut numbered = params.clone();
    numbered["_meta"] = meta;
    let refused = world.rpc("tools/call", numbered).await;
    assert_eq!(
        structure(&refused)["error"]["code"],
        "idempotency_key_invalid"
    );
    let batch = json!([{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}]);
    let request = world.post("/mcp").header("idempotency-key", "k");
    let refused = world.send(request.body(batch.to_string())).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (400, &json!(-32600))
    );
}

#[tokio::test]
async fn an_answer_is_kept_for_a_day() {
    let world = World::start().await;
    let arguments = json!({"intent": "One", "blueprintDraft": {"contract": {}}});
    let first = keyed(&world, "k", "ggui_handshake", &arguments).await;
    world.clock.advance(DAY - Duration::from_millis(1));
    let again = keyed(&world, "k", "ggui_handshake", &arguments).await;
    assert_eq!(structure(&first), structure(&again));
    world.clock.advance(Duration::from_millis(1));
    let anew = keyed(&world, "k", "ggui_handshake", &arguments).await;
    assert_ne!(structure(&first), structure(&anew));
}

#[tokio::test]
async fn the_oldest_result_is_dropped_first() {
    async fn is_kept(change: impl FnOnce(&mut Config)) -> [bool; 3] {
        let world = World::start_with(change).await;
        let arguments = json!({"intent": "One", "blueprintDraft": {"contract": {}}});
        let mut results = Vec::new();
        for key in ["a", "b", "c"] {
            let answer = keyed(&world, key, "ggui_handshake", &arguments).await;
            results.push(structure(&answer).clone());
        }
        let mut kept = [false; 3];
        // The newest first: a call for one that was dropped makes it the newest.
        for (index, key) in ["a", "b", "c"].into_iter().enumerate().rev() {
            let answer = keyed(&world, key, "ggui_handshake", &arguments).await;
            kept[index] = *structure(&answer) == results[index];
        }
        kept
    }
    let by_count = is_kept(|config| config.limits.idempotency.results_max = 2).await;
    assert_eq!(by_count, [false, true, true]);
    let by_bytes = is_kept(|config| config.limits.idempotency.bytes_max = 1_500).await;
    assert_eq!((by_bytes[0], by_bytes[2]), (false, true));
}

#[tokio::test]
async fn keys_of_another_credential_are_other_keys() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [ours, peer, theirs] = ["ours", "ours", "theirs"]
        .map(|app| proscenium::keys::create(&file, app, 1).expect("a key"));
    let world = World::start_with(|config| config.server.keys_file = file).await;
    let arguments = json!({"intent": "One", "blueprintDraft": {"contract": {}}});
    let mut results = Vec::new();
    let mut world = world;
    for secret in [&ours, &peer, &theirs, &ours] {
        world = world.with_bearer(secret);
        let answer = keyed(&world, "k", "ggui_handshake", &arguments).await;
        results.push(structure(&answer)["handshakeId"].clone());
    }
    assert_eq!(results[0], results[3]);
    assert!(results[0] != results[1] && results[0] != results[2] && results[1] != results[2]);
}

#[tokio::test]
async fn a_stored_result_is_returned_even_to_a_caller_over_its_rate_limit() {
    let world = World::start_with(|config| {
        config.limits.rates.making_per_second = 1;
        config.limits.rates.making_burst = 1;
    })
    .await;
    let arguments = json!({"intent": "One", "blueprintDraft": {"contract": {}}});
    let first = keyed(&world, "k", "ggui_handshake", &arguments).await;
    world.one_too_many("ggui_handshake", &arguments).await;
    let again = keyed(&world, "k", "ggui_handshake", &arguments).await;
    assert_eq!(structure(&first), structure(&again));
}
