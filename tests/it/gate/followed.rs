//! Resources behind the gate that somebody follows: what their source says of them is handed on.

use serde_json::{Value, json};

use super::event_stream::EventStream;
use super::listened::{denying, listen};
use super::people::Person;
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
    let wanted = json!({"resourceSubscriptions": ["note://a", "secret://b", "x:y"]});
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

#[tokio::test]
async fn a_subscription_that_a_person_has_to_agree_to_lasts_while_somebody_follows() {
    let site = Site::start(GATE).await;
    let person = Person::at(&site.world.url(""));
    let uri = "note://2/text";
    let agreeing = async {
        let mut card = person.card().await;
        let props = card.props().await.to_string();
        assert!(
            props.contains("to be told whenever a resource changes"),
            "{props}"
        );
        card.approve().await;
        card.says("done").await;
    };
    let (mut one, ()) = tokio::join!(subscribe(&site, uri), agreeing);
    // Nobody is asked again about what is followed.
    let mut other = subscribe(&site, uri).await;
    site.folder.put("notes.updated.1", "");
    assert_eq!(one.next().await, updated(uri));
    assert_eq!(other.next().await, updated(uri));
    site.folder.put("notes.updated.2", "");
    assert_eq!(one.next().await, updated(uri));
    // Reading it is another question.
    let read = site.rpc("resources/read", json!({"uri": uri}));
    let refusing = async { person.card().await.reject("not this").await };
    let (read, ()) = tokio::join!(read, refusing);
    assert_eq!(read["error"]["code"], -32007, "{read}");
    // What a person has agreed to under other rules ends with them.
    let others = GATE.replace("Nobody reads it", "It is secret");
    site.folder.write(&others);
    one.end().await;
}

#[tokio::test]
async fn a_subscription_that_a_person_refuses_is_none() {
    let site = Site::start(GATE).await;
    let person = Person::at(&site.world.url(""));
    let refused = site.rpc("resources/subscribe", json!({"uri": "note://2/text"}));
    let refusing = async { person.card().await.reject("too much").await };
    let (refused, ()) = tokio::join!(refused, refusing);
    assert_eq!(refused["error"]["code"], -32007, "{refused}");
    assert_eq!(refused["error"]["data"]["reason"], "too much");
    assert!(!site.folder.notes().contains("resources/subscribe"));
    let wanted = json!({"resourceSubscriptions": ["note://2/text", "note://a"]});
    let agreeing = async { person.card().await.approve().await };
    let listening = async {
        let mut events = listen(&site, wanted.clone()).await;
        events.next().await
    };
    let (acknowledged, ()) = tokio::join!(listening, agreeing);
    assert_eq!(acknowledged["params"]["notifications"], wanted);
}
