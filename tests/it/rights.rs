//! What every route, tool and frame requires of a key. A new one fails here until its requirements
//! are
//! listed.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::json;

use crate::contracts::{basket, basket_props};
use crate::keyed_world::{ACT, KeyedWorld, READ, Requirement, consumed, handed, walk_socket};
use crate::stranger::{Things, arguments, frame_kinds, routes};
use crate::tool_channels::watched;

/// What every tool requires.
const TOOLS: [Requirement; 21] = [
    Requirement("ggui_amend", 1, false),
    Requirement("ggui_consume", 1, false),
    Requirement("ggui_emit", 1, false),
    Requirement("ggui_get_render_source", 0, true),
    READ,
    Requirement("ggui_handshake", 1, false),
    Requirement("ggui_list_featured_blueprints", 0, true),
    Requirement("ggui_list_gadgets", 0, true),
    Requirement("ggui_list_sessions", 0, true),
    Requirement("ggui_list_themes", 0, true),
    Requirement("ggui_protocol_validate_blueprint", 0, true),
    Requirement("ggui_render", 1, false),
    Requirement("ggui_render_blueprint", 0, true),
    Requirement("ggui_request_auth", 1, false),
    Requirement("ggui_runtime_pull", 0, true),
    Requirement("ggui_runtime_refresh_ws_token", 0, true),
    ACT,
    Requirement("ggui_runtime_sync_context", 1, false),
    Requirement("ggui_runtime_telemetry", 0, false),
    Requirement("ggui_search_blueprints", 0, true),
    Requirement("ggui_update", 1, false),
];

#[tokio::test]
async fn every_tool_checks_trust_and_scope_of_every_key() {
    let keyed = KeyedWorld::build(basket(), basket_props()).await;
    let listed = keyed
        .rpc(&keyed.keys[0].secret, "tools/list", json!({}))
        .await;
    let listed = listed.body["result"]["tools"].clone();
    let listed: BTreeSet<_> = listed
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name").to_owned())
        .collect();
    let known: BTreeSet<_> = TOOLS.iter().map(|required| required.0.to_owned()).collect();
    assert_eq!(listed, known, "list here what a new tool requires");
    let nowhere = Things::nowhere();
    for key in &keyed.keys {
        for required in TOOLS {
            let tool = required.0;
            let arguments = arguments(tool, &nowhere).unwrap_or_else(|| match tool {
                "ggui_search_blueprints" => json!({"query": "test"}),
                "ggui_handshake" => json!({"intent": "x", "blueprintDraft": {"contract": {}}}),
                _ => json!({}),
            });
            let answer = keyed.call(&key.secret, tool, arguments).await.body;
            let is_denied = answer["error"]["data"]["code"] == "CAPABILITY_DENIED"
                || answer["result"]["structuredContent"]["code"] == "UNAUTHENTICATED";
            assert_eq!(
                is_denied,
                !key.may(required),
                "{} {tool}: {answer}",
                key.description()
            );
        }
    }
}

/// What a route requires of a key.
enum Access {
    /// Nothing: documents, health, or a permission of its own.
    Open,
    /// Tested elsewhere: tools, frames, tokens.
    Elsewhere,
    /// Any valid key: documents of this interface.
    Key,
    /// The right to see a list, by the scope that opens it.
    List(&'static str),
    /// The right to read sessions.
    Reading,
    /// These methods on a thing that does not exist.
    Of(Vec<(Method, Requirement)>),
}

fn access(route: &str) -> (Access, String) {
    let path = route
        .replace("{session}", "nowhere")
        .replace("{blueprint}", "bp_nowhere")
        .replace("{memory}", "nowhere")
        .replace("{page}", "nowhere")
        .replace("{version}", "1")
        .replace("{name}", "UNAUTHORIZED");
    let access = match route {
        "/mcp"
        | "/mcp/gate"
        | "/mcp/v1"
        | "/apps/{app}/mcp"
        | "/mcp/brain"
        | "/apps/{app}/mcp/brain"
        | "/ws" => Access::Elsewhere,
        "/frame/{session}"
        | "/api/sessions//{door}"
        | "/api/sessions/{session}/state"
        | "/api/sessions/{session}/events"
        | "/api/sessions/{session}/stream" => Access::Elsewhere,
        // Knowing the code is the permission.
        "/r/{code}" | "/r/{code}/frame" => Access::Elsewhere,
        // Only from this machine.
        "/stage/demo" => Access::Elsewhere,
        // Open on this machine; other machines have a test of their own.
        "/metrics" => Access::Open,
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
        | "/api/v1/openapi.json" => Access::Open,
        "/api/v1/faults" | "/api/v1/faults/{name}" => Access::Key,
        "/_ggui/{file}" | "metadata::PATH" | "metadata::AT_MCP" => Access::Elsewhere,
        "/" | "/stage/feed" | "/api/v1/sessions" => Access::Reading,
        "/stage/frame/{session}" | "/stage/explain/{session}" => {
            Access::Of(vec![(Method::GET, READ)])
        }
        "/api/v1/sessions/{session}" => Access::Of(vec![
            (Method::GET, READ),
            (Method::DELETE, Requirement("delete_session", 1, false)),
        ]),
        "/api/v1/sessions/{session}/remarks" => {
            Access::Of(vec![(Method::POST, Requirement("ggui_render", 1, false))])
        }
        "/api/v1/blueprints" => Access::List("list_blueprints"),
        "/api/v1/memories" => Access::List("brain_list"),
        // What is posted is tested with memories.
        "/api/v1/search" => Access::Elsewhere,
        "/api/v1/memories/{memory}" => Access::Of(vec![
            (Method::GET, Requirement("brain_get", 0, true)),
            (Method::DELETE, Requirement("delete_memory", 2, false)),
        ]),
        // Of people, where there is a gate: tested with their clicks.
        "/stage/sessions/{session}/confirmations" => Access::Elsewhere,
        // Of whoever is no person; people are tested with preferences.
        "/stage/pages/{page}" => Access::Of(vec![(
            Method::DELETE,
            Requirement("delete_memory", 2, false),
        )]),
        "/api/v1/memories/{memory}/versions" | "/api/v1/memories/{memory}/versions/{version}" => {
            Access::Of(vec![(Method::GET, Requirement("brain_get", 0, true))])
        }
        "/api/v1/blueprints/{blueprint}" => Access::Of(vec![
            (Method::GET, Requirement("get_blueprint", 0, true)),
            (Method::DELETE, Requirement("delete_blueprint", 3, false)),
        ]),
        unknown => panic!("{unknown} is a new route: say here what it requires"),
    };
    (access, path)
}

#[tokio::test]
async fn every_route_checks_trust_and_scope_of_every_key_and_refuses_callers_without_one() {
    let keyed = KeyedWorld::build(basket(), basket_props()).await;
    for route in routes() {
        let (access, path) = access(&route);
        let asked: Vec<(Method, Requirement, u16)> = match access {
            Access::Elsewhere => continue,
            Access::Open => {
                let status = keyed.status(Method::GET, &path, None).await;
                assert_eq!(status, 200, "{route}");
                continue;
            }
            Access::Key => {
                assert_eq!(keyed.status(Method::GET, &path, None).await, 401, "{route}");
                for key in &keyed.keys {
                    let status = keyed.status(Method::GET, &path, Some(&key.secret)).await;
                    assert_eq!(status, 200, "{} {route}", key.description());
                }
                continue;
            }
            Access::List(scope) => vec![(Method::GET, Requirement(scope, 0, true), 200)],
            Access::Reading => vec![(Method::GET, READ, 200)],
            Access::Of(asked) => asked
                .into_iter()
                .map(|(method, required)| (method, required, 404))
                .collect(),
        };
        for (method, required, open) in asked {
            let status = keyed.status(method.clone(), &path, None).await;
            assert_eq!(status, 401, "{method} {route} without a key");
            for key in &keyed.keys {
                let may = key.may(required);
                let status = keyed.status(method.clone(), &path, Some(&key.secret)).await;
                let expected = if may { open } else { 403 };
                assert_eq!(status, expected, "{} {method} {route}", key.description());
            }
        }
    }
}

#[tokio::test]
async fn a_socket_may_read_and_act_as_its_key_may() {
    let keyed = KeyedWorld::build(basket(), basket_props()).await;
    let kinds: BTreeSet<_> = ["action", "channel_subscribe", "channel_unsubscribe"]
        .into_iter()
        .chain(["host_context_observed", "ping", "subscribe"])
        .map(str::to_owned)
        .collect();
    assert_eq!(frame_kinds(), kinds, "say here what a new frame required");
    let mut acts = 0;
    for key in &keyed.keys {
        let socket = keyed.world.knock_as(&keyed.session, &key.secret).await;
        let expected = match (key.may(READ), key.sees()) {
            (false, _) => Err("UNAUTHENTICATED"),
            (true, false) => Err("SESSION_NOT_FOUND"),
            (true, true) => Ok(key.may(ACT)),
        };
        acts += walk_socket(socket, expected, &key.description()).await;
    }
    assert_eq!(consumed(&keyed).await, acts);
}

#[tokio::test]
async fn a_key_that_only_reads_does_not_get_the_links_of_people() {
    let keyed = KeyedWorld::build(basket(), basket_props()).await;
    for key in &keyed.keys {
        if !(key.may(READ) && key.sees()) {
            continue;
        }
        let feed = keyed.world.get("/stage/feed").bearer_auth(&key.secret);
        let mut feed = feed.send().await.expect("a feed");
        let mut text = String::new();
        while !text.contains("\n\n") {
            let chunk = feed.chunk().await.expect("a stream").expect("a snapshot");
            text.push_str(&String::from_utf8_lossy(&chunk));
        }
        assert!(text.contains(&keyed.session), "{text}");
        assert_eq!(
            text.contains("/r/"),
            key.may(ACT),
            "{}: {text}",
            key.description()
        );
    }
}

#[tokio::test]
async fn a_channel_is_only_fed_by_tools_the_subscriber_may_call() {
    let keyed = KeyedWorld::build(watched(), json!({"count": 1})).await;
    for key in keyed.keys.iter().filter(|key| key.may(READ) && key.sees()) {
        let by_key = keyed.world.knock_as(&keyed.session, &key.secret).await;
        let mut sockets = vec![by_key];
        for (_, token, _) in handed(&keyed, key).await {
            sockets.push(keyed.knock(&token).await);
        }
        for mut socket in sockets {
            assert_eq!(
                socket.subscribe(json!({})).await["type"],
                "ack",
                "{}",
                key.description()
            );
            for (channel, tool) in [
                ("state", "ggui_get_session"),
                ("themes", "ggui_list_themes"),
            ] {
                let payload = json!({"sessionId": keyed.session, "channelName": channel});
                socket
                    .send(json!({"type": "channel_subscribe", "payload": payload}))
                    .await;
                let answer = loop {
                    let frame = socket.next().await;
                    if frame["payload"]["channelName"] == channel {
                        break frame;
                    }
                };
                let may = key.may(Requirement(tool, 0, true));
                let kind = if may {
                    "channel_payload"
                } else {
                    "channel_error"
                };
                assert_eq!(
                    answer["type"],
                    kind,
                    "{} {tool}: {answer}",
                    key.description()
                );
            }
        }
    }
}

#[tokio::test]
async fn notifications_of_changes_need_the_right_to_read() {
    let keyed = KeyedWorld::build(basket(), basket_props()).await;
    let uri = format!("ui://ggui/render/{}", keyed.session);
    for key in &keyed.keys {
        let params = json!({
            "notifications": {"resourceSubscriptions": [uri]},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        let method = "subscriptions/listen";
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = keyed.world.post("/mcp").bearer_auth(&key.secret);
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
            key.description()
        );
    }
}
