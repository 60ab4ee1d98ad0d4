//! Lost responses: an agent that confirms what it has handled gets the rest again.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::world::{PATIENCE, Shown, World};

async fn click(browser: &mut Browser, id: &str) {
    let request = browser.act_as("checkout", Value::Null, Some(id)).await;
    assert_eq!(browser.answer_to(&request).await["type"], "ack");
}

/// The ids of the events a call gets, each with whether it is marked as redelivered.
async fn given(world: &World, shown: &Shown, after: Option<&str>) -> Vec<(String, bool)> {
    let mut arguments = json!({"sessionId": shown.session});
    if let Some(after) = after {
        arguments["after"] = after.into();
    }
    deliveries(&world.tool("ggui_consume", arguments).await)
}

fn deliveries(consumed: &Value) -> Vec<(String, bool)> {
    let events = consumed["events"].as_array().expect("events").iter();
    let deliveries = events.map(|event| {
        let mark = &event["redelivered"];
        assert!(mark.is_null() || *mark == true, "{event}");
        let id = event["actionId"].as_str().expect("an id");
        (id.to_owned(), *mark == true)
    });
    deliveries.collect()
}

fn fresh(id: &str) -> (String, bool) {
    (id.to_owned(), false)
}

fn again(id: &str) -> (String, bool) {
    (id.to_owned(), true)
}

#[tokio::test]
async fn unconfirmed_events_are_delivered_again_in_order() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    for id in ["gesture-1", "gesture-2"] {
        click(&mut browser, id).await;
    }
    let first = given(&world, &shown, Some("")).await;
    assert_eq!(first, [fresh("gesture-1"), fresh("gesture-2")]);
    click(&mut browser, "gesture-3").await;
    // The first response was lost, then only the second of its events was handled.
    let second = given(&world, &shown, Some("")).await;
    assert_eq!(
        second,
        [again("gesture-1"), again("gesture-2"), fresh("gesture-3")]
    );
    for _ in 0..2 {
        let third = given(&world, &shown, Some("gesture-1")).await;
        assert_eq!(third, [again("gesture-2"), again("gesture-3")]);
    }
    // An agent without `after` gets nothing twice.
    assert_eq!(given(&world, &shown, None).await, []);
    assert_eq!(given(&world, &shown, Some("gesture-3")).await, []);
    assert_eq!(given(&world, &shown, Some("")).await, []);
    // The response to a call without `after` may be lost, too.
    click(&mut browser, "gesture-4").await;
    assert_eq!(given(&world, &shown, None).await, [fresh("gesture-4")]);
    assert_eq!(
        given(&world, &shown, Some("gesture-3")).await,
        [again("gesture-4")]
    );
    // Observers see only once that something was consumed.
    let all = json!({"sessionId": shown.session});
    let ledger = world.tool("ggui_runtime_pull", all).await;
    let rows = ledger["events"].as_array().expect("rows").iter();
    let drained = rows.filter(|row| row["type"] == "x-drained");
    let drained: Vec<_> = drained.map(|row| &row["data"]["eventIds"]).collect();
    assert_eq!(
        json!(drained),
        json!([["gesture-1", "gesture-2"], ["gesture-3"], ["gesture-4"]])
    );
}

#[tokio::test]
async fn a_click_whose_response_was_lost_comes_with_the_next_call() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let arguments = json!({"sessionId": shown.session, "timeout": 25, "after": ""});
    let params = json!({"name": "ggui_consume", "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let body = body.to_string();
    let mut line = TcpStream::connect(world.address()).await.expect("a line");
    let request = format!(
        "POST /mcp HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        world.address(),
        body.len()
    );
    line.write_all(request.as_bytes()).await.expect("a request");
    while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
    click(&mut browser, "gesture-1").await;
    let mut first = [0];
    let read = timeout(PATIENCE, line.read_exact(&mut first)).await;
    read.expect("an answer in time").expect("its first byte");
    drop(line);
    assert_eq!(given(&world, &shown, Some("")).await, [again("gesture-1")]);
    assert_eq!(given(&world, &shown, Some("gesture-1")).await, []);
}

#[tokio::test]
async fn the_suggested_next_call_confirms_the_delivered_events() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let next = &shown.result["structuredContent"]["nextStep"];
    let session = &shown.session;
    let args = |after: &str| json!({"sessionId": session, "timeout": 25, "after": after});
    assert_eq!(next["args"], args(""));
    let call = |after: &str| {
        format!("ggui_consume({{ sessionId: \"{session}\", timeout: 25, after: \"{after}\" }})")
    };
    assert_eq!(next["example"], call(""));
    let hint = shown.result["content"][0]["text"].as_str().expect("words");
    assert!(hint.contains(&call("")), "{hint}");
    let (mut browser, _) = world.browse(&shown).await;
    for id in ["gesture-1", "gesture-2"] {
        click(&mut browser, id).await;
    }
    let consumed = world
        .call("ggui_consume", json!({"sessionId": session}))
        .await;
    let next = &consumed["structuredContent"]["nextStep"];
    assert_eq!(
        (&next["tool"], &next["args"], &next["example"]),
        (
            &json!("ggui_consume"),
            &args("gesture-2"),
            &json!(call("gesture-2"))
        )
    );
    // The structure stays the first text, which agents of the protocol parse.
    let first = consumed["content"][0]["text"].as_str().expect("words");
    let first: Value = serde_json::from_str(first).expect("JSON");
    assert_eq!(first, consumed["structuredContent"]);
    let hint = consumed["content"][1]["text"].as_str().expect("words");
    assert!(hint.contains(&call("gesture-2")), "{hint}");
    let nothing = world
        .call("ggui_consume", json!({"sessionId": session}))
        .await;
    assert!(
        nothing["structuredContent"]["nextStep"].is_null(),
        "{nothing}"
    );
    assert!(nothing["content"][1].is_null(), "{nothing}");
}

#[tokio::test]
async fn an_event_that_was_never_delivered_cannot_be_confirmed_in_either_era() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    click(&mut browser, "gesture-1").await;
    // One that is still pending was never delivered either.
    for after in ["nobody", "gesture-1"] {
        let arguments = json!({"sessionId": shown.session, "after": after});
        let call = json!({"name": "ggui_consume", "arguments": arguments});
        let legacy = world.rpc("tools/call", call.clone()).await.body;
        assert_eq!(legacy["error"]["code"], -32602, "{legacy}");
        assert_eq!(legacy["error"]["data"]["code"], "INVALID_ARGUMENTS");
        let modern = world.modern("tools/call", call).await.body;
        assert_eq!(modern["result"]["isError"], true, "{modern}");
        let message = legacy["error"]["message"].as_str().expect("words");
        assert!(
            message.contains("\n- after: no event of this actionId"),
            "{message}"
        );
    }
    assert_eq!(given(&world, &shown, Some("")).await, [fresh("gesture-1")]);
}

#[tokio::test]
async fn a_retry_with_the_same_key_gets_the_same_result_and_confirms_nothing_more() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    click(&mut browser, "gesture-1").await;
    let attempt = async |key: &str, after: &str| {
        let arguments = json!({"sessionId": shown.session, "after": after});
        let params = json!({"name": "ggui_consume", "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let request = world.post("/mcp").header("idempotency-key", key);
        let answer = world.send(request.body(body.to_string())).await;
        deliveries(&answer.body["result"]["structuredContent"])
    };
    assert_eq!(attempt("one", "").await, [fresh("gesture-1")]);
    click(&mut browser, "gesture-2").await;
    assert_eq!(
        attempt("one", "").await,
        [fresh("gesture-1")],
        "the answer of then"
    );
    assert_eq!(attempt("two", "gesture-1").await, [fresh("gesture-2")]);
    assert_eq!(attempt("two", "gesture-1").await, [fresh("gesture-2")]);
    assert_eq!(attempt("three", "gesture-1").await, [again("gesture-2")]);
    assert_eq!(attempt("four", "gesture-2").await, []);
}

#[tokio::test]
async fn as_many_events_are_kept_for_redelivery_as_may_be_pending() {
    let world = World::start_with(|config| config.limits.actions.pending_max = 2).await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    for id in ["gesture-1", "gesture-2", "gesture-3"] {
        click(&mut browser, id).await;
        assert_eq!(given(&world, &shown, None).await, [fresh(id)]);
    }
    let kept = given(&world, &shown, Some("")).await;
    assert_eq!(kept, [again("gesture-2"), again("gesture-3")]);
    // Events that were dropped had been delivered, so naming one is not an error.
    assert_eq!(given(&world, &shown, Some("gesture-1")).await, kept);
}
