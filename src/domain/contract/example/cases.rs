//! Tests that every example offered passes validation and stays small.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::compiled::CompiledContract;
use super::super::formats::FORMATS;
use super::super::generate::{cases, schema};
use super::super::limits::ContractLimits;
use super::super::samples;

fn compiled(draft: &Value) -> Option<CompiledContract> {
    let checked = CompiledContract::compile(draft, &ContractLimits::default());
    checked.ok().map(|checked| checked.contract)
}

fn sound(draft: &Value) -> CompiledContract {
    match CompiledContract::compile(draft, &ContractLimits::default()) {
        Ok(checked) => checked.contract,
        Err(findings) => panic!("{findings:?}"),
    }
}

/// The props of the offered call; `None` where the call says that it has none.
fn offered(contract: &CompiledContract) -> Option<Map<String, Value>> {
    let call = contract.example_call("h1");
    let arguments = call.strip_prefix("ggui_render(").unwrap();
    match arguments
        .strip_suffix(')')
        .map(serde_json::from_str::<Value>)
    {
        Some(Ok(arguments)) => {
            assert_eq!(arguments["handshakeId"], "h1");
            let props = arguments["props"].as_object().unwrap().clone();
            let whole = Value::Object(props.clone());
            assert_eq!(contract.check_props(&whole), Ok(()), "{call}");
            Some(props)
        }
        _ => {
            let starts =
                r#"ggui_render({"handshakeId":"h1","props":…}) with props that fit propsSpec"#;
            assert!(call.starts_with(starts), "{call}");
            None
        }
    }
}

fn of_schema(schema: &Value) -> Option<Value> {
    let draft = json!({"propsSpec": {"properties": {"p": {"schema": schema, "required": true}}}});
    let contract = sound(&draft);
    offered(&contract)?.get("p").cloned()
}

#[test]
fn the_sample_call_of_the_basket_fits_the_basket() {
    let contract = samples::compiled(&samples::basket());
    let call = contract.example_call("h1");
    assert_eq!(
        call,
        r#"ggui_render({"handshakeId":"h1","props":{"items":[{"sku":"A1","title":"Mug","qty":2,"unitPrice":7.5}],"currency":"EUR","note":""}})"#
    );
    let arguments = call
        .strip_prefix("ggui_render(")
        .and_then(|rest| rest.strip_suffix(')'))
        .unwrap();
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    assert_eq!(contract.check_props(&arguments["props"]), Ok(()));
}

#[test]
fn the_sample_call_lists_required_props_first_and_keeps_the_declared_order() {
    let text = json!({"type":"string"});
    let draft = json!({"propsSpec":{"properties":{
        "zebra":{"schema":text}, "yak":{"schema":text,"required":true},
        "ant":{"schema":text}, "bee":{"schema":text,"required":true}}}});
    assert_eq!(
        samples::compiled(&draft).example_call("h"),
        r#"ggui_render({"handshakeId":"h","props":{"yak":"","bee":"","zebra":"","ant":""}})"#
    );
}

#[test]
fn a_required_prop_without_an_example_is_named_and_an_optional_one_is_left_out() {
    let impossible = json!({"type": "integer", "minimum": 2, "maximum": 1});
    let long = json!({"type": "string", "minLength": 100_000});
    let draft = json!({"propsSpec": {"properties": {
        "fine": {"schema": {"type": "string"}, "required": true},
        "none": {"schema": impossible, "required": true},
        "long": {"schema": long, "required": true},
    }}});
    let contract = sound(&draft);
    assert_eq!(offered(&contract), None);
    assert!(
        contract
            .example_call("h1")
            .ends_with("because no value that fits was found for \"none\", \"long\""),
    );
    let mut draft = draft;
    for name in ["none", "long"] {
        draft["propsSpec"]["properties"][name]["required"] = json!(false);
    }
    let contract = sound(&draft);
    let names: Vec<_> = offered(&contract).unwrap().into_iter().collect();
    assert_eq!(names, [("fine".to_owned(), json!(""))]);
}

#[test]
fn an_example_or_default_that_does_not_fit_is_not_offered() {
    let schema = json!({"type": "integer", "minimum": 3});
    let draft = json!({"propsSpec": {"properties": {
        "a": {"schema": schema, "required": true, "example": "x", "default": 2},
        "b": {"schema": schema, "required": true, "example": "x", "default": 4},
        "c": {"schema": schema, "required": true, "example": 5, "default": 4},
    }}});
    let props = offered(&sound(&draft)).unwrap();
    assert_eq!(Value::Object(props), json!({"a": 3, "b": 4, "c": 5}));
}

#[test]
fn an_example_is_offered_for_any_prop_name_and_however_many_do_not_fit() {
    let names = ["a b", "a", "a.b", "", "ä", "props", "a[0]"].map(str::to_owned);
    let many = (0..150).map(|at| format!("p{at}"));
    let schema = json!({"type": "string"});
    let props: Map<String, Value> = names
        .into_iter()
        .chain(many)
        .map(|name| {
            let entry = json!({"schema": schema, "required": true, "example": 1, "default": "x"});
            (name, entry)
        })
        .collect();
    let offered = offered(&sound(&json!({"propsSpec": {"properties": props}})));
    assert_eq!(offered.unwrap().len(), 157);
}

#[test]
fn a_placeholder_of_a_format_fits_it() {
    for format in FORMATS {
        let draft = json!({"type": "string", "format": format});
        assert!(of_schema(&draft).is_some(), "{format}");
    }
}

#[test]
fn an_example_too_large_to_be_read_is_left_out_and_leaves_room_for_others() {
    let nested = |levels: usize, least: Value| {
        (0..levels).fold(
            json!({"type": "integer"}),
            |items, _| json!({"type": "array", "items": items, "minItems": least}),
        )
    };
    let long = json!({"type": "string", "minLength": 1_000});
    let draft = json!({"propsSpec": {"properties": {
        "deep": {"schema": nested(5, json!(100))},
        "float": {"schema": nested(3, json!(1e2))},
        "endless": {"schema": nested(1, json!(1e18))},
        "texts": {"schema": {"type": "array", "items": long, "minItems": 1_000}},
        "few": {"schema": nested(2, json!(10))},
    }}});
    let props = offered(&sound(&draft)).unwrap();
    assert_eq!(props.keys().collect::<Vec<_>>(), ["few"]);
    assert_eq!(props["few"], json!(vec![vec![0; 10]; 10]));
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn no_example_is_offered_that_does_not_fit(
        schemas in prop::collection::vec((schema(), any::<bool>()), 1..4),
    ) {
        let props: Map<String, Value> = schemas
            .into_iter()
            .enumerate()
            .map(|(at, (schema, required))| {
                (format!("p{at}"), json!({"schema": schema, "required": required}))
            })
            .collect();
        if let Some(contract) = compiled(&json!({"propsSpec": {"properties": props}})) {
            offered(&contract);
        }
    }
}
