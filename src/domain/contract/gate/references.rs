//! Checks the names in a contract: that references resolve and that no name is used twice.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::super::findings::{Findings, error};
use super::super::names::RESERVED_PREFIX;
use crate::wire::contract::Contract;

/// Checks that every reference to a tool names a tool the contract declares.
pub(super) fn references(contract: &Contract, findings: &mut Findings) {
    let declares = |tool: &str| {
        contract
            .agent_capabilities
            .as_ref()
            .is_some_and(|agent| agent.tools.contains_key(tool))
    };
    for (name, action) in contract.action_spec.iter().flatten() {
        if let Some(tool) = action.next_step.as_deref().filter(|tool| !declares(tool)) {
            let path = format!("actionSpec.{name}.nextStep");
            let message = format!("nextStep \"{tool}\" is not a key of agentCapabilities.tools");
            findings.push(|| error("CTR_REF_NEXT_STEP", &path, message));
        }
    }
    for (name, stream) in contract.stream_spec.iter().flatten() {
        let tool = stream.source.as_ref().map(|source| source.tool.as_str());
        if let Some(tool) = tool.filter(|tool| !declares(tool)) {
            let path = format!("streamSpec.{name}.source.tool");
            let message = format!("source.tool \"{tool}\" is not a key of agentCapabilities.tools");
            findings.push(|| error("CTR_REF_STREAM_SOURCE", &path, message));
        }
    }
}

/// Checks names: actions, channels and slots share one namespace, and some names are reserved for
/// the server.
pub(super) fn names(contract: &Contract, findings: &mut Findings) {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    let actions = contract.action_spec.iter().flat_map(IndexMap::keys);
    let channels = contract.stream_spec.iter().flat_map(IndexMap::keys);
    let slots = contract.context_spec.iter().flat_map(IndexMap::keys);
    let shared = actions
        .map(|name| ("actionSpec", name))
        .chain(channels.map(|name| ("streamSpec", name)))
        .chain(slots.map(|name| ("contextSpec", name)));
    for (spec, name) in shared {
        reserved(spec, name, findings);
        match owners.get(name.as_str()) {
            Some(owner) => {
                let message = format!("\"{name}\" is already declared under {owner}");
                let path = format!("{spec}.{name}");
                findings.push(|| error("CTR_DUP_NAME", &path, message));
            }
            None => {
                owners.insert(name, spec);
            }
        }
    }
    for name in contract
        .props_spec
        .iter()
        .flat_map(|spec| spec.properties.keys())
    {
        reserved("propsSpec.properties", name, findings);
    }
}

fn reserved(spec: &str, name: &str, findings: &mut Findings) {
    if name.starts_with(RESERVED_PREFIX) {
        let message = format!("\"{name}\" starts with the reserved prefix `{RESERVED_PREFIX}`");
        let path = format!("{spec}.{name}");
        findings.push(|| error("CTR_RESERVED_NAME", &path, message));
    }
}
