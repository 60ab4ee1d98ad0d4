//! What a browser starts with: the bootstrap slice, and the session as frames carry it.

use std::collections::BTreeMap;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::contract::StreamMode;
use super::host::HostContext;
use super::theme::SliceTheme;
use super::tools::SessionStatus;

/// Media type of a UI resource (MCP Apps, 2026-01-26).
pub const SHELL_MEDIA_TYPE: &str = "text/html;profile=mcp-app";

/// Key of the slice in `_meta`.
pub const SLICE_KEY: &str = "ai.ggui/render";

/// Media type of a composed view.
pub const VIEW_MEDIA_TYPE: &str = "application/a2ui+json";

/// `_meta["ai.ggui/render"]`: everything a mount needs (hosting.md §5). It carries a credential, so
/// it has no `Debug` that could end up in a log.
#[derive(Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Slice {
    /// The session.
    pub session_id: String,
    /// Its app.
    pub app_id: String,
    /// Absolute address of the guest's code.
    pub runtime_url: String,
    /// Address of the live channel.
    pub ws_url: String,
    /// Credential for it.
    pub ws_token: String,
    /// Whether the person may act in this mount; only sent when it is false.
    #[serde(skip_serializing_if = "is_true")]
    pub may_act: bool,
    /// When the credential ends, ISO 8601.
    pub expires_at: String,
    /// Address of the ledger's pages, for networks that let neither sockets nor streams through.
    pub polling_url: String,
    /// Address of the live channel as a one-way stream.
    pub sse_url: String,
    /// Position of the log.
    pub last_sequence: u64,
    /// Version of the history this mount shows.
    pub epoch: u64,
    /// The epoch is pinned: a mount does not follow the session to a newer one.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pinned: bool,
    /// The props as a JSON text; absent without a propsSpec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub props_json: Option<String>,
    /// Context slots; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub context_slots: Vec<ContextSlot>,
    /// What the contract says about its actions, shown to the person who is about to do one; absent
    /// if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub actions: BTreeMap<String, AgreedAction>,
    /// The theme it was rendered with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme_id: Option<String>,
    /// The theme's tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<SliceTheme>,
    /// The stored view as a JSON text.
    pub view_json: String,
    /// Channels that tools feed; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tool_channels: Vec<ToolChannel>,
    /// Tools of this server that feed channels through the live channel; absent if there are none,
    /// or if no channel is fed by a tool.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stream_web_socket_local_tools: Vec<&'static str>,
}

/// One action of the slice.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct AgreedAction {
    /// The text on its button, and in the question before it.
    pub label: String,
    /// Whether the person is asked before it is sent, even if the view does not say so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub confirm: bool,
    /// Whether each control sends it once only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub once: bool,
}

/// One channel of the slice that a tool feeds.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ToolChannel {
    /// Name of the channel.
    pub name: String,
    /// The tool, a key of the contract's `agentCapabilities.tools`.
    pub tool: String,
    /// Arguments it is called with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub args: Option<Map<String, Value>>,
    /// How the view combines the results.
    pub mode: StreamMode,
}

/// One context slot of the slice.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextSlot {
    /// Name of the slot.
    pub name: String,
    /// Name of its context in component code.
    pub context_name: String,
    /// Schema of its value.
    pub schema: Value,
    /// Its value at the start.
    pub default: Value,
    /// Milliseconds to wait for further changes before one is sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub debounce_ms: Option<u64>,
}

/// A session as `ack` and `render` carry it (live-channel.md §11). Times are epoch milliseconds.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct StoredSession {
    /// The session.
    pub id: String,
    /// Its app.
    pub app_id: String,
    /// `component`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Empty: the view is data, not code.
    pub component_code: &'static str,
    /// What the view is written in.
    pub content_type: &'static str,
    /// The stored view.
    pub view: Arc<Value>,
    /// The props; absent without a propsSpec.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub props: Option<Arc<Value>>,
    /// The four specs as the contract has them.
    #[serde(flatten)]
    pub specs: Specs,
    /// The host around it, as a mount told last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host_context: Option<Arc<HostContext>>,
    /// Position of the log.
    pub event_sequence: u64,
    /// Version of the history.
    pub epoch: u64,
    /// Whether it lives.
    pub status: SessionStatus,
    /// What it is for.
    pub prompt: Arc<str>,
    /// When it was rendered.
    pub created_at: u64,
    /// When something last happened.
    pub last_activity_at: u64,
    /// When it ends unless something happens.
    pub expires_at: u64,
}

/// The four specs of a contract, each as written.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Specs {
    /// What the agent shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub props_spec: Option<Value>,
    /// What the person can do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action_spec: Option<Value>,
    /// Live channels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream_spec: Option<Value>,
    /// What the agent can observe.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_spec: Option<Value>,
}

fn is_true(value: &bool) -> bool {
    *value
}
