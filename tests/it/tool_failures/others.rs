//! Failures of all other tools.

use serde_json::{Value, json};

use super::{Ids, Row, assert_fails, row, runtime};
use crate::contracts::basket_props;
use crate::world::World;

/// All other failures of tools (tools.md §5 to tools.md §11, errors.md §3.2).
fn other_rows() -> Vec<Row> {
    const GONE: &str = "GguiSession \"gone\" not found";
    let gone = |tool, more: Value| {
        let mut arguments = json!({"sessionId": "gone"});
        for (key, value) in more.as_object().into_iter().flatten() {
            arguments[key] = value.clone();
        }
        row(
            "a session nobody knows",
            tool,
            arguments,
            "session_not_found",
            GONE,
        )
    };
    let merge = json!({"kind": "merge", "patch": {}});
    let auth = json!({"provider": "github", "authUrl": "https://example.com/"});
    let no_handshake = |name, id: &str| {
        let arguments = json!({"handshakeId": id, "props": basket_props()});
        let says = "ggui_render: handshakeId \"";
        row(name, "ggui_render", arguments, "handshake_not_found", says)
    };
    let mut rows = vec![
        no_handshake("a handshake nobody knows", "gone"),
        no_handshake("a spent handshake", "$spent"),
        no_handshake("a handshake that was declined", "$declined"),
        gone("ggui_amend", merge.clone()),
        gone("ggui_update", merge),
        gone("ggui_consume", json!({"timeout": 25})),
        gone("ggui_emit", json!({"channel": "log", "payload": 1})),
        gone("ggui_get_session", json!({})),
        gone("ggui_get_render_source", json!({})),
        gone("ggui_request_auth", auth),
        gone("ggui_runtime_pull", json!({"wait": 20})),
        row(
            "an unknown tool",
            "ggui_dance",
            json!({}),
            "unknown_tool",
            "Unknown tool: ggui_dance",
        )
        .with_numbers(-32601, Some(-32602)),
        row(
            "a wait that is too long",
            "ggui_consume",
            json!({"sessionId": "$session", "timeout": 26}),
            "invalid_arguments",
            "\n- timeout: ",
        )
        .with_numbers(-32602, None),
        row(
            "an item on a channel that was not declared",
            "ggui_emit",
            json!({"sessionId": "$log", "channel": "nowhere", "payload": 1}),
            "channel_not_declared",
            "Channel 'nowhere' is not declared on the GguiSession's streamSpec. \
             Declared channels: [log, progress]",
        ),
        row(
            "an item on a channel of the server's own",
            "ggui_emit",
            json!({"sessionId": "$log", "channel": "_ggui:lifecycle", "payload": 1}),
            "channel_not_declared",
            "Channel '_ggui:lifecycle' is not declared",
        ),
        row(
            "an item where there are no channels",
            "ggui_emit",
            json!({"sessionId": "$session", "channel": "log", "payload": 1}),
            "channel_not_declared",
            "Declared channels: [none]",
        ),
        row(
            "the end of a channel without one",
            "ggui_emit",
            json!({"sessionId": "$log", "channel": "progress", "payload": {"percent": 1}, "complete": true}),
            "channel_not_completable",
            "Channel 'progress' was not declared with complete: true",
        ),
        row(
            "an item that does not fit",
            "ggui_emit",
            json!({"sessionId": "$log", "channel": "progress", "payload": {"percent": "1"}}),
            "contract_violation",
            "Contract violation in ggui_emit:\n- progress.payload.percent: ",
        ),
        row(
            "a blueprint nobody knows",
            "ggui_render_blueprint",
            json!({"blueprintId": "bp_gone"}),
            "blueprint_not_found",
            "Blueprint \"bp_gone\" not found",
        ),
        row(
            "gadgets of another app",
            "ggui_list_gadgets",
            json!({"appId": "someone"}),
            "app_access_denied",
            "app_access_denied: ",
        ),
        row(
            "themes of another app",
            "ggui_list_themes",
            json!({"appId": "someone"}),
            "app_access_denied",
            "app_access_denied: ",
        ),
    ];
    for tool in ["ggui_amend", "ggui_update"] {
        let change = |name, arguments: Value, code, says| {
            let mut all = json!({"sessionId": "$session"});
            for (key, value) in arguments.as_object().into_iter().flatten() {
                all[key] = value.clone();
            }
            row(name, tool, all, code, says)
        };
        rows.extend([
            change(
                "all props without props",
                json!({"kind": "replace"}),
                "contract_violation",
                "\n- props: ",
            ),
            change(
                "a merge without a patch",
                json!({"kind": "merge"}),
                "contract_violation",
                "\n- patch: ",
            ),
            change(
                "props beside a patch",
                json!({"kind": "merge", "patch": {}, "props": {}}),
                "contract_violation",
                "\n- props: ",
            ),
            change(
                "a patch beside props",
                json!({"kind": "replace", "patch": {}, "props": {}}),
                "contract_violation",
                "\n- patch: ",
            ),
            change(
                "props that do not fit",
                json!({"kind": "merge", "patch": {"items": null, "more": 1}}),
                "contract_violation",
                "\n- items: ",
            ),
            change(
                "a version that is no more",
                json!({"kind": "merge", "patch": {"note": "x"}, "expectedVersion": 99}),
                "version_conflict",
                "the props are at version 1, not at 99; nothing was changed",
            ),
        ]);
    }
    rows.extend(runtime::rows());
    rows
}

#[tokio::test]
async fn every_other_failure_of_a_tool_has_its_code_and_message_in_both_eras() {
    let world = World::start().await;
    let ids = Ids::of(&world).await;
    for era in [0, 1] {
        for row in other_rows() {
            assert_fails(&world, era, &row, &ids).await;
        }
    }
}
