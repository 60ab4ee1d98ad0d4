//! What every door asks of every key: each route, tool and frame. A new one fails here until it says
//! what it takes.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;

use crate::contracts::{basket, basket_props};
use crate::house::{ACT, House, READ, Takes, consumed, handed, walk_socket};
use crate::stranger::{Things, arguments, frame_kinds, routes};
use crate::tool_channels::watched;

/// What every tool takes.
const TOOLS: [Takes; 20] = [
    Takes("ggui_amend", 1, false),
    Takes("ggui_consume", 1, false),
    Takes("ggui_emit", 1, false),
    Takes("ggui_get_render_source", 0, true),
    READ,
    Takes("ggui_handshake", 1, false),
    Takes("ggui_list_featured_blueprints", 0, true),
    Takes("ggui_list_gadgets", 0, true),
    Takes("ggui_list_sessions", 0, true),
    Takes("ggui_list_themes", 0, true),
    Takes("ggui_render", 1, false),
    Takes("ggui_render_blueprint", 0, true),
    Takes("ggui_request_auth", 1, false),
    Takes("ggui_runtime_pull", 0, true),
    Takes("ggui_runtime_refresh_ws_token", 0, true),
    ACT,
    Takes("ggui_runtime_sync_context", 1, false),
    Takes("ggui_runtime_telemetry", 0, false),
    Takes("ggui_search_blueprints", 0, true),
    Takes("ggui_update", 1, false),
];

#[tokio::test]
async fn every_tool_asks_every_key_for_its_trust_and_its_scope() {
    let house = House::build(basket(), basket_props()).await;
    let listed = house
        .rpc(&house.keys[0].secret, "tools/list", json!({}))
        .await;
    let listed = listed.body["result"]["tools"].clone();
    let listed: BTreeSet<_> = listed
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect();
    let known: BTreeSet<_> = TOOLS.iter().map(|takes| takes.0.to_owned()).collect();
    assert_eq!(listed, known, "say here what a new tool takes");
    let nowhere = Things::nowhere();
    for key in &house.keys {
        for takes in TOOLS {
            let tool = takes.0;
            let arguments = arguments(tool, &nowhere).unwrap_or_else(|| match tool {
                "ggui_search_blueprints" => json!({"query": "test"}),
                "ggui_handshake" => json!({"intent": "x", "blueprintDraft": {"contract": {}}}),
                _ => json!({}),
            });
            let told = house.call(&key.secret, tool, arguments).await.body;
            let is_denied = told["error"]["data"]["code"] == "CAPABILITY_DENIED"
                || told["result"]["structuredContent"]["code"] == "UNAUTHENTICATED";
            assert_eq!(is_denied, !key.may(takes), "{} {tool}: {told}", key.told());
        }
    }
}

/// What a route takes of a key.
enum Door {
    /// Nothing: documents, health, or a permission of its own.
    Open,
    /// Walked elsewhere: tools, frames, tokens.
    Elsewhere,
    /// Any key: documents of this interface.
    Key,
    /// Looking at what was agreed on before.
    Blueprints,
    /// Reading, of whatever there is.
    Reading,
    /// These methods, on a thing that is nowhere.
    Of(Vec<(Method, Takes)>),
}

fn door(route: &str) -> (Door, String) {
    let path = route
        .replace("{session}", "nowhere")
        .replace("{blueprint}", "bp_nowhere")
        .replace("{name}", "UNAUTHORIZED");
    let door = match route {
        "/mcp" | "/apps/{app}/mcp" | "/ws" => Door::Elsewhere,
        "/frame/{session}"
        | "/api/sessions//{door}"
        | "/api/sessions/{session}/state"
        | "/api/sessions/{session}/events"
        | "/api/sessions/{session}/stream" => Door::Elsewhere,
        // Knowing the code is the permission.
        "/r/{code}" | "/r/{code}/frame" => Door::Elsewhere,
        // Only for this machine.
        "/stage/demo" => Door::Elsewhere,
        // On this machine it is open: whoever is elsewhere is asked in a test of its own.
        "/metrics" => Door::Open,
        "/health/live"
        | "/ggui/live"
        | "/health/ready"
        | "/ggui/health"
        | "/stage/proscenium-stage.js"
        | "/stage/proscenium-stage.d.ts"
        | "/api/mcp-protocol"
        | "/api/mcp-protocol/"
        | "/api/rate-limits"
        | "/api/rate-limits/"
        | "/api/v1/openapi.json" => Door::Open,
        "/api/v1/faults" | "/api/v1/faults/{name}" => Door::Key,
        "/_ggui/{file}" | "metadata::PATH" | "metadata::AT_MCP" => Door::Elsewhere,
        "/" | "/stage/feed" | "/api/v1/sessions" => Door::Reading,
        "/stage/frame/{session}" | "/stage/explain/{session}" => {
            Door::Of(vec![(Method::GET, READ)])
        }
        "/api/v1/sessions/{session}" => Door::Of(vec![
            (Method::GET, READ),
            (Method::DELETE, Takes("delete_session", 1, false)),
        ]),
        "/api/v1/blueprints" => Door::Blueprints,
        "/api/v1/blueprints/{blueprint}" => Door::Of(vec![
            (Method::GET, Takes("get_blueprint", 0, true)),
            (Method::DELETE, Takes("delete_blueprint", 3, false)),
        ]),
        unknown => panic!("{unknown} is a new route: say here what it takes"),
    };
    (door, path)
}

#[tokio::test]
async fn every_route_asks_every_key_for_its_trust_and_its_scope_and_opens_to_nobody_without_one() {
    let house = House::build(basket(), basket_props()).await;
    for route in routes() {
        let (door, path) = door(&route);
        let asked: Vec<(Method, Takes, u16)> = match door {
            Door::Elsewhere => continue,
            Door::Open => {
                let status = house.status(Method::GET, &path, None).await;
                assert_eq!(status, 200, "{route}");
                continue;
            }
            Door::Key => {
                assert_eq!(house.status(Method::GET, &path, None).await, 401, "{route}");
                for key in &house.keys {
                    let status = house.status(Method::GET, &path, Some(&key.secret)).await;
                    assert_eq!(status, 200, "{} {route}", key.told());
                }
                continue;
            }
            Door::Blueprints => vec![(Method::GET, Takes("list_blueprints", 0, true), 200)],
            Door::Reading => vec![(Method::GET, READ, 200)],
            Door::Of(asked) => asked
                .into_iter()
                .map(|(method, takes)| (method, takes, 404))
                .collect(),
        };
        for (method, takes, open) in asked {
            let status = house.status(method.clone(), &path, None).await;
            assert_eq!(status, 401, "{method} {route} without a key");
            for key in &house.keys {
                let may = key.may(takes);
                let status = house.status(method.clone(), &path, Some(&key.secret)).await;
                let expected = if may { open } else { 403 };
                assert_eq!(status, expected, "{} {method} {route}", key.told());
            }
        }
    }
}

#[tokio::test]
async fn a_socket_reads_and_acts_as_its_key_may() {
    let house = House::build(basket(), basket_props()).await;
    let kinds: BTreeSet<_> = ["action", "channel_subscribe", "channel_unsubscribe"]
        .into_iter()
        .chain(["host_context_observed", "ping", "subscribe"])
        .map(str::to_owned)
        .collect();
    assert_eq!(frame_kinds(), kinds, "say here what a new frame takes");
    let mut acts = 0;
    for key in &house.keys {
        let socket = house.world.knock_as(&house.session, &key.secret).await;
        let expected = match (key.may(READ), key.sees()) {
            (false, _) => Err("UNAUTHENTICATED"),
            (true, false) => Err("SESSION_NOT_FOUND"),
            (true, true) => Ok(key.may(ACT)),
        };
        acts += walk_socket(socket, expected, &key.told()).await;
    }
    assert_eq!(consumed(&house).await, acts);
}

#[tokio::test]
async fn whoever_only_looks_at_the_stage_is_not_given_the_links_of_people() {
    let house = House::build(basket(), basket_props()).await;
    for key in &house.keys {
        if !(key.may(READ) && key.sees()) {
            continue;
        }
        let feed = house.world.get("/stage/feed").bearer_auth(&key.secret);
        let mut feed = feed.send().await.expect("a feed");
        let mut text = String::new();
        while !text.contains("\n\n") {
            let chunk = feed.chunk().await.expect("a stream").expect("a snapshot");
            text.push_str(&String::from_utf8_lossy(&chunk));
        }
        assert!(text.contains(&house.session), "{text}");
        assert_eq!(text.contains("/r/"), key.may(ACT), "{}: {text}", key.told());
    }
}

#[tokio::test]
async fn a_channel_is_fed_by_tools_that_whoever_watches_may_ask_for() {
    let house = House::build(watched(), json!({"count": 1})).await;
    for key in house.keys.iter().filter(|key| key.may(READ) && key.sees()) {
        let by_key = house.world.knock_as(&house.session, &key.secret).await;
        let mut sockets = vec![by_key];
        for (_, token, _) in handed(&house, key).await {
            sockets.push(house.knock(&token).await);
        }
        for mut socket in sockets {
            assert_eq!(
                socket.subscribe(json!({})).await["type"],
                "ack",
                "{}",
                key.told()
            );
            for (channel, tool) in [
                ("state", "ggui_get_session"),
                ("themes", "ggui_list_themes"),
            ] {
                let payload = json!({"sessionId": house.session, "channelName": channel});
                socket
                    .send(json!({"type": "channel_subscribe", "payload": payload}))
                    .await;
                let told = loop {
                    let frame = socket.next().await;
                    if frame["payload"]["channelName"] == channel {
                        break frame;
                    }
                };
                let may = key.may(Takes(tool, 0, true));
                let kind = if may {
                    "channel_payload"
                } else {
                    "channel_error"
                };
                assert_eq!(told["type"], kind, "{} {tool}: {told}", key.told());
            }
        }
    }
}

#[tokio::test]
async fn what_is_told_of_changes_is_told_to_those_who_may_read() {
    let house = House::build(basket(), basket_props()).await;
    let uri = format!("ui://ggui/render/{}", house.session);
    for key in &house.keys {
        let params = json!({
            "notifications": {"resourceSubscriptions": [uri]},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        let method = "subscriptions/listen";
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = house.world.post("/mcp").bearer_auth(&key.secret);
        let request = request
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        let mut stream = request
            .body(body.to_string())
            .send()
            .await
            .expect("a stream");
        let mut text = String::new();
        while !text.contains("acknowledged") || !text.contains("\n\n") {
            let chunk = stream.chunk().await.expect("a stream").expect("a word");
            text.push_str(&String::from_utf8_lossy(&chunk));
        }
        assert_eq!(
            text.contains(&uri),
            key.may(READ) && key.sees(),
            "{}: {text}",
            key.told()
        );
    }
}
