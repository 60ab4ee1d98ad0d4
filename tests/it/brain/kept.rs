//! What was acknowledged is there when the server comes back.

use std::path::Path;

use rusqlite::Connection;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Pages;
use crate::node::{Node, stored};

/// A server above a folder whose `/mcp` has the tools of the page store.
pub(super) async fn above(folder: &Path) -> Node {
    let mut command = stored(folder, &["serve", "--listen", "127.0.0.1:0"]);
    command.env("PROSCENIUM_SERVER_MCP_TOOLS", "ggui+brain");
    Node::run(command).await
}

async fn text(node: &Node, slug: &str) -> Value {
    let page = node.client.tool("brain_get", json!({"slug": slug})).await;
    page["content"].clone()
}

/// A folder with one page, and how that reads.
async fn with_a_page() -> (TempDir, Value) {
    let folder = TempDir::new().expect("a folder");
    let node = above(folder.path()).await;
    let page = json!({"slug": "people/ida", "content": "Runs [[companies/acme]]."});
    node.client.tool("brain_put", page).await;
    let before = text(&node, "people/ida").await;
    node.stop().await;
    (folder, before)
}

/// Exit code and output of `proscenium data`.
async fn data(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let output = stored(folder, &[&["data"], arguments].concat()).output();
    let output = output.await.expect("a process");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("text"))
}

#[tokio::test]
async fn pages_lie_in_the_data_folder_where_only_their_user_reads_them() {
    let (folder, before) = with_a_page().await;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let file = std::fs::metadata(folder.path().join("pages.db")).expect("a file");
        assert_eq!(file.permissions().mode() & 0o777, 0o600);
    }
    let node = above(folder.path()).await;
    assert_eq!(text(&node, "people/ida").await, before);
    node.stop().await;
    let (code, said) = data(folder.path(), &["check"]).await;
    assert_eq!(
        (code, said.as_str()),
        (Some(0), "sound: 0 sessions, 0 records, 1 pages\n")
    );
}

#[tokio::test]
async fn a_backup_holds_the_pages_and_a_restore_puts_them_back() {
    let (folder, before) = with_a_page().await;
    let copies = TempDir::new().expect("a folder");
    let file = copies.path().join("monday.db");
    let file = file.to_str().expect("a path");
    // A server may run meanwhile.
    let node = above(folder.path()).await;
    let (code, said) = data(folder.path(), &["backup", file]).await;
    assert_eq!(code, Some(0), "{said}");
    let change = json!({"slug": "people/ida", "content": "Left.", "expected_version": 1});
    node.client.tool("brain_put", change).await;
    node.stop().await;
    let names = std::fs::read_dir(copies.path()).expect("a folder");
    assert_eq!(names.count(), 1, "nothing else is left beside the backup");

    let (code, said) = data(folder.path(), &["restore", file]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("pages.db.replaced-1"), "{said}");
    let node = above(folder.path()).await;
    assert_eq!(text(&node, "people/ida").await, before);
    node.stop().await;
    let elsewhere = TempDir::new().expect("a folder");
    let (code, said) = data(elsewhere.path(), &["restore", file]).await;
    assert_eq!(code, Some(0), "{said}");
    let node = above(elsewhere.path()).await;
    assert_eq!(text(&node, "people/ida").await, before);
    node.stop().await;
}

#[tokio::test]
async fn a_backup_without_pages_leaves_those_that_are_there() {
    let (folder, before) = with_a_page().await;
    let file = folder.path().join("old.db");
    let file = file.to_str().expect("a path");
    let pages = folder.path().join("pages.db");
    let aside = folder.path().join("aside.db");
    std::fs::rename(&pages, &aside).expect("a rename");
    let (code, said) = data(folder.path(), &["backup", file]).await;
    assert_eq!(code, Some(0), "{said}");
    std::fs::rename(&aside, &pages).expect("a rename");
    let (code, said) = data(folder.path(), &["restore", file]).await;
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("pages stay as they are"), "{said}");
    let node = above(folder.path()).await;
    assert_eq!(text(&node, "people/ida").await, before);
    node.stop().await;
}

#[tokio::test]
async fn a_restore_refuses_what_is_no_page_store_and_changes_nothing() {
    let (folder, before) = with_a_page().await;
    let file = folder.path().join("bad.db");
    let path = file.to_str().expect("a path");
    let (code, said) = data(folder.path(), &["backup", path]).await;
    assert_eq!(code, Some(0), "{said}");
    let other = folder.path().join("other.db");
    let stranger = Connection::open(&other).expect("a database");
    stranger
        .execute_batch("CREATE TABLE cats (name TEXT); PRAGMA user_version = 1;")
        .expect("SQL");
    drop(stranger);
    for bytes in [
        std::fs::read(&other).expect("bytes"),
        b"no database at all, and long enough to be read as one".to_vec(),
    ] {
        let backup = Connection::open(&file).expect("a database");
        backup.execute("DELETE FROM page_store", []).expect("SQL");
        backup
            .execute(
                "INSERT INTO page_store (part, bytes) VALUES (0, ?1)",
                [bytes],
            )
            .expect("SQL");
        drop(backup);
        let (code, said) = data(folder.path(), &["restore", path]).await;
        assert_eq!(code, Some(66), "{said}");
        assert!(said.contains("page store"), "{said}");
    }
    let names = std::fs::read_dir(folder.path()).expect("a folder");
    let names = names.map(|entry| entry.expect("an entry").file_name().into_string());
    let mut left = names.flatten().filter(|name| name.ends_with(".restoring"));
    assert_eq!(left.next(), None);
    let node = above(folder.path()).await;
    assert_eq!(text(&node, "people/ida").await, before);
    node.stop().await;
}

#[tokio::test]
async fn pages_in_a_file_are_there_for_the_next_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    let before = {
        let file = path.clone();
        let pages = Pages::start_with(|config| config.brain.path = file).await;
        pages.put("people/ida", "Runs [[companies/acme]].").await;
        pages.put("companies/acme", "Anvils.").await;
        pages.text("brain_get", json!({"slug": "people/ida"})).await
    };
    let pages = Pages::start_with(|config| config.brain.path = path).await;
    assert_eq!(
        pages.text("brain_get", json!({"slug": "people/ida"})).await,
        before
    );
    let found = pages.json("brain_search", json!({"query": "anvils"})).await;
    assert_eq!(found[0]["slug"], "default::companies/acme");
    let links = pages
        .json("brain_backlinks", json!({"slug": "companies/acme"}))
        .await;
    assert_eq!(links[0]["from_slug"], "default::people/ida");
}

#[tokio::test]
async fn two_servers_above_one_file_see_each_other_s_pages_and_never_lose_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("brain.db");
    let start = || {
        let file = path.clone();
        Pages::start_with(|config| config.brain.path = file)
    };
    let (one, other) = (start().await, start().await);
    let first = async {
        for number in 0..50 {
            one.put(&format!("one/{number}"), "One.").await;
        }
    };
    let second = async {
        for number in 0..50 {
            other.put(&format!("other/{number}"), "Other.").await;
        }
    };
    futures_util::future::join(first, second).await;
    for pages in [&one, &other] {
        assert_eq!(
            pages.json("brain_stats", json!({})).await["page_count"],
            100
        );
    }
}
