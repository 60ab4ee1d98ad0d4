//! The catalog: which components a view may name, read from `schemas/catalog.json`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::domain::contract::{Checker, ContractLimits};
use crate::domain::digest::{hex, sha256};

/// The catalog every view names.
pub(super) const CATALOG_ID: &str = "urn:proscenium:catalog:v1";

/// The catalog as the browser and agents read it too.
pub(crate) const SOURCE: &str = include_str!("../../../schemas/catalog.json");

/// The checks of the components.
static COMPONENTS: LazyLock<BTreeMap<String, Checker>> =
    LazyLock::new(|| checkers("components", |schema| Some(schema)));

/// The checks of what the functions are given.
static FUNCTIONS: LazyLock<BTreeMap<String, Checker>> =
    LazyLock::new(|| checkers("functions", |function| function.get("args")));

/// The checks of all entries of a part of the catalog.
fn checkers(part: &str, schema: impl Fn(&Value) -> Option<&Value>) -> BTreeMap<String, Checker> {
    // A catalog that does not parse leaves no component, so every view is refused; the tests
    // keep that from ever being built.
    let source: Value = serde_json::from_str(SOURCE).unwrap_or_default();
    let limits = ContractLimits::default();
    let entries = source.get(part).and_then(Value::as_object);
    entries
        .into_iter()
        .flatten()
        .filter_map(|(name, entry)| {
            let mut schema = schema(entry)?.clone();
            schema.as_object_mut()?.insert(
                "$defs".to_owned(),
                source.get("$defs").cloned().unwrap_or(json!({})),
            );
            Some((name.clone(), Checker::standalone(&schema, &limits).ok()?))
        })
        .collect()
}

/// First digits of the catalog's SHA-256: what was drawn for another catalog is not found again.
pub(crate) fn hash() -> &'static str {
    const HASH_DIGITS: usize = 16;
    static HASH: LazyLock<String> =
        LazyLock::new(|| hex(&sha256(SOURCE.as_bytes()))[..HASH_DIGITS].to_owned());
    &HASH
}

/// The check of one component; `None` if the catalog does not have it.
pub(super) fn component(name: &str) -> Option<&'static Checker> {
    COMPONENTS.get(name)
}

/// The check of what one function is given; `None` if the catalog does not have it.
pub(super) fn function(name: &str) -> Option<&'static Checker> {
    FUNCTIONS.get(name)
}

/// The names of all components.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMPONENTS.keys().map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_and_every_function_of_the_catalog_compiles() {
        let source: Value = serde_json::from_str(SOURCE).unwrap();
        assert_eq!(source["catalogId"], CATALOG_ID);
        for (name, schema) in source["components"].as_object().unwrap() {
            let mut schema = schema.clone();
            schema["$defs"] = source["$defs"].clone();
            let problem = Checker::standalone(&schema, &ContractLimits::default()).err();
            assert_eq!(problem, None, "{name}");
            assert_eq!(schema["properties"]["component"]["const"], name.as_str());
        }
        assert_eq!(names().count(), 56);
        for (name, entry) in source["functions"].as_object().unwrap() {
            let mut schema = entry["args"].clone();
            schema["$defs"] = source["$defs"].clone();
            let problem = Checker::standalone(&schema, &ContractLimits::default()).err();
            assert_eq!(problem, None, "{name}");
        }
        assert_eq!(FUNCTIONS.len(), 14);
    }

    #[test]
    fn a_component_refuses_members_it_does_not_have() {
        let text = component("Text").unwrap();
        let good = json!({"id":"a","component":"Text","text":{"path":"/props/x"},"weight":1});
        assert_eq!(text.check(&good, ""), Ok(()));
        let bad = json!({"id":"a","component":"Text","text":{"pth":"/props/x"},"onclick":"x"});
        assert!(text.check(&bad, "").unwrap_err().len() >= 2);
    }
}
