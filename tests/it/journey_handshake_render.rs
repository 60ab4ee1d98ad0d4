//! From a draft to a render, and everything that can go wrong on the way.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::World;

#[tokio::test]
async fn a_valid_draft_is_accepted_and_rendered_with_everything_a_host_needs() {
    let (_world, shown) = World::with_basket().await;
    let result = &shown.result["structuredContent"];
    assert_eq!(result["contractHash"], "1ce5499e66c2ebfb");
    assert_eq!(result["action"], "create");
    assert_eq!(result["nextStep"]["tool"], "ggui_consume");
    assert_eq!(result["nextStep"]["args"]["timeout"], 25);
    let uri = format!("ui://ggui/render/{}/1ce5499e66c2ebfb", shown.session);
    let meta = &shown.result["_meta"];
    assert_eq!(result["resourceUri"], uri);
    assert_eq!(meta["ui"]["resourceUri"], uri);
    assert_eq!(meta["ui/resourceUri"], uri);
    let props: Value = serde_json::from_str(shown.slice()["propsJson"].as_str().unwrap()).unwrap();
    assert_eq!(props, basket_props());
    let view: Value = serde_json::from_str(shown.slice()["viewJson"].as_str().unwrap()).unwrap();
    assert_eq!(view["version"], "v0.9");
    assert_eq!(view["catalogId"], "urn:proscenium:catalog:v1");
    // Older hosts only read text, so one block is the same structure.
    let texts = shown.result["content"].as_array().unwrap();
    let parsed = texts
        .iter()
        .find_map(|block| serde_json::from_str::<Value>(block["text"].as_str().unwrap()).ok());
    assert_eq!(parsed.as_ref(), Some(result));
}

#[tokio::test]
async fn the_example_of_a_handshake_works_when_pasted() {
    let world = World::start().await;
    let arguments = json!({"intent": "A basket", "blueprintDraft": {"contract": basket()}});
    let agreed = world.tool("ggui_handshake", arguments).await;
    let example = agreed["nextStep"]["example"].as_str().unwrap();
    let inner = example
        .strip_prefix("ggui_render(")
        .unwrap()
        .strip_suffix(')')
        .unwrap();
    let arguments: Value = serde_json::from_str(inner).unwrap();
    world.tool("ggui_render", arguments).await;
}

#[tokio::test]
async fn the_example_of_a_handshake_works_when_pasted_for_any_schema() {
    let world = World::start().await;
    let object = |properties: Value, required: Value| json!({"type": "object", "properties": properties, "required": required});
    let mut deep = json!({"type": "string", "minLength": 1});
    for _ in 0..8 {
        deep = object(json!({"next": deep}), json!(["next"]));
    }
    let required = [
        json!({"type": "string", "minLength": 3, "maxLength": 5}),
        json!({"type": "string", "format": "email"}),
        json!({"type": "string", "format": "date-time"}),
        json!({"type": "integer", "minimum": 7}),
        json!({"type": "integer", "exclusiveMinimum": 7}),
        json!({"type": "number", "exclusiveMinimum": 0.5, "maximum": 1.5}),
        json!({"type": "integer", "maximum": -3}),
        json!({"type": "number", "exclusiveMaximum": -0.5}),
        json!({"type": "array", "items": {"type": "integer", "minimum": 1}, "minItems": 3}),
        json!({"type": "array", "items": {"type": "integer"}, "maxItems": 0}),
        json!({"type": ["string", "null"]}),
        json!({"enum": ["open", "closed"]}),
        json!({"anyOf": [{"type": "integer", "minimum": 2}, {"type": "boolean"}]}),
        object(
            json!({"a": {"type": "string", "minLength": 1}, "b": {"type": "boolean"}}),
            json!(["a"]),
        ),
        deep,
    ];
    let mut properties = serde_json::Map::new();
    for (at, schema) in required.into_iter().enumerate() {
        let entry = json!({"schema": schema, "required": true});
        properties.insert(format!("p{at}"), entry);
    }
    // No sample is found for these, and they are optional.
    let code = json!({"type": "string", "pattern": "^[A-Z]{3}-[0-9]{4}$"});
    properties.insert("code".to_owned(), json!({"schema": code}));
    let draft = json!({"contract": {"propsSpec": {"properties": properties}}});
    let arguments = json!({"intent": "A test", "blueprintDraft": draft});
    let agreed = world.tool("ggui_handshake", arguments).await;
    assert_eq!(agreed["suggestion"]["origin"], "agent", "{agreed}");
    let call = agreed["nextStep"]["example"].as_str().unwrap();
    let arguments = call.strip_prefix("ggui_render(").unwrap().strip_suffix(')');
    let arguments: Value = serde_json::from_str(arguments.unwrap()).unwrap();
    world.tool("ggui_render", arguments).await;
}

#[tokio::test]
async fn a_draft_with_problems_is_declined_with_all_of_them_and_nothing_is_kept() {
    let world = World::start().await;
    let draft = json!({
        "propsSpec": {"properties": {"a": {"schema": "text"}}},
        "actionSpec": {"go": {"schema": {}}},
        "libraries": [],
    });
    let arguments = json!({"intent": "A test", "blueprintDraft": {"contract": draft}});
    let declined = world.tool("ggui_handshake", arguments).await;
    assert_eq!(declined["action"], "declined");
    assert_eq!(declined["suggestion"]["origin"], "agent");
    let summary = declined["suggestion"]["proposedContractSummary"].as_str();
    assert!(summary.unwrap().starts_with("DECLINED — "));
    for absent in ["nextStep", "propsSchema", "propsSchemaHash"] {
        assert!(declined.get(absent).is_none(), "{absent}");
    }
    let findings = declined["suggestion"]["validationFindings"]
        .as_array()
        .unwrap();
    let codes: Vec<_> = findings
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"CTR_RETIRED_FIELD"), "{codes:?}");
    assert!(
        codes
            .iter()
            .filter(|code| code.starts_with("CTR_SHAPE"))
            .count()
            >= 2,
        "{codes:?}"
    );
    let id = declined["handshakeId"].clone();
    let result = world
        .call("ggui_render", json!({"handshakeId": id, "props": {}}))
        .await;
    assert_eq!(
        result["structuredContent"]["error"]["code"],
        "handshake_not_found"
    );
}

#[tokio::test]
async fn a_draft_with_some_problems_loses_only_what_is_wrong() {
    let world = World::start().await;
    let mut draft = basket();
    draft["actionSpec"]["checkout"]["nextStep"] = json!("pay");
    draft["propsSpec"]["properties"]["note"]["schema"]["items"] = json!({"type": "text"});
    draft["propsSpec"]["properties"]["currency"]["schema"]["type"] = json!("text");
    draft["contextSpec"]["coupon"]["colour"] = json!("red");
    let arguments = json!({"intent": "A basket", "blueprintDraft": {"contract": draft}});
    let agreed = world.tool("ggui_handshake", arguments).await;
    assert_eq!(agreed["action"], "create");
    let suggestion = &agreed["suggestion"];
    assert_eq!(suggestion["origin"], "synth");
    let summary = suggestion["proposedContractSummary"].as_str().unwrap();
    assert!(
        summary.starts_with("PARTIAL — slots=coupon:string; actions=checkout,setQuantity"),
        "{summary}"
    );
    let findings = suggestion["validationFindings"].as_array().unwrap();
    let mut reported: Vec<_> = findings
        .iter()
        .map(|finding| (finding["path"].as_str().unwrap(), finding["code"].as_str()))
        .collect();
    assert!(
        reported.iter().all(|(path, _)| path.contains('.')),
        "every finding says where: {reported:?}"
    );
    let all = reported.len();
    reported.sort_unstable();
    reported.dedup();
    assert_eq!(reported.len(), all, "nothing is told twice");
    let dropped: Vec<_> = reported
        .iter()
        .filter(|(_, code)| *code == Some("SALVAGE_DROPPED"))
        .map(|(path, _)| *path)
        .collect();
    assert!(dropped.contains(&"actionSpec.checkout.nextStep"));
    assert!(dropped.contains(&"propsSpec.properties.currency.schema.type"));
    assert!(dropped.contains(&"contextSpec.coupon.colour"));
    let diff = suggestion["amendments"]["contractDiff"].as_array().unwrap();
    let removed = json!({"op": "remove", "path": "/actionSpec/checkout/nextStep"});
    assert!(diff.contains(&removed), "{diff:?}");
    assert!(agreed["propsSchema"]["properties"]["currency"]["enum"].is_array());
    let arguments = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
    world.tool("ggui_render", arguments).await;
}

#[tokio::test]
async fn an_invalid_next_step_is_removed_alone_and_the_props_are_unchanged() {
    let world = World::start().await;
    let mut draft = basket();
    draft["actionSpec"]["checkout"]["nextStep"] = json!("pay");
    let arguments = json!({"intent": "A basket", "blueprintDraft": {"contract": draft}});
    let agreed = world.tool("ggui_handshake", arguments).await;
    let suggestion = &agreed["suggestion"];
    assert_eq!(suggestion["origin"], "synth");
    // Without it, the draft is the published basket.
    assert_eq!(
        suggestion["blueprintMeta"]["contractHash"],
        "1ce5499e66c2ebfb"
    );
    assert!(agreed.get("propsSchema").is_none());
    let findings = suggestion["validationFindings"].as_array().unwrap();
    let reported: Vec<_> = findings
        .iter()
        .map(|finding| (finding["path"].as_str(), finding["code"].as_str()))
        .collect();
    let path = Some("actionSpec.checkout.nextStep");
    assert_eq!(
        reported,
        [
            (path, Some("CTR_REF_NEXT_STEP")),
            (path, Some("SALVAGE_DROPPED"))
        ]
    );
    assert_eq!(
        suggestion["amendments"]["contractDiff"],
        json!([{"op": "remove", "path": "/actionSpec/checkout/nextStep"}])
    );
}

#[tokio::test]
async fn of_twelve_racing_renders_exactly_one_wins() {
    let world = World::start().await;
    let id = world.handshake(basket()).await;
    let arguments = json!({"handshakeId": id, "props": basket_props()});
    let race = (0..12).map(|_| world.call("ggui_render", arguments.clone()));
    let results = join_all(race).await;
    let (lost, won): (Vec<_>, Vec<_>) =
        results.iter().partition(|result| result["isError"] == true);
    assert_eq!((won.len(), lost.len()), (1, 11));
    for result in lost {
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(
            text.contains(&format!("handshakeId \"{id}\" not found")),
            "{text}"
        );
    }
}

#[tokio::test]
async fn props_that_do_not_fit_are_all_named_and_leave_the_handshake_alive() {
    let world = World::start().await;
    let id = world.handshake(basket()).await;
    let wrong = json!({"items": [{"sku": 1, "qty": 2, "unitPrice": 1}], "currency": "CHF", "x": 1});
    let refused = world
        .call("ggui_render", json!({"handshakeId": id, "props": wrong}))
        .await;
    assert_eq!(refused["isError"], true);
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(
        text.starts_with("Contract violation in ggui_render:\n- "),
        "{text}"
    );
    for field in ["items[0].sku", "items[0].title", "currency", "x"] {
        assert!(text.contains(&format!("- {field}: ")), "{field} in {text}");
    }
    let error = &refused["structuredContent"]["error"];
    assert_eq!(error["code"], "contract_violation");
    assert_eq!(error["details"]["status"], "INVALID_ARGUMENTS");
    world
        .tool(
            "ggui_render",
            json!({"handshakeId": id, "props": basket_props()}),
        )
        .await;
}

#[tokio::test]
async fn a_handshake_lives_ten_minutes_and_not_a_moment_longer() {
    let world = World::start().await;
    let (early, late) = (
        world.handshake(basket()).await,
        world.handshake(basket()).await,
    );
    world.clock.advance(Duration::from_millis(599_999));
    world
        .tool(
            "ggui_render",
            json!({"handshakeId": early, "props": basket_props()}),
        )
        .await;
    world.clock.advance(Duration::from_millis(1));
    let arguments = json!({"handshakeId": late, "props": basket_props()});
    let result = world.call("ggui_render", arguments).await;
    assert_eq!(
        result["structuredContent"]["error"]["code"],
        "handshake_not_found"
    );
}

#[tokio::test]
async fn an_override_renders_another_contract_and_an_invalid_one_leaves_the_handshake_alive() {
    let world = World::start().await;
    let id = world.handshake(basket()).await;
    let unsound = json!({"contract": {"propsSpec": 5}});
    let arguments = json!({"handshakeId": id, "props": {}, "override": unsound});
    let refused = world.call("ggui_render", arguments).await;
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("override_contract_invalid: "), "{text}");
    let other = json!({"contract": {"actionSpec": {"go": {"label": "Go"}}}});
    let arguments = json!({"handshakeId": id, "props": {}, "override": other});
    let rendered = world.tool("ggui_render", arguments).await;
    assert_ne!(rendered["contractHash"], "1ce5499e66c2ebfb");
}

#[tokio::test]
async fn an_action_that_does_not_fit_our_tool_is_reported_and_can_be_repaired() {
    let world = World::start().await;
    let draft = json!({
        "actionSpec": {
            "watch": {"label": "Watch", "nextStep": "ggui_get_session"},
            "fill": {
                "label": "Fill",
                "nextStep": "ggui_emit",
                "schema": {"type": "object", "properties": {"sessionId": {"type": "integer"}}},
            },
        },
        "agentCapabilities": {"tools": {
            "ggui_emit": {"toolInfo": {"inputSchema": {}}},
            "ggui_get_session": {"toolInfo": {"inputSchema": {}}},
        }},
    });
    let id = world.handshake(draft).await;
    let arguments = json!({"handshakeId": id, "props": {}});
    let refused = world.call("ggui_render", arguments).await;
    assert_eq!(refused["isError"], true);
    let error = &refused["structuredContent"]["error"];
    assert_eq!(error["code"], "schema_mismatch_error");
    let text = refused["content"][0]["text"].as_str().unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines[0],
        "ggui_render: SCHEMA_MISMATCH_ERROR — 2 finding(s)"
    );
    let fill = "- action \"fill\" (tool \"ggui_emit\") — schema mismatch — ";
    let watch = "- action \"watch\" (tool \"ggui_get_session\") — schema mismatch — ";
    assert!(lines[1].starts_with(fill), "{text}");
    assert!(lines[1].ends_with("more violations)"), "{text}");
    assert!(lines[2].starts_with(watch), "{text}");
    let mended = json!({"contract": {"actionSpec": {"watch": {"label": "Watch"}}}});
    let arguments = json!({"handshakeId": id, "props": {}, "override": mended});
    world.tool("ggui_render", arguments).await;
}

#[tokio::test]
async fn the_resource_of_a_render_is_a_page_that_carries_its_slice() {
    let (world, shown) = World::with_basket().await;
    let uri = shown.result["structuredContent"]["resourceUri"].clone();
    let read = world.rpc("resources/read", json!({"uri": uri})).await.body["result"].clone();
    let content = &read["contents"][0];
    assert_eq!(content["uri"], uri);
    assert_eq!(content["mimeType"], "text/html;profile=mcp-app");
    assert!(
        content["_meta"]["ui"]["csp"]["connectDomains"][1]
            .as_str()
            .unwrap()
            .starts_with("ws://")
    );
    let html = content["text"].as_str().unwrap();
    assert!(html.starts_with("<!doctype html>"));
    let (_, rest) = html
        .split_once("globalThis.__GGUI_META__ = ")
        .expect("the marker");
    let (meta, _) = rest.split_once(";</script>").expect("its end");
    let meta: Value = serde_json::from_str(meta).unwrap();
    assert_eq!(meta["ai.ggui/render"]["sessionId"], shown.session.as_str());
}
