//! Checks every schema of a contract, resolves references and counts subschemas.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::close::is_closable;
use super::super::findings::{Findings, error};
use super::super::limits::ContractLimits;
use super::super::lint;
use super::super::patterns::Patterns;
use super::super::refs::expand;
use crate::wire::contract::{Contract, Finding};

/// Every schema of a contract with its path in findings.
fn sites(contract: &Contract) -> Vec<(String, &Value)> {
    let mut sites = Vec::new();
    let mut add = |path: String, schema| sites.push((path, schema));
    for (name, prop) in contract.props_spec.iter().flat_map(|spec| &spec.properties) {
        add(format!("propsSpec.properties.{name}.schema"), &prop.schema);
    }
    for (name, action) in contract.action_spec.iter().flatten() {
        if let Some(schema) = &action.schema {
            add(format!("actionSpec.{name}.schema"), schema);
        }
    }
    for (name, stream) in contract.stream_spec.iter().flatten() {
        add(format!("streamSpec.{name}.schema"), &stream.schema);
    }
    for (name, slot) in contract.context_spec.iter().flatten() {
        add(format!("contextSpec.{name}.schema"), &slot.schema);
    }
    for (name, tool) in contract
        .agent_capabilities
        .iter()
        .flat_map(|agent| &agent.tools)
    {
        let at = format!("agentCapabilities.tools.{name}.toolInfo");
        add(format!("{at}.inputSchema"), &tool.tool_info.input_schema);
        if let Some(schema) = &tool.tool_info.output_schema {
            add(format!("{at}.outputSchema"), schema);
        }
    }
    sites
}

/// The schemas of a contract with their references resolved, by the path used in findings.
///
/// All limits are checked on all schemas first; only then are the patterns compiled into
/// `patterns`, because that is the expensive part. A schema with a finding of its own is left out.
pub(super) fn schemas(
    contract: &Contract,
    limits: &ContractLimits,
    patterns: &mut Patterns,
    findings: &mut Findings,
) -> BTreeMap<String, Value> {
    let mut schemas = BTreeMap::new();
    let mut linted = Vec::new();
    let mut patterns_left = limits.patterns_max;
    let (mut subschemas, mut bytes, mut props_subschemas) = (0, 0, 0);
    for (path, schema) in sites(contract) {
        let lint = lint::check(schema, limits, &mut patterns_left);
        for problem in &lint.problems {
            findings.push(|| meta(&path, problem));
        }
        if !lint.problems.is_empty() {
            continue;
        }
        match expand(schema, limits) {
            Ok(expanded) => {
                subschemas += expanded.subschemas;
                bytes += expanded.bytes;
                if subschemas > limits.contract_subschemas_max || bytes > limits.expanded_bytes_max
                {
                    let message =
                        "with references written out, the schemas of the contract are too many";
                    findings.push(|| meta(&path, message));
                    return schemas;
                }
                if !is_closable(&expanded.schema) {
                    let message = "the branches of its unions take too many names from around them";
                    findings.push(|| meta(&path, message));
                    continue;
                }
                if path.starts_with("propsSpec.") {
                    props_subschemas += expanded.subschemas;
                }
                linted.push((path.clone(), lint));
                schemas.insert(path, expanded.schema);
            }
            Err(problem) => findings.push(|| meta(&path, problem)),
        }
    }
    if props_subschemas > limits.subschemas_max {
        // All props are validated as one value, so they share one limit.
        let max = limits.subschemas_max;
        let message = format!("the props together have more than {max} subschemas");
        findings.push(|| meta("propsSpec.properties", message));
        return schemas;
    }
    for (path, lint) in linted {
        let problems = lint.pattern_problems(patterns);
        if !problems.is_empty() {
            schemas.remove(&path);
        }
        for problem in &problems {
            findings.push(|| meta(&path, problem));
        }
    }
    schemas
}

fn meta(path: &str, problem: impl Into<String>) -> Finding {
    error("CTR_SCHEMA_META_INVALID", path, problem)
}
