//! Parameters and result of `ggui_consume` (tools.md §6).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::host::HostContext;
use super::session::SessionStatus;

/// Longest a consume may wait, in seconds (tools.md §6.1): under the 30 s at which proxies cut a
/// silent answer.
pub const CONSUME_TIMEOUT_S_MAX: u32 = 25;

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

/// One gesture of the person (tools.md §6.1).
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
