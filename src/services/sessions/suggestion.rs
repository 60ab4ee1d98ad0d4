//! What an agent is answered that negotiates: the parts of a handshake's result.

use std::sync::Arc;

use serde_json::Value;

use crate::domain::brain::{Precedent, Preference};
use crate::domain::compose::hint_problems;
use crate::domain::contract::{CompiledContract, summary, warning};
use crate::domain::handshake::Artist;
use crate::domain::size::json_bytes;
use crate::domain::view::{View, check, gaps};
use crate::wire::contract::{Contract, Finding};
use crate::wire::tools::{
    BlueprintMeta, HandshakeAction, HandshakeNextStep, HandshakeResult, Origin, Suggestion,
    Variance, ViewDraft,
};

/// The largest props schema that is shown; larger ones are known by their hash (tools.md §3.2).
const PROPS_SCHEMA_BYTES_MAX: usize = 256 * 1024;

/// Shows the schema that props must fit, where it is not the one that was meant.
pub(super) fn show_props_schema(
    result: &mut HandshakeResult,
    meant: Option<&CompiledContract>,
    contract: &CompiledContract,
) {
    let hash = contract.props_schema_hash();
    result.props_schema_hash = Some(hash.to_owned());
    result.props_schema_profile = Some(contract.props_schema_profile());
    if meant.is_none_or(|meant| meant.props_schema_hash() != hash)
        && let schema = contract.props_schema()
        && json_bytes(&schema) <= PROPS_SCHEMA_BYTES_MAX
        && let Value::Object(schema) = schema
    {
        result.props_schema = Some(schema);
    }
}

/// What is to draw the view: what the draft asks for, where there is such a thing, and a remark where
/// there is none.
pub(super) fn artist(slug: Option<&str>, has_model: bool) -> (Artist, Option<Finding>) {
    let Some(slug) = slug else {
        return (Artist::default(), None);
    };
    let named = Artist::NAMED.iter().find(|(name, _)| *name == slug);
    let is_there = |artist: &Artist| has_model || *artist == Artist::Composer;
    let known = Artist::NAMED.iter().filter(|(_, artist)| is_there(artist));
    let known: Vec<String> = known.map(|(name, _)| format!("\"{name}\"")).collect();
    let remark = (!named.is_some_and(|(_, artist)| is_there(artist))).then(|| {
        warning(
            "GENERATOR_UNKNOWN",
            "blueprintDraft.generator",
            format!(
                "\"{slug}\" is no generator of this server; it has {}",
                known.join(", ")
            ),
        )
    });
    (
        named.map_or_else(Artist::default, |(_, artist)| *artist),
        remark,
    )
}

/// What the agent should know about what will be shown (tools.md §3.4): nothing of it refuses the
/// draft.
pub(super) fn remarks(
    drawn: Option<&Arc<View>>,
    contract: &CompiledContract,
    intent: &str,
    variance: &Variance,
    may_draw: bool,
) -> Vec<Finding> {
    if let Some(view) = drawn {
        return gaps(view, contract);
    }
    let mut found = hint_problems(contract, intent);
    if *variance != Variance::default() && !may_draw {
        found.push(warning(
            "VARIANCE_GAP",
            "variance",
            "a composed view looks the same whatever the variance; it only tells stored UIs apart",
        ));
    }
    found
}

/// The agent's own view, if it is sound; else all that is wrong with it is told, and the composed
/// one will be shown.
pub(super) fn drawn(
    draft: ViewDraft,
    contract: &CompiledContract,
    suggestion: &mut Suggestion,
) -> Option<Arc<View>> {
    let components = draft.components.into_iter().map(Value::Object).collect();
    match check(View::new(components).value(), contract) {
        Ok(view) => Some(Arc::new(view)),
        Err(findings) => {
            suggestion
                .rationale
                .push_str(" The view is not sound: a composed one will be shown instead.");
            suggestion.validation_findings.extend(findings);
            None
        }
    }
}

/// What worked before for something like this and what people prefer, as sentences behind the
/// rationale; nothing where nothing is known.
pub(super) fn remembered(precedents: &[Precedent], preferences: &[Preference]) -> String {
    let before = precedents.iter().map(|precedent| {
        let Precedent {
            place,
            intent,
            shown,
            acted,
        } = precedent;
        format!("{place} (\"{intent}\", shown {shown} times, used in {acted})")
    });
    let preferred = preferences.iter().map(|preference| {
        let Preference { place, title, says } = preference;
        format!("{title}: {says} ({place})")
    });
    let lists = [
        ("Shown before for the like", before.collect::<Vec<_>>()),
        ("People here have agreed to keep", preferred.collect()),
    ];
    let known = lists.iter().filter(|(_, list)| !list.is_empty());
    known
        .map(|(words, list)| format!(" {words}: {}.", list.join("; ")))
        .collect()
}

pub(super) fn agreed(
    id: &str,
    contract: &CompiledContract,
    variance: Variance,
    warnings: &[Finding],
) -> HandshakeResult {
    HandshakeResult {
        handshake_id: id.to_owned(),
        action: HandshakeAction::Create,
        suggestion: Suggestion {
            origin: Origin::Agent,
            rationale: "The draft is sound and is used as written.".to_owned(),
            blueprint_meta: BlueprintMeta {
                blueprint_id: None,
                contract_hash: contract.hash().to_owned(),
                variance,
            },
            proposed_contract_summary: Some(contract.summary()),
            amendments: None,
            validation_findings: warnings.to_vec(),
        },
        props_schema: None,
        props_schema_hash: Some(contract.props_schema_hash().to_owned()),
        props_schema_profile: Some(contract.props_schema_profile()),
        next_step: Some(HandshakeNextStep {
            tool: "ggui_render".to_owned(),
            example: contract.example_call(id),
        }),
    }
}

pub(super) fn declined(
    id: String,
    contract_hash: String,
    variance: Variance,
    findings: Vec<Finding>,
) -> HandshakeResult {
    HandshakeResult {
        handshake_id: id,
        action: HandshakeAction::Declined,
        suggestion: Suggestion {
            origin: Origin::Agent,
            rationale: "Nothing of the draft can be rendered, and its handshakeId opens nothing: \
                mend every finding and negotiate again."
                .to_owned(),
            blueprint_meta: BlueprintMeta {
                blueprint_id: None,
                contract_hash,
                variance,
            },
            proposed_contract_summary: Some(format!(
                "DECLINED — {}",
                summary(&Contract::default())
            )),
            amendments: None,
            validation_findings: findings,
        },
        props_schema: None,
        props_schema_hash: None,
        props_schema_profile: None,
        next_step: None,
    }
}
