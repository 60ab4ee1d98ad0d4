//! Failures of the tools of a shown UI, which are ordinary results.

use serde_json::{Value, json};

use super::{Row, row};

/// Failures of the tools of a shown UI, which are ordinary results (tools.md §12).
pub(super) fn rows() -> Vec<Row> {
    let submit = |name, session: &str, payload: Value, code, says| {
        let arguments = json!({
            "kind": "dispatch", "payload": payload, "sessionId": session, "appId": "builder",
            "actionId": "an-action-of-mine", "firedAt": "2026-08-23T15:46:40.000Z",
        });
        row(name, "ggui_runtime_submit_action", arguments, code, says)
    };
    let sync = |name, app: &str, session: &str, snapshot: Value, code, says| {
        let arguments = json!({"sessionId": session, "appId": app, "snapshot": snapshot});
        row(name, "ggui_runtime_sync_context", arguments, code, says)
    };
    let click = |intent: &str| json!({"intent": intent, "actionData": null, "uiContext": {}});
    vec![
        submit(
            "an envelope without an intent",
            "$session",
            json!({"actionData": null, "uiContext": {}}),
            "INVALID_ACTION_KIND",
            "payload.intent",
        ),
        submit(
            "an action that was not declared",
            "$session",
            click("nothing"),
            "INVALID_ACTION_KIND",
            "nothing",
        ),
        submit(
            "an action in a session nobody knows",
            "gone",
            click("checkout"),
            "PIPE_NOT_FOUND",
            "not found",
        ),
        sync(
            "slots of a session nobody knows",
            "builder",
            "gone",
            json!({}),
            "SESSION_NOT_FOUND",
            "not found",
        ),
        sync(
            "slots of another app",
            "someone",
            "$session",
            json!({}),
            "TENANT_MISMATCH",
            "",
        ),
        sync(
            "a slot that was not declared",
            "builder",
            "$session",
            json!({"size": "L", "coupon": 5}),
            "CONTEXT_SCHEMA_VIOLATION",
            "violates contextSpec: ",
        ),
        sync(
            "a slot that is too large",
            "builder",
            "$session",
            json!({"coupon": "x".repeat(20_000)}),
            "CONTEXT_TOO_LARGE",
            "too large",
        ),
        row(
            "a token nobody made",
            "ggui_runtime_refresh_ws_token",
            json!({"envelope": "nonsense"}),
            "BOOTSTRAP_INVALID",
            "",
        ),
        row(
            "a report without events",
            "ggui_runtime_telemetry",
            json!({"sessionId": "anything", "events": []}),
            "invalid_arguments",
            "\n- events: ",
        )
        .with_numbers(-32602, None),
    ]
}
