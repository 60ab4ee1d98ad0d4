//! Which code a failure of the gate has, and what is told beside it.

use std::time::Duration;

use serde_json::json;

use super::fault::Fault;
use crate::domain::gate::UpstreamError;
use crate::services::gate::GateError;
use crate::wire::fault::Code;

/// How long a caller of the gate waits when a server has as much to do as it may.
const GATE_WAIT: Duration = Duration::from_secs(1);
impl Fault {
    /// Why the gate gave no result for what a caller named. Of its servers it tells their numbers,
    /// and their words only with the numbers that every server shares: a server cannot say what
    /// only the gate says.
    pub(super) fn from_gate(error: GateError, name: &str) -> Self {
        let named = json!({ "tool_name": name });
        match error {
            GateError::Busy => Self::too_fast(Code::GateRateLimited, GATE_WAIT).with(named),
            GateError::Denied { name, reason } => Self::denied(&name, &reason),
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
                Self::saying(Code::GateMethodNotFound, why).with(named)
            }
            GateError::Upstream(UpstreamError::Answered { code, message }) => {
                let details = json!({ "tool_name": name, "upstream": { "code": code } });
                match Code::gate_standard(code) {
                    Some(standard) => Self::saying(standard, message),
                    None => Self::of(Code::GateUpstreamError),
                }
                .with(details)
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
