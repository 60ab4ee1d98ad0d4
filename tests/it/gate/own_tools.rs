//! This server's own tools under the rules of the gate.

use serde_json::{Value, json};

use super::people::Person;
use super::site::Site;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT }
governance:
  defaults: { action: deny }
  rules:
    - { match: "ggui_emit", action: deny, source: local, description: "Nothing is streamed here" }
    - { match: "ggui_list_themes", action: approve, source: [local], approval: people }
    - { match: "*", action: deny }
approval:
  people: {}
"#;

async fn call(site: &Site, tool: &str, arguments: Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    site.world.rpc("tools/call", params).await.body
}

#[tokio::test]
async fn an_own_tool_that_a_rule_denies_is_not_listed_and_its_call_says_why() {
    let site = Site::start(GATE).await;
    for list in [
        site.world.rpc("tools/list", json!({})).await.body,
        site.world.modern("tools/list", json!({})).await.body,
    ] {
        let tools = list["result"]["tools"].as_array().expect("tools").iter();
        let names: Vec<_> = tools.map(|tool| tool["name"].as_str()).collect();
        assert!(names.contains(&Some("ggui_render")), "{names:?}");
        assert!(!names.contains(&Some("ggui_emit")), "{names:?}");
    }
    let answer = call(&site, "ggui_emit", json!({})).await;
    assert_eq!(answer["error"]["code"], -32003, "{answer}");
    assert_eq!(answer["error"]["data"]["tool_name"], "ggui_emit");
    assert_eq!(
        answer["error"]["data"]["reason"],
        "Nothing is streamed here"
    );
}

#[tokio::test]
async fn rules_that_do_not_name_this_server_are_not_about_its_tools() {
    let site = Site::start(GATE).await;
    let shown = site
        .world
        .show(json!({"actionSpec": {"go": {"label": "Go"}}}), json!({}));
    assert!(!shown.await.session.is_empty());
    let answer = call(&site, "get_weather", json!({})).await;
    assert_eq!(answer["error"]["code"], -32003, "{answer}");
}

#[tokio::test]
async fn an_own_tool_waits_for_a_person_like_any_other_and_is_done_once() {
    let site = Site::start(GATE).await;
    let person = Person::at(&site.world.url(""));
    let held = call(&site, "ggui_list_themes", json!({}));
    let decided = async {
        let mut card = person.card().await;
        let props = card.props().await;
        assert_eq!(props["tool"], "ggui_list_themes", "{props}");
        assert_eq!(props["server"], "local");
        card.approve().await;
        card.says("done").await;
    };
    let (answer, ()) = tokio::join!(held, decided);
    assert!(
        answer["result"]["structuredContent"].is_object(),
        "{answer}"
    );
    let refused = async { person.card().await.reject("not now").await };
    let (answer, ()) = tokio::join!(call(&site, "ggui_list_themes", json!({})), refused);
    assert_eq!(answer["error"]["code"], -32007, "{answer}");
    assert_eq!(answer["error"]["data"]["reason"], "not now");
}

#[tokio::test]
async fn calls_that_were_the_same_are_done_once_and_all_are_answered() {
    let site = Site::start(GATE).await;
    let person = Person::at(&site.world.url(""));
    let decided = async {
        let mut card = person.card().await;
        card.approve().await;
        card.says("done").await;
    };
    let (first, second, ()) = tokio::join!(
        call(&site, "ggui_list_themes", json!({})),
        call(&site, "ggui_list_themes", json!({})),
        decided,
    );
    assert_eq!(
        first["result"]["structuredContent"],
        second["result"]["structuredContent"]
    );
    assert!(first["result"]["structuredContent"].is_object(), "{first}");
}
