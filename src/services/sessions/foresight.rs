//! What would become of what a contract names, before anything is drawn: an agent is told what the gate
//! says of its tools and which pages feed its channels, and no person is offered what would be denied.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::service::Sessions;
use super::suggestion::agreed;
use crate::domain::ahead::Prospect;
use crate::domain::brain::{Address, PAGE_FEED, PageChannel, page_channels};
use crate::domain::contract::{CompiledContract, changes, warning};
use crate::domain::operation::table::BrainGet;
use crate::domain::operation::{Caller, Signature as _};
use crate::wire::contract::{Contract, Finding};
use crate::wire::tools::{Amendments, HandshakeResult, Origin};

/// Finding of a tool that is denied.
const DENIED: &str = "GATE_DENIED";
/// Finding of a tool whose calls a person has to agree to.
const HELD: &str = "GATE_APPROVAL";

/// Where a contract names a tool.
struct Named<'a> {
    tool: &'a str,
    path: String,
    /// The action that leads to it.
    action: Option<&'a str>,
}

/// What of a contract is not used.
struct LeftOut<'a> {
    /// Actions whose tools are denied.
    actions: Vec<&'a str>,
    /// Channels that no page feeds.
    feeds: Vec<&'a str>,
}

impl Sessions {
    /// The same contract, or the one that is left of it without the actions whose tools are denied and
    /// the pages that feed nothing; the result tells of all of it, and of tools that a person has to
    /// agree to.
    pub(super) async fn heed(
        &self,
        caller: &Caller,
        draft: &Value,
        contract: Arc<CompiledContract>,
        result: &mut HandshakeResult,
    ) -> Arc<CompiledContract> {
        let drafted = Arc::clone(&contract);
        let named = named(drafted.contract());
        if named.is_empty() {
            return contract;
        }
        let prospects = match &self.ahead {
            Some(ahead) => {
                let tools: BTreeSet<&str> = named.iter().map(|named| named.tool).collect();
                let tools: Vec<&str> = tools.into_iter().collect();
                ahead.foresee(caller, &tools).await
            }
            None => BTreeMap::new(),
        };
        let is_denied = |tool: &str| matches!(prospects.get(tool), Some(Prospect::Denied(_)));
        let denied: Vec<&str> = named
            .iter()
            .filter(|named| is_denied(named.tool))
            .filter_map(|named| named.action)
            .collect();
        let mut findings: Vec<_> = named
            .iter()
            .filter_map(|named| finding(named, &prospects))
            .collect();
        let (feeds, unfed) = self.unfed(caller, drafted.contract(), &prospects);
        findings.extend(unfed);
        let left_out = LeftOut {
            actions: denied,
            feeds,
        };
        let reduced = (!left_out.is_empty()).then(|| left_out.without(&contract, is_denied));
        let left = reduced.and_then(|reduced| self.contracts.compile(&reduced).ok());
        let contract = match left {
            None => contract,
            Some(left) => {
                leave_out(result, draft, &left.contract, &left_out);
                left.contract
            }
        };
        result.suggestion.validation_findings.extend(findings);
        contract
    }

    /// Channels that no page feeds although the contract says so, and why: what the gate says of the tool
    /// is told already.
    fn unfed<'a>(
        &self,
        caller: &Caller,
        contract: &'a Contract,
        prospects: &BTreeMap<String, Prospect>,
    ) -> (Vec<&'a str>, Vec<Finding>) {
        let may_read = BrainGet::ROW.is_open_to(&caller.principal);
        let is_gated = prospects.contains_key(BrainGet::NAME);
        let max = self.limits.pages.feeds_per_session_max;
        let (mut feeds, mut findings) = (Vec::new(), Vec::new());
        for (before, fed) in page_channels(contract).enumerate() {
            let PageChannel { channel, page } = fed;
            let why = match Address::parse(page) {
                _ if !may_read => format!("this key may not read pages ({})", BrainGet::NAME),
                Err(why) => why,
                Ok(_) if before >= max => {
                    format!("pages feed at most {max} channels (pages.feeds_per_session_max)")
                }
                Ok(_) if is_gated => {
                    feeds.push(channel);
                    continue;
                }
                Ok(_) => continue,
            };
            feeds.push(channel);
            let path = format!("streamSpec.{channel}.source");
            findings.push(warning(
                PAGE_FEED,
                &path,
                format!("{why}: the page feeds nothing"),
            ));
        }
        (feeds, findings)
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

impl LeftOut<'_> {
    fn is_empty(&self) -> bool {
        self.actions.is_empty() && self.feeds.is_empty()
    }

    /// A contract without it, and without the denied tools that nothing else refers to.
    fn without(&self, contract: &CompiledContract, is_denied: impl Fn(&str) -> bool) -> Value {
        let mut left = Value::clone(contract.source());
        if let Some(spec) = left.get_mut("actionSpec").and_then(Value::as_object_mut) {
            spec.retain(|name, _| !self.actions.contains(&name.as_str()));
            if spec.is_empty()
                && let Some(left) = left.as_object_mut()
            {
                left.shift_remove("actionSpec");
            }
        }
        if let Some(spec) = left.get_mut("streamSpec").and_then(Value::as_object_mut) {
            let streams = spec.iter_mut();
            let unfed = streams.filter(|(name, _)| self.feeds.contains(&name.as_str()));
            for stream in unfed.filter_map(|(_, stream)| stream.as_object_mut()) {
                stream.shift_remove("source");
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

    /// Why a contract is not used as it was written.
    fn rationale(&self) -> String {
        let mut sentences = Vec::new();
        if !self.actions.is_empty() {
            sentences.push("Tools that actions name are denied here: these actions are left out.");
        }
        if !self.feeds.is_empty() {
            sentences
                .push("Pages that channels name feed nothing here: these sources are left out.");
        }
        sentences.join(" ")
    }
}

/// Says of a result that a part of its contract was left out.
fn leave_out(
    result: &mut HandshakeResult,
    draft: &Value,
    left: &CompiledContract,
    left_out: &LeftOut<'_>,
) {
    let suggestion = &mut result.suggestion;
    let variance = std::mem::take(&mut suggestion.blueprint_meta.variance);
    let mut now = agreed(&result.handshake_id, left, variance, &[]);
    now.suggestion.rationale = match suggestion.origin {
        Origin::Synth => format!("{} {}", suggestion.rationale, left_out.rationale()),
        Origin::Agent | Origin::Cache => left_out.rationale(),
    };
    let before = suggestion.amendments.take();
    let LeftOut { actions, feeds } = left_out;
    let mut reasons = Vec::new();
    if !actions.is_empty() {
        let count = actions.len();
        reasons.push(format!(
            "{count} action(s) were left out whose tools are denied."
        ));
    }
    if !feeds.is_empty() {
        reasons.push(format!(
            "{} source(s) were left out that feed nothing.",
            feeds.len()
        ));
    }
    let reasoning = reasons.join(" ");
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
