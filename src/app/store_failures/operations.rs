//! Above a store that fails now and then, an agent that does what it is told gets everything done.

use reqwest::Method;
use serde_json::{Value, json};

use super::world::{Faulty, Server, Shown, assert_says_wait, draft, next};
use crate::adapters::battery::Mode;

/// How often a call is made at most until it succeeds.
const ATTEMPTS_MAX: usize = 20;

/// A session, and what its agent knows it to be.
struct Kept {
    shown: Shown,
    note: String,
    version: u64,
    /// What was acknowledged of the log, oldest first.
    items: Vec<String>,
}

impl Server {
    /// Negotiates and renders, and begins again where nobody knows what became of a render.
    async fn insist_on_showing(&self, intent: &str, note: &str) -> Kept {
        let agreed = self.insist("ggui_handshake", draft(intent)).await;
        let mut handshake = agreed["handshakeId"].clone();
        for _ in 0..ATTEMPTS_MAX {
            let props = json!({"note": note});
            let arguments = json!({"handshakeId": handshake, "props": props});
            let answer = self.call("ggui_render", arguments).await;
            let result = &answer.body["result"];
            if answer.body["error"].is_object() {
                assert_says_wait(&answer, "ggui_render");
            } else if result["isError"] == true {
                let code = &result["structuredContent"]["error"]["code"];
                assert_eq!(code, "handshake_not_found", "{}", answer.body);
                let agreed = self.insist("ggui_handshake", draft(intent)).await;
                handshake = agreed["handshakeId"].clone();
            } else {
                let session = result["structuredContent"]["sessionId"].as_str().unwrap();
                let shown = Shown {
                    session: session.to_owned(),
                    result: result.clone(),
                };
                return Kept {
                    shown,
                    note: note.to_owned(),
                    version: 1,
                    items: Vec::new(),
                };
            }
        }
        panic!("nothing is rendered");
    }

    /// Changes props once: a version that is already there tells that an earlier attempt did it.
    async fn insist_on_changing(&self, tool: &str, kept: &mut Kept, note: &str) {
        kept.note = note.to_owned();
        for _ in 0..ATTEMPTS_MAX {
            let arguments = json!({
                "sessionId": kept.shown.session, "kind": "merge", "patch": {"note": note},
                "expectedVersion": kept.version,
            });
            let answer = self.call(tool, arguments).await;
            let result = &answer.body["result"];
            if answer.body["error"].is_object() {
                assert_says_wait(&answer, tool);
                continue;
            }
            if result["isError"] == true {
                let error = &result["structuredContent"]["error"];
                assert_eq!(error["code"], "version_conflict", "{}", answer.body);
                let current = &error["details"]["current_version"];
                assert_eq!(current, kept.version + 1, "{}", answer.body);
            }
            kept.version += 1;
            return;
        }
        panic!("{tool} does not succeed");
    }

    /// A REST call, made again as long as the store is not there; its last status.
    async fn insist_on(&self, method: Method, path: &str) -> u16 {
        for _ in 0..ATTEMPTS_MAX {
            let answer = self.request(method.clone(), path, None).await;
            if answer.status != 503 {
                return answer.status;
            }
            assert_eq!(answer.wait, 1, "{path}: {}", answer.body);
        }
        panic!("{path} does not succeed");
    }

    async fn state(&self, session: &str) -> Value {
        self.insist("ggui_get_session", json!({"sessionId": session}))
            .await
    }

    /// The items of the log that a browser is given which comes late.
    pub(super) async fn items(&self, shown: &Shown, marker: &str) -> Vec<String> {
        let (mut socket, _) = self.subscribe_from(shown, Some(0)).await;
        let last = json!({
            "sessionId": shown.session, "channel": "log", "payload": marker,
        });
        self.insist("ggui_emit", last).await;
        let mut items = Vec::new();
        loop {
            let frame = next(&mut socket).await;
            if frame["type"] != "data" || frame["payload"]["channel"] != "log" {
                continue;
            }
            let item = frame["payload"]["payload"].as_str().unwrap().to_owned();
            if item == marker {
                return items;
            }
            items.push(item);
        }
    }
}

/// Everything an agent writes; `is_looked_at`: whether the server can find out at once what became of
/// a write.
async fn everything_is_done(mode: Mode, is_looked_at: bool) {
    let stores = Faulty::new();
    let server = stores.server().await;
    stores.fail(mode);
    let mut all = Vec::new();
    for number in 0..4 {
        let mut kept = server
            .insist_on_showing(&format!("Test {number}"), "first")
            .await;
        for round in 0..4 {
            let note = format!("note {number}.{round}");
            server
                .insist_on_changing("ggui_update", &mut kept, &note)
                .await;
            let note = format!("amended {number}.{round}");
            server
                .insist_on_changing("ggui_amend", &mut kept, &note)
                .await;
            let item = format!("item {number}.{round}");
            let arguments = json!({
                "sessionId": kept.shown.session, "channel": "log", "payload": item,
            });
            server.insist("ggui_emit", arguments).await;
            kept.items.push(item);
        }
        all.push(kept);
    }
    let deleted = all.pop().unwrap().shown.session;
    let path = format!("/api/v1/sessions/{deleted}");
    let status = server.insist_on(Method::DELETE, &path).await;
    // An earlier attempt may have done it.
    assert!([204, 404].contains(&status), "{mode:?}: {status}");
    let stored = server
        .insist("ggui_search_blueprints", json!({"query": "test"}))
        .await;
    let blueprint = stored["results"][0]["id"].as_str();
    let blueprint = blueprint.unwrap_or_else(|| panic!("{stored}")).to_owned();
    let of_blueprint = format!("/api/v1/blueprints/{blueprint}");
    let status = server.insist_on(Method::DELETE, &of_blueprint).await;
    assert!([204, 404].contains(&status), "{mode:?}: {status}");
    stores.fail(Mode::Sound);
    // Another server finds in the store what this one knows.
    let found = stores.server().await;
    for at in [&server, &found] {
        assert_eq!(at.insist_on(Method::GET, &path).await, 404, "{mode:?}");
        assert_eq!(
            at.insist_on(Method::GET, &of_blueprint).await,
            404,
            "{mode:?}"
        );
        for kept in &all {
            let state = at.state(&kept.shown.session).await;
            assert_eq!(state["props"]["note"], kept.note, "{mode:?}");
            assert_eq!(state["version"], kept.version, "{mode:?}");
            assert_eq!(state["epoch"], 4, "{mode:?}");
        }
    }
    for kept in &all {
        let mut items = server.items(&kept.shown, "the end").await;
        if !is_looked_at {
            // What was not acknowledged may have happened all the same, and was asked for again.
            items.dedup();
        }
        assert_eq!(items, kept.items, "{mode:?}");
    }
    assert_eq!(server.running.fold_check()().await, Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn above_a_store_that_fails_on_every_nth_call_everything_is_done_once() {
    for every in [3, 4, 5] {
        everything_is_done(Mode::Nth(every), true).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn above_a_store_that_fails_after_it_has_written_everything_is_done() {
    // Where each write fails, so does the one that is made to learn what became of the first.
    for every in [2, 3, 4] {
        everything_is_done(Mode::AfterWrite(every), true).await;
        everything_is_done(Mode::AfterWriteBlind(every + 1), false).await;
    }
}
