//! What the gate would say of the tools that a contract names, before anything is drawn: an agent is
//! told, and no person is offered what would be denied.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::service::Sessions;
use super::suggestion::agreed;
use crate::domain::ahead::Prospect;
use crate::domain::contract::{CompiledContract, changes, warning};
use crate::domain::operation::Caller;
use crate::wire::contract::{Contract, Finding};
use crate::wire::tools::{Amendments, HandshakeResult, Origin};

/// Finding of a tool that is denied.
const DENIED: &str = "GATE_DENIED";
/// Finding of a tool whose calls a person has to agree to.
const HELD: &str = "GATE_APPROVAL";
/// Why a contract is not used as it was written.
const RATIONALE: &str = "Tools that actions name are denied here: these actions are left out.";

/// Where a contract names a tool.
struct Named<'a> {
    tool: &'a str,
    path: String,
    /// The action that leads to it.
    action: Option<&'a str>,
}

impl Sessions {
    /// The same contract, or the one that is left of it without the actions whose tools are denied;
    /// the result tells of both, and of tools that a person has to agree to.
    pub(super) async fn heed(
        &self,
        caller: &Caller,
        draft: &Value,
        contract: Arc<CompiledContract>,
        result: &mut HandshakeResult,
    ) -> Arc<CompiledContract> {
        let Some(ahead) = &self.ahead else {
            return contract;
        };
        let drafted = Arc::clone(&contract);
        let named = named(drafted.contract());
        let tools: BTreeSet<&str> = named.iter().map(|named| named.tool).collect();
        let tools: Vec<&str> = tools.into_iter().collect();
        if tools.is_empty() {
            return contract;
        }
        let prospects = ahead.foresee(caller, &tools).await;
        let is_denied = |tool: &str| matches!(prospects.get(tool), Some(Prospect::Denied(_)));
        let denied: Vec<&str> = named
            .iter()
            .filter(|named| is_denied(named.tool))
            .filter_map(|named| named.action)
            .collect();
        let findings: Vec<_> = named
            .iter()
            .filter_map(|named| finding(named, &prospects))
            .collect();
        let reduced = (!denied.is_empty()).then(|| without(&contract, &denied, is_denied));
        let left = reduced.and_then(|reduced| self.contracts.compile(&reduced).ok());
        let contract = match left {
            None => contract,
            Some(left) => {
                leave_out(result, draft, &left.contract, denied.len());
                left.contract
            }
        };
        result.suggestion.validation_findings.extend(findings);
        contract
    }
}

/// Every tool that a contract names, and where.
fn named<'a>(contract: &'a Contract) -> Vec<Named<'a>> {
    let mut all = Vec::new();
    for (action, entry) in contract.action_spec.iter().flatten() {
        if let Some(tool) = &entry.next_step {
            all.push(Named {
                tool,
                path: format!("actionSpec.{action}.nextStep"),
                action: Some(action),
            });
        }
    }
    let mut add = |tool: &'a str, path: String| {
        all.push(Named {
            tool,
            path,
            action: None,
        });
    };
    for (channel, entry) in contract.stream_spec.iter().flatten() {
        if let Some(source) = &entry.source {
            add(&source.tool, format!("streamSpec.{channel}.source.tool"));
        }
    }
    let props = contract.props_spec.iter();
    for (prop, entry) in props.flat_map(|spec| &spec.properties) {
        if let Some(tool) = &entry.source_tool {
            add(tool, format!("propsSpec.properties.{prop}.sourceTool"));
        }
    }
    let used: BTreeSet<&str> = all.iter().map(|named| named.tool).collect();
    let declared = contract.agent_capabilities.iter();
    let unused: Vec<_> = declared
        .flat_map(|agent| agent.tools.keys())
        .filter(|tool| !used.contains(tool.as_str()))
        .map(|tool| Named {
            tool,
            path: format!("agentCapabilities.tools.{tool}"),
            action: None,
        })
        .collect();
    all.extend(unused);
    all
}

fn finding(named: &Named<'_>, prospects: &BTreeMap<String, Prospect>) -> Option<Finding> {
    let Named { tool, path, action } = named;
    let (code, message) = match prospects.get(*tool)? {
        Prospect::Denied(reason) if action.is_some() => (
            DENIED,
            format!("\"{tool}\" is denied: {reason}. The action is not shown."),
        ),
        Prospect::Denied(reason) => (DENIED, format!("\"{tool}\" is denied: {reason}")),
        Prospect::Held => (
            HELD,
            format!("calls of \"{tool}\" wait until a person agrees to them"),
        ),
    };
    Some(warning(code, path, message))
}

/// A contract without some actions, and without the denied tools that nothing else refers to.
fn without(
    contract: &CompiledContract,
    actions: &[&str],
    is_denied: impl Fn(&str) -> bool,
) -> Value {
    let mut left = Value::clone(contract.source());
    if let Some(spec) = left.get_mut("actionSpec").and_then(Value::as_object_mut) {
        spec.retain(|name, _| !actions.contains(&name.as_str()));
        if spec.is_empty()
            && let Some(left) = left.as_object_mut()
        {
            left.shift_remove("actionSpec");
        }
    }
    let others = named(contract.contract()).into_iter();
    let others = others.filter(|named| named.action.is_none());
    let others: BTreeSet<&str> = others
        .filter(|named| !named.path.starts_with("agentCapabilities"))
        .map(|named| named.tool)
        .collect();
    let tools = left.pointer_mut("/agentCapabilities/tools");
    if let Some(tools) = tools.and_then(Value::as_object_mut) {
        tools.retain(|tool, _| !is_denied(tool) || others.contains(tool.as_str()));
    }
    left
}

/// Says of a result that a part of its contract was left out.
fn leave_out(result: &mut HandshakeResult, draft: &Value, left: &CompiledContract, count: usize) {
    let suggestion = &mut result.suggestion;
    let variance = std::mem::take(&mut suggestion.blueprint_meta.variance);
    let mut now = agreed(&result.handshake_id, left, variance, &[]);
    now.suggestion.rationale = match suggestion.origin {
        Origin::Synth => format!("{} {RATIONALE}", suggestion.rationale),
        Origin::Agent | Origin::Cache => RATIONALE.to_owned(),
    };
    let before = suggestion.amendments.take();
    let reasoning = format!("{count} action(s) were left out whose tools are denied.");
    now.suggestion.amendments = Some(Amendments {
        contract_diff: changes(draft, left.source()),
        reasoning: match before {
            Some(before) => format!("{} {reasoning}", before.reasoning),
            None => reasoning,
        },
    });
    now.suggestion.origin = Origin::Synth;
    now.suggestion.proposed_contract_summary = Some(format!("PARTIAL — {}", left.summary()));
    now.suggestion.validation_findings = std::mem::take(&mut suggestion.validation_findings);
    now.props_schema = result.props_schema.take();
    *result = now;
}
