//! Failures of `ggui_render` that leave the handshake to be rendered.

use serde_json::{Value, json};

use super::{ERAS, Ids, Row, assert_fails, call, failure, row};
use crate::contracts::{basket, basket_props};
use crate::world::World;

/// Failures of `ggui_render` after which the handshake can still be rendered (tools.md §4.2).
fn render_rows() -> Vec<Row> {
    let render = |name, more: Value, code, says| {
        let mut arguments = json!({"handshakeId": "$handshake", "props": basket_props()});
        for (key, value) in more.as_object().into_iter().flatten() {
            arguments[key] = value.clone();
        }
        row(name, "ggui_render", arguments, code, says)
    };
    let other = |contract: Value| json!({"override": {"contract": contract}, "props": {}});
    let with = |gadgets: Value| other(json!({"clientCapabilities": {"gadgets": gadgets}}));
    let unfit = json!({
        "agentCapabilities": {"tools": {"ggui_emit": {"toolInfo": {"inputSchema": {}}}}},
        "actionSpec": {"go": {"label": "Go", "nextStep": "ggui_emit", "schema": {
            "type": "object", "properties": {"sessionId": {"type": "integer"}},
        }}},
    });
    vec![
        render(
            "no props",
            json!({"props": null}),
            "invalid_arguments",
            "\n- props: must be object",
        )
        .with_numbers(-32602, None),
        render(
            "an override of nothing",
            json!({"override": {}}),
            "invalid_arguments",
            "\n- override: ",
        )
        .with_numbers(-32602, None),
        render(
            "a theme nobody knows",
            json!({"themeId": "nowhere"}),
            "contract_violation",
            "Contract violation in ggui_render:\n- themeId: there is no theme",
        ),
        render(
            "a contract of the render's own that has no shape",
            other(json!({"propsSpec": 5, "actionSpec": {"go": {}}})),
            "contract_validation_failed",
            "override_contract_invalid: ",
        ),
        render(
            "a contract of the render's own that points nowhere",
            other(json!({"actionSpec": {"go": {"label": "Go", "nextStep": "nothing"}}})),
            "contract_validation_failed",
            "CTR_REF_NEXT_STEP",
        ),
        render(
            "props that a contract of the render's own does not declare",
            json!({"override": {"contract": {}}, "props": {"a": 1}}),
            "contract_violation",
            "Contract violation in ggui_render:\n- props: ",
        ),
        render(
            "one gadget of two packages",
            with(json!({"@acme/maps": {"useCamera": {}}, "@ggui-ai/gadgets": {"useCamera": {}}})),
            "duplicate_gadget_hook",
            "duplicate_gadget_hook: ",
        ),
        render(
            "a gadget of a package nobody knows",
            with(json!({"@acme/maps": {"useMap": {}}})),
            "gadget_not_registered",
            "gadget_not_registered: ",
        ),
        render(
            "a gadget of another package",
            with(json!({"@acme/maps": {"useCamera": {}}})),
            "gadget_package_mismatch",
            "gadget_package_mismatch: ",
        ),
        render(
            "an action that does not fit the tool it names",
            other(unfit),
            "schema_mismatch_error",
            "ggui_render: SCHEMA_MISMATCH_ERROR — 1 finding(s)\n- action \"go\" (tool \"ggui_emit\")",
        ),
        render(
            "props that do not fit",
            json!({"props": {"items": 5, "more": 1}}),
            "contract_violation",
            "Contract violation in ggui_render:\n- ",
        ),
    ]
}

#[tokio::test]
async fn a_render_that_is_refused_leaves_its_handshake_to_be_rendered_in_both_eras() {
    let world = World::start().await;
    let mut ids = Ids::of(&world).await;
    for (era, version) in ERAS.iter().enumerate() {
        for row in render_rows() {
            ids.handshake = world.handshake(basket()).await;
            assert_fails(&world, era, &row, &ids).await;
            let sound = json!({"handshakeId": ids.handshake, "props": basket_props()});
            let shown = call(&world, version, "ggui_render", &sound).await;
            let structured = &shown.body["result"]["structuredContent"];
            assert!(
                structured["sessionId"].is_string(),
                "{}: {}",
                row.name,
                shown.body
            );
            let again = call(&world, version, "ggui_render", &sound).await;
            assert_eq!(failure(&again).1, "handshake_not_found", "{}", row.name);
        }
    }
}

#[tokio::test]
async fn a_render_over_the_rate_leaves_its_handshake_to_be_rendered_in_both_eras() {
    let world = World::start_with(|config| {
        config.limits.sessions.per_app_max = 1;
        config.limits.rates.making_per_second = 4;
        config.limits.rates.making_burst = 4;
    });
    let world = world.await;
    for version in ERAS {
        let (first, second) = (
            world.handshake(basket()).await,
            world.handshake(basket()).await,
        );
        let render = |id: &str| json!({"handshakeId": id, "props": basket_props()});
        // A call refused by the rate limit can be repeated, and succeeds in the end.
        let shown = patiently(&world, version, &render(&first)).await;
        let session = shown["sessionId"].as_str().expect("a session").to_owned();
        let full = loop {
            let full = call(&world, version, "ggui_render", &render(&second)).await;
            if full.body["error"]["data"]["code"] != "RATE_LIMIT_EXCEEDED" {
                break full;
            }
        };
        assert_eq!(failure(&full).0, Some(-32012), "{}", full.body);
        // Without a pause, one of these calls exceeds the rate.
        let early = loop {
            let early = call(&world, version, "ggui_render", &render(&second)).await;
            if failure(&early).0 == Some(-32013) {
                break early;
            }
        };
        assert!(early.headers.contains_key("retry-after"));
        let (_, code, words) = failure(&early);
        assert_eq!(code, "rate_limit_exceeded");
        assert!(
            words.starts_with("Rate limit exceeded — retry after "),
            "{words}"
        );
        let ended = world.delete(&format!("/api/v1/sessions/{session}"));
        assert_eq!(world.send(ended).await.status, 204);
        let shown = patiently(&world, version, &render(&second)).await;
        let ended = world.delete(&format!(
            "/api/v1/sessions/{}",
            shown["sessionId"].as_str().expect("a session")
        ));
        world.send(ended).await;
    }
}

/// Renders, and repeats the call as long as the rate limit refuses it.
async fn patiently(world: &World, version: &str, arguments: &Value) -> Value {
    loop {
        let answer = call(world, version, "ggui_render", arguments).await;
        let structured = &answer.body["result"]["structuredContent"];
        if structured["sessionId"].is_string() {
            return structured.clone();
        }
        assert_eq!(failure(&answer).0, Some(-32013), "{}", answer.body);
    }
}

#[tokio::test]
async fn a_key_that_may_not_render_leaves_the_handshake_to_one_that_may_in_both_eras() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let reader = proscenium::keys::create(&file, "one", 0).expect("a key");
    let writer = proscenium::keys::create(&file, "one", 1).expect("a key");
    let world = World::start_with(|config| config.server.keys_file = file).await;
    let mut world = world.with_bearer(&writer);
    for era in ERAS {
        let id = world.handshake(basket()).await;
        let arguments = json!({"handshakeId": id, "props": basket_props()});
        world = world.with_bearer(&reader);
        let refused = call(&world, era, "ggui_render", &arguments).await;
        assert_eq!(refused.status, 200, "{era}: {}", refused.body);
        let (number, code, words) = failure(&refused);
        assert_eq!((number, code.as_str()), (Some(-32005), "capability_denied"));
        assert!(words.contains("trust level"), "{era}: {words}");
        world = world.with_bearer(&writer);
        let shown = call(&world, era, "ggui_render", &arguments).await;
        assert!(shown.body["result"]["structuredContent"]["sessionId"].is_string());
    }
}
