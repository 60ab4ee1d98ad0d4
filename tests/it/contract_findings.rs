//! The findings of the gate, as they arrive over the wire.

use serde_json::{Map, Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::World;

/// The findings of a handshake on a draft.
pub(crate) async fn findings(world: &World, contract: &Value) -> Vec<Value> {
    let arguments = json!({"intent": "A test", "blueprintDraft": {"contract": contract}});
    let agreed = world.tool("ggui_handshake", arguments).await;
    let findings = &agreed["suggestion"]["validationFindings"];
    findings.as_array().cloned().unwrap_or_default()
}

/// The code and the path of the gate's own findings.
pub(crate) fn of_the_gate(findings: &[Value]) -> Vec<(&str, &str)> {
    findings
        .iter()
        .map(|finding| {
            (
                finding["code"].as_str().unwrap(),
                finding["path"].as_str().unwrap(),
            )
        })
        .filter(|(code, _)| code.starts_with("CTR_") || code.starts_with("LINT_"))
        .collect()
}

/// A valid contract with an additional member at `pointer`, whose parents are created.
pub(crate) fn with(pointer: &str, value: Value) -> Value {
    let mut draft = json!({
        "propsSpec": {"properties": {"title": {"schema": {"type": "string"}}}},
        "actionSpec": {"go": {"label": "Go"}},
    });
    let mut at = &mut draft;
    let mut names = pointer.split('/').peekable();
    while let Some(name) = names.next() {
        let map = at.as_object_mut().unwrap();
        if names.peek().is_none() {
            map.insert(name.to_owned(), value);
            break;
        }
        at = map.entry(name).or_insert_with(|| Value::Object(Map::new()));
    }
    draft
}

/// A valid tool.
fn tool(input: Value) -> Value {
    json!({"toolInfo": {"inputSchema": input}, "usage": "Now and then",
        "example": {"input": {}, "output": {}}})
}

#[tokio::test]
async fn each_code_of_the_gate_is_reported_with_its_path_and_a_hint() {
    let text = json!({"type": "string"});
    let object = json!({"type": "object"});
    let wants_id = json!({"type": "object", "properties": {"id": text}, "required": ["id"]});
    let stdlib = "@ggui-ai/gadgets";
    let rows = [
        (
            "CTR_SHAPE_INVALID_TYPE",
            "actionSpec.stop.label",
            with("actionSpec/stop", json!({})),
        ),
        (
            "CTR_SHAPE_UNRECOGNIZED_KEYS",
            "actionSpec.stop",
            with("actionSpec/stop", json!({"label": "Stop", "colour": "red"})),
        ),
        (
            "CTR_SHAPE_INVALID",
            "streamSpec.log.mode",
            with("streamSpec/log", json!({"schema": text, "mode": "merge"})),
        ),
        ("CTR_RETIRED_FIELD", "dispatch", with("dispatch", json!({}))),
        ("CTR_UNKNOWN_MEMBER", "props", with("props", json!({}))),
        ("CTR_EMPTY", "<root>", json!({"actionSpec": {}})),
        (
            "CTR_HINT",
            "propsSpec.properties.a.schema.$comment",
            with(
                "propsSpec/properties/a/schema",
                json!({"type": "string", "$comment": "ui: colour=red"}),
            ),
        ),
        (
            "CTR_SCHEMA_META_INVALID",
            "propsSpec.properties.a.schema",
            with(
                "propsSpec/properties/a/schema",
                json!({"type": "string", "minimum": 1}),
            ),
        ),
        (
            "CTR_REF_NEXT_STEP",
            "actionSpec.stop.nextStep",
            with(
                "actionSpec/stop",
                json!({"label": "Stop", "nextStep": "nope"}),
            ),
        ),
        (
            "CTR_REF_STREAM_SOURCE",
            "streamSpec.log.source.tool",
            with(
                "streamSpec/log",
                json!({"schema": text, "source": {"tool": "nope"}}),
            ),
        ),
        (
            "CTR_DUP_NAME",
            "contextSpec.go",
            with("contextSpec/go", json!({"schema": text})),
        ),
        (
            "CTR_RESERVED_NAME",
            "streamSpec._ggui:log",
            with("streamSpec/_ggui:log", json!({"schema": text})),
        ),
        ("CTR_SCHEMA_INCOMPAT", "actionSpec.stop.nextStep", {
            let mut draft = with("actionSpec/stop", json!({"label": "Stop", "nextStep": "t"}));
            draft["agentCapabilities"] = json!({"tools": {"t": tool(wants_id)}});
            draft
        }),
        (
            "LINT_ORPHAN_AGENT_TOOL",
            "agentCapabilities.tools.t",
            with("agentCapabilities/tools/t", tool(object.clone())),
        ),
        ("LINT_MISSING_USAGE", "agentCapabilities.tools.t.usage", {
            let mut draft = with("agentCapabilities/tools/t", tool(object.clone()));
            draft["actionSpec"]["go"]["nextStep"] = json!("t");
            draft["agentCapabilities"]["tools"]["t"]["usage"] = json!("");
            draft
        }),
        (
            "LINT_MISSING_EXAMPLE",
            "agentCapabilities.tools.t.example",
            {
                let mut draft = with("agentCapabilities/tools/t", tool(object));
                draft["actionSpec"]["go"]["nextStep"] = json!("t");
                let tool = draft["agentCapabilities"]["tools"]["t"].as_object_mut();
                tool.unwrap().remove("example");
                draft
            },
        ),
        (
            "LINT_GADGET_UNKNOWN_HOOK",
            "clientCapabilities.gadgets.@ggui-ai/gadgets.useGeoLocation",
            with(
                "clientCapabilities/gadgets",
                json!({stdlib: {"useGeoLocation": {}}}),
            ),
        ),
        (
            "LINT_GADGET_DUPLICATE_EXPORT",
            "clientCapabilities.gadgets.b.useX",
            with(
                "clientCapabilities/gadgets",
                json!({"a": {"useX": {}}, "b": {"useX": {}}}),
            ),
        ),
    ];
    let world = World::start().await;
    for (code, path, draft) in rows {
        let findings = findings(&world, &draft).await;
        assert_eq!(of_the_gate(&findings), [(code, path)], "{draft}");
        let reported = findings.iter().find(|finding| finding["code"] == code);
        let reported = reported.unwrap();
        let severity = match code {
            "CTR_EMPTY" | "CTR_HINT" | "CTR_UNKNOWN_MEMBER" => "warn",
            code if code.starts_with("CTR_") => "error",
            _ => "warn",
        };
        assert_eq!(reported["severity"], severity, "{reported}");
        assert!(
            !reported["message"].as_str().unwrap().is_empty(),
            "{reported}"
        );
        assert!(
            !reported["fixHint"].as_str().unwrap().is_empty(),
            "{reported}"
        );
    }
}

#[tokio::test]
async fn every_retired_member_is_refused_with_its_replacement() {
    let world = World::start().await;
    for (name, instead) in [
        ("libraries", "clientCapabilities.gadgets"),
        ("dispatch", "nextStep"),
        ("wiredTools", "agentCapabilities.tools"),
        ("clientTools", "clientCapabilities.gadgets"),
        ("broadcast", "source"),
        ("capabilities", "agentCapabilities and clientCapabilities"),
    ] {
        let findings = findings(&world, &with(name, json!([]))).await;
        assert_eq!(of_the_gate(&findings), [("CTR_RETIRED_FIELD", name)]);
        let message = findings[0]["message"].as_str().unwrap();
        assert!(message.contains(instead), "{message}");
    }
}

#[tokio::test]
async fn names_of_the_server_are_refused_in_all_four_specs() {
    let world = World::start().await;
    let entry = json!({"schema": {"type": "string"}});
    for (spec, entry) in [
        ("propsSpec/properties", entry.clone()),
        ("actionSpec", json!({"label": "X"})),
        ("streamSpec", entry.clone()),
        ("contextSpec", entry),
    ] {
        let draft = with(&format!("{spec}/_ggui:x"), entry);
        let path = format!("{}._ggui:x", spec.replace('/', "."));
        let findings = findings(&world, &draft).await;
        assert_eq!(
            of_the_gate(&findings),
            [("CTR_RESERVED_NAME", path.as_str())]
        );
    }
}

#[tokio::test]
async fn an_action_without_a_name_is_left_out_because_nobody_could_send_it() {
    let world = World::start().await;
    let draft = json!({"actionSpec": {"": {"label": "Send"}, "#/0": {"label": "Post"}}});
    let arguments = json!({"intent": "A test", "blueprintDraft": {"contract": draft}});
    let agreed = world.tool("ggui_handshake", arguments).await;
    let suggestion = &agreed["suggestion"];
    let findings = &suggestion["validationFindings"];
    assert_eq!(findings[0]["code"], "CTR_SHAPE_INVALID", "{findings}");
    let message = findings[0]["message"].as_str().unwrap();
    assert!(message.starts_with("An action needs a name"), "{message}");
    let summary = suggestion["proposedContractSummary"].as_str().unwrap();
    assert!(summary.contains("#/0"), "{summary}");
}

#[tokio::test]
async fn all_problems_of_a_draft_are_reported_at_once() {
    let world = World::start().await;
    let draft = json!({
        "capabilities": {},
        "propsSpec": {"properties": {"a": {"schema": {"foo": 1, "bar": 2}}}},
        "actionSpec": {"go": {"label": "Go", "nextStep": "nope"}},
        "streamSpec": {"go": {"schema": {}, "source": {"tool": "none"}}, "_ggui:x": {"schema": {}}},
        "agentCapabilities": {"tools": {"t": {"toolInfo": {"inputSchema": {"type": "text"}}}}},
    });
    // Those of the shape come first: later phases need a valid shape.
    let reported = findings(&world, &draft).await;
    assert_eq!(
        of_the_gate(&reported),
        [
            (
                "CTR_SHAPE_INVALID",
                "agentCapabilities.tools.t.toolInfo.inputSchema.type"
            ),
            ("CTR_RETIRED_FIELD", "capabilities"),
        ]
    );
    let mut clean = draft;
    clean["agentCapabilities"]["tools"]["t"]["toolInfo"]["inputSchema"] = json!({"minItems": 1});
    let reported = findings(&world, &clean).await;
    assert_eq!(
        of_the_gate(&reported),
        [
            ("CTR_RETIRED_FIELD", "capabilities"),
            ("CTR_SCHEMA_META_INVALID", "propsSpec.properties.a.schema"),
            ("CTR_SCHEMA_META_INVALID", "propsSpec.properties.a.schema"),
            (
                "CTR_SCHEMA_META_INVALID",
                "agentCapabilities.tools.t.toolInfo.inputSchema"
            ),
            ("CTR_REF_NEXT_STEP", "actionSpec.go.nextStep"),
            ("CTR_REF_STREAM_SOURCE", "streamSpec.go.source.tool"),
            ("CTR_DUP_NAME", "streamSpec.go"),
            ("CTR_RESERVED_NAME", "streamSpec._ggui:x"),
        ]
    );
}

#[tokio::test]
async fn objects_are_closed_null_needs_nullable_and_formats_are_validated() {
    let world = World::start().await;
    let contract = json!({"propsSpec": {"properties": {
        "note": {"schema": {"type": "string", "nullable": true}},
        "day": {"schema": {"type": "string", "format": "date"}},
        "box": {"schema": {"type": "object", "properties": {"w": {"type": "integer"}}}},
        "open": {"schema": {"type": "object", "additionalProperties": true}},
        "bare": {"schema": {"type": "object"}},
    }}});
    let id = world.handshake(contract.clone()).await;
    let props = json!({"note": 5, "day": "2026-02-30", "box": {"w": 1, "h": 2}, "bare": {"x": 1}});
    let refused = world
        .call("ggui_render", json!({"handshakeId": id, "props": props}))
        .await;
    assert_eq!(refused["isError"], true, "{refused}");
    let text = refused["content"][0]["text"].as_str().unwrap();
    for line in [
        "- note: must be string,null (expected: string|null, got: number)",
        "- day: must match format \"date\"",
        "- box.h: Undeclared field 'h' at 'box'. Declared keys: [w].",
        "- bare.x: Undeclared field 'x' at 'bare'. Declared keys: (none).",
    ] {
        assert!(text.contains(line), "{line} in {text}");
    }
    let props = json!({"note": null, "day": "2026-02-28", "box": {"w": 1}, "open": {"any": [1]}, "bare": {}});
    world
        .tool("ggui_render", json!({"handshakeId": id, "props": props}))
        .await;
}

#[tokio::test]
async fn hostile_schemas_are_reported_and_the_rest_of_the_draft_is_salvaged() {
    let mut chain = Map::new();
    for level in 0..12 {
        let next = json!({"$ref": format!("#/definitions/d{}", level + 1)});
        chain.insert(format!("d{level}"), json!({"anyOf": [next, next]}));
    }
    chain.insert("d12".into(), json!({"type": "string"}));
    let mut deep = json!({"type": "string"});
    for _ in 0..40 {
        deep = json!({"type": "array", "items": deep});
    }
    let branches: Vec<Value> = (0..17).map(|n| json!({"const": n})).collect();
    let listed: Vec<Value> = (0..20_000).map(Value::from).collect();
    let rows = [
        (
            json!({"$ref": "https://example.com/a.json"}),
            "\"$ref\" must point into",
        ),
        (
            json!({"$ref": "file:///etc/passwd"}),
            "\"$ref\" must point into",
        ),
        (
            json!({"$ref": "#/definitions/d0", "definitions": chain}),
            "more than 2000 subschemas",
        ),
        (deep, "deeper than 32"),
        (json!({"anyOf": branches}), "16 branches"),
        (json!({"enum": listed}), "more than 65536"),
        (
            json!({"type": "string", "pattern": "(a+)+(?=b)"}),
            "not a regular expression",
        ),
        (
            json!({"type": "string", "pattern": "((a{1000}){1000}){1000}"}),
            "not a regular expression",
        ),
        (
            json!({"type": "string", "pattern": "a".repeat(2_000)}),
            "longer than 1024",
        ),
    ];
    let world = World::start().await;
    for (schema, said) in rows {
        let mut draft = basket();
        draft["propsSpec"]["properties"]["trap"] = json!({"schema": schema});
        let findings = findings(&world, &draft).await;
        let at = "propsSpec.properties.trap.schema";
        assert_eq!(of_the_gate(&findings), [("CTR_SCHEMA_META_INVALID", at)]);
        let message = findings[0]["message"].as_str().unwrap();
        assert!(message.contains(said), "{said} in {message}");
    }
    // The pattern that stalls other engines is matched in one pass here.
    let mut draft = basket();
    draft["propsSpec"]["properties"]["note"]["schema"] =
        json!({"type": "string", "pattern": "^(a+)+$"});
    let id = world.handshake(draft).await;
    let mut props = basket_props();
    props["note"] = json!(format!("{}!", "a".repeat(50_000)));
    let refused = world
        .call("ggui_render", json!({"handshakeId": id, "props": props}))
        .await;
    assert_eq!(refused["isError"], true);
}

#[tokio::test]
async fn a_contract_that_hides_a_pattern_deep_down_is_answered_at_once() {
    let world = World::start().await;
    let leaf = json!({"type": "string", "pattern": "^[a-z]{2,8}$"});
    let deep = (0..28).fold(leaf, |inner, at| match at % 2 {
        0 => json!({"type": "object", "properties": {"a": inner}}),
        _ => json!({"type": "array", "items": inner}),
    });
    let contract = json!({"propsSpec": {"properties": {"p": {"schema": deep}}}});
    let arguments = json!({"intent": "A test", "blueprintDraft": {"contract": contract}});
    // Work that doubled at each level would exceed every time-out of a client.
    let agreed = world.tool("ggui_handshake", arguments).await;
    assert_eq!(agreed["suggestion"]["origin"], "agent", "{agreed}");
    let (id, props) = (&agreed["handshakeId"], json!({}));
    world
        .tool("ggui_render", json!({"handshakeId": id, "props": props}))
        .await;
}
