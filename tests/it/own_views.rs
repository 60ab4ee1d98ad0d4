//! Views that an agent brings along.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::World;

/// Negotiates a draft with a view of the agent's own and renders it; returns the handshake and the
/// view.
async fn show_own(world: &World, components: Value) -> (Value, Value) {
    let draft = json!({"contract": basket(), "view": {"components": components}});
    let arguments = json!({"intent": "A basket", "blueprintDraft": draft});
    let agreed = world.tool("ggui_handshake", arguments).await;
    let id = &agreed["handshakeId"];
    let arguments = json!({"handshakeId": id, "props": basket_props()});
    let shown = world.call("ggui_render", arguments).await;
    let view = shown["_meta"]["ai.ggui/render"]["viewJson"]
        .as_str()
        .unwrap();
    let view = serde_json::from_str(view).unwrap();
    (agreed, view)
}

#[tokio::test]
async fn a_valid_view_of_an_agent_is_shown_unchanged() {
    let world = World::start().await;
    let components = json!([
        {"id": "root", "component": "Column", "children": ["note", "pay"]},
        {"id": "note", "component": "Notice", "text": {"path": "/props/note"}},
        {"id": "pay", "component": "ActionButton", "label": "Pay", "action": "checkout", "confirm": true},
    ]);
    let (agreed, view) = show_own(&world, components.clone()).await;
    // What the view leaves out of the contract is reported, and refuses nothing.
    let findings = agreed["suggestion"]["validationFindings"].as_array();
    let mut findings = findings.unwrap().iter();
    assert!(
        findings.all(|finding| finding["code"] == "COVERAGE_GAP"),
        "{agreed}"
    );
    assert_eq!(view["view"]["components"], components);
}

#[tokio::test]
async fn an_invalid_view_is_reported_with_all_problems_and_a_composed_one_is_shown() {
    let world = World::start().await;
    let components = json!([
        {"id": "root", "component": "Column", "children": ["a", "b"]},
        {"id": "a", "component": "Marquee"},
        {"id": "b", "component": "Notice", "text": {"path": "/props/nope"}},
    ]);
    let (agreed, view) = show_own(&world, components).await;
    let findings = agreed["suggestion"]["validationFindings"]
        .as_array()
        .unwrap();
    let codes: Vec<_> = findings
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["VIEW_UNKNOWN_COMPONENT", "VIEW_UNKNOWN_BINDING"]);
    assert!(
        view.to_string().contains("\"Table\""),
        "the basket is a table when composed"
    );
    let catalog = world
        .rpc("resources/read", json!({"uri": "proscenium://catalog"}))
        .await;
    let text = catalog.body["result"]["contents"][0]["text"]
        .as_str()
        .unwrap();
    let catalog: Value = serde_json::from_str(text).unwrap();
    assert_eq!(catalog["catalogId"], view["catalogId"]);
}
