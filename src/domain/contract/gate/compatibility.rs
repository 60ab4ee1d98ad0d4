//! Checks that the data exchanged between a UI and the agent's tools fits the tools' schemas.

use std::collections::BTreeMap;

use serde_json::Value;

use super::super::findings::{Findings, error};
use super::super::subset::{Comparison, Misfit};
use crate::wire::contract::Contract;

/// The data of an action must fit the tool it is meant for, and a tool's result the channel it
/// feeds (contract.md §5). A schema that has findings of its own is not compared.
pub(super) fn compatibility(
    contract: &Contract,
    schemas: &BTreeMap<String, Value>,
    findings: &mut Findings,
) {
    let mut comparison = Comparison::default();
    let tool_schema = |tool: &str, which: &str| {
        schemas.get(&format!("agentCapabilities.tools.{tool}.toolInfo.{which}"))
    };
    for (name, action) in contract.action_spec.iter().flatten() {
        let Some(tool) = &action.next_step else {
            continue;
        };
        let Some(input) = tool_schema(tool, "inputSchema") else {
            continue;
        };
        let misfits = match &action.schema {
            None => comparison.void_misfits(input),
            Some(_) => match schemas.get(&format!("actionSpec.{name}.schema")) {
                Some(schema) => comparison.misfits(schema, input),
                None => continue,
            },
        };
        if !misfits.is_empty() {
            let path = format!("actionSpec.{name}.nextStep");
            let reasons = Misfit::describe(&misfits);
            let message = format!("action \"{name}\" does not fit tool \"{tool}\": {reasons}");
            findings.push(|| error("CTR_SCHEMA_INCOMPAT", &path, message));
        }
    }
    for (name, stream) in contract.stream_spec.iter().flatten() {
        let Some(tool) = stream.source.as_ref().map(|source| &source.tool) else {
            continue;
        };
        let output = tool_schema(tool, "outputSchema");
        let channel = schemas.get(&format!("streamSpec.{name}.schema"));
        let (Some(output), Some(channel)) = (output, channel) else {
            continue;
        };
        let misfits = comparison.misfits(output, channel);
        if !misfits.is_empty() {
            let path = format!("streamSpec.{name}.source.tool");
            let reasons = Misfit::describe(&misfits);
            let message = format!("tool \"{tool}\" does not fit channel \"{name}\": {reasons}");
            findings.push(|| error("CTR_SCHEMA_INCOMPAT", &path, message));
        }
    }
}
