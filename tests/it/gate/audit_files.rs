//! The audit goes on from file to file, and is in every backup.

use serde_json::json;
use tokio::time::timeout;

use super::approvals_kept::{Served, audit, events, folder};
use super::site::Folder;
use crate::node::stored;
use crate::process::failed;
use crate::world::PATIENCE;

/// Runs `proscenium data`.
async fn data(folder: &Folder, verb: &str, file: &str) -> String {
    let mut command = stored(&folder.path("data"), &["data", verb, file]);
    let output = timeout(PATIENCE, command.output()).await.expect("an end");
    let output = output.expect("a process");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let (said, failed) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{said}{failed}");
    said
}

async fn ask(server: &Served, path: &str) {
    let asked = server.call("s_delete_file", json!({ "path": path })).await;
    assert_eq!(asked["error"]["data"]["state"], "pending", "{asked}");
}

#[tokio::test]
async fn an_audit_goes_on_in_another_file_and_the_oldest_goes() {
    let folder = folder();
    let limits = [("AUDIT_FILE_BYTES_MAX", "1"), ("AUDIT_FILES_MAX", "2")];
    let server = Served::start_with(&folder, &limits).await;
    ask(&server, "/a").await;
    ask(&server, "/b").await;
    let rows = audit(&folder).await;
    assert_eq!(events(&rows), ["proposed", "proposed"]);
    assert_eq!(rows[1]["previous"], rows[0]["hash"]);
    server.stop().await;
    let server = Served::start_with(&folder, &limits).await;
    for path in ["/c", "/d"] {
        ask(&server, path).await;
    }
    let rows = audit(&folder).await;
    let numbers: Vec<_> = rows.iter().map(|row| row["seq"].as_u64()).collect();
    assert_eq!(numbers, [Some(2), Some(3), Some(4)]);
    // What was changed in a file that is full is found out.
    let full = folder.path("data").join("gate-audit-000000000003.jsonl");
    let text = std::fs::read_to_string(&full).expect("a full file");
    std::fs::write(&full, text.replace("delete_file", "create_file")).expect("a file");
    let at = folder.path("data");
    let at = at.to_str().expect("a path");
    let (code, lines) = failed(&["gate", "audit", "--data", at]).await;
    assert_eq!(code, 66, "{lines:?}");
    assert!(
        lines[0].contains("row 3 is not as it was written"),
        "{lines:?}"
    );
    server.kill().await;
}

#[tokio::test]
async fn a_decision_that_a_crash_has_kept_from_the_audit_is_added_at_the_start() {
    let folder = folder();
    let server = Served::start(&folder).await;
    ask(&server, "/a").await;
    let mut card = server.person().card().await;
    card.approve().await;
    card.says("approved").await;
    server.stop().await;
    let file = folder.path("data").join("gate-audit.jsonl");
    let text = std::fs::read_to_string(&file).expect("a file");
    let (first, _) = text.split_once('\n').expect("a row");
    std::fs::write(&file, format!("{first}\n")).expect("a file");
    let server = Served::start(&folder).await;
    ask(&server, "/b").await;
    let rows = audit(&folder).await;
    assert_eq!(events(&rows), ["proposed", "decided", "proposed"]);
    assert_eq!(rows[1]["state"], "approved");
    assert_eq!(rows[1]["by"], "viewer");
    server.stop().await;
}

#[tokio::test]
async fn a_backup_holds_the_audit_and_a_restore_puts_it_back() {
    let folder = folder();
    let limits = [("AUDIT_FILE_BYTES_MAX", "1")];
    let server = Served::start_with(&folder, &limits).await;
    ask(&server, "/a").await;
    ask(&server, "/b").await;
    let file = folder.path("copy.db");
    let file = file.to_str().expect("a path");
    data(&folder, "backup", file).await;
    let before = audit(&folder).await;
    ask(&server, "/c").await;
    server.stop().await;
    assert_eq!(audit(&folder).await.len(), 3);
    let said = data(&folder, "restore", file).await;
    assert!(said.contains("gate-audit.jsonl.replaced-1"), "{said}");
    assert_eq!(audit(&folder).await, before);
    // The chain goes on from there.
    let server = Served::start_with(&folder, &limits).await;
    ask(&server, "/d").await;
    let rows = audit(&folder).await;
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[2]["previous"], before[1]["hash"]);
    server.stop().await;
    // A backup without an audit leaves the one that is there.
    let other = super::site::Folder::new();
    other.write(super::approvals::GATE);
    let server = Served::start(&other).await;
    let bare = folder.path("bare.db");
    let bare = bare.to_str().expect("a path");
    std::fs::remove_file(other.path("data").join("gate-audit.jsonl")).expect("a file");
    data(&other, "backup", bare).await;
    server.kill().await;
    data(&folder, "restore", bare).await;
    assert_eq!(audit(&folder).await, rows);
}
