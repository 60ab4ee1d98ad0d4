//! What an answer says to call next works when it is pasted.

use serde_json::{Value, json};

use crate::contracts::{basket, build_log, todo_list};
use crate::world::World;

/// The tool and the arguments of a call as an agent would copy it.
fn pasted(call: &str) -> (&str, Value) {
    let (tool, arguments) = call.split_once('(').expect("a call");
    let arguments = arguments.strip_suffix(')').expect("its end");
    // The names of the shorter call stand without quotes, as in a script.
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
    let hard = json!({"propsSpec": {"properties": {
        "code": prop(json!({"type": "string", "pattern": "^[A-Z]{3}-\\d{4}$"})),
        "slug": prop(json!({"type": "string", "pattern": "^[a-z]+(-[a-z]+)*$", "minLength": 20})),
        "tags": prop(json!({"type": "array", "items": {"type": "string"}, "minItems": 3, "uniqueItems": true})),
        "price": prop(json!({"type": "number", "multipleOf": 0.05, "exclusiveMinimum": 1})),
        "choice": prop(json!({"oneOf": [
            {"type": "object", "properties": {"kind": {"const": "card"}, "last": {"type": "string", "pattern": "^\\d{4}$"}}, "required": ["kind", "last"]},
            {"type": "object", "properties": {"kind": {"const": "cash"}}, "required": ["kind"]},
        ]})),
        "named": prop(json!({"type": "string", "not": {"enum": ["", "a"]}})),
        "when": prop(json!({"type": "string", "format": "date-time"})),
    }}, "actionSpec": {"go": {"label": "Go"}}});
    for contract in [json!({}), basket(), build_log(), todo_list(), hard] {
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
async fn where_no_value_fits_the_call_says_so_in_words() {
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
