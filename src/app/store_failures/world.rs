//! A server over real sockets above stores that fail, and what agents and browsers do at it.

use std::sync::Arc;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::super::compose::App;
use super::super::running::Running;
use super::super::stores::Stores;
use crate::adapters::battery::{Failing, Mode};
use crate::adapters::memory::{
    MemoryActivity, MemoryAnswers, MemoryBlueprints, MemoryPresence, MemorySessions,
};
use crate::adapters::sqlite_pages::{Database, SqlitePages};
use crate::config::Config;
use crate::domain::brain::{Embedder as _, HashedWords};
use crate::domain::limits::{BrainLimits, IdempotencyLimits};
use crate::wire::fault::{Code, Endpoint, Era};

pub(super) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Stores that fail when they are told to.
pub(super) struct Faulty {
    sessions: Arc<Failing<MemorySessions>>,
    activity: Arc<Failing<MemoryActivity>>,
    blueprints: Arc<Failing<MemoryBlueprints>>,
    presence: Arc<Failing<MemoryPresence>>,
    answers: Arc<Failing<MemoryAnswers>>,
    /// Fails only when it is told to by itself.
    pub(super) pages: Arc<Failing<SqlitePages>>,
}

impl Faulty {
    pub(super) fn new() -> Self {
        Self {
            sessions: Arc::new(Failing::new(MemorySessions::default())),
            activity: Arc::new(Failing::new(MemoryActivity::default())),
            blueprints: Arc::new(Failing::new(MemoryBlueprints::default())),
            presence: Arc::new(Failing::new(MemoryPresence::default())),
            answers: Arc::new(Failing::new(MemoryAnswers::new(
                IdempotencyLimits::default(),
            ))),
            pages: Arc::new(Failing::new(SqlitePages {
                database: Database::in_memory().unwrap(),
                limits: BrainLimits::default(),
                model: HashedWords.model().to_owned(),
            })),
        }
    }

    /// The same stores as another node has them: it learns what the first one appends.
    pub(super) fn another(&self) -> Self {
        Self {
            sessions: Arc::new(self.sessions.another()),
            activity: Arc::clone(&self.activity),
            blueprints: Arc::clone(&self.blueprints),
            presence: Arc::clone(&self.presence),
            answers: Arc::clone(&self.answers),
            pages: Arc::clone(&self.pages),
        }
    }

    pub(super) fn fail(&self, mode: Mode) {
        self.sessions.fail(mode);
        self.activity.fail(mode);
        self.blueprints.fail(mode);
        self.presence.fail(mode);
        self.answers.fail(mode);
    }

    /// From now on no answer is kept for a retry, as if each server ended before it could.
    pub(super) fn lose_answers(&self) {
        self.answers.fail(Mode::EveryWrite);
    }

    /// A server that knows nothing but what is in the stores.
    pub(super) async fn server(&self) -> Server {
        let mut config = Config::default();
        config.server.listen = "127.0.0.1:0".to_owned();
        let stores = Stores {
            sessions: Arc::clone(&self.sessions) as _,
            activity: Arc::clone(&self.activity) as _,
            blueprints: Arc::clone(&self.blueprints) as _,
            presence: Arc::clone(&self.presence) as _,
            answers: Arc::clone(&self.answers) as _,
            pages: Some(Arc::clone(&self.pages) as _),
            ..Stores::in_memory(&config.limits.idempotency, [7; 32])
        };
        let running = App::new(config).with_stores(stores).start().await.unwrap();
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        Server {
            running,
            http: http.build().unwrap(),
        }
    }
}

pub(super) struct Server {
    pub(super) running: Running,
    http: reqwest::Client,
}

/// An HTTP answer.
pub(super) struct Answer {
    pub(super) status: u16,
    /// Seconds of `Retry-After`; 0 where there is none.
    pub(super) wait: u64,
    pub(super) body: Value,
}

/// A session as its agent and its browser know it.
pub(super) struct Shown {
    pub(super) session: String,
    pub(super) result: Value,
}

impl Server {
    pub(super) async fn request(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        Self::answer(self.builder(method, path, body)).await
    }

    fn builder(&self, method: Method, path: &str, body: Option<&Value>) -> RequestBuilder {
        let url = format!("http://{}{path}", self.running.address());
        let request = self.http.request(method, url);
        match body {
            Some(body) => {
                let request = request.header("content-type", "application/json");
                request.body(body.to_string())
            }
            None => request,
        }
    }

    async fn answer(request: RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        let wait = response.headers().get("retry-after");
        let wait = wait.map_or(0, |wait| wait.to_str().unwrap().parse().unwrap());
        let text = response.text().await.unwrap();
        Answer {
            status,
            wait,
            body: serde_json::from_str(&text).unwrap_or(Value::String(text)),
        }
    }

    pub(super) async fn rpc(&self, method: &str, params: Value) -> Answer {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.request(Method::POST, "/mcp", Some(&body)).await
    }

    /// A request on 2026-07-28.
    pub(super) async fn modern(&self, method: &str, mut params: Value) -> Answer {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = self.builder(Method::POST, "/mcp", Some(&body));
        let request = request
            .header("accept", "application/json, text/event-stream")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        Self::answer(request).await
    }

    pub(super) async fn call(&self, tool: &str, arguments: Value) -> Answer {
        let params = json!({"name": tool, "arguments": arguments});
        self.rpc("tools/call", params).await
    }

    /// A call under a key that is made until it is answered; its result.
    pub(super) async fn insist_under(&self, key: &str, tool: &str, arguments: &Value) -> Value {
        for _ in 0..20 {
            let meta = json!({"idempotencyKey": key});
            let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
            let answer = self.rpc("tools/call", params).await;
            if answer.body["error"].is_null() {
                assert!(answer.body["result"]["isError"] != true, "{}", answer.body);
                return answer.body["result"]["structuredContent"].clone();
            }
            assert_says_wait(&answer, tool);
        }
        panic!("{tool} does not succeed");
    }

    /// A call that is made again, as often as it has to be, as long as the store is not there.
    pub(super) async fn insist(&self, tool: &str, arguments: Value) -> Value {
        for _ in 0..20 {
            let answer = self.call(tool, arguments.clone()).await;
            if answer.body["error"].is_null() {
                return answer.body["result"]["structuredContent"].clone();
            }
            assert_says_wait(&answer, tool);
        }
        panic!("{tool} does not succeed");
    }

    pub(super) async fn show(&self) -> Shown {
        let agreed = self.call("ggui_handshake", draft("A test")).await.body;
        let id = &agreed["result"]["structuredContent"]["handshakeId"];
        let props = json!({"note": "first"});
        let arguments = json!({"handshakeId": id, "props": props});
        let rendered = self.call("ggui_render", arguments).await.body;
        let result = rendered["result"].clone();
        let session = result["structuredContent"]["sessionId"].as_str();
        Shown {
            session: session.unwrap_or_else(|| panic!("{rendered}")).to_owned(),
            result,
        }
    }

    /// A browser of this machine, which needs no token.
    pub(super) async fn subscribe(&self, shown: &Shown) -> (Socket, Value) {
        self.subscribe_from(shown, None).await
    }

    /// The same, with the stream after a position.
    pub(super) async fn subscribe_from(&self, shown: &Shown, from: Option<u64>) -> (Socket, Value) {
        let url = format!("ws://{}/ws", self.running.address());
        let (mut socket, _) = connect_async(url).await.unwrap();
        let mut payload = json!({"sessionId": shown.session});
        if let Some(from) = from {
            payload["fromSeq"] = json!(from);
        }
        let frame = json!({"type": "subscribe", "requestId": "s", "payload": payload});
        send(&mut socket, &frame).await;
        let answer = next(&mut socket).await;
        (socket, answer)
    }
}

pub(super) async fn send(socket: &mut Socket, frame: &Value) {
    socket.send(Message::text(frame.to_string())).await.unwrap();
}

pub(super) async fn next(socket: &mut Socket) -> Value {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Close(close) => panic!("the socket was closed: {close:?}"),
            _ => {}
        }
    }
}

/// The answer to a frame, whatever comes before it.
pub(super) async fn answer_to(socket: &mut Socket, id: &str) -> Value {
    loop {
        let frame = next(socket).await;
        if frame["requestId"] == id {
            return frame;
        }
    }
}

/// An action, sent again under its id as long as the store is not there.
pub(super) async fn click(socket: &mut Socket, shown: &Shown, id: &str) {
    for _ in 0..20 {
        let payload = json!({
            "sessionId": shown.session,
            "type": "data:submit",
            "payload": {"action": "go", "data": null},
            "actionId": id,
        });
        let frame = json!({"type": "action", "requestId": id, "payload": payload});
        send(socket, &frame).await;
        let answer = answer_to(socket, id).await;
        if answer["type"] == "ack" {
            return;
        }
        assert_frame_says_wait(&answer);
    }
    panic!("the action is never acknowledged");
}

pub(super) fn assert_says_wait(answer: &Answer, what: &str) {
    let Answer { status, wait, body } = answer;
    assert_eq!((*status, *wait), (200, 1), "{what}: {body}");
    let error = &body["error"];
    let number = Code::StoreUnavailable.number(Era::Legacy, Endpoint::Mcp);
    assert_eq!(error["code"], json!(number), "{what}: {body}");
    assert_eq!(error["data"]["code"], "STORE_UNAVAILABLE", "{what}: {body}");
    assert_eq!(error["data"]["retry"]["after_ms"], 1_000, "{what}: {body}");
}

pub(super) fn assert_frame_says_wait(frame: &Value) {
    assert_eq!(frame["type"], "error", "{frame}");
    assert_eq!(frame["payload"]["code"], "RATE_LIMITED", "{frame}");
    assert!(frame["payload"].to_string().contains("1000"), "{frame}");
}

/// What is negotiated: a note, a button and a log.
pub(super) fn draft(intent: &str) -> Value {
    let properties = json!({"note": {"schema": {"type": "string"}}});
    let stream = json!({"log": {"schema": {"type": "string"}, "replay": "all"}});
    let contract = json!({
        "propsSpec": {"properties": properties},
        "actionSpec": {"go": {"label": "Go"}},
        "streamSpec": stream,
    });
    json!({"intent": intent, "blueprintDraft": {"contract": contract}})
}
