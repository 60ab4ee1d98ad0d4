//! What `/metrics` counts of the gate.

use serde_json::json;

use super::people::Person;
use super::site::Site;

const GATE: &str = "schema: 1\nsources:\n  - { id: metered, kind: mcp, SCRIPT }\ngovernance:\n  rules:\n    \
    - { match: \"admin_*\", action: deny }\n    - { match: \"delete_*\", action: approve }\n\
    approval: { people: {} }\n";

/// What a counter stands at; the counters of a process are those of all its servers.
async fn count(site: &Site, counter: &str) -> u64 {
    let page = site.world.get("/metrics").send().await.expect("a page");
    let page = page.text().await.expect("text");
    let line = page.lines().find_map(|line| line.strip_prefix(counter));
    line.map_or(0, |number| number.trim().parse().expect("a number"))
}

#[tokio::test]
async fn decisions_approvals_and_requests_to_each_source_are_counted() {
    let site = Site::start(GATE).await;
    let counters = [
        "proscenium_gate_decisions_total{outcome=\"forward\"}",
        "proscenium_gate_decisions_total{outcome=\"deny\"}",
        "proscenium_gate_decisions_total{outcome=\"approve\"}",
        "proscenium_gate_decisions_total{outcome=\"unknown\"}",
        "proscenium_gate_approvals_total{state=\"approved\"}",
        "proscenium_gate_approvals_total{state=\"done\"}",
        "proscenium_gate_requests_total{source=\"metered\",outcome=\"error\"}",
    ];
    let mut before = Vec::new();
    for counter in counters {
        before.push(count(&site, counter).await);
    }
    let answered = "proscenium_gate_requests_total{source=\"metered\",outcome=\"ok\"}";
    let requests = count(&site, answered).await;
    for tool in ["get_weather", "admin_console", "nothing", "forge"] {
        site.call(tool, json!({})).await;
    }
    let held = site.call("delete_file", json!({}));
    let decided = async {
        let person = Person::at(&site.world.url(""));
        let mut card = person.card().await;
        card.approve().await;
        card.says("done").await;
    };
    tokio::join!(held, decided);
    for (counter, before) in counters.into_iter().zip(before) {
        let now = count(&site, counter).await;
        assert!(now > before, "{counter}: {before}, {now}");
    }
    // Two calls and the lists.
    let now = count(&site, answered).await;
    assert!(now > requests + 2, "{requests}, {now}");
    let taken = "proscenium_gate_request_seconds_count{source=\"metered\"}";
    assert!(count(&site, taken).await >= now);
}
