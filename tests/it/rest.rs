//! `/api/v1`: resources, each response as described in OpenAPI.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::{Answer, World};

/// The OpenAPI description in the repository.
static OPENAPI: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../schemas/openapi.json")).unwrap());

/// Checks a response against the description of its path and method.
#[track_caller]
pub(crate) fn assert_described(answer: &Answer, method: &str, path: &str) {
    let status = answer.status.to_string();
    let mut described = &OPENAPI["paths"][path][method]["responses"][&status];
    if let Some(reference) = described["$ref"].as_str() {
        described = OPENAPI.pointer(reference.trim_start_matches('#')).unwrap();
    }
    assert!(
        described.is_object(),
        "{method} {path} {status}: {}",
        answer.body
    );
    assert!(answer.headers.contains_key("x-request-id"));
    let content = &described["content"]["application/json"]["schema"];
    if content.is_null() {
        assert_eq!(answer.body, "", "{method} {path} {status}");
        return;
    }
    assert_eq!(answer.headers["content-type"], "application/json");
    let mut schema = content.clone();
    schema["components"] = OPENAPI["components"].clone();
    let validator = jsonschema::draft202012::new(&schema).expect("a sound schema");
    let problems: Vec<_> = validator
        .iter_errors(&answer.body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        problems.is_empty(),
        "{method} {path} {status}: {problems:?}"
    );
}

async fn get(world: &World, path: &str, described: &str) -> Answer {
    let answer = world.send(world.get(&format!("/api/v1{path}"))).await;
    assert_described(&answer, "get", described);
    answer
}

async fn delete(world: &World, session: &str, key: Option<&str>) -> Answer {
    let path = format!("/sessions/{session}");
    delete_at(world, &path, key, "/sessions/{sessionId}").await
}

async fn delete_at(world: &World, path: &str, key: Option<&str>, described: &str) -> Answer {
    let mut request = world.delete(&format!("/api/v1{path}"));
    if let Some(key) = key {
        request = request.header("idempotency-key", key);
    }
    let answer = world.send(request).await;
    assert_described(&answer, "delete", described);
    answer
}

fn ids(page: &Answer) -> Vec<String> {
    let rows = page.body["data"].as_array().expect("rows").iter();
    rows.map(|row| row["id"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn sessions_are_listed_newest_first_a_page_at_a_time() {
    let world = World::start().await;
    let mut shown = Vec::new();
    for _ in 0..5 {
        shown.push(world.show(basket(), basket_props()).await.session);
        world.clock.advance(std::time::Duration::from_secs(1));
    }
    shown.reverse();
    let mut found = Vec::new();
    let mut path = "/sessions?limit=2".to_owned();
    loop {
        let page = get(&world, &path, "/sessions").await;
        assert!(ids(&page).len() <= 2);
        found.extend(ids(&page));
        match page.body["nextCursor"].as_str() {
            Some(cursor) => path = format!("/sessions?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(found, shown);
    let all = get(&world, "/sessions", "/sessions").await;
    assert_eq!(ids(&all), shown);
    assert!(all.body["nextCursor"].is_null());
    // A session that ends between two pages does not remove others.
    let page = get(&world, "/sessions?limit=2", "/sessions").await;
    let cursor = page.body["nextCursor"].as_str().unwrap().to_owned();
    delete(&world, &shown[1], None).await;
    let path = format!("/sessions?cursor={cursor}");
    assert_eq!(ids(&get(&world, &path, "/sessions").await), &shown[2..]);
}

#[tokio::test]
async fn a_session_is_read_and_ended_for_everybody_who_watches_or_waits() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let path = format!("/sessions/{}", shown.session);
    let read = get(&world, &path, "/sessions/{sessionId}").await;
    assert_eq!(read.body["props"], basket_props());
    let wait = json!({"sessionId": shown.session, "timeout": 20});
    let polling = async {
        while browser.frame("data").await["payload"]["payload"]["kind"] != "consume_polling" {}
        delete(&world, &shown.session, None).await
    };
    let (waited, ended) = tokio::join!(world.tool("ggui_consume", wait), polling);
    assert_eq!((ended.status, &ended.body), (204, &json!("")));
    assert_eq!(waited["status"], "expired");
    assert_eq!(browser.closed().await, (1008, "session_expired".to_owned()));
    let gone = get(&world, &path, "/sessions/{sessionId}").await;
    assert_eq!(gone.status, 404);
    assert_eq!(gone.body["detail"], "Session not found");
    assert_eq!(
        gone.body["error"],
        json!({"code": "NOT_FOUND", "message": "Session not found"})
    );
    assert_eq!(delete(&world, &shown.session, None).await.status, 404);
}

#[tokio::test]
async fn a_repeated_delete_with_the_same_key_gets_the_same_response() {
    let world = World::start().await;
    let [one, other] = [
        world.show(basket(), basket_props()).await.session,
        world.show(basket(), basket_props()).await.session,
    ];
    let first = delete(&world, &one, Some("k")).await;
    assert_eq!(
        (first.status, first.headers.get("idempotent-replayed")),
        (204, None)
    );
    let again = delete(&world, &one, Some("k")).await;
    assert_eq!(again.status, 204);
    assert_eq!(again.headers["idempotent-replayed"], "true");
    let reused = delete(&world, &other, Some("k")).await;
    assert_eq!(reused.status, 422);
    assert_eq!(reused.body["error"]["code"], "INVALID_ARGUMENTS");
    assert_eq!(
        reused.body["error"]["details"]["reason"],
        "idempotency_key_reused"
    );
    let blank = delete(&world, &other, Some("  ")).await;
    assert_eq!(
        (blank.status, &blank.body["error"]["code"]),
        (400, &json!("BAD_REQUEST"))
    );
    assert_eq!(delete(&world, &other, None).await.status, 204);
}

/// A separate contract for each name.
fn named(name: &str) -> Value {
    json!({"actionSpec": {name: {"label": name}}})
}

#[tokio::test]
async fn blueprints_are_listed_newest_first_read_whole_and_forgotten() {
    const ONE: &str = "/blueprints/{blueprintId}";
    let world = World::start().await;
    let mut stored = Vec::new();
    for name in ["one", "two", "three"] {
        let shown = world.show(named(name), json!({})).await;
        let id = shown.result["structuredContent"]["blueprintId"].clone();
        stored.push(id.as_str().expect("an id").to_owned());
        world.clock.advance(std::time::Duration::from_secs(1));
    }
    stored.reverse();
    let first = get(&world, "/blueprints?limit=2", "/blueprints").await;
    assert_eq!(ids(&first), &stored[..2]);
    let cursor = first.body["nextCursor"].as_str().expect("a next page");
    let path = format!("/blueprints?limit=2&cursor={cursor}");
    let second = get(&world, &path, "/blueprints").await;
    assert_eq!(ids(&second), &stored[2..]);
    assert!(second.body["nextCursor"].is_null());

    let path = format!("/blueprints/{}", stored[0]);
    let read = get(&world, &path, ONE).await;
    assert_eq!(read.body["contract"], named("three"));
    let components = &read.body["view"]["view"]["components"];
    assert!(components.as_array().is_some_and(|all| !all.is_empty()));
    for member in ["hits", "name", "variantKey", "createdAt"] {
        assert_eq!(read.body[member], first.body["data"][0][member], "{member}");
    }

    let ended = delete_at(&world, &path, Some("k"), ONE).await;
    assert_eq!((ended.status, &ended.body), (204, &json!("")));
    let again = delete_at(&world, &path, Some("k"), ONE).await;
    assert_eq!(again.headers["idempotent-replayed"], "true");
    let gone = get(&world, &path, ONE).await;
    assert_eq!(
        (gone.status, &gone.body["detail"]),
        (404, &json!("Blueprint not found"))
    );
    assert_eq!(delete_at(&world, &path, None, ONE).await.body, gone.body);
    assert_eq!(
        ids(&get(&world, "/blueprints", "/blueprints").await),
        &stored[1..]
    );
    // A deleted blueprint is created again; the others are found again.
    for (name, action) in [("three", "create"), ("two", "reuse")] {
        let draft = json!({"intent": "A test", "blueprintDraft": {"contract": named(name)}});
        let agreed = world.tool("ggui_handshake", draft).await;
        assert_eq!(agreed["action"], action, "{name}");
    }
}

#[tokio::test]
async fn a_blueprint_is_forgotten_by_a_key_of_its_own_app_with_all_trust_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |app, trust| proscenium::keys::create(&file, app, trust).expect("a key");
    let [agent, chief, foreign] = [key("ours", 2), key("ours", 3), key("theirs", 3)];
    let world = World::start_with(|config| config.server.keys_file = file.clone()).await;
    let world = world.with_bearer(&agent);
    let shown = world.show(basket(), basket_props()).await;
    let id = shown.result["structuredContent"]["blueprintId"].as_str();
    let path = format!("/blueprints/{}", id.expect("an id"));
    let one = "/blueprints/{blueprintId}";
    let denied = delete_at(&world, &path, None, one).await;
    assert_eq!(
        (denied.status, &denied.body["error"]["code"]),
        (403, &json!("FORBIDDEN"))
    );
    let details = &denied.body["error"]["details"];
    assert_eq!(
        (&details["required_level"], &details["trust_level"]),
        (&json!(3), &json!(2))
    );
    let world = world.with_bearer(&foreign);
    assert!(ids(&get(&world, "/blueprints", "/blueprints").await).is_empty());
    assert_eq!(delete_at(&world, &path, None, one).await.status, 404);
    let world = world.with_bearer(&chief);
    assert_eq!(delete_at(&world, &path, None, one).await.status, 204);
}

#[tokio::test]
async fn the_faults_are_a_list_and_each_has_a_page() {
    let world = World::start().await;
    let page = get(&world, "/faults?limit=100", "/faults").await;
    let rows = page.body["data"].as_array().unwrap();
    assert!(rows.len() > 50, "{}", rows.len());
    let one = get(&world, "/faults/SESSION_NOT_FOUND", "/faults/{name}").await;
    assert_eq!(
        (&one.body["number"], &one.body["status"]),
        (&json!(-32002), &json!(404))
    );
    let none = get(&world, "/faults/NO_SUCH_FAULT", "/faults/{name}").await;
    assert_eq!(none.status, 404);
}

#[tokio::test]
async fn all_problems_of_a_query_are_listed_in_both_members() {
    let world = World::start().await;
    for list in ["sessions", "blueprints", "faults"] {
        let path = format!("/{list}?limit=0&cursor=%25&colour=red");
        let refused = get(&world, &path, &format!("/{list}")).await;
        assert_eq!(refused.status, 422);
        assert_eq!(refused.body["detail"].as_array().map(Vec::len), Some(3));
        assert_eq!(
            refused.body["detail"],
            refused.body["error"]["details"]["errors"]
        );
        assert_eq!(refused.body["detail"][0]["loc"], json!(["query", "limit"]));
    }
}

#[tokio::test]
async fn the_description_is_served_and_names_every_path_that_answers() {
    let world = World::start().await;
    let served = get(&world, "/openapi.json", "/openapi.json").await;
    assert_eq!(served.body, *OPENAPI);
    assert_eq!(served.body["openapi"], "3.1.0");
    for (path, item) in OPENAPI["paths"].as_object().unwrap() {
        let address = path
            .replace("{sessionId}", "none")
            .replace("{blueprintId}", "none")
            .replace("{memoryId}", "none")
            .replace("{version}", "1")
            .replace("{name}", "NONE");
        for (method, allowed) in [
            ("GET", "get"),
            ("DELETE", "delete"),
            ("PATCH", "patch"),
            ("POST", "post"),
        ] {
            let method = reqwest::Method::from_bytes(method.as_bytes()).unwrap();
            let request = world.request(method, &format!("/api/v1{address}"));
            let request = request
                .header("content-type", "application/json")
                .body("{}");
            let answer = world.send(request).await;
            if item[allowed].is_object() {
                assert_described(&answer, allowed, path);
            } else {
                assert_eq!(answer.status, 405, "{allowed} {path}");
                assert_eq!(answer.body["error"]["code"], "METHOD_NOT_ALLOWED");
            }
        }
    }
}

#[tokio::test]
async fn credentials_have_the_same_rights_here_and_foreign_pages_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [owner, peer, reader] =
        [1, 1, 0].map(|trust| proscenium::keys::create(&file, "ours", trust).expect("a key"));
    let consumer = ["ggui_consume".to_owned()];
    let scoped = proscenium::keys::create_scoped(&file, "ours", 2, &consumer).expect("a key");
    let world = World::start_with(|config| config.server.keys_file = file).await;
    for path in ["/sessions", "/blueprints", "/faults"] {
        assert_eq!(get(&world, path, path).await.status, 401);
    }
    let world = world.with_bearer(&owner);
    let session = world.show(basket(), basket_props()).await.session;
    assert_eq!(
        ids(&get(&world, "/sessions", "/sessions").await),
        std::slice::from_ref(&session)
    );
    let evil = world
        .get("/api/v1/sessions")
        .header("origin", "https://evil.example");
    let evil = world.send(evil).await;
    assert_described(&evil, "get", "/sessions");
    assert_eq!(evil.status, 403);
    let world = world.with_bearer(&peer);
    assert!(ids(&get(&world, "/sessions", "/sessions").await).is_empty());
    assert_eq!(delete(&world, &session, None).await.status, 404);
    let world = world.with_bearer(&reader);
    let denied = delete(&world, &session, None).await;
    assert_eq!(denied.status, 403);
    assert_eq!(denied.body["error"]["code"], "FORBIDDEN");
    assert_eq!(denied.body["error"]["details"]["required_level"], 1);
    assert_eq!(denied.body["error"]["details"]["trust_level"], 0);
    let world = world.with_bearer(&scoped);
    assert_eq!(get(&world, "/sessions", "/sessions").await.status, 403);
}
