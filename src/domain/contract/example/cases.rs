//! Which samples are found, and that each of them fits.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::super::close::closed;
use super::super::compiled::CompiledContract;
use super::super::formats::FORMATS;
use super::super::generate::{cases, contract, schema, value};
use super::super::limits::ContractLimits;
use super::super::samples;
use super::super::values::Checker;
use super::search::Search;

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

/// The props of the call that is offered; none where it says that there are none.
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
fn a_sample_is_found_for_every_keyword_there_is() {
    let text = |more: Value| {
        let mut schema = json!({"type": "string"});
        for (name, value) in more.as_object().unwrap() {
            schema[name] = value.clone();
        }
        schema
    };
    let list = |items: Value, more: Value| {
        let mut schema = json!({"type": "array", "items": items});
        for (name, value) in more.as_object().unwrap() {
            schema[name] = value.clone();
        }
        schema
    };
    let record = |properties: Value, more: Value| {
        let mut schema = json!({"type": "object", "properties": properties});
        for (name, value) in more.as_object().unwrap() {
            schema[name] = value.clone();
        }
        schema
    };
    let code = text(json!({"pattern": "^[A-Z]{3}-\\d{4}$"}));
    for schema in [
        code.clone(),
        text(json!({"pattern": "^[a-z]+$", "minLength": 12})),
        text(json!({"pattern": "^[a-z]*$", "minLength": 12, "maxLength": 12})),
        text(json!({"pattern": "^(foo|barbar)\\d?$", "minLength": 5})),
        text(json!({"pattern": "b", "minLength": 4, "maxLength": 4})),
        text(json!({"pattern": "^\\S+@\\S+\\.\\w{2,}$"})),
        text(json!({"pattern": "^#(?:[0-9a-fA-F]{3}){1,2}$"})),
        text(json!({"pattern": "^v\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.]+)?$"})),
        text(json!({"pattern": "^[^\\s]+$", "maxLength": 3})),
        text(json!({"pattern": "^\\p{Lu}"})),
        text(json!({"pattern": "^\\+?[1-9]\\d{7,14}$", "minLength": 16})),
        text(json!({"pattern": "^\\d{4}-\\d{2}-\\d{2}$"})),
        text(json!({"minLength": 3, "maxLength": 3})),
        text(json!({"maxLength": 0})),
        text(json!({"not": {"const": ""}})),
        text(json!({"not": {"enum": ["", "a"]}, "minLength": 1, "maxLength": 1})),
        text(json!({"format": "email", "minLength": 30})),
        text(json!({"format": "uri", "maxLength": 24, "minLength": 24})),
        text(json!({"format": "uri", "not": {"const": "https://example.com/"}})),
        json!({"type": "number", "multipleOf": 0.01, "minimum": 0.005}),
        json!({"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 0.5}),
        json!({"type": "number", "minimum": 1.5, "maximum": 1.5}),
        json!({"type": "number", "maximum": -0.5, "exclusiveMinimum": -1}),
        json!({"type": "integer", "multipleOf": 7, "minimum": 10, "maximum": 14}),
        json!({"type": "integer", "exclusiveMinimum": 3, "exclusiveMaximum": 5}),
        json!({"type": "integer", "maximum": -3, "multipleOf": 5}),
        json!({"type": "integer", "not": {"const": 0}}),
        json!({"type": "integer", "format": "int32", "minimum": 2_147_483_647}),
        json!({"const": {"a": [1]}}),
        json!({"enum": [{"a": 1}, 2]}),
        json!({"type": "integer", "enum": ["a", 2.5, 3]}),
        list(
            json!({"type": "string"}),
            json!({"minItems": 3, "uniqueItems": true}),
        ),
        list(code, json!({"minItems": 3, "uniqueItems": true})),
        list(
            json!({"type": "boolean"}),
            json!({"minItems": 2, "uniqueItems": true}),
        ),
        list(
            json!({"enum": ["a", "b", "c"]}),
            json!({"minItems": 3, "uniqueItems": true}),
        ),
        list(
            json!({"type": "integer", "minimum": 5}),
            json!({"minItems": 9, "uniqueItems": true}),
        ),
        list(
            json!({"type": "string", "format": "uuid"}),
            json!({"minItems": 2, "uniqueItems": true}),
        ),
        list(
            record(
                json!({"id": {"type": "integer"}}),
                json!({"required": ["id"]}),
            ),
            json!({"minItems": 4, "uniqueItems": true}),
        ),
        list(
            list(json!({"type": "string"}), json!({})),
            json!({"minItems": 2, "uniqueItems": true}),
        ),
        list(
            json!({"type": "integer"}),
            json!({"contains": {"type": "integer", "minimum": 9}}),
        ),
        list(json!({"type": "integer"}), json!({"maxItems": 0})),
        record(
            json!({"a": {"type": "string"}}),
            json!({"required": ["a"], "minProperties": 1}),
        ),
        json!({"type": "object", "minProperties": 3, "additionalProperties": {"type": "integer"}}),
        json!({"type": "object", "minProperties": 2, "additionalProperties": {"type": "integer"},
            "propertyNames": {"type": "string", "pattern": "^[a-z]{2}$"}}),
        json!({"type": "object", "minProperties": 2, "additionalProperties": false,
            "patternProperties": {"^x-[a-z]$": {"type": "boolean"}}}),
        record(
            json!({"card": {"type": "string"}, "address": {"type": "string", "minLength": 2}}),
            json!({"required": ["card"], "dependencies": {"card": ["address"]}}),
        ),
        record(
            json!({"a": {"type": "string"}, "b": {"type": "string"}, "c": {"type": "string"}}),
            json!({"required": ["b"], "maxProperties": 2}),
        ),
        json!({"oneOf": [
            record(json!({"kind": {"const": "a"}, "n": {"type": "integer", "minimum": 1}}),
                json!({"required": ["kind", "n"]})),
            record(json!({"kind": {"const": "b"}}), json!({"required": ["kind"]})),
        ]}),
        json!({"anyOf": [{"type": "string", "pattern": "^\\d{3}$"}, {"type": "null"}]}),
        json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 1}]}),
        json!({"allOf": [
            {"type": "integer", "minimum": 3}, {"type": "integer", "maximum": 3},
        ]}),
        record(
            json!({"kind": {"type": "string"}, "size": {"type": "integer"}}),
            json!({
                "required": ["kind"],
                "if": {"properties": {"kind": {"const": "box"}}, "type": "object"},
                "then": {"type": "object", "properties": {"size": {"type": "integer"}}, "required": ["size"]},
                "else": {"type": "object", "properties": {"kind": {"const": "bag"}}},
            }),
        ),
        json!({"type": ["string", "null"], "pattern": "^[A-Z]$"}),
        json!({"type": "string", "nullable": true, "pattern": "^[A-Z]$"}),
        record(
            json!({"rows": list(
                record(
                    json!({"sku": {"type": "string", "pattern": "^[A-Z]{2}\\d{2}$"},
                        "qty": {"type": "integer", "minimum": 1, "multipleOf": 6}}),
                    json!({"required": ["sku", "qty"]}),
                ),
                json!({"minItems": 2, "uniqueItems": true}),
            )}),
            json!({"required": ["rows"]}),
        ),
        json!({}),
    ] {
        assert!(of_schema(&schema).is_some(), "{schema}");
    }
}

#[test]
fn a_sample_of_every_format_fits_it_and_there_are_others() {
    // These four speak of numbers.
    let of_numbers = ["double", "float", "int32", "int64"];
    for format in FORMATS.iter().filter(|name| !of_numbers.contains(name)) {
        let schema = json!({"type": "array", "minItems": 3, "uniqueItems": true,
            "items": {"type": "string", "format": format, "minLength": 1}});
        assert!(of_schema(&schema).is_some(), "{format}");
    }
}

#[test]
fn what_nothing_fits_is_said_in_words_and_what_may_be_left_out_is() {
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
    let schema = json!({"type": "integer", "minimum": 3, "default": 1});
    let draft = json!({"propsSpec": {"properties": {
        "a": {"schema": schema, "required": true, "example": "x", "default": 2},
        "b": {"schema": schema, "required": true, "example": "x", "default": 4},
        "c": {"schema": schema, "required": true, "example": 5, "default": 4},
    }}});
    let props = offered(&sound(&draft)).unwrap();
    assert_eq!(Value::Object(props), json!({"a": 3, "b": 4, "c": 5}));
}

#[test]
fn a_sample_is_found_whatever_a_prop_is_called_and_however_many_do_not_fit() {
    let schema = json!({"type": "string", "minLength": 1, "not": {"const": "x"}});
    let names = ["a b", "a", "a.b", "", "ä", "props", "a[0]"].map(str::to_owned);
    let many = (0..150).map(|at| format!("p{at}"));
    let props: Map<String, Value> = names
        .into_iter()
        .chain(many)
        .map(|name| (name, json!({"schema": schema, "required": true})))
        .collect();
    let offered = offered(&sound(&json!({"propsSpec": {"properties": props}})));
    assert_eq!(offered.unwrap().len(), 157);
}

#[test]
fn a_search_ends_however_many_patterns_there_are() {
    let hard: Map<String, Value> = (0..60)
        .map(|at| {
            let pattern = format!("^(?:[a-z]{{20}}\\d{{{}}}){{9}}$", 1 + at % 30);
            let schema = json!({"type": "string", "pattern": pattern, "maxLength": 5});
            (
                format!("p{at}"),
                json!({"schema": schema, "required": true}),
            )
        })
        .collect();
    let contract = sound(&json!({"propsSpec": {"properties": hard}}));
    assert_eq!(offered(&contract), None);
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

    #[test]
    fn a_contract_of_sound_parts_is_always_given_an_example(draft in contract()) {
        let contract = sound(&draft);
        prop_assert!(offered(&contract).is_some(), "{draft}");
    }

    #[test]
    fn where_chance_finds_a_value_the_search_finds_one_too(
        schema in schema(),
        values in prop::collection::vec(value(), 24),
    ) {
        if let Ok(checker) = Checker::new(&closed(&schema)) {
            let is_easy = values.iter().any(|value| checker.check(value, "").is_ok());
            let found = Search::default().first_of(&schema, [].iter());
            prop_assert!(!is_easy || found.is_some(), "{schema}");
            if let Some(found) = found {
                prop_assert_eq!(checker.check(&found, ""), Ok(()));
            }
        }
    }
}
