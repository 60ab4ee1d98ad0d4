//! What a request says of itself: its caller, its credentials, and what ties an answer to it.

mod access;
mod correlation;
pub(super) mod extract;
mod identity;

pub(crate) use access::Access;
pub(super) use correlation::Correlation;
pub(super) use extract::{
    Form, IDEMPOTENCY_KEY, Parameters, attempt, attempt_header, attempt_in_metadata, body,
    check_is_json, form, is_forwarded, principal_at, text,
};
pub(super) use identity::{Identity, Reader};
