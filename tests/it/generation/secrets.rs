//! The key of the provider leaves the server in requests to it and nowhere else.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::time::timeout;

use super::{KEY, Provider, Reply, chores, todos};
use crate::contracts::todo_list;
use crate::process::proscenium;
use crate::world::{PATIENCE, answer};

/// What a provider does, each of it once: what comes of it, and whether it draws.
fn troubles() -> Vec<(Reply, bool)> {
    vec![
        (Reply::Status(401, None), false),
        (Reply::Status(403, None), false),
        (Reply::Status(404, None), false),
        (Reply::Status(307, None), false),
        (Reply::Status(429, Some("3600")), false),
        (Reply::Status(500, None), false),
        (Reply::CutOff, false),
        (Reply::Unfinished, false),
        (Reply::Breaks, false),
        (Reply::Garbage, false),
        (Reply::Refuses, false),
        (Reply::Ends("length"), false),
        (Reply::Says("{\"main\": 1}".to_owned()), false),
        (Reply::Says(chores()), true),
    ]
}

#[tokio::test]
async fn the_key_of_the_provider_is_in_no_log_and_in_no_error_whatever_the_provider_does() {
    for dialect in ["openai", "anthropic"] {
        let troubles = troubles();
        let replies = troubles.iter().map(|(reply, _)| reply.clone());
        let provider = Provider::start(replies).await;
        let folder = tempfile::tempdir().expect("a folder");
        let key = folder.path().join("key");
        std::fs::write(&key, KEY).expect("a file");
        let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0", "--ephemeral"]);
        for (name, value) in [
            ("LOGGING_LEVEL", "trace"),
            ("LOGGING_ACCESS", "true"),
            ("MODEL_PROVIDER", dialect),
            ("MODEL_URL", provider.url()),
            ("MODEL_NAME", "quick"),
            ("MODEL_KEY_FILE", key.to_str().expect("a path")),
            ("GENERATION_RETRIES_MAX", "0"),
            ("GENERATION_ROUNDS_MAX", "1"),
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
        let http = reqwest::Client::new();
        let call = async |tool: &str, arguments: Value| {
            let params = json!({"name": tool, "arguments": arguments});
            let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params});
            answer(http.post(&mcp).json(&body)).await.body
        };
        let mut answers = String::new();
        for (trouble, draws) in &troubles {
            let draft = json!({"contract": todo_list(), "generator": "required"});
            let handshake = json!({"intent": "A test", "blueprintDraft": draft});
            let agreed = call("ggui_handshake", handshake).await;
            let id = &agreed["result"]["structuredContent"]["handshakeId"];
            let render = json!({"handshakeId": id, "props": todos()});
            let answer = call("ggui_render", render).await;
            let is_drawn = answer["error"].is_null();
            assert_eq!(is_drawn, *draws, "{dialect}: {trouble:?}: {answer}");
            answers.push_str(&answer.to_string());
        }
        for asked in provider.asked() {
            let header = ["authorization", "x-api-key"];
            let mut sent = header.iter().filter_map(|name| asked.headers.get(*name));
            let is_sent = sent.any(|value| value.to_str().is_ok_and(|text| text.contains(KEY)));
            assert!(is_sent, "{dialect}: {:?}", asked.headers);
        }
        server.kill().await.expect("an end");
        let log = timeout(PATIENCE, logged).await.expect("an end");
        let log = log.expect("a log");
        for word in ["adapters.model.ask", "a provider was asked", "TRACE"] {
            assert!(log.contains(word), "nothing is logged of {word}:\n{log}");
        }
        for secret in [KEY, "sk-test-secret"] {
            let line = log.lines().find(|line| line.contains(secret));
            assert!(
                line.is_none(),
                "{dialect}: {secret} is in the log: {line:?}"
            );
            assert!(
                !answers.contains(secret),
                "{dialect}: {secret} is told: {answers}"
            );
        }
    }
}
