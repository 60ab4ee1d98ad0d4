//! Every entry of the gallery in a real browser: accessible in light and dark, and never wider than
//! its window.

use std::path::Path;
use std::process::Stdio;

use proscenium::config::Config;
use proscenium::gallery::{Studio, read};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use crate::chromium;

#[tokio::test]
async fn every_entry_is_accessible_by_day_and_night_and_fits_every_window() {
    if !chromium::is_there() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = read(&root.join("examples/gallery"), None).expect("the entries");
    let studio = Studio::open(&Config::default(), "127.0.0.1:0", &entries)
        .await
        .expect("a studio");
    let pages: Vec<Value> = studio
        .shown()
        .iter()
        .map(|shown| {
            let address = shown.viewer_url.as_ref().expect("a page");
            json!({"name": shown.name, "url": format!("{address}/frame")})
        })
        .collect();
    let mut looking = Command::new("node")
        .arg(root.join("web-host/tests/e2e/gallery.mjs"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("node");
    let mut input = looking.stdin.take().expect("its input");
    input
        .write_all(json!(pages).to_string().as_bytes())
        .await
        .expect("the pages are listed");
    drop(input);
    let output = looking.wait_with_output().await.expect("an end");
    let reported: Value = serde_json::from_slice(&output.stdout).expect("what was seen");
    assert_eq!(reported, json!([]), "{reported:#}");
    studio.close().await;
}
