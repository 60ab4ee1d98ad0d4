//! `proscenium explain`, as a person uses it.

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::process::{failed, proscenium};
use crate::world::PATIENCE;

/// The output of a command.
async fn printed(arguments: &[&str]) -> String {
    let output = timeout(PATIENCE, proscenium(arguments).output()).await;
    String::from_utf8(output.expect("an end").expect("a process").stdout).expect("text")
}

#[tokio::test]
async fn explain_says_what_is_drawn_of_a_contract_and_why() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/gallery/shop-basket.json"
    );
    let json: Value =
        serde_json::from_str(&printed(&["explain", file, "--json"]).await).expect("JSON");
    assert_eq!(json["problems"], json!([]));
    let primary = json["plan"]["primary"].as_str().expect("a main action");
    let evidence = json["evidence"].as_array().expect("evidence");
    assert!(evidence.iter().any(|entry| entry["about"] == primary));
    let text = printed(&["explain", file]).await;
    assert!(text.contains(&format!("{primary}: the main action")));
    let (code, lines) = failed(&["explain", "/nowhere/contract.json"]).await;
    assert_eq!((code, lines.len()), (66, 1), "{lines:?}");
}
