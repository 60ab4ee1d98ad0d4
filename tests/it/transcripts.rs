//! The example conversations of the protocol, frame by frame.

use proscenium::Clock as _;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::contracts::{basket, basket_props, build_log};
use crate::world::World;

const DRAFT: &str = "draft-2026-08-19";

/// Sends a ping and returns the frames before its pong: the responses to everything sent before.
async fn until_the_pong(browser: &mut Browser) -> Vec<Value> {
    browser.send(json!({"type": "ping", "payload": {}})).await;
    let mut before = Vec::new();
    loop {
        let frame = browser.next().await;
        if frame == json!({"type": "pong", "payload": {}}) {
            return before;
        }
        before.push(frame);
    }
}

#[tokio::test]
async fn a_read_only_view_receives_the_frames_of_the_protocol() {
    let world = World::start().await;
    let shown = world.show(build_log(), json!({"pipeline": "one"})).await;
    let session = &shown.session;
    let mut browser = world.knock(&shown).await;
    let token = browser.token.clone();
    let subscribe = json!({"sessionId": session, "appId": "builder", "wsToken": token});
    browser
        .send(json!({"type": "subscribe", "payload": subscribe}))
        .await;
    let ack = browser.next().await;
    assert_eq!(ack["type"], "ack");
    assert!(ack.get("requestId").is_none(), "{ack}");
    let expected = &ack["payload"];
    let sequence = expected["sequence"].as_u64().expect("a position");
    assert_eq!(expected["timestamp"], world.clock.now().0);
    assert_eq!(expected["serverVersion"], DRAFT);
    assert!(expected["sessionToken"].is_string(), "{expected}");
    assert!(expected.get("replayTruncated").is_none(), "{expected}");
    let stream_seq = expected["streamSeq"].as_u64().expect("a position");
    // The protocol's own channels are replayed to subscribers without a cursor.
    for seq in 1..=stream_seq {
        let frame = browser.next().await;
        assert_eq!(frame["type"], "data");
        assert_eq!(frame["payload"]["channel"], "_ggui:lifecycle");
        assert_eq!(frame["payload"]["seq"], seq);
    }
    let host = json!({"sessionId": session, "hostContext": {"platform": "web"}});
    browser
        .send(json!({"type": "host_context_observed", "payload": host}))
        .await;
    assert_eq!(until_the_pong(&mut browser).await, [] as [Value; 0]);

    let item = json!({"line": "compiling", "level": "info"});
    let emit = json!({"sessionId": session, "channel": "log", "payload": item});
    world.tool("ggui_emit", emit).await;
    let data = json!({
        "sessionId": session, "channel": "log", "mode": "append", "payload": item,
        "seq": stream_seq + 1, "schemaVersion": DRAFT,
    });
    assert_eq!(
        browser.next().await,
        json!({"type": "data", "payload": data})
    );
    for (tool, pipeline, epoch) in [("ggui_amend", "two", 0), ("ggui_update", "three", 1)] {
        let patch = json!({"pipeline": pipeline});
        let change = json!({"sessionId": session, "kind": "merge", "patch": patch});
        world.tool(tool, change).await;
        let props = json!({"sessionId": session, "props": patch, "epoch": epoch});
        assert_eq!(
            browser.frame("props_update").await,
            json!({"type": "props_update", "payload": props})
        );
    }
    let (_, later) = world.browse(&shown).await;
    assert!(later["payload"]["sequence"].as_u64() > Some(sequence));
}

#[tokio::test]
async fn a_relayed_action_is_accepted_and_reported_when_an_agent_consumes_it() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let session = &shown.session;
    let (mut browser, _) = world.browse(&shown).await;
    let gesture = |session: &str| {
        json!({
            "kind": "dispatch", "sessionId": session, "appId": "builder",
            "actionId": "9f2c11aa", "firedAt": "2026-08-23T15:46:40.000Z",
            "payload": {"intent": "checkout", "actionData": null, "uiContext": {}},
        })
    };
    let gone = world
        .tool("ggui_runtime_submit_action", gesture("gone"))
        .await;
    assert_eq!(
        (&gone["ok"], &gone["code"]),
        (&json!(false), &json!("PIPE_NOT_FOUND"))
    );
    let consume = json!({"sessionId": session, "timeout": 25});
    let agent = tokio::spawn(world.calling("ggui_consume", consume));
    while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
    let heard = world
        .tool("ggui_runtime_submit_action", gesture(session))
        .await;
    assert_eq!(heard, json!({"ok": true, "consumerPresent": true}));
    let taken = agent.await.expect("an answer").body;
    let taken = &taken["result"]["structuredContent"]["events"][0];
    assert_eq!(taken["actionId"], "9f2c11aa", "{taken}");
    let expected = json!({
        "appId": "builder", "sessionId": session, "eventId": "9f2c11aa",
        "drainedAt": world.clock.now().to_string(),
    });
    assert_eq!(
        browser.frame("drain_ack").await,
        json!({"type": "drain_ack", "payload": expected})
    );
}

#[tokio::test]
async fn an_unsupported_draft_is_refused_with_both_sides_drafts_before_the_socket_ends() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut browser = world.knock(&shown).await;
    let offered = json!(["draft-1999-01-01"]);
    // The draft is checked before the token, so an outdated client learns the reason with any
    // token.
    let more = json!({"supportedVersions": offered, "wsToken": "nonsense"});
    let refused = browser.subscribe(more).await;
    assert_eq!(refused["payload"]["code"], "UPGRADE_REQUIRED", "{refused}");
    assert_eq!(
        refused["payload"]["details"],
        json!({"serverVersion": DRAFT, "clientSupportedVersions": offered, "policy": "reject"})
    );
    browser.ended().await;
}
