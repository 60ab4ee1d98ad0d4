//! Resources behind the gate that somebody follows: what their source says of them is handed on.

use serde_json::{Value, json};

use super::event_stream::EventStream;
use super::listened::{denying, listen};
use super::site::Site;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT }
governance:
  rules:
    - { match: "secret://*", action: deny, description: "Nobody reads it" }
    - { match: "note://2/*", action: approve }
approval:
  people: { timeout: 5m }
"#;

fn updated(uri: &str) -> Value {
    json!({
        "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": {"uri": uri},
    })
}

async fn subscribe(site: &Site, uri: &str) -> EventStream {
    let params = json!({"uri": uri});
    let body =
        json!({"jsonrpc": "2.0", "id": 5, "method": "resources/subscribe", "params": params});
    let mut events = EventStream::to(site.post().body(body.to_string())).await;
    let result = events.next().await;
    assert_eq!(result, json!({"jsonrpc": "2.0", "id": 5, "result": {}}));
    events
}

#[tokio::test]
async fn a_subscription_is_handed_to_the_source_and_what_that_says_to_whoever_follows() {
    let site = Site::start_with(GATE, |config| config.limits.gate.follow_look_s = 1).await;
    let begun = site
        .rpc("initialize", json!({"protocolVersion": "2025-11-25"}))
        .await;
    let resources = &begun["result"]["capabilities"]["resources"];
    assert_eq!(*resources, json!({"subscribe": true}));
    let mut one = subscribe(&site, "note://a").await;
    let wanted =
        json!({"resourceSubscriptions": ["note://a", "secret://b", "note://2/text", "x:y"]});
    let mut other = listen(&site, wanted).await;
    let acknowledged = other.next().await;
    assert_eq!(
        acknowledged["params"]["notifications"],
        json!({"resourceSubscriptions": ["note://a"]})
    );
    site.folder.put("notes.updated.1", "");
    assert_eq!(one.next().await, updated("note://a"));
    let notice = other.next().await;
    assert_eq!(notice["method"], "notifications/resources/updated");
    assert_eq!(notice["params"]["uri"], "note://a");
    drop((one, other));
    site.folder.noted("resources/unsubscribe").await;
    let notes = site.folder.notes();
    let asked = notes
        .lines()
        .filter(|line| line.contains("resources/subscribe"));
    assert!(asked.clone().count() > 0, "{notes}");
    for line in asked {
        assert!(line.contains("note://a"), "{line}");
    }
}

#[tokio::test]
async fn what_may_not_be_read_is_not_followed_and_a_source_is_not_asked() {
    let site = Site::start(GATE).await;
    for (uri, code, reason) in [
        ("secret://b", -32003, json!("Nobody reads it")),
        (
            "note://2/text",
            -32003,
            json!("a person has to agree each time it is read, and nobody is asked about this"),
        ),
        ("nothing://", -32602, Value::Null),
    ] {
        let refused = site.rpc("resources/subscribe", json!({"uri": uri})).await;
        assert_eq!(refused["error"]["code"], code, "{refused}");
        assert_eq!(refused["error"]["data"]["reason"], reason, "{refused}");
    }
    assert!(!site.folder.notes().contains("resources/subscribe"));
}

#[tokio::test]
async fn a_rule_that_comes_later_ends_what_is_followed() {
    let gate = "schema: 1\nsources:\n  - { id: script, kind: mcp, SCRIPT }\n";
    let site = Site::start(gate).await;
    let mut events = subscribe(&site, "note://a").await;
    site.folder.put("notes.updated.1", "");
    assert_eq!(events.next().await, updated("note://a"));
    site.folder.write(&denying("note://*"));
    events.end().await;
}
