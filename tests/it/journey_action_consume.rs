//! From a click to the agent: accepted once, consumed once, never lost.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::{PATIENCE, World};

fn quantity(qty: i64) -> Value {
    json!({"sku": "A1", "qty": qty})
}

#[tokio::test]
async fn a_click_wakes_the_waiting_agent_and_the_browser_learns_that_it_was_taken() {
    let (world, shown) = World::with_basket().await;
    let (mut browser, _) = world.browse(&shown).await;
    let waiting = world.tool(
        "ggui_consume",
        json!({"sessionId": shown.session, "timeout": 25}),
    );
    let clicking = async {
        let request = browser
            .act_as("setQuantity", quantity(3), Some("gesture-1"))
            .await;
        let ack = browser.answer_to(&request).await;
        (ack, browser.frame("drain_ack").await)
    };
    let (consumed, (ack, drained)) = tokio::join!(waiting, clicking);
    assert_eq!(consumed["status"], "active");
    let event = &consumed["events"][0];
    assert_eq!(event["type"], "action");
    assert_eq!(event["intent"], "setQuantity");
    assert_eq!(event["actionData"], quantity(3));
    assert_eq!(event["actionId"], "gesture-1");
    assert_eq!(ack["type"], "ack");
    assert!(ack["payload"]["sequence"].is_u64(), "{ack}");
    assert_eq!(drained["payload"]["eventId"], "gesture-1");
}

#[tokio::test]
async fn an_action_that_does_not_fit_is_answered_with_all_violations_and_reaches_nobody() {
    let (world, shown) = World::with_basket().await;
    let (mut browser, _) = world.browse(&shown).await;
    let mut watcher = world.knock(&shown).await;
    watcher.subscribe(json!({"observe": true})).await;

    let request = browser
        .act("setQuantity", json!({"sku": 1, "qty": "x"}))
        .await;
    let refused = browser.answer_to(&request).await;
    assert_eq!(refused["type"], "error");
    let payload = &refused["payload"];
    assert_eq!(payload["code"], "CONTRACT_VIOLATION");
    assert_eq!(payload["number"], -32020);
    assert_eq!(payload["details"]["error"], "contract_violation");
    assert_eq!(payload["details"]["tool"], "ggui_event");
    let violations = payload["details"]["violations"].as_array().unwrap();
    let fields: BTreeSet<_> = violations
        .iter()
        .map(|found| found["field"].as_str().unwrap())
        .collect();
    assert_eq!(
        fields,
        ["setQuantity.data.qty", "setQuantity.data.sku"].into()
    );
    assert!(
        violations.iter().all(|found| found["keyword"] == "type"),
        "{violations:?}"
    );

    let request = browser.act("nope", Value::Null).await;
    let refused = browser.answer_to(&request).await;
    assert_eq!(
        refused["payload"]["details"]["violations"][0]["field"],
        "action"
    );

    let observed = watcher.frame("observe").await;
    assert_eq!(observed["payload"]["event"]["kind"], "contract-violation");
    let consumed = world
        .tool("ggui_consume", json!({"sessionId": shown.session}))
        .await;
    assert_eq!(consumed["events"], json!([]));
}

#[tokio::test]
async fn two_consumers_and_two_hundred_clicks_drain_each_click_once_and_in_order() {
    const CLICKS: i64 = 200;
    let (world, shown) = World::with_basket().await;
    let (mut browser, _) = world.browse(&shown).await;
    let consumer = async || {
        let mut taken = Vec::new();
        loop {
            let wait = json!({"sessionId": shown.session, "timeout": 25});
            let consumed = world.tool("ggui_consume", wait).await;
            for event in consumed["events"].as_array().unwrap() {
                match event["intent"].as_str() {
                    Some("checkout") => return taken,
                    _ => taken.push(event["actionData"]["qty"].as_i64().unwrap()),
                }
            }
        }
    };
    let clicking = async {
        for qty in 0..CLICKS {
            let request = browser.act("setQuantity", quantity(qty)).await;
            let ack = browser.answer_to(&request).await;
            assert_eq!(ack["type"], "ack", "{ack}");
        }
        // One after the other: each action ends the consume that gets it.
        for id in ["checkout-1", "checkout-2"] {
            browser.act_as("checkout", Value::Null, Some(id)).await;
            while browser.frame("drain_ack").await["payload"]["eventId"] != id {}
        }
    };
    let both = async { tokio::join!(consumer(), consumer(), clicking) };
    let (first, second, ()) = tokio::time::timeout(PATIENCE * 3, both)
        .await
        .expect("in time");
    for taken in [&first, &second] {
        assert!(
            taken.is_sorted(),
            "each consumer sees the order of the clicks"
        );
    }
    let mut all: Vec<_> = first.into_iter().chain(second).collect();
    all.sort_unstable();
    assert_eq!(all, (0..CLICKS).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_consume_whose_connection_was_dropped_takes_nothing_with_it() {
    let (world, shown) = World::with_basket().await;
    let (mut browser, _) = world.browse(&shown).await;
    let wait =
        json!({"name": "ggui_consume", "arguments": {"sessionId": shown.session, "timeout": 25}});
    let waiting = world.rpc("tools/call", wait);
    {
        let mut waiting = std::pin::pin!(waiting);
        // The lifecycle channel reports when the agent is waiting.
        let polling = async {
            loop {
                let data = browser.frame("data").await;
                if data["payload"]["payload"]["kind"] == "consume_polling" {
                    break;
                }
            }
        };
        tokio::select! {
            _ = &mut waiting => panic!("nothing was there to consume"),
            () = polling => {}
        }
    }
    let request = browser.act("checkout", Value::Null).await;
    assert_eq!(browser.answer_to(&request).await["type"], "ack");
    let consumed = world
        .tool(
            "ggui_consume",
            json!({"sessionId": shown.session, "timeout": 25}),
        )
        .await;
    assert_eq!(consumed["events"][0]["intent"], "checkout");
}

#[tokio::test]
async fn a_gesture_that_is_sent_twice_is_delivered_once_even_after_it_was_drained() {
    let (world, shown) = World::with_basket().await;
    let (mut browser, _) = world.browse(&shown).await;
    let mut drained = 0;
    for _ in 0..3 {
        let request = browser
            .act_as("checkout", Value::Null, Some("gesture-7"))
            .await;
        assert_eq!(browser.answer_to(&request).await["type"], "ack");
        let consumed = world
            .tool("ggui_consume", json!({"sessionId": shown.session}))
            .await;
        drained += consumed["events"].as_array().unwrap().len();
    }
    assert_eq!(drained, 1);
}

#[tokio::test]
async fn the_relay_is_the_same_use_case_as_the_socket() {
    let (world, shown) = World::with_basket().await;
    let relay = |intent: &str, data: Value, id: &str| {
        json!({
            "kind": "dispatch",
            "payload": {"intent": intent, "actionData": data, "uiContext": {"coupon": "TEN"}},
            "sessionId": shown.session,
            "appId": "builder",
            "actionId": id,
            "firedAt": "2026-08-23T10:00:00.000Z",
        })
    };
    const TOOL: &str = "ggui_runtime_submit_action";
    let refused = world
        .tool(TOOL, relay("nope", Value::Null, "gesture-1"))
        .await;
    assert_eq!(
        (&refused["ok"], &refused["code"]),
        (&json!(false), &json!("INVALID_ACTION_KIND"))
    );
    let malformed = world
        .tool(TOOL, json!({"kind": "dispatch", "firedAt": 0}))
        .await;
    assert_eq!(malformed["code"], "INVALID_ACTION_KIND");
    let mut gone = relay("checkout", Value::Null, "gesture-2");
    gone["sessionId"] = json!("nowhere");
    assert_eq!(world.tool(TOOL, gone).await["code"], "PIPE_NOT_FOUND");

    // While an agent is waiting, the response to a submission says so.
    let wait = json!({"sessionId": shown.session, "timeout": 25});
    let accepted = async {
        world
            .tool(TOOL, relay("checkout", Value::Null, "gesture-3"))
            .await
    };
    let (consumed, accepted) = tokio::join!(world.tool("ggui_consume", wait), accepted);
    assert_eq!(accepted["ok"], true);
    assert_eq!(consumed["events"][0]["uiContext"], json!({"coupon": "TEN"}));
    assert_eq!(consumed["events"][0]["firedAt"], "2026-08-23T10:00:00.000Z");
}

#[tokio::test]
async fn a_session_ends_an_hour_after_the_last_thing_that_happened() {
    let (world, shown) = World::with_basket().await;
    world.clock.advance(Duration::from_secs(3_599));
    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": "soon"}});
    world.tool("ggui_amend", amend).await;
    world.clock.advance(Duration::from_secs(3_599));
    world
        .tool("ggui_get_session", json!({"sessionId": shown.session}))
        .await;
    world.clock.advance(Duration::from_secs(1));
    for tool in ["ggui_get_session", "ggui_consume"] {
        let gone = world.call(tool, json!({"sessionId": shown.session})).await;
        let text = gone["content"][0]["text"].as_str().unwrap();
        assert!(
            text.contains(&format!("GguiSession \"{}\" not found", shown.session)),
            "{text}"
        );
        assert_eq!(
            gone["structuredContent"]["error"]["code"],
            "session_not_found"
        );
        assert_eq!(
            gone["structuredContent"]["error"]["details"]["status"],
            "NOT_FOUND"
        );
    }
}

#[tokio::test]
async fn what_waits_for_the_agent_is_bounded_in_count_and_in_bytes() {
    type Change = fn(&mut proscenium::config::Config);
    let bounds: [Change; 2] = [
        |config| config.limits.actions.pending_max = 1,
        |config| config.limits.actions.pending_bytes_max = 1,
    ];
    for bound in bounds {
        let world = World::start_with(bound).await;
        let shown = world.show(basket(), basket_props()).await;
        let (mut browser, _) = world.browse(&shown).await;
        let first = browser.act("setQuantity", quantity(1)).await;
        assert_eq!(browser.answer_to(&first).await["type"], "ack");
        let second = browser.act("setQuantity", quantity(2)).await;
        let refused = browser.answer_to(&second).await;
        assert_eq!(refused["payload"]["code"], "RATE_LIMITED");
        world
            .tool("ggui_consume", json!({"sessionId": shown.session}))
            .await;
        let third = browser.act("setQuantity", quantity(3)).await;
        assert_eq!(browser.answer_to(&third).await["type"], "ack");
    }
}
