//! Parameters and result of `ggui_render` (tools.md §4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::object::Object;
use super::consume::ConsumeStep;
use super::handshake::{HandshakeAction, Variance};

/// Parameters of `ggui_render`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderParams {
    /// From `ggui_handshake`, called first; single use.
    #[schemars(length(min = 1))]
    pub handshake_id: String,
    /// The first props, as `propsSpec` demands; `{}` if there are none.
    pub props: Object,
    /// A theme of `ggui_list_themes`.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub theme_id: Option<String>,
    /// What a generator should run on.
    #[serde(default)]
    pub infra: Option<Infra>,
    /// Leave the suggestion: another contract or variance.
    #[serde(default, rename = "override")]
    pub override_: Option<RenderOverride>,
}

/// What a generator runs on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Infra {
    /// A model this server may ask; its provider's name may stand in front.
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
    pub next_step: Option<ConsumeStep>,
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
    /// Calls of a model that were not needed: as many as the stored UI took when a model drew it,
    /// else 1, since whoever draws with a model alone would have made one.
    pub llm_calls_avoided: u32,
    /// Tokens that those calls took; absent where no model drew it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_avoided: Option<u64>,
    /// What they cost, in millionths of a US dollar; absent where no model drew it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microdollars_avoided: Option<u64>,
    /// `full-template` or `cold`.
    pub kind: &'static str,
    /// Why.
    pub reason: String,
}
