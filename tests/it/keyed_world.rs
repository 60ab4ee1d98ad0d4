//! A server whose app has keys of every kind, and a session that was rendered with the first of
//! them.

use reqwest::Method;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::stranger::posting;
use crate::world::{Answer, Shown, World};

/// What an operation requires: its name, the trust, and whether it only reads.
#[derive(Clone, Copy)]
pub(crate) struct Requirement(pub(crate) &'static str, pub(crate) u8, pub(crate) bool);

/// What reading a session requires.
pub(crate) const READ: Requirement = Requirement("ggui_get_session", 0, true);
/// What acting in a session requires.
pub(crate) const ACT: Requirement = Requirement("ggui_runtime_submit_action", 1, false);

/// A key of the app that owns the session.
pub(crate) struct Key {
    trust: u8,
    scopes: &'static [&'static str],
    pub(crate) secret: String,
}

impl Key {
    pub(crate) fn may(&self, required: Requirement) -> bool {
        let Requirement(name, trust, is_read) = required;
        let any_of = [name, "ggui:write", if is_read { "ggui:read" } else { name }];
        let is_within =
            self.scopes.is_empty() || any_of.iter().any(|scope| self.scopes.contains(scope));
        self.trust >= trust && is_within
    }

    /// Whether the key may see sessions of other keys.
    pub(crate) fn sees(&self) -> bool {
        self.trust >= 2
    }

    pub(crate) fn description(&self) -> String {
        format!("trust {} {:?}", self.trust, self.scopes)
    }
}

/// Keys of every kind, in a file.
fn keys(file: &std::path::Path) -> Vec<Key> {
    const KINDS: [(u8, &[&str]); 12] = [
        (3, &[]),
        (2, &[]),
        (1, &[]),
        (0, &[]),
        (2, &["ggui:read"]),
        (2, &["ggui:write"]),
        (2, &["ggui_consume"]),
        (2, &["ggui_get_session"]),
        (2, &["ggui_list_sessions"]),
        (2, &["ggui_runtime_submit_action"]),
        (2, &["ggui_get_session", "ggui_runtime_submit_action"]),
        (1, &["ggui_handshake", "ggui_render", "ggui_get_session"]),
    ];
    let made = KINDS.into_iter().map(|(trust, scopes)| {
        let given: Vec<_> = scopes.iter().map(|scope| (*scope).to_owned()).collect();
        let secret = proscenium::keys::create_scoped(file, "ours", trust, &given);
        Key {
            trust,
            scopes,
            secret: secret.expect("a key"),
        }
    });
    made.collect()
}

/// A server with keys of every kind; the first of them has rendered a session.
pub(crate) struct KeyedWorld {
    _folder: tempfile::TempDir,
    pub(crate) world: World,
    pub(crate) keys: Vec<Key>,
    pub(crate) session: String,
}

impl KeyedWorld {
    pub(crate) async fn build(contract: Value, props: Value) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("keys.toml");
        let keys = keys(&file);
        let world = World::start_with(|config| {
            config.server.keys_file = file;
            config.server.unlimited = true;
            config.server.local_tools = "ggui_get_session,ggui_list_themes".to_owned();
        });
        let mut keyed = Self {
            _folder: folder,
            world: world.await,
            keys,
            session: String::new(),
        };
        let shown = keyed.show(&keyed.keys[0].secret, contract, props).await;
        keyed.session = shown["structuredContent"]["sessionId"]
            .as_str()
            .expect("a session")
            .to_owned();
        keyed
    }

    pub(crate) async fn call(&self, secret: &str, tool: &str, arguments: Value) -> Answer {
        let params = json!({"name": tool, "arguments": arguments});
        self.rpc(secret, "tools/call", params).await
    }

    pub(crate) async fn rpc(&self, secret: &str, method: &str, params: Value) -> Answer {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        let request = self.world.post("/mcp").bearer_auth(secret);
        self.world.send(request.body(body.to_string())).await
    }

    /// The complete result of a render.
    pub(crate) async fn show(&self, secret: &str, contract: Value, props: Value) -> Value {
        let draft = json!({"intent": "A test", "blueprintDraft": {"contract": contract}});
        let agreed = self.call(secret, "ggui_handshake", draft).await.body;
        let id = &agreed["result"]["structuredContent"]["handshakeId"];
        let render = json!({"handshakeId": id, "props": props});
        let shown = self.call(secret, "ggui_render", render).await.body;
        assert_ne!(shown["result"]["isError"], true, "{shown}");
        shown["result"].clone()
    }

    /// The status of a request; the body is not read, because a stream does not end.
    pub(crate) async fn status(&self, method: Method, path: &str, secret: Option<&str>) -> u16 {
        let request = posting(self.world.request(method, path), path);
        let request = match secret {
            Some(secret) => request.bearer_auth(secret),
            None => request,
        };
        let response = request.send().await.expect("an answer");
        response.status().as_u16()
    }

    /// A browser with a token for the session.
    pub(crate) async fn knock(&self, token: &str) -> Browser {
        let url = self.world.url("/ws").replacen("http", "ws", 1);
        let slice = json!({"wsToken": token, "wsUrl": url});
        let shown = Shown {
            session: self.session.clone(),
            result: json!({"_meta": {"ai.ggui/render": slice}}),
        };
        self.world.knock(&shown).await
    }
}

/// The slice in a shell.
fn slice_in(page: &str) -> Value {
    let (_, rest) = page
        .split_once("globalThis.__GGUI_META__ = ")
        .expect("a slice");
    let (slice, _) = rest.split_once(";</script>").expect("its end");
    let meta: Value = serde_json::from_str(slice).expect("JSON");
    meta["ai.ggui/render"].clone()
}

/// Checks that a socket may read and act exactly as its key or token allows.
pub(crate) async fn walk_socket(
    mut socket: Browser,
    expected: Result<bool, &str>,
    who: &str,
) -> usize {
    let answer = socket.subscribe(json!({})).await;
    let may_act = match expected {
        Err(code) => {
            assert_eq!(answer["payload"]["code"], code, "{who}: {answer}");
            return 0;
        }
        Ok(may_act) => may_act,
    };
    assert_eq!(answer["type"], "ack", "{who}: {answer}");
    let id = socket.act("checkout", Value::Null).await;
    let answer = socket.answer_to(&id).await;
    if may_act {
        assert_eq!(answer["type"], "ack", "{who}: {answer}");
    } else {
        assert_eq!(
            answer["payload"]["code"], "UNAUTHENTICATED",
            "{who}: {answer}"
        );
    }
    let payload = json!({"sessionId": socket.session, "hostContext": {"platform": "web"}});
    let report = json!({"type": "host_context_observed", "requestId": "h", "payload": payload});
    socket.send(report).await;
    socket
        .send(json!({"type": "ping", "requestId": "p", "payload": {}}))
        .await;
    if !may_act {
        let answer = socket.answer_to("h").await;
        assert_eq!(
            answer["payload"]["code"], "UNAUTHENTICATED",
            "{who}: {answer}"
        );
    }
    // Refused frames do not end the socket.
    assert_eq!(socket.answer_to("p").await["type"], "pong", "{who}");
    usize::from(may_act)
}

/// How many actions the agent gets.
pub(crate) async fn consumed(keyed: &KeyedWorld) -> usize {
    let arguments = json!({"sessionId": keyed.session});
    let taken = keyed
        .call(&keyed.keys[0].secret, "ggui_consume", arguments)
        .await;
    let events = &taken.body["result"]["structuredContent"]["events"];
    events.as_array().expect("events").len()
}

/// The tokens a key can get for the session, each with the endpoint it comes from and the slice
/// around it, if any.
pub(crate) async fn handed(
    keyed: &KeyedWorld,
    key: &Key,
) -> Vec<(&'static str, String, Option<Value>)> {
    let mut tokens = Vec::new();
    let session = &keyed.session;
    let to_frame = keyed.world.get(&format!("/stage/frame/{session}"));
    let to_frame = keyed.world.send(to_frame.bearer_auth(&key.secret)).await;
    assert_eq!(
        to_frame.status == 303,
        key.may(READ) && key.sees(),
        "{}",
        key.description()
    );
    if let Some(location) = to_frame.headers.get("location") {
        let (_, token) = location
            .to_str()
            .expect("text")
            .split_once("wsToken=")
            .expect("a token");
        tokens.push(("/stage/frame", token.to_owned(), None));
    }
    let uri = json!({"uri": format!("ui://ggui/render/{session}")});
    let read = keyed.rpc(&key.secret, "resources/read", uri).await.body;
    assert_eq!(
        read["result"].is_object(),
        key.may(READ) && key.sees(),
        "{}: {read}",
        key.description()
    );
    if let Some(page) = read["result"]["contents"][0]["text"].as_str() {
        let slice = slice_in(page);
        let token = slice["wsToken"].as_str().expect("a token").to_owned();
        tokens.push(("resources/read", token, Some(slice)));
    }
    let listed = keyed
        .call(&key.secret, "ggui_list_sessions", json!({}))
        .await
        .body;
    let rows = listed["result"]["structuredContent"]["sessions"].clone();
    for row in rows.as_array().into_iter().flatten() {
        if row["sessionId"] == *session {
            let token = row["wsToken"].as_str().expect("a token").to_owned();
            tokens.push(("ggui_list_sessions", token, None));
        }
    }
    tokens
}
