//! Another app's things are answered exactly like missing ones: every tool, every route, every
//! frame.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::contracts::{basket, basket_props};
use crate::raw::Raw;
use crate::stranger::{Things, address, arguments, frame, frame_kinds, frames, posting, routes};
use crate::world::World;

/// Two keys of two apps, in a keys file.
fn keys() -> (tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secrets =
        ["ours", "theirs"].map(|app| proscenium::keys::create(&file, app, 3).expect("a key"));
    (folder, secrets)
}

/// A world with a keys file.
async fn world_of(folder: &tempfile::TempDir) -> World {
    let file = folder.path().join("keys.toml");
    World::start_with(|config| config.server.keys_file = file).await
}

/// A world in which an app has things, and a caller of another app with full trust.
async fn stranger_and_things() -> (tempfile::TempDir, World, String, Things) {
    let (folder, [ours, theirs]) = keys();
    let file = folder.path().join("keys.toml");
    // Rate limits are off, because they are not what is compared.
    let world = World::start_with(|config| {
        config.server.keys_file = file;
        config.server.unlimited = true;
    });
    let world = world.await.with_bearer(&ours);
    let shown = world.show(basket(), basket_props()).await;
    let foreign = Things {
        session: shown.session.clone(),
        handshake: world.handshake(basket()).await,
        blueprint: shown.result["structuredContent"]["blueprintId"]
            .as_str()
            .expect("a blueprint")
            .to_owned(),
        code: "abcdefghjkmnpqr2".to_owned(),
        token: shown.slice()["wsToken"]
            .as_str()
            .expect("a token")
            .to_owned(),
    };
    (folder, world.with_bearer(&theirs), ours, foreign)
}

#[tokio::test]
async fn a_foreign_session_and_handshake_answer_like_random_ids_everywhere() {
    let (_folder, stranger, ours, foreign) = stranger_and_things().await;
    let missing = Things::nowhere();
    let own = stranger.show(basket(), basket_props()).await;
    let token = own.slice()["wsToken"].as_str().expect("a token").to_owned();

    let listed = stranger.rpc("tools/list", json!({})).await.body["result"]["tools"].clone();
    for tool in listed.as_array().expect("tools") {
        let tool = tool["name"].as_str().expect("a name");
        let mut answers = Vec::new();
        for things in [&foreign, &missing] {
            let Some(arguments) = arguments(tool, things) else {
                continue;
            };
            let params = json!({"name": tool, "arguments": arguments});
            let legacy = stranger.rpc("tools/call", params.clone()).await;
            let modern = stranger.modern("tools/call", params).await;
            answers.push([legacy, modern].map(|answer| things.seen(&answer)));
        }
        assert!(
            answers.is_empty() || answers[0] == answers[1],
            "{tool}: {answers:#?}"
        );
    }

    // Tools without an id show nothing of another app.
    let lists = [
        ("ggui_list_sessions", json!({})),
        ("ggui_list_featured_blueprints", json!({})),
        ("ggui_search_blueprints", json!({"query": "test"})),
    ];
    for (tool, arguments) in lists {
        let listed = stranger.tool(tool, arguments).await.to_string();
        assert!(!listed.contains(&foreign.session), "{tool}: {listed}");
        assert!(!listed.contains(&foreign.blueprint), "{tool}: {listed}");
    }
    for path in ["/api/v1/sessions", "/api/v1/blueprints"] {
        let listed = stranger.send(stranger.get(path)).await.body.to_string();
        assert!(!listed.contains(&foreign.session), "{path}: {listed}");
        assert!(!listed.contains(&foreign.blueprint), "{path}: {listed}");
    }

    for route in routes() {
        let mut answers = Vec::new();
        for things in [&foreign, &missing] {
            let Some((methods, path)) = address(&route, things, &token) else {
                continue;
            };
            for method in methods.split(" and ") {
                let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
                let request = stranger.request(method, &path);
                let answer = stranger.send(posting(request, &path)).await;
                answers.push(things.seen(&answer));
            }
        }
        let (foreign, missing) = answers.split_at(answers.len() / 2);
        assert_eq!(foreign, missing, "{route}");
        assert!(
            foreign
                .iter()
                .all(|(status, ..)| (400..500).contains(status)),
            "{route}: {foreign:?}"
        );
    }

    let templates = stranger.rpc("resources/templates/list", json!({})).await;
    let templates = templates.body["result"]["resourceTemplates"].clone();
    for template in templates.as_array().expect("templates") {
        let template = template["uriTemplate"].as_str().expect("a template");
        for pin in ["", "#1"] {
            let mut answers = Vec::new();
            for things in [&foreign, &missing] {
                let uri = template
                    .replace("{sessionId}", &things.session)
                    .replace("{blueprintKey}", "0123456789abcdef")
                    .replace("{shellHash}", "0123456789ab");
                assert!(
                    !uri.contains('{'),
                    "{uri}: say here what a stranger fills in"
                );
                let params = json!({"uri": format!("{uri}{pin}")});
                let legacy = stranger.rpc("resources/read", params.clone()).await;
                let modern = stranger.modern("resources/read", params).await;
                answers.push([legacy, modern].map(|answer| things.seen(&answer)));
            }
            assert_eq!(answers[0], answers[1], "{template}{pin}");
        }
    }

    let answers = async |things: &Things| {
        let id = &things.session;
        let with = |more: Value| {
            let mut subscribe = frame("subscribe", id).expect("a frame");
            for (key, value) in more.as_object().into_iter().flatten() {
                subscribe["payload"][key] = value.clone();
            }
            [subscribe]
        };
        let mut answers = frames(&stranger, stranger.bearer(), &with(json!({}))).await;
        for more in [
            json!({"wsToken": token}),
            json!({"observe": true, "fromSeq": 0}),
            json!({"sinceSequence": 0}),
            json!({"appId": "theirs"}),
        ] {
            answers.extend(frames(&stranger, stranger.bearer(), &with(more)).await);
        }
        let first = frame("subscribe", &own.session).expect("a frame");
        let kinds = frame_kinds();
        let sent: Vec<_> = std::iter::once(first)
            .chain(kinds.iter().filter_map(|kind| frame(kind, id)))
            .collect();
        answers.extend(
            frames(&stranger, stranger.bearer(), &sent)
                .await
                .split_off(1),
        );
        for answer in &answers {
            let kind = answer["type"].as_str().unwrap_or_default();
            assert!(["error", "channel_error"].contains(&kind), "{answers:?}");
        }
        json!(answers).to_string().replace(id, "<id>")
    };
    assert_eq!(answers(&foreign).await, answers(&missing).await);
    // The things that were asked for still exist.
    let owner = stranger.with_bearer(&ours);
    let read = json!({"sessionId": foreign.session});
    owner.tool("ggui_get_session", read).await;
    let render = json!({"handshakeId": foreign.handshake, "props": basket_props()});
    owner.tool("ggui_render", render).await;
    let path = format!("/api/v1/blueprints/{}", foreign.blueprint);
    assert_eq!(owner.send(owner.get(&path)).await.status, 200);
}

/// Timed calls of each side.
const CALLS: usize = 2_000;
/// How far the medians of both sides may be apart: a caller on the same machine cannot distinguish
/// that from noise.
const APART: (Duration, f64) = (Duration::from_micros(20), 0.05);
/// A real difference appears in every measurement; one due to the machine does not.
const MEASUREMENTS: usize = 5;

#[tokio::test]
async fn a_foreign_thing_takes_as_long_as_a_random_id() {
    let (_folder, stranger, _, foreign) = stranger_and_things().await;
    let missing = Things::nowhere();
    let rpc = |method: &str, params: Value| {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        ("POST", "/mcp".to_owned(), body.to_string())
    };
    let call = |tool: &str, things: &Things| {
        let arguments = arguments(tool, things);
        rpc("tools/call", json!({"name": tool, "arguments": arguments}))
    };
    type Ask<'a> = (
        &'a str,
        &'a dyn Fn(&Things) -> (&'static str, String, String),
    );
    let asks: [Ask<'_>; 3] = [
        ("a session", &|things| call("ggui_get_session", things)),
        ("a handshake", &|things| call("ggui_render", things)),
        ("a blueprint", &|things| {
            call("ggui_render_blueprint", things)
        }),
    ];
    let bearer = stranger.bearer();
    let mut raw = Raw::connect(stranger.address()).await;
    for (what, ask) in asks {
        let requests = [&foreign, &missing].map(|things| {
            let (method, path, body) = ask(things);
            format!(
                "{method} {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {bearer}\r\n\
                 content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            )
        });
        let mut seen = Vec::new();
        let are_alike = loop {
            let mut times = [Vec::new(), Vec::new()];
            for call in 0..2 * CALLS {
                // The sides take turns in being first.
                let side = (call + call / 2) % 2;
                let begun = Instant::now();
                raw.exchange(&requests[side]).await;
                times[side].push(begun.elapsed());
            }
            let [foreign, missing] = times.map(|mut times| {
                times.sort();
                times[times.len() / 2]
            });
            let apart = foreign.abs_diff(missing);
            seen.push((foreign, missing));
            if apart <= APART.0 || apart <= missing.mul_f64(APART.1) {
                break true;
            }
            if seen.len() == MEASUREMENTS {
                break false;
            }
        };
        assert!(
            are_alike,
            "{what} of another app is revealed by its response time: {seen:?}"
        );
    }
}

#[tokio::test]
async fn without_a_key_nothing_opens_and_a_key_opens_its_own_app_only() {
    let (folder, [ours, _]) = keys();
    let world = world_of(&folder).await;
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}).to_string();
    let refused = world.send(world.post("/mcp").body(ping.clone())).await;
    assert_eq!(
        (refused.status, &refused.body["error"]["code"]),
        (401, &json!(-32001))
    );
    assert_eq!(refused.headers["www-authenticate"], "Bearer realm=\"mcp\"");
    for path in ["/", "/stage/feed"] {
        assert_eq!(world.send(world.get(path)).await.status, 401, "{path}");
    }
    let world = world.with_bearer(&ours);
    let at = async |path: &str| {
        let answer = world.send(world.post(path).body(ping.clone())).await;
        (answer.status, answer.body.to_string())
    };
    assert_eq!(at("/mcp").await.0, 200);
    assert_eq!(at("/apps/ours/mcp").await.0, 200);
    assert_eq!(at("/apps/theirs/mcp").await, at("/apps/nobody/mcp").await);
    assert_eq!(at("/apps/theirs/mcp").await.0, 403);
}

#[tokio::test]
async fn a_key_sees_its_own_sessions_and_one_of_more_trust_those_of_its_app() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [owner, peer, chief, reader] =
        [1, 1, 2, 0].map(|trust| proscenium::keys::create(&file, "ours", trust).expect("a key"));
    let world = world_of(&folder).await.with_bearer(&owner);
    let shown = world.show(basket(), basket_props()).await;
    let read = json!({"sessionId": shown.session});
    let world = world.with_bearer(&peer);
    let missing = world.call("ggui_get_session", read.clone()).await;
    assert_eq!(
        missing["structuredContent"]["error"]["code"],
        "session_not_found"
    );
    let world = world.with_bearer(&chief);
    world.tool("ggui_get_session", read.clone()).await;
    let world = world.with_bearer(&reader);
    let params = json!({"name": "ggui_amend", "arguments": {}});
    let refused = world.rpc("tools/call", params).await.body["error"].clone();
    assert_eq!(
        (&refused["code"], &refused["data"]["code"]),
        (&json!(-32005), &json!("CAPABILITY_DENIED"))
    );
    assert_eq!(refused["data"]["required_level"], 1);
}
