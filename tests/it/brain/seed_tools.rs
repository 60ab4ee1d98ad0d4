//! The tools as their reference describes them: each row of its tables by its name, and its examples
//! to the letter.

use serde_json::{Value, json};

use super::Pages;
use super::finding::slugs;

/// Name, type, and whether it is required.
type Parameter = (&'static str, &'static str, bool);

/// Each tool with its parameters as the reference has them. What is ours beside them stands in [`OURS`].
const PARAMETERS: [(&str, &[Parameter]); 17] = [
    ("brain_get", &[("slug", "string", true)]),
    (
        "brain_search",
        &[
            ("query", "string", true),
            ("collection", "string", false),
            ("wing", "string", false),
            ("limit", "integer", false),
        ],
    ),
    (
        "brain_query",
        &[
            ("query", "string", true),
            ("collection", "string", false),
            ("wing", "string", false),
            ("limit", "integer", false),
            ("depth", "string", false),
        ],
    ),
    (
        "brain_list",
        &[
            ("collection", "string", false),
            ("wing", "string", false),
            ("page_type", "string", false),
            ("limit", "integer", false),
        ],
    ),
    (
        "brain_put",
        &[
            ("slug", "string", true),
            ("content", "string", true),
            ("expected_version", "integer", false),
        ],
    ),
    (
        "brain_raw",
        &[
            ("slug", "string", true),
            ("source", "string", true),
            ("data", "object", true),
            ("overwrite", "boolean", false),
        ],
    ),
    (
        "brain_link",
        &[
            ("from_slug", "string", true),
            ("to_slug", "string", true),
            ("relationship", "string", true),
            ("valid_from", "string", false),
            ("valid_until", "string", false),
        ],
    ),
    (
        "brain_link_close",
        &[
            ("link_id", "integer", true),
            ("valid_until", "string", true),
        ],
    ),
    (
        "brain_backlinks",
        &[
            ("slug", "string", true),
            ("limit", "integer", false),
            ("temporal", "string", false),
        ],
    ),
    (
        "brain_graph",
        &[
            ("slug", "string", true),
            ("depth", "integer", false),
            ("temporal", "string", false),
        ],
    ),
    ("brain_check", &[("slug", "string", false)]),
    (
        "brain_timeline",
        &[("slug", "string", true), ("limit", "integer", false)],
    ),
    (
        "brain_tags",
        &[
            ("slug", "string", true),
            ("add", "array", false),
            ("remove", "array", false),
        ],
    ),
    (
        "brain_gap",
        &[
            ("query", "string", true),
            ("slug", "string", false),
            ("context", "string", false),
        ],
    ),
    (
        "brain_gaps",
        &[("resolved", "boolean", false), ("limit", "integer", false)],
    ),
    ("brain_stats", &[]),
    ("brain_collections", &[]),
];
/// Parameters beside those of the reference; each may be left out.
const OURS: [(&str, &str); 1] = [("brain_gap", "share")];

/// A page that stands at a version.
async fn at_version(pages: &Pages, slug: &str, version: i64) {
    pages.put(slug, "Version 1.").await;
    for expected in 1..version {
        let content = format!("Version {}.", expected + 1);
        let put = json!({"slug": slug, "content": content, "expected_version": expected});
        pages.call("brain_put", put).await;
    }
}

/// Pages `many/000` and so on.
async fn many(pages: &Pages, count: usize, content: &str) {
    for number in 0..count {
        pages.put(&format!("many/{number:03}"), content).await;
    }
}

#[tokio::test]
async fn parameters_of_every_tool_are_those_of_the_reference() {
    let pages = Pages::start().await;
    let listed = pages.rpc("tools/list", json!({})).await.body;
    let listed = listed["result"]["tools"].as_array().expect("tools").clone();
    assert_eq!(listed.len(), PARAMETERS.len());
    for (tool, parameters) in PARAMETERS {
        let found = listed.iter().find(|one| one["name"] == tool);
        let schema = &found.unwrap_or_else(|| panic!("{tool} is not listed"))["inputSchema"];
        let mut expected: Vec<_> = parameters.iter().map(|(name, ..)| *name).collect();
        let ours = OURS.iter().filter(|(of, _)| *of == tool);
        expected.extend(ours.map(|(_, name)| *name));
        expected.sort_unstable();
        let mut names: Vec<_> = schema["properties"]
            .as_object()
            .map(|all| all.keys().map(String::as_str).collect())
            .unwrap_or_default();
        names.sort_unstable();
        assert_eq!(names, expected, "{tool}");
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (name, kind, is_required) in parameters {
            assert_eq!(
                required.contains(&json!(name)),
                *is_required,
                "{tool}.{name}"
            );
            let kinds = &schema["properties"][*name]["type"];
            let is_kind = kinds == kind
                || kinds
                    .as_array()
                    .is_some_and(|all| all.contains(&json!(kind)));
            assert!(is_kind, "{tool}.{name}: {kinds} is not {kind}");
        }
    }
}

#[tokio::test]
async fn brain_get_example_people_alice() {
    let pages = Pages::start().await;
    pages
        .put(
            "people/alice",
            "---\ntitle: Alice\ntype: person\n---\n# Alice\n\n…\n---\n2026: met\n",
        )
        .await;
    let request = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{ "name":"brain_get","arguments":{"slug":"people/alice"}}}"#;
    let answer = pages.raw(request).await.body;
    assert_eq!(answer["id"], 1);
    let text = answer["result"]["content"][0]["text"]
        .as_str()
        .expect("markdown");
    assert!(text.starts_with("---\n"), "{text}");
    assert!(
        text.contains("title: Alice\n") && text.contains("# Alice\n\n…\n"),
        "{text}"
    );
    assert!(
        text.ends_with("---\n2026: met\n"),
        "compiled truth and timeline: {text}"
    );
}

#[tokio::test]
async fn brain_put_example_people_alice_with_expected_version_7() {
    let pages = Pages::start().await;
    at_version(&pages, "people/alice", 7).await;
    let request = r##"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{ "name":"brain_put", "arguments":{ "slug":"people/alice", "content":"---\ntitle: Alice\ntype: person\n---\n# Alice\n\n…", "expected_version": 7 }}}"##;
    let answer = pages.raw(request).await.body;
    assert_eq!(answer["id"], 2);
    let said = "Updated default::people/alice (version 8)";
    assert_eq!(answer["result"]["content"][0]["text"], said);
    let read = pages
        .call("brain_get", json!({"slug": "people/alice"}))
        .await;
    assert_eq!(read["structuredContent"]["title"], "Alice");
    // Once more it is a conflict.
    let again = pages.raw(request).await.body;
    assert_eq!(again["error"]["code"], -32009);
    assert_eq!(again["error"]["data"]["current_version"], 8);
}

#[tokio::test]
async fn error_envelope_example_expected_version_7_does_not_match_current_9() {
    let pages = Pages::start().await;
    at_version(&pages, "people/alice", 9).await;
    let put = json!({"slug": "people/alice", "content": "Late.", "expected_version": 7});
    let answer = pages.answer("brain_put", put).await;
    assert_eq!(answer["jsonrpc"], "2.0");
    assert_eq!(answer["id"], 7);
    let error = &answer["error"];
    assert_eq!(error["code"], -32009);
    assert_eq!(
        error["message"],
        "expected_version 7 does not match current 9"
    );
    assert_eq!(error["data"]["current_version"], 9);
    assert_eq!(error["data"]["expected_version"], 7);
    assert!(answer.get("result").is_none(), "{answer}");
}

#[tokio::test]
async fn agent_loop_fetches_rebases_and_retries_with_the_version_of_the_conflict() {
    let pages = Pages::start().await;
    at_version(&pages, "people/alice", 9).await;
    let put = |version: &Value| json!({"slug": "people/alice", "content": "Mine.", "expected_version": version});
    let error = pages.error("brain_put", put(&json!(7))).await;
    let read = pages
        .call("brain_get", json!({"slug": "people/alice"}))
        .await;
    assert_eq!(
        read["structuredContent"]["version"],
        error["data"]["current_version"]
    );
    let made = pages
        .call("brain_put", put(&error["data"]["current_version"]))
        .await;
    assert_eq!(made["structuredContent"]["version"], 10);
}

#[tokio::test]
async fn brain_raw_keeps_one_active_row_a_source_and_the_ten_newest() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pages.db");
    let file = path.clone();
    let pages = Pages::start_with(|config| config.brain.path = file).await;
    pages.put("people/alice", "Alice.").await;
    let raw = |source: &str, data: Value| json!({"slug": "people/alice", "source": source, "data": data, "overwrite": true});
    for number in 0..12 {
        pages
            .json("brain_raw", raw("crustdata", json!({"number": number})))
            .await;
    }
    for source in ["exa", "meeting"] {
        pages
            .json("brain_raw", raw(source, json!({"of": source})))
            .await;
    }
    let stored = rusqlite::Connection::open(&path).expect("the database");
    let rows = |filter: &str| -> Vec<String> {
        let sql = format!("SELECT data FROM raw_data WHERE {filter} ORDER BY id");
        let mut statement = stored.prepare(&sql).expect("a query");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        rows.collect::<Result<_, _>>().expect("texts")
    };
    assert_eq!(
        rows("source = 'crustdata' AND is_active = 1"),
        [r#"{"number":11}"#]
    );
    let kept = rows("source = 'crustdata'");
    assert_eq!(kept.len(), 10);
    assert_eq!(kept[0], r#"{"number":2}"#);
    assert_eq!(
        rows("source = 'exa' AND is_active = 1"),
        [r#"{"of":"exa"}"#]
    );
    for data in [json!([1]), json!("text"), json!(5), Value::Null] {
        let error = pages.error("brain_raw", raw("crm", data)).await;
        assert_eq!(error["code"], -32602, "{error}");
    }
}

#[tokio::test]
async fn brain_link_makes_a_typed_temporal_link() {
    let pages = Pages::start().await;
    pages.put("people/alice", "Alice.").await;
    pages.put("companies/acme", "Acme.").await;
    let link = json!({
        "from_slug": "people/alice", "to_slug": "companies/acme", "relationship": "works_at",
        "valid_from": "2026-01", "valid_until": "2026-12-31T08:00:00Z",
    });
    let made = pages.call("brain_link", link).await["structuredContent"].take();
    assert_eq!(made["from_slug"], "default::people/alice");
    assert_eq!(made["to_slug"], "default::companies/acme");
    assert_eq!(made["relationship"], "works_at");
    assert_eq!(made["valid_from"], "2026-01");
    assert_eq!(made["valid_until"], "2026-12-31T08:00:00Z");
    assert!(made["id"].is_i64(), "{made}");
    // Without its times it is open at both ends.
    let open =
        json!({"from_slug": "companies/acme", "to_slug": "people/alice", "relationship": "hired"});
    pages.call("brain_link", open).await;
    let links = pages
        .json("brain_backlinks", json!({"slug": "people/alice"}))
        .await;
    assert_eq!(links[0]["valid_from"], Value::Null);
    assert_eq!(links[0]["valid_until"], Value::Null);
}

#[tokio::test]
async fn brain_link_close_closes_by_the_id_of_the_database() {
    let pages = Pages::start().await;
    pages.put("a", "A.").await;
    pages.put("b", "B.").await;
    let link = json!({"from_slug": "a", "to_slug": "b", "relationship": "knows"});
    let id = pages.call("brain_link", link).await["structuredContent"]["id"].take();
    let close = json!({"link_id": id, "valid_until": "2026-04-30"});
    let closed = pages.call("brain_link_close", close).await;
    assert_eq!(
        closed["content"][0]["text"],
        format!("Closed link {id} valid_until=2026-04-30")
    );
    let other = json!({"link_id": 999, "valid_until": "2026-04-30"});
    let error = pages.error("brain_link_close", other).await;
    assert_eq!(error["code"], -32001);
    let error = pages
        .error("brain_link_close", json!({"link_id": id}))
        .await;
    assert_eq!(error["code"], -32602, "valid_until is required: {error}");
}

#[tokio::test]
async fn brain_backlinks_lists_inbound_links_as_many_as_asked_and_current_ones_unless_told() {
    let pages = Pages::start().await;
    pages.put("hub", "The hub.").await;
    many(&pages, 3, "Points to [[hub]].").await;
    let old = json!({"from_slug": "many/000", "to_slug": "hub", "relationship": "left",
                     "valid_until": "2020-01"});
    pages.call("brain_link", old).await;
    let rows = |arguments: Value| {
        let asked = pages.json("brain_backlinks", arguments);
        async move { asked.await.as_array().expect("rows").len() }
    };
    assert_eq!(rows(json!({"slug": "hub"})).await, 3);
    assert_eq!(rows(json!({"slug": "hub", "temporal": "current"})).await, 3);
    assert_eq!(rows(json!({"slug": "hub", "temporal": "all"})).await, 4);
    assert_eq!(rows(json!({"slug": "hub", "limit": 2})).await, 2);
    let error = pages
        .error(
            "brain_backlinks",
            json!({"slug": "hub", "temporal": "later"}),
        )
        .await;
    assert_eq!(error["code"], -32602);
}

#[tokio::test]
async fn brain_graph_goes_two_links_far_unless_told() {
    let pages = Pages::start().await;
    for (slug, next) in [("a", "b"), ("b", "c"), ("c", "d")] {
        pages.put(slug, &format!("To [[{next}]].")).await;
    }
    pages.put("d", "The end.").await;
    let nodes = |arguments: Value| {
        let asked = pages.json("brain_graph", arguments);
        async move {
            let graph = asked.await;
            (
                slugs(&graph["nodes"]).len(),
                graph["edges"].as_array().expect("edges").len(),
            )
        }
    };
    assert_eq!(nodes(json!({"slug": "a"})).await, (3, 2));
    assert_eq!(nodes(json!({"slug": "a", "depth": 2})).await, (3, 2));
    assert_eq!(nodes(json!({"slug": "a", "depth": 1})).await, (2, 1));
    assert_eq!(nodes(json!({"slug": "a", "depth": 3})).await, (4, 3));
}

#[tokio::test]
async fn default_limits_are_10_found_50_listed_20_entries_and_20_gaps() {
    let pages = Pages::start().await;
    many(&pages, 51, "A kettle and a teapot.").await;
    let rows: Vec<_> = (1..=21)
        .map(|day| format!("- 2026-01-{day:02} — brewed\n"))
        .collect();
    pages
        .put("log", &format!("Tea.\n---\n{}", rows.concat()))
        .await;
    for number in 0..21 {
        pages
            .call("brain_gap", json!({"query": format!("question {number}")}))
            .await;
    }
    for (tool, mut arguments, default) in [
        ("brain_search", json!({"query": "kettle"}), 10),
        ("brain_query", json!({"query": "kettle teapot"}), 10),
        ("brain_list", json!({"wing": "many"}), 50),
        ("brain_gaps", json!({}), 20),
    ] {
        let found = pages.json(tool, arguments.clone()).await;
        assert_eq!(found.as_array().map(Vec::len), Some(default), "{tool}");
        arguments["limit"] = json!(3);
        let found = pages.json(tool, arguments).await;
        assert_eq!(found.as_array().map(Vec::len), Some(3), "{tool}");
    }
    let entries = |timeline: Value| timeline["entries"].as_array().map(Vec::len);
    let timeline = pages.json("brain_timeline", json!({"slug": "log"})).await;
    assert_eq!(entries(timeline), Some(20));
    let all = json!({"slug": "log", "limit": 50});
    assert_eq!(entries(pages.json("brain_timeline", all).await), Some(21));
}

#[tokio::test]
async fn brain_query_and_brain_search_look_in_one_wing_and_one_collection_where_told() {
    let pages = Pages::with_collections().await;
    pages.put("work::people/alice", "Alice brews oolong.").await;
    pages.put("work::notes/tea", "Oolong is half black.").await;
    pages.put("personal::notes/tea", "Oolong again.").await;
    for tool in ["brain_query", "brain_search"] {
        let found = |arguments: Value| pages.json(tool, arguments);
        let all = found(json!({"query": "oolong", "collection": "work"})).await;
        assert_eq!(slugs(&all).len(), 2, "{tool}: {all}");
        let wing = found(json!({"query": "oolong", "wing": "notes", "collection": "work"})).await;
        assert_eq!(slugs(&wing), ["work::notes/tea"], "{tool}");
        let other = found(json!({"query": "oolong", "collection": "personal"})).await;
        assert_eq!(slugs(&other), ["personal::notes/tea"], "{tool}");
        let error = pages
            .error(tool, json!({"query": "oolong", "collection": "nope"}))
            .await;
        assert_eq!(error["code"], -32001, "{tool}");
    }
}

#[tokio::test]
async fn brain_stats_has_the_counts_the_model_and_the_version_of_the_schema() {
    let pages = Pages::start().await;
    let stats = pages.json("brain_stats", json!({})).await;
    for name in [
        "page_count",
        "link_count",
        "embedding_count",
        "gap_count",
        "schema_version",
    ] {
        assert!(stats[name].is_i64(), "{name}: {stats}");
    }
    assert!(stats["active_model"].is_string(), "{stats}");
}
