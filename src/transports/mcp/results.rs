//! What a revision of the protocol adds to results.

#[cfg(feature = "gate")]
use serde_json::Map;
use serde_json::{Value, json};

use crate::wire::fault::Era;

/// Milliseconds a list may be kept: it changes only with a release.
const LIST_TTL_MS: u64 = 3_600_000;
/// Methods whose results say how long they may be kept.
const CACHEABLE: [&str; 6] = [
    "prompts/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "server/discover",
    "tools/list",
];
/// What a result is that asks for nothing more.
pub(super) const COMPLETE: &str = "complete";
/// Key under which results name their server on 2026-07-28.
pub(super) const SERVER_INFO_KEY: &str = "io.modelcontextprotocol/serverInfo";

/// A result with what its revision adds to it.
pub(super) fn finished(era: Era, method: &str, result: Value) -> Value {
    match era {
        Era::Legacy => result,
        Era::Modern if CACHEABLE.contains(&method) => complete(cached(result)),
        Era::Modern => complete(result),
    }
}

/// What a caller has to answer before a request goes on, and the name under which it does.
#[cfg(feature = "gate")]
pub(super) fn input_required(requests: Map<String, Value>, state: &str) -> Value {
    json!({
        "resultType": "input_required",
        "inputRequests": requests,
        "requestState": state,
        "_meta": { SERVER_INFO_KEY: server_info() },
    })
}

/// A task that was begun in the place of a result.
#[cfg(feature = "gate")]
pub(super) fn created(mut task: Value) -> Value {
    task["resultType"] = "task".into();
    task["_meta"] = json!({ SERVER_INFO_KEY: server_info() });
    task
}

/// The same of what may change at any moment, and is the caller's alone.
pub(super) fn finished_now(era: Era, method: &str, mut result: Value) -> Value {
    match era {
        Era::Legacy => result,
        Era::Modern => {
            if CACHEABLE.contains(&method) {
                result["ttlMs"] = 0.into();
                result["cacheScope"] = "private".into();
            }
            complete(result)
        }
    }
}

/// What the server says of itself.
pub(super) fn server_info() -> Value {
    json!({
        "name": "proscenium",
        "title": "proscenium",
        "version": env!("CARGO_PKG_VERSION"),
        "description": "Puts living, safe interfaces in front of people.",
    })
}

fn cached(mut result: Value) -> Value {
    // What is read of a session changes with it, and is the caller's alone.
    let is_read = result.get("contents").is_some();
    result["ttlMs"] = if is_read { 0 } else { LIST_TTL_MS }.into();
    result["cacheScope"] = if is_read { "private" } else { "public" }.into();
    result
}

fn complete(mut result: Value) -> Value {
    result["resultType"] = COMPLETE.into();
    let meta = &mut result["_meta"];
    if meta.is_null() {
        *meta = json!({});
    }
    meta[SERVER_INFO_KEY] = server_info();
    result
}
