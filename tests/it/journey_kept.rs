//! What a person typed, chose and looked at: restored after a reload, in another window, after
//! going
//! back, and in print.

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::contracts::{basket, basket_props};
use crate::world::World;

/// The frame the stage shows.
const FRAME: Option<&str> = Some("article:not([hidden]) iframe");

/// Waits until an expression holds in a document.
async fn until(browser: &mut Chromium, frame: Option<&str>, holds: &str) {
    let code = format!(
        "new Promise((done) => {{ const look = () => ({holds}) ? done(true) : setTimeout(look, 20); look(); }})"
    );
    assert_eq!(browser.evaluate(frame, &code).await, true);
}

#[tokio::test(flavor = "multi_thread")]
async fn input_survives_a_reload_until_it_is_sent() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, _) = World::with_basket().await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let input = "form[class*=inline] input";
    browser.fill(FRAME, input, "7").await;
    let kept = "Object.values(sessionStorage).some((text) => text.includes('\"7\"'))";
    until(&mut browser, None, kept).await;

    browser.reload().await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let typed = format!("document.querySelector('{input}')?.value === '7'");
    until(&mut browser, FRAME, &typed).await;
    assert_eq!(browser.problems().await, json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_set_in_one_window_is_set_in_the_others() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, shown) = World::with_basket().await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let live = "document.querySelector('main')?.dataset.live === 'open'";
    until(&mut browser, FRAME, live).await;
    let set =
        json!({"sessionId": shown.session, "appId": "builder", "snapshot": {"coupon": "TEN"}});
    world.tool("ggui_runtime_sync_context", set).await;
    let coupon = "[...document.querySelectorAll('input')].some(({value}) => value === 'TEN')";
    until(&mut browser, FRAME, coupon).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn back_returns_to_the_previous_session() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    for _ in 0..3 {
        world.show(basket(), basket_props()).await;
    }
    browser.open(&world.stage_url()).await;
    let current = "[...document.querySelectorAll('.s-list button')]\
                   .findIndex((button) => button.ariaCurrent === 'true')";
    browser.click(None, ".s-list li:nth-child(2) button").await;
    until(&mut browser, None, &format!("{current} === 1")).await;
    browser.click(None, ".s-list li:nth-child(3) button").await;
    until(&mut browser, None, &format!("{current} === 2")).await;
    browser.evaluate(None, "history.back()").await;
    until(&mut browser, None, &format!("{current} === 1")).await;
    browser.evaluate(None, "history.forward()").await;
    until(&mut browser, None, &format!("{current} === 2")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn printing_shows_only_the_interface_without_buttons() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, _) = World::with_basket().await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    browser.print().await;
    // The column headings, which are also sort buttons, are printed as text.
    let seen = |selector: &str| {
        format!(
            "[...document.querySelectorAll('{selector}')].filter((at) => at.checkVisibility()).length"
        )
    };
    until(
        &mut browser,
        None,
        &format!(
            "{} === 0",
            seen(".s-header, .s-list, .s-activity, button, input")
        ),
    )
    .await;
    until(
        &mut browser,
        FRAME,
        &format!(
            "{} === 0",
            seen("button:not(th button), input, select, textarea")
        ),
    )
    .await;
    let cells = browser.evaluate(FRAME, &seen("td, th")).await;
    assert!(cells.as_u64() > Some(4), "{cells}");
}

#[tokio::test]
async fn a_page_shows_the_shape_of_a_card_before_the_code_that_draws_it_arrives() {
    let (world, shown) = World::with_basket().await;
    let token = shown.slice()["wsToken"].as_str().expect("a token");
    let frame = format!("/frame/{}?wsToken={token}", shown.session);
    let page = world.send(world.get(&frame)).await.body;
    let page = page.as_str().expect("a page");
    let shape = page.find("<div data-shape").expect("a shape");
    assert!(shape < 2048, "in the first packets: {shape}");
    assert!(shape < page.find("<script").expect("code"));

    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    // The code of this page never arrives: the outline is visible in every colour scheme.
    let shape = json!({"shape": page[..page.find("<script").expect("code")]});
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let left = "document.querySelectorAll('[data-shape]').length";
    assert_eq!(browser.evaluate(FRAME, left).await, Value::from(0));
    let drawn = format!(
        "(async () => {{ document.open(); document.write({}); document.close(); \
         await Promise.all(document.getAnimations().slice(0, 1).map(({{ finished }}) => finished)); \
         const bar = document.querySelector('[data-shape] i').getBoundingClientRect(); \
         return bar.width > 40 && bar.height > 8; }})()",
        shape["shape"]
    );
    assert_eq!(browser.evaluate(FRAME, &drawn).await, true);
}
