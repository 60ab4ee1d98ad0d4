//! Requests of a caller from another app: every tool, route, resource and frame, with chosen ids,
//! and
//! the parts of responses that can be compared. A new tool, route or frame fails here until it is
//! listed.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::{self};

use crate::contracts::basket_props;
use crate::world::{Answer, PATIENCE, World};

/// An id that does not exist.
pub(crate) const NOWHERE: &str = "00000000-0000-4000-8000-000000000000";
/// Members that differ between responses to the same request.
const PASSING: [&str; 5] = [
    "date",
    "x-request-id",
    "traceparent",
    "ratelimit-remaining",
    "ratelimit-reset",
];

/// The things of an app that another app asks for.
pub(crate) struct Things {
    pub(crate) session: String,
    pub(crate) handshake: String,
    pub(crate) blueprint: String,
    /// The address of a shell with one character changed: knowing the right one is the permission.
    pub(crate) code: String,
    /// A token of the live channel.
    pub(crate) token: String,
}

impl Things {
    /// Ids that do not exist.
    pub(crate) fn nowhere() -> Self {
        Self {
            session: NOWHERE.to_owned(),
            handshake: NOWHERE.to_owned(),
            blueprint: format!("bp_{NOWHERE}"),
            code: "abcdefghjkmnpqrs".to_owned(),
            token: "of.no.body".to_owned(),
        }
    }

    /// A text without the ids of these things.
    fn masked(&self, text: &str) -> String {
        // The longest first, because placeholder ids may contain each other.
        let ids = [
            &self.blueprint,
            &self.session,
            &self.handshake,
            &self.code,
            &self.token,
        ];
        ids.into_iter()
            .fold(text.to_owned(), |text, id| text.replace(id, "<id>"))
    }

    /// A response without its ids and without members that vary: status, headers and body.
    pub(crate) fn seen(&self, answer: &Answer) -> (u16, BTreeMap<String, String>, String) {
        let headers = answer.headers.iter();
        let headers = headers
            .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes())))
            .filter(|(name, _)| !PASSING.contains(&name.as_str()) && name != "content-length")
            .map(|(name, value)| (name, self.masked(&without_nonces(&value))))
            .collect();
        let body = match &answer.body {
            Value::String(page) => without_nonces(page),
            body => timeless(body.clone()).to_string(),
        };
        (answer.status, headers, self.masked(&body))
    }
}

/// The arguments with which each tool is called; `None` for a tool without an id.
pub(crate) fn arguments(tool: &str, things: &Things) -> Option<Value> {
    let session = &things.session;
    Some(match tool {
        "ggui_handshake"
        | "ggui_list_featured_blueprints"
        | "ggui_list_gadgets"
        | "ggui_list_sessions"
        | "ggui_list_themes"
        | "ggui_protocol_validate_blueprint"
        | "ggui_search_blueprints" => return None,
        // Another app's token is as invalid as a random one.
        "ggui_runtime_refresh_ws_token" => json!({"envelope": things.token}),
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

/// The method and address for each route; `None` for a route without an id.
pub(crate) fn address(route: &str, things: &Things, token: &str) -> Option<(&'static str, String)> {
    let session = &things.session;
    let by_token = |path: String| Some(("GET", format!("{path}?wsToken={token}&sinceSequence=0")));
    match route {
        // Tools and frames have tables of their own.
        "/mcp" | "/apps/{app}/mcp" | "/mcp/brain" | "/apps/{app}/mcp/brain" | "/ws" => None,
        // Pages have tests of their own.
        "/api/v1/memories"
        | "/api/v1/memories/{memory}"
        | "/api/v1/memories/{memory}/versions"
        | "/api/v1/memories/{memory}/versions/{version}"
        | "/api/v1/search"
        | "/stage/pages/{page}" => None,
        // Only a person is asked, where there is a gate: tested with their clicks.
        "/stage/sessions/{session}/confirmations" => None,
        // Of nobody's app: what may be used there is the same for all.
        "/mcp/gate" | "/mcp/v1" => None,
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
        // Knowing the code is the permission; another app can only guess.
        "/r/{code}" => Some(("GET", format!("/r/{}", things.code))),
        "/r/{code}/frame" => Some(("GET", format!("/r/{}/frame", things.code))),
        "/stage/frame/{session}" => Some(("GET", format!("/stage/frame/{session}"))),
        "/stage/explain/{session}" => Some(("GET", format!("/stage/explain/{session}"))),
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
        "/api/v1/sessions/{session}/remarks" => {
            Some(("POST", format!("/api/v1/sessions/{session}/remarks")))
        }
        unknown => panic!("{unknown} is a new route: say here what a stranger asks it for"),
    }
}

/// What is sent to an address; `None` where no body is read.
pub(crate) fn posted(path: &str) -> Option<Value> {
    path.ends_with("/remarks")
        .then(|| json!({"text": "Make it a board"}))
}

/// A request with what is sent to its address.
pub(crate) fn posting(request: RequestBuilder, path: &str) -> RequestBuilder {
    match posted(path) {
        Some(body) => request
            .header("content-type", "application/json")
            .body(body.to_string()),
        None => request,
    }
}

/// Every route of the router, read from its source.
pub(crate) fn routes() -> BTreeSet<String> {
    let source = include_str!("../../src/transports/http/router.rs");
    let calls = source.split(".route(").skip(1);
    calls
        .map(|call| {
            let route = call.split(',').next().unwrap_or_default().trim();
            route.trim_matches('"').to_owned()
        })
        .collect()
}

/// The payload of each kind of frame, and whether it gets a response.
pub(crate) fn frame(kind: &str, session: &str) -> Option<Value> {
    let payload = match kind {
        // Contains no id, or gets no response.
        "ping" | "channel_unsubscribe" => return None,
        "subscribe" => json!({"sessionId": session}),
        "action" => json!({
            "sessionId": session,
            "type": "data:submit",
            "payload": {"action": "checkout", "data": null},
        }),
        "host_context_observed" => {
            json!({"sessionId": session, "hostContext": {"platform": "web"}})
        }
        "channel_subscribe" => json!({"sessionId": session, "channelName": "c"}),
        unknown => panic!("{unknown} is a new frame: say here what a stranger sends in it"),
    };
    Some(json!({"type": kind, "requestId": kind, "payload": payload}))
}

/// Every kind of frame a socket accepts, read from its source.
pub(crate) fn frame_kinds() -> BTreeSet<String> {
    let source = include_str!("../../src/transports/live/socket.rs");
    let arms = source.lines().filter(|line| line.contains("=>"));
    arms.flat_map(|line| {
        let patterns = line.split("=>").next().unwrap_or_default();
        let quoted = patterns.split('"').skip(1).step_by(2);
        quoted.map(str::to_owned).collect::<Vec<_>>()
    })
    .collect()
}

/// Pages contain a nonce that is new in every response, in a header and in the body.
fn without_nonces(text: &str) -> String {
    ["nonce=\"", "'nonce-"]
        .into_iter()
        .fold(text.to_owned(), |text, before| {
            let mut parts = text.split(before);
            let first = parts.next().unwrap_or_default().to_owned();
            parts.fold(first, |text, part| {
                text + part.split_once(['"', '\'']).map_or("", |(_, rest)| rest)
            })
        })
}

/// A response without its own id and latency.
fn timeless(mut body: Value) -> Value {
    let result = &mut body["result"];
    if result["structuredContent"].is_object() {
        result["structuredContent"]["_latency_ms"] = 0.into();
        if result["_meta"]["_latency_ms"].is_u64() {
            result["_meta"]["_latency_ms"] = 0.into();
        }
    }
    for block in result["content"].as_array_mut().into_iter().flatten() {
        let text = block["text"].as_str().unwrap_or_default();
        if let Ok(mut envelope) = serde_json::from_str::<Value>(text)
            && envelope.is_object()
        {
            envelope["_latency_ms"] = 0.into();
            block["text"] = envelope.to_string().into();
        }
    }
    if body["jsonrpc"].is_string() {
        body["id"] = 0.into();
    }
    body
}

/// The responses to the frames of another app's caller.
pub(crate) async fn frames(world: &World, secret: &str, sent: &[Value]) -> Vec<Value> {
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
