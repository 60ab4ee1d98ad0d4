//! Parameters and results of every tool, in the order of the verbs (ggui-mcp.md chapter 2).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::contract::{Finding, Profile};
use super::host::HostContext;

/// Any JSON object.
pub type Object = Map<String, Value>;

/// Longest a consume may wait, in seconds (§2.5): under the 30 s at which proxies cut a silent answer.
pub const CONSUME_TIMEOUT_S_MAX: u32 = 25;

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
    /// The data contract: `propsSpec` (what you show), `actionSpec` (what the person can do),
    /// `streamSpec` (live channels), `contextSpec` (what you can observe). All optional.
    pub contract: Object,
    /// How it should feel.
    #[serde(default)]
    pub variance: Option<Variance>,
    /// Your own view instead of the composed one; its components stand in the resource
    /// `proscenium://catalog`.
    #[serde(default)]
    pub view: Option<ViewDraft>,
    /// Slug of a generator; a hint.
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

/// How a UI should feel: part of the key under which it is reused (§7.2).
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
    /// The schema that props must fit, where it is not that of the draft.
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

/// What a handshake came to (§4.1).
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

/// Where the effective contract comes from (§4.1).
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
    /// Key of the contract, 16 hex digits (§7.1).
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
    /// A call that works when pasted.
    pub example: String,
}

/// Parameters of `ggui_render`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderParams {
    /// From `ggui_handshake`; single use.
    #[schemars(length(min = 1))]
    pub handshake_id: String,
    /// The first props, as `propsSpec` demands; `{}` if there are none.
    pub props: Object,
    /// A theme of `ggui_list_themes`.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub theme_id: Option<String>,
    /// What a generator should run on; a hint.
    #[serde(default)]
    pub infra: Option<Infra>,
    /// Leave the suggestion: another contract or variance.
    #[serde(default, rename = "override")]
    pub override_: Option<RenderOverride>,
}

/// What a generator runs on. Views are composed or drawn by the agent, so it is only checked.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Infra {
    /// A model's name with its provider's in front.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub model: Option<String>,
}

/// What `ggui_render` may change in a suggestion; at least one member.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(extend("minProperties" = 1))]
pub struct RenderOverride {
    /// Exactly this contract instead.
    #[serde(default)]
    pub contract: Option<Object>,
    /// This variance instead.
    #[serde(default)]
    pub variance: Option<Variance>,
}

/// Result of `ggui_render`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderResult {
    /// Names the render in every later call.
    pub session_id: String,
    /// Where hosts read the UI.
    pub resource_uri: String,
    /// A page for people whose client shows no UI: give them this link.
    pub viewer_url: String,
    /// `create`.
    pub action: HandshakeAction,
    /// Key of the contract, 16 hex digits.
    pub contract_hash: String,
    /// Under which it is stored, to be shown again.
    pub blueprint_id: String,
    /// Key of the variance, 16 hex digits.
    pub variant_key: String,
    /// Whether a stored UI was reused.
    pub cache: CacheOutcome,
    /// The call to make next, when the UI has actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_step: Option<RenderNextStep>,
}

/// Whether a stored UI was reused.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CacheOutcome {
    /// A stored UI was reused.
    pub hit: bool,
    /// How alike the stored one is; 1 is the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The stored one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_blueprint_id: Option<String>,
    /// Model calls that were not needed.
    pub llm_calls_avoided: u32,
    /// `full-template` or `cold`.
    pub kind: &'static str,
    /// Why.
    pub reason: String,
}

/// What to call after a render.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RenderNextStep {
    /// `ggui_consume`.
    pub tool: String,
    /// Why.
    pub description: String,
    /// A call that works when pasted.
    pub example: String,
    /// Its arguments.
    pub args: ConsumeArgs,
}

/// Arguments of the next consume.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsumeArgs {
    /// The session.
    pub session_id: String,
    /// Seconds to wait.
    pub timeout: u32,
}

/// Parameters of `ggui_update` and `ggui_amend`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// `replace` gives all `props`; `merge` gives a `patch`.
    pub kind: UpdateKind,
    /// All props, with `replace`.
    #[serde(default)]
    pub props: Option<Object>,
    /// RFC 7396 merge patch, with `merge`: null deletes, arrays replace.
    #[serde(default)]
    pub patch: Option<Object>,
    /// Change nothing unless this is still the version.
    #[serde(default)]
    pub expected_version: Option<u64>,
}

/// How an update is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum UpdateKind {
    /// All props anew.
    Replace,
    /// RFC 7396.
    Merge,
}

/// Result of `ggui_update` and `ggui_amend`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UpdateResult {
    /// The session.
    pub session_id: String,
    /// False when nothing changed.
    pub updated: bool,
    /// Where hosts read the UI; `#N` pins the epoch of an update.
    pub resource_uri: String,
    /// Version of the props, for `expectedVersion`.
    pub version: u64,
    /// The new epoch, for `ggui_update` that changed something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<u64>,
    /// `NO-OP: …` when nothing changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// Hash of the schema that props must fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub props_schema_hash: Option<String>,
    /// How plain that schema is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub props_schema_profile: Option<Profile>,
}

/// Parameters of `ggui_consume`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsumeParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// Seconds to wait for the person; 25 is best, 0 only looks.
    #[serde(default)]
    #[schemars(range(min = 0, max = 25))]
    pub timeout: Option<u32>,
}

/// Result of `ggui_consume`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ConsumeResult {
    /// What the person did, in order; each is delivered once.
    pub events: Vec<ActionEvent>,
    /// `expired` ends the loop.
    pub status: SessionStatus,
    /// Who looks at it, as far as a mount told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
}

/// Who looks at a UI.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Client {
    /// The host around it.
    // Its members are for programs; listing them would cost every model a thousand characters.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub host_context: Arc<HostContext>,
}

/// Parameters of `ggui_request_auth`.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestAuthParams {
    /// The session.
    #[serde(skip_serializing)]
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// Whose consent is needed, in a word.
    #[schemars(length(min = 1, max = 64))]
    pub provider: String,
    /// The page that asks for it; https only.
    #[schemars(length(max = 2048), regex(pattern = r"^https://"))]
    pub auth_url: String,
    /// The provider's name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 120))]
    pub display_name: Option<String>,
    /// What is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 50), inner(length(max = 200)))]
    pub scopes: Option<Vec<String>>,
    /// Why, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 500))]
    pub message: Option<String>,
}

/// Result of `ggui_request_auth`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RequestAuthResult {
    /// Comes back in the event with intent `_ggui:auth`.
    pub auth_request_id: String,
}

/// Whether a session still lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SessionStatus {
    /// It does.
    Active,
    /// It does not.
    Expired,
}

/// One gesture of the person (§2.5).
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ActionEvent {
    /// `action`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The session.
    pub session_id: String,
    /// Name of the action.
    pub intent: String,
    /// What the person gave; null for a bare click.
    pub action_data: Value,
    /// Context slots at that moment.
    pub ui_context: Value,
    /// Id of the gesture.
    pub action_id: String,
    /// When, ISO 8601.
    pub fired_at: String,
}

/// Parameters of `ggui_emit`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EmitParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// A channel of `streamSpec`.
    #[schemars(length(min = 1))]
    pub channel: String,
    /// One item, as the channel's schema demands.
    pub payload: Value,
    /// Ends the channel.
    #[serde(default)]
    pub complete: Option<bool>,
}

/// Result of `ggui_emit`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct EmitResult {
    /// True.
    pub accepted: bool,
}

/// Parameters of `ggui_get_session`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetSessionParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
}

/// Result of `ggui_get_session`. Times are epoch milliseconds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetSessionResult {
    /// The session.
    pub id: String,
    /// Its app.
    pub app_id: String,
    /// Position of its log; grows with everything that happens.
    pub event_sequence: u64,
    /// Version of the props, for `expectedVersion`.
    pub version: u64,
    /// Version of its history.
    pub epoch: u64,
    /// Whether it lives.
    pub status: SessionStatus,
    /// What it is for.
    pub intent: String,
    /// Key of the contract.
    pub contract_hash: String,
    /// The props it shows.
    #[schemars(with = "Object")]
    pub props: Arc<Value>,
    /// Actions that wait to be consumed.
    pub pending_actions: u64,
    /// When it was rendered.
    pub created_at: u64,
    /// When something last happened.
    pub last_activity_at: u64,
    /// When it ends unless something happens.
    pub expires_at: u64,
}

/// Parameters of `ggui_runtime_submit_action`, called by the rendered UI through its host.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmitActionParams {
    /// `dispatch`, `openLink` or `requestDisplayMode`.
    pub kind: String,
    /// For `dispatch`: `{intent, actionData, uiContext}`.
    pub payload: Object,
    /// The session.
    pub session_id: String,
    /// Its app.
    pub app_id: String,
    /// Id of the gesture; accepted once.
    pub action_id: String,
    /// When, ISO 8601.
    pub fired_at: String,
}
