//! Every refusal in the words of the family its path belongs to: JSON-RPC under `/mcp`, the REST
//! envelope everywhere else.

use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use http::{HeaderValue, StatusCode};
use serde_json::json;

use super::fault::Fault;
use super::projection::Refusal;
use crate::wire::fault::{Code, Endpoint, Era, status_code_name};

/// Media types of error answers that say all there is to say.
const COMPLETE_TYPES: [&str; 3] = ["application/json", "text/html", "text/event-stream"];

/// The endpoint whose clients read JSON-RPC at a path.
pub(crate) fn endpoint_of(path: &str) -> Option<Endpoint> {
    match path {
        "/mcp/gate" | "/mcp/v1" => Some(Endpoint::Gate),
        path if path.ends_with("/mcp/brain") => Some(Endpoint::Brain),
        path => path.ends_with("/mcp").then_some(Endpoint::Mcp),
    }
}

/// Writes what was refused, and what was left without words.
pub(crate) fn write_refusal(rpc: Option<Endpoint>, mut response: Response) -> Response {
    let status = response.status();
    if let Some(Refusal(fault)) = response.extensions_mut().remove::<Refusal>() {
        return keeping(response.headers_mut(), to_response(&fault, rpc));
    }
    if !is_failure(status) || has_body(response.headers()) {
        return response;
    }
    let bare = bare(status, rpc);
    keeping(response.headers_mut(), bare)
}

/// A fault in the words of a family.
fn to_response(fault: &Fault, rpc: Option<Endpoint>) -> Response {
    match rpc {
        Some(endpoint) => fault.to_rpc_response("null", Era::Legacy, endpoint),
        None => fault.to_rest(),
    }
}

fn is_failure(status: StatusCode) -> bool {
    status.is_client_error() || status.is_server_error()
}

fn has_body(headers: &HeaderMap) -> bool {
    let media_type = headers
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    media_type.is_some_and(|given| {
        COMPLETE_TYPES
            .iter()
            .any(|to_response| given.starts_with(to_response))
    })
}

/// A status that came without a fault: from the framework, whose words are not ours.
fn bare(status: StatusCode, rpc: Option<Endpoint>) -> Response {
    if rpc.is_some() {
        let code = if status.is_server_error() {
            Code::Internal
        } else {
            Code::InvalidRequest
        };
        let mut response = to_response(&Fault::of(code), rpc);
        *response.status_mut() = status;
        return response;
    }
    let message = status.canonical_reason().unwrap_or("Refused");
    let error = json!({ "code": status_code_name(status.as_u16()), "message": message });
    let body = json!({ "detail": message, "error": error }).to_string();
    let json = HeaderValue::from_static("application/json");
    (status, [(CONTENT_TYPE, json)], body).into_response()
}

/// The answer with the headers that other layers had put on the one it stands for.
fn keeping(headers: &mut HeaderMap, mut response: Response) -> Response {
    for name in [CONTENT_TYPE, CONTENT_LENGTH] {
        headers.remove(name);
    }
    let given = response.headers().clone();
    response.headers_mut().clone_from(headers);
    response.headers_mut().extend(given);
    response
}
