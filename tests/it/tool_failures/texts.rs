//! The texts and names that clients match, as tools.md §2 and errors.md §3.2 define them.

use serde_json::{Value, json};

use super::{ERAS, call, failure};
use crate::contracts::{basket, basket_props, build_log};
use crate::world::World;

/// How a text is defined.
enum Fixed {
    /// The complete text.
    Whole(String),
    /// Its beginning, and parts it contains.
    Parts(String, &'static [&'static str]),
}

use Fixed::{Parts, Whole};

fn parts(begins: impl Into<String>, holds: &'static [&'static str]) -> Fixed {
    Parts(begins.into(), holds)
}

/// Calls that fail, with the expected messages.
fn failing(session: &str, log: &str, handshake: &str) -> Vec<(&'static str, Value, Fixed)> {
    let draft = |draft: Value| json!({"intent": "x", "blueprintDraft": draft});
    let gone = "GguiSession \"gone\" not found. It has expired or was never rendered: call \
        ggui_handshake, then ggui_render, for a new one.";
    let mut all = vec![
        // tools.md §3
        (
            "ggui_handshake",
            draft(json!("{\"contract\":{}}")),
            parts(
                "Invalid arguments for ggui_handshake:\n- blueprintDraft: must be object",
                &[],
            ),
        ),
        (
            "ggui_handshake",
            draft(json!({"contract": {}, "colour": 1, "variance": {"mood": "x"}})),
            parts(
                "Invalid arguments for ggui_handshake:\n- ",
                &[
                    "blueprintDraft: unknown key(s) \"colour\"",
                    "variance: unknown key(s) \"mood\"; there are persona, aesthetic, context, seedPrompt",
                ],
            ),
        ),
        (
            "ggui_handshake",
            draft(json!({"contract": {}, "generator": "g".repeat(121)})),
            parts(
                "Invalid arguments for ggui_handshake:\n- blueprintDraft.generator: ",
                &[],
            ),
        ),
        (
            "ggui_handshake",
            json!({"intent": "", "blueprintDraft": {"contract": {}}}),
            parts("Invalid arguments for ggui_handshake:\n- intent: ", &[]),
        ),
        // tools.md §4
        (
            "ggui_render",
            json!({"props": {}}),
            parts(
                "Invalid arguments for ggui_render:\n- handshakeId: is REQUIRED. From `ggui_handshake`, called first",
                &[],
            ),
        ),
        (
            "ggui_render",
            json!({"handshakeId": "gone", "props": {}}),
            parts(
                "ggui_render: handshakeId \"gone\" not found. ",
                &["call ggui_handshake again"],
            ),
        ),
        (
            "ggui_render",
            json!({"handshakeId": handshake, "props": {}, "override": {"contract": {
                "actionSpec": {"go": {"label": "Go", "nextStep": "nothing"}}}}}),
            parts(
                "override_contract_invalid: Contract validation failed at phase 'references': \
                 [CTR_REF_NEXT_STEP] ",
                &[],
            ),
        ),
        (
            "ggui_render",
            json!({"handshakeId": handshake, "props": {}, "override": {"contract": {
                "propsSpec": 5, "actionSpec": {"go": {}}}}}),
            parts(
                "override_contract_invalid: Contract validation failed at phase 'shape': [CTR_SHAPE_",
                &[" | [CTR_SHAPE_"],
            ),
        ),
        (
            "ggui_render",
            json!({"handshakeId": handshake, "props": {"a": 1}, "override": {"contract": {}}}),
            parts("Contract violation in ggui_render:\n- props: ", &[]),
        ),
        (
            "ggui_render",
            json!({"handshakeId": handshake, "props": {"items": [], "currency": "CHF"}}),
            Whole(
                "Contract violation in ggui_render:\n- currency: must be equal to one of the \
                 allowed values (expected: \"EUR\"|\"USD\"|\"GBP\", got: \"CHF\")"
                    .to_owned(),
            ),
        ),
        (
            "ggui_update",
            json!({"sessionId": session, "kind": "merge", "patch": [], "expectedVersion": "1"}),
            Whole(
                "Invalid arguments for ggui_update:\n- patch: must be object\n\
                 - expectedVersion: must be integer"
                    .to_owned(),
            ),
        ),
        // tools.md §7
        (
            "ggui_emit",
            json!({"sessionId": log, "channel": "nowhere", "payload": 1}),
            Whole(
                "Channel 'nowhere' is not declared on the GguiSession's streamSpec. \
                 Declared channels: [log, progress]"
                    .to_owned(),
            ),
        ),
        (
            "ggui_emit",
            json!({"sessionId": session, "channel": "log", "payload": 1}),
            Whole(
                "Channel 'log' is not declared on the GguiSession's streamSpec. \
                 Declared channels: [none]"
                    .to_owned(),
            ),
        ),
        (
            "ggui_emit",
            json!({"sessionId": log, "channel": "progress", "payload": {"percent": 1}, "complete": true}),
            parts(
                "Channel 'progress' was not declared with complete: true",
                &[],
            ),
        ),
        (
            "ggui_emit",
            json!({"sessionId": log, "channel": "log"}),
            parts(
                "Invalid arguments for ggui_emit:\n- payload: is REQUIRED",
                &[],
            ),
        ),
        // tools.md §12
        (
            "ggui_runtime_sync_context",
            json!({"sessionId": session, "appId": "builder", "snapshot": {"coupon": 5}}),
            Whole(
                "ggui_runtime_sync_context violates contextSpec: coupon.value: must be string"
                    .to_owned(),
            ),
        ),
        // tools.md §10
        (
            "ggui_list_gadgets",
            json!({"appId": "other"}),
            parts("app_access_denied: ", &[]),
        ),
        (
            "ggui_list_themes",
            json!({"appId": "other"}),
            parts("app_access_denied: ", &[]),
        ),
    ];
    for timeout in [json!(26), json!(-1), json!(1.5)] {
        all.push((
            "ggui_consume",
            json!({"sessionId": session, "timeout": timeout}),
            parts("Invalid arguments for ggui_consume:\n- timeout: ", &[]),
        ));
    }
    for tool in ["ggui_update", "ggui_amend"] {
        for (arguments, field) in [
            (json!({"kind": "replace"}), "props"),
            (json!({"kind": "merge"}), "patch"),
            (json!({"kind": "merge", "patch": {}, "props": {}}), "props"),
            (
                json!({"kind": "replace", "patch": {}, "props": {}}),
                "patch",
            ),
        ] {
            let mut arguments = arguments;
            arguments["sessionId"] = session.into();
            let begins = format!("Contract violation in {tool}:\n- {field}: ");
            all.push((tool, arguments, parts(begins, &[])));
        }
    }
    let merge = json!({"sessionId": "gone", "kind": "merge", "patch": {}});
    for (tool, arguments) in [
        ("ggui_update", merge.clone()),
        ("ggui_amend", merge),
        ("ggui_consume", json!({"sessionId": "gone"})),
        (
            "ggui_emit",
            json!({"sessionId": "gone", "channel": "a", "payload": 1}),
        ),
        ("ggui_get_session", json!({"sessionId": "gone"})),
        ("ggui_get_render_source", json!({"sessionId": "gone"})),
        ("ggui_runtime_pull", json!({"sessionId": "gone"})),
    ] {
        all.push((tool, arguments, Whole(gone.to_owned())));
    }
    all
}

#[tokio::test]
async fn texts_that_clients_match_are_as_defined_in_both_eras() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let log = world.show(build_log(), json!({"pipeline": "main"})).await;
    let handshake = world.handshake(basket()).await;
    for (number, era) in ERAS.iter().enumerate() {
        for (tool, arguments, fixed) in failing(&shown.session, &log.session, &handshake) {
            let answer = call(&world, era, tool, &arguments).await;
            let (_, code, words) = failure(&answer);
            // In the newer era such a result contains the number of the former error.
            let is_argument = code == "invalid_arguments";
            let words = match words.strip_prefix("MCP error -32602: ") {
                Some(words) if is_argument && number == 1 => words,
                _ => words.as_str(),
            };
            match fixed {
                Whole(text) => assert_eq!(words, text, "{era} {tool} {arguments}"),
                Parts(begins, holds) => {
                    let is_said =
                        words.starts_with(&begins) && holds.iter().all(|part| words.contains(part));
                    assert!(is_said, "{era} {tool} {arguments}: {words}");
                }
            }
            // Clients negotiate again where a handshake is not found, and nowhere else.
            let is_lost = words.contains("handshakeId") && words.contains("not found");
            assert_eq!(is_lost, code == "handshake_not_found", "{words}");
        }
    }
    // No failure used up the handshake.
    let arguments = json!({"handshakeId": handshake, "props": basket_props()});
    world.tool("ggui_render", arguments).await;
}
