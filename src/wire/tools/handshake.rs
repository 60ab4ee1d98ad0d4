//! Parameters and result of `ggui_handshake` (tools.md §3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::contract::{Finding, Profile};
use super::super::object::Object;

/// Parameters of `ggui_handshake`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandshakeParams {
    /// What the UI is for, in one or two sentences. It becomes the heading.
    #[schemars(length(min = 1, max = 4000))]
    pub intent: String,
    /// The contract you propose.
    pub blueprint_draft: BlueprintDraft,
    /// Render anew even where a stored UI fits.
    #[serde(default)]
    pub force_create: Option<bool>,
}

/// A proposed UI: its contract and how it should feel.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BlueprintDraft {
    /// The data contract; each of its specs is optional.
    pub contract: Object,
    /// How it should feel.
    #[serde(default)]
    pub variance: Option<Variance>,
    /// Your own view instead of the composed one; its components stand in the resource
    /// `proscenium://catalog`.
    #[serde(default)]
    pub view: Option<ViewDraft>,
    /// `composer`; `model`, which may replace the composed view; or `required`: wait for the model.
    #[serde(default)]
    #[schemars(length(max = 120), regex(pattern = r"^[A-Za-z0-9_:.-]+$"))]
    pub generator: Option<String>,
}

/// A view written by an agent: A2UI v0.9 components of our catalog.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ViewDraft {
    /// A2UI v0.9 components; the one with id `root` is the root.
    pub components: Vec<Object>,
}

/// How a UI should feel: part of the key under which it is reused (contract.md §9).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Variance {
    /// Who it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persona: Option<String>,
    /// How it should look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aesthetic: Option<String>,
    /// Anything else that should tell two UIs apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<Object>,
    /// Free words for a generator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed_prompt: Option<String>,
}

/// Result of `ggui_handshake`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HandshakeResult {
    /// Pass it to `ggui_render`; single use.
    pub handshake_id: String,
    /// What a render will do.
    pub action: HandshakeAction,
    /// What will be rendered, and what was found in the draft.
    pub suggestion: Suggestion,
    /// The schema of props, where it is not that of the draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub props_schema: Option<Object>,
    /// Hash of the schema that props must fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub props_schema_hash: Option<String>,
    /// How plain that schema is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub props_schema_profile: Option<Profile>,
    /// The call to make next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_step: Option<HandshakeNextStep>,
}

/// How a handshake was decided (tools.md §3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HandshakeAction {
    /// A new UI will be made.
    Create,
    /// Nothing in the draft can be used; no handshake was stored.
    Declined,
    /// A stored UI will be shown again.
    Reuse,
}

/// Where the effective contract comes from (tools.md §3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The draft as written.
    Agent,
    /// A stored blueprint.
    Cache,
    /// The draft, repaired.
    Synth,
}

/// What the server proposes to render.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// Where the contract comes from.
    pub origin: Origin,
    /// Why.
    pub rationale: String,
    /// Keys of the blueprint.
    pub blueprint_meta: BlueprintMeta,
    /// The contract in one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed_contract_summary: Option<String>,
    /// How the draft was changed to be sound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amendments: Option<Amendments>,
    /// Problems and hints, all at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub validation_findings: Vec<Finding>,
}

/// What was changed in a draft.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Amendments {
    /// From the draft's contract to the one that will be rendered: a JSON Patch.
    #[schemars(with = "Vec<Object>")]
    pub contract_diff: Vec<PatchOperation>,
    /// Why.
    pub reasoning: String,
}

/// One operation of a JSON Patch (RFC 6902).
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PatchOperation {
    /// What is done.
    pub op: PatchVerb,
    /// A JSON Pointer.
    pub path: String,
    /// The value, unless it is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

/// What an operation of a JSON Patch does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum PatchVerb {
    /// A member comes in.
    Add,
    /// A member goes.
    Remove,
    /// A value becomes another.
    Replace,
}

/// Keys under which a UI is known.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlueprintMeta {
    /// The stored blueprint that will be shown again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blueprint_id: Option<String>,
    /// Key of the contract, 16 hex digits (contract.md §9).
    pub contract_hash: String,
    /// The variance asked for.
    #[schemars(with = "Object")]
    pub variance: Variance,
}

/// What to call after a handshake.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct HandshakeNextStep {
    /// `ggui_render`.
    pub tool: String,
    /// A call that works when pasted, or a note that no sample of the props was found.
    pub example: String,
}
