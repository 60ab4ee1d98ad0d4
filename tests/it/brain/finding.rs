//! Pages are found by words, by address and title, and by what they link to.

use serde_json::{Value, json};

use super::Pages;

pub(super) fn slugs(found: &Value) -> Vec<&str> {
    let rows = found.as_array().expect("rows").iter();
    rows.map(|row| row["slug"].as_str().expect("a slug"))
        .collect()
}

async fn library() -> Pages {
    let pages = Pages::start().await;
    for (slug, content) in [
        (
            "people/ida",
            "---\ntitle: Ida\ntype: person\n---\nRuns Acme. [[companies/acme]]",
        ),
        (
            "companies/acme",
            "---\ntitle: Acme\n---\nMakes anvils. [[places/harbour]]",
        ),
        (
            "places/harbour",
            "---\ntitle: Harbour\n---\nWhere ships land. [[notes/tide]]",
        ),
        (
            "notes/tide",
            "---\ntitle: Tide\n---\nHigh at noon. [[notes/moon]]",
        ),
        ("notes/moon", "---\ntitle: Moon\n---\nPulls the water."),
        (
            "notes/tea",
            "---\ntitle: Tea\nwing: kitchen\n---\nGreen tea is served at four.",
        ),
    ] {
        pages.put(slug, content).await;
    }
    pages
}

#[tokio::test]
async fn brain_search_gives_slug_title_snippet_and_score() {
    let pages = library().await;
    let found = pages
        .json("brain_search", json!({"query": "runs acme?"}))
        .await;
    assert_eq!(found[0]["slug"], "default::people/ida");
    assert_eq!(found[0]["title"], "Ida");
    assert!(
        found[0]["snippet"]
            .as_str()
            .expect("text")
            .contains("Runs Acme."),
        "{found}"
    );
    assert!(found[0]["score"].as_f64() > Some(0.0), "{found}");
    // Pages with all words first, then pages with some.
    assert_eq!(
        slugs(&found),
        ["default::people/ida", "default::companies/acme"]
    );
    let kitchen = json!({"query": "tea", "wing": "kitchen", "collection": "default"});
    assert_eq!(
        slugs(&pages.json("brain_search", kitchen).await),
        ["default::notes/tea"]
    );
    let elsewhere = json!({"query": "tea", "wing": "people"});
    assert_eq!(pages.json("brain_search", elsewhere).await, json!([]));
    let one = json!({"query": "acme anvils ships tea", "limit": 1});
    assert_eq!(
        pages
            .json("brain_search", one)
            .await
            .as_array()
            .expect("rows")
            .len(),
        1
    );
}

#[tokio::test]
async fn no_query_is_syntax() {
    let pages = library().await;
    for query in [
        "",
        "   ",
        "?",
        "50%",
        "who?",
        "\"",
        "'",
        "a\"b",
        "AND",
        "OR NOT",
        "NEAR(tea)",
        "tea*",
        "^tea",
        "title:tea",
        "{title}: tea",
        "-tea",
        "tea -green",
        "(",
        "tea AND (",
        "\u{0}",
        "тест 수업 茶",
        "a\u{301}",
        "--",
        "; DROP TABLE pages",
        "tea + tea",
        "col:",
        "\\",
        "[[",
        "]]",
        "[[tea",
        "::",
        "a::b::c",
        "x::",
    ] {
        for tool in ["brain_search", "brain_query"] {
            let answer = pages.answer(tool, json!({"query": query})).await;
            assert!(
                answer["result"]["structuredContent"]["results"].is_array(),
                "{query:?}: {answer}"
            );
        }
    }
    assert_eq!(
        slugs(
            &pages
                .json("brain_search", json!({"query": "title:tea"}))
                .await
        ),
        ["default::notes/tea"]
    );
}

#[tokio::test]
async fn brain_query_gives_a_page_that_is_named_alone() {
    let pages = library().await;
    for query in [
        "people/ida",
        "default::people/ida",
        "[[people/ida]]",
        "ida",
        "IDA",
        " Ida ",
    ] {
        let found = pages.json("brain_query", json!({"query": query})).await;
        assert_eq!(slugs(&found), ["default::people/ida"], "{query}");
        assert_eq!(found[0]["score"], 1.0);
    }
}

#[tokio::test]
async fn brain_query_finds_what_is_spelled_alike() {
    let pages = library().await;
    let query = json!({"query": "anvilmaker"});
    assert_eq!(pages.json("brain_search", query.clone()).await, json!([]));
    let found = pages.json("brain_query", query).await;
    assert_eq!(found[0]["slug"], "default::companies/acme", "{found}");
}

#[tokio::test]
async fn brain_query_follows_links_as_far_as_they_fit() {
    let pages = library().await;
    let query = json!({"query": "people/ida", "depth": " AUTO "});
    let found = pages.json("brain_query", query.clone()).await;
    // Three hops, and not a fourth.
    let expected = [
        "people/ida",
        "companies/acme",
        "places/harbour",
        "notes/tide",
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|slug| format!("default::{slug}"))
        .collect();
    assert_eq!(slugs(&found), expected);
    assert!(found[0].get("via").is_none());
    assert_eq!(
        (&found[1]["via"], &found[1]["score"]),
        (&json!("mentions"), &json!(0.0))
    );
    let flat = json!({"query": "people/ida"});
    assert_eq!(
        slugs(&pages.json("brain_query", flat).await),
        ["default::people/ida"]
    );
    // A page too long for the budget is left out, and what it links to with it.
    let content = format!("{} [[places/harbour]]", "Anvils. ".repeat(2_100));
    let put = json!({"slug": "companies/acme", "content": content, "expected_version": 1});
    pages.call("brain_put", put).await;
    assert_eq!(
        slugs(&pages.json("brain_query", query).await),
        ["default::people/ida"]
    );
}

#[tokio::test]
async fn a_search_sees_what_was_just_written_and_not_what_it_replaced() {
    let pages = library().await;
    let put = json!({"slug": "notes/tea", "content": "Coffee at five.", "expected_version": 1});
    pages.call("brain_put", put).await;
    assert_eq!(
        slugs(&pages.json("brain_search", json!({"query": "coffee"})).await),
        ["default::notes/tea"]
    );
    assert_eq!(
        pages.json("brain_search", json!({"query": "green"})).await,
        json!([])
    );
}

#[tokio::test]
async fn without_a_collection_the_one_for_new_pages_is_searched() {
    let pages = Pages::with_collections().await;
    pages.put("work::notes/tea", "Green tea.").await;
    pages.put("personal::notes/tea", "Black tea.").await;
    for tool in ["brain_search", "brain_query", "brain_list"] {
        let found = pages.json(tool, json!({"query": "tea"})).await;
        assert_eq!(slugs(&found), ["work::notes/tea"], "{tool}");
        let named = json!({"query": "tea", "collection": "personal"});
        assert_eq!(
            slugs(&pages.json(tool, named).await),
            ["personal::notes/tea"],
            "{tool}"
        );
    }
}

#[tokio::test]
async fn a_page_that_says_one_word_over_and_over_is_found_like_any_other() {
    let pages = library().await;
    pages.put("notes/met", &"met ".repeat(100_000)).await;
    let found = pages.json("brain_search", json!({"query": "met"})).await;
    assert_eq!(found[0]["slug"], "default::notes/met");
}
