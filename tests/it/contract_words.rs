//! Messages that help to repair a draft or a value: the likely name, the reason, the path.

use serde_json::{Value, json};

use crate::contract_findings::{findings, of_the_gate, with};
use crate::world::World;

#[tokio::test]
async fn an_unknown_member_is_reported_with_the_likely_name() {
    let world = World::start().await;
    for (name, meant) in [
        ("props", "propsSpec"),
        ("props_spec", "propsSpec"),
        ("actions", "actionSpec"),
        ("actionsSpec", "actionSpec"),
        ("streams", "streamSpec"),
    ] {
        let draft = json!({name: {"a": {"schema": {"type": "string"}}}});
        let findings = findings(&world, &draft).await;
        let expected = [("CTR_UNKNOWN_MEMBER", name), ("CTR_EMPTY", "<root>")];
        assert_eq!(of_the_gate(&findings), expected);
        let message = findings[0]["message"].as_str().unwrap();
        let says = format!("did you mean \"{meant}\"?");
        assert!(message.ends_with(&says), "{message}");
    }
    let text = json!({"type": "string"});
    for (pointer, value, says) in [
        (
            "agentCapabilities",
            json!({"tools": {}, "tool": {}}),
            "did you mean \"tools\"?",
        ),
        (
            "weather",
            json!({}),
            "there are propsSpec, actionSpec, streamSpec, contextSpec, agentCapabilities, clientCapabilities",
        ),
        (
            "actionSpec/stop",
            json!({"label": "Stop", "confirmed": true}),
            "Unrecognized key: \"confirmed\"; did you mean \"confirm\"?",
        ),
        (
            "contextSpec/note",
            json!({"schema": text, "debounce_ms": 5}),
            "did you mean \"debounceMs\"?",
        ),
        (
            "contextSpec/note",
            json!({"schema": {"type": "string", "minLenght": 5}}),
            "unknown keyword \"minLenght\"; did you mean \"minLength\"?",
        ),
    ] {
        let findings = findings(&world, &with(pointer, value)).await;
        let message = findings[0]["message"].as_str().unwrap();
        assert!(message.ends_with(says), "{message}");
    }
}

#[tokio::test]
async fn a_removed_place_is_reported_with_its_reason_even_after_an_earlier_phase_failed() {
    let world = World::start().await;
    let mut draft = json!({
        "propsSpec": {"properties": {"title": {"schema": {"type": "strin"}}}},
        "actionSpec": {"go": {"label": "Go", "nextStep": "nope"}},
        "streamSpec": {"_ggui:x": {"schema": {}}},
    });
    let reasons = |findings: &[Value]| -> Vec<String> {
        let dropped = findings
            .iter()
            .filter(|finding| finding["code"] == "SALVAGE_DROPPED");
        let messages = dropped.map(|finding| finding["message"].as_str().unwrap().to_owned());
        messages.collect()
    };
    let type_of_title = "\"propsSpec.properties.title.schema.type\" was left out: Invalid option: \
        expected one of \"string\"|\"number\"|\"integer\"|\"boolean\"|\"array\"|\"object\"|\"null\"";
    let reserved = "\"streamSpec._ggui:x\" was left out: \"_ggui:x\" starts with the reserved prefix \
        `_ggui:`";
    let reported = findings(&world, &draft).await;
    assert_eq!(
        reasons(&reported),
        [
            "\"actionSpec.go.nextStep\" was left out: nextStep \"nope\" is not a key of \
             agentCapabilities.tools",
            type_of_title,
            reserved,
        ]
    );
    // A draft without any valid part gets a message that says so.
    draft["propsSpec"] = json!({"properties": {}});
    draft["streamSpec"]["_ggui:x"]["schema"] = json!({"type": "strin"});
    draft.as_object_mut().unwrap().remove("actionSpec");
    let reported = findings(&world, &draft).await;
    assert_eq!(
        reported[0]["path"], "streamSpec._ggui:x.schema.type",
        "{reported:?}"
    );
    let dropped = reasons(&reported);
    assert!(dropped[0].starts_with(reserved), "{dropped:?}");
}

#[tokio::test]
async fn a_name_is_quoted_in_a_path_only_where_it_is_no_identifier() {
    let world = World::start().await;
    let row = json!({"type": "object", "properties": {
        "day": {"type": "string"}, "量": {"type": "string"}, "a-b": {"type": "string"}}});
    let rows = json!({"type": "array", "items": row});
    let contract = json!({"propsSpec": {"properties": {"수업": {"schema": rows}}}});
    let id = world.handshake(contract).await;
    let props = json!({"수업": [{"day": 1}, {"量": 1, "a-b": 1}]});
    let refused = world
        .call("ggui_render", json!({"handshakeId": id, "props": props}))
        .await;
    let text = refused["content"][0]["text"].as_str().unwrap();
    for line in [
        "- 수업[0].day: must be string",
        "- 수업[1].量: must be string",
        "- 수업[1][\"a-b\"]: must be string",
    ] {
        assert!(text.contains(line), "{text}");
    }
}

#[tokio::test]
async fn a_float_without_a_fraction_is_an_integer_wherever_one_is_wanted() {
    let world = World::start().await;
    let count = json!({"type": "integer"});
    let contract = json!({
        "propsSpec": {"properties": {"count": {"schema": count}}},
        "actionSpec": {"set": {"label": "Set", "schema": {"type": "object", "properties": {"n": count}}}},
        "streamSpec": {"log": {"schema": count}},
        "contextSpec": {"note": {"schema": {"type": "string", "minLength": 0.0}, "debounceMs": 300.0}},
    });
    let shown = world.show(contract, json!({"count": 25.0})).await;
    let session = &shown.session;
    for (tool, arguments) in [
        (
            "ggui_emit",
            json!({"sessionId": session, "channel": "log", "payload": 3.0}),
        ),
        (
            "ggui_update",
            json!({"sessionId": session, "kind": "replace", "props": {}, "expectedVersion": 1.0}),
        ),
        (
            "ggui_consume",
            json!({"sessionId": session, "timeout": 0.0}),
        ),
        ("ggui_list_sessions", json!({"limit": 5.0})),
        (
            "ggui_runtime_pull",
            json!({"sessionId": session, "sinceSequence": 0.0, "limit": 1e1, "wait": 0.0}),
        ),
    ] {
        world.tool(tool, arguments).await;
    }
    let mut browser = world.knock(&shown).await;
    let cursors = json!({"fromSeq": 0.0, "sinceSequence": 0.0});
    assert_eq!(browser.subscribe(cursors).await["type"], "ack");
    let clicked = browser.act("set", json!({"n": 2.0})).await;
    assert_eq!(browser.answer_to(&clicked).await["type"], "ack");
}

#[tokio::test]
async fn an_object_that_accepts_nothing_is_remarked_at_wherever_it_stands() {
    let world = World::start().await;
    let text = json!({"type": "string"});
    let save = json!({"type": "object", "properties": {
        "draft": {"type": "object"}, "any": {"type": "object", "additionalProperties": true}}});
    let log = json!({"type": "array", "items": {"oneOf": [
        {"type": "object", "properties": {"a": text}}, {"type": "object"}]}});
    // What stands around a union is allowed in its branches, and an action may take nothing.
    let around =
        json!({"type": "object", "properties": {"a": text}, "oneOf": [{"type": "object"}]});
    let rows = [
        (
            "actionSpec/save",
            json!({"label": "Save", "schema": save}),
            "schema.properties.draft",
        ),
        (
            "streamSpec/log",
            json!({"schema": log}),
            "schema.items.oneOf[1]",
        ),
        ("contextSpec/slot", json!({"schema": around}), ""),
        (
            "actionSpec/stop",
            json!({"label": "Stop", "schema": {"type": "object"}}),
            "",
        ),
    ];
    for (pointer, entry, place) in rows {
        let found = findings(&world, &with(pointer, entry)).await;
        let path = format!("{}.{place}", pointer.replace('/', "."));
        let expected = [("LINT_CLOSED_OBJECT", path.as_str())];
        let expected = if place.is_empty() { &[] } else { &expected[..] };
        assert_eq!(of_the_gate(&found), expected, "{pointer}");
    }
}
