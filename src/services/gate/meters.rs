//! What the gate counts.

use metrics::{counter, histogram};
use tokio::time::Instant;

use super::error::GateError;
use crate::domain::gate::{State, UpstreamError};

/// Counts what the rules say of a call: whether a person has to agree, or why there is none.
pub(super) fn count_decision(decided: Result<bool, &GateError>) {
    let outcome = match decided {
        Ok(true) => "approve",
        Ok(false) => "forward",
        Err(GateError::Denied { .. }) => "deny",
        Err(GateError::UnknownTool(_)) => "unknown",
        Err(_) => "failed",
    };
    counter!("proscenium_gate_decisions_total", "outcome" => outcome).increment(1);
}

/// Counts what became of an approval.
pub(super) fn count_approval(state: State) {
    if matches!(state, State::Executing | State::Granted | State::Pending) {
        return;
    }
    let state = state.word();
    counter!("proscenium_gate_approvals_total", "state" => state).increment(1);
}

/// Counts an attempt to tell a webhook of a card.
pub(super) fn count_notice(is_taken: bool) {
    let outcome = if is_taken { "ok" } else { "failed" };
    counter!("proscenium_gate_notices_total", "outcome" => outcome).increment(1);
}

/// Counts a request to a source that began at a moment, and what came of it.
pub(super) fn count_request<T>(source: &str, begun: Instant, result: &Result<T, UpstreamError>) {
    let outcome = match result {
        Ok(_) => "ok",
        Err(UpstreamError::Answered { .. } | UpstreamError::Incapable(_)) => "error",
        Err(UpstreamError::Busy) => "busy",
        Err(UpstreamError::Timeout) => "timeout",
        Err(UpstreamError::Unavailable | UpstreamError::Unreachable(_)) => "unreachable",
        Err(UpstreamError::Unusable(_)) => "unusable",
    };
    // Sources stand in the gate file: they are few.
    let source = source.to_owned();
    counter!(
        "proscenium_gate_requests_total", "source" => source.clone(), "outcome" => outcome
    )
    .increment(1);
    histogram!("proscenium_gate_request_seconds", "source" => source).record(begun.elapsed());
}
