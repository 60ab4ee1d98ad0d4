//! All phases of the gate, one after the other.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::super::findings::{bounded, error};
use super::super::limits::ContractLimits;
use super::super::shape;
use super::compatibility::compatibility;
use super::hygiene::hygiene;
use super::references::{names, references};
use super::schemas::schemas;
use crate::wire::contract::{Contract, Finding};

/// A draft that passed, with its schemas written out.
pub(in super::super) struct Passed {
    /// The typed contract.
    pub(in super::super) contract: Contract,
    /// Its schemas without references, by finding path.
    pub(in super::super) schemas: BTreeMap<String, Value>,
    /// What could be better.
    pub(in super::super) warnings: Vec<Finding>,
}

/// Top-level members of contracts of the past, and what took their place.
const RETIRED: &[(&str, &str)] = &[
    ("libraries", "clientCapabilities.gadgets"),
    (
        "dispatch",
        "agentCapabilities.tools with actionSpec.<action>.nextStep",
    ),
    ("wiredTools", "agentCapabilities.tools"),
    ("clientTools", "clientCapabilities.gadgets"),
    ("broadcast", "streamSpec.<channel>.source"),
    ("capabilities", "agentCapabilities and clientCapabilities"),
];

/// Runs the phases of contract.md §4.1 over `draft`.
///
/// # Errors
///
/// Every problem of every phase; the phases after the shape need a clean shape.
pub(in super::super) fn check(
    draft: &Value,
    limits: &ContractLimits,
) -> Result<Passed, Vec<Finding>> {
    let bytes = draft.to_string().len();
    if bytes > limits.contract_bytes_max {
        let max = limits.contract_bytes_max;
        let message = format!("The contract is {bytes} bytes of JSON, more than {max}");
        return Err(vec![error("CTR_SHAPE_INVALID", "", message)]);
    }
    let mut findings = shape::check(draft);
    let has_clean_shape = findings.is_empty();
    retired(draft, &mut findings);
    if !has_clean_shape {
        return Err(bounded(findings));
    }
    let contract = match Contract::deserialize(draft) {
        Ok(contract) => contract,
        Err(problem) => {
            findings.push(error("CTR_SHAPE_INVALID", "", problem.to_string()));
            return Err(bounded(findings));
        }
    };
    entries(&contract, limits, &mut findings);
    let schemas = schemas(&contract, limits, &mut findings);
    references(&contract, &mut findings);
    compatibility(&contract, &schemas, &mut findings);
    names(&contract, &mut findings);
    let warnings = hygiene(&contract);
    if findings.is_empty() {
        let warnings = bounded(warnings);
        Ok(Passed {
            contract,
            schemas,
            warnings,
        })
    } else {
        findings.extend(warnings);
        Err(bounded(findings))
    }
}

fn retired(draft: &Value, findings: &mut Vec<Finding>) {
    for (name, instead) in RETIRED
        .iter()
        .filter(|(name, _)| draft.get(*name).is_some())
    {
        let message = format!("\"{name}\" is no longer part of a contract; use {instead}");
        findings.push(error("CTR_RETIRED_FIELD", name, message));
    }
}

fn entries(contract: &Contract, limits: &ContractLimits, findings: &mut Vec<Finding>) {
    let props = contract
        .props_spec
        .as_ref()
        .map_or(0, |spec| spec.properties.len());
    let entries = props
        + contract.action_spec.as_ref().map_or(0, IndexMap::len)
        + contract.stream_spec.as_ref().map_or(0, IndexMap::len)
        + contract.context_spec.as_ref().map_or(0, IndexMap::len);
    let max = limits.entries_max;
    if entries > max {
        let message = format!(
            "{entries} props, actions, channels and slots are more than {max}; move repeated ones into a list"
        );
        findings.push(error("CTR_SHAPE_INVALID", "", message));
    }
}
