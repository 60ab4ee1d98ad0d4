//! Parameters and result of `ggui_update` and `ggui_amend` (tools.md §5).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::contract::Profile;
use super::super::object::Object;
use super::super::whole;

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
    #[serde(default, deserialize_with = "whole::option")]
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
    /// Where hosts read the UI; `#N` pins an epoch.
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
