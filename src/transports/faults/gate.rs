//! Which code a failure of the gate has, and what is told beside it.

use std::time::Duration;

use serde_json::json;

use super::fault::Fault;
use crate::domain::gate::UpstreamError;
use crate::domain::store_error::STORE_WAIT;
use crate::services::gate::GateError;
use crate::wire::fault::Code;

/// How long a caller of the gate waits when a server has as much to do as it may.
const GATE_WAIT: Duration = Duration::from_secs(1);
/// How long a caller waits that has as many approvals open as it may: people need that long.
const APPROVALS_WAIT: Duration = Duration::from_secs(60);
/// How long a caller waits before it asks again whether a person has decided: not at all, because
/// the call itself waits.
const PENDING_WAIT_MS: u64 = 0;
/// What a caller is told where a person gave no reason.
const REJECTED: &str = "a person rejected it";

impl Fault {
    /// Why the gate gave no result for what a caller named. Of its servers it tells their numbers,
    /// and their words only with the numbers that every server shares: a server cannot say what
    /// only the gate says.
    pub(super) fn from_gate(error: GateError, name: &str) -> Self {
        let named = json!({ "tool_name": name });
        match error {
            GateError::ApprovalPending { name, handle, card } => {
                let why = format!("No decision on tool '{name}' yet: call it again to wait on");
                Self::saying(Code::GateApprovalTimeout, why).with(json!({
                    "tool_name": name,
                    "reason": "nobody has decided yet; the same call, made again, waits on",
                    "state": "pending",
                    "task_id": handle,
                    "viewerUrl": card,
                    "resubmit": true,
                    "retry_after_ms": PENDING_WAIT_MS,
                }))
            }
            GateError::ApprovalRejected { name, reason } => {
                let why = format!("Approval rejected for tool '{name}'");
                Self::saying(Code::GateApprovalRejected, why).with(json!({
                    "tool_name": name,
                    "reason": reason.as_deref().unwrap_or(REJECTED),
                }))
            }
            GateError::ApprovalTimeout { name, after } => {
                let after = after.as_secs();
                let why = format!("Approval timeout for tool '{name}' after {after}s");
                Self::saying(Code::GateApprovalTimeout, why).with(json!({
                    "tool_name": name,
                    "reason": "nobody decided in time",
                    "state": "expired",
                    "resubmit": true,
                }))
            }
            GateError::Busy => Self::too_fast(Code::GateRateLimited, GATE_WAIT).with(named),
            GateError::Denied { name, reason } => Self::denied(&name, &reason),
            GateError::ManyApprovals { max } => {
                let reason = format!("{max} calls of this caller wait for people already");
                Self::too_fast(Code::GateRateLimited, APPROVALS_WAIT)
                    .with(json!({ "tool_name": name, "reason": reason }))
            }
            GateError::Of(name, error) => Self::from_gate(*error, &name),
            GateError::OutcomeUnknown { name } => {
                let reason = "the call was begun; whether it took effect is not known. It is not \
                              made again without a new approval";
                Self::saying(Code::GateUpstreamError, "Outcome unknown").with(json!({
                    "tool_name": name,
                    "reason": reason,
                    "state": "unknown",
                }))
            }
            GateError::OverBudget(error) => Self::from(error).with(json!({
                "tool_name": name,
                "reason": "nobody can be asked for approval: the server holds as much as it may",
            })),
            GateError::Unavailable(why) => {
                tracing::error!(why, "nobody can be asked to approve a call: it is not made");
                let reason = "nobody can be asked for approval now";
                Self::of(Code::GateUnavailable)
                    .with(json!({ "tool_name": name, "reason": reason }))
                    .after(STORE_WAIT)
            }
            GateError::Malformed(why) => {
                Self::saying(Code::GateInvalidParams, format!("Invalid params:\n- {why}"))
            }
            GateError::Method(method) => {
                let why = format!("Method not found: {method}");
                Self::saying(Code::GateMethodNotFound, why)
            }
            GateError::Unknown { what, name } => {
                let why = format!("Unknown {what}: {name}");
                Self::saying(Code::GateInvalidParams, why)
            }
            GateError::UnknownTool(name) => {
                let why = format!("Unknown tool: {name}");
                Self::saying(Code::GateUnknownTool, why).with(named)
            }
            GateError::Upstream(UpstreamError::Answered { code, message }) => {
                let details = json!({ "tool_name": name, "upstream": { "code": code } });
                match Code::gate_standard(code) {
                    Some(standard) => Self::saying(standard, message),
                    None => Self::of(Code::GateUpstreamError),
                }
                .with(details)
            }
            GateError::Upstream(UpstreamError::Incapable(needed)) => {
                Self::of(Code::MissingCapability).with(json!({
                    "tool_name": name,
                    "requiredCapabilities": needed.declared(),
                }))
            }
            GateError::Upstream(UpstreamError::Busy) => {
                Self::too_fast(Code::GateRateLimited, GATE_WAIT).with(named)
            }
            GateError::Upstream(UpstreamError::Timeout) => {
                Self::of(Code::GateUpstreamTimeout).with(named)
            }
            GateError::Upstream(UpstreamError::Unavailable) => {
                Self::of(Code::GateUnavailable).with(named)
            }
            GateError::Upstream(UpstreamError::Unreachable(_)) => {
                Self::of(Code::GateUpstreamConnect).with(named)
            }
            GateError::Upstream(UpstreamError::Unusable(_)) => {
                Self::of(Code::GateUpstreamError).with(named)
            }
        }
    }

    /// The gate refuses what a caller named.
    pub(crate) fn denied(name: &str, reason: &str) -> Self {
        Self::saying(Code::GatePolicyDenied, "Policy denied")
            .with(json!({ "tool_name": name, "reason": reason }))
    }
}
