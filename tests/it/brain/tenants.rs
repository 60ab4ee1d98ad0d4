//! Pages of one app are missing for every other, and a key does with pages what it may.

use serde_json::{Value, json};

use super::Pages;
use crate::world::World;

/// A call with a key.
async fn call(world: &World, secret: &str, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    let request = world.post("/mcp/brain").bearer_auth(secret);
    world.send(request.body(body.to_string())).await.body
}

/// What a call tells: its error, or its result without how long it took.
fn content_of(answer: &Value) -> Value {
    json!([
        answer["error"],
        answer["result"]["content"],
        answer["result"]["structuredContent"]
    ])
}

#[tokio::test]
async fn the_pages_of_another_app_answer_like_missing_ones_to_every_tool() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [ours, theirs] =
        ["ours", "theirs"].map(|app| proscenium::keys::create(&file, app, 3).expect("a key"));
    let pages = Pages::start_with(|config| {
        config.server.keys_file = file;
        config.brain.collections = "work, personal".to_owned();
    })
    .await;
    let world = &pages.0;
    let own = json!({"slug": "notes/own", "content": "Ours alone, about zebras."});
    assert!(call(world, &theirs, "brain_put", &own).await["error"].is_null());
    let questions = [
        ("brain_get", json!({"slug": "people/ida"})),
        ("brain_get", json!({"slug": "work::people/ida"})),
        (
            "brain_put",
            json!({"slug": "people/ida", "content": "x", "expected_version": 1}),
        ),
        (
            "brain_put",
            json!({"slug": "work::people/ida", "content": "x", "expected_version": 1}),
        ),
        ("brain_query", json!({"query": "people/ida"})),
        (
            "brain_query",
            json!({"query": "zebras in the garden", "depth": "auto"}),
        ),
        ("brain_search", json!({"query": "zebras in the garden"})),
        ("brain_list", json!({})),
        (
            "brain_link",
            json!({"from_slug": "notes/own", "to_slug": "work::people/ida", "relationship": "x"}),
        ),
        (
            "brain_link_close",
            json!({"link_id": 1, "valid_until": "2026-06"}),
        ),
        ("brain_backlinks", json!({"slug": "people/ida"})),
        ("brain_graph", json!({"slug": "people/ida"})),
        ("brain_check", json!({})),
        ("brain_check", json!({"slug": "people/ida"})),
        ("brain_timeline", json!({"slug": "people/ida"})),
        ("brain_tags", json!({"slug": "people/ida", "add": ["x"]})),
        ("brain_gap", json!({"query": "x", "slug": "people/ida"})),
        ("brain_gaps", json!({})),
        (
            "brain_raw",
            json!({"slug": "people/ida", "source": "crm", "data": {}}),
        ),
        ("brain_stats", json!({})),
        ("brain_collections", json!({})),
    ];
    let mut before = Vec::new();
    for (tool, arguments) in &questions {
        before.push(content_of(&call(world, &theirs, tool, arguments).await));
    }
    for (tool, arguments) in [
        (
            "brain_put",
            json!({"slug": "people/ida", "content": "---\ntitle: Ida\nworks_at: Acme Corp\n---\nZebras in the garden. [[people/bo]]"}),
        ),
        (
            "brain_put",
            json!({"slug": "people/bo", "content": "---\ntitle: Ida\nworks_at: Beta Labs\n---\nZebras."}),
        ),
        (
            "brain_put",
            json!({"slug": "personal::people/ida", "content": "Another."}),
        ),
        (
            "brain_link",
            json!({"from_slug": "people/bo", "to_slug": "work::people/ida", "relationship": "x"}),
        ),
        ("brain_gap", json!({"query": "whose zebras"})),
    ] {
        let answer = call(world, &ours, tool, &arguments).await;
        assert!(answer["error"].is_null(), "{tool}: {answer}");
    }
    for ((tool, arguments), before) in questions.iter().zip(before) {
        let after = content_of(&call(world, &theirs, tool, arguments).await);
        assert_eq!(after, before, "{tool} {arguments}");
    }
}

#[tokio::test]
async fn a_key_reads_and_writes_pages_as_its_trust_and_its_scopes_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let keys = [
        (3, vec![], true, true),
        (1, vec![], true, true),
        (0, vec![], true, false),
        (2, vec!["ggui:read"], true, false),
        (2, vec!["ggui:write"], true, true),
        (2, vec!["brain_put"], false, true),
        (2, vec!["ggui_render"], false, false),
    ];
    let keys = keys.map(|(trust, scopes, reads, writes)| {
        let scopes: Vec<_> = scopes.into_iter().map(str::to_owned).collect();
        let secret = proscenium::keys::create_scoped(&file, "ours", trust, &scopes);
        (
            secret.expect("a key"),
            format!("{trust} {scopes:?}"),
            reads,
            writes,
        )
    });
    let pages = Pages::start_with(|config| config.server.keys_file = file).await;
    for (number, (secret, kind, reads, writes)) in keys.iter().enumerate() {
        let put = json!({"slug": format!("notes/{number}"), "content": "x"});
        for (tool, arguments, may) in [
            ("brain_list", json!({}), *reads),
            ("brain_put", put, *writes),
        ] {
            let answer = call(&pages.0, secret, tool, &arguments).await;
            let error = &answer["result"]["structuredContent"]["error"];
            let expected = if may { Value::Null } else { json!("FORBIDDEN") };
            assert_eq!(error["code"], expected, "{kind} {tool}: {answer}");
        }
    }
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).to_string();
    let refused = pages.0.send(pages.0.post("/mcp/brain").body(body)).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (401, &json!(-32001))
    );
}
