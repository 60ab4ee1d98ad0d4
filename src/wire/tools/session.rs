//! Parameters and result of `ggui_get_session` (tools.md §9.1).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::super::object::Object;

/// Whether a session still lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SessionStatus {
    /// It does.
    Active,
    /// It does not.
    Expired,
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
    /// Position of its log.
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
    /// What context slots hold.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Object>")]
    pub context_snapshot: Option<Arc<Value>>,
    /// Actions that wait to be consumed.
    pub pending_actions: u64,
    /// When it was rendered.
    pub created_at: u64,
    /// When something last happened.
    pub last_activity_at: u64,
    /// When it ends unless something happens.
    pub expires_at: u64,
}
