//! The props schema as it is enforced: one closed object for all props.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::close::{closed, emitted, profile};
use super::gate::Passed;
use super::hash::sha256_hex;
use super::values::Checker;
use crate::wire::contract::{Contract, Profile};

/// The props schema as enforced and hashed (ggui-mcp §3.7).
pub(super) struct Enforced {
    /// The SHA-256 of what the agent is shown, 64 hex digits.
    pub(super) hash: String,
    /// Which keywords it needs.
    pub(super) profile: Profile,
    /// The check of all props as one value.
    pub(super) checker: Checker,
}

/// Builds the schema from the props of a contract.
///
/// # Errors
///
/// The engine's words, for schemas the gate should have refused.
pub(super) fn enforced(passed: &Passed) -> Result<Enforced, String> {
    let closed = wrapped(&passed.contract, &passed.schemas);
    let schema = shown(&closed);
    Ok(Enforced {
        hash: sha256_hex(&schema),
        profile: profile(&schema),
        checker: Checker::new(&closed)?,
    })
}

/// The schema of all props as the agent is shown it.
pub(super) fn as_shown(contract: &Contract, schemas: &BTreeMap<String, Value>) -> Value {
    shown(&wrapped(contract, schemas))
}

/// One closed object of all props. Its keys are sorted, so that what refusals quote of it does not
/// depend on how the contract was written down.
fn wrapped(contract: &Contract, schemas: &BTreeMap<String, Value>) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, entry) in contract.props_spec.iter().flat_map(|spec| &spec.properties) {
        if let Some(schema) = schemas.get(&format!("propsSpec.properties.{name}.schema")) {
            properties.insert(name.clone(), schema.clone());
        }
        if entry.required == Some(true) {
            required.push(Value::from(name.as_str()));
        }
    }
    let wrapper = json!({"type": "object", "properties": properties, "required": required});
    let mut closed = closed(&wrapper);
    closed.sort_all_objects();
    closed
}

/// The canonical emission: the schema the agent is shown.
fn shown(closed: &Value) -> Value {
    let mut schema = emitted(closed);
    schema.sort_all_objects();
    schema
}

#[cfg(test)]
mod tests {
    use super::super::gate;
    use super::super::limits::ContractLimits;
    use super::super::samples;
    use super::*;

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
}
