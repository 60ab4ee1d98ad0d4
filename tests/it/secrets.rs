//! No secret appears in the log, at any log level.

use std::process::Stdio;

use futures_util::{SinkExt as _, StreamExt as _};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::time::timeout;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;

use crate::contracts::{basket, basket_props};
use crate::process::proscenium;
use crate::stranger::frame;
use crate::world::{Answer, PATIENCE, answer};

const ISSUER: &str = "https://issuer.example";
const AUDIENCE: &str = "https://ui.example/mcp";
const SHARED: &str = "a secret that two parties share, and nobody else";
const ATTEMPT: &str = "the-name-of-an-attempt";
const WRONG: &str = "pk_a-key-that-somebody-mistyped";

/// Runs everything a session does with secrets; returns those secrets by name.
async fn session(mcp: &str, key: &str, jwt: &str) -> Vec<(&'static str, String)> {
    let origin = mcp.trim_end_matches("/mcp").to_owned();
    let http = reqwest::Client::new();
    let call = async |bearer: &str, tool: &str, arguments: Value, attempt: Option<&str>| -> Value {
        let mut params = json!({"name": tool, "arguments": arguments});
        if let Some(attempt) = attempt {
            params["_meta"] = json!({"idempotencyKey": attempt});
        }
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
        let request = http.post(mcp).bearer_auth(bearer).json(&body);
        let request = request.header("cookie", format!("session={key}"));
        answer(request).await.body["result"].clone()
    };
    let draft = json!({"intent": "A basket", "blueprintDraft": {"contract": basket()}});
    let agreed = call(key, "ggui_handshake", draft.clone(), Some(ATTEMPT)).await;
    let other = json!({"intent": "Other", "blueprintDraft": {"contract": basket()}});
    let reused = call(key, "ggui_handshake", other, Some(ATTEMPT)).await;
    assert_eq!(reused["isError"], true, "{reused}");
    let id = &agreed["structuredContent"]["handshakeId"];
    let render = json!({"handshakeId": id, "props": basket_props()});
    let shown = call(key, "ggui_render", render, None).await;
    let slice = &shown["_meta"]["ai.ggui/render"];
    let token = slice["wsToken"].as_str().expect("a token").to_owned();
    let session = slice["sessionId"].as_str().expect("a session").to_owned();
    let viewer = shown["structuredContent"]["viewerUrl"]
        .as_str()
        .expect("an address");
    let code = viewer.rsplit('/').next().expect("a code").to_owned();
    assert_eq!(
        call(jwt, "ggui_list_sessions", json!({}), None).await["isError"],
        Value::Null
    );
    call(WRONG, "ggui_list_sessions", json!({}), None).await;
    let refreshed = call(
        key,
        "ggui_runtime_refresh_ws_token",
        json!({"envelope": token}),
        None,
    );
    let refreshed = refreshed.await["structuredContent"]["envelope"].clone();

    let ws = format!("{}/ws?wsToken={token}", origin.replacen("http", "ws", 1));
    let (mut socket, _) = connect_async(ws).await.expect("a socket");
    let mut subscribe = frame("subscribe", &session).expect("a frame");
    subscribe["payload"]["wsToken"] = token.as_str().into();
    let mut frames = Vec::new();
    for sent in [subscribe, frame("action", &session).expect("a frame")] {
        let sent = Message::text(sent.to_string());
        socket.send(sent).await.expect("a frame is sent");
        loop {
            let message = timeout(PATIENCE, socket.next())
                .await
                .expect("a frame in time");
            let text = message.expect("a frame").expect("a frame").into_text();
            let frame: Value = serde_json::from_str(&text.expect("text")).expect("JSON");
            if frame["requestId"].is_string() {
                assert_eq!(frame["type"], "ack", "{frame}");
                frames.push(frame);
                break;
            }
        }
    }
    let lasting = frames[0]["payload"]["sessionToken"].clone();
    let cut = &token[..token.len() - 1];
    for (path, status) in [
        (
            format!("/api/sessions/{session}/state?wsToken={token}"),
            200,
        ),
        (format!("/api/sessions/{session}/state?wsToken={cut}"), 401),
        (format!("/frame/{session}?wsToken={token}"), 200),
        (format!("/r/{code}"), 200),
        (format!("/r/{code}x"), 404),
        (format!("/nowhere/{token}?key={key}"), 404),
    ] {
        let request = http.get(format!("{origin}{path}")).bearer_auth(key);
        let Answer { status: given, .. } = answer(request).await;
        assert_eq!(given, status, "{path}");
    }
    let end = http.delete(format!("{origin}/api/v1/sessions/{session}"));
    let end = end.bearer_auth(key).header("idempotency-key", ATTEMPT);
    assert_eq!(answer(end).await.status, 204);
    let text = |value: Value| value.as_str().expect("a token").to_owned();
    vec![
        ("the key", key.to_owned()),
        ("the token of the issuer", jwt.to_owned()),
        ("a wrong key", WRONG.to_owned()),
        ("the wsToken", token.clone()),
        ("half a wsToken", cut.to_owned()),
        ("the refreshed wsToken", text(refreshed)),
        ("the token for reconnects", text(lasting)),
        ("the name of an attempt", ATTEMPT.to_owned()),
        ("the code of a shell", code),
        ("what is shared with the issuer", SHARED.to_owned()),
    ]
}

#[tokio::test]
async fn a_session_with_every_kind_of_secret_leaves_none_of_them_in_the_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| {
        folder
            .path()
            .join(name)
            .to_str()
            .expect("a path")
            .to_owned()
    };
    let key = proscenium::keys::create(path("keys.toml").as_ref(), "demo", 2).expect("a key");
    std::fs::write(path("shared"), SHARED).expect("a file");
    let claims = json!({
        "iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "app": "demo", "exp": 4_000_000_000_u64,
    });
    let signing = EncodingKey::from_secret(SHARED.as_bytes());
    let jwt = encode(&Header::new(Algorithm::HS256), &claims, &signing).expect("a token");
    for (format, level) in [("text", "debug"), ("json", "trace")] {
        let keys = path("keys.toml");
        let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0", "--keys-file", &keys]);
        for (name, value) in [
            ("LOGGING_FORMAT", format),
            ("LOGGING_LEVEL", level),
            ("LOGGING_ACCESS", "true"),
            ("JWT_ISSUER", ISSUER),
            ("JWT_AUDIENCE", AUDIENCE),
            ("JWT_SECRET_FILE", &path("shared")),
        ] {
            command.env(format!("PROSCENIUM_{name}"), value);
        }
        let mut server = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("a server");
        let mut lines = BufReader::new(server.stdout.take().expect("its output")).lines();
        let mut errors = server.stderr.take().expect("its log");
        let logged = tokio::spawn(async move {
            let mut log = String::new();
            errors.read_to_string(&mut log).await.expect("text");
            log
        });
        let mcp = timeout(PATIENCE, async {
            loop {
                let line = lines.next_line().await.expect("a line").expect("a banner");
                if let Some(url) = line.trim().strip_prefix("mcp ") {
                    return url.trim().to_owned();
                }
            }
        });
        let mcp = mcp.await.expect("a banner in time");
        let secrets = session(&mcp, &key, &jwt).await;
        server.kill().await.expect("an end");
        let log = timeout(PATIENCE, logged)
            .await
            .expect("an end")
            .expect("a log");
        for word in [
            "transports.http.answer",
            "transports.mcp.answer",
            "answered",
            "trace.id",
        ] {
            assert!(
                log.contains(word),
                "{level}: nothing is logged of {word}:\n{log}"
            );
        }
        for (what, secret) in secrets {
            let line = log.lines().find(|line| line.contains(&secret));
            assert!(line.is_none(), "{level}: {what} is in the log: {line:?}");
        }
    }
}
