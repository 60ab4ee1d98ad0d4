//! What people are asked about pages: nothing of a preference or of a question is kept before they agree.

use std::collections::HashSet;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;

use super::Pages;
use super::journal::{at_once, listed, page_with};
use super::kept::above;
use crate::browser::Browser;
use crate::contracts::basket;
use crate::world::{Answer, PATIENCE};

const COMPACT: &str =
    "---\ntitle: Density of tables\nprefers: compact rows\n---\nAsked on Monday.\n";
const ROOMY: &str = "---\ntitle: Density of tables\nprefers: roomy rows\n---\nAsked on Friday.\n";

async fn start() -> Pages {
    Pages::start_with(at_once).await
}

/// A card that a person has opened.
pub(super) struct Card {
    /// The address of the server.
    base: String,
    session: String,
    /// With which the person came, where one is needed.
    key: Option<String>,
    browser: Browser,
    pub(super) props: Value,
}

/// The sessions on the stage whose names begin like this.
async fn cards(pages: &Pages, begins: &str) -> HashSet<String> {
    let world = &pages.0;
    let mut feed = world.get("/stage/feed").send().await.expect("a feed");
    let mut text = String::new();
    while !text.contains("\n\n") {
        let chunk = timeout(PATIENCE, feed.chunk()).await.expect("in time");
        let chunk = chunk.expect("a stream").expect("a snapshot");
        text.push_str(&String::from_utf8_lossy(&chunk));
    }
    let line = text.lines().find_map(|line| line.strip_prefix("data: "));
    let snapshot: Value = serde_json::from_str(line.expect("data")).expect("JSON");
    let rows = snapshot["sessions"].as_array().expect("sessions").iter();
    let names = rows.map(|row| row["sessionId"].as_str().expect("an id").to_owned());
    names.filter(|name| name.starts_with(begins)).collect()
}

/// Opens a card as the stage does.
pub(super) async fn open(base: &str, session: &str) -> Card {
    open_with(base, session, None).await
}

/// The same with a key.
async fn open_with(base: &str, session: &str, key: Option<&str>) -> Card {
    let stays = reqwest::redirect::Policy::none();
    let http = reqwest::Client::builder().redirect(stays).build();
    let http = http.expect("a client");
    let mut frame = http.get(format!("{base}/stage/frame/{session}"));
    if let Some(key) = key {
        frame = frame.bearer_auth(key);
    }
    let frame = frame.send().await.expect("an answer");
    let location = frame.headers().get("location").expect("a frame");
    let location = location.to_str().expect("text");
    let (_, token) = location.split_once("wsToken=").expect("a token");
    let ws = base.replacen("http", "ws", 1);
    let socket = connect_async(format!("{ws}/ws?wsToken={token}")).await;
    let mut browser = Browser::on(socket.expect("a socket").0, session, token);
    let ack = browser.subscribe(json!({"fromSeq": 0})).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    let state = format!("{base}/api/sessions/{session}/state?wsToken={token}");
    let state = http.get(state).send().await.expect("an answer");
    let state: Value = state.json().await.expect("JSON");
    let props = state["ai.ggui/render"]["propsJson"].as_str();
    let props = serde_json::from_str(props.expect("props")).expect("JSON");
    Card {
        base: base.to_owned(),
        session: session.to_owned(),
        key: key.map(str::to_owned),
        browser,
        props,
    }
}

impl Card {
    /// Does something, and waits until the card says what became of it.
    pub(super) async fn decide(&mut self, action: &str, data: Value, says: &str) {
        let id = self.browser.act(action, data).await;
        self.browser.answer_to(&id).await;
        // What was said last is replayed, and what is said next follows.
        let mut again = open_with(&self.base, &self.session, self.key.as_deref()).await;
        let said = async {
            loop {
                let frame = again.browser.frame("data").await;
                if frame["payload"]["payload"]["state"] == says {
                    return;
                }
            }
        };
        let said = timeout(PATIENCE, said).await;
        assert!(said.is_ok(), "the card never said {says}");
    }
}

/// Puts a preference, and opens the card on which a person is asked about it.
async fn proposed(pages: &Pages, slug: &str, content: &str) -> Card {
    let put = json!({"slug": slug, "content": content});
    let asked = pages.call("brain_put", put).await["structuredContent"].take();
    assert_eq!(asked["version"], 0, "{asked}");
    assert_eq!(asked["created"], false, "{asked}");
    open(
        &pages.0.url(""),
        asked["asked"].as_str().expect("a session"),
    )
    .await
}

async fn rationale(pages: &Pages) -> String {
    let draft = json!({"intent": "Pick", "blueprintDraft": {"contract": basket()}});
    let agreed = pages.0.tool("ggui_handshake", draft).await;
    let rationale = agreed["suggestion"]["rationale"].as_str();
    rationale.expect("a rationale").to_owned()
}

#[tokio::test]
async fn a_preference_is_kept_once_a_person_agrees_and_not_before() {
    let pages = start().await;
    let mut card = proposed(&pages, "preferences/density", COMPACT).await;
    assert_eq!(card.props["content"], COMPACT);
    assert_eq!(card.props["requester"], "builder");
    listed(&pages, "preferences", 0).await;
    let found = pages
        .call("brain_search", json!({"query": "compact"}))
        .await;
    assert_eq!(found["structuredContent"]["results"], json!([]));
    assert!(!rationale(&pages).await.contains("compact"));
    // Whoever asks the same again joins.
    let again = json!({"slug": "preferences/density", "content": COMPACT});
    let again = pages.call("brain_put", again).await["structuredContent"].take();
    assert_eq!(again["asked"], card.session);
    card.decide("keep", Value::Null, "kept").await;
    let page = page_with(&pages, "preferences/density", &["prefers: compact rows"]).await;
    assert_eq!(page["version"], 1);
    let text = rationale(&pages).await;
    assert!(
        text.contains("Density of tables: prefers compact rows"),
        "{text}"
    );
    // Who wrote it is who agreed.
    let versions = "/api/v1/memories/preferences%2Fdensity/versions";
    let versions = pages.0.send(pages.0.get(versions)).await.body;
    assert_eq!(versions["data"][0]["written_by"], "viewer");
    // A person deletes it on the stage, and it is forgotten then.
    let path = "/stage/pages/preferences%2Fdensity";
    assert_eq!(pages.0.send(pages.0.delete(path)).await.status, 204);
    assert!(!rationale(&pages).await.contains("compact"));
}

/// What a request of a page is answered: status, and the page or why not.
async fn changed(pages: &Pages, key: Option<&str>, path: &str, change: Option<&Value>) -> Answer {
    let mut request = match change {
        Some(_) => pages.0.request(Method::PATCH, path),
        None => pages.0.request(Method::DELETE, path),
    };
    if let Some(key) = key {
        request = request.bearer_auth(key);
    }
    if let Some(change) = change {
        request = request.json(change);
    }
    pages.0.send(request).await
}

#[tokio::test]
async fn a_person_changes_a_preference_on_the_stage_and_is_asked_what_it_contradicts() {
    let pages = start().await;
    for (slug, content) in [("monday", COMPACT), ("friday", COMPACT)] {
        let mut card = proposed(&pages, &format!("preferences/{slug}"), content).await;
        card.decide("keep", Value::Null, "kept").await;
    }
    let path = "/stage/pages/preferences%2Ffriday";
    let words = json!({"content": "Asked on Sunday.\n", "expected_version": 1});
    let answer = changed(&pages, None, path, Some(&words)).await;
    assert_eq!(
        (answer.status, &answer.body["version"]),
        (200, &json!(2)),
        "{}",
        answer.body
    );
    let stale = changed(&pages, None, path, Some(&words)).await;
    assert_eq!(stale.status, 409, "{}", stale.body);
    let versions = "/api/v1/memories/preferences%2Ffriday/versions";
    let versions = pages.0.send(pages.0.get(versions)).await.body;
    assert_eq!(versions["data"][0]["written_by"], "viewer", "{versions}");
    assert!(cards(&pages, "which-one-").await.is_empty());
    let other = json!({"content": "## Assertions\n\nDensity of tables prefers roomy rows.\n"});
    let answer = changed(&pages, None, path, Some(&other)).await;
    assert_eq!(
        (answer.status, &answer.body["version"]),
        (200, &json!(3)),
        "{}",
        answer.body
    );
    let asked = cards(&pages, "which-one-").await;
    assert_eq!(asked.len(), 1, "{asked:?}");
    let rationale = rationale(&pages).await;
    assert!(rationale.contains("prefers roomy rows"), "{rationale}");
}

#[tokio::test]
async fn nobody_but_a_person_changes_or_deletes_a_preference_whichever_way_they_try() {
    const PERSON: [&str; 3] = ["ggui:person", "ggui:read", "ggui_runtime_submit_action"];
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |trust, scopes: &[&str]| {
        let scopes: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        proscenium::keys::create_scoped(&file, "shop", trust, &scopes).expect("a key")
    };
    let agents = [
        key(3, &[]),
        key(2, &["ggui:write"]),
        key(
            3,
            &["brain_put", "delete_memory", "ggui_runtime_submit_action"],
        ),
        key(3, &[&PERSON[..], &["brain_put"]].concat()),
        key(3, &[&PERSON[..], &["delete_memory"]].concat()),
    ];
    let [person, reader] = [key(2, &PERSON), key(2, &PERSON[..2])];
    let stranger = proscenium::keys::create_scoped(&file, "other", 2, &PERSON.map(str::to_owned));
    let stranger = stranger.expect("a key");
    let pages = Pages::start_with(|config| {
        at_once(config);
        config.server.keys_file = file.clone();
    })
    .await;
    // Kept by the person, by a click on the card.
    let put = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "brain_put", "arguments": {"slug": "preferences/density", "content": COMPACT}}});
    let put = pages
        .0
        .post("/mcp/brain")
        .bearer_auth(&agents[0])
        .body(put.to_string());
    let put = pages.0.send(put).await.body;
    let session = put["result"]["structuredContent"]["asked"]
        .as_str()
        .expect("a card");
    let mut card = open_with(&pages.0.url(""), session, Some(&person)).await;
    card.decide("keep", Value::Null, "kept").await;

    let words = json!({"content": "Anything."});
    for agent in &agents {
        for place in ["/stage/pages", "/api/v1/memories"] {
            let path = format!("{place}/preferences%2Fdensity");
            for change in [Some(&words), None] {
                let answer = changed(&pages, Some(agent), &path, change).await;
                assert!(
                    [403, 422].contains(&answer.status),
                    "{path}: {}",
                    answer.body
                );
            }
        }
    }
    let answer = changed(
        &pages,
        Some(&agents[0]),
        "/stage/pages/preferences%2Fdensity",
        None,
    )
    .await;
    assert_eq!(
        answer.body["detail"][0]["msg"],
        "id: a person deletes a preference, on the stage"
    );
    let path = "/stage/pages/preferences%2Fdensity";
    assert_eq!(
        changed(&pages, Some(&reader), path, Some(&words))
            .await
            .status,
        403
    );
    let answer = changed(&pages, Some(&person), path, Some(&words)).await;
    assert_eq!(
        (answer.status, &answer.body["version"]),
        (200, &json!(2)),
        "{}",
        answer.body
    );
    let versions = pages
        .0
        .get("/api/v1/memories/preferences%2Fdensity/versions");
    let versions = pages.0.send(versions.bearer_auth(&person)).await.body;
    let by = versions["data"][0]["written_by"].as_str().expect("a name");
    assert!(by.starts_with("key_"), "{versions}");
    // Another app's is missing, and so is what is not there.
    let missing = "/stage/pages/preferences%2Fnone";
    let theirs = changed(&pages, Some(&stranger), path, Some(&words)).await;
    let none = changed(&pages, Some(&stranger), missing, Some(&words)).await;
    assert_eq!((theirs.status, none.status), (404, 404));
    assert_eq!(theirs.body["detail"], none.body["detail"]);
    assert_eq!(changed(&pages, Some(&person), path, None).await.status, 204);
}

#[tokio::test]
async fn what_a_page_elsewhere_prefers_is_told_to_no_handshake_and_asks_nobody() {
    let pages = start().await;
    pages.put("people/ida", COMPACT).await;
    let claimed = ROOMY.replacen("---\n", "---\nwing: preferences\ntype: preference\n", 1);
    pages.put("notes/tables", &claimed).await;
    let text = rationale(&pages).await;
    assert!(
        !text.contains("compact") && !text.contains("roomy"),
        "{text}"
    );
    // It is a statement like any other: checked, and nobody is asked which one holds.
    let checked = pages.json("brain_check", json!({})).await;
    assert!(checked.to_string().contains("compact rows"), "{checked}");
    assert!(cards(&pages, "").await.is_empty());
}

#[tokio::test]
async fn a_preference_that_a_person_does_not_want_is_not_kept() {
    let pages = start().await;
    let mut card = proposed(&pages, "preferences/density", COMPACT).await;
    card.decide("drop", Value::Null, "dropped").await;
    listed(&pages, "preferences", 0).await;
    // A decision is final: a click that comes later changes nothing.
    card.browser.act("keep", Value::Null).await;
    let mut second = proposed(&pages, "preferences/other", COMPACT).await;
    assert_ne!(second.session, card.session);
    second.decide("drop", Value::Null, "dropped").await;
    listed(&pages, "preferences", 0).await;
}

#[tokio::test]
async fn an_agent_can_neither_see_nor_answer_the_card_nor_write_past_it() {
    let pages = start().await;
    let card = proposed(&pages, "preferences/density", COMPACT).await;
    let world = &pages.0;
    let read = json!({"sessionId": card.session});
    for tool in ["ggui_get_session", "ggui_consume"] {
        let refused = world.call(tool, read.clone()).await;
        let code = &refused["structuredContent"]["error"]["code"];
        assert_eq!(code, "session_not_found", "{tool}: {refused}");
    }
    let click = json!({
        "sessionId": card.session, "appId": "builder", "kind": "dispatch",
        "actionId": "gesture-1", "firedAt": "2026-08-23T15:46:40.000Z",
        "payload": {"intent": "keep", "actionData": null, "uiContext": {}},
    });
    let relayed = world.call("ggui_runtime_submit_action", click).await;
    let relayed = &relayed["structuredContent"];
    assert_ne!(relayed["ok"], true, "{relayed}");
    listed(&pages, "preferences", 0).await;
    // A stale version is a conflict before anybody is asked.
    let stale = json!({"slug": "preferences/density", "content": ROOMY, "expected_version": 4});
    assert_eq!(pages.error("brain_put", stale).await["code"], -32009);
    // A memory over REST is no way around it.
    let mut card = card;
    card.decide("keep", Value::Null, "kept").await;
    let path = "/api/v1/memories/preferences%2Fdensity";
    let patch = world.request(Method::PATCH, path);
    let patch = patch.json(&json!({"content": "Anything."}));
    assert!((400..500).contains(&world.send(patch).await.status));
    page_with(&pages, "preferences/density", &["version: 1"]).await;
}

#[tokio::test]
async fn two_preferences_that_contradict_each_other_become_a_question() {
    let pages = start().await;
    let mut first = proposed(&pages, "preferences/monday", COMPACT).await;
    first.decide("keep", Value::Null, "kept").await;
    assert!(cards(&pages, "which-one-").await.is_empty());
    let mut second = proposed(&pages, "preferences/friday", ROOMY).await;
    second.decide("keep", Value::Null, "kept").await;
    let asked = cards(&pages, "which-one-").await;
    assert_eq!(asked.len(), 1, "{asked:?}");
    let mut which = open(&pages.0.url(""), asked.iter().next().expect("a card")).await;
    assert_eq!(which.props["subject"], "Density of tables");
    assert_eq!(which.props["first"], "compact rows");
    assert_eq!(which.props["second"], "roomy rows");
    let text = rationale(&pages).await;
    assert!(
        text.contains("compact rows") && text.contains("roomy rows"),
        "{text}"
    );
    which.decide("keepSecond", Value::Null, "kept").await;
    // The other one stays, and is over.
    listed(&pages, "preferences", 2).await;
    let over = page_with(&pages, "preferences/monday", &["valid_until: "]).await;
    assert_eq!(over["frontmatter"]["prefers"], "compact rows");
    page_with(&pages, "preferences/friday", &["version: 1"]).await;
    let text = rationale(&pages).await;
    assert!(
        !text.contains("compact rows") && text.contains("roomy rows"),
        "{text}"
    );
    let checked = pages.call("brain_check", json!({})).await;
    assert_eq!(checked["structuredContent"]["contradictions"], json!([]));
}

#[tokio::test]
async fn a_question_leaves_this_machine_only_in_the_words_a_person_agreed_to() {
    let pages = start().await;
    let gap = json!({"query": "When was Ida Tester born?", "share": true});
    let asked = pages.call("brain_gap", gap).await["structuredContent"].take();
    let row = pages.json("brain_gaps", json!({})).await[0].clone();
    assert_eq!(row["sensitivity"], "internal");
    assert_eq!(row["shared_query"], Value::Null);
    let mut card = open(
        &pages.0.url(""),
        asked["asked"].as_str().expect("a session"),
    )
    .await;
    assert_eq!(card.props["question"], "When was Ida Tester born?");
    let changed = json!({"question": "When was the head of sales born?"});
    card.decide("shareChanged", changed, "shared").await;
    let row = pages.json("brain_gaps", json!({})).await[0].clone();
    assert_eq!(row["sensitivity"], "redacted");
    assert_eq!(row["shared_query"], "When was the head of sales born?");
    assert!(!row.to_string().contains("Ida Tester"), "{row}");
    // As it was written, and not at all.
    for (query, action, says, sensitivity, shared) in [
        (
            "Who makes anvils?",
            "share",
            "shared",
            "external",
            json!("Who makes anvils?"),
        ),
        (
            "Who owes me money?",
            "drop",
            "dropped",
            "internal",
            Value::Null,
        ),
    ] {
        let gap = json!({"query": query, "share": true});
        let asked = pages.call("brain_gap", gap).await["structuredContent"].take();
        let mut card = open(
            &pages.0.url(""),
            asked["asked"].as_str().expect("a session"),
        )
        .await;
        card.decide(action, Value::Null, says).await;
        let row = pages.json("brain_gaps", json!({})).await[0].clone();
        assert_eq!(row["sensitivity"], sensitivity, "{row}");
        assert_eq!(row["shared_query"], shared, "{row}");
    }
    // Nobody is asked where nothing is to be shared.
    let plain = pages.call("brain_gap", json!({"query": "And this?"})).await;
    assert!(plain["structuredContent"]["asked"].is_null(), "{plain}");
}

#[tokio::test]
async fn no_more_questions_are_open_than_people_can_answer() {
    let pages = Pages::start_with(|config| {
        at_once(config);
        config.limits.pages.cards_per_app_max = 1;
    })
    .await;
    let mut card = proposed(&pages, "preferences/one", COMPACT).await;
    let put = json!({"slug": "preferences/two", "content": COMPACT});
    let refused = pages.answer("brain_put", put).await["result"].take();
    let error = &refused["structuredContent"]["error"];
    assert_eq!(error["code"], "CONFLICT", "{refused}");
    assert_eq!(error["details"]["max"], 1);
    card.decide("drop", Value::Null, "dropped").await;
    proposed(&pages, "preferences/two", COMPACT).await;
}

#[tokio::test]
async fn a_question_outlives_a_restart_and_is_answered_after_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let node = above(folder.path()).await;
    let put = json!({"slug": "preferences/density", "content": COMPACT});
    let asked = node.client.tool("brain_put", put).await;
    node.stop().await;
    let node = above(folder.path()).await;
    let session = asked["asked"].as_str().expect("a session");
    let mut card = open(&node.client.url(""), session).await;
    card.decide("keep", Value::Null, "kept").await;
    let read = json!({"slug": "preferences/density"});
    let page = node.client.tool("brain_get", read).await;
    assert_eq!(page["frontmatter"]["prefers"], "compact rows", "{page}");
    node.stop().await;
}

#[tokio::test]
async fn the_first_of_two_preferences_may_be_the_one_that_holds() {
    let pages = start().await;
    for (slug, content) in [
        ("preferences/monday", COMPACT),
        ("preferences/friday", ROOMY),
    ] {
        let mut card = proposed(&pages, slug, content).await;
        card.decide("keep", Value::Null, "kept").await;
    }
    let asked = cards(&pages, "which-one-").await;
    let mut which = open(&pages.0.url(""), asked.iter().next().expect("a card")).await;
    which.decide("keepFirst", Value::Null, "kept").await;
    page_with(&pages, "preferences/friday", &["valid_until: "]).await;
    let checked = pages.call("brain_check", json!({})).await;
    assert_eq!(checked["structuredContent"]["contradictions"], json!([]));
}

#[tokio::test]
async fn what_two_people_prefer_is_no_contradiction_and_what_one_does_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let key = |trust, scopes: &[&str]| {
        let scopes: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        proscenium::keys::create_scoped(&file, "shop", trust, &scopes).expect("a key")
    };
    let person = ["ggui:person", "ggui:read", "ggui_runtime_submit_action"];
    let (agent, ida, bo) = (key(3, &[]), key(2, &person), key(2, &person));
    let pages = Pages::start_with(|config| {
        at_once(config);
        config.server.keys_file = file.clone();
    })
    .await;
    let call = |tool: &str, arguments: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                          "params": {"name": tool, "arguments": arguments}});
        let request = pages.0.post("/mcp/brain").bearer_auth(&agent);
        let sent = pages.0.send(request.body(body.to_string()));
        async move { sent.await.body["result"]["structuredContent"].take() }
    };
    let contradictions = || async {
        let checked = call("brain_check", json!({})).await;
        checked["contradictions"].as_array().map(Vec::len)
    };
    for (slug, content, by, found) in [
        ("preferences/ida", COMPACT, &ida, 0),
        ("preferences/bo", ROOMY, &bo, 0),
        ("preferences/ida-later", ROOMY, &ida, 1),
    ] {
        let asked = call("brain_put", json!({"slug": slug, "content": content})).await;
        let session = asked["asked"].as_str().expect("a card");
        let mut card = open_with(&pages.0.url(""), session, Some(by)).await;
        card.decide("keep", Value::Null, "kept").await;
        assert_eq!(contradictions().await, Some(found), "{slug}");
    }
}
