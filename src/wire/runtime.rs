//! Parameters and results of the tools a shown UI calls through its host (tools.md §12).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::frames::LedgerRow;
use super::object::Object;
use super::whole;

/// The longest a pull may wait, in seconds.
pub const PULL_WAIT_S_MAX: u32 = 20;
/// The most rows of one pull.
pub const PULL_ROWS_MAX: u32 = 100;

/// Parameters of `ggui_runtime_pull`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PullParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// Ledger position the caller has seen; 0 is nothing.
    #[serde(default, deserialize_with = "whole::one")]
    pub since_sequence: u64,
    /// Most rows to return; 100 at most.
    #[serde(default, deserialize_with = "whole::option")]
    #[schemars(range(min = 1))]
    pub limit: Option<u32>,
    /// Seconds to wait for the first row; 20 at most.
    #[serde(default, deserialize_with = "whole::option")]
    pub wait: Option<u32>,
}

/// Result of `ggui_runtime_pull`: a page, or why there is none.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PullResult {
    /// Rows after the cursor, oldest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<LedgerRow>>,
    /// Where the ledger stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_sequence: Option<u64>,
    /// Whether there are more rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_more: Option<bool>,
    /// `REPLAY_HORIZON_PASSED`: start again from `currentSequence`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// Where the ledger stands, when the cursor is of no use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_sequence: Option<u64>,
}

/// What asks for a stretch of a session's ledger over HTTP.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct EventsParams {
    /// The session.
    pub session_id: String,
    /// Ledger position the caller has seen.
    pub since_sequence: u64,
    /// Most rows to return.
    pub limit: usize,
    /// Seconds to wait for the first row.
    pub wait: u32,
}

/// What asks for a session to be shown.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct MountParams {
    /// The session; none for the list of all.
    #[serde(default)]
    pub session_id: Option<String>,
}

/// Parameters of `ggui_runtime_sync_context`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SyncContextParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// Its app.
    #[schemars(length(min = 1))]
    pub app_id: String,
    /// What every slot holds; replaces what was there.
    pub snapshot: Object,
}

/// Parameters of `ggui_runtime_refresh_ws_token`. It carries a credential: no `Debug`.
#[derive(Clone, Deserialize, JsonSchema)]
pub struct RefreshWsTokenParams {
    /// The token so far; it may have expired a little while ago.
    pub envelope: String,
}

/// Parameters of `ggui_runtime_telemetry`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TelemetryParams {
    /// The session; only a tag.
    #[schemars(length(min = 1, max = 128))]
    pub session_id: String,
    /// What happened in the UI.
    #[schemars(length(min = 1, max = 40))]
    pub events: Vec<TelemetryEvent>,
}

/// Something that happened in a UI.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct TelemetryEvent {
    /// Milliseconds, on a clock of the UI's own.
    #[schemars(range(min = 0.0))]
    pub at: f64,
    /// What, in a word.
    #[schemars(length(min = 1, max = 64))]
    pub kind: String,
    /// More.
    #[serde(default)]
    #[schemars(length(max = 512))]
    pub detail: Option<String>,
}

/// Parameters of `ggui_runtime_submit_action`, called by the rendered UI through its host.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubmitActionParams {
    /// `dispatch`, `openLink` or `requestDisplayMode`.
    #[schemars(length(min = 1))]
    pub kind: String,
    /// For `dispatch`: `{intent, actionData, uiContext}`.
    pub payload: Object,
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// Its app.
    #[schemars(length(min = 1))]
    pub app_id: String,
    /// Id of the gesture; accepted once.
    #[schemars(length(min = 1))]
    pub action_id: String,
    /// When, ISO 8601.
    #[schemars(length(min = 1))]
    pub fired_at: String,
}

impl RuntimeResult {
    /// It worked, and there is nothing more to say.
    pub fn done() -> Self {
        Self {
            ok: true,
            ..Self::default()
        }
    }
}

/// Result of a tool that fails in band: hosts hand it to the UI as it is. It may carry a
/// credential: no `Debug`.
#[derive(Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RuntimeResult {
    /// Whether it worked.
    pub ok: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'static str>,
    /// Why not, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// A fresh token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub envelope: Option<String>,
    /// When it ends, ISO 8601.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<String>,
    /// Whether an agent waits for the action; without one, ring the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub consumer_present: Option<bool>,
}
