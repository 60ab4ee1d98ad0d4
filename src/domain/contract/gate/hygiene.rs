//! Warnings about contracts that are valid but could be better.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde_json::Value;

use super::super::close::closed_empty;
use super::super::findings::{Findings, warning};
use super::super::names::{STDLIB_HOOKS, STDLIB_PACKAGE};
use crate::wire::contract::Contract;

/// Adds the warnings of contract.md §4.2; none of them refuses a contract.
pub(super) fn hygiene(
    contract: &Contract,
    schemas: &BTreeMap<String, Value>,
    findings: &mut Findings,
) {
    let next_steps = contract
        .action_spec
        .iter()
        .flatten()
        .filter_map(|(_, action)| action.next_step.as_deref());
    let sources = contract
        .stream_spec
        .iter()
        .flatten()
        .filter_map(|(_, stream)| Some(stream.source.as_ref()?.tool.as_str()));
    let props = contract
        .props_spec
        .iter()
        .flat_map(|spec| spec.properties.values());
    let used: BTreeSet<&str> = next_steps
        .chain(sources)
        .chain(props.filter_map(|prop| prop.source_tool.as_deref()))
        .collect();
    for (name, tool) in contract
        .agent_capabilities
        .iter()
        .flat_map(|agent| &agent.tools)
    {
        let path = format!("agentCapabilities.tools.{name}");
        if !used.contains(name.as_str()) {
            let message = format!("Nothing refers to tool \"{name}\"");
            findings.push(|| warning("LINT_ORPHAN_AGENT_TOOL", &path, message));
        }
        if tool.usage.as_ref().is_none_or(String::is_empty) {
            let message = format!("Tool \"{name}\" does not say when to call it");
            findings.push(|| warning("LINT_MISSING_USAGE", &format!("{path}.usage"), message));
        }
        if tool.example.is_none() {
            let message = format!("Tool \"{name}\" has no sample call");
            findings.push(|| warning("LINT_MISSING_EXAMPLE", &format!("{path}.example"), message));
        }
    }
    gadgets(contract, findings);
    closed_objects(schemas, findings);
    if !has_surface(contract) {
        let message =
            "The contract has no props, actions, channels or slots: nothing will be shown";
        findings.push(|| warning("CTR_EMPTY", "", message));
    }
}

/// Objects that take no member at all. An action may well take nothing, and what the agent's own
/// tools take is known to them.
fn closed_objects(schemas: &BTreeMap<String, Value>, findings: &mut Findings) {
    for (path, schema) in schemas {
        if path.starts_with("agentCapabilities.") {
            continue;
        }
        for at in closed_empty(schema) {
            if at.is_empty() && path.starts_with("actionSpec.") {
                continue;
            }
            let message = "It declares no members, so it accepts only {}".to_owned();
            findings.push(|| warning("LINT_CLOSED_OBJECT", &format!("{path}{at}"), message));
        }
    }
}

/// Whether a contract has any prop, action, channel or slot.
pub(in super::super) fn has_surface(contract: &Contract) -> bool {
    let props = contract.props_spec.as_ref();
    let counts = [
        props.map(|spec| spec.properties.len()),
        contract.action_spec.as_ref().map(IndexMap::len),
        contract.stream_spec.as_ref().map(IndexMap::len),
        contract.context_spec.as_ref().map(IndexMap::len),
    ];
    counts.into_iter().flatten().sum::<usize>() > 0
}

fn gadgets(contract: &Contract, findings: &mut Findings) {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for (package, exports) in contract.client_capabilities.iter().flat_map(|c| &c.gadgets) {
        for export in exports.keys() {
            let path = format!("clientCapabilities.gadgets.{package}.{export}");
            if package == STDLIB_PACKAGE && !STDLIB_HOOKS.iter().any(|(hook, ..)| hook == export) {
                let message = format!("\"{export}\" is not an export of {STDLIB_PACKAGE}");
                findings.push(|| warning("LINT_GADGET_UNKNOWN_HOOK", &path, message));
            }
            if let Some(owner) = owners.insert(export, package) {
                let message = format!("\"{export}\" is also an export of {owner}");
                findings.push(|| warning("LINT_GADGET_DUPLICATE_EXPORT", &path, message));
            }
        }
    }
}
