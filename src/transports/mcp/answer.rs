//! The answer to a request.

use std::sync::Arc;

use crate::transports::faults::Fault;
use crate::wire::fault::{Endpoint, Era};

/// A result as JSON text, ready for its envelope.
pub(super) struct Answer(pub(super) Arc<str>);

/// An answer in its envelope.
pub(super) fn reply(
    id: &str,
    era: Era,
    answer: &Result<Answer, Fault>,
    endpoint: Endpoint,
) -> String {
    match answer {
        Ok(Answer(result)) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(fault) => fault.to_jsonrpc(id, era, endpoint),
    }
}
