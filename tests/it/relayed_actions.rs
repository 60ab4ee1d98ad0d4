//! How long an action relayed by a host waits for an agent, and what the response says about it.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::browser::Browser;
use crate::contracts::{basket, basket_props};
use crate::stopped::Stopped;
use crate::world::{PATIENCE, Shown, World};

/// Milliseconds a relayed action waits for an agent that is expected, and for one that is not.
const EXPECTED: u64 = 2_000;
const UNEXPECTED: u64 = 150;

/// A session with a person in front of it, and actions relayed by their host.
struct Relay {
    world: World,
    shown: Shown,
    browser: Browser,
    relayed: u64,
}

impl Relay {
    async fn start() -> Self {
        let world = World::start().await;
        let shown = world.show(basket(), basket_props()).await;
        let mut browser = world.knock(&shown).await;
        browser.subscribe(json!({"observe": true})).await;
        Self {
            world,
            shown,
            browser,
            relayed: 0,
        }
    }

    /// Relays an action that the server has accepted but not answered yet.
    async fn relay(&mut self) -> tokio::task::JoinHandle<Value> {
        self.relayed += 1;
        let before = self.position().await;
        let arguments = json!({
            "sessionId": self.shown.session, "appId": "builder", "kind": "dispatch",
            "actionId": format!("gesture-{}", self.relayed),
            "firedAt": "2026-08-23T15:46:40.000Z",
            "payload": {"intent": "checkout", "actionData": null, "uiContext": {}},
        });
        let relayed = self.world.calling("ggui_runtime_submit_action", arguments);
        let relayed =
            tokio::spawn(async { relayed.await.body["result"]["structuredContent"].clone() });
        // Accepting it and starting the wait are one step.
        while self.position().await == before {
            tokio::task::yield_now().await;
        }
        relayed
    }

    async fn position(&self) -> Value {
        let pull = json!({"sessionId": self.shown.session, "sinceSequence": 0});
        self.world.tool("ggui_runtime_pull", pull).await["lastSequence"].clone()
    }

    /// Checks that the response arrives after exactly `wait` milliseconds, and returns whether it
    /// found an agent.
    async fn heard_after(&mut self, time: &Stopped, wait: u64) -> Value {
        let relayed = self.relay().await;
        time.advance(wait - 2).await;
        self.position().await;
        assert!(!relayed.is_finished(), "before {wait} ms");
        // Timers have a resolution of a millisecond.
        time.advance(3).await;
        let response = timeout(PATIENCE, relayed).await.expect("an answer");
        assert!(time.stands(), "after {wait} ms");
        let response = response.expect("an answer");
        assert_eq!(response["ok"], true, "{response}");
        response["consumerPresent"].clone()
    }

    fn consuming(&self) -> tokio::task::JoinHandle<Value> {
        let arguments = json!({"sessionId": self.shown.session, "timeout": 25});
        let consume = self.world.calling("ggui_consume", arguments);
        tokio::spawn(async { consume.await.body["result"]["structuredContent"].clone() })
    }

    /// An agent consumes everything pending.
    async fn emptied(&self) {
        let consume = json!({"sessionId": self.shown.session});
        self.world.tool("ggui_consume", consume).await;
    }
}

#[tokio::test]
async fn a_young_session_waits_two_seconds_for_its_first_agent_and_later_only_a_moment() {
    let mut relay = Relay::start().await;
    let time = Stopped::now();
    assert_eq!(relay.heard_after(&time, EXPECTED).await, false);
    relay.world.clock.advance(Duration::from_secs(59));
    assert_eq!(relay.heard_after(&time, EXPECTED).await, false);
    // A minute after the render, no agent is expected any more.
    relay.world.clock.advance(Duration::from_secs(1));
    assert_eq!(relay.heard_after(&time, UNEXPECTED).await, false);
}

#[tokio::test]
async fn a_waiting_agent_is_reported_at_once_and_one_that_left_is_expected_for_ten_seconds() {
    let mut relay = Relay::start().await;
    relay.world.clock.advance(Duration::from_secs(60));
    let agent = relay.consuming();
    while relay.browser.frame("observe").await["payload"]["event"]["kind"] != "consumer-present" {}
    let time = Stopped::now();
    let relayed = relay.relay().await;
    let response = timeout(PATIENCE, relayed)
        .await
        .expect("an answer")
        .expect("an answer");
    assert_eq!(response["consumerPresent"], true, "{response}");
    let taken = timeout(PATIENCE, agent)
        .await
        .expect("an answer")
        .expect("an answer");
    assert_eq!(taken["events"][0]["actionId"], "gesture-1", "{taken}");
    assert!(time.stands(), "at once");

    relay.world.clock.advance(Duration::from_millis(9_999));
    assert_eq!(relay.heard_after(&time, EXPECTED).await, false);
    relay.world.clock.advance(Duration::from_millis(1));
    assert_eq!(relay.heard_after(&time, UNEXPECTED).await, false);
}

#[tokio::test]
async fn an_agent_that_comes_while_an_action_waits_is_reported_at_once() {
    let mut relay = Relay::start().await;
    let time = Stopped::now();
    let relayed = relay.relay().await;
    time.advance(EXPECTED / 2).await;
    // It finds the action, consumes it, and does not need to wait.
    let agent = timeout(PATIENCE, relay.consuming()).await;
    let taken = agent.expect("an answer").expect("an answer");
    assert_eq!(taken["events"][0]["actionId"], "gesture-1", "{taken}");
    let response = timeout(PATIENCE, relayed)
        .await
        .expect("an answer")
        .expect("an answer");
    assert_eq!(response["consumerPresent"], true, "{response}");
    assert!(time.stands(), "at once");
    // It is handling the action, and expected back.
    relay.world.clock.advance(Duration::from_secs(9));
    let request = relay.browser.act("checkout", Value::Null).await;
    let ack = relay.browser.answer_to(&request).await;
    assert_eq!(ack["payload"]["consumerPresent"], true, "{ack}");
    // An agent that only looks does not count as waiting.
    relay.emptied().await;
    relay.world.clock.advance(Duration::from_secs(1));
    let request = relay.browser.act("checkout", Value::Null).await;
    let ack = relay.browser.answer_to(&request).await;
    assert_eq!(ack["payload"]["consumerPresent"], false, "{ack}");
}
