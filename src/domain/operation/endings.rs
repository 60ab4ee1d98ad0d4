//! How some operations end: what a UI is told that failed, and whoever takes back a wait.

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::wire::fault::Code;
use crate::wire::runtime::PullResult;
use crate::wire::tools::{ConsumeResult, SessionStatus};
use crate::wire::whole;

/// How the UI is told that an action was not taken (tools.md §12).
pub(super) const SUBMIT_FAILURES: &[(Code, Code)] = &[
    (Code::SessionNotFound, Code::PipeNotFound),
    (Code::ContractViolation, Code::InvalidActionKind),
    (Code::IdempotencyKeyInvalid, Code::InvalidActionKind),
    (Code::IdempotencyKeyReused, Code::InvalidActionKind),
    (Code::InvalidArguments, Code::InvalidActionKind),
];

/// A consume that was taken back.
pub(super) fn no_event(_: &Value) -> Box<RawValue> {
    to_raw_value(&ConsumeResult::nothing(SessionStatus::Active)).unwrap_or_default()
}

/// A pull that was taken back.
pub(super) fn no_row(arguments: &Value) -> Box<RawValue> {
    let seen = arguments.get("sinceSequence").and_then(whole::of);
    let result = PullResult {
        events: Some(Vec::new()),
        last_sequence: Some(seen.unwrap_or_default()),
        has_more: Some(false),
        ..PullResult::default()
    };
    to_raw_value(&result).unwrap_or_default()
}
