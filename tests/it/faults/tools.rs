//! Failures of tools, and of the limits on them.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;

use super::envelope::{ERAS, both};
use super::table::Table;
use crate::contracts::{basket, basket_props, build_log};
use crate::world::World;

pub(super) async fn tool_rows(table: &mut Table, world: &World) {
    let shown = world.show(build_log(), json!({"pipeline": "main"})).await;
    let draft = || world.handshake(basket());
    let (one, two, three) = (draft().await, draft().await, draft().await);
    let session = &shown.session;
    let mismatched = json!({
        "agentCapabilities": {"tools": {"ggui_emit": {"toolInfo": {"inputSchema": {}}}}},
        "actionSpec": {"go": {"label": "Go", "nextStep": "ggui_emit", "schema": {
            "type": "object", "properties": {"sessionId": {"type": "integer"}},
        }}},
    });
    for (code, tool, arguments) in [
        (
            "SESSION_NOT_FOUND",
            "ggui_get_session",
            json!({"sessionId": "gone"}),
        ),
        (
            "HANDSHAKE_NOT_FOUND",
            "ggui_render",
            json!({"handshakeId": "gone", "props": {}}),
        ),
        (
            "GGUI_CONTRACT_VIOLATION",
            "ggui_render",
            json!({"handshakeId": one, "props": {"x": 1}}),
        ),
        (
            "CONTRACT_VALIDATION_FAILED",
            "ggui_render",
            json!({"handshakeId": two, "props": {}, "override": {"contract": {"propsSpec": 5}}}),
        ),
        (
            "SCHEMA_MISMATCH_ERROR",
            "ggui_render",
            json!({"handshakeId": three, "props": {}, "override": {"contract": mismatched}}),
        ),
        (
            "VERSION_CONFLICT",
            "ggui_amend",
            json!({"sessionId": session, "kind": "merge", "patch": {"pipeline": "next"},
                   "expectedVersion": 99}),
        ),
        (
            "BLUEPRINT_NOT_FOUND",
            "ggui_render_blueprint",
            json!({"blueprintId": "bp_gone"}),
        ),
        (
            "APP_ACCESS_DENIED",
            "ggui_list_themes",
            json!({"appId": "someone"}),
        ),
        (
            "CHANNEL_NOT_DECLARED",
            "ggui_emit",
            json!({"sessionId": session, "channel": "nowhere", "payload": 1}),
        ),
        (
            "CHANNEL_NOT_COMPLETABLE",
            "ggui_emit",
            json!({"sessionId": session, "channel": "progress", "complete": true,
                   "payload": {"percent": 1}}),
        ),
    ] {
        for answer in both(world, tool, arguments).await {
            table.tool(code, &answer);
        }
    }
    for (code, gadgets) in [
        (
            "GADGET_NOT_REGISTERED",
            json!({"@acme/maps": {"useMap": {}}}),
        ),
        (
            "GADGET_PACKAGE_MISMATCH",
            json!({"@acme/maps": {"useCamera": {}}}),
        ),
        (
            "DUPLICATE_GADGET_HOOK",
            json!({"@acme/maps": {"useCamera": {}}, "@ggui-ai/gadgets": {"useCamera": {}}}),
        ),
    ] {
        let contract = json!({"clientCapabilities": {"gadgets": gadgets}});
        let id = world.handshake(contract).await;
        let arguments = json!({"handshakeId": id, "props": {}});
        for answer in both(world, "ggui_render", arguments).await {
            table.tool(code, &answer);
        }
    }
    for (era, answer) in ERAS.iter().zip(&both(world, "ggui_dance", json!({})).await) {
        table.rpc("UNKNOWN_TOOL", era, answer);
    }
    let submitted = |session: &str| {
        json!({
            "sessionId": session, "appId": "builder", "kind": "dispatch", "actionId": "an-action-of-mine",
            "firedAt": "2026-08-23T15:46:40.000Z",
            "payload": {"intent": "nothing", "actionData": null, "uiContext": {}},
        })
    };
    for (code, session) in [
        ("INVALID_ACTION_KIND", session.as_str()),
        ("PIPE_NOT_FOUND", "gone"),
    ] {
        let answers = both(world, "ggui_runtime_submit_action", submitted(session)).await;
        for answer in answers {
            table.in_band(code, &answer);
        }
    }
}

/// Idempotency keys that cannot be used.
pub(super) async fn retry_rows(table: &mut Table, world: &World) {
    for (code, key, intents) in [
        ("IDEMPOTENCY_KEY_INVALID", "  ", ["a", "a"]),
        ("IDEMPOTENCY_KEY_REUSED", "once", ["a", "b"]),
    ] {
        let mut last = None;
        for intent in intents {
            let arguments = json!({"intent": intent, "blueprintDraft": {"contract": {}}});
            let params = json!({"name": "ggui_handshake", "arguments": arguments});
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            let request = world.post("/mcp").header("idempotency-key", key);
            last = Some(world.send(request.body(body.to_string())).await);
        }
        table.tool(code, &last.expect("an answer"));
    }
    let busy = World::start_with(|config| config.limits.idempotency.wait_s = 0).await;
    let shown = busy.show(basket(), basket_props()).await;
    let (mut browser, _) = busy.browse(&shown).await;
    let arguments = json!({"sessionId": shown.session, "timeout": 20});
    let params = json!({
        "name": "ggui_consume", "arguments": arguments, "_meta": {"idempotencyKey": "k"},
    });
    let second = async {
        while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
        busy.rpc("tools/call", params.clone()).await
    };
    let first = busy.rpc("tools/call", params.clone());
    let second = tokio::select! {
        _ = first => panic!("the first attempt waits for a person"),
        second = second => second,
    };
    table.tool("IDEMPOTENCY_IN_PROGRESS", &second);
}

/// Failures of the tools of a shown UI.
pub(super) async fn mount_rows(table: &mut Table) {
    let world = World::start().await;
    let contract = json!({"contextSpec": {
        "coupon": {"schema": {"type": "string"}, "default": ""},
        "size": {"schema": {"type": "string"}, "default": ""},
    }});
    let shown = world.show(contract, json!({})).await;
    for (code, app, snapshot) in [
        ("TENANT_MISMATCH", "someone", json!({})),
        ("CONTEXT_SCHEMA_VIOLATION", "builder", json!({"coupon": 5})),
        (
            "CONTEXT_TOO_LARGE",
            "builder",
            json!({"size": "x".repeat(20_000)}),
        ),
    ] {
        let arguments = json!({"sessionId": shown.session, "appId": app, "snapshot": snapshot});
        for answer in both(&world, "ggui_runtime_sync_context", arguments).await {
            table.in_band(code, &answer);
        }
    }
    world.clock.advance(Duration::from_secs(361));
    let old = json!({"envelope": shown.slice()["wsToken"]});
    for answer in both(&world, "ggui_runtime_refresh_ws_token", old).await {
        table.in_band("REFRESH_WINDOW_CLOSED", &answer);
    }
}

pub(super) async fn limit_rows(table: &mut Table) {
    let world = World::start_with(|config| {
        config.limits.sessions.per_app_max = 1;
        config.limits.handshakes.open_max = 1;
        config.limits.rates.using_per_second = 1;
        config.limits.rates.using_burst = 2;
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let id = world.handshake(basket()).await;
    let draft = json!({"intent": "x", "blueprintDraft": {"contract": basket()}});
    let read = json!({"sessionId": shown.session});
    for (code, tool, arguments) in [
        (
            "CONCURRENT_SESSION_LIMIT",
            "ggui_render",
            json!({"handshakeId": id, "props": basket_props()}),
        ),
        ("HANDSHAKE_LIMIT", "ggui_handshake", draft),
    ] {
        for (era, answer) in ERAS.iter().zip(&both(&world, tool, arguments).await) {
            table.rpc(code, era, answer);
        }
    }
    // All at once: one after the other, they might be slow enough to stay within the limit.
    let asked = (0..10).map(|_| both(&world, "ggui_get_session", read.clone()));
    let answers = join_all(asked).await;
    for (at, era) in ERAS.iter().enumerate() {
        let mut of_era = answers.iter().map(|answers| &answers[at]);
        let refused = of_era.find(|answer| answer.body["error"]["code"] == -32013);
        table.rpc("RATE_LIMIT_EXCEEDED", era, refused.expect("one too many"));
    }
    let small = World::start_with(|config| config.limits.memory.bytes_max = 1).await;
    let draft = json!({"intent": "x", "blueprintDraft": {"contract": basket()}});
    for (era, answer) in ERAS
        .iter()
        .zip(&both(&small, "ggui_handshake", draft).await)
    {
        table.rpc("MEMORY_LIMIT", era, answer);
    }
    let slow = World::start_with(|config| config.limits.http.answer_s = 3).await;
    let shown = slow.show(basket(), basket_props()).await;
    let wait = json!({"sessionId": shown.session, "timeout": 20});
    for (era, answer) in ERAS.iter().zip(&both(&slow, "ggui_consume", wait).await) {
        table.rpc("ANSWER_TIMEOUT", era, answer);
    }
}
