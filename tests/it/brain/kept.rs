//! What was acknowledged is there when the server comes back.

use serde_json::json;

use super::Pages;

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
