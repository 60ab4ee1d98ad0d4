//! The enforced props schema: one closed object schema for all props.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::close::{closed, emitted, profile};
use super::gate::Passed;
use super::hash::sha256_hex;
use super::values::Checker;
use crate::wire::contract::{Contract, Profile};

/// The props schema as enforced and hashed (contract.md §7).
pub(super) struct Enforced {
    /// The SHA-256 of the schema the agent is shown, 64 hex digits.
    pub(super) hash: String,
    /// Which keywords the schema needs.
    pub(super) profile: Profile,
    /// Validates all props as one value.
    pub(super) checker: Checker,
}

/// Builds the schema from the props of a contract.
///
/// # Errors
///
/// The validator's message, for schemas that the gate should have refused.
pub(super) fn enforced(passed: &Passed) -> Result<Enforced, String> {
    let closed = wrapped(&passed.contract, &passed.schemas);
    let schema = shown(&closed);
    Ok(Enforced {
        hash: sha256_hex(&schema),
        profile: profile(&schema),
        checker: Checker::new(&closed, &passed.patterns)?,
    })
}

/// The schema of all props as it is shown to the agent.
pub(super) fn as_shown(contract: &Contract, schemas: &BTreeMap<String, Value>) -> Value {
    shown(&wrapped(contract, schemas))
}

/// Builds one closed object schema of all props. Its keys are sorted, so that the messages that
/// quote it do not depend on the order in which the contract was written.
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

/// The canonical form: the schema the agent is shown.
fn shown(closed: &Value) -> Value {
    let mut schema = emitted(closed);
    schema.sort_all_objects();
    schema
}
