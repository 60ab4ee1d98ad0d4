//! The call that a result suggests next works when it is pasted.

use serde_json::{Value, json};

use crate::contracts::{basket, build_log, todo_list};
use crate::world::World;

/// The tool and the arguments of a call as an agent would copy it.
fn pasted(call: &str) -> (&str, Value) {
    let (tool, arguments) = call.split_once('(').expect("a call");
    let arguments = arguments.strip_suffix(')').expect("its end");
    // The shorter call has names without quotes, as in a script.
    let quoted = arguments
        .replace("{ sessionId:", "{ \"sessionId\":")
        .replace(", timeout:", ", \"timeout\":")
        .replace(", after:", ", \"after\":");
    (tool, serde_json::from_str(&quoted).expect("JSON"))
}

async fn agreed(world: &World, contract: Value) -> Value {
    let arguments = json!({"intent": "A test", "blueprintDraft": {"contract": contract}});
    let agreed = world.tool("ggui_handshake", arguments).await;
    assert_eq!(agreed["action"], "create", "{agreed}");
    agreed
}

#[tokio::test]
async fn the_call_after_a_handshake_renders_and_the_one_after_that_waits() {
    let world = World::start().await;
    let prop = |schema: Value| json!({"schema": schema, "required": true});
    let bounded = json!({"propsSpec": {"properties": {
        "code": {"schema": {"type": "string", "pattern": "^[A-Z]{3}$"}, "required": true, "example": "ABC"},
        "more": {"schema": {"type": "string", "pattern": "^[A-Z]{3}$"}},
        "tags": prop(json!({"type": "array", "items": {"type": "string"}, "minItems": 3})),
        "price": prop(json!({"type": "number", "exclusiveMinimum": 1})),
        "choice": prop(json!({"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "card"}}, "required": ["kind"]},
            {"type": "object", "properties": {"kind": {"const": "cash"}}, "required": ["kind"]},
        ]})),
        "when": prop(json!({"type": "string", "format": "date-time"})),
    }}, "actionSpec": {"go": {"label": "Go"}}});
    for contract in [json!({}), basket(), build_log(), todo_list(), bounded] {
        let agreed = agreed(&world, contract.clone()).await;
        let call = agreed["nextStep"]["example"].as_str().expect("a call");
        let (tool, arguments) = pasted(call);
        let rendered = world.tool(tool, arguments).await;
        assert_eq!(tool, "ggui_render");
        let next = &rendered["nextStep"];
        let has_actions = contract.get("actionSpec").is_some();
        assert_eq!(next.is_object(), has_actions, "{rendered}");
        if has_actions {
            let (tool, mut arguments) = pasted(next["example"].as_str().expect("a call"));
            // Nobody will click.
            arguments["timeout"] = json!(0);
            assert_eq!(world.tool(tool, arguments).await["status"], "active");
        }
    }
}

#[tokio::test]
async fn where_no_value_fits_the_call_says_so() {
    let world = World::start().await;
    let contract = json!({"propsSpec": {"properties": {
        "none": {"schema": {"type": "integer", "minimum": 2, "maximum": 1}, "required": true},
    }}});
    let agreed = agreed(&world, contract).await;
    let call = agreed["nextStep"]["example"].as_str().expect("a text");
    let id = agreed["handshakeId"].as_str().expect("an id");
    let begins =
        format!("ggui_render({{\"handshakeId\":\"{id}\",\"props\":…}}) with props that fit");
    assert!(
        call.starts_with(&begins) && call.ends_with("no value that fits was found for \"none\""),
        "{call}"
    );
}

#[tokio::test]
async fn a_schema_of_nested_lists_does_not_produce_an_example_that_fills_the_memory() {
    let world = World::start().await;
    for depth in [3, 5, 20] {
        let items = (0..depth).fold(
            json!({"type": "integer"}),
            |items, _| json!({"type": "array", "items": items, "minItems": 100}),
        );
        let lists = json!({"propsSpec": {"properties": {
            "lists": {"schema": items, "required": true},
        }}});
        let agreed = agreed(&world, lists).await;
        let call = agreed["nextStep"]["example"].as_str().expect("a text");
        assert!(
            call.ends_with("no value that fits was found for \"lists\""),
            "{depth} levels: {} bytes",
            call.len()
        );
    }
}
