//! The kinds of Redis that servers keep everything in: behind TLS, behind sentinels, a cluster; and what
//! is said of settings that lose data.

use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;
use tokio::time::timeout;

use crate::node::{Client, Node, parts};
use crate::process::{failed, proscenium};
use crate::redis_server::{RedisServer, hears, ready};
use crate::world::PATIENCE;

const READY: &str = "eady to accept connections";

/// A port that nobody uses.
fn port() -> String {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    free.local_addr().expect("an address").port().to_string()
}

/// A Redis in a folder, with what it is asked for.
fn redis(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("redis-server");
    command
        .current_dir(folder)
        .args(["--save", ""])
        .args(arguments);
    command
}

/// A server above the store of an address, which is no part of its command line.
async fn node(url: &str, settings: &[(&str, &str)]) -> Node {
    let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0"]);
    command.env_remove("PROSCENIUM_STORE_EPHEMERAL");
    command.env("PROSCENIUM_STORE_URL", url);
    command.envs(settings.iter().copied());
    Node::run(command).await
}

/// What a command of `redis-cli` prints.
async fn ask(port: &str, command: &[&str]) -> String {
    let asked = Command::new("redis-cli")
        .args(["-p", port])
        .args(command)
        .output();
    let output = asked
        .await
        .expect("redis-cli, from Debian's package redis-tools");
    String::from_utf8(output.stdout).expect("text")
}

/// Changes a note until that is done; the version it has then.
async fn update(client: &Client, session: &str, key: &str) -> Value {
    let update = json!({"sessionId": session, "kind": "merge", "patch": {"note": key}});
    let key = format!("{session} {key}");
    let updated = timeout(PATIENCE, async {
        loop {
            let body = client.keyed(Some(&key), "ggui_update", &update).await.body;
            if body["error"].is_null() {
                return body["result"]["structuredContent"]["version"].clone();
            }
            assert_eq!(body["error"]["code"], -32013, "{body}");
        }
    });
    updated.await.expect("an answer")
}

#[tokio::test]
async fn a_store_behind_tls_lets_in_who_has_a_name_and_a_password_and_nobody_else() {
    let folder = TempDir::new().expect("a folder");
    let request = "[req]\ndistinguished_name=name\nx509_extensions=more\nprompt=no\n\
                   [name]\nCN=127.0.0.1\n\
                   [more]\nsubjectAltName=IP:127.0.0.1\nbasicConstraints=critical,CA:FALSE\n";
    std::fs::write(folder.path().join("request"), request).expect("a file");
    let made = Command::new("openssl")
        .current_dir(folder.path())
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
        ])
        .args([
            "-config",
            "request",
            "-keyout",
            "key",
            "-out",
            "certificate",
        ])
        .output();
    let made = made
        .await
        .expect("openssl, from Debian's package of that name");
    assert!(made.status.success());
    let port = port();
    let store = redis(
        folder.path(),
        &[
            "--port",
            "0",
            "--tls-port",
            &port,
            "--tls-auth-clients",
            "no",
            "--tls-cert-file",
            "certificate",
            "--tls-key-file",
            "key",
            "--tls-ca-cert-file",
            "certificate",
            "--appendonly",
            "yes",
            "--user",
            "stage",
            "on",
            ">secret",
            "~*",
            "&*",
            "+@all",
            "--user",
            "default",
            "off",
        ],
    );
    let (_store, _) = ready(store, READY).await;
    let certificate = folder.path().join("certificate");
    let trusted = [("SSL_CERT_FILE", certificate.to_str().expect("a path"))];
    let url = format!("rediss://stage:secret@127.0.0.1:{port}");
    let (one, two) = (node(&url, &trusted).await, node(&url, &trusted).await);
    let (id, _) = parts(&one.client.show().await);
    assert_eq!(update(&two.client, &id, "changed").await, 2);
    // Without trust in the certificate nobody is told the password.
    let (code, lines) = failed(&["serve", "--listen", "127.0.0.1:0", "--store", &url]).await;
    assert_eq!((code, lines.len()), (69, 1), "{lines:?}");
    assert!(
        lines[0].contains("certificate") && !lines[0].contains("secret"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn behind_a_sentinel_servers_follow_the_master_that_takes_over() {
    let folders = [(); 3].map(|()| TempDir::new().expect("a folder"));
    let [first, second, sentinel] = [(); 3].map(|()| port());
    let kept = ["--appendonly", "yes"];
    let master = [&["--port", &first], kept.as_slice()].concat();
    let (mut master, _) = ready(redis(folders[0].path(), &master), READY).await;
    let replica = ["--port", &second, "--replicaof", "127.0.0.1", &first];
    let replica = [replica.as_slice(), &kept].concat();
    let synchronised = "MASTER <-> REPLICA sync: Finished with success";
    let (_replica, _) = ready(redis(folders[1].path(), &replica), synchronised).await;
    let settings = format!(
        "port {sentinel}\nsentinel monitor stage 127.0.0.1 {first} 1\n\
         sentinel down-after-milliseconds stage 1000\nsentinel failover-timeout stage 5000\n"
    );
    std::fs::write(folders[2].path().join("sentinel"), settings).expect("a file");
    let mut watch = Command::new("redis-server");
    watch
        .current_dir(folders[2].path())
        .args(["sentinel", "--sentinel"]);
    let (_sentinel, mut said) = ready(watch, "+slave").await;
    let node = node(&format!("redis+sentinel://127.0.0.1:{sentinel}/stage"), &[]).await;
    let (id, _) = parts(&node.client.show().await);
    assert_eq!(update(&node.client, &id, "before").await, 2);
    assert_eq!(ask(&first, &["WAIT", "1", "5000"]).await.trim(), "1");
    master.kill().await.expect("an end");
    hears(&mut said, "+switch-master").await;
    assert_eq!(update(&node.client, &id, "after").await, 3);
    let state = node
        .client
        .tool("ggui_get_session", json!({"sessionId": id}))
        .await;
    assert_eq!(
        (&state["props"]["note"], &state["epoch"]),
        (&json!("after"), &json!(2))
    );
}

#[tokio::test]
async fn above_a_cluster_any_server_serves_any_session() {
    let folders = [(); 3].map(|()| TempDir::new().expect("a folder"));
    let ports = [(); 3].map(|()| port());
    let mut stores = Vec::new();
    for (folder, port_of_one) in folders.iter().zip(&ports) {
        let bus = port();
        let arguments = [
            "--port",
            port_of_one,
            "--cluster-enabled",
            "yes",
            "--cluster-port",
            &bus,
            "--appendonly",
            "yes",
        ];
        stores.push(ready(redis(folder.path(), &arguments), READY).await);
    }
    let hosts = ports.each_ref().map(|port| format!("127.0.0.1:{port}"));
    let made = Command::new("redis-cli")
        .args(["--cluster", "create"])
        .args(&hosts)
        .arg("--cluster-yes")
        .output();
    let made = made.await.expect("redis-cli");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stdout)
    );
    for port in &ports {
        let is_whole = async || ask(port, &["CLUSTER", "INFO"]).await.contains("state:ok");
        timeout(PATIENCE, async { while !is_whole().await {} })
            .await
            .expect("a cluster");
    }
    let [one, two] = [&hosts[0], &hosts[2]].map(|host| format!("redis+cluster://{host}"));
    let (one, two) = (node(&one, &[]).await, node(&two, &[]).await);
    // Several, so that they are at different places.
    for _ in 0..6 {
        let (id, token) = parts(&one.client.show().await);
        let mut browser = two.client.knock(&id, &token).await;
        browser.subscribe(json!({})).await;
        for client in [&one.client, &two.client] {
            assert_eq!(
                update(client, &id, "changed").await,
                2,
                "once under its key"
            );
        }
        let shown = browser.frame("props_update").await;
        assert_eq!(shown["payload"]["props"]["note"], "changed", "{shown}");
    }
    let listed = two.client.get("/api/v1/sessions").await.body;
    assert_eq!(listed["data"].as_array().map(Vec::len), Some(6), "{listed}");
}

#[tokio::test]
async fn settings_by_which_a_store_loses_what_it_acknowledged_are_told_at_start() {
    let redis = RedisServer::start_with(&["--maxmemory-policy", "allkeys-lru"]).await;
    let url = redis.url();
    let mut command = proscenium(&["serve", "--listen", "127.0.0.1:0", "--store", &url]);
    command.env_remove("PROSCENIUM_STORE_EPHEMERAL");
    let mut server = command.stdout(Stdio::piped()).spawn().expect("a server");
    let mut lines = BufReader::new(server.stdout.take().expect("its banner")).lines();
    let warnings = timeout(PATIENCE, async {
        let mut missing = vec!["maxmemory-policy allkeys-lru", "appendonly no"];
        while !missing.is_empty() {
            let line = lines.next_line().await.expect("a line").expect("a banner");
            missing.retain(|word| !line.contains(word));
        }
    });
    warnings.await.expect("both are told");
}
