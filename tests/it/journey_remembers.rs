//! What the server remembers, in real browsers: two people who write the same page, answers that were
//! lost, and questions about what is kept.

use serde_json::{Value, json};

use crate::brain::Pages;
use crate::brain::journal::{at_once, listed, page_with};
use crate::chromium::Chromium;
use crate::contracts::{basket, basket_props};
use crate::safe_retries::{asked, cut, keyed, structure};

/// The frame the stage shows.
const FRAME: Option<&str> = Some("iframe");
const IDA: &str = "# Ida\n\nRuns Acme.\n\nTea at four.\n\nLives in Bonn.\n---\n- 2026-04-01 met\n";

#[tokio::test(flavor = "multi_thread")]
async fn two_people_edit_one_page_and_the_one_who_is_late_puts_both_together() {
    let (Some(mut early), Some(mut late)) = (Chromium::start().await, Chromium::start().await)
    else {
        return;
    };
    let pages = Pages::start().await;
    pages.put("people/ida", IDA).await;
    let address = format!("{}#page=people%2Fida", pages.0.stage_url());
    let (edit, text, save) = (
        ".s-sheet header button",
        ".s-editor textarea",
        ".s-editor [type=submit]",
    );
    for browser in [&mut early, &mut late] {
        browser.open(&address).await;
        browser.see(None, ".s-text", "Tea at four").await;
        browser.click(None, edit).await;
    }
    let of_early = IDA.replace("Runs Acme", "Runs Beta").replace(
        "- 2026-04-01 met",
        "- 2026-05-02 moved to Beta\n- 2026-04-01 met",
    );
    early.fill(None, text, &of_early).await;
    let of_late = IDA
        .replace("Lives in Bonn", "Lives in Paris")
        .replace("- 2026-04-01 met", "- 2026-04-01 met, over tea");
    late.fill(None, text, &of_late).await;
    early.click(None, save).await;
    early.see(None, ".s-sheet-said", "version 2").await;
    // An agent that is as late is told by the number, and by both versions.
    let stale = json!({"slug": "people/ida", "content": of_late, "expected_version": 1});
    let error = pages.error("brain_put", stale).await;
    assert_eq!(error["code"], -32009, "{error}");
    assert_eq!(error["data"]["current_version"], 2);
    assert_eq!(error["data"]["expected_version"], 1);
    late.click(None, save).await;
    // The same line of the timeline: the person takes both, theirs under it.
    late.see(None, ".s-conflict legend", "Place 1 of 1").await;
    late.click(None, ".s-conflict label:nth-of-type(3) input")
        .await;
    late.click(None, ".s-conflict [type=submit]").await;
    late.see(None, ".s-editor [role=alert]", "version 2").await;
    late.click(None, save).await;
    late.see(None, ".s-sheet-said", "version 3").await;
    let parts = [
        "Runs Beta",
        "Lives in Paris",
        "moved to Beta",
        "met, over tea",
    ];
    page_with(&pages, "people/ida", &parts).await;
    late.see(None, ".s-timeline li", "moved to Beta").await;
    early.see(None, ".s-text", "Lives in Paris").await;
    let found = pages.call("brain_search", json!({"query": "paris"})).await;
    let first = &found["structuredContent"]["results"][0];
    assert_eq!(first["slug"], "default::people/ida", "{found}");
    assert_eq!(early.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_that_are_lost_on_the_way_are_answered_again_and_a_person_sees_one_card() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let pages = Pages::start_with(at_once).await;
    let world = &pages.0;
    browser.open(&world.stage_url()).await;
    browser.see(None, "h1", "The stage is yours").await;
    let handshake = world.handshake(basket()).await;
    let render = json!({"handshakeId": handshake, "props": basket_props()});
    cut(asked(world, "r", "ggui_render", &render).await).await;
    let again = keyed(world, "r", "ggui_render", &render).await;
    let session = structure(&again)["sessionId"].clone();
    browser.see(FRAME, "body", "Check out").await;
    let live = world.send(world.get("/api/v1/sessions")).await.body;
    assert_eq!(live["data"].as_array().map(Vec::len), Some(1), "{live}");
    let consume = json!({"sessionId": session, "timeout": 20});
    let waiting = asked(world, "c", "ggui_consume", &consume).await;
    browser.click(FRAME, "[data-action='checkout']").await;
    browser.click(FRAME, "dialog[open] [data-confirm]").await;
    cut(waiting).await;
    let events = [
        keyed(world, "c", "ggui_consume", &consume).await,
        keyed(world, "c", "ggui_consume", &consume).await,
    ]
    .map(|answer| structure(&answer)["events"].clone());
    assert_eq!(events[0][0]["intent"], "checkout", "{events:?}");
    assert_eq!(events[0], events[1]);
    let other = json!({"handshakeId": handshake, "props": {}});
    let refused = keyed(world, "r", "ggui_render", &other).await;
    let text = refused.body.to_string();
    assert!(text.contains("idempotency_key_reused"), "{text}");
    // What happened was written down once.
    let slug = format!("sessions/{}", session.as_str().expect("an id"));
    let page = page_with(&pages, &slug, &["did checkout"]).await;
    let text = page["content"].as_str().expect("a text");
    assert_eq!(text.matches("did checkout").count(), 1, "{text}");
    listed(&pages, "blueprints", 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_agrees_to_preferences_chooses_between_them_and_deletes_one() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let pages = Pages::start_with(at_once).await;
    browser.open(&pages.0.stage_url()).await;
    browser.see(None, "h1", "The stage is yours").await;
    for (slug, rows) in [("monday", "compact rows"), ("friday", "roomy rows")] {
        let content = format!("---\ntitle: Density of tables\nprefers: {rows}\n---\nSaid so.\n");
        let put = json!({"slug": format!("preferences/{slug}"), "content": content});
        let put = pages.call("brain_put", put).await;
        let asked = put["structuredContent"]["asked"].as_str().expect("a card");
        if slug == "friday" {
            // Whoever looks at something is not taken away from it.
            let choice = format!("[data-session-choice='{asked}']");
            browser.click(None, &choice).await;
        }
        let frame = format!("iframe[src*='{asked}']");
        let frame = Some(frame.as_str());
        let title = "Remember “Density of tables”?";
        browser.see(frame, "h1", title).await;
        browser.see(frame, "body", rows).await;
        browser.click(frame, "[data-action='keep']").await;
        page_with(&pages, &format!("preferences/{slug}"), &[rows]).await;
    }
    let choice = "[data-session-choice^='which-one-']";
    browser.click(None, choice).await;
    let frame = Some("iframe[src*='which-one-']");
    let title = "Which one? Density of tables";
    browser.see(frame, "h1", title).await;
    let first = "[data-action='keepFirst']";
    browser.see(frame, first, "Keep compact rows").await;
    browser.click(frame, "[data-action='keepSecond']").await;
    let said = "the other one is over";
    let answered = "body:not(:has([data-action]))";
    browser.see(frame, answered, said).await;
    listed(&pages, "preferences", 2).await;
    browser
        .open(&format!(
            "{}#page=preferences%2Ffriday",
            pages.0.stage_url()
        ))
        .await;
    browser.see(None, ".s-sheet h1", "Density of tables").await;
    browser
        .click(None, ".s-sheet header button:nth-of-type(2)")
        .await;
    browser
        .see(None, "dialog[open]", "Delete “Density of tables”?")
        .await;
    browser
        .click(None, "dialog[open] button[data-tone='bad']")
        .await;
    browser.see(None, ".s-library-hint", "Choose a page").await;
    listed(&pages, "preferences", 1).await;
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_rewrites_a_question_before_it_may_leave_this_machine() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let pages = Pages::start_with(at_once).await;
    browser.open(&pages.0.stage_url()).await;
    browser.see(None, "h1", "The stage is yours").await;
    let gap = json!({"query": "When was Ida Tester born?", "share": true});
    pages.call("brain_gap", gap).await;
    browser
        .see(FRAME, "body", "When was Ida Tester born?")
        .await;
    browser.click(FRAME, "[data-action='shareChanged']").await;
    let field = "dialog[open] :is(input, textarea)";
    browser.fill(FRAME, field, "When was the boss born?").await;
    browser
        .click(FRAME, "dialog[open] [data-action='shareChanged']")
        .await;
    browser
        .see(FRAME, "body", "it may leave this machine")
        .await;
    let gaps = pages.call("brain_gaps", json!({})).await;
    let row = &gaps["structuredContent"]["gaps"][0];
    assert_eq!(row["shared_query"], "When was the boss born?", "{row}");
    assert_eq!(row["sensitivity"], "redacted");
    assert_ne!(row["detected_at"], Value::Null);
}
