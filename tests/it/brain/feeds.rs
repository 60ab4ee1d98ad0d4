//! Channels that pages feed: a page that is written reaches whoever watches a session that shows it.

use serde_json::{Value, json};
use tokio::time::timeout;

use super::Pages;
use super::journal::{at_once, page_with};
use crate::browser::Browser;
use crate::world::{PATIENCE, Shown, World};

/// The address in the contracts of these tests.
const NOTES: &str = "notes/tea";

/// A contract with a channel that a page feeds, beside one that the agent feeds.
fn showing(slug: &str, schema: Value) -> Value {
    json!({
        "actionSpec": {"go": {"label": "Go"}},
        "streamSpec": {
            "page": {
                "schema": schema,
                "mode": "replace",
                "source": {"tool": "brain_get", "args": {"slug": slug}},
            },
            "log": {"schema": {"type": "string"}},
        },
        "agentCapabilities": {"tools": {"brain_get": {
            "toolInfo": {"description": "Read a page", "inputSchema": {"type": "object"}},
            "usage": "Feeds a channel",
            "example": {"input": {"slug": slug}, "output": {}},
        }}},
    })
}

/// Any page.
fn any() -> Value {
    json!({
        "type": "object",
        "properties": {"title": {"type": "string"}, "version": {"type": "integer"}},
        "required": ["title", "version"],
        "additionalProperties": true,
    })
}

async fn show(world: &World) -> Shown {
    world.show(showing(NOTES, any()), json!({})).await
}

/// Somebody who has seen the items of a session up to a position.
async fn watcher(world: &World, shown: &Shown, from: u64) -> Browser {
    let mut browser = world.knock(shown).await;
    let ack = browser.subscribe(json!({"fromSeq": from})).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    browser
}

/// The next item of a channel of the contract, with its position.
async fn item(browser: &mut Browser) -> (String, u64, Value) {
    loop {
        let frame = browser.frame("data").await["payload"].take();
        let channel = frame["channel"].as_str().expect("a channel");
        if !channel.starts_with('_') {
            let seq = frame["seq"].as_u64().expect("a position");
            return (channel.to_owned(), seq, frame["payload"].clone());
        }
    }
}

/// The next item, which must be the page at a version; its position.
async fn page(browser: &mut Browser, version: i64) -> (u64, Value) {
    let (channel, seq, payload) = item(browser).await;
    assert_eq!(channel, "page", "{payload}");
    assert_eq!(payload["version"], version, "{payload}");
    (seq, payload)
}

/// The next item, which must be a line of the log.
async fn line(browser: &mut Browser) -> u64 {
    let (channel, seq, payload) = item(browser).await;
    assert_eq!(channel, "log", "{payload}");
    seq
}

async fn log(world: &World, shown: &Shown) {
    let item = json!({"sessionId": shown.session, "channel": "log", "payload": "A line"});
    world.tool("ggui_emit", item).await;
}

async fn change(pages: &Pages, version: i64, content: &str) {
    let change = json!({"slug": NOTES, "content": content, "expected_version": version});
    pages.call("brain_put", change).await;
}

/// A counter of what channels were not told.
async fn lost(world: &World, reason: &str) -> u64 {
    let text = world.send(world.get("/metrics")).await.body;
    let name = format!("proscenium_page_feeds_lost_total{{reason=\"{reason}\"}} ");
    let mut lines = text.as_str().expect("a page").lines();
    let line = lines.find_map(|line| line.strip_prefix(&name));
    line.map_or(0, |count| count.parse().expect("a number"))
}

async fn once_lost(world: &World, reason: &str) {
    let look = async { while lost(world, reason).await == 0 {} };
    timeout(PATIENCE, look).await.expect("something is lost");
}

#[tokio::test]
async fn a_page_that_is_written_reaches_all_who_watch_as_one_item_a_version() {
    let pages = Pages::start_with(at_once).await;
    let world = &pages.0;
    let shown = show(world).await;
    // The mount is told, and asks nobody.
    assert!(
        shown.slice().get("toolChannels").is_none(),
        "{}",
        shown.slice()
    );
    let mut first = watcher(world, &shown, 0).await;
    let mut second = watcher(world, &shown, 0).await;
    first.act("go", Value::Null).await;
    pages.put(NOTES, "---\ntitle: Tea\n---\nGreen.").await;
    let (one, item) = page(&mut first, 1).await;
    assert_eq!(page(&mut second, 1).await, (one, item.clone()));
    let read = pages.call("brain_get", json!({"slug": NOTES})).await;
    assert_eq!(item, read["structuredContent"]);
    change(&pages, 1, "Black.").await;
    let (two, item) = page(&mut first, 2).await;
    assert_eq!(two, one + 1);
    assert!(
        item["content"]
            .as_str()
            .is_some_and(|text| text.contains("Black."))
    );
    page(&mut second, 2).await;
    // Whoever comes later is given the last one, and it is no item once more.
    let mut third = watcher(world, &shown, 0).await;
    page(&mut third, 2).await;
    log(world, &shown).await;
    let mut seqs = Vec::new();
    for browser in [&mut first, &mut second, &mut third] {
        seqs.push(line(browser).await);
    }
    assert_eq!(seqs, [two + 1; 3]);
    change(&pages, 2, "White.").await;
    for browser in [&mut first, &mut second, &mut third] {
        assert_eq!(page(browser, 3).await.0, two + 2);
    }
    // Nobody did that in the session: its page tells of the agent alone.
    let slug = format!("sessions/{}", shown.session);
    let written = page_with(&pages, &slug, &["did go", "answered on log"]).await;
    let text = written["content"].as_str().expect("a text");
    assert!(!text.contains("answered on page"), "{text}");
}

#[tokio::test]
async fn whoever_opens_a_session_is_shown_the_page_as_it_is_and_nothing_of_before() {
    let pages = Pages::start().await;
    let world = &pages.0;
    pages.put(NOTES, "One.").await;
    let shown = show(world).await;
    let mut browser = watcher(world, &shown, 0).await;
    let (seen, _) = page(&mut browser, 1).await;
    browser.ended_by_client().await;
    let left = async { while world.gauge("readers").await > 0 {} };
    timeout(PATIENCE, left).await.expect("nobody watches");
    change(&pages, 1, "Two.").await;
    change(&pages, 2, "Three.").await;
    let mut browser = watcher(world, &shown, seen).await;
    assert_eq!(page(&mut browser, 3).await.0, seen + 1);
    // Another page at the same address begins with the first version again.
    let path = format!("/api/v1/memories/{}", NOTES.replace('/', "%2F"));
    assert_eq!(world.send(world.delete(&path)).await.status, 204);
    pages.put(NOTES, "Another one.").await;
    assert_eq!(page(&mut browser, 1).await.0, seen + 2);
}

#[tokio::test]
async fn who_asks_for_the_ledger_again_and_again_watches_too() {
    let pages = Pages::start().await;
    let world = &pages.0;
    pages.put(NOTES, "One.").await;
    let shown = show(world).await;
    let look = async {
        loop {
            let pull = json!({"sessionId": shown.session, "sinceSequence": 0});
            let pulled = world.tool("ggui_runtime_pull", pull).await;
            if pulled["events"].to_string().contains("One.") {
                return;
            }
        }
    };
    timeout(PATIENCE, look).await.expect("the page");
}

#[tokio::test]
async fn a_page_that_does_not_fit_the_channel_reaches_nobody_and_is_counted() {
    let pages = Pages::start_with(|config| config.limits.emits.payload_bytes_max = 2_000).await;
    let world = &pages.0;
    let mut narrow = any();
    narrow["properties"]["title"]["maxLength"] = 5.into();
    let shown = world.show(showing(NOTES, narrow), json!({})).await;
    let mut browser = watcher(world, &shown, 0).await;
    pages
        .put(NOTES, "---\ntitle: Far too long\n---\nOne.")
        .await;
    once_lost(world, "unfit").await;
    log(world, &shown).await;
    let seq = line(&mut browser).await;
    change(&pages, 1, &"x".repeat(3_000)).await;
    change(&pages, 2, "---\ntitle: Tea\n---\nTwo.").await;
    assert_eq!(page(&mut browser, 3).await.0, seq + 1);
}

#[tokio::test]
async fn a_page_that_another_server_writes_into_the_same_file_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pages.db");
    let start = || {
        let file = path.clone();
        Pages::start_with(|config| {
            config.brain.path = file;
            config.limits.pages.others_look_ms = 10;
        })
    };
    let (here, other) = (start().await, start().await);
    let shown = show(&here.0).await;
    let mut browser = watcher(&here.0, &shown, 0).await;
    other.put(NOTES, "One.").await;
    page(&mut browser, 1).await;
    change(&other, 1, "Two.").await;
    page(&mut browser, 2).await;
}

/// The findings of a handshake about pages, by their paths, and the channels whose sources were left
/// out.
async fn negotiated(world: &World, contract: Value) -> (Vec<String>, Vec<String>) {
    let draft = json!({"intent": "A test", "blueprintDraft": {"contract": contract}});
    let suggestion = world.tool("ggui_handshake", draft).await["suggestion"].take();
    let findings = suggestion["validationFindings"].as_array();
    let findings = findings.into_iter().flatten();
    let findings = findings.filter(|finding| finding["code"] == "PAGE_FEED");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let paths = findings.map(|finding| text(&finding["path"])).collect();
    let left_out = suggestion["amendments"]["contractDiff"].as_array();
    let left_out = left_out.into_iter().flatten();
    let left_out = left_out.filter(|patch| patch["op"] == "remove");
    (paths, left_out.map(|patch| text(&patch["path"])).collect())
}

#[tokio::test]
async fn a_handshake_is_told_which_pages_feed_nothing_and_why() {
    let pages = Pages::start_with(|config| config.limits.pages.feeds_per_session_max = 1).await;
    let mut contract = showing(NOTES, any());
    let findings = negotiated(&pages.0, contract.clone()).await;
    assert_eq!(findings, (Vec::new(), Vec::new()));
    for (channel, slug) in [("wrong", "No Slug"), ("more", "notes/more")] {
        contract["streamSpec"][channel] = contract["streamSpec"]["page"].clone();
        contract["streamSpec"][channel]["source"]["args"]["slug"] = slug.into();
    }
    let (paths, left_out) = negotiated(&pages.0, contract).await;
    assert_eq!(paths, ["streamSpec.wrong.source", "streamSpec.more.source"]);
    assert_eq!(
        left_out,
        ["/streamSpec/wrong/source", "/streamSpec/more/source"]
    );
    // A tool of the same name of another server is asked by the mount.
    let mut contract = showing(NOTES, any());
    contract["agentCapabilities"]["tools"]["brain_get"]["serverInfo"] = json!({"name": "gbrain"});
    let shown = pages.0.show(contract, json!({})).await;
    assert_eq!(shown.slice()["toolChannels"][0]["tool"], "brain_get");
}

#[tokio::test]
async fn an_overriding_contract_feeds_no_channel_from_a_page() {
    let pages = Pages::start().await;
    let id = pages
        .0
        .handshake(json!({"actionSpec": {"go": {"label": "Go"}}}))
        .await;
    let render = json!({
        "handshakeId": id,
        "override": {"contract": showing(NOTES, any())},
        "props": {},
    });
    let refused = pages.0.call("ggui_render", render).await;
    let text = refused.to_string();
    assert!(text.contains("PAGE_FEED"), "{text}");
    // It can be mended.
    let render = json!({"handshakeId": id, "props": {}});
    pages.0.tool("ggui_render", render).await;
}

#[tokio::test]
async fn a_key_that_may_not_read_pages_feeds_nothing_and_pages_of_another_app_never_come() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [ours, theirs] =
        ["ours", "theirs"].map(|app| proscenium::keys::create(&file, app, 3).expect("a key"));
    let scopes = ["ggui_handshake", "ggui_render", "ggui_get_session"].map(str::to_owned);
    let narrow = proscenium::keys::create_scoped(&file, "ours", 1, &scopes).expect("a key");
    let pages = Pages::start_with(|config| config.server.keys_file = file).await;
    let mut world = pages.0.with_bearer(&narrow);
    let findings = negotiated(&world, showing(NOTES, any())).await;
    let paths = (
        vec!["streamSpec.page.source".to_owned()],
        vec!["/streamSpec/page/source".to_owned()],
    );
    assert_eq!(findings, paths);
    let unfed = show(&world).await;
    world.bearer = Some(theirs.clone());
    let pages = Pages(world);
    pages.put(NOTES, "Theirs.").await;
    let mut world = pages.0.with_bearer(&ours);
    let fed = show(&world).await;
    let mut watching = [
        watcher(&world, &fed, 0).await,
        watcher(&world, &unfed, 0).await,
    ];
    world.bearer = Some(theirs);
    let pages = Pages(world);
    change(&pages, 1, "Theirs again.").await;
    let pages = Pages(pages.0.with_bearer(&ours));
    pages.put(NOTES, "Ours.").await;
    let (_, item) = page(&mut watching[0], 1).await;
    assert!(item.to_string().contains("Ours."), "{item}");
    log(&pages.0, &unfed).await;
    line(&mut watching[1]).await;
}

#[cfg(feature = "gate")]
#[tokio::test]
async fn a_gate_that_denies_reading_pages_or_has_people_asked_keeps_them_from_channels() {
    for action in ["deny", "approve"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("gate.yaml");
        let rules = format!(
            "schema: 1\nsources:\n  - {{ id: elsewhere, kind: mcp, url: \"http://127.0.0.1:9/mcp\" }}\n\
             governance:\n  rules:\n    - {{ match: \"brain_get\", \
             source: local, action: {action} }}\napproval:\n  people: {{}}\n"
        );
        std::fs::write(&file, rules).expect("a file");
        let pages = Pages::start_with(|config| config.server.gate_file = file).await;
        let (paths, left_out) = negotiated(&pages.0, showing(NOTES, any())).await;
        assert_eq!(paths, [""; 0], "the gate's own finding says so");
        assert_eq!(left_out, ["/streamSpec/page/source"]);
    }
}
