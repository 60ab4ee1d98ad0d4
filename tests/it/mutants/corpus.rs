//! The valid requests and frames that are mutated: one for every tool, method, route and kind of
//! frame.

use serde_json::{Value, json};

use crate::contracts::build_log;
use crate::stranger::{NOWHERE, Things, address, arguments, frame, frame_kinds, posted, routes};

/// A request before it is serialised.
#[derive(Clone, Debug)]
pub(super) struct Ask {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Option<Value>,
    /// The schema of its tool's arguments.
    pub(super) schema: Value,
}

impl Ask {
    fn of(method: &str, path: &str) -> Self {
        Self {
            method: method.to_owned(),
            path: path.to_owned(),
            headers: vec![("host".to_owned(), "localhost".to_owned())],
            body: None,
            schema: Value::Null,
        }
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The bytes of the request.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let body = self.body.as_ref().map(Value::to_string);
        let mut text = format!(
            "{} {} HTTP/1.1\r\nconnection: close\r\n",
            self.method, self.path
        );
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = &body {
            text += &format!("content-length: {}\r\n", body.len());
        }
        text += "\r\n";
        text += body.as_deref().unwrap_or_default();
        text.into_bytes()
    }
}

/// A message in the legacy era.
fn legacy(method: &str, params: &Value) -> Ask {
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
    Ask {
        body: Some(body),
        ..Ask::of("POST", "/mcp").with("content-type", "application/json")
    }
}

/// The same message on 2026-07-28.
fn modern(method: &str, params: &Value) -> Ask {
    let mut params = params.clone();
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "idempotencyKey": "an-attempt",
    });
    let named = params.get("name").or(params.get("uri"));
    let name = named.and_then(Value::as_str).map(str::to_owned);
    let mut ask = legacy(method, &params)
        .with("mcp-protocol-version", "2026-07-28")
        .with("mcp-method", method);
    if let Some(name) = name {
        ask = ask.with("mcp-name", &name);
    }
    ask
}

/// Valid arguments of a tool.
fn valid_arguments(tool: &str, things: &Things) -> Value {
    if let Some(arguments) = arguments(tool, things) {
        return arguments;
    }
    match tool {
        "ggui_handshake" => {
            json!({"intent": "A build", "blueprintDraft": {"contract": build_log()}})
        }
        "ggui_search_blueprints" => json!({"query": "build"}),
        _ => json!({}),
    }
}

/// Valid requests of every kind; `tools` is the server's own list.
pub(super) fn requests(tools: &Value, things: &Things) -> Vec<Ask> {
    let mut asks = Vec::new();
    for tool in tools.as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        let params = json!({"name": name, "arguments": valid_arguments(name, things)});
        for ask in [legacy("tools/call", &params), modern("tools/call", &params)] {
            let schema = tool["inputSchema"].clone();
            asks.push(Ask { schema, ..ask });
        }
    }
    let argument = json!({"name": "contract", "value": "f"});
    let completed = json!({"ref": {"type": "ref/prompt", "name": "form"}, "argument": argument});
    let uri = format!("ui://ggui/render/{}", things.session);
    for (method, params) in [
        (
            "initialize",
            json!({"protocolVersion": "2025-11-25", "capabilities": {}}),
        ),
        ("ping", json!({})),
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("prompts/list", json!({})),
        (
            "prompts/get",
            json!({"name": "form", "arguments": {"subject": "a thing"}}),
        ),
        ("completion/complete", completed),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({"uri": uri})),
        ("notifications/initialized", json!({})),
    ] {
        asks.extend([legacy(method, &params), modern(method, &params)]);
    }
    let ping = json!({"jsonrpc": "2.0", "id": 1, "method": "ping"});
    let mut batch = legacy("ping", &json!({}));
    batch.body = Some(json!([ping, ping]));
    asks.push(batch);
    for route in routes() {
        let (methods, path) = address(&route, things, &things.token).unwrap_or_else(|| {
            let path = route
                .replace("{app}", "builder")
                .replace("{file}", "guest.js");
            (
                "GET",
                path.replace("{door}", "state")
                    .replace("{name}", "NOT_FOUND"),
            )
        });
        for method in methods.split(" and ") {
            let ask = Ask::of(method, &path).with("accept", "*/*");
            let mut ask = ask.with("idempotency-key", "an-attempt");
            ask.body = posted(&path);
            if ask.body.is_some() {
                ask = ask.with("content-type", "application/json");
            }
            asks.push(ask);
        }
    }
    asks
}

/// A valid frame of every kind.
pub(super) fn frames(things: &Things) -> Vec<Value> {
    let kinds = frame_kinds();
    let mut frames: Vec<_> = kinds
        .iter()
        .filter_map(|kind| frame(kind, &things.session))
        .collect();
    frames.push(frame("subscribe", NOWHERE).expect("a frame"));
    frames.push(json!({"type": "ping", "requestId": "p", "payload": {}}));
    frames.push(json!({"type": "channel_unsubscribe", "payload": {"sessionId": NOWHERE}}));
    frames
}
