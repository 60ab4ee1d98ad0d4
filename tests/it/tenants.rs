//! Another app's thing answers exactly like a missing thing: every tool, every route, every frame.

use std::collections::BTreeSet;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self};

use crate::contracts::{basket, basket_props};
use crate::world::{Answer, PATIENCE, World};

/// An id nobody has.
const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";

/// Two keys of two apps, and a file that holds them.
fn keys() -> (tempfile::TempDir, [String; 2]) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secrets =
        ["ours", "theirs"].map(|app| proscenium::keys::create(&file, app, 2).expect("a key"));
    (folder, secrets)
}

/// A world whose keys stand in a file.
async fn world_of(folder: &tempfile::TempDir) -> World {
    let file = folder.path().join("keys.toml");
    World::start_with(|config| config.server.keys_file = file).await
}

/// An answer without what differs from call to call.
fn comparable(mut body: Value, id: &str) -> String {
    let result = &mut body["result"];
    if result["structuredContent"].is_object() {
        result["structuredContent"]["_latency_ms"] = 0.into();
        result["_meta"] = Value::Null;
    }
    for block in result["content"].as_array_mut().into_iter().flatten() {
        if let Ok(mut envelope) = serde_json::from_str::<Value>(block["text"].as_str().unwrap()) {
            envelope["_latency_ms"] = 0.into();
            block["text"] = envelope.to_string().into();
        }
    }
    body["id"] = 0.into();
    body.to_string().replace(id, "<id>")
}

/// What is someone's: the things a stranger asks for.
struct Things {
    session: String,
    handshake: String,
    blueprint: String,
    /// A shell's address; never a real token: holding one is a permission.
    code: String,
}

impl Things {
    fn nowhere() -> Self {
        Self {
            session: NOWHERE.to_owned(),
            handshake: NOWHERE.to_owned(),
            blueprint: "bp_of-nobody".to_owned(),
            code: "abcdefghjkmnpqrs".to_owned(),
        }
    }
}

/// What a stranger asks every tool for; nothing where a tool takes no id.
fn arguments(tool: &str, things: &Things) -> Option<Value> {
    let session = &things.session;
    Some(match tool {
        "ggui_handshake" => return None,
        "ggui_list_featured_blueprints"
        | "ggui_list_gadgets"
        | "ggui_list_sessions"
        | "ggui_list_themes"
        | "ggui_search_blueprints" => return None,
        // The token in its envelope is the permission, and a stranger has none.
        "ggui_runtime_refresh_ws_token" => return None,
        "ggui_render" => json!({"handshakeId": things.handshake, "props": basket_props()}),
        "ggui_render_blueprint" => json!({"blueprintId": things.blueprint}),
        "ggui_get_session" | "ggui_get_render_source" | "ggui_consume" | "ggui_runtime_pull" => {
            json!({"sessionId": session})
        }
        "ggui_update" | "ggui_amend" => {
            json!({"sessionId": session, "kind": "merge", "patch": {}})
        }
        "ggui_emit" => json!({"sessionId": session, "channel": "c", "payload": 1}),
        "ggui_runtime_submit_action" => json!({
            "kind": "dispatch",
            "payload": {"intent": "checkout", "actionData": null, "uiContext": {}},
            "sessionId": session,
            "appId": "theirs",
            "actionId": "gesture-1",
            "firedAt": "now",
        }),
        "ggui_runtime_sync_context" => {
            json!({"sessionId": session, "appId": "theirs", "snapshot": {}})
        }
        "ggui_request_auth" => {
            json!({"sessionId": session, "provider": "p", "authUrl": "https://p.example/"})
        }
        "ggui_runtime_telemetry" => {
            json!({"sessionId": session, "events": [{"at": 1, "kind": "x"}]})
        }
        unknown => panic!("{unknown} is a new tool: say here what a stranger asks it for"),
    })
}

/// What a stranger asks a route for: methods and address. Nothing where a route names no thing.
fn address(route: &str, things: &Things, token: &str) -> Option<(&'static str, String)> {
    let session = &things.session;
    let by_token = |path: String| Some(("GET", format!("{path}?wsToken={token}&sinceSequence=0")));
    match route {
        // Tools and frames have tables of their own.
        "/mcp" | "/apps/{app}/mcp" | "/ws" => None,
        // The same for everybody, or the caller's own.
        "/"
        | "/stage/feed"
        | "/health/live"
        | "/ggui/live"
        | "/health/ready"
        | "/ggui/health"
        | "/metrics"
        | "/_ggui/{file}"
        | "/stage/proscenium-stage.js"
        | "/stage/proscenium-stage.d.ts"
        | "/stage/demo"
        | "/api/sessions//{door}"
        | "/api/mcp-protocol"
        | "/api/mcp-protocol/"
        | "/api/rate-limits"
        | "/api/rate-limits/"
        | "/api/v1/sessions"
        | "/api/v1/blueprints"
        | "/api/v1/faults"
        | "/api/v1/faults/{name}"
        | "/api/v1/openapi.json"
        | "metadata::PATH"
        | "metadata::AT_MCP" => None,
        // Knowing the code is the permission; a stranger can only guess.
        "/r/{code}" => Some(("GET", format!("/r/{}", things.code))),
        "/r/{code}/frame" => Some(("GET", format!("/r/{}/frame", things.code))),
        "/stage/frame/{session}" => Some(("GET", format!("/stage/frame/{session}"))),
        "/frame/{session}" => by_token(format!("/frame/{session}")),
        "/api/sessions/{session}/state" => by_token(format!("/api/sessions/{session}/state")),
        "/api/sessions/{session}/events" => by_token(format!("/api/sessions/{session}/events")),
        "/api/sessions/{session}/stream" => by_token(format!("/api/sessions/{session}/stream")),
        "/api/v1/blueprints/{blueprint}" => Some((
            "GET and DELETE",
            format!("/api/v1/blueprints/{}", things.blueprint),
        )),
        "/api/v1/sessions/{session}" => {
            Some(("GET and DELETE", format!("/api/v1/sessions/{session}")))
        }
        unknown => panic!("{unknown} is a new route: say here what a stranger asks it for"),
    }
}

/// Every route of the router, as it stands in the source.
fn routes() -> BTreeSet<String> {
    let source = include_str!("../../src/transports/http.rs");
    let calls = source.split(".route(").skip(1);
    calls
        .map(|call| {
            let route = call.split(',').next().unwrap_or_default().trim();
            route.trim_matches('"').to_owned()
        })
        .collect()
}

fn seen(answer: &Answer, id: &str) -> (u16, String) {
    // A page's nonce is new with every answer.
    let body = match &answer.body {
        Value::String(page) => {
            let mut parts = page.split("nonce=\"");
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |page, part| {
                page + part.split_once('"').map_or("", |(_, rest)| rest)
            })
        }
        body => body.to_string(),
    };
    (answer.status, body.replace(id, "<id>"))
}

/// What a stranger's socket is answered.
async fn frames(world: &World, secret: &str, sent: &[Value]) -> Vec<Value> {
    let url = world.url("/ws").replacen("http", "ws", 1);
    let mut request = url.into_client_request().expect("a request");
    let bearer = format!("Bearer {secret}").parse().expect("a header");
    request.headers_mut().insert("authorization", bearer);
    let (mut socket, _) = connect_async(request).await.expect("a socket");
    let mut answers = Vec::new();
    for frame in sent {
        let frame = tungstenite::Message::text(frame.to_string());
        socket.send(frame).await.expect("a frame is sent");
        loop {
            let message = tokio::time::timeout(PATIENCE, socket.next()).await;
            match message.expect("a frame in time") {
                Some(Ok(tungstenite::Message::Text(text))) => {
                    let frame: Value = serde_json::from_str(&text).expect("a JSON frame");
                    if frame["requestId"].is_string() {
                        answers.push(frame);
                        break;
                    }
                }
                other => panic!("no answer: {other:?}"),
            }
        }
    }
    answers
}

#[tokio::test]
async fn a_foreign_session_and_handshake_answer_like_random_ids_everywhere() {
    let (folder, [ours, theirs]) = keys();
    let world = world_of(&folder).await.with_bearer(&ours);
    let shown = world.show(basket(), basket_props()).await;
    let foreign = Things {
        session: shown.session.clone(),
        handshake: world.handshake(basket()).await,
        blueprint: shown.result["structuredContent"]["blueprintId"]
            .as_str()
            .expect("a blueprint")
            .to_owned(),
        // One letter beside the real one: what a guess looks like.
        code: "abcdefghjkmnpqr2".to_owned(),
    };
    let missing = Things::nowhere();
    let stranger = world.with_bearer(&theirs);
    let own = stranger.show(basket(), basket_props()).await;
    let token = own.slice()["wsToken"].as_str().expect("a token").to_owned();

    let listed = stranger.rpc("tools/list", json!({})).await.body["result"]["tools"].clone();
    for tool in listed.as_array().expect("tools") {
        let tool = tool["name"].as_str().expect("a name");
        let asked = [&foreign, &missing].map(|things| (arguments(tool, things), things));
        let mut told = Vec::new();
        for (arguments, things) in asked {
            let Some(arguments) = arguments else { continue };
            let params = json!({"name": tool, "arguments": arguments});
            let answer = stranger.rpc("tools/call", params).await;
            let body = comparable(answer.body, &things.session);
            let body = body.replace(&things.blueprint, "<id>");
            told.push((answer.status, body.replace(&things.handshake, "<id>")));
        }
        assert!(told.is_empty() || told[0] == told[1], "{tool}: {told:#?}");
    }

    // What takes no id shows nothing of another app.
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

    for route in routes() {
        let mut told = Vec::new();
        for things in [&foreign, &missing] {
            let Some((methods, path)) = address(&route, things, &token) else {
                continue;
            };
            for method in methods.split(" and ") {
                let method = reqwest::Method::from_bytes(method.as_bytes()).expect("a method");
                let answer = stranger.send(stranger.request(method, &path)).await;
                let (status, body) = seen(&answer, &things.session);
                told.push((status, body.replace(&things.code, "<code>")));
            }
        }
        let (foreign, missing) = told.split_at(told.len() / 2);
        assert_eq!(foreign, missing, "{route}");
        assert!(
            foreign
                .iter()
                .all(|(status, _)| (400..500).contains(status)),
            "{route}: {foreign:?}"
        );
    }

    for uri in [
        "ui://ggui/render/<id>",
        "ui://ggui/render/<id>/0123456789abcdef#1",
    ] {
        let read = async |id: &str| {
            let params = json!({"uri": uri.replace("<id>", id)});
            let answer = stranger.rpc("resources/read", params).await;
            comparable(answer.body, id)
        };
        assert_eq!(read(&foreign.session).await, read(NOWHERE).await, "{uri}");
    }

    let told = async |id: &str| {
        let subscribe = |session: &str, more: Value| {
            let mut payload = json!({"sessionId": session});
            for (key, value) in more.as_object().into_iter().flatten() {
                payload[key] = value.clone();
            }
            json!({"type": "subscribe", "requestId": "s", "payload": payload})
        };
        let action = json!({
            "type": "action", "requestId": "a",
            "payload": {
                "sessionId": id, "type": "data:submit",
                "payload": {"action": "checkout", "data": null},
            },
        });
        let mut answers = frames(&stranger, &theirs, &[subscribe(id, json!({}))]).await;
        let with_own_token = subscribe(id, json!({"wsToken": token}));
        answers.extend(frames(&stranger, &theirs, &[with_own_token]).await);
        let first = subscribe(&own.session, json!({}));
        let later = [first, subscribe(id, json!({})), action];
        answers.extend(frames(&stranger, &theirs, &later).await.split_off(1));
        assert!(
            answers.iter().all(|answer| answer["type"] == "error"),
            "{answers:?}"
        );
        json!(answers).to_string().replace(id, "<id>")
    };
    assert_eq!(told(&foreign.session).await, told(NOWHERE).await);
    // What was asked for is there all the same.
    let owner = stranger.with_bearer(&ours);
    let read = json!({"sessionId": shown.session});
    owner.tool("ggui_get_session", read).await;
    owner
        .tool(
            "ggui_render",
            json!({"handshakeId": foreign.handshake, "props": basket_props()}),
        )
        .await;
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
