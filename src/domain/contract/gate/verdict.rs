//! Runs all phases of the gate in order.

use std::collections::BTreeMap;
use std::sync::Arc;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::super::findings::{Findings, error};
use super::super::grammar::RETIRED;
use super::super::limits::ContractLimits;
use super::super::patterns::Patterns;
use super::super::shape;
use super::compatibility::compatibility;
use super::hygiene::hygiene;
use super::references::{names, references};
use super::schemas::schemas;
use crate::domain::size::json_bytes;
use crate::wire::contract::{Contract, Finding};

/// A draft that passed the gate, with its references resolved.
pub(in super::super) struct Passed {
    /// The typed contract.
    pub(in super::super) contract: Contract,
    /// Its schemas without references, by the path used in findings.
    pub(in super::super) schemas: BTreeMap<String, Value>,
    /// Its compiled patterns.
    pub(in super::super) patterns: Arc<Patterns>,
    /// Findings that did not refuse it.
    pub(in super::super) warnings: Vec<Finding>,
}

/// Runs the phases of contract.md §4.1 over `draft`.
///
/// # Errors
///
/// All problems of all phases; the phases after the shape check run only on a valid shape.
pub(in super::super) fn check(
    draft: &Value,
    limits: &ContractLimits,
) -> Result<Passed, Vec<Finding>> {
    if let Some(refusal) = oversized(draft, limits) {
        return Err(vec![refusal]);
    }
    let mut findings = shape::check(draft);
    let has_clean_shape = !findings.has_errors();
    retired(draft, &mut findings);
    if !has_clean_shape {
        return Err(findings.into_list());
    }
    let contract = match Contract::deserialize(draft) {
        Ok(contract) => contract,
        Err(problem) => {
            findings.push(|| error("CTR_SHAPE_INVALID", "", problem.to_string()));
            return Err(findings.into_list());
        }
    };
    entries(&contract, limits, &mut findings);
    let mut patterns = Patterns::default();
    let schemas = schemas(&contract, limits, &mut patterns, &mut findings);
    references(&contract, &mut findings);
    compatibility(&contract, &schemas, &mut findings);
    names(&contract, &mut findings);
    hygiene(&contract, &schemas, &mut findings);
    if findings.has_errors() {
        return Err(findings.into_list());
    }
    Ok(Passed {
        contract,
        schemas,
        patterns: Arc::new(patterns),
        warnings: findings.into_list(),
    })
}

/// Refuses a draft that is too large to be read; measuring it is all that costs.
pub(crate) fn oversized(draft: &Value, limits: &ContractLimits) -> Option<Finding> {
    let (bytes, max) = (json_bytes(draft), limits.contract_bytes_max);
    let message = format!("The contract is {bytes} bytes of JSON, more than {max}");
    (bytes > max).then(|| error("CTR_SHAPE_INVALID", "", message))
}

fn retired(draft: &Value, findings: &mut Findings) {
    for (name, instead) in RETIRED
        .iter()
        .filter(|(name, _)| draft.get(*name).is_some())
    {
        let message = format!("\"{name}\" is no longer part of a contract; use {instead}");
        findings.push(|| error("CTR_RETIRED_FIELD", name, message));
    }
}

fn entries(contract: &Contract, limits: &ContractLimits, findings: &mut Findings) {
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
        findings.push(|| error("CTR_SHAPE_INVALID", "", message));
    }
}
