//! The four projections of a fault: JSON-RPC error, tool result, frame, and REST envelope.

use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use metrics::counter;
use serde_json::{Map, Value, json};

use super::fault::Fault;
use crate::transports::request::Correlation;
use crate::transports::tools::ToolResult;
use crate::wire::fault::{Code, Endpoint, Era, Retry, Surface, status_code_name};
use crate::wire::frames::{ServerBody, ServerFrame};
use crate::wire::ids::SessionId;

/// Statuses from here on are the server's doing: their answers name the request in the body, too.
const SERVER_S_DOING: u16 = 500;

/// An answer that is not written yet: the layer that knows the caller's family writes it.
#[derive(Clone)]
pub(crate) struct Refusal(pub(crate) Fault);

impl Fault {
    /// The fault as an answer to be written in the words of whoever asked.
    pub(crate) fn refuse(self) -> Response {
        let status = status_of(self.code.row().status);
        let mut response = status.into_response();
        response.extensions_mut().insert(Refusal(self));
        response
    }

    fn retry(&self, advice: Retry) -> Value {
        let mut retry = json!({
            "allowed": advice.is_allowed(),
            "hint": advice,
        });
        if let Some(wait) = self.retry_after {
            retry["after_ms"] = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).into();
        }
        retry
    }

    /// Projection 1: a JSON-RPC error as text. `id` is JSON and echoed as it came; `null` where it
    /// was not read.
    pub(crate) fn to_jsonrpc(&self, id: &str, era: Era, endpoint: Endpoint) -> String {
        self.log();
        let code = self.code.at(endpoint);
        let row = code.row();
        // A refusal at the door has its HTTP status, so that its number is never mistaken.
        let endpoint = match row.surface {
            Surface::Http => Endpoint::Mcp,
            _ => endpoint,
        };
        let mut error = json!({
            "code": code.number(era, endpoint).unwrap_or_else(|| internal_number(era)),
            "message": self.message,
        });
        let data = if code == Code::ResourceMalformed {
            // What cannot be named is no typed failure.
            self.details.as_deref().cloned()
        } else if row.surface == Surface::Resource {
            Some(json!({ "code": row.word }))
        } else {
            let mut data = match self.details.as_deref() {
                Some(Value::Object(details)) => details.clone(),
                _ => Map::new(),
            };
            data.insert("surface".into(), json!(row.surface));
            data.insert("code".into(), row.name.into());
            data.insert("retry".into(), self.retry(row.retry));
            if row.surface == Surface::Http {
                data.insert("envelope".into(), self.envelope());
            }
            if let Some(id) = request_id(row.status) {
                data.insert("request_id".into(), id);
            }
            Some(Value::Object(data))
        };
        if let Some(data) = data {
            error["data"] = data;
        }
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
    }

    /// The JSON-RPC error as an HTTP answer of its own.
    pub(crate) fn to_rpc_response(&self, id: &str, era: Era, endpoint: Endpoint) -> Response {
        let code = match endpoint {
            // Its own numbers are those of answers; a refusal before them keeps its status.
            Endpoint::Gate => self.code,
            Endpoint::Brain | Endpoint::Ggui | Endpoint::Mcp => self.code.at(endpoint),
        };
        self.respond(code.rpc_status(era), self.to_jsonrpc(id, era, endpoint))
    }

    /// Projection 2: the result of a tool that failed. Tools of pages name statuses, as the REST
    /// interface does.
    pub(crate) fn to_tool_result(
        &self,
        era: Era,
        latency_ms: u64,
        is_of_pages: bool,
    ) -> ToolResult {
        self.log();
        let row = self.code.row();
        let mut details = match self.details.as_deref() {
            Some(Value::Object(details)) => details.clone(),
            _ => Map::new(),
        };
        let status = status_code_name(row.status);
        let code = if is_of_pages {
            status.as_ref()
        } else {
            row.word
        };
        details.insert("status".into(), status.as_ref().into());
        if is_of_pages && let Some(wait) = self.retry_after {
            let wait = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
            details.insert("retry_after_ms".into(), wait.into());
        }
        let envelope = json!({
            "error": { "code": code, "message": self.message, "details": details },
            "_latency_ms": latency_ms,
        });
        let text = match (self.code, self.code.number(era, Endpoint::Mcp)) {
            (Code::InvalidArguments | Code::BrainInvalidParams, Some(number)) => {
                format!("MCP error {number}: {}", self.message)
            }
            (_, _) => self.message.clone(),
        };
        ToolResult::failed(text, &envelope)
    }

    /// Projection 3: an error frame of the live channel.
    pub(crate) fn to_frame(&self, request_id: Option<&str>) -> Vec<u8> {
        self.log();
        let row = self.code.row();
        let body = ServerBody::Error {
            code: row.word,
            number: row.legacy,
            message: &self.message,
            details: self.details.as_deref(),
        };
        serde_json::to_vec(&ServerFrame { body, request_id }).unwrap_or_default()
    }

    /// The same for one channel of the session (live-channel.md §8.4).
    pub(crate) fn to_channel_frame(
        &self,
        session_id: &SessionId,
        channel_name: &str,
        request_id: Option<&str>,
    ) -> Vec<u8> {
        self.log();
        let body = ServerBody::ChannelError {
            session_id,
            channel_name,
            code: self.code.row().word,
            message: &self.message,
            details: self.details.as_deref(),
        };
        serde_json::to_vec(&ServerFrame { body, request_id }).unwrap_or_default()
    }

    /// Projection 4: the REST envelope (errors.md §4).
    pub(crate) fn to_rest(&self) -> Response {
        self.to_rest_beside(Map::new())
    }

    /// Status and REST envelope as text, for where no layer writes an answer.
    pub(crate) fn to_rest_text(&self) -> (StatusCode, String) {
        let status = status_of(self.code.row().status);
        (status, self.rest_body(Map::new()).to_string())
    }

    /// The REST envelope beside members that clients of one address read.
    pub(crate) fn to_rest_beside(&self, body: Map<String, Value>) -> Response {
        let body = self.rest_body(body).to_string();
        self.respond(self.code.row().status, body)
    }

    fn rest_body(&self, mut body: Map<String, Value>) -> Value {
        self.log();
        let status = self.code.row().status;
        let mut error = self.envelope();
        if let Some(id) = request_id(status) {
            error["details"]["request_id"] = id;
        }
        // Old clients read the list of a failed validation where they read other texts.
        let listed = self.details.as_deref();
        let listed = listed.and_then(|details| details.get("errors")).cloned();
        let detail = listed.unwrap_or_else(|| self.message.as_str().into());
        body.insert("detail".to_owned(), detail);
        body.insert("error".to_owned(), error);
        Value::Object(body)
    }

    /// Code and message as REST tells them.
    fn envelope(&self) -> Value {
        let word = status_code_name(self.code.row().status);
        let mut error = json!({ "code": word, "message": self.message });
        if let Some(details) = self.details.as_deref() {
            error["details"] = details.clone();
        }
        error
    }

    fn respond(&self, status: u16, body: String) -> Response {
        let status = status_of(status);
        let mut response = (status, Body::from(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(wait) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(retry_after_secs(wait)));
        }
        if status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static("Bearer realm=\"mcp\"");
            headers.insert(http::header::WWW_AUTHENTICATE, challenge);
        }
        response
    }

    /// `Retry-After` of the answer that carries this fault.
    pub(crate) fn retry_after(&self) -> Option<HeaderValue> {
        self.retry_after
            .map(|wait| HeaderValue::from(retry_after_secs(wait)))
    }

    fn log(&self) {
        let code = self.code.row().name;
        counter!("proscenium_faults_total", "code" => code).increment(1);
        match &self.source {
            Some(source) => tracing::error!(fault.code = code, fault.source = source, "failed"),
            None => tracing::debug!(fault.code = code, "refused"),
        }
    }
}

/// Whole seconds, rounded up and never 0: a caller told 0 comes back at once.
fn retry_after_secs(wait: Duration) -> u64 {
    wait.as_millis()
        .div_ceil(1000)
        .max(1)
        .try_into()
        .unwrap_or(u64::MAX)
}

fn internal_number(era: Era) -> i32 {
    Code::Internal
        .number(era, Endpoint::Mcp)
        .unwrap_or_default()
}

fn status_of(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The id under which a failure of ours is found in the log.
fn request_id(status: u16) -> Option<Value> {
    let is_ours = status >= SERVER_S_DOING;
    let correlation = Correlation::current().filter(|_| is_ours)?;
    Some(correlation.id.as_ref().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::store_error::StoreError;

    #[test]
    fn a_wait_is_told_in_whole_seconds_and_never_as_none() {
        assert_eq!(retry_after_secs(Duration::ZERO), 1);
        assert_eq!(retry_after_secs(Duration::from_millis(1001)), 2);
    }

    #[test]
    fn a_hidden_source_is_in_no_projection() {
        let fault = Fault::from(StoreError::Conflict);
        let texts = [
            fault.to_jsonrpc("1", Era::Legacy, Endpoint::Mcp),
            serde_json::to_string(&fault.to_tool_result(Era::Legacy, 0, false)).unwrap(),
            String::from_utf8(fault.to_frame(None)).unwrap(),
        ];
        for text in texts {
            assert!(!text.contains("moved on"), "{text}");
        }
    }
}
