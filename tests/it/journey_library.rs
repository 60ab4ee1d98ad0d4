//! The pages of the page store on the stage, in a real browser: found, read and written by people.

use serde_json::{Value, json};

use crate::brain::Pages;
use crate::chromium::Chromium;
use crate::world::PATIENCE;

const IDA: &str = "---\ntitle: Ida\ntags: [vip]\n---\n# Ida\n\nRuns [[companies/acme|Acme]].\n\n\
    ## Facts\n\n- Tea at **four**.\n- <img src=x onerror=alert(1)>\n---\n- 2026-04-01 met\n";

/// A server with two pages that link to each other.
async fn library() -> Pages {
    let pages = Pages::start().await;
    pages.put("people/ida", IDA).await;
    pages
        .put("companies/acme", "Makes anvils, led by [[people/ida]].")
        .await;
    pages
}

fn address(pages: &Pages, hash: &str) -> String {
    format!("{}#{hash}", pages.0.stage_url())
}

/// The text of a page, once it is at a version.
async fn text_at(pages: &Pages, slug: &str, version: i64) -> Value {
    let read = async {
        loop {
            let answer = pages
                .0
                .send(pages.0.get(&format!("/api/v1/memories/{slug}")))
                .await;
            if answer.body["version"] == version {
                return answer.body["content"].clone();
            }
        }
    };
    tokio::time::timeout(PATIENCE, read)
        .await
        .expect("that version")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_found_and_read_with_what_links_to_it_and_what_it_was_before() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let pages = library().await;
    let later = IDA.replace("Tea at **four**", "Tea at **five**");
    let change = json!({"slug": "people/ida", "content": later, "expected_version": 1});
    let params = json!({"name": "brain_put", "arguments": change});
    pages.rpc("tools/call", params).await;
    browser.open(&pages.0.stage_url()).await;
    browser.click(None, ".s-places a:nth-child(2)").await;
    browser.see(None, ".s-shelf-title", "Ida").await;
    browser.fill(None, ".s-shelf input", "anvils").await;
    browser.see(None, ".s-shelf [role=status]", "1 page").await;
    browser.click(None, ".s-shelf li a").await;
    browser.see(None, ".s-sheet h1", "companies/acme").await;
    browser.see(None, ".s-text", "Makes anvils").await;
    // A link within the text leads to its page, and that one knows who links to it.
    browser.click(None, ".s-text a").await;
    browser.see(None, ".s-sheet h1:focus", "Ida").await;
    browser.see(None, ".s-text strong", "five").await;
    browser.see(None, ".s-text a", "Acme").await;
    browser
        .see(None, ".s-text li", "<img src=x onerror=alert(1)>")
        .await;
    browser.see(None, ".s-timeline li", "2026-04-01 met").await;
    browser.see(None, ".s-links a", "companies/acme").await;
    browser.click(None, ".s-past > summary").await;
    browser
        .click(None, ".s-history li:first-child summary")
        .await;
    browser.see(None, ".s-history ins", "five").await;
    browser.see(None, ".s-history del", "four").await;
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_writes_a_page_and_puts_a_change_together_with_that_of_somebody_else() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let pages = Pages::start().await;
    let put = async |content: &str, version: Option<i64>| {
        let page = json!({"slug": "tea", "content": content, "expected_version": version});
        let params = json!({"name": "brain_put", "arguments": page});
        let answer = pages.rpc("tools/call", params).await.body;
        assert!(answer["error"].is_null(), "{answer}");
    };
    put("One\n\nTwo\n\nThree", None).await;
    browser.open(&address(&pages, "page=tea")).await;
    browser.see(None, ".s-text", "Two").await;
    browser.click(None, ".s-sheet header button").await;
    let text = ".s-editor textarea";
    browser
        .fill(None, text, "One\n\nTwo\n\nThree of mine")
        .await;
    // Another place: both changes stay, and the person looks them over before they are saved.
    put("One of theirs\n\nTwo\n\nThree", Some(1)).await;
    let save = ".s-editor [type=submit]";
    browser.click(None, save).await;
    browser
        .see(None, ".s-editor [role=alert]", "version 2")
        .await;
    browser.click(None, save).await;
    browser
        .see(None, ".s-sheet-said", "Saved as version 3.")
        .await;
    let saved = text_at(&pages, "tea", 3).await;
    assert_eq!(saved, "One of theirs\n\nTwo\n\nThree of mine");
    // The same place: the person chooses.
    browser.click(None, ".s-sheet header button").await;
    browser
        .fill(None, text, "One of theirs\n\nTwo of mine\n\nThree of mine")
        .await;
    put("One of theirs\n\nTwo of theirs\n\nThree of mine", Some(3)).await;
    browser.click(None, save).await;
    browser
        .see(None, ".s-conflict legend", "Place 1 of 1")
        .await;
    browser
        .see(
            None,
            ".s-conflict label:nth-of-type(2) pre",
            "Two of theirs",
        )
        .await;
    browser
        .click(None, ".s-conflict label:nth-of-type(1) input")
        .await;
    browser.click(None, ".s-conflict [type=submit]").await;
    browser
        .see(None, ".s-editor [role=alert]", "version 4")
        .await;
    browser.click(None, save).await;
    let saved = text_at(&pages, "tea", 5).await;
    assert_eq!(saved, "One of theirs\n\nTwo of mine\n\nThree of mine");
    browser.see(None, ".s-text", "Two of mine").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_changes_and_deletes_what_they_prefer() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let pages = Pages::start().await;
    let content = "---\ntitle: Density\nprefers: compact rows\n---\nAsked on Monday.";
    let put = json!({"slug": "preferences/density", "content": content});
    let asked = pages.call("brain_put", put).await["structuredContent"].take();
    let card = asked["asked"].as_str().expect("a card");
    browser.open(&pages.0.stage_url()).await;
    let frame = format!("iframe[src*='{card}']");
    browser.click(Some(&frame), "[data-action='keep']").await;
    text_at(&pages, "preferences%2Fdensity", 1).await;
    browser
        .open(&address(&pages, "page=preferences%2Fdensity"))
        .await;
    browser.see(None, ".s-text", "Asked on Monday.").await;
    browser.click(None, ".s-sheet header button").await;
    browser
        .fill(None, ".s-editor textarea", "Said on Friday.")
        .await;
    browser.click(None, ".s-editor [type=submit]").await;
    browser
        .see(None, ".s-sheet-said", "Saved as version 2.")
        .await;
    let saved = text_at(&pages, "preferences%2Fdensity", 2).await;
    assert_eq!(saved, "Said on Friday.");
    browser
        .click(None, ".s-sheet header button:last-of-type")
        .await;
    browser.click(None, "dialog button[data-tone=bad]").await;
    browser.see(None, ".s-shelf", "").await;
    let gone = pages.0.get("/api/v1/memories/preferences%2Fdensity");
    assert_eq!(pages.0.send(gone).await.status, 404);
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_open_changes_when_somebody_else_writes_it() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let pages = Pages::start().await;
    let put = async |content: &str, version: Option<i64>| {
        let page = json!({"slug": "tea", "content": content, "expected_version": version});
        pages.call("brain_put", page).await;
    };
    put("At four\n\nWith Bo", None).await;
    browser.open(&address(&pages, "page=tea")).await;
    browser.see(None, ".s-text", "At four").await;
    put("At five\n\nWith Bo", Some(1)).await;
    browser.see(None, ".s-text", "At five").await;
    browser.see(None, ".s-sheet-said", "version 2").await;
    // Whoever writes keeps their text, and is told.
    browser.click(None, ".s-sheet header button").await;
    let text = ".s-editor textarea";
    browser.fill(None, text, "At five\n\nWith Bo and Cy").await;
    put("# Tea\n\nAt five\n\nWith Bo", Some(2)).await;
    browser
        .see(None, ".s-editor [role=status]", "version 3")
        .await;
    browser.click(None, ".s-editor [type=submit]").await;
    browser
        .see(None, ".s-editor [role=alert]", "version 3")
        .await;
    browser.click(None, ".s-editor [type=submit]").await;
    browser
        .see(None, ".s-sheet-said", "Saved as version 4.")
        .await;
    let saved = text_at(&pages, "tea", 4).await;
    assert_eq!(saved, "# Tea\n\nAt five\n\nWith Bo and Cy");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pages_are_accessible_and_fit_every_screen() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let pages = library().await;
    let long = "x".repeat(200);
    pages
        .put(
            &format!("long/{long}"),
            &format!("# {long}\n\n```\n{long}\n```"),
        )
        .await;
    let page = format!("page=default%3A%3Along%2F{long}");
    for (hash, seen) in [
        ("pages", ".s-shelf li"),
        ("page=people%2Fida", ".s-links"),
        ("page=nowhere", ".s-sheet [role=alert]"),
        (&page, ".s-text pre"),
    ] {
        browser.open_to_inspect(&address(&pages, hash)).await;
        browser.see(None, seen, "").await;
        for width in [320, 768, 1280, 1920] {
            browser.resize(width, 800).await;
            assert!(!browser.overflows().await, "{hash}, {width} px");
            if [320, 1280].contains(&width) {
                assert_eq!(
                    browser.inaccessible().await,
                    json!([]),
                    "{hash}, {width} px"
                );
            }
        }
        if hash.starts_with("page=people") {
            browser.click(None, ".s-sheet header button").await;
            browser.see(None, ".s-editor", "").await;
            assert_eq!(browser.inaccessible().await, json!([]), "the editor");
        }
    }
}
