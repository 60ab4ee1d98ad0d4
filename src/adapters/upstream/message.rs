//! Requests and results as the client of the protocol has them, and as the gate does.

use rmcp::model::{ClientRequest, ProgressNotificationParam, ServerResult};
use rmcp::service::{ClientInitializeError, ServiceError};
use rmcp::transport::DynamicTransportError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use serde_json::{Map, Value, json};

use crate::domain::gate::{Progress, UpstreamError};

/// Members of results that belong to one revision of one connection.
const OF_CONNECTION: [&str; 3] = ["cacheScope", "resultType", "ttlMs"];
/// Keys of `_meta` that belong to one connection.
const META_OF_CONNECTION: [&str; 1] = ["io.modelcontextprotocol/serverInfo"];
/// What a result is that asks for nothing more.
const COMPLETE: &str = "complete";
/// The status of a server that is asked too often.
const TOO_MANY_REQUESTS: u16 = 429;
/// The status of a server that is not ready.
const SERVICE_UNAVAILABLE: u16 = 503;

/// A request for the client.
pub(super) fn request(
    method: &str,
    params: Map<String, Value>,
) -> Result<ClientRequest, UpstreamError> {
    serde_json::from_value(json!({ "method": method, "params": params }))
        .map_err(|error| UpstreamError::Unusable(error.to_string()))
}

/// How far a request has come, without the token, which is this connection's.
pub(super) fn progress(told: &ProgressNotificationParam) -> Option<Progress> {
    let Ok(Value::Object(mut progress)) = serde_json::to_value(told) else {
        return None;
    };
    for name in ["progressToken", "_meta"] {
        progress.shift_remove(name);
    }
    Some(progress)
}

/// A result without what belongs to the connection.
pub(super) fn result(result: &ServerResult) -> Result<Value, UpstreamError> {
    let unusable = |why: String| Err(UpstreamError::Unusable(why));
    let mut value = match serde_json::to_value(result) {
        Ok(Value::Object(value)) => value,
        Ok(_) => return unusable("the result is no object".to_owned()),
        Err(error) => return unusable(error.to_string()),
    };
    let kind = value.get("resultType").and_then(Value::as_str);
    if kind.is_some_and(|kind| kind != COMPLETE) {
        return unusable(format!("the result is {}", kind.unwrap_or_default()));
    }
    for name in OF_CONNECTION {
        value.shift_remove(name);
    }
    if let Some(Value::Object(meta)) = value.get_mut("_meta") {
        for name in META_OF_CONNECTION {
            meta.shift_remove(name);
        }
        if meta.is_empty() {
            value.shift_remove("_meta");
        }
    }
    Ok(Value::Object(value))
}

/// Why a request gave no result.
pub(super) fn failed(error: ServiceError) -> UpstreamError {
    match error {
        ServiceError::McpError(error) => UpstreamError::Answered {
            code: error.code.0,
            message: error.message.into_owned(),
        },
        ServiceError::TransportSend(error) => of_transport(&error),
        ServiceError::TransportClosed => {
            UpstreamError::Unreachable("the connection was closed".to_owned())
        }
        ServiceError::Timeout { .. } => UpstreamError::Timeout,
        other => UpstreamError::Unusable(other.to_string()),
    }
}

/// Why a connection was not made.
pub(super) fn not_connected(error: ClientInitializeError) -> UpstreamError {
    match error {
        ClientInitializeError::JsonRpcError(error) => UpstreamError::Answered {
            code: error.code.0,
            message: error.message.into_owned(),
        },
        ClientInitializeError::TransportError { error, .. } => of_transport(&error),
        ClientInitializeError::ConnectionClosed(why) => UpstreamError::Unreachable(why),
        other => UpstreamError::Unusable(other.to_string()),
    }
}

fn of_transport(error: &DynamicTransportError) -> UpstreamError {
    use StreamableHttpError as Http;
    let unreachable = || UpstreamError::Unreachable(error.to_string());
    let unusable = |why: String| UpstreamError::Unusable(why);
    let cause = error.error.downcast_ref::<Http<reqwest::Error>>();
    match cause {
        Some(Http::HttpStatus(error)) => match error.status {
            TOO_MANY_REQUESTS => UpstreamError::Busy,
            SERVICE_UNAVAILABLE => UpstreamError::Unavailable,
            status => unusable(format!("HTTP status {status}")),
        },
        // It cannot be reached, or the connection was cut.
        None
        | Some(
            Http::Client(_)
            | Http::Io(_)
            | Http::TokioJoinError(_)
            | Http::TransportChannelClosed
            | Http::UnexpectedEndOfStream,
        ) => unreachable(),
        Some(other) => unusable(other.to_string()),
    }
}
