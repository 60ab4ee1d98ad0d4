//! Parameters and result of `ggui_consume` (tools.md §6).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::host::HostContext;
use super::super::whole;
use super::session::SessionStatus;

/// The longest a consume may wait, in seconds (tools.md §6.1): less than the 30 s after which
/// proxies cut a silent response.
pub const CONSUME_TIMEOUT_S_MAX: u32 = 25;

/// Parameters of `ggui_consume`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsumeParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// Seconds to wait for the person; 25 is best, 0 only looks.
    #[serde(default, deserialize_with = "whole::option")]
    #[schemars(range(min = 0, max = 25))]
    pub timeout: Option<u32>,
    /// `actionId` of the last event you have handled, "" if none: lost ones come again.
    #[serde(default)]
    pub after: Option<String>,
}

/// Result of `ggui_consume`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsumeResult {
    /// What the person did, in order.
    pub events: Vec<ActionEvent>,
    /// `expired` ends the loop.
    pub status: SessionStatus,
    /// The client that shows it, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<Client>,
    /// The call to make once they are handled.
    #[serde(skip_serializing_if = "Option::is_none")]
    // The same type as after a render, where its members are listed.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub next_step: Option<ConsumeStep>,
}

impl ConsumeResult {
    /// A result without events.
    pub fn nothing(status: SessionStatus) -> Self {
        Self {
            events: Vec::new(),
            status,
            client: None,
            next_step: None,
        }
    }
}

/// The next call of `ggui_consume`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ConsumeStep {
    /// `ggui_consume`.
    pub tool: String,
    /// Why.
    pub description: String,
    /// A call that works when pasted.
    pub example: String,
    /// Its arguments.
    // The tool's own schema lists them.
    #[schemars(with = "serde_json::Map<String, Value>")]
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
    /// The last event that was handled; "" is none.
    pub after: String,
}

/// Who looks at a UI.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Client {
    /// The host around it.
    // Its members are for programs, and listing them would cost every model a thousand characters.
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
    /// An earlier call was given it, too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub redelivered: bool,
}
