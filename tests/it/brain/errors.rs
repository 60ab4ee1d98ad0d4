//! Every row of the table of errors, by its name: number, name, advice, and when it is answered.

use proscenium::config::McpTools;
use serde_json::{Value, json};

use super::Pages;

/// An error with its number and the advice of its row.
#[track_caller]
fn assert_row(error: &Value, number: i64, code: &str, is_retried: bool) {
    assert_eq!(error["code"], number, "{error}");
    assert_eq!(error["data"]["code"], code, "{error}");
    assert_eq!(error["data"]["surface"], "brain", "{error}");
    assert_eq!(error["data"]["retry"]["allowed"], is_retried, "{error}");
    assert!(
        error["message"]
            .as_str()
            .is_some_and(|text| !text.is_empty()),
        "{error}"
    );
}

#[tokio::test]
async fn not_found_32001_a_page_a_link_a_collection_and_a_page_of_a_gap() {
    let pages = Pages::start().await;
    pages.put("people/ida", "Ida.").await;
    for (tool, arguments) in [
        ("brain_get", json!({"slug": "people/bob"})),
        ("brain_get", json!({"slug": "nope::people/ida"})),
        ("brain_search", json!({"query": "x", "collection": "nope"})),
        ("brain_query", json!({"query": "x", "collection": "nope"})),
        ("brain_list", json!({"collection": "nope"})),
        (
            "brain_put",
            json!({"slug": "nope::people/ida", "content": "x"}),
        ),
        (
            "brain_link",
            json!({"from_slug": "people/ida", "to_slug": "people/bob", "relationship": "knows"}),
        ),
        (
            "brain_link",
            json!({"from_slug": "people/bob", "to_slug": "people/ida", "relationship": "knows"}),
        ),
        (
            "brain_link_close",
            json!({"link_id": 999, "valid_until": "2026-06-30"}),
        ),
        (
            "brain_link_close",
            json!({"link_id": u64::MAX, "valid_until": "2026-06-30"}),
        ),
        ("brain_backlinks", json!({"slug": "people/bob"})),
        ("brain_graph", json!({"slug": "people/bob"})),
        ("brain_check", json!({"slug": "people/bob"})),
        ("brain_timeline", json!({"slug": "people/bob"})),
        ("brain_tags", json!({"slug": "people/bob"})),
        ("brain_tags", json!({"slug": "people/bob", "add": ["x"]})),
        ("brain_gap", json!({"query": "x", "slug": "people/bob"})),
        (
            "brain_raw",
            json!({"slug": "people/bob", "source": "crm", "data": {}}),
        ),
    ] {
        let error = pages.error(tool, arguments).await;
        assert_row(&error, -32001, "BRAIN_NOT_FOUND", false);
    }
    let error = pages
        .error("brain_get", json!({"slug": "people/bob"}))
        .await;
    assert_eq!(error["message"], "page not found: people/bob");
}

#[tokio::test]
async fn ambiguity_32002_names_the_candidates_and_a_qualified_slug_resolves_it() {
    let pages = Pages::with_collections().await;
    pages.put("work::people/alice", "Alice at work.").await;
    pages.put("personal::people/alice", "Alice at home.").await;
    pages.put("work::people/bo", "Bo.").await;
    let slug = json!({"slug": "people/alice"});
    for (tool, more) in [
        ("brain_get", json!({})),
        ("brain_put", json!({"content": "x"})),
        ("brain_put", json!({"content": "x", "expected_version": 1})),
        ("brain_backlinks", json!({})),
        ("brain_graph", json!({})),
        ("brain_check", json!({})),
        ("brain_timeline", json!({})),
        ("brain_tags", json!({"add": ["x"]})),
        ("brain_gap", json!({"query": "x"})),
        ("brain_raw", json!({"source": "crm", "data": {}})),
    ] {
        let mut arguments = slug.clone();
        arguments
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("one").clone());
        let error = pages.error(tool, arguments).await;
        assert_row(&error, -32002, "BRAIN_AMBIGUOUS", false);
        let candidates = json!(["work::people/alice", "personal::people/alice"]);
        assert_eq!(error["data"]["candidates"], candidates, "{tool}");
    }
    let error = pages
        .error("brain_query", json!({"query": "people/alice"}))
        .await;
    assert_row(&error, -32002, "BRAIN_AMBIGUOUS", false);
    let text = pages
        .text("brain_get", json!({"slug": "personal::people/alice"}))
        .await;
    assert!(text.contains("Alice at home."), "{text}");
    // A bare slug that stands in one collection needs no name of it.
    let text = pages.text("brain_get", json!({"slug": "people/bo"})).await;
    assert!(text.contains("slug: work::people/bo"), "{text}");
}

#[tokio::test]
async fn internal_32003_where_the_database_fails_and_a_later_call_succeeds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    let file = path.clone();
    let pages = Pages::start_with(|config| {
        config.brain.path = file;
        config.server.mcp_tools = McpTools::GguiAndBrain;
    })
    .await;
    pages.put("people/ida", "Ida.").await;
    let other = rusqlite::Connection::open(&path).expect("the database");
    other
        .execute_batch("ALTER TABLE versions RENAME TO elsewhere")
        .expect("a table less");
    let error = pages
        .error("brain_get", json!({"slug": "people/ida"}))
        .await;
    assert_row(&error, -32003, "BRAIN_INTERNAL", true);
    let retry = json!({"allowed": true, "hint": "backoff", "after_ms": 1_000});
    assert_eq!(error["data"]["retry"], retry);
    // Where these are tools of the server's own endpoint, its numbers are used.
    let arguments = json!({"name": "brain_get", "arguments": {"slug": "people/ida"}});
    let answer = pages.0.rpc("tools/call", arguments).await;
    assert_eq!(answer.headers["retry-after"], "1");
    let error_at_mcp = &answer.body["error"];
    assert_eq!(error_at_mcp["code"], -32013, "{error_at_mcp}");
    assert_eq!(error_at_mcp["data"]["code"], "STORE_UNAVAILABLE");
    assert!(!error.to_string().contains("versions"), "{error}");
    other
        .execute_batch("ALTER TABLE elsewhere RENAME TO versions")
        .expect("the table");
    pages.call("brain_get", json!({"slug": "people/ida"})).await;
}

#[tokio::test]
async fn conflict_32009_by_the_matrix_of_versions() {
    let pages = Pages::start().await;
    let put = |slug: &str, expected: Option<i64>| {
        let mut arguments = json!({"slug": slug, "content": "Text."});
        if let Some(expected) = expected {
            arguments["expected_version"] = expected.into();
        }
        pages.answer("brain_put", arguments)
    };
    // There is no page and no version: it is created at version 1.
    let made = put("notes/tea", None).await;
    assert_eq!(
        made["result"]["content"][0]["text"],
        "Created default::notes/tea (version 1)"
    );
    // There is a page and no version: it is there already.
    let error = put("notes/tea", None).await["error"].clone();
    assert_row(&error, -32009, "BRAIN_CONFLICT", true);
    assert_eq!(error["data"]["current_version"], 1);
    assert!(error["data"].get("expected_version").is_none(), "{error}");
    // The version is the page's: it is changed.
    let made = put("notes/tea", Some(1)).await;
    assert_eq!(
        made["result"]["content"][0]["text"],
        "Updated default::notes/tea (version 2)"
    );
    // The version is another: nothing is changed, and both are told.
    for stale in [-1, 0, 1, 3, 7] {
        let error = put("notes/tea", Some(stale)).await["error"].clone();
        assert_row(&error, -32009, "BRAIN_CONFLICT", true);
        assert_eq!(error["data"]["retry"]["hint"], "rebase");
        let message = format!("expected_version {stale} does not match current 2");
        assert_eq!(error["message"], message);
        assert_eq!(error["data"]["current_version"], 2);
        assert_eq!(error["data"]["expected_version"], stale);
    }
    // There is no page, and a version: there is nothing to change.
    for slug in ["notes/none", "default::notes/none"] {
        let error = put(slug, Some(1)).await["error"].clone();
        assert_row(&error, -32009, "BRAIN_CONFLICT", true);
        assert_eq!(error["data"]["current_version"], Value::Null);
        assert_eq!(error["data"]["expected_version"], 1);
    }
}

#[tokio::test]
async fn conflict_32009_raw_data_of_a_source_is_replaced_only_with_overwrite() {
    let pages = Pages::start().await;
    pages.put("people/ida", "Ida.").await;
    let raw = |data: Value, overwrite: bool| json!({"slug": "people/ida", "source": "crm", "data": data, "overwrite": overwrite});
    let first = pages.json("brain_raw", raw(json!({"id": 7}), false)).await;
    let error = pages.error("brain_raw", raw(json!({"id": 8}), false)).await;
    assert_row(&error, -32009, "BRAIN_CONFLICT", true);
    let second = pages.json("brain_raw", raw(json!({"id": 8}), true)).await;
    assert!(
        second["id"].as_i64() > first["id"].as_i64(),
        "{first} {second}"
    );
}

#[tokio::test]
async fn collection_restoring_32010_comes_before_any_other_validation() {
    let pages = Pages::with_collections().await;
    pages.put("work::people/ida", "Ida.").await;
    for (collection, state, needs_full_sync) in
        [("vault", "restoring", false), ("attic", "active", true)]
    {
        let slug = format!("{collection}::people/ida");
        for (tool, arguments) in [
            ("brain_put", json!({"slug": slug, "content": "x"})),
            (
                "brain_put",
                json!({"slug": slug, "content": "x", "expected_version": 3}),
            ),
            // Wrong in other ways, too.
            ("brain_put", json!({"slug": slug})),
            ("brain_put", json!({"slug": slug, "content": 5})),
            (
                "brain_put",
                json!({"slug": slug, "content": "x".repeat(1_200_000)}),
            ),
            ("brain_raw", json!({"slug": slug, "source": "", "data": []})),
            (
                "brain_link",
                json!({"from_slug": slug, "to_slug": "work::people/ida", "relationship": "No!"}),
            ),
            (
                "brain_link",
                json!({"from_slug": "work::people/ida", "to_slug": slug, "relationship": "x"}),
            ),
            ("brain_tags", json!({"slug": slug, "add": ["V I P"]})),
            ("brain_gap", json!({"slug": slug, "query": " "})),
        ] {
            let error = pages.error(tool, arguments).await;
            assert_row(&error, -32010, "BRAIN_RESTORING", true);
            assert_eq!(error["data"]["retry"]["hint"], "after_restore");
            let message = format!(
                "CollectionRestoringError: collection={collection} state={state} \
                 needs_full_sync={needs_full_sync}"
            );
            assert_eq!(error["message"], message);
            assert_eq!(error["data"]["collection"], collection);
        }
        // Reading goes on, and so does a gap that is about no page.
        let error = pages.error("brain_get", json!({"slug": slug})).await;
        assert_row(&error, -32001, "BRAIN_NOT_FOUND", false);
        pages
            .call(
                "brain_search",
                json!({"query": "x", "collection": collection}),
            )
            .await;
        pages
            .call("brain_gap", json!({"query": "what is it"}))
            .await;
    }
}

#[tokio::test]
async fn collection_restoring_32010_refuses_the_end_of_a_link_and_a_change_over_rest() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    let start = |collections: &'static str| {
        let file = path.clone();
        Pages::start_with(|config| {
            config.brain.path = file;
            config.brain.collections = collections.to_owned();
        })
    };
    let id = {
        let pages = start("vault, work").await;
        pages.put("vault::a", "A.").await;
        pages.put("work::b", "B.").await;
        let link = json!({"from_slug": "vault::a", "to_slug": "work::b", "relationship": "knows"});
        let made = pages.call("brain_link", link).await;
        made["structuredContent"]["id"].clone()
    };
    for collections in ["vault=restoring, work", "vault=needs-full-sync, work"] {
        let pages = start(collections).await;
        for until in ["2026-06-30", "soon"] {
            let close = json!({"link_id": id, "valid_until": until});
            let error = pages.error("brain_link_close", close).await;
            assert_row(&error, -32010, "BRAIN_RESTORING", true);
            assert_eq!(error["data"]["collection"], "vault");
        }
    }
    let pages = start("vault, work").await;
    let close = json!({"link_id": id, "valid_until": "2026-06-30"});
    pages.call("brain_link_close", close).await;
}

#[tokio::test]
async fn internal_error_32603_has_its_row_and_no_retry_beside_32003_which_is_preferred() {
    let world = crate::world::World::start().await;
    let request = world
        .get("/api/mcp-protocol")
        .header("accept", "application/json");
    let published = world.send(request).await.body;
    let rows = published["faults"].as_array().expect("rows");
    let row = |number: i64| {
        let mut rows = rows.iter().filter(|row| row["surface"] == "brain");
        let row = rows.find(|row| row["number"]["legacy"] == number);
        row.unwrap_or_else(|| panic!("no row {number}"))
    };
    assert_eq!(row(-32603)["title"], "InternalError");
    assert_eq!(row(-32603)["retry"]["allowed"], false);
    assert_eq!(row(-32003)["title"], "Internal");
    assert_eq!(row(-32003)["retry"]["allowed"], true);
}

#[tokio::test]
async fn collection_read_only_32011_refuses_every_change() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    let file = path.clone();
    let open = Pages::start_with(|config| {
        config.brain.path = file;
        config.brain.collections = "work, shelf".to_owned();
    })
    .await;
    open.put("shelf::people/ida", "Ida.").await;
    open.put("shelf::people/bo", "Bo.").await;
    let link =
        json!({"from_slug": "shelf::people/ida", "to_slug": "people/bo", "relationship": "knows"});
    let link = open.call("brain_link", link).await["structuredContent"]["id"].clone();
    let pages = Pages::start_with(|config| {
        config.brain.path = path;
        config.brain.collections = "work, shelf=read-only".to_owned();
    })
    .await;
    let slug = "shelf::people/ida";
    for (tool, arguments) in [
        (
            "brain_put",
            json!({"slug": slug, "content": "x", "expected_version": 1}),
        ),
        // The collection is judged before versions are.
        (
            "brain_put",
            json!({"slug": slug, "content": "x", "expected_version": 9}),
        ),
        ("brain_put", json!({"slug": "shelf::new", "content": "x"})),
        (
            "brain_raw",
            json!({"slug": slug, "source": "crm", "data": {}}),
        ),
        (
            "brain_link",
            json!({"from_slug": slug, "to_slug": "shelf::people/bo", "relationship": "x"}),
        ),
        (
            "brain_link_close",
            json!({"link_id": link, "valid_until": "2026-06"}),
        ),
        ("brain_tags", json!({"slug": slug, "remove": ["x"]})),
        ("brain_gap", json!({"slug": slug, "query": "x"})),
    ] {
        let error = pages.error(tool, arguments).await;
        assert_row(&error, -32011, "BRAIN_READ_ONLY", false);
        assert_eq!(
            error["message"],
            "CollectionReadOnlyError: collection=shelf"
        );
    }
    let text = pages.text("brain_get", json!({"slug": slug})).await;
    assert!(text.ends_with("---\nIda.\n---\n"), "{text}");
    let error = pages
        .error(
            "brain_put",
            json!({"slug": slug, "content": "x".repeat(1_048_577)}),
        )
        .await;
    assert_row(&error, -32602, "BRAIN_INVALID_PARAMS", false);
}

#[tokio::test]
async fn invalid_params_32602_slugs_dates_words_sizes_and_types() {
    let pages = Pages::start().await;
    pages.put("a", "A.").await;
    let long = "x".repeat(1_048_577);
    for (tool, arguments) in [
        ("brain_get", json!({"slug": "People/Ida"})),
        ("brain_get", json!({"slug": ""})),
        ("brain_get", json!({"slug": "../a"})),
        ("brain_get", json!({})),
        ("brain_get", json!({"slug": 5})),
        ("brain_put", json!({"slug": "", "content": "x"})),
        ("brain_put", json!({"slug": "b", "content": long})),
        ("brain_put", json!({"slug": "b"})),
        (
            "brain_put",
            json!({"slug": "b", "content": "x", "expected_version": "1"}),
        ),
        (
            "brain_put",
            json!({"slug": "b", "content": "---\ngbrain_id: 5\n---\nx"}),
        ),
        ("brain_search", json!({})),
        ("brain_search", json!({"query": "x", "limit": -1})),
        (
            "brain_link",
            json!({"from_slug": "a", "to_slug": "a", "relationship": "Works At"}),
        ),
        (
            "brain_link",
            json!({"from_slug": "a", "to_slug": "a", "relationship": "x", "valid_from": "soon"}),
        ),
        (
            "brain_link",
            json!({"from_slug": "a", "to_slug": "a", "relationship": "x", "valid_from": "2026-05", "valid_until": "2026-04"}),
        ),
        (
            "brain_link_close",
            json!({"link_id": 4, "valid_until": "soon"}),
        ),
        (
            "brain_link_close",
            json!({"link_id": -4, "valid_until": "2026-04"}),
        ),
        ("brain_backlinks", json!({"slug": "a", "temporal": "later"})),
        ("brain_graph", json!({"slug": "a", "temporal": "later"})),
        ("brain_graph", json!({"slug": "a", "depth": 11})),
        ("brain_tags", json!({"slug": "a", "add": ["V I P"]})),
        ("brain_gap", json!({"query": "   "})),
        (
            "brain_gap",
            json!({"query": "x", "context": "x".repeat(501)}),
        ),
        ("brain_raw", json!({"slug": "a", "source": "", "data": {}})),
        (
            "brain_raw",
            json!({"slug": "a", "source": "crm", "data": [1]}),
        ),
        (
            "brain_raw",
            json!({"slug": "a", "source": "crm", "data": 5}),
        ),
    ] {
        let label = format!(
            "{tool} {}",
            arguments.to_string().chars().take(80).collect::<String>()
        );
        let error = pages.error(tool, arguments).await;
        assert_row(&error, -32602, "BRAIN_INVALID_PARAMS", false);
        assert!(error["data"]["retry"]["hint"] == "fix", "{label}: {error}");
    }
    pages
        .call(
            "brain_gap",
            json!({"query": "x", "context": "x".repeat(500)}),
        )
        .await;
}

#[tokio::test]
async fn parse_error_32700_and_invalid_request_32600_and_method_not_found_32601() {
    let pages = Pages::start().await;
    for (body, number, code) in [
        ("{", -32700, "BRAIN_PARSE_ERROR"),
        (
            "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"a\"}",
            -32600,
            "BRAIN_INVALID_REQUEST",
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"brain/get\"}",
            -32601,
            "BRAIN_METHOD_NOT_FOUND",
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"prompts/list\"}",
            -32601,
            "BRAIN_METHOD_NOT_FOUND",
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":5}",
            -32600,
            "BRAIN_INVALID_REQUEST",
        ),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{}}",
            -32602,
            "BRAIN_INVALID_PARAMS",
        ),
    ] {
        let answer = pages.raw(body).await;
        assert_row(&answer.body["error"], number, code, false);
    }
}

#[tokio::test]
async fn an_unknown_tool_is_32601_in_the_older_era_and_32602_in_the_newer_one() {
    let pages = Pages::start().await;
    for name in ["brain_nope", "ggui_render", "brain_GET", ""] {
        let error = pages.error(name, json!({})).await;
        assert_row(&error, -32601, "BRAIN_UNKNOWN_TOOL", false);
    }
    let answer = pages.modern("brain_nope", json!({})).await;
    assert_eq!(answer.status, 200);
    assert_row(&answer.body["error"], -32602, "BRAIN_UNKNOWN_TOOL", false);
}

#[tokio::test]
async fn unfit_arguments_are_a_result_in_the_newer_era() {
    let pages = Pages::start().await;
    for arguments in [json!({}), json!({"slug": "No!"})] {
        let answer = pages.modern("brain_get", arguments).await.body;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        let text = answer["result"]["content"][0]["text"]
            .as_str()
            .expect("a text");
        assert!(text.starts_with("MCP error -32602:"), "{text}");
        assert_eq!(
            answer["result"]["structuredContent"]["error"]["code"],
            "INVALID_ARGUMENTS"
        );
    }
    let answer = pages
        .modern("brain_get", json!({"slug": "people/bob"}))
        .await
        .body;
    assert_row(&answer["error"], -32001, "BRAIN_NOT_FOUND", false);
}

#[tokio::test]
async fn what_another_part_of_the_server_refuses_is_a_result_without_a_number() {
    let pages = Pages::start_with(|config| {
        config.limits.rates.using_per_second = 1;
        config.limits.rates.using_burst = 1;
    })
    .await;
    let calls = (0..10).map(|_| pages.answer("brain_stats", json!({})));
    let answers = futures_util::future::join_all(calls).await;
    let mut refused = answers
        .iter()
        .filter(|answer| answer["result"]["isError"] == true);
    let refused = refused.next().expect("one too many");
    let error = &refused["result"]["structuredContent"]["error"];
    assert_eq!(error["code"], "RATE_LIMITED", "{refused}");
    assert!(
        error["details"]["retry_after_ms"].as_u64() > Some(0),
        "{refused}"
    );
    assert!(
        refused["result"]["structuredContent"]["_latency_ms"].is_u64(),
        "{refused}"
    );
}

#[tokio::test]
async fn as_many_pages_as_may_be_are_kept_and_one_more_is_refused() {
    let pages = Pages::start_with(|config| config.limits.pages.pages_per_app_max = 1).await;
    pages.put("a", "A.").await;
    let answer = pages
        .answer("brain_put", json!({"slug": "b", "content": "B."}))
        .await;
    let result = &answer["result"];
    assert_eq!(result["isError"], true, "{answer}");
    assert_eq!(
        result["structuredContent"]["error"]["code"], "CONFLICT",
        "{answer}"
    );
    let changed = json!({"slug": "a", "content": "A.", "expected_version": 1});
    pages.call("brain_put", changed).await;
}

/// A value of a type that a schema names, as plain as can be.
fn plain(schema: &Value) -> Value {
    let first = &schema["enum"][0];
    let name = match &schema["type"] {
        Value::Array(names) => &names[0],
        one => one,
    };
    match name.as_str() {
        _ if !first.is_null() => first.clone(),
        Some("object") => json!({}),
        Some("array") => json!([]),
        Some("integer" | "number") => json!(1),
        Some("boolean") => json!(false),
        _ => json!("a"),
    }
}

#[tokio::test]
async fn a_float_without_a_fraction_is_a_whole_number_to_every_tool() {
    let pages = Pages::start_with(|config| {
        config.server.mcp_tools = proscenium::config::McpTools::GguiAndBrain;
    })
    .await;
    let listed = pages.0.rpc("tools/list", json!({})).await.body;
    let mut seen = Vec::new();
    for tool in listed["result"]["tools"].as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        let schema = &tool["inputSchema"];
        let members = schema["properties"].as_object();
        for (member, its) in members.into_iter().flatten() {
            if !its["type"].to_string().contains("\"integer\"") {
                continue;
            }
            let required = schema["required"].as_array().into_iter().flatten();
            let required = required.filter_map(Value::as_str);
            let mut arguments: serde_json::Map<_, _> = required
                .map(|name| (name.to_owned(), plain(&schema["properties"][name])))
                .collect();
            arguments.insert(member.clone(), json!(1.0));
            let params = json!({"name": name, "arguments": arguments});
            let answer = pages.0.rpc("tools/call", params).await.body.to_string();
            let is_refused = answer.contains("invalid type") || answer.contains("whole number");
            assert!(!is_refused, "{name} {member}: {answer}");
            seen.push(format!("{name}.{member}"));
        }
    }
    for one in [
        "brain_put.expected_version",
        "brain_link_close.link_id",
        "brain_graph.depth",
        "ggui_consume.timeout",
    ] {
        assert!(seen.iter().any(|name| name == one), "{one}: {seen:?}");
    }
    pages.put("people/ida", "Ida.").await;
    let change = json!({"slug": "people/ida", "content": "Left.", "expected_version": 1.0});
    let changed = pages.call("brain_put", change).await;
    assert_eq!(changed["structuredContent"]["version"], 2);
    let unfit = json!({"slug": "people/ida", "content": "x", "expected_version": 1.5});
    let error = pages.error("brain_put", unfit).await;
    let message = error["message"].as_str().expect("a message");
    assert!(
        message.contains("expected_version: must be integer"),
        "{message}"
    );
}
