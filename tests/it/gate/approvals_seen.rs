//! An agent wants to delete a file, and a person in front of a real browser decides about it: every
//! way in which that can go.

use std::time::Duration;

use serde_json::{Value, json};

use super::approvals_kept::{Served, audit, events};
use super::deciders::Office;
use super::people::Person;
use super::site::{Folder, Site};
use crate::chromium::Chromium;

/// The frame the stage shows, of all that it keeps.
pub(super) const FRAME: Option<&str> = Some("article:not([hidden]) iframe");
/// What can be pressed on a card.
const BUTTONS: &str =
    "[...document.querySelectorAll('[data-action]')].map((it) => it.dataset.action)";
pub(super) const GATE: &str = r#"
schema: 1
sources:
  - { id: files, kind: mcp, SCRIPT, prefix: files_ }
governance:
  rules:
    - { match: "remove_*", action: approve, description: "Deleting cannot be undone" }
approval:
  people: { timeout: 5m, allow: [edit, session], redact_fields: [card.number] }
"#;

/// A folder with files, and a server that removes them.
pub(super) fn cabinet(files: &[&str]) -> Folder {
    let folder = Folder::new();
    folder.list_tools(&["remove_file"]);
    std::fs::create_dir(folder.path("files")).expect("a folder");
    for file in files {
        std::fs::write(folder.path("files").join(file), file).expect("a file");
    }
    folder.write(GATE);
    folder
}

pub(super) fn has(folder: &Folder, file: &str) -> bool {
    folder.path("files").join(file).exists()
}

pub(super) async fn remove(site: &Site, file: &str) -> Value {
    // A card is newer than the one before it, so that the stage shows it.
    site.world.clock.advance(Duration::from_secs(1));
    site.call("files_remove_file", json!({ "file": file }))
        .await
}

/// The person goes to the newest of so many cards: the stage leaves them where they did something last.
async fn choose(browser: &mut Chromium, cards: usize, title: &str) {
    let newest = format!("li:first-child:nth-last-child({cards}) [data-session-choice]");
    browser.see(None, &newest, title).await;
    browser.click(None, &newest).await;
}

/// The person reads what the newest of so many cards asks.
pub(super) async fn asked_about(browser: &mut Chromium, cards: usize, file: &str) {
    let title = format!("Approve files_remove_file? {file}");
    choose(browser, cards, &title).await;
    browser.see(FRAME, "h1", "Approve files_remove_file?").await;
    browser.see(FRAME, "body", file).await;
    browser
        .see(FRAME, "body", "Deleting cannot be undone")
        .await;
    browser.see(FRAME, "body", "Waiting for a decision.").await;
}

/// The person presses a button.
pub(super) async fn press(browser: &mut Chromium, action: &str) {
    browser
        .click(FRAME, &format!("[data-action='{action}']"))
        .await;
}

/// The person presses a button, and fills in what it asks for.
async fn answer(browser: &mut Chromium, action: &str, text: &str) {
    press(browser, action).await;
    let field = "dialog[open] :is(input, textarea)";
    browser.fill(FRAME, field, text).await;
    let send = format!("dialog[open] [data-action='{action}']");
    browser.click(FRAME, &send).await;
}

/// The card says what became of it, and asks for nothing more.
pub(super) async fn ends(browser: &mut Chromium, words: &str) {
    browser.see(FRAME, "body", words).await;
    assert_eq!(browser.evaluate(FRAME, BUTTONS).await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_deleted_when_a_person_approves_and_stays_when_they_reject_the_second_call() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let site = Site::start_in(cabinet(&["a.txt", "b.txt"]), GATE, |_| {}).await;
    browser.open(&site.world.stage_url()).await;
    browser.see(None, "h1", "The stage is yours").await;
    let approves = async {
        asked_about(&mut browser, 1, "a.txt").await;
        assert!(has(&site.folder, "a.txt"));
        press(&mut browser, "approve").await;
        ends(&mut browser, "Approved, and done.").await;
    };
    let (answered, ()) = tokio::join!(remove(&site, "a.txt"), approves);
    assert_eq!(answered["result"]["content"][0]["text"], "Removed");
    assert!(!has(&site.folder, "a.txt"));
    // The same call again is another question, and so is one about another file.
    for (cards, file) in [(2, "a.txt"), (3, "b.txt")] {
        let rejects = async {
            asked_about(&mut browser, cards, file).await;
            answer(&mut browser, "reject", "still needed").await;
            ends(&mut browser, "Rejected: nothing was done. still needed").await;
        };
        let (answered, ()) = tokio::join!(remove(&site, file), rejects);
        assert_eq!(answered["error"]["code"], -32007, "{answered}");
        assert_eq!(answered["error"]["data"]["reason"], "still needed");
    }
    assert!(has(&site.folder, "b.txt"));
    assert_eq!(site.folder.calls("remove_file"), 1);
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_who_decides_too_late_decides_nothing() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let folder = cabinet(&["a.txt"]);
    let hasty = Site::start_in(folder, GATE, |config| {
        config.limits.gate.approval_hold_s = 0;
    });
    let site = hasty.await;
    browser.open(&site.world.stage_url()).await;
    let asked = remove(&site, "a.txt").await;
    assert_eq!(asked["error"]["data"]["state"], "pending", "{asked}");
    asked_about(&mut browser, 1, "a.txt").await;
    site.world.clock.advance(Duration::from_secs(300));
    press(&mut browser, "approve").await;
    ends(&mut browser, "Too late: nothing was done.").await;
    let late = remove(&site, "a.txt").await;
    assert_eq!(late["error"]["code"], -32008, "{late}");
    assert!(has(&site.folder, "a.txt"));
    assert_eq!(site.folder.calls("remove_file"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_approves_what_they_were_shown_and_nothing_else() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let folder = cabinet(&["a.txt", "b.txt"]);
    let hasty = Site::start_in(folder, GATE, |config| {
        config.limits.gate.approval_hold_s = 0;
    });
    let site = hasty.await;
    browser.open(&site.world.stage_url()).await;
    remove(&site, "a.txt").await;
    asked_about(&mut browser, 1, "a.txt").await;
    press(&mut browser, "approve").await;
    ends(&mut browser, "as soon as the agent asks").await;
    let other = remove(&site, "b.txt").await;
    assert_eq!(other["error"]["data"]["state"], "pending", "{other}");
    assert_eq!(site.folder.calls("remove_file"), 0);
    let mut answered = remove(&site, "a.txt").await;
    while answered["error"]["data"]["state"] == "pending" {
        answered = remove(&site, "a.txt").await;
    }
    assert!(answered["result"].is_object(), "{answered}");
    let again = remove(&site, "a.txt").await;
    assert_eq!(again["error"]["data"]["state"], "pending", "{again}");
    assert!(!has(&site.folder, "a.txt") && has(&site.folder, "b.txt"));
    assert_eq!(site.folder.calls("remove_file"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_decides_after_the_server_was_killed_and_started_again() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let folder = cabinet(&["a.txt", "b.txt"]);
    for (cards, file, action) in [(1, "a.txt", "approve"), (2, "b.txt", "reject")] {
        let server = Served::start(&folder).await;
        let call = async |server: &Served| {
            let arguments = json!({ "file": file });
            server.call("files_remove_file", arguments).await
        };
        assert_eq!(call(&server).await["error"]["data"]["state"], "pending");
        browser.open(&server.stage_url()).await;
        asked_about(&mut browser, cards, file).await;
        server.kill().await;
        let server = Served::start(&folder).await;
        browser.open(&server.stage_url()).await;
        asked_about(&mut browser, cards, file).await;
        if action == "approve" {
            press(&mut browser, action).await;
        } else {
            answer(&mut browser, action, "still needed").await;
        }
        let mut answered = call(&server).await;
        while answered["error"]["data"]["state"] == "pending" {
            answered = call(&server).await;
        }
        if action == "approve" {
            assert!(answered["result"].is_object(), "{answered}");
            ends(&mut browser, "Approved, and done.").await;
        } else {
            assert_eq!(answered["error"]["code"], -32007, "{answered}");
            ends(&mut browser, "Rejected: nothing was done.").await;
        }
        server.stop().await;
    }
    assert!(!has(&folder, "a.txt") && has(&folder, "b.txt"));
    assert_eq!(folder.calls("remove_file"), 1);
    let rows = audit(&folder).await;
    let approved = ["proposed", "decided", "executed", "returned"];
    assert_eq!(events(&rows)[..4], approved);
    assert_eq!(events(&rows)[4..], ["proposed", "decided"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_agent_decides_in_place_of_the_person_who_looks_at_the_card() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let office = Office::open().await;
    let agent = &office.agents[0];
    let stage = office.world.stage_url();
    browser.open_with_key(&stage, &office.person).await;
    let asked = office.call(agent).await;
    assert_eq!(asked["error"]["data"]["state"], "pending", "{asked}");
    browser.see(FRAME, "body", "Waiting for a decision.").await;
    let session = office.person().card().await.session;
    for key in &office.agents {
        office.attempt_everything(key, &session).await;
    }
    let asked = office.call(agent).await;
    assert_eq!(asked["error"]["data"]["state"], "pending", "{asked}");
    assert_eq!(office.folder.calls("delete_file"), 0);
    browser.see(FRAME, "body", "Waiting for a decision.").await;
    press(&mut browser, "approve").await;
    let mut answered = office.call(agent).await;
    while answered["error"]["data"]["state"] == "pending" {
        answered = office.call(agent).await;
    }
    assert!(answered["result"].is_object(), "{answered}");
    // The person is named by their key.
    browser.see(FRAME, "body", "Approved by ").await;
    assert_eq!(office.folder.calls("delete_file"), 1);
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_changes_which_file_is_deleted() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let site = Site::start_in(cabinet(&["a.txt", "b.txt"]), GATE, |_| {}).await;
    browser.open(&site.world.stage_url()).await;
    let changes = async {
        asked_about(&mut browser, 1, "a.txt").await;
        answer(&mut browser, "approveChanged", "b.txt").await;
        ends(&mut browser, "Changed: file is \"b.txt\".").await;
    };
    let (answered, ()) = tokio::join!(remove(&site, "a.txt"), changes);
    assert_eq!(
        answered["result"]["_meta"]["proscenium/changedArguments"],
        json!({"file": "b.txt"}),
        "{answered}"
    );
    assert!(has(&site.folder, "a.txt") && !has(&site.folder, "b.txt"));
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn further_calls_are_made_without_asking_until_a_person_stops_them_on_the_stage() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let files = ["a.txt", "b.txt", "c.txt"];
    let site = Site::start_in(cabinet(&files), GATE, |_| {}).await;
    let person = Person::at(&site.world.url(""));
    browser.open(&site.world.stage_url()).await;
    let approves = async {
        asked_about(&mut browser, 1, "a.txt").await;
        // The card about further calls is newer.
        site.world.clock.advance(Duration::from_secs(1));
        press(&mut browser, "approveSession").await;
    };
    let (answered, ()) = tokio::join!(remove(&site, "a.txt"), approves);
    assert!(answered["result"].is_object(), "{answered}");
    choose(&mut browser, 2, "files_remove_file is allowed").await;
    browser
        .see(FRAME, "body", "these calls are made without asking")
        .await;
    let second = remove(&site, "b.txt").await;
    assert!(second["result"].is_object(), "{second}");
    assert_eq!(person.cards().await.len(), 2);
    press(&mut browser, "revoke").await;
    ends(&mut browser, "Stopped: each further call is asked about.").await;
    let rejects = async {
        asked_about(&mut browser, 3, "c.txt").await;
        answer(&mut browser, "reject", "enough").await;
    };
    let (third, ()) = tokio::join!(remove(&site, "c.txt"), rejects);
    assert_eq!(third["error"]["code"], -32007, "{third}");
    assert!(!has(&site.folder, "b.txt") && has(&site.folder, "c.txt"));
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_card_is_accessible_and_fits_a_phone_whatever_a_tool_is_given() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let folder = cabinet(&[]);
    let hasty = Site::start_in(folder, GATE, |config| {
        config.limits.gate.approval_hold_s = 0;
    });
    let site = hasty.await;
    let arguments = json!({
        "file": format!("/srv/{}/report.txt", "very-long-folder-name".repeat(12)),
        "force": true,
        "count": 3,
        "password": "hunter2",
        "card": {"number": "4111", "holder": "x"},
        "script": "set -e\nrm -rf build\necho done",
        "hidden": "a\u{202e}b",
    });
    site.call("files_remove_file", arguments).await;
    let card = Person::at(&site.world.url("")).card().await.session;
    let frame = site.world.url(&format!("/stage/frame/{card}"));
    browser.open_to_inspect(&frame).await;
    browser.see(None, "body", "Waiting for a decision.").await;
    browser.see(None, "body", "[REDACTED]").await;
    for dialog in ["", "approveChanged", "reject"] {
        if !dialog.is_empty() {
            browser
                .click(None, &format!("[data-action='{dialog}']"))
                .await;
            browser.see(None, "dialog[open]", "").await;
        }
        for width in [1280, 390, 320] {
            browser.resize(width, 800).await;
            assert!(!browser.overflows().await, "{dialog}, {width} px");
            let found = browser.inaccessible().await;
            assert_eq!(found, json!([]), "{dialog}, {width} px");
        }
        browser.key("Escape").await;
    }
}
