//! Pages are read and written: the examples of the reference, versions, and writers that race.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::Pages;

/// The tools, in the order of the table.
const TOOLS: [&str; 17] = [
    "brain_get",
    "brain_put",
    "brain_query",
    "brain_search",
    "brain_list",
    "brain_link",
    "brain_link_close",
    "brain_backlinks",
    "brain_graph",
    "brain_check",
    "brain_timeline",
    "brain_tags",
    "brain_gap",
    "brain_gaps",
    "brain_stats",
    "brain_collections",
    "brain_raw",
];

fn names(list: &Value) -> Vec<String> {
    let tools = list["result"]["tools"].as_array().expect("tools").iter();
    tools
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect()
}

#[tokio::test]
async fn seventeen_tools_are_listed_at_their_address_and_beside_others_only_where_told() {
    let pages = Pages::start().await;
    let begun = pages
        .rpc("initialize", json!({"protocolVersion": "2025-11-25"}))
        .await;
    assert_eq!(
        begun.body["result"]["capabilities"],
        json!({"tools": {}, "resources": {"subscribe": true}})
    );
    let listed = pages.rpc("tools/list", json!({})).await.body;
    assert_eq!(names(&listed), TOOLS);
    let tools = listed["result"]["tools"].as_array().expect("tools");
    let is_reading = |tool: &&Value| tool["annotations"]["readOnlyHint"] == true;
    assert_eq!(tools.iter().filter(is_reading).count(), 11);
    let others = pages.0.rpc("tools/list", json!({})).await.body;
    assert!(
        names(&others).iter().all(|name| name.starts_with("ggui_")),
        "{others}"
    );
    let both = Pages::start_with(|config| {
        config.server.mcp_tools = proscenium::config::McpTools::GguiAndBrain;
    })
    .await;
    let listed = names(&both.0.rpc("tools/list", json!({})).await.body);
    assert_eq!(listed[..listed.len() - TOOLS.len()], names(&others)[..]);
    assert_eq!(listed[listed.len() - TOOLS.len()..], TOOLS);
    // Beside others a page that is missing has the same number, and says whose it is.
    let params = json!({"name": "brain_get", "arguments": {"slug": "people/bob"}});
    let error = both.0.rpc("tools/call", params).await.body["error"].clone();
    assert_eq!(error["code"], -32001);
    assert_eq!(error["data"]["surface"], "brain");
}

#[tokio::test]
async fn brain_get_gives_the_rendered_page_with_the_version_that_brain_put_takes() {
    let pages = Pages::start().await;
    let content =
        "---\ntitle: Alice\ntype: person\n---\n# Alice\n\nRuns Acme.\n---\n2026-05-01: joined\n";
    pages.put("people/alice", content).await;
    let result = pages
        .call("brain_get", json!({"slug": "people/alice"}))
        .await;
    let structured = &result["structuredContent"];
    let uuid = structured["uuid"].as_str().expect("an id");
    let expected = format!(
        "---\ngbrain_id: {uuid}\nslug: default::people/alice\ntitle: Alice\ntype: person\n\
         version: 1\n---\n# Alice\n\nRuns Acme.\n---\n2026-05-01: joined\n"
    );
    assert_eq!(
        result["content"],
        json!([{"type": "text", "text": expected}])
    );
    assert_eq!(structured["version"], 1);
    assert_eq!(structured["type"], "person");
    // What was read may be written back as it is: nothing of it is doubled, and the id stays.
    let again =
        json!({"slug": "default::people/alice", "content": expected, "expected_version": 1});
    pages.call("brain_put", again).await;
    let text = pages
        .text("brain_get", json!({"slug": "people/alice"}))
        .await;
    assert_eq!(text, expected.replace("version: 1", "version: 2"));
    // Another page's id is not taken over.
    let stolen = expected.replace(uuid, "0197a100-0000-7000-8000-000000000000");
    let stolen = json!({"slug": "people/alice", "content": stolen, "expected_version": 2});
    assert_eq!(pages.error("brain_put", stolen).await["code"], -32602);
}

#[tokio::test]
async fn an_agent_whose_version_is_stale_reads_again_rebases_and_wins() {
    let pages = Pages::start().await;
    pages.put("notes/tea", "Green.").await;
    let put = |content: &str, version: i64| json!({"slug": "notes/tea", "content": content, "expected_version": version});
    pages.call("brain_put", put("Green. Black.", 1)).await;
    let error = pages.error("brain_put", put("Green. White.", 1)).await;
    let current = error["data"]["current_version"]
        .as_i64()
        .expect("a version");
    let read = pages.call("brain_get", json!({"slug": "notes/tea"})).await;
    assert_eq!(read["structuredContent"]["version"], current);
    pages
        .call("brain_put", put("Green. Black. White.", current))
        .await;
    let text = pages.text("brain_get", json!({"slug": "notes/tea"})).await;
    assert!(text.contains("\nGreen. Black. White.\n"), "{text}");
}

/// Writers of one page at once, each of which reads, writes and, if it lost, reads again.
async fn race(pages: &Pages, writers: usize) {
    pages.put("notes/race", "0").await;
    let write = |writer: usize| async move {
        let (mut wins, mut losses) = (0, 0);
        while wins == 0 {
            let read = pages.call("brain_get", json!({"slug": "notes/race"})).await;
            let version = read["structuredContent"]["version"]
                .as_i64()
                .expect("a version");
            let content = format!("writer {writer} on top of {version}");
            let put =
                json!({"slug": "notes/race", "content": content, "expected_version": version});
            let answer = pages.answer("brain_put", put).await;
            match answer["error"]["code"].as_i64() {
                None => {
                    assert_eq!(
                        answer["result"]["structuredContent"]["version"],
                        version + 1
                    );
                    wins += 1;
                }
                Some(number) => {
                    assert_eq!(number, -32009, "{answer}");
                    let current = answer["error"]["data"]["current_version"].as_i64();
                    assert!(current > Some(version), "{answer}");
                    losses += 1;
                }
            }
        }
        losses
    };
    let losses: usize = join_all((0..writers).map(write)).await.into_iter().sum();
    let read = pages.call("brain_get", json!({"slug": "notes/race"})).await;
    assert_eq!(
        read["structuredContent"]["version"],
        writers as i64 + 1,
        "{losses} losses"
    );
    let made = pages.json("brain_stats", json!({})).await;
    assert_eq!(made["page_count"], 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_fifty_writers_of_one_page_each_success_is_a_version_and_each_loser_is_told() {
    race(&Pages::start().await, 50).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_fifty_writers_of_one_page_in_a_file_each_success_is_a_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    race(
        &Pages::start_with(|config| config.brain.path = path).await,
        50,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_fifty_writers_of_one_version_exactly_one_wins() {
    let pages = Pages::start().await;
    pages.put("notes/race", "0").await;
    let write = |writer: usize| {
        let content = format!("writer {writer}");
        let put = json!({"slug": "notes/race", "content": content, "expected_version": 1});
        pages.answer("brain_put", put)
    };
    let answers = join_all((0..50).map(write)).await;
    let (won, lost): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer["error"].is_null());
    assert_eq!((won.len(), lost.len()), (1, 49));
    for answer in lost {
        assert_eq!(answer["error"]["code"], -32009);
        let expected = json!({"current": answer["error"]["data"]["current_version"],
                              "expected": answer["error"]["data"]["expected_version"]});
        assert_eq!(expected, json!({"current": 2, "expected": 1}));
    }
}

#[tokio::test]
async fn a_lost_answer_is_given_again_under_the_same_idempotency_key() {
    let pages = Pages::start().await;
    let call = || {
        let params = json!({"name": "brain_put", "_meta": {"idempotencyKey": "put-1"},
                            "arguments": {"slug": "notes/tea", "content": "Green."}});
        pages.rpc("tools/call", params)
    };
    let (first, second) = (call().await.body, call().await.body);
    assert_eq!(
        first["result"]["structuredContent"],
        second["result"]["structuredContent"]
    );
    assert_eq!(second["result"]["_meta"]["idempotentReplay"], true);
}

#[tokio::test]
async fn brain_timeline_gives_entries_newest_first() {
    let pages = Pages::start().await;
    let content =
        "Ida.\n---\n- 2026-04-01 — met\n- 2026-05-01: joined [source: mail]\n  with a team\n";
    pages.put("people/ida", content).await;
    let timeline = pages
        .json("brain_timeline", json!({"slug": "people/ida"}))
        .await;
    let expected = json!({"slug": "default::people/ida", "entries": [
        "2026-05-01: joined [source: mail]\n  with a team", "2026-04-01 — met",
    ]});
    assert_eq!(timeline, expected);
    let one = json!({"slug": "people/ida", "limit": 1});
    let timeline = pages.json("brain_timeline", one).await;
    assert_eq!(timeline["entries"].as_array().expect("entries").len(), 1);
    pages.put("people/bo", "Bo.").await;
    let timeline = pages
        .json("brain_timeline", json!({"slug": "people/bo"}))
        .await;
    assert_eq!(timeline["entries"], json!([]));
}

#[tokio::test]
async fn brain_tags_lists_adds_and_removes() {
    let pages = Pages::start().await;
    pages.put("people/ida", "---\ntags: [old]\n---\nIda.").await;
    let slug = json!({"slug": "people/ida"});
    assert_eq!(pages.json("brain_tags", slug.clone()).await, json!(["old"]));
    let change =
        json!({"slug": "people/ida", "add": ["vip", "b", "vip"], "remove": ["old", "none"]});
    for _ in 0..2 {
        assert_eq!(
            pages.json("brain_tags", change.clone()).await,
            json!(["b", "vip"])
        );
    }
    assert_eq!(pages.json("brain_tags", slug).await, json!(["b", "vip"]));
}

#[tokio::test]
async fn brain_list_gives_pages_last_changed_first_by_wing_and_type() {
    let pages = Pages::start().await;
    pages
        .put("people/ida", "---\ntype: person\n---\n# Ida\nRuns Acme.")
        .await;
    pages
        .put("people/bo", "---\ntype: person\nwing: home\n---\nBo.")
        .await;
    pages.put("notes/tea", "Green.").await;
    let slugs = |listed: &Value| -> Vec<String> {
        let pages = listed.as_array().expect("pages").iter();
        pages
            .map(|page| page["slug"].as_str().expect("a slug").to_owned())
            .collect()
    };
    let all = pages.json("brain_list", json!({})).await;
    assert_eq!(
        slugs(&all),
        [
            "default::notes/tea",
            "default::people/bo",
            "default::people/ida"
        ]
    );
    assert_eq!(all[2]["summary"], "Runs Acme.");
    let people = pages
        .json("brain_list", json!({"page_type": "person"}))
        .await;
    assert_eq!(
        slugs(&people),
        ["default::people/bo", "default::people/ida"]
    );
    let home = pages.json("brain_list", json!({"wing": "home"})).await;
    assert_eq!(slugs(&home), ["default::people/bo"]);
    let one = pages.json("brain_list", json!({"limit": 1})).await;
    assert_eq!(slugs(&one), ["default::notes/tea"]);
}

#[tokio::test]
async fn brain_gap_keeps_the_hash_of_a_question_and_never_the_question() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    let file = path.clone();
    let pages = Pages::start_with(|config| config.brain.path = file).await;
    pages.put("people/ida", "Ida.").await;
    let gap = json!({"query": "zebrafish birthday", "slug": "people/ida", "context": "zebrafish!"});
    let made = pages.json("brain_gap", gap.clone()).await;
    assert_eq!(made["query_hash"].as_str().map(str::len), Some(64));
    assert_eq!(pages.json("brain_gap", gap).await, made);
    let other = pages
        .json("brain_gap", json!({"query": "zebrafish birthday?"}))
        .await;
    assert_eq!(other["page_id"], Value::Null);
    let gaps = pages.json("brain_gaps", json!({})).await;
    assert_eq!(gaps[0]["id"], other["id"]);
    assert_eq!(gaps[1]["query_hash"], made["query_hash"]);
    assert_eq!(gaps[1]["context"], "");
    assert_eq!(gaps[1]["sensitivity"], "internal");
    assert!(!gaps.to_string().contains("zebrafish"));
    for name in ["brain.db", "brain.db-wal"] {
        let bytes = std::fs::read(folder.path().join(name)).unwrap_or_default();
        assert!(
            !bytes.windows(9).any(|window| window == b"zebrafish"),
            "{name}"
        );
    }
}

#[tokio::test]
async fn brain_stats_and_brain_collections_count_what_there_is() {
    let pages = Pages::with_collections().await;
    pages
        .put(
            "people/ida",
            "---\nworks_at: Acme Corp\n---\nIda. [[people/bo]]",
        )
        .await;
    pages.put("people/bo", "Bo.").await;
    let stats = pages.json("brain_stats", json!({})).await;
    for (name, count) in [
        ("page_count", 2),
        ("link_count", 1),
        ("assertion_count", 1),
        ("contradiction_count", 0),
        ("gap_count", 0),
        ("embedding_count", 2),
        ("schema_version", 5),
    ] {
        assert_eq!(stats[name], count, "{name}: {stats}");
    }
    assert_eq!(stats["active_model"], "hashed-words-256");
    let collections = pages.json("brain_collections", json!({})).await;
    let keys: Vec<_> = collections[0]
        .as_object()
        .expect("a row")
        .keys()
        .cloned()
        .collect();
    assert_eq!(keys.len(), 13, "{keys:?}");
    let rows: Vec<_> = collections
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| {
            json!([
                row["name"],
                row["state"],
                row["writable"],
                row["is_write_target"],
                row["page_count"],
                row["needs_full_sync"],
                row["restore_in_progress"]
            ])
        })
        .collect();
    assert_eq!(
        json!(rows),
        json!([
            ["work", "active", true, true, 2, false, false],
            ["personal", "active", true, false, 0, false, false],
            ["shelf", "active", false, false, 0, false, false],
            ["vault", "restoring", true, false, 0, false, true],
            ["attic", "active", true, false, 0, true, false],
        ])
    );
}
