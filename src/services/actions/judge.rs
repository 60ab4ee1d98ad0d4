//! Whether what a person did is what the contract allows.

use serde_json::Value;

use crate::domain::action::{AUTH_ACTION, CLIENT_ID_BYTES_MIN, Gesture};
use crate::domain::session::Session;
use crate::domain::size::value_bytes;
use crate::wire::contract::Violation;
use crate::wire::ids::ID_BYTES_MAX;

/// Prefix of ids minted here; a client may not bring one.
pub(super) const SERVER_ID_PREFIX: &str = "seq:";

/// Everything that is wrong with a gesture, and with the id its client gave it; of its context only
/// so many bytes may travel with it.
pub(super) fn judge(
    session: &Session,
    id: Option<&str>,
    gesture: &Gesture,
    context_bytes_max: usize,
) -> Result<(), Vec<Violation>> {
    let judged = if gesture.intent() == AUTH_ACTION {
        check_auth_answer(session, gesture.data())
    } else {
        session.contract.check_action(&gesture.value)
    };
    let mut violations = match judged {
        Ok(()) => Vec::new(),
        Err(violations) => violations,
    };
    if id.is_some_and(|id| !(CLIENT_ID_BYTES_MIN..=ID_BYTES_MAX).contains(&id.len())) {
        let message = format!("must have {CLIENT_ID_BYTES_MIN} to {ID_BYTES_MAX} bytes");
        violations.push(Violation::new("actionId", message));
    }
    if id.is_some_and(|id| id.starts_with(SERVER_ID_PREFIX)) {
        let message =
            format!("must not begin with \"{SERVER_ID_PREFIX}\": such ids are the server's");
        violations.push(Violation::new("actionId", message));
    }
    if !(gesture.ui_context.is_object() || gesture.ui_context.is_null()) {
        violations.push(Violation::new("uiContext", "must be object".to_owned()));
    } else if value_bytes(&gesture.ui_context) > context_bytes_max {
        let message = format!("must take at most {context_bytes_max} bytes");
        violations.push(Violation::new("uiContext", message));
    }
    if violations.is_empty() {
        Ok(())
    } else {
        Err(violations)
    }
}

/// Whether an answer is one to a consent that is waited for; the contract knows nothing of it.
fn check_auth_answer(session: &Session, data: &Value) -> Result<(), Vec<Violation>> {
    let id = data["authRequestId"].as_str().unwrap_or_default();
    let mut violations = Vec::new();
    if !session.auth_requests.iter().any(|open| *open.id == *id) {
        let message = "must name a request for consent that is open";
        violations.push(Violation::new("_ggui:auth.data.authRequestId", message));
    }
    if !matches!(data["outcome"].as_str(), Some("completed" | "cancelled")) {
        let message = "must be completed or cancelled";
        violations.push(Violation::new("_ggui:auth.data.outcome", message));
    }
    if violations.is_empty() {
        Ok(())
    } else {
        Err(violations)
    }
}
