//! A client over standard input and output, at a server that runs already.

use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::time::timeout;

use super::{Peer, waits_and_cancels};
use crate::process::{failed, proscenium, serving};
use crate::world::PATIENCE;

#[tokio::test]
async fn a_server_that_runs_is_joined_in_both_eras() {
    let (_server, mcp) = serving(&[]).await;
    let address = mcp.trim_start_matches("http://").trim_end_matches("/mcp");
    let mut peer = Peer::start(&["--listen", address], &[]).await;
    assert_eq!(peer.stage, format!("http://{address}/"));
    let session = peer.show().await;
    let page = reqwest::get(format!("{}stage/frame/{session}", peer.stage)).await;
    assert_eq!(
        page.expect("the frame").status(),
        200,
        "the session is the server's"
    );
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({"name": "n\u{f6}pe", "arguments": {}, "_meta": meta});
    let modern = peer.ask(1, "tools/call", params).await;
    assert_eq!(modern["error"]["code"], -32602, "{modern}");
    peer.send_text("{nope").await;
    assert_eq!(peer.next().await["error"]["code"], -32700);
    waits_and_cancels(&mut peer).await;
    assert_eq!(peer.end().await, "");
}

#[tokio::test]
async fn an_unreachable_server_is_reported_with_the_id_of_the_request() {
    let (mut server, mcp) = serving(&[]).await;
    let address = mcp.trim_start_matches("http://").trim_end_matches("/mcp");
    let mut peer = Peer::start(&["--listen", address], &[]).await;
    server.kill().await.expect("an end");
    let answer = peer.ask(7, "tools/list", json!({})).await;
    assert_eq!(answer["error"]["data"]["code"], "SERVER_GONE", "{answer}");
}

#[tokio::test]
async fn a_server_with_keys_requires_one_and_another_server_is_not_joined() {
    let folder = tempfile::tempdir().expect("a folder");
    let keys = folder.path().join("keys.toml");
    let keys = keys.to_str().expect("a path");
    let created = proscenium(&["keys", "create", "--app", "demo", "--keys-file", keys]);
    let secret = { created }.output().await.expect("a key").stdout;
    let secret = String::from_utf8(secret).expect("text");
    let (_server, mcp) = serving(&["--keys-file", keys]).await;
    let address = mcp.trim_start_matches("http://").trim_end_matches("/mcp");
    let (code, lines) = failed(&["stdio", "--listen", address]).await;
    assert_eq!((code, lines.len()), (78, 1), "{lines:?}");
    assert!(lines[0].contains("--key"), "{lines:?}");
    let (code, lines) = failed(&["stdio", "--listen", address, "--key", "wrong"]).await;
    assert_eq!((code, lines.len()), (78, 1), "{lines:?}");
    assert!(!lines[0].contains("wrong"), "{lines:?}");
    let mut peer = Peer::start(&["--listen", address, "--key", secret.trim()], &[]).await;
    peer.show().await;

    let other = other_server().await;
    let (code, lines) = failed(&["stdio", "--listen", &other]).await;
    assert_eq!((code, lines.len()), (69, 1), "{lines:?}");
    assert!(lines[0].contains("another program"), "{lines:?}");
}

#[tokio::test]
async fn a_client_whose_key_is_revoked_is_disconnected() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys.toml");
    let secret = proscenium::keys::create(&file, "demo", 1).expect("a key");
    proscenium::keys::create(&file, "demo", 1).expect("another key");
    let settings = [(
        "PROSCENIUM_SERVER_KEYS_FILE",
        file.to_str().expect("a path"),
    )];
    let arguments = ["--listen", "127.0.0.1:0", "--key", &secret];
    let mut peer = Peer::start(&arguments, &settings).await;
    peer.show().await;
    let id = &proscenium::keys::list(&file).expect("keys")[0].id;
    proscenium::keys::revoke(&file, id).expect("a revoked key");
    // The process ends by itself, with its input still open.
    let ended = timeout(PATIENCE, peer.output.next_line()).await;
    assert_eq!(ended.expect("an end in time").expect("text"), None);
    let status = timeout(PATIENCE, peer.child.wait()).await;
    status.expect("an end in time").expect("a status");
}

/// The address of a server that is not proscenium.
async fn other_server() -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
        .await
        .expect("a port");
    let address = listener.local_addr().expect("its address").to_string();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = stream.write_all(b"SSH-2.0-nobody\r\n").await;
        }
    });
    address
}
