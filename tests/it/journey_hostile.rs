//! Hostile frames and values in a real browser: they affect nothing outside their frame.

use std::time::Duration;

use serde_json::{Value, json};

use crate::chromium::Chromium;
use crate::contracts::{basket, basket_props};
use crate::world::World;

/// The frame the stage shows.
const FRAME: Option<&str> = Some("iframe");

/// A request to the host, and its response.
fn ask(method: &str, params: &Value) -> String {
    format!(
        "new Promise((resolve) => {{ const id = 'x' + Math.random(); \
         addEventListener('message', ({{data}}) => data.id === id && resolve(data.error ?? data.result)); \
         parent.postMessage({{jsonrpc: '2.0', id, method: '{method}', params: {params}}}, '*'); }})"
    )
}

/// Whether an expression fails, and how.
fn attempt(code: &str) -> String {
    format!(
        "(async () => {{ try {{ return ['done', String(await ({code}))]; }} catch (problem) {{ return ['failed', problem.name]; }} }})()"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_reaches_neither_the_page_around_it_nor_another_session_nor_the_network() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let other = world.show(basket(), basket_props()).await;
    // The stage shows the newest session.
    world.clock.advance(Duration::from_secs(1));
    let shown = world.show(basket(), basket_props()).await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;

    for code in [
        "parent.document.title",
        "top.localStorage.length",
        "localStorage.length",
        "indexedDB.open('x')",
        "document.cookie",
        "(top.location = 'about:blank', parent.length)",
        "fetch('https://example.com/')",
        "import('data:text/javascript,1')",
        "new Promise((run, fail) => { const worker = new Worker('data:text/javascript,postMessage(1)'); worker.onmessage = run; worker.onerror = () => fail(new Error('refused')); })",
        "navigator.clipboard.readText()",
    ] {
        let got = browser.evaluate(FRAME, &attempt(code)).await;
        // Some refused navigations fail silently, so the result is checked below.
        assert!(
            got[0] == "failed" || code.contains("top.location"),
            "{code}: {got}"
        );
    }
    let popup = browser
        .evaluate(FRAME, &attempt("window.open('https://example.com/')"))
        .await;
    assert_eq!(popup[1], "null", "no window is opened");
    let foreign = world.url("/mcp");
    let body = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}";
    let direct =
        format!("fetch('{foreign}', {{method: 'POST', body: '{body}'}}).then(() => 'read')");
    let got = browser.evaluate(FRAME, &attempt(&direct)).await;
    assert_eq!(
        got[0], "failed",
        "a frame has no credential of its own: {got}"
    );

    // Through the host it may only use the runtime tools of its own session.
    let denied = [
        (
            "tools/call",
            json!({"name": "ggui_consume", "arguments": {"sessionId": shown.session}}),
        ),
        (
            "tools/call",
            json!({"name": "ggui_runtime_submit_action", "arguments": {"sessionId": other.session}}),
        ),
        (
            "tools/call",
            json!({"name": "ggui_runtime_submit_action", "arguments": null}),
        ),
        (
            "tools/call",
            json!({"name": {"toString": 1}, "arguments": {}}),
        ),
        (
            "resources/read",
            json!({"uri": format!("ui://ggui/render/{}", other.session)}),
        ),
        (
            "ui/open-link",
            json!({"url": "javascript:alert(document.domain)"}),
        ),
        (
            "ui/open-link",
            json!({"url": "data:text/html,<script>alert(1)</script>"}),
        ),
        (
            "ui/open-link",
            json!({"url": "https://good.example@evil.example/"}),
        ),
        ("ui/open-link", json!(null)),
    ];
    for (method, params) in denied {
        let got = browser.evaluate(FRAME, &ask(method, &params)).await;
        assert_eq!(got["code"], -32602, "{method} {params}: {got}");
    }
    let unknown = browser
        .evaluate(FRAME, &ask("host/format-disk", &json!({})))
        .await;
    assert_eq!(unknown["code"], -32601);
    let page = browser
        .evaluate(
            None,
            "[location.pathname, document.querySelectorAll('dialog').length]",
        )
        .await;
    assert_eq!(page, json!(["/", 0]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_that_floods_lies_and_loops_leaves_the_stage_alive() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let (world, _) = World::with_basket().await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let lies = "(() => { \
        const loop = {kind: 'loop'}; loop.self = loop; \
        const deep = {kind: 'deep'}; for (let at = deep, i = 0; i < 500; i++) at = at.next = {}; \
        const html = '<img src=x onerror=top.hacked=1>'; \
        for (const event of [loop, deep, {kind: html, message: html}, {kind: 'x'.repeat(1e6)}, {kind: 7}, null, \
            JSON.parse('{\"kind\": \"proto\", \"__proto__\": {\"hacked\": 1}, \"constructor\": {\"prototype\": {\"hacked\": 1}}}'), \
            {kind: 'contract-violation', violations: [null, 1, {field: html}]}]) \
          parent.postMessage({type: 'ggui:observe', event}, '*'); \
        for (const height of [-1, NaN, 1e12, 'tall', {}]) \
          parent.postMessage({jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: {height}}, '*'); \
        for (const odd of [1, 'x', [], {jsonrpc: '2.0'}, {jsonrpc: '2.0', id: {}, method: 'ping', params: 1}, {type: 'ggui:lifecycle'}]) \
          parent.postMessage(odd, '*'); \
        for (let i = 0; i < 20000; i++) parent.postMessage({type: 'ggui:observe', event: {kind: 'flood', i}}, '*'); \
        })()";
    browser.evaluate(FRAME, lies).await;
    browser
        .see(None, "[data-kind='frame-flooding']", "Sends too much")
        .await;
    let seen = browser
        .evaluate(
            None,
            "[document.querySelectorAll('.s-activity li').length <= 500, \
              document.querySelectorAll('.s-activity img').length, \
              globalThis.hacked === undefined && {}.hacked === undefined, \
              parseFloat(document.querySelector('iframe').style.height) <= 20000]",
        )
        .await;
    assert_eq!(seen, json!([true, 0, true, true]));
    // An endless loop blocks its own frame, and nothing else.
    browser
        .evaluate(FRAME, "void setTimeout(() => { for (;;); }, 0)")
        .await;
    browser.click(None, "[aria-label='Side by side']").await;
    browser.see(None, ".s-frame-head", "A test").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn markup_in_every_value_is_text_and_no_page_but_ours_may_frame_the_stage() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let html =
        "<img src=x onerror=document.title='hacked'><script>document.title='hacked'</script>";
    let link = "[read](javascript:document.title='hacked') **bold**";
    let mut props = basket_props();
    props["items"][0]["title"] = html.into();
    props["items"][1]["title"] = link.into();
    props["note"] = format!("{html} {link}").into();
    let shown = world.show(basket(), props).await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "onerror").await;
    let drawn = browser
        .evaluate(
            FRAME,
            "[document.title, document.querySelectorAll('main img, main script').length, \
              [...document.querySelectorAll('a')].filter((link) => link.protocol === 'javascript:').length]",
        )
        .await;
    assert_eq!(drawn, json!(["Render", 0, 0]));

    let stage = world.send(world.get("/")).await;
    let frame = shown.slice()["wsToken"].as_str().unwrap();
    let frame = format!("/frame/{}?wsToken={frame}", shown.session);
    let frame = world.send(world.get(&frame)).await;
    let policy = |answer: &crate::world::Answer| {
        let policy = answer.headers["content-security-policy"].to_str().unwrap();
        policy.to_owned()
    };
    assert!(policy(&stage).contains("frame-ancestors 'self'"));
    let frame = policy(&frame);
    assert!(
        frame.starts_with("sandbox allow-scripts allow-forms;"),
        "{frame}"
    );
    assert!(
        frame.ends_with("frame-ancestors http://127.0.0.1:* http://localhost:*"),
        "{frame}"
    );
}
