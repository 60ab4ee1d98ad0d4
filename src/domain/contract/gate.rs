//! The gate: decides whether a draft is a contract, and says everything that is wrong with it.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;

use super::findings::{bounded, error, warning};
use super::limits::ContractLimits;
use super::lint;
use super::names::{RESERVED_PREFIX, STDLIB_HOOKS, STDLIB_PACKAGE};
use super::refs::expand;
use super::shape;
use super::subset::{Comparison, Misfit};
use crate::wire::contract::{Contract, Finding};

/// A draft that passed, with its schemas written out.
pub(super) struct Passed {
    /// The typed contract.
    pub(super) contract: Contract,
    /// Its schemas without references, by finding path.
    pub(super) schemas: BTreeMap<String, Value>,
    /// What could be better.
    pub(super) warnings: Vec<Finding>,
}

/// Top-level members of contracts of the past.
const RETIRED: &[&str] = &[
    "libraries",
    "dispatch",
    "wiredTools",
    "clientTools",
    "broadcast",
    "capabilities",
];

/// Runs the phases of ggui-mcp §3.4 over `draft`.
///
/// # Errors
///
/// Every problem of every phase; the phases after the shape need a clean shape.
pub(super) fn check(draft: &Value, limits: &ContractLimits) -> Result<Passed, Vec<Finding>> {
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
    for name in RETIRED.iter().filter(|name| draft.get(**name).is_some()) {
        let message = format!("\"{name}\" is no longer part of a contract");
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

/// Every schema of a contract with its path.
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

fn schemas(
    contract: &Contract,
    limits: &ContractLimits,
    findings: &mut Vec<Finding>,
) -> BTreeMap<String, Value> {
    let mut schemas = BTreeMap::new();
    let mut patterns = 0;
    let (mut subschemas, mut bytes, mut props_subschemas) = (0, 0, 0);
    for (path, schema) in sites(contract) {
        let problems = lint::check(schema, limits, &mut patterns);
        let is_clean = problems.is_empty();
        for problem in problems {
            findings.push(error("CTR_SCHEMA_META_INVALID", &path, problem));
        }
        if !is_clean {
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
                    findings.push(error("CTR_SCHEMA_META_INVALID", &path, message));
                    break;
                }
                if path.starts_with("propsSpec.") {
                    props_subschemas += expanded.subschemas;
                }
                schemas.insert(path, expanded.schema);
            }
            Err(problem) => findings.push(error("CTR_SCHEMA_META_INVALID", &path, problem)),
        }
    }
    if props_subschemas > limits.subschemas_max {
        // All props are checked as one value, so they share one allowance.
        let max = limits.subschemas_max;
        let message = format!("the props together have more than {max} subschemas");
        findings.push(error(
            "CTR_SCHEMA_META_INVALID",
            "propsSpec.properties",
            message,
        ));
    }
    schemas
}

fn references(contract: &Contract, findings: &mut Vec<Finding>) {
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
            findings.push(error("CTR_REF_NEXT_STEP", &path, message));
        }
    }
    for (name, stream) in contract.stream_spec.iter().flatten() {
        let tool = stream.source.as_ref().map(|source| source.tool.as_str());
        if let Some(tool) = tool.filter(|tool| !declares(tool)) {
            let path = format!("streamSpec.{name}.source.tool");
            let message = format!("source.tool \"{tool}\" is not a key of agentCapabilities.tools");
            findings.push(error("CTR_REF_STREAM_SOURCE", &path, message));
        }
    }
}

/// What a gesture sends must fit the tool it is meant for, and what a tool gives the channel it
/// feeds (ggui-mcp §3.5). A schema that has problems of its own is not compared.
fn compatibility(
    contract: &Contract,
    schemas: &BTreeMap<String, Value>,
    findings: &mut Vec<Finding>,
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
            let told = Misfit::told(&misfits);
            let message = format!("action \"{name}\" does not fit tool \"{tool}\": {told}");
            findings.push(error("CTR_SCHEMA_INCOMPAT", &path, message));
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
            let told = Misfit::told(&misfits);
            let message = format!("tool \"{tool}\" does not fit channel \"{name}\": {told}");
            findings.push(error("CTR_SCHEMA_INCOMPAT", &path, message));
        }
    }
}

fn names(contract: &Contract, findings: &mut Vec<Finding>) {
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
                findings.push(error("CTR_DUP_NAME", &path, message));
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

fn reserved(spec: &str, name: &str, findings: &mut Vec<Finding>) {
    if name.starts_with(RESERVED_PREFIX) {
        let message = format!("\"{name}\" starts with the reserved prefix `{RESERVED_PREFIX}`");
        let path = format!("{spec}.{name}");
        findings.push(error("CTR_RESERVED_NAME", &path, message));
    }
}

fn hygiene(contract: &Contract) -> Vec<Finding> {
    let mut warnings = Vec::new();
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
    let used: Vec<&str> = next_steps
        .chain(sources)
        .chain(props.filter_map(|prop| prop.source_tool.as_deref()))
        .collect();
    for (name, tool) in contract
        .agent_capabilities
        .iter()
        .flat_map(|agent| &agent.tools)
    {
        let path = format!("agentCapabilities.tools.{name}");
        let mut warn = |code, message: String| warnings.push(warning(code, &path, message));
        if !used.contains(&name.as_str()) {
            warn(
                "LINT_ORPHAN_AGENT_TOOL",
                format!("Nothing refers to tool \"{name}\""),
            );
        }
        if tool.usage.is_none() {
            warn(
                "LINT_MISSING_USAGE",
                format!("Tool \"{name}\" does not say when to call it"),
            );
        }
        if tool.example.is_none() {
            warn(
                "LINT_MISSING_EXAMPLE",
                format!("Tool \"{name}\" has no sample call"),
            );
        }
    }
    gadgets(contract, &mut warnings);
    warnings
}

fn gadgets(contract: &Contract, warnings: &mut Vec<Finding>) {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for (package, exports) in contract.client_capabilities.iter().flat_map(|c| &c.gadgets) {
        for export in exports.keys() {
            let path = format!("clientCapabilities.gadgets.{package}.{export}");
            if package == STDLIB_PACKAGE && !STDLIB_HOOKS.iter().any(|(hook, ..)| hook == export) {
                let message = format!("\"{export}\" is not an export of {STDLIB_PACKAGE}");
                warnings.push(warning("LINT_GADGET_UNKNOWN_HOOK", &path, message));
            }
            if let Some(owner) = owners.insert(export, package) {
                let message = format!("\"{export}\" is also an export of {owner}");
                warnings.push(warning("LINT_GADGET_DUPLICATE_EXPORT", &path, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn codes(draft: Value) -> Vec<(String, String)> {
        let findings = match check(&draft, &ContractLimits::default()) {
            Ok(passed) => passed.warnings,
            Err(findings) => findings,
        };
        findings
            .into_iter()
            .map(|finding| (finding.path, finding.code))
            .collect()
    }

    fn has(draft: Value, path: &str, code: &str) {
        let found = codes(draft);
        assert!(
            found.contains(&(path.into(), code.into())),
            "{path} {code}: {found:?}"
        );
    }

    #[test]
    fn every_phase_after_a_clean_shape_is_told_at_once() {
        let draft = json!({"dispatch":{},
            "propsSpec":{"properties":{"_ggui:p":{"schema":{"foo":1}}}},
            "actionSpec":{"go":{"label":"Go","nextStep":"nope"}},
            "streamSpec":{"go":{"schema":{},"source":{"tool":"nope"}},"_ggui:x":{"schema":{}}},
            "agentCapabilities":{"tools":{"lonely":{"toolInfo":{"inputSchema":{}}}}}});
        let expect = [
            ("dispatch", "CTR_RETIRED_FIELD"),
            (
                "propsSpec.properties._ggui:p.schema",
                "CTR_SCHEMA_META_INVALID",
            ),
            ("actionSpec.go.nextStep", "CTR_REF_NEXT_STEP"),
            ("streamSpec.go.source.tool", "CTR_REF_STREAM_SOURCE"),
            ("streamSpec.go", "CTR_DUP_NAME"),
            ("streamSpec._ggui:x", "CTR_RESERVED_NAME"),
            ("propsSpec.properties._ggui:p", "CTR_RESERVED_NAME"),
            ("agentCapabilities.tools.lonely", "LINT_ORPHAN_AGENT_TOOL"),
            ("agentCapabilities.tools.lonely", "LINT_MISSING_USAGE"),
            ("agentCapabilities.tools.lonely", "LINT_MISSING_EXAMPLE"),
        ];
        let found = codes(draft);
        let found: Vec<_> = found
            .iter()
            .map(|(p, c)| (p.as_str(), c.as_str()))
            .collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn what_flows_between_surfaces_and_tools_has_to_fit() {
        let draft = json!({
            "actionSpec":{
                "bare":{"label":"Bare","nextStep":"needs"},
                "open":{"label":"Open","nextStep":"closed","schema":{"type":"object","properties":{}}},
                "fits":{"label":"Fits","nextStep":"needs","schema":{"type":"object","properties":{
                    "id":{"$ref":"#/definitions/id"}},"required":["id"],"definitions":{"id":{"type":"string"}}}}},
            "streamSpec":{
                "log":{"schema":{"type":"object"},"source":{"tool":"needs"}},
                "text":{"schema":{"type":"string"},"source":{"tool":"needs"}}},
            "agentCapabilities":{"tools":{
                "needs":{"toolInfo":{"inputSchema":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},
                    "outputSchema":{"type":"object"}}},
                "closed":{"toolInfo":{"inputSchema":{"type":"object","additionalProperties":false}}}}}});
        let found = codes(draft);
        let errors: Vec<_> = found
            .iter()
            .filter(|(_, code)| code.starts_with("CTR_"))
            .map(|(path, code)| (path.as_str(), code.as_str()))
            .collect();
        let expect = [
            ("actionSpec.bare.nextStep", "CTR_SCHEMA_INCOMPAT"),
            ("actionSpec.open.nextStep", "CTR_SCHEMA_INCOMPAT"),
            ("streamSpec.text.source.tool", "CTR_SCHEMA_INCOMPAT"),
        ];
        assert_eq!(errors, expect);
    }

    #[test]
    fn gadget_remarks_do_not_refuse_a_contract() {
        let draft = json!({"clientCapabilities":{"gadgets":{
            "@ggui-ai/gadgets":{"useGeoLocation":{}},"a":{"useX":{}},"b":{"useX":{}}}}});
        let package = "clientCapabilities.gadgets.@ggui-ai/gadgets.useGeoLocation";
        has(draft.clone(), package, "LINT_GADGET_UNKNOWN_HOOK");
        has(
            draft,
            "clientCapabilities.gadgets.b.useX",
            "LINT_GADGET_DUPLICATE_EXPORT",
        );
    }

    #[test]
    fn a_contract_past_its_size_is_refused_unread() {
        let draft = json!({"x": "y".repeat(300_000)});
        assert_eq!(
            codes(draft),
            [("<root>".to_owned(), "CTR_SHAPE_INVALID".to_owned())]
        );
    }
}
