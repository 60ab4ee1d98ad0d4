//! The real server, over real sockets, above stores that fail: nothing that was acknowledged is lost,
//! nothing is seen twice, and every door says when to come back.

use std::sync::Arc;

use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::Method;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use super::compose::App;
use super::running::Running;
use super::stores::Stores;
use crate::adapters::battery::{Failing, Mode};
use crate::adapters::memory::{MemoryBlueprints, MemoryPresence, MemorySessions};
use crate::config::Config;
use crate::wire::fault::{Code, Endpoint, Era};

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Stores that fail when they are told to.
struct Faulty {
    sessions: Arc<Failing<MemorySessions>>,
    blueprints: Arc<Failing<MemoryBlueprints>>,
    presence: Arc<Failing<MemoryPresence>>,
}

impl Faulty {
    fn new() -> Self {
        Self {
            sessions: Arc::new(Failing::new(MemorySessions::default())),
            blueprints: Arc::new(Failing::new(MemoryBlueprints::default())),
            presence: Arc::new(Failing::new(MemoryPresence::default())),
        }
    }

    fn fail(&self, mode: Mode) {
        self.sessions.fail(mode);
        self.blueprints.fail(mode);
        self.presence.fail(mode);
    }

    /// A server that knows nothing but what is in the stores.
    async fn server(&self) -> Server {
        let mut config = Config::default();
        config.server.listen = "127.0.0.1:0".to_owned();
        let stores = Stores {
            sessions: Arc::clone(&self.sessions) as _,
            blueprints: Arc::clone(&self.blueprints) as _,
            presence: Arc::clone(&self.presence) as _,
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

struct Server {
    running: Running,
    http: reqwest::Client,
}

/// An HTTP answer.
struct Answer {
    status: u16,
    /// Seconds of `Retry-After`; 0 where there is none.
    wait: u64,
    body: Value,
}

/// A session as its agent and its browser know it.
struct Shown {
    session: String,
    result: Value,
}

impl Server {
    async fn request(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let url = format!("http://{}{path}", self.running.address());
        let mut request = self.http.request(method, url);
        if let Some(body) = body {
            let request_with = request.header("content-type", "application/json");
            request = request_with.body(body.to_string());
        }
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

    async fn rpc(&self, method: &str, params: Value) -> Answer {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        self.request(Method::POST, "/mcp", Some(&body)).await
    }

    async fn call(&self, tool: &str, arguments: Value) -> Answer {
        let params = json!({"name": tool, "arguments": arguments});
        self.rpc("tools/call", params).await
    }

    /// A call that is made again, as often as it has to be, as long as the store is not there.
    async fn insist(&self, tool: &str, arguments: Value) -> Value {
        for _ in 0..20 {
            let answer = self.call(tool, arguments.clone()).await;
            if answer.body["error"].is_null() {
                return answer.body["result"]["structuredContent"].clone();
            }
            assert_told_to_wait(&answer, tool);
        }
        panic!("{tool} does not succeed");
    }

    async fn show(&self) -> Shown {
        let properties = json!({"note": {"schema": {"type": "string"}}});
        let stream = json!({"log": {"schema": {"type": "string"}, "replay": "all"}});
        let contract = json!({
            "propsSpec": {"properties": properties},
            "actionSpec": {"go": {"label": "Go"}},
            "streamSpec": stream,
        });
        let draft = json!({"intent": "A test", "blueprintDraft": {"contract": contract}});
        let agreed = self.call("ggui_handshake", draft).await.body;
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
    async fn subscribe(&self, shown: &Shown) -> (Socket, Value) {
        let url = format!("ws://{}/ws", self.running.address());
        let (mut socket, _) = connect_async(url).await.unwrap();
        let payload = json!({"sessionId": shown.session});
        let frame = json!({"type": "subscribe", "requestId": "s", "payload": payload});
        send(&mut socket, &frame).await;
        let answer = next(&mut socket).await;
        (socket, answer)
    }
}

async fn send(socket: &mut Socket, frame: &Value) {
    socket.send(Message::text(frame.to_string())).await.unwrap();
}

async fn next(socket: &mut Socket) -> Value {
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Text(text) => return serde_json::from_str(&text).unwrap(),
            Message::Close(close) => panic!("the socket was closed: {close:?}"),
            _ => {}
        }
    }
}

/// The answer to a frame, whatever comes before it.
async fn answer_to(socket: &mut Socket, id: &str) -> Value {
    loop {
        let frame = next(socket).await;
        if frame["requestId"] == id {
            return frame;
        }
    }
}

/// An action, sent again under its id as long as the store is not there.
async fn click(socket: &mut Socket, shown: &Shown, id: &str) {
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
        assert_frame_tells_to_wait(&answer);
    }
    panic!("the action is never acknowledged");
}

fn assert_told_to_wait(answer: &Answer, what: &str) {
    let Answer { status, wait, body } = answer;
    assert_eq!((*status, *wait), (200, 1), "{what}: {body}");
    let error = &body["error"];
    let number = Code::StoreUnavailable.number(Era::Legacy, Endpoint::Mcp);
    assert_eq!(error["code"], json!(number), "{what}: {body}");
    assert_eq!(error["data"]["code"], "STORE_UNAVAILABLE", "{what}: {body}");
    assert_eq!(error["data"]["retry"]["after_ms"], 1_000, "{what}: {body}");
}

fn assert_frame_tells_to_wait(frame: &Value) {
    assert_eq!(frame["type"], "error", "{frame}");
    assert_eq!(frame["payload"]["code"], "RATE_LIMITED", "{frame}");
    assert!(frame["payload"].to_string().contains("1000"), "{frame}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_store_does_not_answer_every_door_says_when_to_come_back() {
    let stores = Faulty::new();
    let first = stores.server().await;
    let shown = first.show().await;
    let unused = first.call("ggui_handshake", handshake()).await.body;
    let unused = &unused["result"]["structuredContent"]["handshakeId"];
    let viewer = shown.result["structuredContent"]["viewerUrl"].as_str();
    let viewer = viewer.unwrap().split('/').next_back().unwrap().to_owned();
    // Another one, to which nothing is known yet.
    let server = stores.server().await;
    stores.fail(Mode::Every);
    let session = &shown.session;
    // What is in memory can be read, until nobody knows what became of a write.
    for tool in ["ggui_get_session", "ggui_consume"] {
        first.insist(tool, json!({"sessionId": session})).await;
    }
    for (tool, arguments) in [
        ("ggui_handshake", handshake()),
        ("ggui_render", json!({"handshakeId": unused, "props": {}})),
        (
            "ggui_update",
            json!({"sessionId": session, "kind": "replace", "props": {"note": "x"}}),
        ),
        (
            "ggui_amend",
            json!({"sessionId": session, "kind": "replace", "props": {"note": "x"}}),
        ),
        (
            "ggui_emit",
            json!({"sessionId": session, "channel": "log", "payload": "x"}),
        ),
        ("ggui_consume", json!({"sessionId": session})),
        ("ggui_consume", json!({"sessionId": session, "timeout": 5})),
        ("ggui_get_session", json!({"sessionId": session})),
        ("ggui_list_sessions", json!({})),
        ("ggui_search_blueprints", json!({"query": "test"})),
        ("ggui_list_featured_blueprints", json!({})),
        ("ggui_get_render_source", json!({"sessionId": session})),
    ] {
        for server in [&first, &server] {
            let answer = server.call(tool, arguments.clone()).await;
            assert_told_to_wait(&answer, tool);
        }
    }
    let uri = format!("ui://ggui/render/{session}");
    let read = server.rpc("resources/read", json!({"uri": uri})).await;
    assert_told_to_wait(&read, "resources/read");
    for (method, path) in [
        (Method::GET, format!("/api/v1/sessions/{session}")),
        (Method::GET, "/api/v1/sessions".to_owned()),
        (Method::DELETE, format!("/api/v1/sessions/{session}")),
        (Method::GET, "/api/v1/blueprints".to_owned()),
        (Method::GET, "/stage/feed".to_owned()),
        (Method::GET, format!("/stage/frame/{session}")),
        (Method::GET, format!("/r/{viewer}")),
        (Method::GET, "/health/ready".to_owned()),
    ] {
        let answer = server.request(method, &path, None).await;
        assert_eq!(
            (answer.status, answer.wait),
            (503, 1),
            "{path}: {}",
            answer.body
        );
    }
    let relayed = json!({
        "sessionId": session, "appId": "builder", "kind": "dispatch",
        "actionId": "relayed-1", "firedAt": "2026-08-23T15:46:40.000Z",
        "payload": {"intent": "go", "actionData": null, "uiContext": {}},
    });
    let relayed = server
        .call("ggui_runtime_submit_action", relayed)
        .await
        .body;
    let relayed = &relayed["result"]["structuredContent"];
    assert_eq!(
        (&relayed["ok"], &relayed["code"]),
        (&json!(false), &json!("RATE_LIMITED"))
    );
    let (_, refused) = server.subscribe(&shown).await;
    assert_frame_tells_to_wait(&refused);
    // And all of it works again, with nothing to be started anew.
    stores.fail(Mode::Sound);
    let (mut socket, ack) = server.subscribe(&shown).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    click(&mut socket, &shown, "gesture-1").await;
    let ready = server.request(Method::GET, "/health/ready", None).await;
    assert_eq!(ready.status, 200, "{}", ready.body);
}

fn handshake() -> Value {
    json!({"intent": "A test", "blueprintDraft": {"contract": {"actionSpec": {"go": {"label": "Go"}}}}})
}

/// Clicks and consumes above a store that fails: what was acknowledged arrives once, in order.
async fn clicks_arrive_once(mode: Mode) {
    const CLICKS: usize = 30;
    let stores = Faulty::new();
    let server = stores.server().await;
    let shown = server.show().await;
    let (mut socket, _) = server.subscribe(&shown).await;
    let (mut watcher, _) = server.subscribe(&shown).await;
    stores.fail(mode);
    let (mut clicked, mut handled, mut updates) = (Vec::new(), Vec::<Value>::new(), 0);
    for number in 0..CLICKS {
        let id = format!("gesture-{number}");
        click(&mut socket, &shown, &id).await;
        clicked.push(json!(id));
        if number % 3 == 0 {
            let last = handled.last().cloned().unwrap_or_else(|| json!(""));
            let arguments = json!({"sessionId": shown.session, "after": last});
            let given = server.insist("ggui_consume", arguments).await;
            let events = given["events"].as_array().unwrap().iter();
            handled.extend(events.map(|event| event["actionId"].clone()));
        }
        if number % 5 == 0 {
            let props = json!({"note": format!("note {number}")});
            let arguments = json!({"sessionId": shown.session, "kind": "replace", "props": props});
            server.insist("ggui_update", arguments).await;
            updates += 1;
        }
    }
    stores.fail(Mode::Sound);
    let last = handled.last().cloned().unwrap_or_else(|| json!(""));
    let arguments = json!({"sessionId": shown.session, "after": last});
    let given = server.insist("ggui_consume", arguments).await;
    let events = given["events"].as_array().unwrap().iter();
    handled.extend(events.map(|event| event["actionId"].clone()));
    assert_eq!(handled, clicked, "{mode:?}");
    // Whoever watches sees each change once, in order, on the socket that it has had all along.
    let mut seen = Vec::new();
    while seen.len() < updates {
        let frame = next(&mut watcher).await;
        if frame["type"] == "props_update" {
            seen.push(frame["payload"]["epoch"].clone());
        }
    }
    let epochs: Vec<_> = (1..=updates).map(|epoch| json!(epoch)).collect();
    assert_eq!(seen, epochs, "{mode:?}");
    // Another server finds the same in the store.
    let found = stores.server().await;
    let arguments = json!({"sessionId": shown.session});
    let [mut here, mut there] = [
        server.insist("ggui_get_session", arguments.clone()).await,
        found.insist("ggui_get_session", arguments).await,
    ];
    for session in [&mut here, &mut there] {
        session["_latency_ms"].take();
    }
    assert_eq!(here, there, "{mode:?}");
    assert_eq!(server.running.fold_check()(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn above_a_store_that_fails_on_every_nth_call_each_click_arrives_once() {
    // Each attempt above every second call would meet a failure: writing, and looking what came of it.
    for every in [3, 4, 5] {
        clicks_arrive_once(Mode::Nth(every)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn above_a_store_that_fails_after_it_has_written_each_click_arrives_once() {
    for every in [1, 2, 3] {
        clicks_arrive_once(Mode::AfterWrite(every)).await;
        clicks_arrive_once(Mode::AfterWriteBlind(every + 1)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_servers_above_one_store_each_takes_in_what_the_other_wrote() {
    let stores = Faulty::new();
    let (one, other) = (stores.server().await, stores.server().await);
    let shown = one.show().await;
    let (mut on_one, _) = one.subscribe(&shown).await;
    let (mut on_other, ack) = other.subscribe(&shown).await;
    assert_eq!(ack["type"], "ack", "{ack}");
    for number in 0..10 {
        click(&mut on_one, &shown, &format!("gesture-1-{number}")).await;
        click(&mut on_other, &shown, &format!("gesture-2-{number}")).await;
        // The same gesture through the other one is the same.
        click(&mut on_other, &shown, &format!("gesture-1-{number}")).await;
    }
    let arguments = json!({"sessionId": shown.session});
    let given = one.insist("ggui_consume", arguments).await;
    let events = given["events"].as_array().unwrap();
    let ids: Vec<_> = events.iter().map(|event| &event["actionId"]).collect();
    let clicked =
        (0..10).flat_map(|number| [1, 2].map(|server| json!(format!("gesture-{server}-{number}"))));
    let clicked: Vec<_> = clicked.collect();
    assert_eq!(ids, clicked.iter().collect::<Vec<_>>());
}
