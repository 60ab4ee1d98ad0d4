//! Memories over REST: created, read, changed, found and forgotten, each by its id.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::Pages;
use crate::rest::assert_described;
use crate::stranger::NOWHERE;
use crate::world::{Answer, World};

pub(super) const MEMORIES: &str = "/api/v1/memories";

/// A request with a JSON body.
pub(super) async fn send(world: &World, method: Method, path: &str, body: &Value) -> Answer {
    let request = world.request(method, path);
    let request = request
        .header("content-type", "application/json")
        .body(body.to_string());
    world.send(request).await
}

/// The path of a memory's address as it is described.
const ONE: &str = "/memories/{memoryId}";

/// A memory that must be made.
pub(super) async fn remember(world: &World, body: Value) -> Value {
    let made = send(world, Method::POST, MEMORIES, &body).await;
    assert_eq!(made.status, 201, "{}", made.body);
    assert_described(&made, "post", "/memories");
    made.body
}

pub(super) fn at(memory: &Value) -> String {
    format!("{MEMORIES}/{}", memory["id"].as_str().expect("an id"))
}

async fn get(world: &World, path: &str) -> Answer {
    let answer = world.send(world.get(path)).await;
    let (path, _) = path.split_once('?').unwrap_or((path, ""));
    let path = path.trim_start_matches(MEMORIES);
    let described = match path.split('/').collect::<Vec<_>>().as_slice() {
        [_] => "/memories",
        [_, _] => ONE,
        [_, _, "versions"] => "/memories/{memoryId}/versions",
        _ => "/memories/{memoryId}/versions/{version}",
    };
    assert_described(&answer, "get", described);
    answer
}

fn ids(list: &Answer) -> Vec<&Value> {
    let rows = list.body["data"].as_array().expect("rows").iter();
    rows.map(|row| &row["id"]).collect()
}

#[tokio::test]
async fn a_memory_is_a_page_that_tools_find_read_and_change() {
    let pages = Pages::start().await;
    let text = "Tea is served at [[places/garden]].\r\n---\nNot a timeline of mine.\n";
    let made = remember(
        &pages.0,
        json!({
            "content": text,
            "agent_id": "bo",
            "memory_type": "preference",
            "title": "Tea at \"four\"",
            "source_uri": "https://example.org/tea",
            "metadata": {"cups": 2, "with": {"milk": false}},
        }),
    )
    .await;
    assert_eq!(made["content"], text);
    assert_eq!(made["title"], "Tea at \"four\"");
    assert_eq!(
        made["metadata"],
        json!({"cups": 2, "with": {"milk": false}})
    );
    assert_eq!(
        (&made["version"], &made["agent_id"]),
        (&json!(1), &json!("bo"))
    );
    assert_eq!(made["source_uri"], "https://example.org/tea");
    let id = made["id"].as_str().expect("an id");
    let slug = format!("memories/{id}");
    assert_eq!(made["slug"], format!("default::{slug}"));
    assert_eq!(get(&pages.0, &at(&made)).await.body, made);
    // By its slug, too.
    let by_slug = format!("{MEMORIES}/{}", slug.replace('/', "%2F"));
    assert_eq!(get(&pages.0, &by_slug).await.body, made);

    let read = pages.call("brain_get", json!({"slug": slug})).await;
    let read = &read["structuredContent"];
    assert_eq!(
        (&read["uuid"], &read["type"]),
        (&made["id"], &json!("preference"))
    );
    let found = pages.json("brain_search", json!({"query": "served"})).await;
    assert_eq!(found[0]["slug"], made["slug"]);
    let change = json!({"slug": slug, "content": "Coffee.", "expected_version": 1});
    pages.call("brain_put", change).await;
    let changed = get(&pages.0, &at(&made)).await.body;
    assert_eq!(
        (&changed["content"], &changed["version"]),
        (&json!("Coffee."), &json!(2))
    );
    // What its page does not say any more is said by nobody.
    assert_eq!(
        (&changed["agent_id"], &changed["metadata"]),
        (&Value::Null, &json!({}))
    );
}

#[tokio::test]
async fn a_page_of_the_tools_is_a_memory_with_its_text_to_the_last_byte() {
    let pages = Pages::start().await;
    let page = "---\r\ntitle: Ida\r\ntags: [vip]\r\n---\r\nRuns Acme.\r\n---\r\n- 2026-04 joined";
    pages.put("people/ida", page).await;
    let memory = get(&pages.0, &format!("{MEMORIES}/people%2Fida"))
        .await
        .body;
    assert_eq!(memory["content"], "Runs Acme.\r\n---\r\n- 2026-04 joined");
    assert_eq!(
        (&memory["title"], &memory["tags"]),
        (&json!("Ida"), &json!(["vip"]))
    );
    // Only what is named changes.
    let patch = json!({"content": "Left Acme.", "expected_version": 1});
    let changed = send(&pages.0, Method::PATCH, &at(&memory), &patch).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_described(&changed, "patch", ONE);
    assert_eq!(changed.body["content"], "Left Acme.");
    let source = pages
        .rpc(
            "resources/read",
            json!({"uri": "brain://default/people/ida"}),
        )
        .await;
    let source = &source.body["result"]["contents"][0]["text"];
    assert_eq!(
        source,
        "---\r\ntitle: Ida\r\ntags: [vip]\r\n---\r\nLeft Acme."
    );
}

#[tokio::test]
async fn a_change_is_made_on_its_version_and_a_stale_one_is_told_the_present_one() {
    let world = World::start().await;
    let made = remember(&world, json!({"content": "One.", "title": "T"})).await;
    let path = at(&made);
    let patch = json!({"content": "Two.", "metadata": {"a": 1}, "expected_version": 1.0});
    let changed = send(&world, Method::PATCH, &path, &patch).await.body;
    assert_eq!(
        (&changed["version"], &changed["title"]),
        (&json!(2), &json!("T"))
    );
    assert_eq!(changed["metadata"], json!({"a": 1}));
    let stale = send(&world, Method::PATCH, &path, &patch).await;
    assert_described(&stale, "patch", ONE);
    assert_eq!(
        (stale.status, &stale.body["error"]["code"]),
        (409, &json!("CONFLICT"))
    );
    let details = json!({"current_version": 2, "expected_version": 1});
    assert_eq!(stale.body["error"]["details"], details);
    // Nothing is changed, and nothing is written, by nothing.
    let same = send(&world, Method::PATCH, &path, &json!({})).await.body;
    assert_eq!(same, changed);
    let versions = get(&world, &format!("{path}/versions")).await.body;
    let numbers: Vec<_> = versions["data"].as_array().expect("rows").iter().collect();
    assert_eq!(numbers.len(), 2, "{versions}");
    assert_eq!(
        (&numbers[0]["version"], &numbers[1]["version"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(numbers[0]["written_by"], "builder");
    let first = get(&world, &format!("{path}/versions/1")).await.body;
    assert_eq!(
        (&first["content"], &first["title"]),
        (&json!("One."), &json!("T"))
    );
    for none in ["3", "0", "x", "-1"] {
        let gone = get(&world, &format!("{path}/versions/{none}")).await;
        assert_eq!(
            (gone.status, &gone.body["detail"]),
            (404, &json!("Version not found"))
        );
    }
    let page = get(&world, &format!("{path}/versions?limit=1")).await.body;
    let cursor = page["nextCursor"].as_str().expect("a cursor");
    let page = get(&world, &format!("{path}/versions?limit=1&cursor={cursor}"))
        .await
        .body;
    assert_eq!(
        (&page["data"][0]["version"], &page["nextCursor"]),
        (&json!(1), &Value::Null)
    );
}

#[tokio::test]
async fn a_memory_that_is_deleted_is_gone_with_its_versions_and_its_links() {
    let pages = Pages::start().await;
    let made = remember(&pages.0, json!({"content": "To [[people/ida]]."})).await;
    pages.put("people/ida", "Ida.").await;
    let backlinks = json!({"slug": "people/ida"});
    let links = pages.json("brain_backlinks", backlinks.clone()).await;
    assert_eq!(links.as_array().map(Vec::len), Some(1));
    let path = at(&made);
    let request = pages.0.delete(&path).header("idempotency-key", "k");
    let gone = pages.0.send(request).await;
    assert_described(&gone, "delete", ONE);
    assert_eq!((gone.status, &gone.body), (204, &json!("")));
    let request = pages.0.delete(&path).header("idempotency-key", "k");
    let again = pages.0.send(request).await;
    assert_eq!(again.headers["idempotent-replayed"], "true");
    for suffix in ["", "/versions", "/versions/1"] {
        assert_eq!(get(&pages.0, &format!("{path}{suffix}")).await.status, 404);
    }
    assert_eq!(pages.0.send(pages.0.delete(&path)).await.status, 404);
    assert_eq!(pages.json("brain_backlinks", backlinks).await, json!([]));
    let found = pages.json("brain_search", json!({"query": "people"})).await;
    let found = found.as_array().expect("rows").iter();
    assert!(
        found
            .map(|row| &row["slug"])
            .all(|slug| *slug != made["slug"])
    );
}

#[tokio::test]
async fn memories_are_listed_newest_first_a_page_at_a_time() {
    let world = World::start().await;
    let mut made = Vec::new();
    for number in 0..5 {
        made.push(remember(&world, json!({"content": format!("Number {number}.")})).await);
        world.clock.advance(Duration::from_secs(1));
    }
    made.reverse();
    let mut found = Vec::new();
    let mut path = format!("{MEMORIES}?limit=2");
    loop {
        let page = get(&world, &path).await;
        assert!(ids(&page).len() <= 2);
        found.extend(ids(&page).into_iter().cloned());
        match page.body["nextCursor"].as_str() {
            Some(cursor) => path = format!("{MEMORIES}?limit=2&cursor={cursor}"),
            None => break,
        }
    }
    let expected: Vec<_> = made.iter().map(|memory| memory["id"].clone()).collect();
    assert_eq!(found, expected);
    let row = &get(&world, &format!("{MEMORIES}?limit=1")).await.body["data"][0];
    for name in [
        "slug",
        "title",
        "memory_type",
        "version",
        "created_at",
        "updated_at",
    ] {
        assert_eq!(row[name], made[0][name], "{name}");
    }
    assert_eq!(row["summary"], "Number 4.");
    let no_cursor = get(&world, &format!("{MEMORIES}?cursor=eA")).await;
    assert_eq!(no_cursor.status, 422, "{}", no_cursor.body);
}

#[tokio::test]
async fn memories_are_found_by_their_words() {
    let world = World::start().await;
    let tea = remember(&world, json!({"content": "Tea is served at four."})).await;
    remember(&world, json!({"content": "The garden opens at nine."})).await;
    let search = async |body: Value| {
        let found = send(&world, Method::POST, "/api/v1/search", &body).await;
        assert_described(&found, "post", "/search");
        found
    };
    let found = search(json!({"query": "when is tea served", "limit": 1.0})).await;
    assert_eq!((found.status, ids(&found)), (200, vec![&tea["id"]]));
    assert!(
        found.body["data"][0]["snippet"]
            .as_str()
            .is_some_and(|text| text.contains("Tea"))
    );
    let nothing = search(json!({"query": "zeppelin"})).await;
    assert_eq!(ids(&nothing), Vec::<&Value>::new());
    let elsewhere = search(json!({"query": "tea", "collection": "nope"})).await;
    assert_eq!(elsewhere.status, 404, "{}", elsewhere.body);
    let unfit = search(json!({"query": "", "limit": 0, "colour": "red"})).await;
    assert_eq!(unfit.status, 422);
    assert_eq!(
        unfit.body["detail"].as_array().map(Vec::len),
        Some(3),
        "{}",
        unfit.body
    );
}

#[tokio::test]
async fn the_memories_of_another_app_answer_like_missing_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |app, trust| proscenium::keys::create(&file, app, trust).expect("a key");
    let [ours, theirs] = [key("ours", 3), key("theirs", 3)];
    let world = World::start_with(|config| config.server.keys_file = file.clone()).await;
    let world = world.with_bearer(&ours);
    let made = remember(&world, json!({"content": "Ours.", "tenant_id": "ours"})).await;
    assert_eq!(made["tenant_id"], "ours");
    let world = world.with_bearer(&theirs);
    let slug = made["slug"].as_str().expect("a slug").replace('/', "%2F");
    for (own, none) in [
        (
            made["id"].as_str().expect("an id").to_owned(),
            NOWHERE.to_owned(),
        ),
        (
            slug.clone(),
            slug.replace(made["id"].as_str().expect("an id"), NOWHERE),
        ),
    ] {
        for (method, suffix) in [
            (Method::GET, ""),
            (Method::PATCH, ""),
            (Method::DELETE, ""),
            (Method::GET, "/versions"),
            (Method::GET, "/versions/1"),
        ] {
            let [foreign, missing] = [&own, &none].map(|id| {
                let path = format!("{MEMORIES}/{id}{suffix}");
                let (world, method) = (&world, method.clone());
                async move { send(world, method, &path, &json!({"content": "x"})).await }
            });
            let (foreign, missing) = tokio::join!(foreign, missing);
            assert_eq!(foreign.status, 404, "{method} {suffix}");
            assert_eq!(foreign.body, missing.body, "{method} {suffix}");
        }
    }
    assert!(ids(&get(&world, MEMORIES).await).is_empty());
    let body = json!({"query": "ours"});
    assert!(ids(&send(&world, Method::POST, "/api/v1/search", &body).await).is_empty());
    let other = json!({"content": "x", "tenant_id": "ours"});
    let refused = send(&world, Method::POST, MEMORIES, &other).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (403, &json!("FORBIDDEN"))
    );
    let world = world.with_bearer(&ours);
    assert_eq!(get(&world, &at(&made)).await.body, made);
}
