//! The members of results that clients read, as tools.md defines them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props, build_log};
use crate::world::World;

/// Fails unless a result has exactly these members.
#[track_caller]
fn assert_members(value: &Value, fixed: &[&str], ours: &[&str]) {
    let members: BTreeSet<&str> = value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect();
    let expected: BTreeSet<&str> = fixed.iter().chain(ours).copied().collect();
    assert_eq!(members, expected, "{value}");
}

#[tokio::test]
async fn results_for_agents_have_the_defined_members_and_our_additions() {
    let world = World::start().await;
    let draft = json!({"intent": "A basket", "blueprintDraft": {"contract": basket()}});
    let agreed = world.tool("ggui_handshake", draft.clone()).await;
    let hashes = ["propsSchemaHash", "propsSchemaProfile"];
    let mut members = vec!["handshakeId", "action", "suggestion", "nextStep"];
    members.extend(hashes);
    assert_members(&agreed, &members, &[]);
    let suggestion = &agreed["suggestion"];
    let about = [
        "origin",
        "rationale",
        "blueprintMeta",
        "proposedContractSummary",
    ];
    assert_members(suggestion, &about, &[]);
    assert_members(
        &suggestion["blueprintMeta"],
        &["contractHash", "variance"],
        &[],
    );
    let next = &agreed["nextStep"];
    assert_members(next, &["tool", "example"], &[]);
    assert_eq!(next["tool"], "ggui_render");
    let id = agreed["handshakeId"].as_str().expect("an id");
    let example = format!("ggui_render({{\"handshakeId\":\"{id}\",\"props\":{{\"items\":");
    let said = next["example"].as_str().expect("a text");
    assert!(said.starts_with(&example) && said.ends_with("})"), "{said}");

    let arguments = json!({"handshakeId": id, "props": basket_props()});
    let result = world.call("ggui_render", arguments).await;
    let rendered = &result["structuredContent"];
    let render = [
        "sessionId",
        "resourceUri",
        "action",
        "contractHash",
        "blueprintId",
        "variantKey",
        "cache",
        "nextStep",
    ];
    assert_members(rendered, &render, &["viewerUrl"]);
    let cache = ["hit", "llmCallsAvoided", "kind", "reason"];
    assert_members(&rendered["cache"], &cache, &[]);
    let session = rendered["sessionId"].as_str().expect("an id");
    let call = format!("ggui_consume({{ sessionId: \"{session}\", timeout: 25, after: \"\" }})");
    let next = &rendered["nextStep"];
    assert_members(next, &["tool", "description", "example", "args"], &[]);
    assert_eq!(
        (&next["tool"], &next["example"]),
        (&json!("ggui_consume"), &json!(call))
    );
    assert_eq!(
        next["args"],
        json!({"sessionId": session, "timeout": 25, "after": ""})
    );
    let hint = result["content"][0]["text"].as_str().expect("a text");
    assert!(hint.contains(&call), "{hint}");
    let text = result["content"][1]["text"].as_str().expect("a text");
    let text: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(text, *rendered);
    let uri = &rendered["resourceUri"];
    let expected = format!("ui://ggui/render/{session}/1ce5499e66c2ebfb");
    assert_eq!(*uri, expected);

    // Without an action there is no next call: the first block is the result.
    for contract in [json!({}), json!({"actionSpec": {}})] {
        let shown = world.show(contract, json!({})).await;
        assert!(
            shown.result["structuredContent"].get("nextStep").is_none(),
            "{}",
            shown.result
        );
        let text = shown.result["content"][0]["text"].as_str().expect("a text");
        let text: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(text, shown.result["structuredContent"], "{}", shown.result);
    }

    let merge =
        |note: &str| json!({"sessionId": session, "kind": "merge", "patch": {"note": note}});
    let updated = ["sessionId", "updated", "resourceUri"];
    let amended = world.tool("ggui_amend", merge("a")).await;
    assert_members(&amended, &[&updated[..], &hashes].concat(), &["version"]);
    assert_eq!(amended["resourceUri"], *uri);
    let changed = world.tool("ggui_update", merge("b")).await;
    let members = [&updated[..], &hashes, &["epoch"]].concat();
    assert_members(&changed, &members, &["version"]);
    assert_eq!(changed["resourceUri"], format!("{expected}#1"));
    for tool in ["ggui_amend", "ggui_update"] {
        let unchanged = world.tool(tool, merge("b")).await;
        assert_eq!(unchanged["updated"], false);
        assert_eq!(unchanged["resourceUri"], *uri);
        let warning = unchanged["warning"].as_str().expect("a text");
        assert!(warning.starts_with("NO-OP:"), "{warning}");
    }
    let empty = world
        .tool("ggui_consume", json!({"sessionId": session}))
        .await;
    assert_eq!(empty, json!({"events": [], "status": "active"}));

    let log = world.show(build_log(), json!({"pipeline": "main"})).await;
    let item = json!({"sessionId": log.session, "channel": "progress", "payload": {"percent": 1}});
    assert_eq!(
        world.tool("ggui_emit", item).await,
        json!({"accepted": true})
    );
}

#[tokio::test]
async fn lists_and_searches_have_the_defined_members_and_names() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let rendered = &shown.result["structuredContent"];
    let blueprint = rendered["blueprintId"].as_str().expect("an id");
    let search = json!({"query": "a test"});
    let found = world.tool("ggui_search_blueprints", search).await;
    assert_members(&found, &["results", "total", "query"], &[]);
    let row = &found["results"][0];
    let row_members = [
        "id",
        "name",
        "description",
        "category",
        "props",
        "callbacks",
        "featured",
        "relevance",
        "score",
    ];
    assert_members(row, &row_members, &[]);
    assert_eq!(row["id"], format!("c_{blueprint}"));
    assert_eq!(row["name"], format!("Cached_{}", &blueprint[..8]));
    assert_eq!(row["description"], "A test");
    assert_eq!(
        (&row["relevance"], &row["featured"]),
        (&json!("match"), &json!(false))
    );
    assert_eq!(row["score"], 1.0);

    // Results that are not listed are counted, too.
    world.show(build_log(), json!({"pipeline": "main"})).await;
    let search = json!({"query": "test", "limit": 1});
    let found = world.tool("ggui_search_blueprints", search).await;
    assert_eq!(found["results"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["total"], 2);

    let stored = json!({"blueprintId": blueprint});
    let stored = world.tool("ggui_render_blueprint", stored).await;
    let fixed = ["blueprintId", "blueprintName", "code", "contentType"];
    assert_members(&stored, &fixed, &["contract"]);

    let read = json!({"sessionId": shown.session});
    let source = world.tool("ggui_get_render_source", read).await;
    assert_members(&source, &["sessionId", "blueprint"], &[]);
    let fixed = ["source", "contract", "fixtureProps"];
    assert_members(&source["blueprint"], &fixed, &[]);

    let listed = world.tool("ggui_list_sessions", json!({})).await;
    let fixed = [
        "sessionId",
        "createdAt",
        "lastActivityAt",
        "status",
        "wsToken",
        "wsTokenExpiresAt",
    ];
    assert_members(&listed["sessions"][0], &fixed, &[]);

    let gadgets = world.tool("ggui_list_gadgets", json!({})).await;
    let package = &gadgets["gadgets"][0];
    assert_members(package, &["package", "version", "exports"], &[]);
    let exports = package["exports"].as_array().expect("a list").iter();
    let exports: Vec<_> = exports
        .map(|one| (one["hook"].as_str(), one["permission"].as_str()))
        .collect();
    assert_eq!(
        exports,
        [
            ("useCamera", Some("camera")),
            ("useClipboardPaste", Some("clipboard-read")),
            ("useClipboardWrite", Some("clipboard-write")),
            ("useFilePicker", None),
            ("useGeolocation", Some("geolocation")),
            ("useMicrophone", Some("microphone")),
            ("useNotifications", Some("notifications")),
        ]
        .map(|(hook, permission)| (Some(hook), permission))
    );
    let themes = world.tool("ggui_list_themes", json!({})).await;
    assert_members(
        &themes["themes"][0],
        &["id", "name", "description", "modes"],
        &[],
    );
}

#[tokio::test]
async fn results_for_a_shown_ui_have_the_defined_members() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let submit = |kind: &str, id: &str, payload: Value| {
        let arguments = json!({
            "kind": kind, "payload": payload, "sessionId": shown.session, "appId": "builder",
            "actionId": id, "firedAt": "2026-08-23T15:46:40.000Z",
        });
        world.tool("ggui_runtime_submit_action", arguments)
    };
    // An undeclared action is recorded, or ignored.
    for (kind, payload) in [
        ("openLink", json!({"url": "https://example.com/"})),
        ("requestDisplayMode", json!({"mode": "fullscreen"})),
        ("dance", json!({})),
    ] {
        assert_eq!(
            submit(kind, &format!("action-{kind}"), payload).await,
            json!({"ok": true})
        );
    }
    let click = json!({"intent": "checkout", "actionData": null, "uiContext": {"coupon": ""}});
    for _ in 0..2 {
        let accepted = submit("dispatch", "action-0001", click.clone()).await;
        assert_members(&accepted, &["ok", "consumerPresent"], &[]);
        assert_eq!(accepted["ok"], true);
    }
    let consumed = json!({"sessionId": shown.session, "timeout": 25});
    let consumed = world.tool("ggui_consume", consumed).await;
    let events = consumed["events"].as_array().expect("events");
    assert_eq!(events.len(), 1, "an action is accepted once");
    let fixed = [
        "type",
        "sessionId",
        "intent",
        "actionData",
        "uiContext",
        "actionId",
        "firedAt",
    ];
    assert_members(&events[0], &fixed, &[]);

    let sync = json!({"sessionId": shown.session, "appId": "builder", "snapshot": {"coupon": "x"}});
    assert_eq!(
        world.tool("ggui_runtime_sync_context", sync).await,
        json!({"ok": true})
    );
    let report = json!({"sessionId": "unknown", "events": [{"at": 0, "kind": "mounted"}]});
    assert_eq!(
        world.tool("ggui_runtime_telemetry", report).await,
        json!({"ok": true})
    );
    // Values beyond the limits are reduced to them.
    let pull = json!({"sessionId": shown.session, "limit": 100_000, "wait": 3_600});
    let page = world.tool("ggui_runtime_pull", pull).await;
    assert_members(&page, &["events", "lastSequence", "hasMore"], &[]);
    for row in page["events"].as_array().expect("rows") {
        assert_members(row, &["seq", "type", "timestamp", "data"], &[]);
    }
    let beyond = json!({"sessionId": shown.session, "sinceSequence": 100_000});
    let passed = world.tool("ggui_runtime_pull", beyond).await;
    assert_members(&passed, &["reason", "currentSequence"], &[]);
    assert_eq!(passed["reason"], "REPLAY_HORIZON_PASSED");
    let token = json!({"envelope": shown.slice()["wsToken"]});
    let fresh = world.tool("ggui_runtime_refresh_ws_token", token).await;
    assert_members(&fresh, &["ok", "envelope", "expiresAt"], &[]);
}
