//! A card takes no click that was meant for what stood there before.

use super::approvals_seen::{FRAME, GATE, asked_about, cabinet, ends, press, remove};
use super::site::Site;
use crate::chromium::Chromium;

/// Notes how long a card has been in sight whenever its answers begin to count, or no longer do.
const NOTE: &str = "(() => {
    const answers = document.querySelector('[role=group]');
    const notes = (window.notes = []);
    let seen = performance.now();
    new IntersectionObserver(() => (seen = performance.now())).observe(document.body);
    new MutationObserver(() => {
        const waits = answers.getAttribute('aria-disabled');
        notes.push([waits, Math.round(performance.now() - seen)]);
    }).observe(answers, { attributeFilter: ['aria-disabled'] });
    return true;
})()";
/// Waits until the page has been painted as it is now.
const PAINTED: &str =
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))";
/// Presses every button of a card as a script does, which no layout hinders.
const PRESS_ALL: &str =
    "document.querySelectorAll('[data-action]').forEach((button) => button.click())";

#[tokio::test(flavor = "multi_thread")]
async fn a_card_takes_no_click_before_it_has_been_in_sight_for_a_moment() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let hasty = Site::start_in(cabinet(&["a.txt"]), GATE, |config| {
        config.limits.gate.approval_hold_s = 0;
    });
    let site = hasty.await;
    remove(&site, "a.txt").await;
    browser.open(&site.world.stage_url()).await;
    asked_about(&mut browser, 1, "a.txt").await;
    let ready = "[role=group][aria-disabled=false]";
    let waits = "[role=group][aria-disabled=true]";
    browser.see(FRAME, ready, "Approve").await;
    browser.evaluate(FRAME, NOTE).await;
    let style = "document.querySelector('article:not([hidden]) iframe').style";
    for (away, back) in [
        ("marginTop = '500vh'", "marginTop = ''"),
        ("display = 'none'", "display = ''"),
    ] {
        browser.evaluate(None, &format!("{style}.{away}")).await;
        browser.evaluate(None, PAINTED).await;
        if away.starts_with("margin") {
            browser.see(FRAME, waits, "").await;
            browser.evaluate(FRAME, PRESS_ALL).await;
        }
        browser.evaluate(None, &format!("{style}.{back}")).await;
        browser.see(FRAME, ready, "Approve").await;
        browser.see(FRAME, "body", "Waiting for a decision.").await;
    }
    let notes = browser.evaluate(FRAME, "window.notes").await;
    let notes = notes.as_array().expect("notes");
    let kinds: Vec<_> = notes.iter().map(|note| note[0].clone()).collect();
    assert_eq!(kinds, ["true", "false", "true", "false"], "{notes:?}");
    for note in notes.iter().filter(|note| note[0] == "false") {
        // The two observers look in the same frame, or one after the other.
        assert!(
            note[1].as_u64().is_some_and(|waited| waited >= 650),
            "{notes:?}"
        );
    }
    press(&mut browser, "approve").await;
    ends(&mut browser, "as soon as the agent asks").await;
}
