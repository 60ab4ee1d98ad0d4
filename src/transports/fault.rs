//! Where failures become answers: every error of the services gets its code here, and nowhere else.
#![deny(clippy::wildcard_enum_match_arm)]

use std::time::Duration;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde_json::{Map, Value, json};

use super::result::ToolResult;
use crate::domain::contract::violation_text;
use crate::domain::store::StoreError;
use crate::services::actions::ActionError;
use crate::services::arguments::ArgumentsError;
use crate::services::auth::AuthError;
use crate::services::content::{ContentError, Mismatch};
use crate::services::dispatch::DispatchError;
use crate::services::live::CursorError;
use crate::services::mounts::MountError;
use crate::services::replay::ReplayError;
use crate::services::sessions::SessionError;
use crate::wire::contract::{Finding, Violation};
use crate::wire::fault::{Code, Endpoint, Era, Retry, Surface, status_word};
use crate::wire::frames::{ServerBody, ServerFrame};

/// Milliseconds a caller waits when the server cannot know how long (handshakes expire by then).
const WAIT_UNKNOWN: Duration = Duration::from_secs(30);
/// How long a caller waits before it asks again what became of its first attempt.
const ATTEMPT_WAIT: Duration = Duration::from_secs(1);
/// Advice of violation frames and results.
const VIOLATION_HINT: &str = "Compare the value with the contract: names and schemas must match \
    exactly, and objects take only declared keys.";

/// A failure with its code. Its private source is logged once, where it is projected; it has no
/// `Display` that could show it.
#[derive(Debug)]
pub(super) struct Fault {
    code: Code,
    message: String,
    details: Option<Box<Value>>,
    retry_after: Option<Duration>,
    source: Option<String>,
}

impl Fault {
    /// A fault whose message is that of its row.
    pub(super) fn of(code: Code) -> Self {
        Self::saying(code, code.row().text)
    }

    /// A fault with a message of its own.
    pub(super) fn saying(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            details: None,
            retry_after: None,
            source: None,
        }
    }

    /// The fault with details.
    pub(super) fn with(mut self, details: Value) -> Self {
        self.details = Some(Box::new(details));
        self
    }

    /// The fault with a time to wait.
    pub(super) fn after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    /// What could not be read: missing, which is also what is another's, or broken.
    pub(super) fn unread(error: &StoreError, missing: Code, broken: Code) -> Self {
        match error {
            StoreError::Missing => Self::of(missing),
            StoreError::Conflict | StoreError::Full { .. } => Self::of(broken).hiding(error),
        }
    }

    fn hiding(mut self, source: &StoreError) -> Self {
        self.source = Some(source.to_string());
        self
    }

    pub(super) fn code(&self) -> Code {
        self.code
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// An argument problem, or anything else that went wrong in a tool.
    pub(super) fn in_tool(tool: &str, error: DispatchError) -> Self {
        match error {
            DispatchError::Action(error) => Self::from_action(error, tool),
            DispatchError::Arguments(ArgumentsError { problems }) => {
                let lines: Vec<_> = problems.iter().map(|line| format!("- {line}")).collect();
                let message = format!("Invalid arguments for {tool}:\n{}", lines.join("\n"));
                Self::saying(Code::InvalidArguments, message).with(json!({ "problems": problems }))
            }
            DispatchError::Auth(error) => error.into(),
            DispatchError::Content(error) => Self::from_content(error, tool),
            DispatchError::Mount(error) => Self::from_mount(error, tool),
            DispatchError::OutOfScope { kind, held } => Self::saying(
                Code::CapabilityDenied,
                format!("{tool} is outside the scopes of this credential."),
            )
            .with(json!({ "required_scopes": kind.scopes(), "scopes": held })),
            DispatchError::OutOfReach { needed, held } => Self::saying(
                Code::CapabilityDenied,
                format!(
                    "{tool} needs trust level {}; this key has {}.",
                    needed.0, held.0
                ),
            )
            .with(json!({ "required_level": needed.0, "trust_level": held.0 })),
            DispatchError::Replay(error) => Self::from_replay(error),
            DispatchError::Session(error) => Self::from_session(error),
        }
    }

    fn from_replay(error: ReplayError) -> Self {
        match error {
            ReplayError::Full => Self::too_fast(Code::RateLimited, ATTEMPT_WAIT),
            ReplayError::InProgress => {
                let fault = Self::for_reason(Code::IdempotencyInProgress, None);
                fault.after(ATTEMPT_WAIT)
            }
            ReplayError::Reused => Self::for_reason(Code::IdempotencyKeyReused, None),
        }
    }

    /// A failure of safe retries: the REST envelope knows only statuses, so the word is a reason.
    pub(super) fn for_reason(code: Code, message: Option<String>) -> Self {
        let row = code.row();
        let message = message.unwrap_or_else(|| row.text.to_owned());
        let mut details = json!({ "reason": row.word });
        if row.retry == Retry::AfterTold {
            details["retry_after_ms"] = u64::try_from(ATTEMPT_WAIT.as_millis())
                .unwrap_or(u64::MAX)
                .into();
        }
        Self::saying(code, message).with(details)
    }

    fn from_session(error: SessionError) -> Self {
        match error {
            SessionError::HandshakesFull { max } => Self::saying(
                Code::HandshakeLimit,
                format!("{max} handshakes are open: render some, or wait until they expire."),
            )
            .after(WAIT_UNKNOWN),
            SessionError::NotFound { id } => Self::session_gone(&id),
            SessionError::Store(error) => Self::of(Code::Internal).hiding(&error),
        }
    }

    fn from_mount(error: MountError, tool: &str) -> Self {
        match error {
            MountError::AppMismatch => Self::of(Code::TenantMismatch),
            MountError::SessionNotFound { id } => Self::session_gone(&id),
            MountError::Store(error) => Self::of(Code::Internal).hiding(&error),
            MountError::TooFast { wait } => Self::too_fast(Code::RateLimited, wait),
            MountError::TooLarge { problems } => Self::saying(
                Code::ContextTooLarge,
                format!("{tool}: the snapshot is too large: {}", problems.join("; ")),
            ),
            MountError::Violations(violations) => {
                let lines: Vec<_> = violations
                    .iter()
                    .map(|found| format!("{}: {}", found.field, found.message))
                    .collect();
                let message = format!("{tool} violates contextSpec: {}", lines.join("; "));
                Self::saying(Code::ContextSchemaViolation, message)
            }
        }
    }

    fn session_gone(id: &str) -> Self {
        Self::saying(
            Code::SessionNotFound,
            format!(
                "GguiSession \"{id}\" not found. It has expired or was never rendered: call \
                 ggui_handshake, then ggui_render, for a new one."
            ),
        )
    }

    fn from_content(error: ContentError, tool: &str) -> Self {
        match error {
            ContentError::ChannelNotCompletable { channel } => Self::saying(
                Code::ChannelNotCompletable,
                format!("Channel '{channel}' was not declared with complete: true."),
            ),
            ContentError::ChannelNotDeclared { channel, declared } => {
                let names = if declared.is_empty() {
                    "none".into()
                } else {
                    declared.join(", ")
                };
                let message = format!(
                    "Channel '{channel}' is not declared on the GguiSession's streamSpec. \
                     Declared channels: [{names}]"
                );
                Self::saying(Code::ChannelNotDeclared, message)
                    .with(json!({ "declared": declared }))
            }
            ContentError::HandshakeNotFound { id } => Self::saying(
                Code::HandshakeNotFound,
                format!(
                    "{tool}: handshakeId \"{id}\" not found. It is unknown, expired or already \
                     used: call ggui_handshake again and render with the new id."
                ),
            ),
            ContentError::OverrideUnsound(findings) => {
                let message = format!("override_contract_invalid: {}", findings_text(&findings));
                Self::saying(Code::ContractValidationFailed, message)
                    .with(json!({ "findings": findings }))
            }
            ContentError::SchemaMismatch(mismatches) => {
                let lines: Vec<_> = mismatches
                    .iter()
                    .map(|Mismatch { action, tool, told }| {
                        format!(
                            "- action \"{action}\" (tool \"{tool}\") — schema mismatch — {told}"
                        )
                    })
                    .collect();
                let message = format!(
                    "{tool}: SCHEMA_MISMATCH_ERROR — {} finding(s)\n{}",
                    lines.len(),
                    lines.join("\n")
                );
                Self::saying(Code::SchemaMismatch, message)
            }
            ContentError::SessionNotFound { id } => Self::session_gone(&id),
            ContentError::SessionsFull { max } => Self::saying(
                Code::SessionLimit,
                format!("{max} sessions are open: wait until some have expired."),
            ),
            ContentError::Store(error) => Self::of(Code::Internal).hiding(&error),
            ContentError::TooFast { wait } => Self::too_fast(Code::RateLimited, wait),
            ContentError::Violations {
                violations,
                props_schema_hash,
            } => {
                let mut details = violation_details(tool, &violations);
                if let Some(hash) = props_schema_hash {
                    details["propsSchemaHash"] = hash.into();
                }
                Self::saying(Code::ContractViolation, violation_text(tool, &violations))
                    .with(details)
            }
        }
    }

    fn from_action(error: ActionError, tool: &str) -> Self {
        match error {
            ActionError::InboxFull { waiting } => Self::saying(
                Code::RateLimited,
                format!("{waiting} actions wait for the agent; it has to take some first."),
            )
            .after(Duration::from_secs(1)),
            ActionError::SessionNotFound { id } => Self::session_gone(&id),
            ActionError::Store(error) => Self::of(Code::Internal).hiding(&error),
            ActionError::Violations(violations) => {
                Self::saying(Code::ContractViolation, violation_text(tool, &violations))
                    .with(violation_details(tool, &violations))
            }
        }
    }

    /// The same failure on the live channel.
    pub(super) fn in_frame(error: DispatchError) -> Self {
        /// The name under which the wire knows an action frame.
        const TOOL: &str = "ggui_event";
        let fault = Self::in_tool(TOOL, error);
        // Frames speak five of the codes.
        let spoken = [
            (Code::CapabilityDenied, Code::UnauthenticatedFrame),
            (Code::ContractViolation, Code::ContractViolationFrame),
            (Code::RateLimited, Code::RateLimitedFrame),
            (Code::SessionNotFound, Code::SessionNotFoundFrame),
        ];
        let code = spoken.iter().find(|(in_tool, _)| *in_tool == fault.code);
        let code = code.map_or(Code::InternalFrame, |(_, in_frame)| *in_frame);
        Self { code, ..fault }
    }

    /// A limit on single operations (ruling 7).
    pub(super) fn too_fast(code: Code, wait: Duration) -> Self {
        let message = format!(
            "Rate limit exceeded — retry after {}ms.",
            wait.as_millis().max(1)
        );
        Self::saying(code, message).after(wait)
    }

    /// Whether a failed call is a result of its tool; everything else is a JSON-RPC error.
    pub(super) fn is_tool_result(&self, era: Era) -> bool {
        let row = self.code.row();
        let is_domain =
            matches!(row.surface, Surface::Ggui | Surface::Rest) && row.legacy.is_none();
        is_domain
            || self.code == Code::SessionNotFound
            || (self.code == Code::InvalidArguments && era == Era::Modern)
    }

    fn retry(&self) -> Value {
        let advice = self.code.row().retry;
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
    pub(super) fn to_jsonrpc(&self, id: &str, era: Era, endpoint: Endpoint) -> String {
        self.log();
        let row = self.code.row();
        let mut error = json!({
            "code": self.code.number(era, endpoint).unwrap_or_else(|| internal_number(era)),
            "message": self.message,
        });
        let data = if self.code == Code::ResourceMalformed {
            // What cannot be named is no typed failure (ruling 6).
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
            data.insert("retry".into(), self.retry());
            Some(Value::Object(data))
        };
        if let Some(data) = data {
            error["data"] = data;
        }
        format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#)
    }

    /// The JSON-RPC error as an HTTP answer of its own.
    pub(super) fn to_rpc_response(&self, id: &str, era: Era, endpoint: Endpoint) -> Response {
        let status = self.code.rpc_status(era);
        self.respond(status, self.to_jsonrpc(id, era, endpoint))
    }

    /// Projection 2: the result of a tool that failed (ruling 3).
    pub(super) fn to_tool_result(&self, era: Era, latency_ms: u64) -> ToolResult {
        self.log();
        let row = self.code.row();
        let mut details = match self.details.as_deref() {
            Some(Value::Object(details)) => details.clone(),
            _ => Map::new(),
        };
        details.insert("status".into(), status_word(row.status).into());
        let envelope = json!({
            "error": { "code": row.word, "message": self.message, "details": details },
            "_latency_ms": latency_ms,
        });
        let text = match (self.code, self.code.number(era, Endpoint::Mcp)) {
            (Code::InvalidArguments, Some(number)) => {
                format!("MCP error {number}: {}", self.message)
            }
            (_, _) => self.message.clone(),
        };
        ToolResult::failed(text, &envelope)
    }

    /// Projection 3: an error frame of the live channel.
    pub(super) fn to_frame(&self, request_id: Option<&str>) -> Vec<u8> {
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

    /// Projection 4: the REST envelope (seed 003).
    pub(super) fn to_rest(&self) -> Response {
        self.to_rest_beside(Map::new())
    }

    /// The REST envelope beside members that clients of one address read (ruling 8).
    pub(super) fn to_rest_beside(&self, mut body: Map<String, Value>) -> Response {
        self.log();
        let status = self.code.row().status;
        let mut error = json!({ "code": status_word(status), "message": self.message });
        if let Some(details) = self.details.as_deref() {
            error["details"] = details.clone();
        }
        // Old clients read the list of a failed validation where they read other texts.
        let listed = self
            .details
            .as_deref()
            .and_then(|details| details.get("errors"));
        let detail = listed
            .cloned()
            .unwrap_or_else(|| self.message.as_str().into());
        body.insert("detail".to_owned(), detail);
        body.insert("error".to_owned(), error);
        self.respond(status, Value::Object(body).to_string())
    }

    fn respond(&self, status: u16, body: String) -> Response {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
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
    pub(super) fn retry_after(&self) -> Option<HeaderValue> {
        self.retry_after
            .map(|wait| HeaderValue::from(retry_after_secs(wait)))
    }

    fn log(&self) {
        let code = self.code.row().name;
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

fn violation_details(tool: &str, violations: &[Violation]) -> Value {
    json!({
        "error": Code::ContractViolation.row().word,
        "tool": tool,
        "violations": violations,
        "hint": VIOLATION_HINT,
    })
}

fn findings_text(findings: &[Finding]) -> String {
    let texts: Vec<_> = findings
        .iter()
        .map(|finding| format!("[{}] {}: {}", finding.code, finding.path, finding.message))
        .collect();
    texts.join(" | ")
}

impl From<AuthError> for Fault {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::RefreshClosed => Self::of(Code::RefreshWindowClosed),
            AuthError::Refused => Self::of(Code::Unauthorized),
            AuthError::TokenExpired => Self::of(Code::BootstrapExpired),
            AuthError::TokenInvalid => Self::of(Code::BootstrapInvalid),
        }
    }
}

impl From<CursorError> for Fault {
    fn from(error: CursorError) -> Self {
        match error {
            CursorError::Malformed => Self::of(Code::InvalidSinceSequence),
            CursorError::Passed { current } => {
                Self::of(Code::ReplayHorizonPassed).with(json!({ "currentSequence": current }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_told_in_whole_seconds_and_never_as_none() {
        assert_eq!(retry_after_secs(Duration::ZERO), 1);
        assert_eq!(retry_after_secs(Duration::from_millis(1001)), 2);
    }

    #[test]
    fn a_hidden_source_is_in_no_projection() {
        let fault = Fault::of(Code::Internal).hiding(&StoreError::Conflict);
        let told = [
            fault.to_jsonrpc("1", Era::Legacy, Endpoint::Mcp),
            serde_json::to_string(&fault.to_tool_result(Era::Legacy, 0)).unwrap(),
            String::from_utf8(fault.to_frame(None)).unwrap(),
        ];
        for text in told {
            assert!(!text.contains("moved on"), "{text}");
        }
    }
}
