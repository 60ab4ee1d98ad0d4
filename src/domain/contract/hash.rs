//! The hashes that identify contracts, variances and schemas: SHA-256 over RFC 8785 JSON.

use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization;

use crate::domain::digest::{hex, sha256};

/// Contract and variant keys are the first 16 hex digits (contract.md §9).
const KEY_HEX: usize = 16;

/// The hash of a contract, without its descriptive texts (contract.md §9).
pub(crate) fn contract_hash(contract: &Value) -> String {
    key(&canonical_contract(contract))
}

/// The hash of a variance, without its empty members (contract.md §9).
pub(crate) fn variant_key(variance: &Value) -> String {
    key(&canonical_variance(variance))
}

/// The part of a contract that is hashed.
pub(super) fn canonical_contract(contract: &Value) -> Value {
    normalised(&without_prose(&without_versions(contract)))
}

/// The part of a variance that is hashed.
pub(super) fn canonical_variance(variance: &Value) -> Value {
    let kept = without_empties(&normalised(variance));
    kept.unwrap_or_else(|| Value::Object(Map::new()))
}

/// The SHA-256 of the canonical JSON of `value`, 64 hex digits.
pub(super) fn sha256_hex(value: &Value) -> String {
    hex(&sha256(canonical(value).as_bytes()))
}

/// The canonical JSON (RFC 8785) of `value`.
pub(super) fn canonical(value: &Value) -> String {
    // Only a non-finite number or a failing writer could fail here, and a `Value` in memory has
    // neither; the plain JSON keeps the function total.
    serde_jcs::to_string(value).unwrap_or_else(|_| value.to_string())
}

fn key(value: &Value) -> String {
    let mut hex = sha256_hex(value);
    hex.truncate(KEY_HEX);
    hex
}

/// Drops the version of every tool's server: a new release is still the same tool.
fn without_versions(contract: &Value) -> Value {
    let mut contract = contract.clone();
    let tools = contract
        .pointer_mut("/agentCapabilities/tools")
        .and_then(Value::as_object_mut);
    for (_, tool) in tools.into_iter().flatten() {
        if let Some(server) = tool.get_mut("serverInfo").and_then(Value::as_object_mut) {
            server.retain(|name, _| name == "name");
        }
    }
    contract
}

fn without_prose(value: &Value) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .filter(|(name, inner)| {
                !(inner.is_string() && matches!(name.as_str(), "description" | "usage"))
            })
            .map(|(name, inner)| (name.clone(), without_prose(inner)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) => items.iter().map(without_prose).collect(),
        _ => value.clone(),
    }
}

fn normalised(value: &Value) -> Value {
    match value {
        Value::String(text) => Value::String(text.nfc().collect()),
        Value::Object(map) => {
            // Two spellings of one name have to end up in the same order, whichever comes first.
            let mut members: Vec<_> = map.iter().collect();
            members.sort_unstable_by_key(|(name, _)| name.as_str());
            members
                .into_iter()
                .map(|(name, inner)| (name.nfc().collect::<String>(), normalised(inner)))
                .collect::<Map<_, _>>()
                .into()
        }
        Value::Array(items) => items.iter().map(normalised).collect(),
        _ => value.clone(),
    }
}

fn without_empties(value: &Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) => (!text.is_empty()).then(|| value.clone()),
        Value::Object(map) => {
            let kept: Map<_, _> = map
                .iter()
                .filter_map(|(name, inner)| Some((name.clone(), without_empties(inner)?)))
                .collect();
            (!kept.is_empty()).then_some(Value::Object(kept))
        }
        Value::Array(items) => {
            let kept: Vec<_> = items.iter().filter_map(without_empties).collect();
            (!kept.is_empty()).then_some(Value::Array(kept))
        }
        _ => Some(value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn prose_and_server_versions_do_not_count_but_a_prop_named_description_does() {
        let plain =
            json!({"propsSpec":{"properties":{"description":{"schema":{"type":"string"}}}}});
        let mut prose = plain.clone();
        prose["propsSpec"]["description"] = json!("words");
        assert_eq!(contract_hash(&plain), contract_hash(&prose));
        let without = json!({"propsSpec":{"properties":{}}});
        assert_ne!(contract_hash(&plain), contract_hash(&without));
        let tool = |version: &str| json!({"agentCapabilities":{"tools":{"t":{"toolInfo":{"inputSchema":{}},"serverInfo":{"name":"s","version":version}}}}});
        assert_eq!(contract_hash(&tool("1")), contract_hash(&tool("2")));
    }

    #[test]
    fn the_order_of_keys_does_not_count() {
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        let one = parse(
            r#"{"propsSpec":{"properties":{"b":{"schema":{"type":"string","const":{"y":1,"x":2}}},"a":{"schema":{}}}},"actionSpec":{"go":{"label":"Go"},"be":{"label":"Be"}}}"#,
        );
        let other = parse(
            r#"{"actionSpec":{"be":{"label":"Be"},"go":{"label":"Go"}},"propsSpec":{"properties":{"a":{"schema":{}},"b":{"schema":{"const":{"x":2,"y":1},"type":"string"}}}}}"#,
        );
        assert_ne!(one.to_string(), other.to_string());
        assert_eq!(contract_hash(&one), contract_hash(&other));
        assert_eq!(variant_key(&one), variant_key(&other));
        assert_eq!(sha256_hex(&one), sha256_hex(&other));
        let (composed, decomposed) = ("\u{e9}", "e\u{301}");
        let twice = json!({composed: 1, decomposed: 2});
        let turned = json!({decomposed: 2, composed: 1});
        assert_eq!(contract_hash(&twice), contract_hash(&turned));
    }

    #[test]
    fn composed_and_decomposed_characters_are_the_same_contract() {
        assert_eq!(
            contract_hash(&json!({"x":"\u{e9}"})),
            contract_hash(&json!({"x":"e\u{301}"}))
        );
    }
}
