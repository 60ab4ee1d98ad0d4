//! Links between pages, and statements that contradict each other.

use serde_json::{Value, json};

use super::Pages;

/// Two people and their company.
async fn linked() -> (Pages, Value) {
    let pages = Pages::start().await;
    pages
        .put(
            "companies/acme",
            "---\ntitle: Acme\ntype: company\n---\nMakes anvils.",
        )
        .await;
    pages
        .put("people/ida", "---\ntitle: Ida\ntype: person\n---\nLeads.")
        .await;
    pages
        .put("people/bo", "---\ntitle: Bo\ntype: person\n---\nBuilds.")
        .await;
    let link = json!({"from_slug": "people/ida", "to_slug": "companies/acme",
                      "relationship": "works_at", "valid_from": "2026-01"});
    let made = pages.call("brain_link", link).await;
    let said = "Linked default::people/ida → default::companies/acme (works_at)";
    assert_eq!(made["content"][0]["text"], said);
    (pages, made["structuredContent"]["id"].clone())
}

#[tokio::test]
async fn a_link_is_closed_by_its_id_and_then_only_all_shows_it() {
    let (pages, id) = linked().await;
    let acme = json!({"slug": "companies/acme"});
    let expected = json!([{"id": id, "from_slug": "default::people/ida",
        "from_title": "Ida", "relationship": "works_at", "valid_from": "2026-01", "valid_until": null}]);
    assert_eq!(pages.json("brain_backlinks", acme.clone()).await, expected);
    let closed = pages.text(
        "brain_link_close",
        json!({"link_id": id, "valid_until": "2026-06-30"}),
    );
    assert_eq!(
        closed.await,
        format!("Closed link {id} valid_until=2026-06-30")
    );
    // The world's clock stands in August.
    assert_eq!(pages.json("brain_backlinks", acme).await, json!([]));
    let all = pages
        .json(
            "brain_backlinks",
            json!({"slug": "companies/acme", "temporal": "all"}),
        )
        .await;
    assert_eq!(all[0]["valid_until"], "2026-06-30");
    let early = json!({"link_id": id, "valid_until": "2025-12"});
    assert_eq!(pages.error("brain_link_close", early).await["code"], -32602);
}

#[tokio::test]
async fn a_month_lasts_until_its_last_day() {
    let (pages, id) = linked().await;
    // 2026-08-23 on the world's clock.
    for (until, is_current) in [
        ("2026-08", true),
        ("2026-08-23", true),
        ("2026-08-22", false),
        ("2026-07", false),
    ] {
        pages
            .call(
                "brain_link_close",
                json!({"link_id": id, "valid_until": until}),
            )
            .await;
        let links = pages
            .json("brain_backlinks", json!({"slug": "companies/acme"}))
            .await;
        assert_eq!(
            links.as_array().expect("links").len() == 1,
            is_current,
            "{until}"
        );
    }
}

#[tokio::test]
async fn a_link_with_an_end_closes_the_open_one_of_its_kind() {
    let (pages, id) = linked().await;
    let link = json!({"from_slug": "people/ida", "to_slug": "companies/acme",
                      "relationship": "works_at", "valid_until": "2026-05"});
    let made = pages.call("brain_link", link.clone()).await["structuredContent"].clone();
    assert_eq!((&made["id"], &made["closed_existing"]), (&id, &json!(true)));
    let made = pages.call("brain_link", link).await["structuredContent"].clone();
    assert_eq!(made["closed_existing"], false);
}

#[tokio::test]
async fn a_graph_follows_links_that_hold_and_ends_in_circles() {
    let (pages, id) = linked().await;
    for (from, to) in [
        ("companies/acme", "people/bo"),
        ("people/bo", "people/ida"),
        ("people/bo", "people/bo"),
    ] {
        let link = json!({"from_slug": from, "to_slug": to, "relationship": "knows"});
        pages.call("brain_link", link).await;
    }
    let slugs = |graph: &Value| -> Vec<String> {
        let nodes = graph["nodes"].as_array().expect("nodes").iter();
        nodes
            .map(|node| node["title"].as_str().expect("a title").to_owned())
            .collect()
    };
    let graph = |more: Value| {
        let mut arguments = json!({"slug": "people/ida"});
        arguments
            .as_object_mut()
            .expect("an object")
            .extend(more.as_object().expect("one").clone());
        pages.json("brain_graph", arguments)
    };
    assert_eq!(slugs(&graph(json!({"depth": 0})).await), ["Ida"]);
    assert_eq!(slugs(&graph(json!({"depth": 1})).await), ["Ida", "Acme"]);
    let two = graph(json!({})).await;
    assert_eq!(slugs(&two), ["Ida", "Acme", "Bo"]);
    assert_eq!(
        two["edges"][0],
        json!({"from": "default::people/ida",
        "to": "default::companies/acme", "relationship": "works_at", "valid_from": "2026-01",
        "valid_until": null})
    );
    let ten = graph(json!({"depth": 10})).await;
    assert_eq!(ten["edges"].as_array().expect("edges").len(), 3);
    pages
        .call(
            "brain_link_close",
            json!({"link_id": id, "valid_until": "2026-02"}),
        )
        .await;
    assert_eq!(slugs(&graph(json!({})).await), ["Ida"]);
    assert_eq!(
        slugs(&graph(json!({"temporal": "all"})).await),
        ["Ida", "Acme", "Bo"]
    );
}

#[tokio::test]
async fn brackets_in_a_page_link_to_pages_written_before_it_and_after_it() {
    let pages = Pages::start().await;
    pages
        .put("a", "[[b]] and [[c|the third]] and [[nowhere]]")
        .await;
    pages.put("b", "B.").await;
    pages.put("c", "C.").await;
    for slug in ["b", "c"] {
        let links = pages.json("brain_backlinks", json!({"slug": slug})).await;
        assert_eq!(links[0]["from_slug"], "default::a", "{slug}: {links}");
        assert_eq!(links[0]["relationship"], "mentions");
    }
    pages
        .call(
            "brain_put",
            json!({"slug": "a", "content": "only [[c]]", "expected_version": 1}),
        )
        .await;
    assert_eq!(
        pages.json("brain_backlinks", json!({"slug": "b"})).await,
        json!([])
    );
    assert_eq!(
        pages
            .json("brain_backlinks", json!({"slug": "c"}))
            .await
            .as_array()
            .expect("links")
            .len(),
        1
    );
}

#[tokio::test]
async fn brain_check_finds_statements_that_cannot_both_hold() {
    let pages = Pages::start().await;
    pages
        .put(
            "people/ida",
            "---\ntitle: Ida\nworks_at: Acme Corp\n---\nIda.",
        )
        .await;
    assert_eq!(pages.json("brain_check", json!({})).await, json!([]));
    let cv = "---\ntitle: CV\n---\nIda works at Nowhere Inc.\n## Assertions\n- Ida works at Beta Labs.\n";
    pages.put("people/ida-cv", cv).await;
    pages
        .put("people/bo", "---\ntitle: Bo\nworks_at: Gamma Ltd\n---\nBo.")
        .await;
    let found = pages.json("brain_check", json!({})).await;
    assert_eq!(found.as_array().expect("rows").len(), 1, "{found}");
    assert_eq!(found[0]["page_slug"], "default::people/ida");
    assert_eq!(found[0]["other_page_slug"], "default::people/ida-cv");
    assert_eq!(found[0]["type"], "assertion_conflict");
    let expected = "Ida has conflicting works_at assertions: Acme Corp vs Beta Labs";
    assert_eq!(found[0]["description"], expected);
    for (slug, count) in [("people/ida", 1), ("people/ida-cv", 1), ("people/bo", 0)] {
        let found = pages.json("brain_check", json!({"slug": slug})).await;
        assert_eq!(found.as_array().expect("rows").len(), count, "{slug}");
    }
}

#[tokio::test]
async fn statements_that_held_at_other_times_do_not_contradict_each_other() {
    let pages = Pages::start().await;
    let stated = |works_at: &str, times: &str| {
        format!("---\ntitle: Ida\nworks_at: {works_at}\n{times}---\nIda.\n")
    };
    let contradictions = || async {
        let checked = pages.json("brain_check", json!({})).await;
        checked.as_array().map(Vec::len)
    };
    let first = stated("Acme Corp", "valid_from: 2025-01\nvalid_until: 2025-12\n");
    pages.put("people/ida", &first).await;
    let second = stated("Beta Labs", "valid_from: 2026-01-01\n");
    pages.put("people/ida-now", &second).await;
    assert_eq!(contradictions().await, Some(0));
    let third = "---\ntitle: Notes\n---\n## Assertions\n\
                 - Ida works at Gamma Works (from 2025-06 until 2025-07).\n";
    pages.put("notes/ida", third).await;
    assert_eq!(contradictions().await, Some(1), "with the first one");
    // Without an end the first one goes on.
    let open = stated("Acme Corp", "valid_from: 2025-01\n");
    let change = json!({"slug": "people/ida", "content": open, "expected_version": 1});
    pages.call("brain_put", change).await;
    assert_eq!(contradictions().await, Some(2));
}
