//! Tests of the gate, phase by phase.

use serde_json::{Value, json};

use super::super::limits::ContractLimits;
use super::verdict::check;

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
fn the_findings_of_all_phases_after_a_clean_shape_come_at_once() {
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
        ("agentCapabilities.tools.lonely.usage", "LINT_MISSING_USAGE"),
        (
            "agentCapabilities.tools.lonely.example",
            "LINT_MISSING_EXAMPLE",
        ),
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
