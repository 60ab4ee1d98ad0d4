//! What the server writes of itself: blueprints, sessions and approvals are pages.

use proscenium::config::{Config, JournalDepth};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::Pages;
use crate::contracts::{basket, basket_props};
use crate::world::{PATIENCE, World};

/// Everything is written at once, and a handshake waits for its answer however slow the machine is.
pub(crate) fn at_once(config: &mut Config) {
    config.limits.pages.journal_gather_ms = 1;
    config.limits.pages.journal_idle_s = 0;
    config.limits.pages.recall_ms_max = u64::MAX;
}

async fn start() -> Pages {
    Pages::start_with(at_once).await
}

/// The pages of a wing, once there are so many.
pub(crate) async fn listed(pages: &Pages, wing: &str, count: usize) -> Vec<Value> {
    let look = async {
        loop {
            let listed = pages.call("brain_list", json!({"wing": wing})).await;
            let listed = listed["structuredContent"]["pages"].as_array().cloned();
            let listed = listed.expect("a list");
            if listed.len() == count {
                return listed;
            }
        }
    };
    timeout(PATIENCE, look).await.expect("so many pages")
}

/// A page, once its text holds all of this.
pub(crate) async fn page_with(pages: &Pages, slug: &str, parts: &[&str]) -> Value {
    let mut last = Value::Null;
    let look = async {
        loop {
            let params = json!({"name": "brain_get", "arguments": {"slug": slug}});
            let answer = pages.rpc("tools/call", params).await.body;
            last = answer["result"]["structuredContent"].clone();
            let text = last["content"].as_str().unwrap_or_default();
            if last.is_object() && parts.iter().all(|part| text.contains(part)) {
                return;
            }
        }
    };
    let seen = timeout(PATIENCE, look).await;
    assert!(seen.is_ok(), "{slug} never had {parts:?}: {last}");
    last
}

/// A form with secrets in it, one marked by the contract and one by its name.
fn sign_up() -> Value {
    json!({"actionSpec": {"signUp": {
        "label": "Sign up",
        "schema": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "pin": {"type": "string", "format": "password"},
                "apiKey": {"type": "string"},
            },
        },
    }}})
}

async fn rationale(world: &World, intent: &str, contract: Value) -> String {
    let draft = json!({"intent": intent, "blueprintDraft": {"contract": contract}});
    let agreed = world.tool("ggui_handshake", draft).await;
    let rationale = agreed["suggestion"]["rationale"].as_str();
    rationale.expect("a rationale").to_owned()
}

/// A counter of what the journal could not write.
async fn lost(world: &World, reason: &str) -> u64 {
    let page = world.send(world.get("/metrics")).await.body;
    let name = format!("proscenium_journal_lost_total{{reason=\"{reason}\"}} ");
    let mut lines = page.as_str().expect("a page").lines();
    let line = lines.find_map(|line| line.strip_prefix(&name));
    line.map_or(0, |count| count.parse().expect("a number"))
}

#[tokio::test]
async fn a_blueprint_is_a_page_whose_uses_are_counted_and_found_by_its_words() {
    let pages = start().await;
    pages.0.show(basket(), basket_props()).await;
    let [first] = &listed(&pages, "blueprints", 1).await[..] else {
        panic!("one page");
    };
    let slug = first["slug"].as_str().expect("a slug");
    page_with(&pages, slug, &["shown: 1\n"]).await;
    pages.0.show(basket(), basket_props()).await;
    let page = page_with(&pages, slug, &["shown: 2\n"]).await;
    assert_eq!(page["frontmatter"]["type"], "blueprint");
    assert_eq!(page["frontmatter"]["intent"], "A test");
    assert_eq!(page["title"], "A test");
    let timeline = pages.call("brain_timeline", json!({"slug": slug})).await;
    let rows = timeline["structuredContent"]["entries"].as_array().cloned();
    let rows = rows.expect("rows");
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(
        rows[0]
            .as_str()
            .expect("a row")
            .contains("shown by builder")
    );
    let found = pages
        .call("brain_search", json!({"query": "setQuantity"}))
        .await;
    assert_eq!(found["structuredContent"]["results"][0]["slug"], slug);
    listed(&pages, "blueprints", 1).await;
}

#[tokio::test]
async fn a_handshake_is_told_what_worked_before_by_names_and_by_words() {
    let pages = start().await;
    let world = &pages.0;
    let draft = json!({"intent": "Check the basket", "blueprintDraft": {"contract": basket()}});
    let agreed = world.tool("ggui_handshake", draft).await;
    let before = agreed["suggestion"]["rationale"].as_str().expect("a text");
    assert!(!before.contains("before"), "{before}");
    let render = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
    world.tool("ggui_render", render).await;
    let page = listed(&pages, "blueprints", 1).await.remove(0);
    let slug = page["slug"].as_str().expect("a slug");
    page_with(&pages, slug, &["shown: 1"]).await;
    // The same names, another contract: a number may be negative no more.
    let mut stricter = basket();
    stricter["actionSpec"]["setQuantity"]["schema"]["properties"]["qty"]["minimum"] = 0.into();
    let text = rationale(world, "Something else entirely", stricter).await;
    assert!(
        text.contains(slug) && text.contains("shown 1 times"),
        "{text}"
    );
    // Other names, the same words.
    let text = rationale(world, "Check the basket", sign_up()).await;
    assert!(text.contains(slug), "{text}");
    let text = rationale(world, "Something else entirely", sign_up()).await;
    assert!(!text.contains(slug), "{text}");
}

#[tokio::test]
async fn what_one_app_has_shown_is_told_to_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [ours, theirs] =
        ["ours", "theirs"].map(|app| proscenium::keys::create(&file, app, 3).expect("a key"));
    let pages = Pages::start_with(|config| {
        at_once(config);
        config.server.keys_file = file;
    })
    .await;
    let pages = Pages(pages.0.with_bearer(&ours));
    pages.0.show(basket(), basket_props()).await;
    let slug = listed(&pages, "blueprints", 1).await[0]["slug"].clone();
    let slug = slug.as_str().expect("a slug");
    page_with(&pages, slug, &["shown: 1"]).await;
    let mut stricter = basket();
    stricter["actionSpec"]["setQuantity"]["schema"]["properties"]["qty"]["minimum"] = 0.into();
    let text = rationale(&pages.0, "A test", stricter.clone()).await;
    assert!(text.contains(slug), "{text}");
    let pages = Pages(pages.0.with_bearer(&theirs));
    let text = rationale(&pages.0, "A test", stricter).await;
    assert!(!text.contains("before"), "{text}");
    listed(&pages, "blueprints", 0).await;
}

#[tokio::test]
async fn pages_that_cannot_be_written_fail_no_render_and_are_counted() {
    let full = |config: &mut Config| config.limits.pages.pages_per_app_max = 0;
    let closed = |config: &mut Config| config.brain.collections = "shelf=read-only".to_owned();
    for change in [full as fn(&mut Config), closed] {
        let pages = Pages::start_with(|config| {
            at_once(config);
            change(config);
        })
        .await;
        let world = &pages.0;
        let before = lost(world, "failed").await;
        world.show(basket(), basket_props()).await;
        let count = async { while lost(world, "failed").await == before {} };
        timeout(PATIENCE, count).await.expect("it is counted");
        listed(&pages, "blueprints", 0).await;
    }
    let pages = Pages::start_with(|config| config.limits.pages.journal_waiting_max = 0).await;
    let before = lost(&pages.0, "full").await;
    pages.0.show(basket(), basket_props()).await;
    assert!(lost(&pages.0, "full").await > before);
}

#[tokio::test]
async fn a_journal_that_is_off_writes_nothing() {
    let pages = Pages::start_with(|config| {
        at_once(config);
        config.brain.journal = JournalDepth::Off;
    })
    .await;
    let shown = pages.0.show(sign_up(), json!({})).await;
    let (mut browser, _) = pages.0.browse(&shown).await;
    browser.act("signUp", json!({"name": "Ida"})).await;
    // Everything that waited is written by now, had anything.
    pages.put("notes/tea", "Green.").await;
    let listed = pages.call("brain_list", json!({})).await;
    let listed = listed["structuredContent"]["pages"].as_array().cloned();
    assert_eq!(listed.expect("a list").len(), 1);
}

#[tokio::test]
async fn a_session_in_which_a_person_acted_is_a_page_without_what_they_gave() {
    let pages = start().await;
    let world = &pages.0;
    let shown = world.show(sign_up(), json!({})).await;
    // Nobody has acted here.
    world.show(basket(), basket_props()).await;
    let (mut browser, _) = world.browse(&shown).await;
    let given = json!({"name": "Ida Tester", "pin": "4711", "apiKey": "k-123"});
    browser.act("signUp", given).await;
    let taken = json!({"sessionId": shown.session, "timeout": 5});
    world.tool("ggui_consume", taken).await;
    let slug = format!("sessions/{}", shown.session);
    let parts = ["did signUp", "took 1 of what was done", "Asked for: A test"];
    let page = page_with(&pages, &slug, &parts).await;
    let text = page["content"].as_str().expect("a text");
    for given in ["Ida Tester", "4711", "k-123"] {
        assert!(!text.contains(given), "{text}");
    }
    listed(&pages, "sessions", 1).await;
    // It leads to what it showed, and that says that it was of use.
    let graph = pages
        .call("brain_graph", json!({"slug": slug, "depth": 1}))
        .await;
    let nodes = graph["structuredContent"]["nodes"].as_array().cloned();
    let mut nodes = nodes.expect("nodes").into_iter();
    let blueprint = nodes.find(|node| node["type"] == "blueprint");
    let blueprint = blueprint.expect("a blueprint");
    let slug = blueprint["slug"].as_str().expect("a slug");
    page_with(&pages, slug, &["acted: 1", "shown: 1"]).await;
}

#[tokio::test]
async fn values_are_written_where_that_is_configured_but_never_secrets() {
    let pages = Pages::start_with(|config| {
        at_once(config);
        config.brain.journal = JournalDepth::Values;
    })
    .await;
    let world = &pages.0;
    let shown = world.show(sign_up(), json!({})).await;
    let (mut browser, _) = world.browse(&shown).await;
    let given = json!({"name": "Ida Tester", "pin": "4711", "apiKey": "k-123"});
    browser.act("signUp", given).await;
    let path = format!("/api/v1/sessions/{}", shown.session);
    assert_eq!(world.send(world.delete(&path)).await.status, 204);
    let slug = format!("sessions/{}", shown.session);
    let parts = ["name = Ida Tester", "[REDACTED]", "ended the session"];
    let page = page_with(&pages, &slug, &parts).await;
    let text = page["content"].as_str().expect("a text");
    assert!(!text.contains("4711") && !text.contains("k-123"), "{text}");
    // It is a page like any other: who may forget pages may forget it.
    let path = format!("/api/v1/memories/{}", slug.replace('/', "%2F"));
    assert_eq!(world.send(world.delete(&path)).await.status, 204);
    listed(&pages, "sessions", 0).await;
}

#[tokio::test]
async fn of_too_many_sessions_the_pages_of_the_oldest_are_dropped_and_rows_are_bounded() {
    let pages = Pages::start_with(|config| {
        at_once(config);
        config.limits.pages.journal_pages_max = 2;
        config.limits.pages.journal_rows_max = 3;
    })
    .await;
    pages
        .put("sessions/of-mine", "A page of a person's own.")
        .await;
    let mut slugs = Vec::new();
    for _ in 0..4 {
        let shown = pages.0.show(sign_up(), json!({})).await;
        let (mut browser, _) = pages.0.browse(&shown).await;
        for _ in 0..5 {
            browser.act("signUp", json!({"name": "Ida"})).await;
        }
        let slug = format!("sessions/{}", shown.session);
        page_with(&pages, &slug, &["rows_left_out: 2"]).await;
        slugs.push(format!("default::{slug}"));
    }
    let kept = listed(&pages, "sessions", 3).await;
    let has = |slug: &str| kept.iter().any(|page| page["slug"] == slug);
    assert!(has("default::sessions/of-mine"), "{kept:?}");
    assert!(has(&slugs[2]) && has(&slugs[3]), "{kept:?}");
}

#[tokio::test]
async fn a_server_that_ends_writes_what_still_waits() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("pages.db");
    let start = || Pages::start_with(|config| config.brain.path = file.clone());
    let pages = start().await;
    let shown = pages.0.show(sign_up(), json!({})).await;
    let (mut browser, _) = pages.0.browse(&shown).await;
    let id = browser.act("signUp", json!({"name": "Ida"})).await;
    browser.answer_to(&id).await;
    drop(browser);
    pages.0.stop().await;
    let pages = start().await;
    let slug = format!("sessions/{}", shown.session);
    page_with(&pages, &slug, &["did signUp"]).await;
    listed(&pages, "blueprints", 1).await;
}
