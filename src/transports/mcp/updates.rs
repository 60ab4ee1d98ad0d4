//! Messages of a stream of notifications: what has changed, and its end.

use serde_json::{Value, json};

/// Under which every message of a stream names the request that opened it.
const SUBSCRIPTION_KEY: &str = "io.modelcontextprotocol/subscriptionId";
/// Tells that what a URI shows has changed.
pub(super) const UPDATED: &str = "notifications/resources/updated";

/// A method and its params.
pub(super) type Change = (&'static str, Value);

/// The answer to the request that opened a stream, when it has ended.
pub(super) fn listened(id: &str) -> Value {
    let id: Value = serde_json::from_str(id).unwrap_or_default();
    json!({ "_meta": { SUBSCRIPTION_KEY: id } })
}

/// A message of a stream.
pub(super) fn notice(id: &Value, method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({ SUBSCRIPTION_KEY: id });
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}
