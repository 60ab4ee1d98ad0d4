//! Every contract there is has a page with all of it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::composer::compose;
use super::helpers::{compiled, complete, complete_for};
use crate::domain::contract::{ContractLimits, generate, salvage, samples};

#[test]
fn every_entry_of_the_gallery_is_shown_completely_and_takes_its_props() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/gallery");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let entry: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let contract = compiled(&entry["contract"]);
        if let Err(violations) = contract.check_props(&entry["props"]) {
            panic!("{}: {violations:#?}", path.display());
        }
        for (channel, payloads) in entry["streams"].as_object().into_iter().flatten() {
            for payload in payloads.as_array().unwrap() {
                contract.check_emit(channel, payload).unwrap();
            }
        }
        complete_for(entry["contract"].clone(), entry["intent"].as_str().unwrap());
        seen += 1;
    }
    assert!(seen >= 40, "{seen}");
}

#[test]
fn odd_contracts_are_shown_completely_too() {
    let text = json!({"type":"string"});
    let number = json!({"type":"number"});
    let deep = json!({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object","properties":{"d":text}}}},
        "lines":{"type":"array","items":{"type":"object","properties":{"lineId":text,"price":number}}}}},"n":number}});
    for draft in [
        json!({}),
        json!({"actionSpec":{"go":{"label":"Go"},"stop":{"label":"Stop","schema":{"type":"object"}},
            "say":{"label":"Say","schema":{"type":"string"}},"any":{"label":"Any","schema":{}},
            "open":{"label":"Open","schema":{"type":"object","additionalProperties":{"type":"string"}}},
            "either":{"label":"Either","schema":{"type":"object","oneOf":[{"properties":{"a":text},"required":["a"]},{"properties":{"b":text},"required":["b"]}]}}}}),
        json!({"propsSpec":{"properties":{"deep":{"schema":deep}}},"actionSpec":{"removeLine":{"label":"Remove","schema":{"type":"object","properties":{"lineId":text},"required":["lineId"]}}}}),
        json!({"propsSpec":{"properties":{"a/b":{"schema":text},"m~n":{"schema":{"type":"array","items":{"type":"object","properties":{"x/y":number,"~":text}}}},"":{"schema":text},"a b":{"schema":number},"root":{"schema":number}}},
            "contextSpec":{"s/l~t":{"schema":text}},"streamSpec":{"c/h":{"schema":number}}}),
        json!({"propsSpec":{"properties":{"x":{"schema":{}},"y":{"schema":{"type":"array"}},"z":{"schema":{"anyOf":[{"type":"string"},{"type":"object"}]}},"tags":{"schema":{"type":"array","items":text}},
            "history":{"schema":{"type":"array","items":{"type":"object","properties":{"date":{"type":"string","format":"date"},"value":number}}}},"scores":{"schema":{"type":"array","items":number}},
            "photoUrl":{"schema":text},"body":{"schema":text},"revenue":{"schema":number},"cost":{"schema":number},"currency":{"schema":text},"isOn":{"schema":{"type":"boolean"}}}}}),
        json!({"contextSpec":{"a":{"schema":{}},"b":{"schema":{"type":"boolean"}},"c":{"schema":{"type":"string","enum":["x","y"]}},"d":{"schema":{"type":"string","format":"date"}},
            "e":{"schema":{"type":"array","items":text}},"f":{"schema":{"type":"array","items":{"type":"string","enum":["p","q"]}}},"g":{"schema":{"type":"integer","minimum":0,"maximum":9}},
            "h":{"schema":{"type":"object"}},"i":{"schema":{"type":"string","enum":["1","2","3","4","5","6"]}}}}),
        json!({"streamSpec":{"a":{"schema":{}},"b":{"schema":text},"c":{"mode":"replace","schema":number},"d":{"mode":"replace","schema":{"type":"object","properties":{"p":number,"q":number}}},
            "e":{"schema":{"type":"object","properties":{"q":number,"who":text}}},"f":{"mode":"replace","schema":{"type":"array","items":{"type":"object","properties":{"k":text}}}},
            "g":{"mode":"replace","schema":text},"h":{"mode":"replace","schema":{"type":"object","properties":{"p":number,"w":text}}},"i":{"mode":"replace","complete":true,"schema":{"type":"object","properties":{"percent":number}}},
            "j":{"schema":{"type":"object","properties":{"p":number}}},"k":{"mode":"replace","schema":{}}}}),
    ] {
        complete(draft);
    }
}

#[test]
fn the_same_contract_is_always_drawn_the_same() {
    let contract = compiled(&samples::basket());
    assert_eq!(
        compose(&contract, "x"),
        compose(&compiled(&samples::basket()), "x")
    );
}

#[test]
fn a_contract_as_large_as_the_gate_admits_is_still_drawn() {
    let props: serde_json::Map<_, _> = (0..600)
        .map(|n| (format!("prop{n}"), json!({"schema":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}}})))
        .collect();
    let actions: serde_json::Map<_, _> = (0..390)
        .map(|n| (format!("do{n}"), json!({"label":"Do"})))
        .collect();
    complete(json!({"propsSpec":{"properties":props},"actionSpec":actions}));
}

proptest! {
    #![proptest_config(generate::cases(120))]

    #[test]
    fn every_contract_there_is_has_a_page_with_all_of_it(draft in generate::contract()) {
        complete(draft);
    }

    #[test]
    fn whatever_is_saved_of_a_draft_has_a_page_with_all_of_it(draft in generate::broken()) {
        if let Some(saved) = salvage(&draft, &ContractLimits::default()).contract {
            complete(saved);
        }
    }
}
