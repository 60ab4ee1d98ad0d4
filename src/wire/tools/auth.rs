//! Parameters and result of `ggui_request_auth`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

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
