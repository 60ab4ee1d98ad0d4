//! The published test vectors of contract.md §13, and more for props schemas.

use serde_json::{Value, json};

use super::enforced::as_shown;
use super::gate;
use super::hash::{
    canonical, canonical_contract, canonical_variance, contract_hash, sha256_hex, variant_key,
};
use super::limits::ContractLimits;
use super::samples;
use crate::domain::digest::{hex, sha256};
use crate::wire::contract::Profile;

fn props_schema(draft: &Value) -> Value {
    let passed = gate::check(draft, &ContractLimits::default());
    let passed = passed.map_err(|_| ()).unwrap();
    as_shown(&passed.contract, &passed.schemas)
}

#[test]
fn the_published_contracts_pass_without_a_remark_and_have_their_published_identities() {
    for (draft, hash, props) in [
        (
            samples::basket(),
            "1ce5499e66c2ebfb",
            "7285645dfc812b3190d61cedd237afff3b855b17eba966140285563c61da53e0",
        ),
        (
            samples::build_log(),
            "ebaa45e6a4d9704a",
            "530951b8b5ecb56259f871ca24105890fa4e9156722f5eb2a71e03f745e69757",
        ),
        (
            samples::field_report(),
            "ac45a45616413e34",
            "05fa0b71d86f0877d254797326aabaaa2d2d592e75e93aa20ad9ccc4b08eed19",
        ),
        (
            json!({}),
            "44136fa355b3678a",
            "d746974fa9afd5e951f76f9af38954b0ad7f436f2120dc974da65e5ee39f856f",
        ),
    ] {
        let contract = samples::compiled(&draft);
        assert_eq!(contract.hash(), hash);
        assert_eq!(contract.props_schema_hash(), props);
    }
}

#[test]
fn the_enforced_schema_of_the_basket_is_the_published_one() {
    assert_eq!(
        props_schema(&samples::basket()).to_string(),
        r#"{"additionalProperties":false,"properties":{"currency":{"enum":["EUR","USD","GBP"],"type":"string"},"items":{"items":{"additionalProperties":false,"properties":{"qty":{"type":"integer"},"sku":{"type":"string"},"title":{"type":"string"},"unitPrice":{"type":"number"}},"required":["qty","sku","title","unitPrice"],"type":"object"},"type":"array"},"note":{"type":["string","null"]}},"required":["currency","items"],"type":"object"}"#
    );
}

#[test]
fn the_published_props_schemas_have_their_published_hashes_profiles_and_verdicts() {
    let safe = Profile::GrammarSafe;
    let rows = json!({"type":"array","nullable":true,"items":{"type":"object","properties":{"id":{"type":"string"}}}});
    for (properties, hash, profile, valid, invalid) in [
        (
            json!({}),
            "d746974fa9af",
            safe,
            vec![json!({})],
            vec![json!({"x":1})],
        ),
        (
            json!({"when":{"required":true,"schema":{"type":"string","format":"date-time"}}}),
            "4a9fa57c154a",
            safe,
            vec![json!({"when":"2026-01-01T00:00:00Z"})],
            vec![json!({"when":"yesterday"})],
        ),
        (
            json!({"link":{"schema":{"type":"string","format":"url"}}}),
            "fa2b9ed841ac",
            Profile::Full,
            vec![json!({"link":"https://example.com/a"})],
            vec![json!({"link":"free text"})],
        ),
        (
            json!({"note":{"schema":{"type":"string","nullable":true}}}),
            "e45869c6cabb",
            safe,
            vec![json!({"note":null}), json!({"note":"x"}), json!({})],
            vec![json!({"note":1})],
        ),
        (
            json!({"meta":{"schema":{"type":"object","nullable":true}},"rows":{"schema":rows}}),
            "8fcc24245513",
            safe,
            vec![
                json!({"meta":null,"rows":null}),
                json!({"meta":{},"rows":[{"id":"a"}]}),
            ],
            vec![json!({"meta":{"a":1}}), json!({"rows":[{"id":"a","x":1}]})],
        ),
        (
            json!({"code":{"schema":{"type":"string","pattern":"^[A-Z]+$"}}}),
            "9e9fe92d5aa4",
            Profile::Full,
            vec![json!({"code":"ABC"})],
            vec![json!({"code":"abc"})],
        ),
        (
            json!({"tickets":{"required":true,"schema":{"type":"array","items":{"type":"string"}}},"asOf":{"required":true,"schema":{"type":"string"}}}),
            "b9d16dbdc03f",
            safe,
            vec![json!({"tickets":["a"],"asOf":"today"})],
            vec![json!({"tickets":["a"]}), json!({"asOf":"today"})],
        ),
        (
            json!({"status":{"required":true,"schema":{"type":"string","enum":["open","busy","tentative"]}}}),
            "1479a6193c96",
            safe,
            vec![json!({"status":"open"})],
            vec![
                json!({"status":"booked"}),
                json!({}),
                json!({"status":"open","x":1}),
            ],
        ),
    ] {
        let draft = json!({"propsSpec":{"properties":properties}});
        let (contract, schema) = (samples::compiled(&draft), props_schema(&draft));
        assert_eq!(&contract.props_schema_hash()[..12], hash, "{schema}");
        assert_eq!(contract.props_schema_profile(), profile, "{schema}");
        for props in valid {
            assert_eq!(contract.check_props(&props), Ok(()), "{schema} {props}");
        }
        for props in invalid {
            assert!(contract.check_props(&props).is_err(), "{schema} {props}");
        }
    }
}

#[test]
fn the_empty_contract_and_the_empty_variance_share_the_sentinel() {
    assert_eq!(contract_hash(&json!({})), "44136fa355b3678a");
    assert_eq!(variant_key(&json!({})), "44136fa355b3678a");
    let empties = json!({"persona":"","context":{}});
    assert_eq!(variant_key(&empties), "44136fa355b3678a");
}

#[test]
fn the_published_variances_have_their_published_keys() {
    assert_eq!(
        variant_key(&json!({"persona":"minimalist"})),
        "a7c00ab87ea54a9c"
    );
    let full = json!({"persona":"analyst","aesthetic":"calm","context":{"b":1,"a":[null,"x",""]},"seedPrompt":"dense"});
    assert_eq!(variant_key(&full), "52f8ad67d4b16f23");
}

#[test]
fn the_canonical_texts_of_the_basket_and_of_a_full_variance_are_the_published_ones() {
    assert_eq!(
        canonical(&canonical_contract(&samples::basket())),
        r#"{"actionSpec":{"checkout":{"confirm":true,"label":"Check out"},"setQuantity":{"label":"Change quantity","nextStep":"cart_set_qty","schema":{"additionalProperties":false,"properties":{"qty":{"type":"integer"},"sku":{"type":"string"}},"required":["sku","qty"],"type":"object"}}},"agentCapabilities":{"tools":{"cart_set_qty":{"example":{"input":{"qty":3,"sku":"A1"},"output":{"ok":true}},"serverInfo":{"name":"cart"},"toolInfo":{"inputSchema":{"additionalProperties":false,"properties":{"qty":{"type":"integer"},"sku":{"type":"string"}},"required":["sku","qty"],"type":"object"}}}}},"contextSpec":{"coupon":{"debounceMs":500,"default":"","schema":{"type":"string"}}},"propsSpec":{"properties":{"currency":{"required":true,"schema":{"enum":["EUR","USD","GBP"],"type":"string"}},"items":{"example":[{"qty":2,"sku":"A1","title":"Mug","unitPrice":7.5}],"required":true,"schema":{"items":{"properties":{"qty":{"type":"integer"},"sku":{"type":"string"},"title":{"type":"string"},"unitPrice":{"type":"number"}},"required":["sku","title","qty","unitPrice"],"type":"object"},"type":"array"}},"note":{"schema":{"nullable":true,"type":"string"}}}}}"#
    );
    let variance = json!({"persona":"analyst","aesthetic":"calm","context":{"b":1,"a":[null,"x",""]},"seedPrompt":"dense"});
    assert_eq!(
        canonical(&canonical_variance(&variance)),
        r#"{"aesthetic":"calm","context":{"a":["x"],"b":1},"persona":"analyst","seedPrompt":"dense"}"#
    );
}

/// The hash of validators that could be sent to a browser. No render names one, so the vectors only
/// compare the canonical text with the one other implementations produce.
#[test]
fn the_published_contracts_have_their_published_validators() {
    for (draft, hash) in [
        (
            samples::basket(),
            "3eff0da385e0f477a660cac02663814f7a1f3c5b2c70fbc8332c222ed3065e0d",
        ),
        (
            samples::build_log(),
            "ee95c55e0d7407d86ae42a2df815f2bb4689968f5944dfd113ae25016158bdcd",
        ),
        (
            samples::field_report(),
            "886914b17c91ccb85fb5c90f724ef36a46004d3419b42e2be178bc7e38a40487",
        ),
    ] {
        let specs = json!({
            "actionSpec": draft["actionSpec"],
            "contextSpec": draft["contextSpec"],
            "propsSpec": draft["propsSpec"],
            "streamSpec": draft["streamSpec"],
        });
        let text = format!("ggui-validators-v2\n{}", canonical(&specs));
        assert_eq!(hex(&sha256(text.as_bytes())), hash);
    }
}

/// The hash of a tool catalogue, which hosts may send to servers that accept one.
#[test]
fn the_published_tool_catalogues_have_their_published_hashes() {
    let catalogue = json!([["a", "z", null], ["todo_toggle", "todo", "1"]]);
    assert_eq!(&sha256_hex(&catalogue)[..16], "bba98ba01e8658e9");
    assert_eq!(&sha256_hex(&json!([]))[..16], "4f53cda18c2baa0c");
}
