//! What the agent changes and emits reaches all subscribers, in one order.

use serde_json::{Value, json};

use crate::contracts::{basket_props, build_log};
use crate::world::World;

#[tokio::test]
async fn an_amend_repaints_in_place_and_an_update_opens_an_epoch() {
    let (world, shown) = World::with_basket().await;
    let (mut browser, _) = world.browse(&shown).await;
    let uri = shown.result["structuredContent"]["resourceUri"]
        .as_str()
        .unwrap();

    let amend = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": "10% off"}});
    let amended = world.call("ggui_amend", amend.clone()).await;
    let mounted = &amended["_meta"]["ai.ggui/render"];
    assert!(mounted.is_null(), "an amend mounts nothing");
    assert_eq!(amended["structuredContent"]["updated"], true);
    assert_eq!(amended["structuredContent"]["resourceUri"], uri);
    let frame = browser.frame("props_update").await;
    assert_eq!(frame["payload"]["props"]["note"], "10% off");
    assert_eq!(frame["payload"]["epoch"], 0);

    let again = world.tool("ggui_amend", amend).await;
    assert_eq!(again["updated"], false);
    assert!(
        again["warning"].as_str().unwrap().starts_with("NO-OP:"),
        "{again}"
    );

    let replace = json!({"sessionId": shown.session, "kind": "replace", "props": basket_props()});
    let updated = world.call("ggui_update", replace).await;
    assert_eq!(updated["structuredContent"]["epoch"], 1);
    assert_eq!(
        updated["structuredContent"]["resourceUri"],
        format!("{uri}#1")
    );
    assert_eq!(updated["_meta"]["ai.ggui/render"]["epoch"], 1);
    let frame = browser.frame("props_update").await;
    assert_eq!(
        frame["payload"]["epoch"], 1,
        "the no-op sent nothing before it"
    );
}

#[tokio::test]
async fn an_update_that_does_not_fit_changes_nothing() {
    let (world, shown) = World::with_basket().await;
    let read = json!({"sessionId": shown.session});
    let before = world.tool("ggui_get_session", read.clone()).await;
    for arguments in [
        json!({"kind": "merge", "patch": {"currency": "CHF"}}),
        json!({"kind": "merge", "patch": {"currency": null}}),
        json!({"kind": "merge", "props": {}}),
        json!({"kind": "replace"}),
        json!({"kind": "replace", "props": basket_props(), "patch": {}}),
    ] {
        let mut arguments = arguments;
        arguments["sessionId"] = shown.session.clone().into();
        let refused = world.call("ggui_update", arguments.clone()).await;
        let text = refused["content"][0]["text"].as_str().unwrap();
        assert!(
            text.starts_with("Contract violation in ggui_update:\n- "),
            "{arguments}: {text}"
        );
    }
    assert_eq!(world.tool("ggui_get_session", read).await, before);
}

#[tokio::test]
async fn items_of_all_channels_share_one_gap_free_order() {
    let world = World::start().await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let (mut first, ack) = world.browse(&shown).await;
    let (mut second, _) = world.browse(&shown).await;
    let from = ack["payload"]["streamSeq"].as_u64().unwrap();
    for number in 0..20 {
        let (channel, payload) = match number % 2 {
            0 => (
                "log",
                json!({"line": format!("line {number}"), "level": "info"}),
            ),
            _ => ("progress", json!({"percent": number})),
        };
        let emit = json!({"sessionId": shown.session, "channel": channel, "payload": payload});
        assert_eq!(
            world.tool("ggui_emit", emit).await,
            json!({"accepted": true})
        );
    }
    for browser in [&mut first, &mut second] {
        let mut seqs = Vec::new();
        while seqs.len() < 20 {
            let data = browser.frame("data").await;
            let seq = data["payload"]["seq"].as_u64().unwrap();
            // The lifecycle of the render is replayed first.
            if seq > from {
                seqs.push(seq);
            }
        }
        assert_eq!(seqs, (from + 1..=from + 20).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn an_emit_checks_the_channel_then_the_payload_then_whether_it_has_ended() {
    let world = World::start().await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let emit = async |channel: &str, payload: Value, complete: bool| {
        let arguments = json!({
            "sessionId": shown.session,
            "channel": channel,
            "payload": payload,
            "complete": complete,
        });
        let result = world.call("ggui_emit", arguments).await;
        result["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let text = emit("nope", json!(1), false).await;
    assert!(text.contains("Channel 'nope' is not declared"), "{text}");
    assert!(
        text.contains("Declared channels: [log, progress]"),
        "{text}"
    );
    let text = emit("_ggui:lifecycle", json!({}), false).await;
    assert!(text.contains("is not declared"), "{text}");
    let text = emit("log", json!({"line": 1, "level": "loud"}), true).await;
    assert!(text.contains("- log.payload.line: "), "{text}");
    assert!(text.contains("- log.payload.level: "), "{text}");
    let text = emit("progress", json!({"percent": 1}), true).await;
    assert!(
        text.contains("was not declared with complete: true"),
        "{text}"
    );
}

#[tokio::test]
async fn emits_over_the_rate_are_refused_with_a_time_to_wait() {
    let world = World::start_with(|config| {
        config.limits.emits.per_second = 1;
        config.limits.emits.burst = 1;
    })
    .await;
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let arguments =
        json!({"sessionId": shown.session, "channel": "progress", "payload": {"percent": 1}});
    let refused = world.one_too_many("ggui_emit", &arguments).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (200, &json!(-32013))
    );
    let message = refused.body["error"]["message"].as_str().unwrap();
    assert!(
        message.starts_with("Rate limit exceeded — retry after "),
        "{message}"
    );
    assert_eq!(refused.headers["retry-after"], "1");
}

#[tokio::test]
async fn props_and_items_beyond_their_size_are_refused_by_name() {
    let world = World::start_with(|config| {
        config.limits.sessions.props_bytes_max = 200;
        config.limits.emits.payload_bytes_max = 200;
    })
    .await;
    let anything = json!({"streamSpec": {"tick": {"schema": {"type": "string"}}}});
    let shown = world.show(anything, json!({})).await;
    let long = "x".repeat(300);
    let merge = json!({"sessionId": shown.session, "kind": "merge", "patch": {"note": long}});
    let emit = json!({"sessionId": shown.session, "channel": "tick", "payload": long});
    for (tool, arguments, field) in [
        ("ggui_amend", merge, "props"),
        ("ggui_emit", emit, "tick.payload"),
    ] {
        let refused = world.call(tool, arguments).await;
        let text = refused["content"][0]["text"].as_str().unwrap();
        assert!(
            text.contains(&format!("- {field}: must take at most 200 bytes")),
            "{text}"
        );
    }
}
