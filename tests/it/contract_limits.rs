//! Drafts and values that would cost too much, and the limits that stop them.

use serde_json::{Map, Value, json};

use crate::contract_findings::{findings, of_the_gate, with};
use crate::world::World;

#[tokio::test]
async fn a_draft_that_is_too_large_is_refused_without_being_read() {
    let world = World::start().await;
    let junk: Map<String, Value> = (0..50_000)
        .map(|n| (format!("a{n}"), json!({"label": n})))
        .collect();
    let draft = json!({"actionSpec": junk, "libraries": []});
    let bytes = draft.to_string().len();
    assert!(bytes > 1_000_000);
    let arguments = json!({"intent": "A test", "blueprintDraft": {"contract": draft}});
    let declined = world.tool("ggui_handshake", arguments).await;
    assert_eq!(declined["action"], "declined");
    let suggestion = &declined["suggestion"];
    assert_eq!(suggestion["blueprintMeta"]["contractHash"], "");
    let findings = suggestion["validationFindings"].as_array().unwrap();
    assert_eq!(of_the_gate(findings), [("CTR_SHAPE_INVALID", "<root>")]);
    assert_eq!(
        findings[0]["message"],
        format!("The contract is {bytes} bytes of JSON, more than 262144")
    );
}

#[tokio::test]
async fn long_names_are_not_repeated_for_every_problem_below_them() {
    /// The size of a response: it may repeat the caller's names a few times, but not once per
    /// problem.
    const BYTES_MAX: usize = 1_000_000;
    let world = World::start().await;
    let long = "n".repeat(100_000);
    let wrong: Map<String, Value> = (0..10_000).map(|n| (format!("k{n}"), json!(n))).collect();
    let draft = with(&format!("actionSpec/{long}"), Value::Object(wrong.clone()));
    let reported = findings(&world, &draft).await;
    let message = reported[0]["message"].as_str().unwrap();
    assert!(message.ends_with("is longer than 256 bytes"), "{message}");
    let bytes = Value::from(reported).to_string().len();
    assert!(bytes < BYTES_MAX, "{bytes} bytes of findings");
    let children = vec!["nobody"; 50_000];
    let drawn = json!([{"id": long, "component": "Column", "children": children}]);
    let draft = json!({"contract": with("title", json!(1)), "view": {"components": drawn}});
    let arguments = json!({"intent": "A test", "blueprintDraft": draft});
    let agreed = world.tool("ggui_handshake", arguments).await;
    assert!(
        agreed
            .to_string()
            .contains("the id is longer than 256 bytes")
    );
    assert!(agreed.to_string().len() < BYTES_MAX);
    // A value below a long name, and more members than can be listed.
    let text = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let maps = json!({"type": "object", "additionalProperties": text});
    let contract = with("propsSpec/properties/maps", json!({"schema": maps}));
    let id = world.handshake(contract.clone()).await;
    let props = json!({"maps": {long.as_str(): wrong}});
    let refused = world
        .call("ggui_render", json!({"handshakeId": id, "props": props}))
        .await;
    let reported = refused["content"][0]["text"].as_str().unwrap();
    assert!(reported.contains("and 9900 more violations"), "{reported}");
    assert!(refused.to_string().len() < BYTES_MAX);
    let contract = with("contextSpec/note", json!({"schema": {"type": "string"}}));
    let shown = world.show(contract, json!({})).await;
    let slots: Map<String, Value> = (0..10_000).map(|n| (format!("s{n}"), json!(1))).collect();
    let refused = world
        .call(
            "ggui_runtime_sync_context",
            json!({"sessionId": shown.session, "appId": "builder", "snapshot": slots}),
        )
        .await;
    assert!(refused.to_string().len() < BYTES_MAX);
}

#[tokio::test]
async fn unions_in_unions_that_take_every_name_around_them_are_refused() {
    let names: Map<String, Value> = (0..800).map(|n| (format!("p{n}"), json!({}))).collect();
    let union = |inner: Value, branches: usize| json!({"anyOf": vec![inner; branches]});
    let record = json!({"type": "object", "properties": {}});
    let mut schema = union(union(union(record, 4), 16), 14);
    schema["type"] = json!("object");
    schema["properties"] = Value::Object(names);
    let world = World::start().await;
    let draft = with("propsSpec/properties/trap", json!({"schema": schema}));
    let reported = findings(&world, &draft).await;
    let at = "propsSpec.properties.trap.schema";
    assert_eq!(of_the_gate(&reported), [("CTR_SCHEMA_META_INVALID", at)]);
    let message = reported[0]["message"].as_str().unwrap();
    assert!(
        message.ends_with("too many names from around them"),
        "{message}"
    );
}
