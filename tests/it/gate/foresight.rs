//! A handshake that names tools learns what the gate would say of them.

use serde_json::{Value, json};

use super::site::Site;

const GATE: &str = r#"
schema: 1
sources:
  - { id: script, kind: mcp, SCRIPT }
governance:
  rules:
    - { match: "admin_*", action: deny, description: "Administrative tools are not permitted" }
    - { match: "delete_*", action: approve }
approval:
  people: {}
"#;

fn contract(tools: &[&str]) -> Value {
    let (mut actions, mut declared) = (json!({}), json!({}));
    for tool in tools {
        actions[format!("do_{tool}")] = json!({"label": "Do it", "nextStep": tool});
        declared[tool] = json!({
            "toolInfo": {"inputSchema": {"type": "object"}},
            "usage": "When asked",
            "example": {"input": {}, "output": {}},
        });
    }
    json!({
        "propsSpec": {"properties": {"title": {"schema": {"type": "string"}}}},
        "actionSpec": actions,
        "agentCapabilities": {"tools": declared},
    })
}

async fn handshake(site: &Site, contract: &Value) -> Value {
    let draft = json!({"contract": contract});
    let arguments = json!({"intent": "A test", "blueprintDraft": draft});
    site.world.tool("ggui_handshake", arguments).await
}

fn findings(agreed: &Value) -> Vec<(String, String)> {
    let findings = agreed["suggestion"]["validationFindings"].as_array();
    let findings = findings.into_iter().flatten();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    findings
        .map(|finding| (text(&finding["code"]), text(&finding["path"])))
        .collect()
}

fn found(code: &str, path: &str) -> (String, String) {
    (code.to_owned(), path.to_owned())
}

#[tokio::test]
async fn an_agent_learns_which_tools_are_denied_or_held_before_anything_is_shown() {
    let site = Site::start(GATE).await;
    let tools = ["get_weather", "delete_file", "admin_console", "elsewhere"];
    let agreed = handshake(&site, &contract(&tools)).await;
    assert_eq!(
        findings(&agreed),
        [
            found("GATE_APPROVAL", "actionSpec.do_delete_file.nextStep"),
            found("GATE_DENIED", "actionSpec.do_admin_console.nextStep"),
        ]
    );
    let suggestion = &agreed["suggestion"];
    let message = &suggestion["validationFindings"][1]["message"];
    let message = message.as_str().expect("a message");
    assert!(
        message.contains("Administrative tools are not permitted"),
        "{message}"
    );
    assert_eq!(suggestion["origin"], "synth");
    let left_out = suggestion["amendments"]["contractDiff"].to_string();
    assert!(
        left_out.contains("/actionSpec/do_admin_console"),
        "{left_out}"
    );
}

#[tokio::test]
async fn a_page_does_not_offer_what_is_denied_and_takes_no_click_for_it() {
    let site = Site::start(GATE).await;
    let contract = contract(&["get_weather", "admin_console"]);
    let shown = site.world.show(contract, json!({"title": "Tools"})).await;
    let slice = shown.slice().to_string();
    assert!(slice.contains("do_get_weather"), "{slice}");
    assert!(!slice.contains("admin_console"), "{slice}");
    let (mut browser, _) = site.world.browse(&shown).await;
    let id = browser.act("do_admin_console", Value::Null).await;
    let refused = browser.answer_to(&id).await;
    assert_eq!(
        refused["payload"]["code"], "CONTRACT_VIOLATION",
        "{refused}"
    );
    let id = browser.act("do_get_weather", Value::Null).await;
    assert_eq!(browser.answer_to(&id).await["type"], "ack");
}

#[tokio::test]
async fn whether_a_denied_tool_is_there_is_not_told_ahead() {
    let site = Site::start(GATE).await;
    let words = async |tool: &str| {
        let agreed = handshake(&site, &contract(&[tool])).await;
        agreed["suggestion"]["validationFindings"]
            .to_string()
            .replace(tool, "TOOL")
    };
    assert_eq!(words("admin_console").await, words("admin_nothing").await);
    // What nobody has waits for nobody.
    let agreed = handshake(&site, &contract(&["delete_nothing"])).await;
    assert!(findings(&agreed).is_empty());
}

#[tokio::test]
async fn a_gate_that_denies_by_default_says_nothing_of_tools_that_an_agent_has_elsewhere() {
    let gate = GATE.replace(
        "governance:\n",
        "governance:\n  defaults: { action: deny }\n",
    );
    let site = Site::start(&gate).await;
    let agreed = handshake(&site, &contract(&["cart_pay", "admin_console"])).await;
    assert_eq!(
        findings(&agreed),
        [found("GATE_DENIED", "actionSpec.do_admin_console.nextStep")]
    );
    let summary = agreed["suggestion"]["proposedContractSummary"].as_str();
    assert!(summary.is_some_and(|summary| summary.contains("do_cart_pay")));
}
