//! Parameters and results of the tools that list and search: sessions, blueprints, gadgets, themes
//! (tools.md §9 to tools.md §11).

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::object::Object;
use super::remark::Remark;
use super::slice::Specs;
use super::theme::ThemeRow;
use super::tools::{SessionStatus, Variance};
use super::whole;

/// Key of the request's `_meta` that identifies the host.
pub const HOST_SESSION_KEY: &str = "ai.ggui/host-session";

/// The host that shows a render, and its own name for the conversation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HostSession {
    /// The host's product.
    #[schemars(length(min = 1, max = 128))]
    pub host_name: String,
    /// Its name for the conversation.
    #[schemars(length(min = 1, max = 256))]
    pub host_session_id: String,
}

/// Parameters of `ggui_list_sessions`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListSessionsParams {
    /// Only those of this host.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub host_name: Option<String>,
    /// Only those of this conversation of a host.
    #[serde(default)]
    #[schemars(length(min = 1))]
    pub host_session_id: Option<String>,
    /// 50 by default.
    #[serde(default, deserialize_with = "whole::option")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<usize>,
}

/// Result of `ggui_list_sessions`.
#[derive(Clone, Serialize, JsonSchema)]
pub struct ListSessionsResult {
    /// Newest first.
    pub sessions: Vec<SessionRow>,
}

/// One session of the list. It carries a credential, so it has no `Debug`.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// The session.
    pub session_id: String,
    /// The host that asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_name: Option<String>,
    /// The host's conversation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_session_id: Option<String>,
    /// When it was rendered, ISO 8601.
    pub created_at: String,
    /// When something last happened, ISO 8601.
    pub last_activity_at: String,
    /// Whether it lives.
    pub status: SessionStatus,
    /// Credential of its live channel.
    pub ws_token: String,
    /// When the credential ends, ISO 8601.
    pub ws_token_expires_at: String,
}

/// Parameters of `ggui_get_render_source`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetRenderSourceParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
}

/// Result of `ggui_get_render_source`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct GetRenderSourceResult {
    /// The session.
    pub session_id: String,
    /// `source` is its view as JSON, `contract` its specs, `fixtureProps` what it started with.
    pub blueprint: RenderSource,
}

/// What a render was made of.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderSource {
    /// The stored view, as a JSON text.
    pub source: String,
    /// Its four specs.
    pub contract: Specs,
    /// The props it started with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Object>")]
    pub fixture_props: Option<Arc<Value>>,
}

/// Parameters of `ggui_search_blueprints`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchBlueprintsParams {
    /// Words of the intent or the contract.
    #[schemars(length(min = 1, max = 4000))]
    pub query: String,
    /// 10 by default.
    #[serde(default, deserialize_with = "whole::option")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
    /// Only those whose contract names this tool.
    #[serde(default)]
    pub tool: Option<String>,
    /// Only those with a tool of this server.
    #[serde(default)]
    #[schemars(regex(pattern = r"^[A-Za-z0-9_.-]{1,128}$"))]
    pub server: Option<String>,
}

/// Result of `ggui_search_blueprints`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct SearchBlueprintsResult {
    /// Best first.
    pub results: Vec<BlueprintRow>,
    /// How many were found, listed or not.
    pub total: usize,
    /// What was looked for.
    pub query: String,
}

/// Parameters of lists without any: none.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct AllParams {}

/// Result of `ggui_list_featured_blueprints`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListFeaturedBlueprintsResult {
    /// Most shown first.
    pub blueprints: Vec<BlueprintRow>,
    /// How many there are.
    pub total: usize,
}

/// One stored UI of a list.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BlueprintRow {
    /// For `ggui_render_blueprint`.
    pub id: String,
    /// A short name.
    pub name: String,
    /// What it was made for.
    pub description: String,
    /// `user` if an agent handed its view in, else `composed`.
    pub category: &'static str,
    /// Names of its props.
    pub props: Vec<String>,
    /// Names of its actions.
    pub callbacks: Vec<String>,
    /// Whether it is shown often.
    pub featured: bool,
    /// `match` in a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relevance: Option<&'static str>,
    /// Share of the words that were found, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
}

/// Parameters of `ggui_render_blueprint`, and of what is done to one stored UI.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlueprintParams {
    /// From a search, a list or a render.
    #[schemars(length(min = 1))]
    pub blueprint_id: String,
}

/// Result of `ggui_render_blueprint`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenderBlueprintResult {
    /// The blueprint.
    pub blueprint_id: String,
    /// Its short name.
    pub blueprint_name: String,
    /// Its view, as a JSON text.
    pub code: String,
    /// What the view is written in.
    pub content_type: &'static str,
    /// Negotiate it to render the same again.
    #[schemars(with = "Object")]
    pub contract: Arc<Value>,
}

/// Parameters of `ggui_protocol_validate_blueprint`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValidateBlueprintParams {
    /// The view as JSON text, as `ggui_get_render_source` gives one.
    #[schemars(length(min = 1))]
    pub source: String,
    /// What it is drawn for; without one, a view that shows nothing of anybody's.
    #[serde(default)]
    pub contract: Option<Object>,
    /// Props to try.
    #[serde(default)]
    pub fixture_props: Option<Object>,
}

/// Result of `ggui_protocol_validate_blueprint`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValidateBlueprintResult {
    /// Whether it would be shown as it is.
    pub valid: bool,
    /// The tier that refuses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed_at: Option<Tier>,
    /// All that this tier refuses.
    pub errors: Vec<BlueprintProblem>,
    /// What may be better.
    pub warnings: Vec<BlueprintProblem>,
}

/// What a view is tried for, one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Tier {
    /// It is JSON, and its contract is sound.
    Compile,
    /// It keeps to the catalog and to its contract.
    SelfCheck,
    /// The props fit the contract.
    Runtime,
}

/// Something that is wrong with a view.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct BlueprintProblem {
    /// The tier that found it.
    pub tier: Tier,
    /// The code of the rule.
    pub code: String,
    /// Where, and what is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

/// A stored UI as lists show it, without its content.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredBlueprint {
    /// `bp_<uuid>`, as in the result of a render.
    pub id: String,
    /// The app it is stored for.
    pub app_id: String,
    /// A short name.
    pub name: String,
    /// What it was made for.
    pub intent: String,
    /// `user` if an agent handed its view in, else `composed`.
    pub category: &'static str,
    /// Identity of its contract.
    pub contract_hash: String,
    /// Key of its variance.
    pub variant_key: String,
    /// How often it was shown again.
    pub hits: u64,
    /// When it was made, in milliseconds since the Unix epoch.
    pub created_at: u64,
}

/// A stored UI with its content.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BlueprintDetail {
    /// The members that lists show.
    #[serde(flatten)]
    pub stored: StoredBlueprint,
    /// How it should feel.
    pub variance: Variance,
    /// What people have said of how it is drawn, the latest last.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Remark>,
    /// Negotiate it to render the same again.
    #[schemars(with = "Object")]
    pub contract: Arc<Value>,
    /// What is drawn: its version, its catalog and the component list.
    #[schemars(with = "Object")]
    pub view: Arc<Value>,
}

/// Parameters of `ggui_list_gadgets` and `ggui_list_themes`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfAppParams {
    /// Your own app, if any.
    #[serde(default)]
    pub app_id: Option<String>,
}

/// Result of `ggui_list_gadgets`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListGadgetsResult {
    /// Packages a contract may name under `clientCapabilities.gadgets`.
    pub gadgets: Vec<GadgetPackage>,
}

/// A package of browser abilities.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GadgetPackage {
    /// Its name.
    pub package: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What it exports.
    pub exports: Vec<GadgetHook>,
}

/// One ability of a package.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct GadgetHook {
    /// Its name.
    pub hook: &'static str,
    /// What it does.
    pub description: &'static str,
    /// What the browser asks the person for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub permission: Option<&'static str>,
}

/// Result of `ggui_list_themes`.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ListThemesResult {
    /// For `themeId` of `ggui_render`.
    pub themes: Vec<ThemeRow>,
}
