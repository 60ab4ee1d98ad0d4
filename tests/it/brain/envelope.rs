//! Canonical errors of the REST interface and of the tools of pages: every row of the table of
//! statuses, trust, and safe retries, at the address of memories.

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use reqwest::Method;
use serde_json::{Value, json};

use super::Pages;
use super::memories::{MEMORIES, at, remember, send};
use crate::raw::Raw;
use crate::rest::assert_described;
use crate::stranger::NOWHERE;
use crate::world::{Answer, World, answer};

/// Every status with a code of its own.
const STATUSES: [(u16, &str); 18] = [
    (400, "BAD_REQUEST"),
    (401, "UNAUTHORIZED"),
    (402, "PAYMENT_REQUIRED"),
    (403, "FORBIDDEN"),
    (404, "NOT_FOUND"),
    (405, "METHOD_NOT_ALLOWED"),
    (408, "REQUEST_TIMEOUT"),
    (409, "CONFLICT"),
    (410, "GONE"),
    (413, "PAYLOAD_TOO_LARGE"),
    (415, "UNSUPPORTED_MEDIA_TYPE"),
    (422, "INVALID_ARGUMENTS"),
    (429, "RATE_LIMITED"),
    (500, "INTERNAL_ERROR"),
    (501, "NOT_IMPLEMENTED"),
    (502, "UPSTREAM_ERROR"),
    (503, "UNAVAILABLE"),
    (504, "UPSTREAM_TIMEOUT"),
];

/// An envelope with the code of its status; `detail` mirrors the message, or the list.
#[track_caller]
fn assert_envelope(answer: &Answer, status: u16) {
    let body = &answer.body;
    assert_eq!(answer.status, status, "{body}");
    let known = STATUSES.iter().find(|(known, _)| *known == status);
    let code = known.map_or_else(|| format!("HTTP_{status}"), |(_, code)| (*code).to_owned());
    assert_eq!(body["error"]["code"], code, "{body}");
    let message = &body["error"]["message"];
    assert!(
        message.as_str().is_some_and(|text| !text.is_empty()),
        "{body}"
    );
    let detail = match &body["error"]["details"]["errors"] {
        Value::Null => message,
        listed => listed,
    };
    assert_eq!(&body["detail"], detail, "{body}");
    assert_eq!(body["_latency_ms"], Value::Null, "that is of tools: {body}");
    assert_eq!(answer.headers["content-type"], "application/json");
}

async fn create(world: &World, body: &Value, key: Option<&str>) -> Answer {
    let mut request = world.post(MEMORIES).body(body.to_string());
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    let answer = world.send(request).await;
    assert_described(&answer, "post", "/memories");
    answer
}

fn tea() -> Value {
    json!({"content": "Tea is served at four."})
}

#[tokio::test]
async fn rest_back_compat_detail_mirrors_the_message_beside_the_error() {
    let world = World::start().await;
    for id in [
        NOWHERE,
        "unknown-id",
        "No Slug!",
        "people%2Fnobody",
        "nope::a",
    ] {
        let gone = world.send(world.get(&format!("{MEMORIES}/{id}"))).await;
        assert_envelope(&gone, 404);
        let error = json!({"code": "NOT_FOUND", "message": "Memory not found"});
        assert_eq!(
            gone.body,
            json!({"detail": "Memory not found", "error": error})
        );
    }
}

#[tokio::test]
async fn request_validation_422_lists_every_problem_in_detail_and_in_details_errors() {
    let world = World::start().await;
    let body = json!({"agent_id": 7, "memory_type": "No!", "metadata": [], "colour": "red"});
    let refused = create(&world, &body, None).await;
    assert_envelope(&refused, 422);
    let listed = refused.body["detail"].as_array().expect("a list");
    let problems: Vec<_> = listed
        .iter()
        .map(|one| (one["type"].as_str(), &one["loc"]))
        .collect();
    for expected in [
        ("missing", json!(["body", "content"])),
        ("string_type", json!(["body", "agent_id"])),
        ("value_error", json!(["body", "memory_type"])),
        ("object_type", json!(["body", "metadata"])),
        ("extra_forbidden", json!(["body"])),
    ] {
        assert!(
            problems.contains(&(Some(expected.0), &expected.1)),
            "{expected:?} {listed:?}"
        );
    }
    assert_eq!(listed.len(), 5, "{listed:?}");
    let message = refused.body["error"]["message"]
        .as_str()
        .expect("a message");
    for problem in listed {
        assert!(
            message.contains(problem["msg"].as_str().expect("a text")),
            "{message}"
        );
    }
    // What only the page store can judge is listed in the same way.
    for (content, words) in [("a\0b".to_owned(), "NUL"), ("x".repeat(1 << 21), "bytes")] {
        let world = World::start_with(|config| config.limits.http.body_bytes_max = 1 << 22).await;
        let refused = create(&world, &json!({"content": content}), None).await;
        assert_envelope(&refused, 422);
        let listed = &refused.body["detail"][0];
        assert_eq!(listed["loc"], json!(["body"]));
        assert!(
            listed["msg"]
                .as_str()
                .is_some_and(|text| text.contains(words)),
            "{listed}"
        );
    }
    let kept = world.send(world.get(MEMORIES)).await;
    assert_eq!(
        kept.body["data"],
        json!([]),
        "nothing that was refused is kept"
    );
}

#[tokio::test]
async fn request_validation_422_of_a_body_that_is_no_object() {
    let world = World::start().await;
    for (body, loc) in [
        ("{\n\"content\": }", json!(["body", 14])),
        ("", json!(["body", 0])),
        ("[]", json!(["body"])),
        ("null", json!(["body"])),
    ] {
        let refused = world.send(world.post(MEMORIES).body(body)).await;
        assert_envelope(&refused, 422);
        assert_eq!(
            refused.body["detail"][0]["loc"], loc,
            "{body}: {}",
            refused.body
        );
    }
}

#[tokio::test]
async fn mcp_envelope_is_the_same_error_as_json_with_its_latency() {
    let pages = Pages::start().await;
    let refused = pages.modern("brain_put", json!({"slug": 5})).await.body;
    let result = &refused["result"];
    assert_eq!(result["isError"], true, "{refused}");
    let text = result["content"][1]["text"].as_str().expect("a text");
    let envelope: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(envelope["error"]["code"], "INVALID_ARGUMENTS");
    assert!(envelope["error"]["message"].is_string() && envelope["error"]["details"].is_object());
    assert!(envelope["_latency_ms"].is_u64(), "{envelope}");
    assert_eq!(&envelope, &result["structuredContent"]);
    assert!(!text.contains("Error ("), "{text}");
}

#[tokio::test]
async fn every_status_of_the_table_has_its_code_in_the_published_list() {
    let world = World::start().await;
    let request = world
        .get("/api/mcp-protocol")
        .header("accept", "application/json");
    let published = world.send(request).await.body["statuses"].clone();
    let known = STATUSES.map(|(status, code)| json!({"status": status, "code": code}));
    assert_eq!(published, json!(known));
}

#[tokio::test]
async fn status_400_bad_request_for_an_idempotency_key_that_is_blank_or_too_long() {
    let world = World::start().await;
    for key in ["   ".to_owned(), "k".repeat(256)] {
        let refused = create(&world, &tea(), Some(&key)).await;
        assert_envelope(&refused, 400);
    }
    let fits = create(&world, &tea(), Some(&"k".repeat(255))).await;
    assert_eq!(fits.status, 201, "{}", fits.body);
}

#[tokio::test]
async fn status_401_unauthorized_and_403_forbidden_with_the_required_and_the_caller_s_level() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let keys = [0, 1, 2].map(|trust| proscenium::keys::create(&file, "one", trust).expect("a key"));
    let world = World::start_with(|config| config.server.keys_file = file).await;
    assert_envelope(&create(&world, &tea(), None).await, 401);
    let [reader, writer, chief] = keys;
    let world = world.with_bearer(&reader);
    let levels = |answer: &Answer| {
        let details = &answer.body["error"]["details"];
        (
            details["required_level"].clone(),
            details["trust_level"].clone(),
        )
    };
    let refused = create(&world, &tea(), None).await;
    assert_envelope(&refused, 403);
    assert_eq!(levels(&refused), (json!(1), json!(0)));
    let world = world.with_bearer(&writer);
    let made = remember(&world, tea()).await;
    let patch = json!({"content": "Coffee."});
    assert_eq!(
        send(&world, Method::PATCH, &at(&made), &patch).await.status,
        200
    );
    let refused = world.send(world.delete(&at(&made))).await;
    assert_envelope(&refused, 403);
    assert_eq!(levels(&refused), (json!(2), json!(1)));
    let world = world.with_bearer(&reader);
    assert_eq!(world.send(world.get(&at(&made))).await.status, 200);
    let refused = send(&world, Method::PATCH, &at(&made), &patch).await;
    assert_eq!(levels(&refused), (json!(1), json!(0)));
    let world = world.with_bearer(&chief);
    assert_eq!(world.send(world.delete(&at(&made))).await.status, 204);
}

#[tokio::test]
async fn status_404_not_found_and_405_method_not_allowed_of_addresses() {
    let world = World::start().await;
    let none = world.send(world.get("/api/v1/teapots")).await;
    assert_envelope(&none, 404);
    let refused = send(&world, Method::PUT, MEMORIES, &tea()).await;
    assert_envelope(&refused, 405);
    assert!(
        refused.headers.contains_key("allow"),
        "{:?}",
        refused.headers
    );
}

#[tokio::test]
async fn status_408_request_timeout_413_payload_too_large_and_415_unsupported_media_type() {
    let world = World::start_with(|config| {
        config.limits.http.body_bytes_max = 1_000;
        config.limits.http.body_read_s = 1;
    })
    .await;
    let endless = futures_util::stream::pending::<Result<Vec<u8>, std::io::Error>>();
    let slow = world
        .post(MEMORIES)
        .body(reqwest::Body::wrap_stream(endless));
    assert_envelope(&world.send(slow).await, 408);
    let large = create(&world, &json!({"content": "x".repeat(1_000)}), None).await;
    assert_envelope(&large, 413);
    let form = reqwest::Client::new()
        .post(world.url(MEMORIES))
        .body("content=x");
    assert_envelope(&answer(form).await, 415);
}

#[tokio::test]
async fn status_409_conflict_of_versions_and_503_unavailable_while_a_collection_is_restored() {
    let pages = Pages::with_collections().await;
    let made = remember(&pages.0, tea()).await;
    let patch = json!({"content": "Coffee.", "expected_version": 7});
    let stale = send(&pages.0, Method::PATCH, &at(&made), &patch).await;
    assert_envelope(&stale, 409);
    pages.put("work::people/ida", "Ida.").await;
    pages.put("personal::people/ida", "Ida.").await;
    let path = format!("{MEMORIES}/people%2Fida");
    let ambiguous = pages.0.send(pages.0.get(&path)).await;
    assert_envelope(&ambiguous, 409);
    let candidates = json!(["work::people/ida", "personal::people/ida"]);
    assert_eq!(ambiguous.body["error"]["details"]["candidates"], candidates);
    let restored = Pages::start_with(|config| {
        config.brain.collections = "vault=restoring, work".to_owned();
    })
    .await;
    // Before anything else of the body is judged.
    for body in [tea(), json!({"colour": 5})] {
        assert_envelope(&create(&restored.0, &body, None).await, 503);
    }
    let shelf = Pages::start_with(|config| config.brain.collections = "shelf=read-only".to_owned());
    assert_envelope(&create(&shelf.await.0, &tea(), None).await, 403);
}

#[tokio::test]
async fn status_429_rate_limited_says_when_to_come_back() {
    let world = World::start_with(|config| {
        config.limits.rates.using_per_second = 1;
        config.limits.rates.using_burst = 1;
    })
    .await;
    let body = tea();
    let many = (0..10).map(|_| create(&world, &body, None));
    let answers = futures_util::future::join_all(many).await;
    let mut refused = answers.iter().filter(|answer| answer.status == 429);
    let refused = refused.next().expect("one too many");
    assert_envelope(refused, 429);
    assert!(refused.headers.contains_key("retry-after"));
}

#[tokio::test]
async fn status_503_unavailable_names_the_request_and_nothing_of_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    let file = path.clone();
    let pages = Pages::start_with(|config| config.brain.path = file).await;
    let made = remember(&pages.0, tea()).await;
    let other = rusqlite::Connection::open(&path).expect("the database");
    let rename = |from: &str, to: &str| {
        let sql = format!("ALTER TABLE {from} RENAME TO {to}");
        other.execute_batch(&sql).expect("another name");
    };
    rename("versions", "elsewhere");
    let broken = pages.0.send(pages.0.get(&at(&made))).await;
    assert_envelope(&broken, 503);
    assert_eq!(broken.headers["retry-after"], "1");
    let id = &broken.body["error"]["details"]["request_id"];
    assert_eq!(id, broken.headers["x-request-id"].to_str().expect("a text"));
    assert!(
        !broken.body.to_string().contains("versions"),
        "{}",
        broken.body
    );
    rename("elsewhere", "versions");
    assert_eq!(pages.0.send(pages.0.get(&at(&made))).await.body, made);
}

#[tokio::test]
async fn status_402_payment_required_410_gone_501_not_implemented_502_and_504_upstream_are_of_no_operation_here()
 {
    let published = include_str!("../../../schemas/openapi.json");
    let published: Value = serde_json::from_str(published).expect("JSON");
    let paths = published["paths"].as_object().expect("paths");
    let mut seen = 0;
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().expect("operations") {
            let Some(responses) = operation["responses"].as_object() else {
                continue;
            };
            seen += 1;
            for status in ["402", "410", "501", "502", "504"] {
                assert!(!responses.contains_key(status), "{method} {path}: {status}");
            }
        }
    }
    assert!(seen > 10, "{seen}");
    let docs = include_str!("../../../docs/protocol/errors.md");
    assert!(docs.contains("No operation of `/api/v1` answers 402, 410, 501, 502 or 504"));
}

#[tokio::test]
async fn trust_levels_stand_in_the_details_of_a_refused_tool_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let reader = proscenium::keys::create(&file, "one", 0).expect("a key");
    let world = World::start_with(|config| config.server.keys_file = file).await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "brain_put", "arguments": {"slug": "notes/tea", "content": "Tea."}}});
    let call = world.post("/mcp/brain").bearer_auth(&reader);
    let refused = world.send(call.body(body.to_string())).await.body;
    let result = &refused["result"];
    assert_eq!(result["isError"], true, "{refused}");
    let error = &result["structuredContent"]["error"];
    assert_eq!(error["code"], "FORBIDDEN");
    assert_eq!(error["details"]["required_level"], 1, "{refused}");
    assert_eq!(error["details"]["trust_level"], 0, "{refused}");
    assert!(
        result["structuredContent"]["_latency_ms"].is_u64(),
        "{refused}"
    );
}

#[tokio::test]
async fn idempotency_a_key_in_the_metadata_counts_where_there_is_no_header_and_is_never_that_of_one()
 {
    let world = World::start().await;
    let body = |name: &str, key: &str| json!({"content": "Tea.", "metadata": {name: key}});
    let first = create(&world, &body("idempotency_key", "k"), None).await;
    assert_eq!(first.status, 201, "{}", first.body);
    let again = create(&world, &body("idempotency_key", "k"), None).await;
    assert_eq!((again.status, &again.body["id"]), (201, &first.body["id"]));
    assert_eq!(again.headers["idempotent-replayed"], "true");
    // The same text in a header is another key, and a header wins.
    let header = create(&world, &body("idempotency_key", "k"), Some("k")).await;
    assert_ne!(header.body["id"], first.body["id"]);
    let other = create(&world, &body("idempotency_key", "m"), Some("k")).await;
    assert_envelope(&other, 422);
    // The other name does, and a blank one is none.
    let alias = create(&world, &body("client_idempotency_key", "a"), None).await;
    let again = create(&world, &body("client_idempotency_key", "a"), None).await;
    assert_eq!(again.body["id"], alias.body["id"]);
    for _ in 0..2 {
        let blank = create(&world, &body("idempotency_key", " "), None).await;
        assert_eq!(blank.status, 201, "{}", blank.body);
        assert!(!blank.headers.contains_key("idempotent-replayed"));
    }
    let long = create(&world, &body("idempotency_key", &"k".repeat(256)), None).await;
    assert_envelope(&long, 400);
    let reused = json!({"content": "Coffee.", "metadata": {"idempotency_key": "k"}});
    assert_envelope(&create(&world, &reused, None).await, 422);
}

#[tokio::test]
async fn idempotency_a_change_under_a_key_is_made_once() {
    let world = World::start().await;
    let made = remember(&world, tea()).await;
    let change = |content: &str| {
        let request = world.request(Method::PATCH, &at(&made));
        let request = request.header("idempotency-key", "change-1");
        world.send(request.json(&json!({"content": content})))
    };
    let first = change("Coffee.").await;
    assert_eq!(
        (first.status, &first.body["version"]),
        (200, &json!(2)),
        "{}",
        first.body
    );
    let again = change("Coffee.").await;
    assert_eq!((again.status, &again.body), (200, &first.body));
    assert_eq!(again.headers["idempotent-replayed"], "true");
    let now = world.send(world.get(&at(&made))).await;
    assert_eq!(now.body["version"], 2, "{}", now.body);
    let reused = change("Cocoa.").await;
    assert_envelope(&reused, 422);
    assert_eq!(
        reused.body["error"]["details"]["reason"],
        "idempotency_key_reused"
    );
    // Without the key it is a change of its own.
    let other = send(
        &world,
        Method::PATCH,
        &at(&made),
        &json!({"content": "Cocoa."}),
    )
    .await;
    assert_eq!(other.body["version"], 3, "{}", other.body);
}

#[tokio::test]
async fn a_status_that_is_not_in_the_table_is_http_and_its_number() {
    let world = World::start().await;
    let long = "a".repeat(66_000);
    let mut raw = Raw::connect(world.address()).await;
    raw.send(format!(
        "GET {MEMORIES}/{long} HTTP/1.1\r\nhost: localhost\r\n\r\n"
    ))
    .await;
    let heard = raw.hear_out().await;
    assert_eq!(heard.status(), 414, "{heard:?}");
    let body: Value = serde_json::from_str(heard.body()).expect("JSON");
    assert_eq!(body["error"]["code"], "HTTP_414");
    assert_eq!(body["detail"], body["error"]["message"]);
}

#[tokio::test]
async fn idempotency_a_retry_short_circuits_to_the_original_response_and_takes_no_write_slot() {
    let world = World::start_with(|config| {
        config.limits.rates.using_per_second = 1;
        config.limits.rates.using_burst = 1;
    })
    .await;
    let first = create(&world, &tea(), Some("k")).await;
    assert_eq!(first.status, 201, "{}", first.body);
    assert!(!first.headers.contains_key("idempotent-replayed"));
    // More often than the caller may write.
    for _ in 0..10 {
        let again = create(&world, &tea(), Some("k")).await;
        assert_eq!((again.status, &again.body), (201, &first.body));
        assert_eq!(again.headers["idempotent-replayed"], "true");
    }
    let kept = world.send(world.get(MEMORIES)).await;
    assert_eq!(kept.body["data"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn idempotency_two_requests_without_a_key_are_two_memories_and_keys_of_apps_are_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |app| proscenium::keys::create(&file, app, 1).expect("a key");
    let [ours, theirs] = [key("ours"), key("theirs")];
    let world = World::start_with(|config| config.server.keys_file = file.clone()).await;
    let mut made = Vec::new();
    let world = world.with_bearer(&ours);
    for key in [None, None, Some("k")] {
        made.push(create(&world, &tea(), key).await.body["id"].clone());
    }
    let world = world.with_bearer(&theirs);
    made.push(create(&world, &tea(), Some("k")).await.body["id"].clone());
    for (at, id) in made.iter().enumerate() {
        assert!(id.is_string() && !made[..at].contains(id), "{made:?}");
    }
}

#[tokio::test]
async fn idempotency_a_key_reused_with_another_body_is_refused_and_one_of_a_failure_is_free() {
    let world = World::start().await;
    // A refused attempt leaves its key free.
    assert_envelope(
        &create(&world, &json!({"content": ""}), Some("k")).await,
        422,
    );
    let first = create(&world, &tea(), Some("k")).await;
    assert_eq!(first.status, 201, "{}", first.body);
    let reused = create(&world, &json!({"content": "Coffee."}), Some("k")).await;
    assert_envelope(&reused, 422);
    let details = &reused.body["error"]["details"];
    assert_eq!(details["reason"], "idempotency_key_reused");
    assert!(reused.body["detail"].is_string(), "{}", reused.body);
}

#[tokio::test]
async fn idempotency_while_the_first_request_is_in_progress_another_is_a_conflict() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    let file = path.clone();
    let world = World::start_with(|config| {
        config.brain.path = file;
        config.limits.idempotency.wait_s = 0;
    })
    .await;
    let other = rusqlite::Connection::open(&path).expect("the database");
    // Whichever comes first waits for this one.
    other
        .execute_batch("BEGIN IMMEDIATE")
        .expect("the turn to write");
    let body = tea();
    let mut answers: FuturesUnordered<_> =
        (0..2).map(|_| create(&world, &body, Some("k"))).collect();
    let refused = answers.next().await.expect("an answer");
    other.execute_batch("ROLLBACK").expect("an end");
    assert_envelope(&refused, 409);
    let details = &refused.body["error"]["details"];
    assert_eq!(details["reason"], "idempotency_in_progress");
    assert_eq!(details["retry_after_ms"], 1_000);
    let made = answers.next().await.expect("an answer");
    assert_eq!(made.status, 201, "{}", made.body);
    let again = create(&world, &body, Some("k")).await;
    assert_eq!((again.status, &again.body), (201, &made.body));
}
