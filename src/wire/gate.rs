//! What the operations of the gate are given; their results are those of the servers behind it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Key of the request's `_meta` that names the session during which a tool is called.
pub const SESSION_KEY: &str = "proscenium/sessionId";

/// A call of a tool behind the gate.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GateCallParams {
    /// The tool, as the gate lists it.
    pub name: String,
    /// What it is given.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// The session during which it is called, where the caller names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
}

/// A request to the gate that changes nothing: lists, resources, prompts and completion.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GateReadParams {
    /// The method of the protocol.
    pub method: String,
    /// Its parameters.
    #[serde(default)]
    pub params: Map<String, Value>,
}

/// Which resource behind the gate is waited for to change.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GateFollowParams {
    /// Its address.
    pub uri: String,
    /// The version that is known; none: the first one, at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

/// A version of a resource behind the gate.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, JsonSchema)]
pub struct GateFollowed {
    /// It is another one each time that the resource has changed.
    pub version: u64,
}

/// A person is about to do something in a session, and the agent would call a tool then.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmParams {
    /// The session.
    #[schemars(length(min = 1))]
    pub session_id: String,
    /// What they are about to do.
    pub body: Confirmation,
}

/// What a person is about to do.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Confirmation {
    /// The action of the contract.
    pub action: String,
    /// Its data.
    #[serde(default)]
    pub data: Value,
    /// The `id` of the question to which they have said yes; none: they were not asked yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed: Option<String>,
}

/// Whether a person is asked about the call that follows what they do.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmResult {
    /// What they are to be asked; none: their click allows nothing that is not allowed anyway.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<CallQuestion>,
    /// Whether the call is approved.
    pub is_approved: bool,
}

/// A call that a person is asked about before the agent makes it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CallQuestion {
    /// Tells it from every other call.
    pub id: String,
    /// The tool, as the agent sees it.
    pub tool: String,
    /// The id of its source.
    pub server: String,
    /// The agent.
    pub requester: String,
    /// Why the rule wants a person to be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What the tool is given, without what is secret.
    pub arguments: Vec<ShownValue>,
}

/// A value as people are shown it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ShownValue {
    /// Its name, with dots for what is nested.
    pub name: String,
    /// The value as a text.
    pub value: String,
}
