//! Above a page store that fails, every door says when to come back, and each page is written once.

use reqwest::Method;
use serde_json::{Value, json};

use super::world::{Answer, Faulty, Server};
use crate::adapters::battery::Mode;
use crate::wire::fault::{Code, Endpoint, Era};

/// Attempts until a store that fails now and then has done everything: more than any mode needs.
const ATTEMPTS_MAX: usize = 20;

async fn brain(server: &Server, tool: &str, arguments: Value) -> Answer {
    let params = json!({"name": tool, "arguments": arguments});
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
    server
        .request(Method::POST, "/mcp/brain", Some(&body))
        .await
}

fn number(code: Code) -> Option<i64> {
    code.number(Era::Legacy, Endpoint::Brain).map(i64::from)
}

#[track_caller]
fn assert_says_wait(answer: &Answer, what: &str) {
    let Answer { status, wait, body } = answer;
    assert_eq!((*status, *wait), (200, 1), "{what}: {body}");
    let error = &body["error"];
    let number = number(Code::BrainInternal);
    assert_eq!(error["code"], json!(number), "{what}: {body}");
    assert_eq!(error["data"]["retry"]["after_ms"], 1_000, "{what}: {body}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_page_store_does_not_answer_every_door_says_when_to_come_back() {
    let stores = Faulty::new();
    let server = stores.server().await;
    let made = json!({"content": "Tea is served at four."});
    let made = server.request(Method::POST, "/api/v1/memories", Some(&made));
    let made = made.await.body;
    let memory = format!("/api/v1/memories/{}", made["id"].as_str().unwrap());
    stores.pages.fail(Mode::Every);
    for (tool, arguments) in [
        ("brain_put", json!({"slug": "notes/tea", "content": "Tea."})),
        ("brain_get", json!({"slug": "notes/tea"})),
        ("brain_query", json!({"query": "tea"})),
        ("brain_list", json!({})),
    ] {
        assert_says_wait(&brain(&server, tool, arguments).await, tool);
    }
    let found = json!({"query": "tea"});
    let changed = json!({"content": "Coffee.", "expected_version": 1});
    for (method, path, body) in [
        (Method::GET, "/api/v1/memories", None),
        (
            Method::POST,
            "/api/v1/memories",
            Some(json!({"content": "Coffee."})),
        ),
        (Method::GET, memory.as_str(), None),
        (Method::PATCH, memory.as_str(), Some(changed)),
        (Method::DELETE, memory.as_str(), None),
        (Method::POST, "/api/v1/search", Some(found)),
    ] {
        let what = format!("{method} {path}");
        let answer = server.request(method, path, body.as_ref()).await;
        let (status, wait) = (answer.status, answer.wait);
        assert_eq!((status, wait), (503, 1), "{what}: {}", answer.body);
    }
    stores.pages.fail(Mode::Sound);
    let read = server.request(Method::GET, &memory, None).await;
    assert_eq!((read.status, &read.body), (200, &made));
}

/// Writes a page until it stands at a version, as an agent does that is told to come back.
async fn write(server: &Server, slug: &str, version: i64) {
    let mut arguments = json!({"slug": slug, "content": format!("Version {version}.")});
    if version > 1 {
        arguments["expected_version"] = json!(version - 1);
    }
    for _ in 0..ATTEMPTS_MAX {
        let answer = brain(server, "brain_put", arguments.clone()).await;
        match answer.body["error"]["code"].as_i64() {
            None => return,
            // An earlier attempt has done it.
            conflict if conflict == number(Code::BrainConflict) => {
                let current = &answer.body["error"]["data"]["current_version"];
                assert_eq!(*current, version, "{slug}: {}", answer.body);
                return;
            }
            Some(_) => assert_says_wait(&answer, slug),
        }
    }
    panic!("{slug} is never written");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn above_a_page_store_that_fails_now_and_then_every_version_is_written_once() {
    const VERSIONS: i64 = 4;
    for mode in [Mode::Nth(7), Mode::AfterWrite(2), Mode::AfterWriteBlind(3)] {
        let stores = Faulty::new();
        let server = stores.server().await;
        stores.pages.fail(mode);
        let slugs: Vec<_> = (0..3)
            .map(|number| format!("notes/page-{number}"))
            .collect();
        for version in 1..=VERSIONS {
            for slug in &slugs {
                write(&server, slug, version).await;
            }
        }
        stores.pages.fail(Mode::Sound);
        for slug in &slugs {
            let path = format!("/api/v1/memories/{}/versions", slug.replace('/', "%2F"));
            let kept = server.request(Method::GET, &path, None).await.body;
            let kept = kept.to_string();
            for version in 1..=VERSIONS {
                let text = format!("Version {version}.");
                assert!(kept.matches(&text).count() <= 1, "{mode:?}: {kept}");
            }
            let read = brain(&server, "brain_get", json!({"slug": slug})).await;
            let text = read.body.to_string();
            assert!(
                text.contains(&format!("Version {VERSIONS}.")),
                "{mode:?}: {text}"
            );
        }
    }
}
