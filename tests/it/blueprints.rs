//! Stored UIs are reused, and updates based on an outdated version change nothing.

use serde_json::{Value, json};

use crate::contracts::{basket, basket_props};
use crate::world::World;

async fn negotiate(world: &World, draft: Value) -> Value {
    let arguments = json!({"intent": "A basket", "blueprintDraft": draft});
    world.tool("ggui_handshake", arguments).await
}

async fn render(world: &World, agreed: &Value, more: Value) -> Value {
    let mut arguments = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
    for (key, value) in more.as_object().into_iter().flatten() {
        arguments[key] = value.clone();
    }
    world.tool("ggui_render", arguments).await
}

fn codes(agreed: &Value) -> Vec<(String, String)> {
    let findings = agreed["suggestion"]["validationFindings"].as_array();
    findings
        .into_iter()
        .flatten()
        .map(|finding| {
            assert_eq!(finding["severity"], "warn", "{finding}");
            let text = |name: &str| finding[name].as_str().expect("a text").to_owned();
            (text("code"), text("path"))
        })
        .collect()
}

#[tokio::test]
async fn the_same_contract_and_variance_are_rendered_again_from_what_is_stored() {
    let world = World::start().await;
    let first = negotiate(&world, json!({"contract": basket()})).await;
    assert_eq!(first["action"], "create");
    assert_eq!(first["suggestion"]["origin"], "agent");
    let cold = render(&world, &first, json!({})).await;
    let id = cold["blueprintId"].as_str().expect("an id").to_owned();
    assert!(id.starts_with("bp_"), "{id}");
    assert_eq!(cold["cache"]["hit"], false);
    assert_eq!(cold["cache"]["kind"], "cold");

    // Descriptions do not count; the stored contract is what is rendered.
    let mut described = basket();
    described["propsSpec"]["description"] = json!("Other words");
    let again = negotiate(&world, json!({"contract": described})).await;
    assert_eq!(again["action"], "reuse");
    let suggestion = &again["suggestion"];
    assert_eq!(suggestion["origin"], "cache");
    let rationale = suggestion["rationale"].as_str().expect("a text");
    assert!(rationale.starts_with("match-exact:"), "{rationale}");
    assert_eq!(suggestion["blueprintMeta"]["blueprintId"], id.as_str());
    let warm = render(&world, &again, json!({})).await;
    assert_eq!(warm["blueprintId"], id.as_str());
    assert_ne!(warm["sessionId"], cold["sessionId"]);
    let cache = &warm["cache"];
    assert_eq!(cache["hit"], true);
    assert_eq!(cache["kind"], "full-template");
    assert_eq!(cache["similarity"], 1.0);
    assert_eq!(cache["cachedBlueprintId"], id.as_str());
    assert_eq!(cache["llmCallsAvoided"], 1);
    assert_eq!(cache.get("tokensAvoided"), None, "no model drew it");
    world.stop().await;
}

#[tokio::test]
async fn another_variance_is_another_blueprint_and_an_override_reaches_what_is_stored() {
    let world = World::start().await;
    let minimal = json!({"contract": basket(), "variance": {"persona": "minimalist"}});
    let first = negotiate(&world, minimal).await;
    let gap = ("VARIANCE_GAP".to_owned(), "variance".to_owned());
    assert_eq!(codes(&first), [gap]);
    let cold = render(&world, &first, json!({})).await;
    assert_eq!(cold["variantKey"], "a7c00ab87ea54a9c");

    let plain = negotiate(&world, json!({"contract": basket()})).await;
    assert_eq!(plain["action"], "create", "another variance is another key");
    let variance = json!({"override": {"variance": {"persona": "minimalist"}}});
    let warm = render(&world, &plain, variance).await;
    assert_eq!(warm["blueprintId"], cold["blueprintId"]);
    assert_eq!(warm["cache"]["hit"], true);
    assert_eq!(warm["variantKey"], "a7c00ab87ea54a9c");

    let plain = negotiate(&world, json!({"contract": basket()})).await;
    let new = json!({"override": {"variance": {"persona": "analyst"}}});
    let cold = render(&world, &plain, new).await;
    assert_eq!(cold["cache"]["hit"], false);
    assert_ne!(cold["blueprintId"], warm["blueprintId"]);
}

#[tokio::test]
async fn a_forced_render_and_an_overriding_contract_are_new_whatever_is_stored() {
    let world = World::start().await;
    let first = negotiate(&world, json!({"contract": basket()})).await;
    let cold = render(&world, &first, json!({})).await;
    let arguments = json!({
        "intent": "A basket",
        "blueprintDraft": {"contract": basket()},
        "forceCreate": true,
    });
    let forced = world.tool("ggui_handshake", arguments).await;
    assert_eq!(
        forced["action"], "reuse",
        "matches are reported all the same"
    );
    let forced = render(&world, &forced, json!({})).await;
    assert_eq!(forced["cache"]["hit"], false);
    assert_ne!(forced["blueprintId"], cold["blueprintId"]);

    let next = negotiate(&world, json!({"contract": basket()})).await;
    let same = json!({"override": {"contract": basket()}});
    let overridden = render(&world, &next, same).await;
    assert_eq!(overridden["cache"]["hit"], false);
    assert_ne!(overridden["blueprintId"], forced["blueprintId"]);
    assert_eq!(overridden["contractHash"], "1ce5499e66c2ebfb");
}

#[tokio::test]
async fn an_agent_s_view_is_stored_and_its_gaps_are_reported_at_every_use() {
    let world = World::start().await;
    let components = json!([
        {"id": "root", "component": "Column", "children": ["note", "pay"]},
        {"id": "note", "component": "Text", "text": {"path": "/props/note"}},
        {"id": "pay", "component": "ActionButton", "label": "Pay", "action": "checkout"},
    ]);
    let draft = json!({"contract": basket(), "view": {"components": components}});
    let drawn = negotiate(&world, draft.clone()).await;
    let gaps: Vec<_> = [
        "propsSpec.properties.items",
        "propsSpec.properties.currency",
        "actionSpec.setQuantity",
        "contextSpec.coupon",
    ]
    .map(|path| ("COVERAGE_GAP".to_owned(), path.to_owned()))
    .into();
    assert_eq!(codes(&drawn), gaps);
    let shown = render(&world, &drawn, json!({})).await;

    let again = negotiate(&world, json!({"contract": basket(), "generator": "magic"})).await;
    assert_eq!(again["action"], "reuse");
    let unknown = "GENERATOR_UNKNOWN".to_owned();
    let unknown = (unknown, "blueprintDraft.generator".to_owned());
    assert_eq!(codes(&again), [gaps, vec![unknown]].concat());
    let warm = render(&world, &again, json!({})).await;
    assert_eq!(warm["blueprintId"], shown["blueprintId"]);
    let source = json!({"sessionId": warm["sessionId"]});
    let source = world.tool("ggui_get_render_source", source).await;
    let view: Value =
        serde_json::from_str(source["blueprint"]["source"].as_str().unwrap()).unwrap();
    assert_eq!(view["view"]["components"], components);

    // An agent that sends a view wants that view, not the stored one.
    let redrawn = negotiate(&world, draft).await;
    assert_eq!(redrawn["action"], "create");
}

#[tokio::test]
async fn an_app_keeps_a_limited_number_of_blueprints() {
    let world = World::start_with(|config| config.limits.blueprints.per_app_max = 1).await;
    let other = json!({"actionSpec": {"go": {"label": "Go"}}});
    for contract in [basket(), other] {
        let agreed = negotiate(&world, json!({"contract": contract})).await;
        assert_eq!(agreed["action"], "create");
        let arguments = json!({"handshakeId": agreed["handshakeId"], "props": basket_props()});
        world.tool("ggui_render", arguments).await;
    }
    let again = negotiate(&world, json!({"contract": basket()})).await;
    assert_eq!(again["action"], "create", "the older one had to go");
}

#[tokio::test]
async fn a_change_based_on_an_outdated_version_changes_nothing() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let amend = |tool: &'static str, note: &str, version: u64| {
        let arguments = json!({
            "sessionId": shown.session,
            "kind": "merge",
            "patch": {"note": note},
            "expectedVersion": version,
        });
        world.call(tool, arguments)
    };
    let first = amend("ggui_amend", "one", 1).await;
    assert_eq!(first["structuredContent"]["version"], 2, "{first}");
    for tool in ["ggui_amend", "ggui_update"] {
        let late = amend(tool, "two", 1).await;
        assert_eq!(late["isError"], true);
        let error = &late["structuredContent"]["error"];
        assert_eq!(error["code"], "version_conflict");
        assert_eq!(error["details"]["current_version"], 2);
        assert_eq!(error["details"]["expected_version"], 1);
        assert_eq!(error["details"]["status"], "CONFLICT");
    }
    let read = json!({"sessionId": shown.session});
    let state = world.tool("ggui_get_session", read.clone()).await;
    assert_eq!((&state["version"], &state["epoch"]), (&json!(2), &json!(0)));
    assert_eq!(state["props"]["note"], "one");
    let none = amend("ggui_amend", "one", 2).await;
    assert_eq!(none["structuredContent"]["updated"], false);
    assert_eq!(none["structuredContent"]["version"], 2);
    let next = amend("ggui_update", "three", 2).await;
    assert_eq!(next["structuredContent"]["version"], 3);
    assert_eq!(next["structuredContent"]["epoch"], 1);
    // A click changes the log but not the version.
    let (mut browser, _) = world.browse(&shown).await;
    let request = browser.act("checkout", Value::Null).await;
    assert_eq!(browser.answer_to(&request).await["type"], "ack");
    assert_eq!(world.tool("ggui_get_session", read).await["version"], 3);
}

#[tokio::test]
async fn of_twenty_changes_on_one_version_one_wins() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let changes = (0..20).map(|number| {
        let arguments = json!({
            "sessionId": shown.session,
            "kind": "merge",
            "patch": {"note": format!("{number}")},
            "expectedVersion": 1,
        });
        world.call("ggui_amend", arguments)
    });
    let results = futures_util::future::join_all(changes).await;
    let won = results.iter().filter(|result| result["isError"] != true);
    assert_eq!(won.count(), 1);
}

#[tokio::test]
async fn a_view_is_tried_in_tiers_before_it_is_negotiated() {
    let world = World::start().await;
    let shown = world.show(basket(), basket_props()).await;
    let read = json!({"sessionId": shown.session});
    let drawn = world.tool("ggui_get_render_source", read).await["blueprint"]["source"].clone();
    for (source, contract, props, failed_at) in [
        (drawn.clone(), basket(), basket_props(), Value::Null),
        (json!("{"), basket(), basket_props(), json!("compile")),
        (
            drawn.clone(),
            json!({"propsSpec": 1}),
            basket_props(),
            json!("compile"),
        ),
        (drawn.clone(), json!({}), json!({}), json!("selfCheck")),
        (drawn, basket(), json!({"note": 5}), json!("runtime")),
    ] {
        let arguments = json!({"source": source, "contract": contract, "fixtureProps": props});
        let tool = "ggui_protocol_validate_blueprint";
        let tried = world.tool(tool, arguments).await;
        assert_eq!(tried["failedAt"], failed_at, "{tried}");
        assert_eq!(tried["valid"], failed_at.is_null(), "{tried}");
        let errors = tried["errors"].as_array().expect("errors");
        assert_eq!(errors.is_empty(), failed_at.is_null(), "{tried}");
        assert!(
            errors.iter().all(|error| error["tier"] == failed_at),
            "{tried}"
        );
    }
    // Nothing of it is kept.
    let stored = world
        .tool("ggui_search_blueprints", json!({"query": "x"}))
        .await;
    assert!(
        stored["total"].as_u64().is_some_and(|total| total <= 1),
        "{stored}"
    );
}
