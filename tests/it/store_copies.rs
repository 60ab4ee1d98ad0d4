//! Backups beside a server that works, and what comes of them in another folder.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::node::{Client, Node, parts, stored};

/// Clicks until it is told to stop; how many were acknowledged is always known.
async fn click(
    client: Client,
    shown: Value,
    acks: Arc<tokio::sync::watch::Sender<u64>>,
    stop: Arc<AtomicBool>,
) {
    let (id, token) = parts(&shown);
    let mut browser = client.knock(&id, &token).await;
    browser.subscribe(json!({})).await;
    while !stop.load(Ordering::SeqCst) {
        let request = browser
            .act("setQuantity", json!({"sku": "A1", "qty": 3}))
            .await;
        assert_eq!(browser.answer_to(&request).await["type"], "ack");
        acks.send_modify(|acks| *acks += 1);
    }
}

fn submitted(rows: &[Value]) -> usize {
    rows.iter()
        .filter(|row| row["type"] == "user.submitted")
        .count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_is_an_exact_prefix_of_what_was_acknowledged() {
    let (folder, copies) = (
        TempDir::new().expect("a folder"),
        TempDir::new().expect("another"),
    );
    let node = Node::start(folder.path()).await;
    let shown = node.client.show().await;
    let (id, token) = parts(&shown);
    let acks = Arc::new(tokio::sync::watch::Sender::new(0));
    let stop = Arc::new(AtomicBool::new(false));
    let clicking = click(
        node.client.clone(),
        shown,
        Arc::clone(&acks),
        Arc::clone(&stop),
    );
    let clicking = tokio::spawn(clicking);
    let mut taken = Vec::new();
    for number in 1..=3 {
        let enough = number * 40;
        acks.subscribe()
            .wait_for(|acks| *acks >= enough)
            .await
            .expect("clicks");
        let file = copies.path().join(format!("{number}.db"));
        let before = *acks.borrow();
        let made = stored(folder.path(), &["data", "backup", file.to_str().unwrap()]).output();
        let made = made.await.expect("a process");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        // One more may be under way.
        taken.push((file, before, *acks.borrow() + 1));
    }
    stop.store(true, Ordering::SeqCst);
    clicking.await.expect("clicks");
    let whole = node.client.ledger(&id, &token, 0).await;
    node.stop().await;
    for (file, before, after) in taken {
        let other = TempDir::new().expect("a folder");
        let restored = stored(other.path(), &["data", "restore", file.to_str().unwrap()]).output();
        let restored = restored.await.expect("a process");
        assert!(
            restored.status.success(),
            "{}",
            String::from_utf8_lossy(&restored.stderr)
        );
        let checked = stored(other.path(), &["data", "check"]).output().await;
        let checked = checked.expect("a process").stdout;
        assert!(checked.starts_with(b"sound: 1 sessions"), "{checked:?}");
        let node = Node::start(other.path()).await;
        let rows = node.client.ledger(&id, &token, 0).await;
        assert_eq!(rows, whole[..rows.len()]);
        let clicks = submitted(&rows) as u64;
        assert!(
            (before..=after).contains(&clicks),
            "{before} {clicks} {after}"
        );
        node.stop().await;
    }
}

#[tokio::test]
async fn a_backup_overwrites_nothing_and_a_restore_takes_only_backups() {
    let folder = TempDir::new().expect("a folder");
    let node = Node::start(folder.path()).await;
    let (id, _) = parts(&node.client.show().await);
    node.stop().await;
    let file = folder.path().join("copy.db");
    let data = async |verb: &str, file: &str| {
        let output = stored(folder.path(), &["data", verb, file]).output().await;
        let output = output.expect("a process");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).expect("text"))
    };
    let file = file.to_str().unwrap();
    assert_eq!(data("backup", file).await.0, Some(0));
    let (code, text) = data("backup", file).await;
    assert!(
        code == Some(66) && text.contains("is there already"),
        "{text}"
    );
    let stranger = folder.path().join("stranger.db");
    std::fs::write(
        &stranger,
        "no database at all, but long enough to be read as one",
    )
    .unwrap();
    let (code, text) = data("restore", stranger.to_str().unwrap()).await;
    assert!(code == Some(66) && text.contains("damaged"), "{text}");
    let (code, text) = data("restore", file).await;
    assert!(
        code == Some(0) && text.contains("proscenium.db.replaced-1"),
        "{text}"
    );
    let node = Node::start(folder.path()).await;
    node.client
        .tool("ggui_get_session", json!({"sessionId": id}))
        .await;
    node.stop().await;
}
