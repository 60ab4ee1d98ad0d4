//! Every failure a call of a tool can meet, through HTTP in both eras: its code, its words, and
//! that the handshake it was about can still be rendered, wherever it must survive.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props, build_log};
use crate::world::{Answer, World};

/// The revisions that are spoken here: one of each era.
const ERAS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// One failure.
struct Row {
    /// What was done.
    name: &'static str,
    tool: &'static str,
    /// `$handshake`, `$spent`, `$session`, `$log` and `$declined` stand for ids.
    arguments: Value,
    code: &'static str,
    /// What its words contain.
    says: &'static str,
    /// Numbers in the older era and the newer, where it is an error of the protocol.
    numbers: [Option<i64>; 2],
}

fn row(
    name: &'static str,
    tool: &'static str,
    arguments: Value,
    code: &'static str,
    says: &'static str,
) -> Row {
    Row {
        name,
        tool,
        arguments,
        code,
        says,
        numbers: [None; 2],
    }
}

impl Row {
    fn with_numbers(mut self, legacy: i64, modern: Option<i64>) -> Self {
        self.numbers = [Some(legacy), modern];
        self
    }
}

/// Failures of `ggui_render` after which the handshake can still be rendered (ggui-mcp §2.3).
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

/// All other failures of tools (ggui-mcp §2.4 to §2.9, §8.2).
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
    rows.extend(runtime_rows());
    rows
}

/// Failures that a shown UI is told in band (ggui-mcp §2.8).
fn runtime_rows() -> Vec<Row> {
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

async fn call(world: &World, era: &str, tool: &str, arguments: &Value) -> Answer {
    let params = json!({"name": tool, "arguments": arguments});
    if era == ERAS[1] {
        return world.modern("tools/call", params).await;
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = world.post("/mcp").header("mcp-protocol-version", era);
    world.send(request.body(body.to_string())).await
}

/// What went wrong: the number of an error of the protocol, the code, the words.
fn failure(answer: &Answer) -> (Option<i64>, String, String) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (error, told) = (
        &answer.body["error"],
        &answer.body["result"]["structuredContent"],
    );
    if error.is_object() {
        let code = text(&error["data"]["code"]).to_lowercase();
        return (error["code"].as_i64(), code, text(&error["message"]));
    }
    if told["ok"] == false {
        return (None, text(&told["code"]), text(&told["message"]));
    }
    let result = &answer.body["result"];
    assert_eq!(result["isError"], true, "{}", answer.body);
    let words = text(&result["content"][0]["text"]);
    (None, text(&told["error"]["code"]), words)
}

/// The ids a row may name.
struct Ids {
    handshake: String,
    spent: String,
    session: String,
    log: String,
    declined: String,
}

impl Ids {
    async fn of(world: &World) -> Self {
        let spent = world.handshake(basket()).await;
        let arguments = json!({"handshakeId": spent, "props": basket_props()});
        let shown = world.tool("ggui_render", arguments).await;
        let draft = json!({"intent": "x", "blueprintDraft": {"contract": {"libraries": []}}});
        let declined = world.tool("ggui_handshake", draft).await;
        assert_eq!(declined["action"], "declined");
        let text = |value: &Value| value.as_str().expect("an id").to_owned();
        let log = world.show(build_log(), json!({"pipeline": "main"})).await;
        Self {
            handshake: world.handshake(basket()).await,
            spent,
            session: text(&shown["sessionId"]),
            log: log.session,
            declined: text(&declined["handshakeId"]),
        }
    }

    fn in_place(&self, arguments: &Value) -> Value {
        let mut text = arguments.to_string();
        for (name, id) in [
            ("$handshake", &self.handshake),
            ("$spent", &self.spent),
            ("$session", &self.session),
            ("$log", &self.log),
            ("$declined", &self.declined),
        ] {
            text = text.replace(&format!("\"{name}\""), &format!("\"{id}\""));
        }
        serde_json::from_str(&text).expect("JSON")
    }
}

async fn assert_fails(world: &World, era: usize, row: &Row, ids: &Ids) {
    let arguments = ids.in_place(&row.arguments);
    let answer = call(world, ERAS[era], row.tool, &arguments).await;
    let about = format!("{} {} {}: {}", ERAS[era], row.tool, row.name, answer.body);
    assert_eq!(answer.status, 200, "{about}");
    let (number, code, words) = failure(&answer);
    assert_eq!(
        (number, code.as_str()),
        (row.numbers[era], row.code),
        "{about}"
    );
    assert!(words.contains(row.says), "{about}");
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
            let told = &shown.body["result"]["structuredContent"];
            assert!(
                told["sessionId"].is_string(),
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
async fn every_other_failure_of_a_tool_has_its_code_and_its_words_in_both_eras() {
    let world = World::start().await;
    let ids = Ids::of(&world).await;
    for era in [0, 1] {
        for row in other_rows() {
            assert_fails(&world, era, &row, &ids).await;
        }
    }
}

#[tokio::test]
async fn a_render_that_comes_too_early_leaves_its_handshake_to_be_rendered_in_both_eras() {
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
        // One that is told to wait may come again, and is taken in the end.
        let shown = patiently(&world, version, &render(&first)).await;
        let session = shown["sessionId"].as_str().expect("a session").to_owned();
        let full = loop {
            let full = call(&world, version, "ggui_render", &render(&second)).await;
            if full.body["error"]["data"]["code"] != "RATE_LIMIT_EXCEEDED" {
                break full;
            }
        };
        assert_eq!(failure(&full).0, Some(-32012), "{}", full.body);
        // Asked for without a pause, one of these is too early.
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

/// Renders, as often as it is told to wait.
async fn patiently(world: &World, version: &str, arguments: &Value) -> Value {
    loop {
        let answer = call(world, version, "ggui_render", arguments).await;
        let told = &answer.body["result"]["structuredContent"];
        if told["sessionId"].is_string() {
            return told.clone();
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
    let world = world.with_bearer(&writer);
    for era in ERAS {
        let id = world.handshake(basket()).await;
        let arguments = json!({"handshakeId": id, "props": basket_props()});
        let params = json!({"name": "ggui_render", "arguments": arguments});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let request = reqwest::Client::new()
            .post(world.url("/mcp"))
            .header("content-type", "application/json")
            .header("mcp-protocol-version", ERAS[0])
            .bearer_auth(&reader);
        let refused = world.send(request.body(body.to_string())).await;
        let (number, code, words) = failure(&refused);
        assert_eq!((number, code.as_str()), (Some(-32005), "capability_denied"));
        assert!(words.contains("trust level"), "{words}");
        let shown = call(&world, era, "ggui_render", &arguments).await;
        assert!(shown.body["result"]["structuredContent"]["sessionId"].is_string());
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_told_by_its_code_and_nothing_else_in_both_eras() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let at = |rest: &str| format!("ui://ggui/render/{}{rest}", shown.session);
    for (uri, code, numbers) in [
        (
            "ui://ggui/render/gone".to_owned(),
            json!("NOT_SUPPORTED"),
            [-32006; 2],
        ),
        (at("/0123456789abcdef"), json!("NOT_SUPPORTED"), [-32006; 2]),
        (at("#1"), json!("NOT_SUPPORTED"), [-32006; 2]),
        (at("%231"), json!("NOT_SUPPORTED"), [-32006; 2]),
        (at("#01"), json!("NOT_SUPPORTED"), [-32006; 2]),
        // What names nothing of ours has no word of ours.
        ("ui://ggui/renders".to_owned(), Value::Null, [-32602; 2]),
    ] {
        let params = json!({"uri": uri});
        let answers = [
            world.rpc("resources/read", params.clone()).await,
            world.modern("resources/read", params).await,
        ];
        for (answer, number) in answers.iter().zip(numbers) {
            let error = &answer.body["error"];
            assert_eq!(
                (answer.status, &error["code"], &error["data"]["code"]),
                (200, &json!(number), &code),
                "{uri}: {}",
                answer.body
            );
        }
    }
}
