//! Who decides about calls: people, and no agent, whichever way it tries.

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;

use super::approvals::GATE;
use super::people::Person;
use super::site::{Folder, Site};
use crate::browser::Browser;
use crate::world::{Answer, World};

const APP: &str = "shop";
/// What a person needs to see and answer what the server asks.
const PERSON: [&str; 3] = [
    "ggui:person",
    "ggui_get_session",
    "ggui_runtime_submit_action",
];

/// A server with keys, whose gate asks people.
pub(super) struct Office {
    pub(super) world: World,
    pub(super) folder: Folder,
    _keys: tempfile::TempDir,
    /// Keys of agents, of every kind.
    pub(super) agents: Vec<String>,
    pub(super) person: String,
}

impl Office {
    pub(super) async fn open() -> Self {
        let keys = tempfile::tempdir().expect("a folder");
        let file = keys.path().join("keys.toml");
        let key = |app: &str, trust, scopes: &[&str]| {
            let scopes: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
            proscenium::keys::create_scoped(&file, app, trust, &scopes).expect("a key")
        };
        let mut agents = vec![
            key(APP, 3, &[]),
            key(APP, 2, &[]),
            key(APP, 1, &[]),
            key(APP, 2, &["ggui:write"]),
            key(
                APP,
                3,
                &["ggui:read", "gate_call", "ggui_runtime_submit_action"],
            ),
            key(APP, 2, &PERSON[1..]),
            key("another", 3, &[]),
        ];
        // Who says to be a person and calls tools that change something is none.
        for tool in ["ggui:write", "gate_call", "ggui_consume", "ggui_emit"] {
            agents.push(key(APP, 3, &[&PERSON[..], &[tool]].concat()));
        }
        let person = key(APP, 2, &PERSON);
        let folder = Folder::new();
        let gate = folder.write(GATE);
        let world = World::start_with(|config| {
            config.server.gate_file = gate;
            config.server.keys_file = file;
            config.server.unlimited = true;
            config.limits.gate.list_wait_ms = 60_000;
            config.limits.gate.approval_hold_s = 0;
        });
        Self {
            world: world.await,
            folder,
            _keys: keys,
            agents,
            person,
        }
    }

    pub(super) fn person(&self) -> Person {
        Person::at(&self.world.url("")).with_key(&self.person)
    }

    /// An agent tries by every tool to look at a card, or to decide.
    pub(super) async fn attempt_everything(&self, key: &str, session: &str) {
        for (tool, arguments) in attempts(APP, session) {
            let params = json!({"name": tool, "arguments": arguments});
            let answer = self.rpc("/mcp", key, "tools/call", params).await;
            let text = answer.body.to_string();
            assert!(!text.contains("\"ok\":true"), "{tool}: {text}");
        }
    }

    pub(super) async fn rpc(&self, path: &str, key: &str, method: &str, params: Value) -> Answer {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = self.world.post(path).bearer_auth(key);
        self.world.send(request.body(body.to_string())).await
    }

    /// A call through the gate.
    pub(super) async fn call(&self, key: &str) -> Value {
        let params = json!({"name": "s_delete_file", "arguments": {"path": "/a"}});
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let request = self.world.post("/mcp/gate").bearer_auth(key);
        let answer = request.body(body.to_string()).send().await;
        answer.expect("an answer").json().await.expect("JSON")
    }
}

/// The calls by which an agent could look at a session, or do something in it.
fn attempts(app: &str, session: &str) -> Vec<(&'static str, Value)> {
    let action = |name: &str| {
        json!({
            "sessionId": session, "appId": app, "kind": "dispatch", "actionId": "gesture-12345",
            "firedAt": "2026-08-23T15:46:40.000Z",
            "payload": {"intent": name, "actionData": null, "uiContext": {}},
        })
    };
    vec![
        ("ggui_get_session", json!({"sessionId": session})),
        ("ggui_get_render_source", json!({"sessionId": session})),
        ("ggui_consume", json!({"sessionId": session})),
        (
            "ggui_update",
            json!({"sessionId": session, "kind": "merge", "patch": {}}),
        ),
        (
            "ggui_amend",
            json!({"sessionId": session, "kind": "merge", "patch": {}}),
        ),
        (
            "ggui_emit",
            json!({"sessionId": session, "channel": "status",
                "payload": {"state": "approved", "message": "forged"}}),
        ),
        (
            "ggui_request_auth",
            json!({"sessionId": session, "provider": "x", "authUrl": "https://x.example/"}),
        ),
        ("ggui_runtime_submit_action", action("approve")),
        (
            "ggui_runtime_sync_context",
            json!({"sessionId": session, "appId": app, "snapshot": {}}),
        ),
        (
            "ggui_runtime_pull",
            json!({"sessionId": session, "sinceSequence": 0}),
        ),
    ]
}

/// An answer without what differs from call to call.
fn plain(answer: &Answer, session: &str) -> String {
    let mut body = answer.body.clone();
    for path in ["/result/structuredContent", "/result"] {
        if let Some(Value::Object(members)) = body.pointer_mut(path) {
            members.remove("_latency_ms");
            members.remove("content");
        }
    }
    body.to_string().replace(session, "SESSION")
}

#[tokio::test]
async fn to_every_agent_a_card_is_like_a_session_that_is_not_there() {
    let office = Office::open().await;
    let asked = office.call(&office.agents[0]).await;
    assert_eq!(asked["error"]["data"]["state"], "pending", "{asked}");
    let person = office.person();
    let card = person.card().await;
    let nowhere = "approval-00000000000000000000000000000000-000000000000000000000";
    for (at, key) in office.agents.iter().enumerate() {
        let who = format!("agent {at}");
        let mine = attempts(APP, &card.session);
        for ((tool, arguments), (_, elsewhere)) in mine.iter().zip(attempts(APP, nowhere)) {
            let call = async |arguments: Value| {
                let params = json!({"name": tool, "arguments": arguments});
                office.rpc("/mcp", key, "tools/call", params).await
            };
            let (here, there) = (call(arguments.clone()).await, call(elsewhere).await);
            let (here, there) = (plain(&here, &card.session), plain(&there, nowhere));
            assert_eq!(here, there, "{who} {tool}");
            assert!(!here.contains("\"ok\":true"), "{who} {tool}: {here}");
        }
        for uri in ["ui://ggui/render/SESSION", "ui://ggui/render/SESSION#0"] {
            let read = async |session: &str| {
                let uri = uri.replace("SESSION", session);
                let read = office.rpc("/mcp", key, "resources/read", json!({"uri": uri}));
                plain(&read.await, session)
            };
            assert_eq!(read(&card.session).await, read(nowhere).await, "{who}");
        }
        let params = json!({"name": "ggui_list_sessions", "arguments": {}});
        let listed = office.rpc("/mcp", key, "tools/call", params).await.body;
        assert!(!listed.to_string().contains("approval-"), "{who}: {listed}");
        for (method, path) in [
            (Method::GET, "/api/v1/sessions/SESSION"),
            (Method::DELETE, "/api/v1/sessions/SESSION"),
            (Method::GET, "/stage/frame/SESSION"),
            (Method::GET, "/stage/explain/SESSION"),
        ] {
            let ask = async |session: &str| {
                let path = path.replace("SESSION", session);
                let request = office.world.request(method.clone(), &path);
                let answer = office.world.send(request.bearer_auth(key)).await;
                (answer.status, plain(&answer, session))
            };
            assert_eq!(ask(&card.session).await, ask(nowhere).await, "{who} {path}");
        }
        let list = office.world.get("/api/v1/sessions").bearer_auth(key);
        let list = office.world.send(list).await;
        assert!(!list.body.to_string().contains("approval-"), "{who}");
        let rows = Person::at(&office.world.url("")).with_key(key);
        if rows
            .get("/stage/feed")
            .send()
            .await
            .expect("an answer")
            .status()
            == 200
        {
            assert_eq!(rows.cards().await, Vec::<String>::new(), "{who}");
        }
        let url = office.world.url("/ws").replacen("http", "ws", 1);
        let mut request = url.into_client_request().expect("a request");
        let bearer = format!("Bearer {key}").parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        let (socket, _) = connect_async(request).await.expect("a socket");
        let refused = Browser::on(socket, &card.session, "")
            .subscribe(json!({}))
            .await;
        assert_eq!(refused["type"], "error", "{who}: {refused}");
    }
    assert_eq!(office.folder.calls("delete_file"), 0);
    // It is there all the same, for a person.
    let mut card = person.open(&card.session).await;
    card.approve().await;
    card.says("approved").await;
    let mut answer = office.call(&office.agents[0]).await;
    while answer["error"]["data"]["state"] == "pending" {
        answer = office.call(&office.agents[0]).await;
    }
    assert!(answer["result"].is_object(), "{answer}");
    assert_eq!(office.folder.calls("delete_file"), 1);
}

#[tokio::test]
async fn a_person_s_key_decides_by_socket_or_relay_and_calls_nothing() {
    let office = Office::open().await;
    let refused = office.call(&office.person).await;
    assert_eq!(refused["error"]["code"], -32003, "{refused}");
    office.call(&office.agents[0]).await;
    let card = office.person().card().await;
    let relayed = attempts(APP, &card.session)
        .into_iter()
        .find(|(tool, _)| *tool == "ggui_runtime_submit_action");
    let (name, arguments) = relayed.expect("an attempt");
    let params = json!({"name": name, "arguments": arguments});
    let answer = office
        .rpc("/mcp", &office.person, "tools/call", params)
        .await;
    assert_eq!(answer.body["result"]["structuredContent"]["ok"], true);
    card.says("approved").await;
    for (tool, arguments) in attempts(APP, &card.session) {
        if matches!(
            tool,
            "ggui_consume" | "ggui_update" | "ggui_amend" | "ggui_emit" | "ggui_request_auth"
        ) {
            let params = json!({"name": tool, "arguments": arguments});
            let answer = office
                .rpc("/mcp", &office.person, "tools/call", params)
                .await;
            let code = &answer.body["error"]["data"]["code"];
            assert_eq!(code, "CAPABILITY_DENIED", "{tool}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn an_approval_of_one_key_is_none_for_another() {
    let office = Office::open().await;
    let handles: BTreeSet<_> = [
        office.call(&office.agents[0]).await,
        office.call(&office.agents[1]).await,
        office.call(&office.agents[0]).await,
    ]
    .iter()
    .map(|answer| answer["error"]["data"]["task_id"].to_string())
    .collect();
    assert_eq!(handles.len(), 2);
}

#[tokio::test]
async fn people_are_asked_on_the_stage_of_the_app_that_the_file_names() {
    let keys = tempfile::tempdir().expect("a folder");
    let file = keys.path().join("keys.toml");
    let agent = proscenium::keys::create(&file, APP, 3).expect("a key");
    let scopes = PERSON.map(str::to_owned);
    let person = proscenium::keys::create_scoped(&file, "desk", 2, &scopes).expect("a key");
    let of_app = proscenium::keys::create_scoped(&file, APP, 2, &scopes).expect("a key");
    let gate = GATE.replace("timeout: 5m", "destination: { type: stage, app: desk }");
    let site = Site::start_with(&gate, |config| {
        config.server.keys_file = file;
        config.limits.gate.approval_hold_s = 0;
    })
    .await;
    let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "s_delete_file", "arguments": {}}});
    let call = site.post().bearer_auth(&agent).body(body.to_string());
    let asked = site.world.send(call).await.body;
    assert_eq!(asked["error"]["data"]["state"], "pending", "{asked}");
    let at = |key: &str| Person::at(&site.world.url("")).with_key(key);
    assert_eq!(at(&person).cards().await.len(), 1);
    assert_eq!(at(&of_app).cards().await.len(), 0);
    assert_eq!(
        at(&person).card().await.props().await["requester"]
            .as_str()
            .map(|name| name.ends_with(" of shop")),
        Some(true)
    );
}

#[tokio::test]
async fn without_keys_a_card_is_on_the_stage_and_no_tool_reaches_it() {
    let site = Site::start_with(GATE, |config| config.limits.gate.approval_hold_s = 0).await;
    let asked = site.call("s_delete_file", json!({})).await;
    assert_eq!(asked["error"]["data"]["state"], "pending", "{asked}");
    let card = Person::at(&site.world.url("")).card().await;
    for (tool, arguments) in attempts("builder", &card.session) {
        let answer = site.world.calling(tool, arguments).await.body;
        let text = answer.to_string().to_lowercase();
        let is_missing = text.contains("session_not_found") || text.contains("pipe_not_found");
        assert!(is_missing, "{tool}: {answer}");
    }
    let listed = site.world.tool("ggui_list_sessions", json!({})).await;
    assert_eq!(listed["sessions"], json!([]));
    let list = site.world.send(site.world.get("/api/v1/sessions")).await;
    assert!(!list.body.to_string().contains("approval-"));
    let mut socket = site.world.knock_plainly(&card.session).await;
    assert_eq!(socket.subscribe(json!({})).await["type"], "error");
    assert_eq!(site.folder.calls("delete_file"), 0);
}
