//! Parameters and result of `ggui_emit` (tools.md §7).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

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
