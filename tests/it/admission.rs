//! Which requests are let in: contradictory headers and parameters, foreign pages, ambiguous keys,
//! and
//! what a caller without any permission sees.

use proscenium::keys;
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::doors::PING;
use crate::raw::Raw;
use crate::stranger::{Things, arguments};
use crate::world::World;

/// A server with a keys file, and the secrets of keys of the given trust in one app.
async fn keyed<const N: usize>(trust: [u8; N]) -> (tempfile::TempDir, World, [String; N]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secrets = trust.map(|trust| keys::create(&file, "theirs", trust).expect("a key"));
    let world = World::start_with(|config| {
        config.server.keys_file = file;
        config.server.unlimited = true;
    });
    (folder, world.await, secrets)
}

#[tokio::test]
async fn a_request_with_two_hosts_or_credentials_is_refused_on_every_route() {
    let (_folder, world, [secret]) = keyed([2]).await;
    let bearer = format!("authorization: Bearer {secret}\r\n");
    let length = PING.len();
    let post = format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n{PING}");
    let upgrade = "upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n\
        sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    for (line, rest) in [
        ("POST /mcp HTTP/1.1", post.as_str()),
        ("GET / HTTP/1.1", "\r\n"),
        ("GET /api/v1/sessions HTTP/1.1", "\r\n"),
        ("GET /health/live HTTP/1.1", "\r\n"),
        ("GET /ws HTTP/1.1", upgrade),
    ] {
        let origin = "origin: http://localhost\r\n";
        let evil = "authorization: Bearer nobody\r\n";
        for twice in [
            format!("host: localhost\r\nhost: localhost\r\n{bearer}"),
            format!("host: localhost\r\nhost: evil.example\r\n{bearer}"),
            format!("host: localhost\r\n{bearer}{bearer}"),
            format!("host: localhost\r\n{bearer}{evil}"),
            format!("host: localhost\r\n{evil}{bearer}"),
            format!("host: localhost\r\n{bearer}{origin}origin: https://evil.example\r\n"),
        ] {
            let mut raw = Raw::connect(world.address()).await;
            raw.send(format!("{line}\r\nconnection: close\r\n{twice}{rest}"))
                .await;
            let heard = raw.hear_out().await;
            assert_eq!(heard.status(), 400, "{line} {twice}: {heard:?}");
            let body: Value = serde_json::from_str(heard.body()).expect("JSON");
            let detail = if line.contains("/mcp") {
                body["error"]["message"].clone()
            } else {
                assert_eq!(body["error"]["code"], "BAD_REQUEST", "{heard:?}");
                body["detail"].clone()
            };
            assert!(
                detail.as_str().expect("text").contains("more than one"),
                "{detail}"
            );
        }
        // The address names another host than the header.
        let (method, path) = line.split_once(' ').expect("a path");
        let absolute = format!("{method} http://evil.example{path}\r\nhost: localhost\r\n{bearer}");
        let mut raw = Raw::connect(world.address()).await;
        raw.send(format!("{absolute}connection: close\r\n{rest}"))
            .await;
        assert_eq!(raw.hear_out().await.status(), 400, "{absolute}");
    }
}

#[tokio::test]
async fn a_repeated_parameter_is_refused_wherever_it_grants_access() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let token = shown.slice()["wsToken"].as_str().expect("a token");
    let session = &shown.session;
    for path in ["state", "events", "stream"]
        .map(|door| format!("/api/sessions/{session}/{door}"))
        .into_iter()
        .chain([format!("/frame/{session}"), "/ws".to_owned()])
    {
        for (first, second) in [(token, "x"), ("x", token), (token, token)] {
            let twice = format!("{path}?wsToken={first}&sinceSequence=0&wsToken={second}");
            let refused = world.send(world.get(&twice)).await;
            assert_eq!(refused.status, 400, "{twice}: {}", refused.body);
            assert_eq!(refused.body["detail"], "wsToken is given more than once");
        }
    }
}

#[tokio::test]
async fn a_page_without_a_web_origin_may_use_nothing() {
    let world = World::start().await;
    for (origin, status) in [
        ("http://localhost:3000", 200),
        ("javascript://localhost", 403),
        ("file://localhost", 403),
        ("chrome-extension://localhost", 403),
        ("http://me@localhost", 403),
        ("http://localhost/page", 403),
    ] {
        let ping = world.post("/mcp").header("origin", origin).body(PING);
        assert_eq!(world.send(ping).await.status, status, "{origin}");
        let stage = world.get("/").header("origin", origin);
        assert_eq!(world.send(stage).await.status, status, "{origin}");
        // An upgrade without a token also relies on what a browser adds by itself.
        let plain = world.get("/ws").header("origin", origin);
        let upgraded = world.send(plain).await.status;
        assert_eq!(upgraded == 403, status == 403, "{origin}: {upgraded}");
    }
}

#[tokio::test]
async fn metrics_are_for_this_machine_and_for_holders_of_a_key_unless_they_are_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secret = keys::create(&file, "ours", 1).expect("a key");
    for (listen, is_opened, here, forwarded) in [
        ("127.0.0.1:0", false, 200, 401),
        ("127.0.0.1:0", true, 200, 200),
        ("0.0.0.0:0", false, 401, 401),
        ("0.0.0.0:0", true, 200, 200),
    ] {
        let world = World::start_with(|config| {
            config.server.keys_file = file.clone();
            config.server.listen = listen.to_owned();
            config.server.metrics_open = is_opened;
        });
        let world = world.await;
        let asked = async |header: Option<(&str, String)>| {
            let request = world.get("/metrics");
            let request = match header {
                Some((name, value)) => request.header(name, value),
                None => request,
            };
            world.send(request).await.status
        };
        let case = format!("{listen} {is_opened}");
        assert_eq!(asked(None).await, here, "{case}");
        for name in ["x-forwarded-for", "forwarded"] {
            let by_proxy = Some((name, "for=192.0.2.1".to_owned()));
            assert_eq!(asked(by_proxy).await, forwarded, "{case} {name}");
        }
        let by_key = ("authorization", format!("Bearer {secret}"));
        assert_eq!(asked(Some(by_key)).await, 200, "{case}");
    }
    // Without keys, a proxy may still speak for somebody on another machine.
    let open = World::start().await;
    let by_proxy = open.get("/metrics").header("x-forwarded-for", "192.0.2.1");
    assert_eq!(open.send(by_proxy).await.status, 401);
}

#[tokio::test]
async fn a_dead_link_is_a_small_page_whether_it_was_ever_valid_or_not() {
    const SMALL: usize = 2_000;
    let (_folder, world, [secret]) = keyed([2]).await;
    let world = world.with_bearer(&secret);
    let shown = world.show(basket(), basket_props()).await;
    let (_, old) = shown.viewer_url().split_at(world.url("").len());
    let gone = world.delete(&format!("/api/v1/sessions/{}", shown.session));
    assert_eq!(world.send(gone).await.status, 204);
    let html = |path: &str| {
        reqwest::Client::new()
            .get(world.url(path))
            .header("accept", "text/html")
    };
    for suffix in ["", "/frame"] {
        let mut pages = Vec::new();
        for path in [old, "/r/abcdefghjkmnpqrs", "/r/x"] {
            let page = world.send(html(&format!("{path}{suffix}"))).await;
            assert_eq!(page.status, 404, "{path}{suffix}");
            let text = page.body.as_str().expect("a page").to_owned();
            assert!(text.len() < SMALL, "{} bytes", text.len());
            assert!(text.contains("Your session expired."), "{text}");
            pages.push((text, page.headers["content-security-policy"].clone()));
        }
        assert_eq!(pages[0], pages[1]);
        assert_eq!(pages[0], pages[2]);
    }
}

#[tokio::test]
async fn a_sign_in_address_is_https_only_and_is_normalised_as_in_browsers() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let mut observer = world.knock(&shown).await;
    observer.subscribe(json!({"observe": true})).await;
    for none in [
        "http://id.example/",
        "https://",
        "https:///login",
        "https://good.example@evil.example/",
        "https://@evil.example/",
        "https://id.example/a\r\nlocation: x",
        "https://id.exa\tmple/",
        "https://good.example\\@evil.example/",
        "https://id.example/\u{0}",
        "https://id.example:99999/",
        "javascript:alert(1)//https://id.example",
    ] {
        let arguments = json!({"sessionId": shown.session, "provider": "p", "authUrl": none});
        let params = json!({"name": "ggui_request_auth", "arguments": arguments});
        let legacy = world.rpc("tools/call", params.clone()).await.body["error"].clone();
        assert_eq!(legacy["code"], -32602, "{none:?}: {legacy}");
        let problems = legacy["data"]["problems"].to_string();
        assert!(problems.contains("authUrl"), "{problems}");
        let modern = world.modern("tools/call", params).await.body["result"].clone();
        assert_eq!(modern["isError"], true, "{none:?}: {modern}");
    }
    let given = "https://ID.example:443/login?a=b";
    let arguments = json!({"sessionId": shown.session, "provider": "p", "authUrl": given});
    world.tool("ggui_request_auth", arguments).await;
    let event = loop {
        let event = observer.frame("observe").await["payload"]["event"].clone();
        if event["kind"] == "auth-required" {
            break event;
        }
    };
    assert_eq!(event["authUrl"], "https://id.example/login?a=b", "{event}");
}

#[tokio::test]
async fn a_key_of_trust_one_does_not_see_things_of_other_keys() {
    let (_folder, world, [owner, neighbour, chief]) = keyed([1, 1, 2]).await;
    let world = world.with_bearer(&owner);
    let shown = world.show(basket(), basket_props()).await;
    let nowhere = Things::nowhere();
    let theirs = Things {
        session: shown.session.clone(),
        handshake: world.handshake(basket()).await,
        // What was negotiated before belongs to the whole app.
        blueprint: nowhere.blueprint.clone(),
        code: nowhere.code.clone(),
        // The holder of a token has the rights of the token.
        token: nowhere.token.clone(),
    };
    let listed = world.rpc("tools/list", json!({})).await.body["result"]["tools"].clone();
    let world = world.with_bearer(&neighbour);
    for tool in listed.as_array().expect("tools") {
        let tool = tool["name"].as_str().expect("a name");
        let mut answers = Vec::new();
        for things in [&theirs, &nowhere] {
            let Some(arguments) = arguments(tool, things) else {
                continue;
            };
            let params = json!({"name": tool, "arguments": arguments});
            let legacy = world.rpc("tools/call", params.clone()).await;
            let modern = world.modern("tools/call", params).await;
            answers.push([legacy, modern].map(|answer| things.seen(&answer)));
        }
        assert!(
            answers.is_empty() || answers[0] == answers[1],
            "{tool}: {answers:#?}"
        );
    }
    for (method, path) in [
        ("GET", "/api/v1/sessions/"),
        ("DELETE", "/api/v1/sessions/"),
        ("GET", "/stage/frame/"),
    ] {
        let mut answers = Vec::new();
        for things in [&theirs, &nowhere] {
            let method = method.parse().expect("a method");
            let request = world.request(method, &format!("{path}{}", things.session));
            answers.push(things.seen(&world.send(request).await));
        }
        assert_eq!(answers[0], answers[1], "{method} {path}");
    }
    let listed = world.tool("ggui_list_sessions", json!({})).await;
    assert_eq!(listed["sessions"], json!([]));
    // It exists all the same for those who may see it.
    let render = json!({"handshakeId": theirs.handshake, "props": basket_props()});
    let world = world.with_bearer(&chief);
    world.tool("ggui_render", render).await;
    let world = world.with_bearer(&owner);
    let own = world.handshake(basket()).await;
    let render = json!({"handshakeId": own, "props": basket_props()});
    world.tool("ggui_render", render).await;
}

#[tokio::test]
async fn ambiguous_keys_are_an_error_at_the_start_that_names_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let path = file.to_str().expect("a path");
    keys::create(&file, "ours", 1).expect("a key");
    let entry = std::fs::read_to_string(&file).expect("a file");
    let id = keys::list(&file).expect("keys")[0].id.clone();
    let hash = entry
        .split('"')
        .find(|text| text.len() == 64)
        .expect("a hash");
    let other = "0".repeat(64);
    for (second, word) in [
        (
            entry.replace("\"ours\"", "\"theirs\""),
            "hold the same secret",
        ),
        (
            entry
                .replace(hash, &hash.to_uppercase())
                .replace(&id, "key_2"),
            "hold the same secret",
        ),
        (entry.replace(hash, &other), "have the same id"),
    ] {
        std::fs::write(&file, format!("{entry}\n{second}")).expect("a file");
        let (code, lines) = crate::process::failed(&["serve", "--keys-file", path]).await;
        assert_eq!((code, lines.len()), (78, 1), "{lines:?}");
        assert!(lines[0].contains(word), "{lines:?}");
        assert!(
            lines[0].contains(&format!("entry 1 ({id}, app ours)")),
            "{lines:?}"
        );
        assert!(lines[0].contains("entry 2 ("), "{lines:?}");
        assert!(
            !lines[0].to_lowercase().contains(&hash.to_lowercase()),
            "{lines:?}"
        );
    }
    // Nor may a key have the name of another kind of caller.
    for name in ["viewer", "server", "builder", "jwt:ada"] {
        std::fs::write(&file, entry.replace(&id, name)).expect("a file");
        let (code, lines) = crate::process::failed(&["serve", "--keys-file", path]).await;
        assert_eq!(code, 78, "{name}: {lines:?}");
    }
}
