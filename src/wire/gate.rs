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
