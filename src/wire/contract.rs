//! The data contract as JSON, and the findings and violations about it.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::object::Object;
use super::whole;

/// What flows between one agent and one interface (contract.md §1).
///
/// All members are optional and `{}` is a valid contract. Keys this type does not know ride
/// along in the contract as written; here they are skipped. Named entries keep the order in which
/// they were declared: it is the order in which people see them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Contract {
    /// Data the agent gives to the interface.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub props_spec: Option<PropsSpec>,
    /// Gestures the interface gives to the agent, by action name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action_spec: Option<IndexMap<String, ActionEntry>>,
    /// Live channels from the agent to the interface, by channel name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream_spec: Option<IndexMap<String, StreamEntry>>,
    /// State of the interface that the agent may observe, by slot name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_spec: Option<IndexMap<String, ContextEntry>>,
    /// The tools the agent may call after a gesture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent_capabilities: Option<AgentCapabilities>,
    /// The browser-side packages the interface may use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_capabilities: Option<ClientCapabilities>,
}

/// The props of an interface.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PropsSpec {
    /// What the props are, for people and models.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The props by name.
    pub properties: IndexMap<String, PropEntry>,
}

/// One prop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PropEntry {
    /// The JSON Schema of the value.
    #[schemars(with = "Object")]
    pub schema: Value,
    /// Whether a render must carry the prop. Absent means no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// What the prop is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A documented default; the server never fills it in.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub default: Option<Value>,
    /// A sample value.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub example: Option<Value>,
    /// The agent's tool the value comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_tool: Option<String>,
}

/// One gesture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ActionEntry {
    /// The words on the button.
    pub label: String,
    /// The JSON Schema of the gesture's data; absent means the gesture carries none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Object>")]
    pub schema: Option<Value>,
    /// What the gesture does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Sample data.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub example: Option<Value>,
    /// The name of an icon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub icon: Option<String>,
    /// Whether the person is asked before the gesture is sent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirm: Option<bool>,
    /// The tool the agent probably calls next: a key of [`AgentCapabilities::tools`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_step: Option<String>,
}

/// One live channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamEntry {
    /// The JSON Schema of one payload.
    #[schemars(with = "Object")]
    pub schema: Value,
    /// What the channel carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A sample payload.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub example: Option<Value>,
    /// Whether payloads pile up or replace each other; absent means they pile up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<StreamMode>,
    /// What a late subscriber is given; absent means nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<StreamReplay>,
    /// Whether the agent may mark the channel as finished; absent means no.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// Where the payloads come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<StreamSource>,
}

/// How a channel's payloads combine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StreamMode {
    /// Payloads pile up in order.
    #[default]
    Append,
    /// The newest payload is the whole state.
    Replace,
}

/// What a late subscriber of a channel is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StreamReplay {
    /// Everything that is still kept.
    All,
    /// The newest payload.
    Latest,
    /// Nothing.
    #[default]
    None,
}

/// The tool a channel's payloads come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamSource {
    /// A key of [`AgentCapabilities::tools`].
    pub tool: String,
    /// The arguments the tool is called with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<serde_json::Map<String, Value>>,
}

/// One slot of interface state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ContextEntry {
    /// The JSON Schema of the value.
    #[schemars(with = "Object")]
    pub schema: Value,
    /// What the slot is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The value before anybody touches it.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub default: Option<Value>,
    /// How long the interface waits after the last change before it reports, in milliseconds;
    /// absent means 300.
    #[serde(
        default,
        deserialize_with = "whole::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub debounce_ms: Option<u64>,
    /// A sample value.
    #[serde(
        default,
        deserialize_with = "present",
        skip_serializing_if = "Option::is_none"
    )]
    pub example: Option<Value>,
}

/// The agent's catalogue of tools. Open: other keys are tolerated.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentCapabilities {
    /// The tools by bare name.
    pub tools: IndexMap<String, AgentTool>,
}

/// One tool of the agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct AgentTool {
    /// The tool's own description.
    pub tool_info: ToolInfo,
    /// The server that offers the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_info: Option<ServerInfo>,
    /// When to call it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<String>,
    /// A sample call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<ToolExample>,
}

/// What a tool says about itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ToolInfo {
    /// The JSON Schema of its arguments.
    #[schemars(with = "Object")]
    pub input_schema: Value,
    /// What it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The JSON Schema of its result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Object>")]
    pub output_schema: Option<Value>,
}

/// The server that offers a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ServerInfo {
    /// Its name.
    pub name: String,
    /// Its version; not part of the contract's identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A sample call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ToolExample {
    /// The arguments.
    pub input: Value,
    /// The result.
    pub output: Value,
}

/// The browser-side packages an interface may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ClientCapabilities {
    /// Exports by package, then by export name.
    pub gadgets: IndexMap<String, IndexMap<String, GadgetExport>>,
}

/// One export of a browser-side package.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GadgetExport {
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// When to use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<String>,
}

/// One way in which a value breaks its contract (contract.md §6.2).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Violation {
    /// The path of the value, as in `todos[0].done`.
    pub field: String,
    /// What is wrong.
    pub message: String,
    /// What would have been right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What was there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub received: Option<String>,
    /// The JSON Schema keyword that refused; absent where no schema was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keyword: Option<String>,
}

impl Violation {
    /// A violation of a rule that is not part of a schema.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
            expected: None,
            received: None,
            keyword: None,
        }
    }
}

/// One remark about a contract or a view (contract.md §4.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The code of the rule, as in `CTR_REF_NEXT_STEP`.
    pub code: String,
    /// Whether the draft is refused for it.
    pub severity: Severity,
    /// Where, dotted, as in `actionSpec.save.nextStep`; `<root>` for the whole.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix_hint: Option<String>,
}

/// How severe a [`Finding`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The draft is refused.
    Error,
    /// The draft is accepted.
    Warn,
}

/// Which keywords the enforced props schema needs (contract.md §7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// More than a constrained decoder understands.
    Full,
    /// Only keywords that a constrained decoder can enforce while it writes.
    GrammarSafe,
}

/// Keeps an explicit `null` apart from an absent member.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}
