//! SIGHUP reloads keys and configuration, closes what is no longer valid, and changes nothing if
//! anything is wrong.

use std::path::PathBuf;
use std::process::Stdio;

use futures_util::StreamExt as _;
use jsonwebtoken::{Algorithm, EncodingKey};
use proscenium::keys;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::net::TcpStream;
use tokio::process::{Child, ChildStderr, Command};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::doors::PING;
use crate::issuer::{AUDIENCE, ISSUER, header, signed};
use crate::process::proscenium;
use crate::world::PATIENCE;

/// A server process, its configuration file, and its log.
struct Server {
    folder: tempfile::TempDir,
    child: Child,
    mcp: String,
    log: Lines<BufReader<ChildStderr>>,
}

impl Server {
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn start(folder: tempfile::TempDir, config: &str) -> Self {
        let file = folder.path().join("proscenium.toml");
        std::fs::write(&file, config).expect("a file");
        let file = file.to_str().expect("a path");
        let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0", "--config", file]);
        let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().expect("a server");
        let mut banner = BufReader::new(child.stdout.take().expect("its output")).lines();
        let log = BufReader::new(child.stderr.take().expect("its log")).lines();
        let found = timeout(PATIENCE, async {
            while let Ok(Some(line)) = banner.next_line().await {
                if let Some(url) = line.trim().strip_prefix("mcp ") {
                    return url.trim().to_owned();
                }
            }
            panic!("no address in the banner")
        });
        let mcp = found.await.expect("a banner");
        Self {
            folder,
            child,
            mcp,
            log,
        }
    }

    /// Makes the server reload its files.
    async fn hang_up(&self) {
        let process = self.child.id().expect("a process").to_string();
        let sent = Command::new("kill").args(["-HUP", &process]).status().await;
        assert!(sent.expect("kill").success());
    }

    /// Reads the log until it contains all of these; returns the lines up to there.
    async fn log_until(&mut self, words: &[&str]) -> String {
        let read = timeout(PATIENCE, async {
            let mut reported = String::new();
            while !words.iter().all(|word| reported.contains(word)) {
                let line = self.log.next_line().await.expect("a text");
                reported.push_str(&line.expect("the server writes on"));
                reported.push('\n');
            }
            reported
        });
        read.await.expect("a log in time")
    }

    async fn ping(&self, secret: &str) -> u16 {
        let request = reqwest::Client::new().post(&self.mcp).bearer_auth(secret);
        let request = request
            .header("content-type", "application/json")
            .body(PING);
        request.send().await.expect("an answer").status().as_u16()
    }

    /// A socket that has not subscribed yet.
    async fn knock(&self, secret: &str) -> WebSocketStream<MaybeTlsStream<TcpStream>> {
        let url = self.mcp.replacen("http", "ws", 1).replace("/mcp", "/ws");
        let mut request = url.into_client_request().expect("a request");
        let bearer = format!("Bearer {secret}").parse().expect("a header");
        request.headers_mut().insert("authorization", bearer);
        connect_async(request).await.expect("a socket").0
    }
}

/// The reason with which a socket is closed.
async fn closed(mut socket: WebSocketStream<MaybeTlsStream<TcpStream>>) -> String {
    let read = timeout(PATIENCE, async {
        loop {
            match socket.next().await {
                Some(Ok(Message::Close(Some(frame)))) => return frame.reason.to_string(),
                Some(Ok(_)) => {}
                other => panic!("no close frame: {other:?}"),
            }
        }
    });
    read.await.expect("an end in time")
}

/// Only a signal reloads the keys.
const SELDOM: &str = "keys_reread_s = 86400\n";

#[tokio::test]
async fn keys_are_reloaded_and_connections_of_a_revoked_one_are_closed() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let [gone, stays] = [1, 1].map(|trust| keys::create(&file, "ours", trust).expect("a key"));
    let path = file.display();
    let config = format!("[server]\nkeys_file = \"{path}\"\n{SELDOM}");
    let mut server = Server::start(folder, &config).await;
    let (ended, lives) = (server.knock(&gone).await, server.knock(&stays).await);
    let listed = keys::list(&file).expect("keys");
    keys::revoke(&file, &listed[0].id).expect("a revoked key");
    let next = keys::create(&file, "ours", 1).expect("a key");
    assert_eq!(server.ping(&gone).await, 200, "nobody has looked yet");
    server.hang_up().await;
    assert_eq!(closed(ended).await, "credential_lapsed");
    assert_eq!(server.ping(&gone).await, 401);
    assert_eq!(server.ping(&stays).await, 200);
    server.log_until(&["read anew"]).await;
    assert_eq!(server.ping(&next).await, 200);

    // Another file with the same name.
    let moved = server.file("other.toml");
    let third = keys::create(&moved, "ours", 1).expect("a key");
    let config = format!("[server]\nkeys_file = \"{}\"\n{SELDOM}", moved.display());
    std::fs::write(server.file("proscenium.toml"), config).expect("a file");
    server.hang_up().await;
    assert_eq!(closed(lives).await, "credential_lapsed");
    server.log_until(&["read anew"]).await;
    assert_eq!(server.ping(&third).await, 200);
    assert_eq!(server.ping(&stays).await, 401);
}

#[tokio::test]
async fn an_invalid_configuration_changes_nothing_and_all_problems_are_logged() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secret = keys::create(&file, "ours", 1).expect("a key");
    let keys_file = format!("keys_file = \"{}\"\n", file.display());
    let config = format!("[server]\n{keys_file}{SELDOM}");
    let mut server = Server::start(folder, &config).await;
    let wrong = format!("[server]\n{keys_file}colour = 1\n[handshakes]\nttl = 5\n");
    let nowhere = "[server]\nkeys_file = \"/nowhere/keys.toml\"\n[jwt]\nissuer = \"x\"\n";
    let unopened = "[server]\nkeys_file = \"\"\n".to_owned();
    for (config, words) in [
        (
            wrong,
            vec![
                "server.colour",
                "handshakes.ttl",
                "everything stays as it was",
            ],
        ),
        (nowhere.to_owned(), vec!["/nowhere/keys.toml", "jwt.issuer"]),
        ("[server".to_owned(), vec!["proscenium.toml"]),
        // Whether credentials are required cannot change after the start.
        (unopened, vec!["server.keys_file", "waits for a restart"]),
        (
            format!("[server]\n{keys_file}public_url = \"x\"\n[logging]\nlevel = \"a=b=c\"\n"),
            vec![
                "logging.level",
                "server.public_url",
                "everything stays as it was",
            ],
        ),
        (
            format!("[server]\n{keys_file}embedders = \"*\"\n[handshakes]\nttl_s = 5\n"),
            vec![
                "server.embedders",
                "handshakes.ttl_s",
                "waits for a restart",
            ],
        ),
    ] {
        std::fs::write(server.file("proscenium.toml"), &config).expect("a file");
        server.hang_up().await;
        server.log_until(&words).await;
        assert_eq!(server.ping(&secret).await, 200, "{config}");
        assert_eq!(server.ping("nobody").await, 401, "{config}");
    }
    // The same with a malformed keys file.
    std::fs::write(server.file("proscenium.toml"), &config).expect("a file");
    std::fs::write(server.file("keys.toml"), "[[key]]\nid = ").expect("a file");
    server.hang_up().await;
    server
        .log_until(&["keys.toml", "everything stays as it was"])
        .await;
    assert_eq!(server.ping(&secret).await, 200);
}

#[tokio::test]
async fn an_issuer_s_new_secret_ends_what_the_old_one_signed_and_an_old_one_ends_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("secret");
    let [old, new] = [
        "an old secret that two parties share",
        "a new secret that two parties share",
    ];
    std::fs::write(&file, old).expect("a file");
    let jwt = format!(
        "[jwt]\nissuer = \"{ISSUER}\"\naudience = \"{AUDIENCE}\"\nsecret_file = \"{}\"\n",
        file.display()
    );
    let mut server = Server::start(folder, &jwt).await;
    // A moment in the far future for the machine's clock, too.
    let claims = json!({"iss": ISSUER, "aud": AUDIENCE, "sub": "ada", "app": "ours", "exp": 4_000_000_000_u64});
    let token = |secret: &str| {
        let key = EncodingKey::from_secret(secret.as_bytes());
        signed(&header(Algorithm::HS256, None), &claims, &key)
    };
    let (first, second) = (token(old), token(new));
    let mut socket = server.knock(&first).await;
    assert_eq!(server.ping(&first).await, 200);
    server.hang_up().await;
    server.log_until(&["read anew"]).await;
    // The issuer has not changed, so its tokens stay valid.
    let ping = json!({"type": "ping", "requestId": "p", "payload": {}});
    futures_util::SinkExt::send(&mut socket, Message::text(ping.to_string()))
        .await
        .expect("a frame");
    let pong = timeout(PATIENCE, socket.next()).await.expect("in time");
    let pong = pong.expect("a frame").expect("a frame");
    let pong: Value = serde_json::from_str(pong.to_text().expect("text")).expect("JSON");
    assert_eq!(pong["type"], "pong");
    assert_eq!(server.ping(&first).await, 200);
    assert_eq!(server.ping(&second).await, 401);

    std::fs::write(&file, new).expect("a file");
    server.hang_up().await;
    assert_eq!(closed(socket).await, "credential_lapsed");
    // It was verified a moment ago, and is no longer valid.
    assert_eq!(server.ping(&first).await, 401);
    assert_eq!(server.ping(&second).await, 200);
}

#[tokio::test]
async fn another_log_level_holds_from_the_signal_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    keys::create(&file, "ours", 1).expect("a key");
    let at = |level: &str| {
        let keys_file = file.display();
        format!("[server]\nkeys_file = \"{keys_file}\"\n{SELDOM}[logging]\nlevel = \"{level}\"\n")
    };
    let (quiet, loud) = (at("error"), at("info"));
    let mut server = Server::start(folder, &quiet).await;
    let next = keys::create(&file, "ours", 1).expect("a key");
    std::fs::write(server.file("proscenium.toml"), loud).expect("a file");
    server.hang_up().await;
    let taken = async { while server.ping(&next).await != 200 {} };
    timeout(PATIENCE, taken).await.expect("a key in time");
    // The first signal is answered while nothing but errors is logged, the second is logged.
    server.hang_up().await;
    let heard = server.log_until(&["read anew"]).await;
    assert!(!heard.contains("waits for a restart"), "{heard}");
}
