//! A stretch of a list, as `/api/v1` gives it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which stretch of a list is asked for.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
pub struct PageParams {
    /// Most rows.
    pub limit: usize,
    /// Place of the last row that the client has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A stretch of a list, and where the next one begins.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page<T> {
    /// The rows.
    pub data: Vec<T>,
    /// For the next stretch; nothing on the last.
    pub next_cursor: Option<String>,
}

/// A session as it is listed.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    /// Its id.
    pub id: String,
    /// Its app.
    pub app_id: String,
    /// What it is for.
    pub intent: String,
    /// `active`.
    pub status: &'static str,
    /// Version of its history.
    pub epoch: u64,
    /// Identity of its contract.
    pub contract_hash: String,
    /// Actions that no agent has taken.
    pub pending_actions: u64,
    /// In milliseconds since the Unix epoch.
    pub created_at: u64,
    /// In milliseconds since the Unix epoch.
    pub last_activity_at: u64,
    /// In milliseconds since the Unix epoch.
    pub expires_at: u64,
}
