//! Requests of the older era that end a subscription, or would begin one where there is no stream.

use serde_json::json;

use super::answer::Answer;
use super::rpc_call::{RpcCall, SUBSCRIBE};
use super::state::Mcp;
use crate::domain::operation::Caller;
use crate::transports::faults::Fault;
use crate::wire::fault::{Code, Era};

/// Ends what `resources/subscribe` began.
const UNSUBSCRIBE: &str = "resources/unsubscribe";

/// The answer to a request that ends a stream, or that would open one where there is none. Whether there
/// was a subscription makes no difference.
pub(super) fn answer(mcp: &Mcp, caller: &Caller, asked: &RpcCall) -> Option<Result<Answer, Fault>> {
    match (asked.era, asked.method.as_str()) {
        (Era::Legacy, UNSUBSCRIBE) => Some(asked.text("uri").map(|uri| {
            mcp.held.take_back(&caller.principal, &name(uri));
            asked.finish(json!({}))
        })),
        (Era::Legacy, SUBSCRIBE) => {
            let why = "Invalid Request: a subscription is told of on the stream of its own answer, \
                which a batch does not have";
            Some(Err(Fault::saying(Code::InvalidRequest, why)))
        }
        _ => None,
    }
}

/// Under which a subscription is held: no id of a request, which would be JSON.
pub(super) fn name(uri: &str) -> String {
    format!("{SUBSCRIBE} {uri}")
}
